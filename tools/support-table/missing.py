# SPDX-License-Identifier: MIT
"""What the headers know and Kiln does not: `tools/support-table.py --missing`.

Of SPIR-V: capabilities that are refused, with the extension of SPIR-V that they belong to, what
brings them to Vulkan, and the instructions that need them; instructions that are not translated
though their capability is accepted; extended instructions. Then device extensions of vk.xml.
"""
import collections
import json
import os
import re
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path += [os.path.join(ROOT, "icd_glue", "generate"), os.path.join(ROOT, "llpc", "spirv")]
sys.dont_write_bytecode = True
import generateGrammar  # noqa: E402
import registry  # noqa: E402

# Of these classes the table has no rows, or not all: the reader takes them, if their capability is there.
DECLARED = ("Type-Declaration", "Constant-Creation", "Annotation", "Mode-Setting", "Debug", "Function", "Extension")
LABEL = "OpLabel"


def default_headers():
    """As cmake/KilnDependencies.cmake finds them."""
    own = os.path.join(ROOT, "build", "headers", "usr", "include")
    return own if os.path.exists(os.path.join(own, "spirv", "unified1", "spirv.core.grammar.json")) else "/usr/include"


def table_names(table):
    """({class or extended set: names}, names of capabilities) of the text that the program prints."""
    rows = re.findall(r"^\| ([^|]+) \| \d+ \| ([^|]+) \|$", table.partition("Capabilities (")[0], re.M)
    capabilities = re.search(r"^Capabilities \(\d+\): ([^.]*)\.", table, re.M).group(1)
    return {name: set(names.split()) for name, names in rows}, set(capabilities.split())


def names_of(entry, key):
    return [entry[key], *entry.get("aliases", [])]


def vulkan_providers(xml):
    """{capability: what of Vulkan enables it}; empty without vk.xml."""
    if not xml:
        return {}
    providers = {}
    for node in xml.root.findall("spirvcapabilities/spirvcapability"):
        found = [enable.get("extension") or enable.get("version") or enable.get("requires", "").split(",")[0]
                 for enable in node.findall("enable")]
        providers[node.get("name")] = " ".join(sorted(set(filter(None, found)))) or "Vulkan"
    return providers


def refused_capabilities(grammar, accepted):
    """The entries of capabilities that have no accepted name."""
    kind = next(kind for kind in grammar["operand_kinds"] if kind["kind"] == "Capability")
    entries = generateGrammar.unique(kind["enumerants"], "value", "enumerant")
    return [entry for entry in entries if not accepted.intersection(names_of(entry, "enumerant"))]


def lacking_instructions(grammar, translated, accepted):
    """({refused capability: instructions}, instructions whose capability is accepted or that need none)."""
    refused, others = collections.defaultdict(list), []
    for entry in generateGrammar.unique(grammar["instructions"], "opcode", "opname"):
        names = [name.removeprefix("Op") for name in names_of(entry, "opname")]
        needs = entry.get("capabilities", [])
        if translated.intersection(names):
            continue
        if needs and not accepted.intersection(needs):
            refused[needs[0]].append(names[0])
        elif entry["class"] not in DECLARED and entry["opname"] != LABEL:
            others.append(f"{names[0]} ({' or '.join(needs)})" if needs else names[0])
    return refused, others


def lacking_extended(folder, table):
    """A line for each extended set that the table has: what of it is not translated."""
    for name, file in generateGrammar.EXT_SETS:
        path = os.path.join(folder, file)
        if name not in table or not os.path.exists(path):
            continue
        with open(path, encoding="utf-8") as text:
            entries = generateGrammar.unique(json.load(text)["instructions"], "opcode", "opname")
        lacking = [entry["opname"] for entry in entries if entry["opname"] not in table[name]]
        yield f"  {name}: {' '.join(lacking) or 'nothing'}"


def capability_lines(entries, instructions, providers):
    for entry in entries:
        names = names_of(entry, "enumerant")
        brought = next((providers[name] for name in names if name in providers), "")
        origin = ", ".join(filter(None, [" ".join(entry.get("extensions", [])), brought]))
        needed = " ".join(op for name in names for op in instructions.pop(name, []))
        yield f"  {names[0]}" + (f" ({origin})" if origin else "") + (f": {needed}" if needed else "")


def device_extensions(xml):
    """Lines: device extensions that Extensions.def does not have."""
    listed = registry.supported_extensions(os.path.join(ROOT, "icd_glue", "Extensions.def"))[1]
    for node in xml.root.findall("extensions/extension"):
        name = node.get("name")
        if name in xml.extensions and node.get("type") == "device" and name not in listed:
            later = node.get("promotedto") or node.get("deprecatedby") or node.get("obsoletedby")
            marks = list(filter(None, ["provisional" if node.get("provisional") else "", f"now {later}" if later else ""]))
            yield f"  {name}" + (f" ({', '.join(marks)})" if marks else "")


def report(table, headers):
    """The text, of what the program `support-table` prints and the folder of the headers."""
    folder = os.path.join(headers, "spirv", "unified1")
    with open(os.path.join(folder, "spirv.core.grammar.json"), encoding="utf-8") as file:
        grammar = json.load(file)
    path = os.path.join(headers, os.pardir, "share", "vulkan", "registry", "vk.xml")
    xml = registry.Registry(path) if os.path.exists(path) else None
    rows, accepted = table_names(table)
    refused, others = lacking_instructions(grammar, set().union(*rows.values()), accepted)
    providers = vulkan_providers(xml)
    capabilities = refused_capabilities(grammar, accepted)
    known = [entry for entry in capabilities if any(name in providers for name in names_of(entry, "enumerant"))]
    unknown = [entry for entry in capabilities if entry not in known]
    lines = [f"Capabilities of Vulkan that are refused ({len(known)}), with what brings them: instructions that need them",
             *capability_lines(known, refused, providers),
             f"Instructions of accepted capabilities that are not translated ({len(others)})",
             *(f"  {name}" for name in others),
             "Extended instructions that are not translated",
             *lacking_extended(folder, rows)]
    if xml:
        extensions = list(device_extensions(xml))
        lines += [f"Device extensions that the driver does not have ({len(extensions)})", *extensions]
    else:
        lines.append(f"No {os.path.normpath(path)}: nothing is known about extensions of Vulkan")
    lines += [f"Capabilities that are refused and that Vulkan does not have ({len(unknown)})",
              *capability_lines(unknown, refused, providers)]
    return "\n".join(lines)
