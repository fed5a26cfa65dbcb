#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Checks the rules of this repository that a compiler cannot; a ctest test (`tidy`).

    tools/tidy.py            check, one line per finding, exit code 1 if there are any
    tools/tidy.py --update   lower or drop entries of tools/tidy-exceptions.txt
    tools/tidy.py --accept   also add entries for what is over the aim today (a reviewer sees them)

Sizes have an aim and a hard limit. What is between the two must be listed in the exceptions file
with its size, and may not grow; what is over the hard limit is always a finding unless it is listed
with the word `hard`.
"""
import os
import re
import subprocess
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
EXCEPTIONS = "tools/tidy-exceptions.txt"
FILE_AIM, FILE_HARD = 500, 1000
FUNCTION_AIM, FUNCTION_HARD = 70, 100

CODE = (".cpp", ".h")
TABLES = (".def", ".inc")
SCRIPTS = (".py", ".sh", ".cmake")
# Inputs whose bytes are the point of them.
RAW = re.compile(r"^test/fuzz/[^/]+/seeds/|^test/.*/Inputs/|\.spv$")

# What each folder must not include. Every row holds whose first pattern is in the file's path; the second one matches the
# text between the quotes or angle brackets. ARCHITECTURE.md has the picture.
LLVM_IR = (r"llvm/(IR|IRReader|Bitcode|CodeGen|Transforms|Analysis|Passes|Target|Linker|"
           r"IRPrinter|AsmParser)/")
FORBIDDEN_INCLUDES = [
    (r"^pal_shim/", r"^(lgc|llpc|icd_glue)/", "pal_shim uses no other folder"),
    (r"^lgc/", r"^(llpc|icd_glue)/|^pal_shim/(?!abi/|remap/)",
     "lgc may use pal_shim/abi and pal_shim/remap only"),
    (r"^lgc/", r"^(spirv|spirv-tools|vulkan|glslang)/", "lgc knows neither SPIR-V nor Vulkan"),
    (r"^llpc/", r"^icd_glue/|^pal_shim/(?!abi/)", "llpc may use lgc and pal_shim/abi only"),
    (r"^llpc/.*(?<!Test)\.(cpp|h)$", r"^lgc/(ir|lowering|machine|llvm22|target|direct|glue|pipeline|link)/",
     "llpc sees the public headers of lgc only"),
    (r"^llpc/(spirv|reflect)/", LLVM_IR + r"|^lgc/(ir|lowering|pipeline|target|link)/",
     "llpc/spirv and llpc/reflect know no LLVM IR"),
    (r"^icd_glue/", LLVM_IR + r"|^llpc/(spirv|reflect|translate|context)/|"
     r"^lgc/(ir|lowering|machine|llvm22|target|direct|glue|pipeline|link)/",
     "icd_glue sees the public headers of the compiler only"),
    (r"^[a-z_]+/include/", LLVM_IR, "public headers hold no LLVM IR headers"),
]

# Folders with internal headers that tools open, by tool; all see public headers and pal_shim.
TOOLS_OPEN = {
    "amdllpc": "llpc/spirv",
    "debug": "llpc/spirv",
    "farm": "icd_glue/cache icd_glue/context icd_glue/sc icd_glue/server",
    "kiln-bench": "llpc/spirv llpc/reflect",
    "kiln-cache": "icd_glue icd_glue/cache",
    "lgc-opt": "lgc/lowering lgc/pipeline lgc/target",
    "pcc": "llpc/spirv llpc/reflect icd_glue icd_glue/code icd_glue/context icd_glue/pipeline icd_glue/sc icd_glue/state",
    "radv": "llpc/spirv llpc/reflect",
    "replay": "icd_glue/context icd_glue/partial icd_glue/pipeline",
    "support-table": "llpc/spirv llpc/translate",
}

# The folders of each library, from the bottom up. A file includes files of its own folder and of those before it, so that no
# two folders know each other. Tests and their helpers (*ForTest.h) may include anything of their library.
FOLDER_ORDER = {
    "pal_shim": "abi remap formats srd device device/core device/memory device/image device/graphics device/ops "
                "device/strict device/submit",
    "lgc": "include/lgc ir machine lowering lowering/arithmetic lowering/memory lowering/resources lowering/entry "
           "lowering/tessellation lowering/interface lowering/fragment lowering/subgroup lowering/image lowering/vertex "
           "lowering/geometry lowering/mesh lowering/rays llvm22 target direct direct/shader glue pipeline link",
    "llpc": "include/llpc spirv reflect translate context pipefile",
    "icd_glue": ". context key server cache sync memory image descriptor code state partial assemble sc pipeline shader queue command "
                "rays render wsi device loader amd",
}

# The one header below an include folder that is an interface in LLVM IR: what llpc/translate builds
# and lgc lowers. It is not installed.
IR_INTERFACES = ("lgc/include/lgc/Ops.h",)

# Written in pieces, so that this file does not contain what it looks for.
MACHINE_PATH = re.compile(r"(^|[^A-Za-z0-9._-])/(wo" + r"rk|fa" + r"rm|ro" + r"ot|ho" + r"me/[a-z]+)/")
REGISTRY_HOST = re.compile(r"[\w-]+\.pkg\.d" + r"ev\b|arti" + r"factory|deb\.debi" + r"an\.org|"
                           r"snapshot\.debi" + r"an\.org|files\.pythonho" + r"sted")
COMMAND_LINE = re.compile(r"\bcl::(opt|list|bits|alias)\b|llvm/Support/CommandLine\.h")
# In a set-user-ID program these would give its caller's variables.
GETENV = re.compile(r"(?<!secure_)\bgetenv\s*\(|\bProcess::GetEnv\b")
READS_VARIABLES = re.compile(r"^(pal_shim|lgc|llpc|icd_glue|tools)/.*(?<!Test)\.(cpp|h)$")
ENVIRONMENT = re.compile(r"[\"'](KILN_[A-Z0-9_]+)[\"']|\$\{?(KILN_[A-Z0-9_]+)")

# In these folders the order of calls is the order of instructions, and so of bytes.
BUILDS_CODE = re.compile(r"^(lgc/(ir|lowering|llvm22)|llpc/translate)/.*(?<!Test)\.(cpp|h)$")
# A call that makes an instruction: of an IRBuilder, of a function that is given one, a ValueOp or the
# Translator (its name does not say that it returns a type), of members that are known to.
EMITS = re.compile(r"\bCreate[A-Z]\w*\(|\boffsetPointer\(|\bf\.(?!num\()[a-z]\w*\(|"
                   r"\b(?!get|is|has)(?!\w*(?:[tT]ype|wordsOf)\w*\()[a-z]\w*\((?:\w+\.)?(b|op|t)[,)]")


class Report:
    """Collects findings, one line each: file, line, what is wrong."""

    def __init__(self):
        self.lines = []

    def add(self, path, line, text):
        self.lines.append(f"{path}:{line}: {text}" if line else f"{path}: {text}")


def tracked_files():
    """Paths of all files of the checkout, without ignored ones; works without git as well."""
    try:
        out = subprocess.run(["git", "-c", "safe.directory=*", "-C", ROOT, "ls-files", "-co", "--exclude-standard", "-z"],
                             capture_output=True, check=True, text=True).stdout
        paths = [path for path in out.split("\0") if path]
    except (OSError, subprocess.CalledProcessError):
        paths = []
        for folder, folders, names in os.walk(ROOT):
            folders[:] = [f for f in folders if f != ".git" and not re.match(r"build($|-)", f)
                          and f not in (".cache", "__pycache__")]
            paths += [os.path.relpath(os.path.join(folder, name), ROOT) for name in names]
    return sorted(path for path in set(paths) if os.path.isfile(os.path.join(ROOT, path)))


def read_text(path):
    """The file as text, or None for binary files."""
    with open(os.path.join(ROOT, path), "rb") as file:
        data = file.read()
    if b"\0" in data:
        return None
    return data.decode("utf-8", errors="replace")


LITERALS = re.compile(r"//[^\n]*|/\*.*?\*/|R\"([^(\s]*)\(.*?\)\1\"|\"(?:\\.|[^\"\\\n])*\"|"
                      r"(?<![0-9A-Fa-f])'(?:\\.|[^'\\\n])+'|^[ \t]*#(?:[^\n]*\\\n)*[^\n]*",
                      re.S | re.M)


def blank_literals(text):
    """Blanks comments, strings and preprocessor lines, keeping line numbers."""
    return LITERALS.sub(lambda match: re.sub(r"[^\n]", " ", match.group()), text)


def functions_of(text):
    """Yields (name, first line, last line) of each function body outside other functions."""
    code = blank_literals(text)
    stack = []  # (kind, name, first line) of each open brace
    head_start = 0
    for match in re.finditer(r"[{};]", code):
        char, position = match.group(), match.start()
        if char == "{":
            head = code[head_start:position]
            kind = classify(head, any(entry[0] == "function" for entry in stack))
            first = head_start + len(head) - len(head.lstrip())
            stack.append((kind, function_name(head), code.count("\n", 0, first) + 1))
        elif char == "}" and stack:
            kind, name, first = stack.pop()
            if kind == "function":
                yield name, first, code.count("\n", 0, position) + 1
        # A brace initialiser inside a constructor's initialiser list does not end the head.
        if not (char == "}" and stack and stack[-1][0] == "value"):
            head_start = position + 1


def classify(head, inside_function):
    if inside_function:
        return "block"
    if re.search(r"\b(namespace|extern)\b", head) and "(" not in head:
        return "namespace"
    if re.match(r"\s*(template\s*<.*>\s*)?(class|struct|union|enum)\b[^()]*$", head, re.S):
        return "type"
    return "function" if "(" in head else "value"


def function_name(head):
    match = re.search(r"([~\w:<>]+|operator\S+)\s*\(", head)
    return match.group(1) if match else "?"


def measured_sizes(paths, texts):
    """All sizes over the aim: {(rule, where): (size, hard limit)}."""
    sizes = {}
    for path in paths:
        if not path.endswith(CODE + (".py", ".sh")):
            continue
        lines = texts[path].count("\n")
        if lines > FILE_AIM:
            sizes[("file", path)] = (lines, FILE_HARD)
        if not path.endswith(CODE):
            continue
        for name, first, last in functions_of(texts[path]):
            length = last - first + 1
            if length > FUNCTION_AIM:
                key = ("function", f"{path}:{name}")
                sizes[key] = max(sizes.get(key, (0, 0)), (length, FUNCTION_HARD))
    return sizes


def read_exceptions():
    """{(rule, where): (size, is hard)}; a line is `rule where size [hard]`."""
    entries = {}
    with open(os.path.join(ROOT, EXCEPTIONS), encoding="utf-8") as file:
        for line in file:
            words = line.split("#")[0].split()
            if words:
                entries[(words[0], words[1])] = (int(words[2]), words[3:] == ["hard"])
    return entries


def write_exceptions(entries):
    with open(os.path.join(ROOT, EXCEPTIONS), encoding="utf-8") as file:
        header = [line for line in file if line.startswith("#")]
    rows = [f"{rule} {where} {size}{' hard' if hard else ''}\n"
            for (rule, where), (size, hard) in sorted(entries.items())]
    with open(os.path.join(ROOT, EXCEPTIONS), "w", encoding="utf-8") as file:
        file.writelines(header + rows)


def check_sizes(sizes, entries, report):
    for (rule, where), (size, limit) in sorted(sizes.items()):
        listed, hard = entries.get((rule, where), (0, False))
        if size > limit and not hard:
            report.add(where, 0, f"{rule} has {size} lines, the limit is {limit}: split it")
        elif not listed:
            report.add(where, 0, f"{rule} has {size} lines, over the aim and not in {EXCEPTIONS}")
        elif size > listed:
            report.add(where, 0, f"{rule} grew to {size} lines, {EXCEPTIONS} says {listed}")
    for rule, where in sorted(set(entries) - set(sizes)):
        report.add(where, 0, f"{rule} needs no exception any more: tools/tidy.py --update")


def update_exceptions(sizes, entries, accept):
    kept = {}
    for key, (size, limit) in sizes.items():
        if key in entries:
            listed, hard = entries[key]
            kept[key] = (min(size, listed), hard and size > limit)
        elif accept and size <= limit:
            kept[key] = (size, False)
    write_exceptions(kept)


def check_includes(path, text, report):
    if path in IR_INTERFACES:
        return
    for number, line in enumerate(text.split("\n"), 1):
        match = re.match(r"\s*#\s*include\s*[<\"]([^>\"]+)[>\"]", line)
        if not match:
            continue
        for folder, pattern, why in FORBIDDEN_INCLUDES:
            if re.search(folder, path) and re.search(pattern, match.group(1)):
                report.add(path, number, f"must not include {match.group(1)}: {why}")
        check_tool(path, number, match.group(1), report)
        check_folder_order(path, number, match.group(1), report)


def check_tool(path, number, included, report):
    folder = os.path.dirname(included)
    if (path.startswith("tools/") and re.match(r"(lgc|llpc|icd_glue)/", included)
            and not os.path.isdir(os.path.join(ROOT, folder, "include", folder))
            and folder not in TOOLS_OPEN.get(path.split("/")[1], "").split()):
        report.add(path, number, f"must not include {included}: {folder} is not in TOOLS_OPEN of tools/tidy.py")


def check_folder_order(path, number, included, report):
    """No file includes one of a folder that comes later in FOLDER_ORDER."""
    library, _, rest = path.partition("/")
    if library not in FOLDER_ORDER or re.search(r"Test\.cpp$|ForTest\.(h|cpp)$|/Test\w+\.h$|/Pch\.h$", path):
        return
    folders = FOLDER_ORDER[library].split()
    if os.path.isfile(os.path.join(ROOT, library, "include", included)):
        included = f"{library}/include/{included}"
    if not included.startswith(library + "/"):
        return  # of another library
    own, other = (os.path.dirname(name) or "." for name in (rest, included.partition("/")[2]))
    for folder in (own, other):
        if folder not in folders:
            report.add(path, number, f"{library}/{folder} has no place in FOLDER_ORDER of tools/tidy.py")
            return
    if folders.index(other) > folders.index(own):
        report.add(path, number, f"{library}/{own} must not include {included}: that folder comes later")


def check_folders(paths, texts, report):
    """FOLDER_ORDER names the folders that there are, and no others; the code map of ARCHITECTURE.md has a row for each."""
    there = {os.path.dirname(path) for path in paths if path.endswith(CODE)}
    ordered = {f"{library}/{folder}".removesuffix("/.") for library, text in FOLDER_ORDER.items()
               for folder in text.split()}
    for folder in sorted(ordered - there):
        report.add("tools/tidy.py", 0, f"FOLDER_ORDER names {folder}, which is not there")
    for folder in sorted(there - ordered):
        if folder.split("/")[0] in FOLDER_ORDER and "/" in folder and "/include" not in folder:
            report.add("tools/tidy.py", 0, f"FOLDER_ORDER does not name {folder}")
    for library, listed in (("icd_glue", r"foreach\(folder (.*?)\)"), ("lgc", r"lgc FOLDERS (.*?) SOURCES")):
        lists = texts.get(f"{library}/CMakeLists.txt", "")
        rooms = re.findall(r"set\(loweringRooms (.*?)\)", lists)
        built = " ".join(re.findall(listed, lists, re.S)) + "".join(f" lowering/{room}" for room in " ".join(rooms).split())
        wanted = {folder for folder in FOLDER_ORDER[library].split() if not folder.startswith("include")}
        for folder in sorted(wanted ^ (set(built.split()) - {"${loweringRooms}"})):
            report.add(f"{library}/CMakeLists.txt", 0, f"this or FOLDER_ORDER of tools/tidy.py does not name {folder}")
    mapped = set()
    for row in re.findall(r"^\| (`.*?) \| (.*?) \|", texts.get("ARCHITECTURE.md", ""), re.M):
        first, *others = re.findall(r"`([\w/.]+)`", row[0]) or [""]
        mapped.update([first] + [os.path.join(os.path.dirname(first), other) for other in others])
        mapped.update(f"{first}/{word}" for word in re.findall(r"`(\w+)`", row[1]))
    for folder in sorted(folder for folder in ordered - mapped if "/" in folder):
        report.add("ARCHITECTURE.md", 0, f"the code map has no row for {folder}")


def check_text(path, text, report):
    name = os.path.basename(path)
    is_source = path.endswith(CODE + TABLES + SCRIPTS) or name in ("CMakeLists.txt", "kiln")
    if is_source and "SPDX-License-Identifier: MIT" not in "\n".join(text.split("\n")[:5]):
        report.add(path, 1, "no SPDX line in the first five lines")
    for number, line in enumerate(text.split("\n"), 1):
        if "\t" in line:
            report.add(path, number, "tab")
        if line != line.rstrip():
            report.add(path, number, "blank at the end of the line")
        if MACHINE_PATH.search(line):
            report.add(path, number, "path of one machine")
        if REGISTRY_HOST.search(line):
            report.add(path, number, "host name of a package registry")
        if COMMAND_LINE.search(line) and re.match(r"(pal_shim|lgc|llpc|icd_glue)/", path):
            report.add(path, number, "command line options are process-global: tools only")
    if text and not text.endswith("\n"):
        report.add(path, text.count("\n") + 1, "no newline at the end of the file")


def arguments_of(code, begin):
    """The arguments of the call whose parenthesis opens at `begin`."""
    arguments, depth, start = [], 0, begin + 1
    for match in re.compile(r"[()\[\]{},;]").finditer(code, begin):
        char = match.group()
        if char in "([{":
            depth += 1
        elif char in ")]}":
            depth -= 1
        if depth == 0 or (char == "," and depth == 1):
            arguments.append(code[start:match.start()])
            start = match.end()
        if depth == 0 or (char == ";" and depth == 1):
            break
    return arguments


def emitting_lambdas(code):
    """Names of lambdas that make instructions and return something: `auto x = [&] { return ...; };`."""
    for match in re.finditer(r"\bauto (\w+) = \[(?:[^\n]*\};|.*?^ *\};)", code, re.M | re.S):
        if "return" in match.group() and EMITS.search(match.group()):
            yield match.group(1)


def check_argument_order(path, text, report):
    """Compilers evaluate arguments in different orders: at most one may make instructions."""
    code = blank_literals(text)
    lambdas = [rf"\b{name}\(" for name in emitting_lambdas(code)]
    emits = re.compile("|".join([EMITS.pattern] + lambdas))
    for call in re.finditer(r"\b[A-Za-z_]\w*\(", code):
        if call.group() in ("for(", "if(", "while(", "switch("):
            continue
        arguments = [argument for argument in arguments_of(code, call.end() - 1)
                     if not argument.lstrip().startswith("[")]  # a lambda runs later
        if sum(1 for argument in arguments if emits.search(argument)) > 1:
            report.add(path, code.count("\n", 0, call.start()) + 1,
                       f"two arguments of {call.group()}...) make instructions; name the first")


def check_environment(paths, texts, report):
    """Variables in code and the table of docs/environment.md are the same set."""
    used = {}
    for path in paths:
        if path.endswith(CODE + (".py", ".sh")) or path == "kiln":
            for match in ENVIRONMENT.finditer(texts[path]):
                used.setdefault(match.group(1) or match.group(2), path)
    for path in filter(READS_VARIABLES.match, texts):
        for number, line in enumerate(blank_literals(texts[path]).splitlines(), 1):
            if GETENV.search(line):
                report.add(path, number, "secure_getenv, or else set-user-ID programs obey the variables of whoever starts them")
    table = "docs/environment.md"
    listed = set(re.findall(r"^\| `(KILN_[A-Z0-9_]+)`", texts.get(table, ""), re.M))
    for name in sorted(set(used) - listed):
        report.add(used[name], 0, f"environment variable {name} is not in {table}")
    for name in sorted(listed - set(used)):
        report.add(table, 0, f"{name} is listed but no code uses it")


def check_passes(paths, texts, report):
    """A pass has one name: class, file, registry name and test folder say the same."""
    registry = "lgc/include/lgc/PassRegistry.def"
    rows = re.findall(r"^LGC_\w+_PASS\((\w+), \"lgc-([a-z0-9-]+)\"", texts.get(registry, ""), re.M)
    sources = {os.path.basename(path)[:-4] for path in paths
               if path.startswith("lgc/") and path.endswith(".cpp")}
    tested = {path.split("/")[2] for path in paths if path.startswith("test/lgc/")}
    for class_name, name in rows:
        file_name = class_name.removesuffix("Pass")
        if file_name.lower() != name.replace("-", ""):
            report.add(registry, 0, f"class {class_name} and name lgc-{name} differ")
        if file_name not in sources:
            report.add(registry, 0, f"no file {file_name}.cpp for lgc-{name}")
        if name not in tested:
            report.add(registry, 0, f"no tests of lgc-{name} in test/lgc/{name}")


COMMENTS = {CODE + TABLES: re.compile(r"//[^\n]*"), SCRIPTS: re.compile(r"#[^\n]*|\"{3}.*?\"{3}", re.S)}
NAMED_PATH = re.compile(r"(?<![\w./*-])(?:cmake|docs|examples|icd_glue|lgc|llpc|pal_shim|test|tools)/[\w./-]+\."
                        r"(?:cmake|comp|cpp|def|h|inc|ll|md|pipe|py|sh|spvasm|test|txt)\b")


def check_named_paths(path, text, report):
    """Files of ours that a comment names are there."""
    for endings, pattern in COMMENTS.items():
        for comment in pattern.finditer(text) if path.endswith(endings) else ():
            for match in NAMED_PATH.finditer(comment.group()):
                if not any(os.path.exists(os.path.join(ROOT, folder, match.group()))
                           for folder in ("", "lgc/include", "llpc/include")):
                    report.add(path, text.count("\n", 0, comment.start() + match.start()) + 1,
                               f"names {match.group()}, which is not there")


def main():
    paths = tracked_files()
    texts = {path: read_text(path) for path in paths if not RAW.search(path)}
    texts = {path: text for path, text in texts.items() if text is not None}
    paths = list(texts)
    sizes, entries = measured_sizes(paths, texts), read_exceptions()
    if sys.argv[1:] and sys.argv[1] in ("--update", "--accept"):
        update_exceptions(sizes, entries, sys.argv[1] == "--accept")
        entries = read_exceptions()
    report = Report()
    check_sizes(sizes, entries, report)
    for path in paths:
        check_text(path, texts[path], report)
        check_named_paths(path, texts[path], report)
        if path.endswith(CODE):
            check_includes(path, texts[path], report)
        if BUILDS_CODE.search(path):
            check_argument_order(path, texts[path], report)
    check_environment(paths, texts, report)
    check_passes(paths, texts, report)
    check_folders(paths, texts, report)
    for line in report.lines:
        print(line)
    print(f"tidy: {len(paths)} files, {len(report.lines)} findings")
    return 1 if report.lines else 0


if __name__ == "__main__":
    sys.exit(main())
