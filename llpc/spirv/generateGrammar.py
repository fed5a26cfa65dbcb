#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""generateGrammar.py HEADERS_DIR OUT: tables of the SPIR-V grammar as C++ constants.

HEADERS_DIR is the folder that holds spirv.core.grammar.json and extinst.*.grammar.json. OUT gets
two sections: KILN_GRAMMAR_ENUMS (instruction classes and operand kinds, sizes, for Grammar.h) and
KILN_GRAMMAR_TABLES (the arrays, for Grammar.cpp; Grammar.h declares those that its inline functions
need). All tables are plain constants without pointers
(names are offsets into one text), so the program has nothing to run or relocate for them at start.
"""
import json
import os
import re
import sys

# Sets whose instruction numbers and operand counts are checked. A set that is not in the list is
# passed through; the translator decides.
EXT_SETS = [
    ("GLSL.std.450", "extinst.glsl.std.450.grammar.json"),
    ("SPV_AMD_shader_ballot", "extinst.spv-amd-shader-ballot.grammar.json"),
    ("SPV_AMD_shader_trinary_minmax", "extinst.spv-amd-shader-trinary-minmax.grammar.json"),
    ("SPV_AMD_gcn_shader", "extinst.spv-amd-gcn-shader.grammar.json"),
    ("SPV_AMD_shader_explicit_vertex_parameter",
     "extinst.spv-amd-shader-explicit-vertex-parameter.grammar.json"),
]
# Classes of instructions whose results depend on which invocations execute them together.
GROUP_CLASSES = ("Group", "Non-Uniform")
# Facts that the JSON does not have. Instructions that end a block (SPIR-V 2.2.5):
TERMINATORS = {"OpBranch", "OpBranchConditional", "OpSwitch", "OpReturn", "OpReturnValue", "OpKill", "OpUnreachable",
               "OpTerminateInvocation", "OpIgnoreIntersectionKHR", "OpTerminateRayKHR", "OpEmitMeshTasksEXT"}
# Operations that OpSpecConstantOp may hold in a Shader module (SPIR-V 3.52.7):
SPEC_CONSTANT_OPS = {
    "OpSConvert", "OpUConvert", "OpFConvert", "OpSNegate", "OpNot", "OpIAdd", "OpISub", "OpIMul", "OpUDiv", "OpSDiv",
    "OpUMod", "OpSRem", "OpSMod", "OpShiftRightLogical", "OpShiftRightArithmetic", "OpShiftLeftLogical",
    "OpBitwiseOr", "OpBitwiseXor", "OpBitwiseAnd", "OpVectorShuffle", "OpCompositeExtract", "OpCompositeInsert",
    "OpLogicalOr", "OpLogicalAnd", "OpLogicalNot", "OpLogicalEqual", "OpLogicalNotEqual", "OpSelect", "OpIEqual",
    "OpINotEqual", "OpULessThan", "OpSLessThan", "OpUGreaterThan", "OpSGreaterThan", "OpULessThanEqual",
    "OpSLessThanEqual", "OpUGreaterThanEqual", "OpSGreaterThanEqual", "OpQuantizeToF16",
    "OpCooperativeMatrixLengthNV", "OpCooperativeMatrixLengthKHR"}
# What the oldest headers that Kiln is built with do not have, in the form of the JSON; llpc/spirv/Grammar.h has the numbers for C++.
NEWER_ENUMERANTS = {
    "Capability": [
        {"enumerant": "Float8EXT", "value": 4212, "version": "None"},
        {"enumerant": "Float8CooperativeMatrixEXT", "value": 4213, "capabilities": ["Float8EXT", "CooperativeMatrixKHR"],
         "version": "None"},
        {"enumerant": "BFloat16TypeKHR", "value": 5116, "version": "None"},
        {"enumerant": "BFloat16DotProductKHR", "value": 5117, "capabilities": ["BFloat16TypeKHR"], "version": "None"},
        {"enumerant": "BFloat16CooperativeMatrixKHR", "value": 5118,
         "capabilities": ["BFloat16TypeKHR", "CooperativeMatrixKHR"], "version": "None"},
        {"enumerant": "FMAKHR", "value": 6030, "version": "None"}],
    "FPEncoding": [
        {"enumerant": "BFloat16KHR", "value": 0, "capabilities": ["BFloat16TypeKHR"], "version": "None"},
        {"enumerant": "Float8E4M3EXT", "value": 4214, "capabilities": ["Float8EXT"], "version": "None"},
        {"enumerant": "Float8E5M2EXT", "value": 4215, "capabilities": ["Float8EXT"], "version": "None"}],
    "Decoration": [{"enumerant": "SaturatedToLargestFloat8NormalConversionEXT", "value": 4216,
                    "capabilities": ["Float8EXT"], "version": "None"}]}
NEWER_INSTRUCTIONS = [
    {"opname": "OpFmaKHR", "class": "Arithmetic", "opcode": 4427, "capabilities": ["FMAKHR"], "version": "None",
     "operands": [{"kind": "IdResultType"}, {"kind": "IdResult"}] + [{"kind": "IdRef"}] * 3}]
VENDOR_SUFFIX = re.compile(r"(KHR|EXT|NV|AMD|AMDX|INTEL|GOOGLE|ALTERA|ARM|QCOM|HUAWEI)$")


def camel(text):
    parts = re.split(r"[^A-Za-z0-9]+", text.strip("@"))
    return "".join(p[:1].upper() + p[1:] for p in parts)


def number(value):
    return int(value, 0) if isinstance(value, str) else value


def version(entry):
    """0x0106 for "1.6"; 0xffff when only an extension brings the entry."""
    text = entry.get("version", "1.0")
    if text == "None":
        return 0xFFFF
    major, minor = text.split(".")
    return int(major) << 8 | int(minor)


def unique(entries, key, name):
    """One entry per number, in ascending order; older headers list aliases as entries. The name
    without a vendor suffix wins, else the first."""
    best = {}
    for entry in entries:
        value = number(entry[key])
        old = best.get(value)
        if old is None or (VENDOR_SUFFIX.search(old[name]) and not VENDOR_SUFFIX.search(entry[name])):
            best[value] = entry
    return [best[value] for value in sorted(best)]


def addNewer(entries, newer, key):
    known = {number(entry[key]) for entry in entries}
    entries += [entry for entry in newer if entry[key] not in known]


class Tables:
    def __init__(self):
        self.text, self.textOffset, self.textSize = [], {}, 0
        self.operands, self.capabilities = [], []
        self.operandRun, self.capabilityRun = {}, {}

    def name(self, text):
        if text not in self.textOffset:
            self.textOffset[text] = self.textSize
            self.text.append(text)
            self.textSize += len(text) + 1
        return self.textOffset[text]

    def run(self, pool, known, items):
        """The index of `items` in `pool`; equal runs are shared."""
        key = tuple(items)
        if key not in known:
            known[key] = len(pool)
            pool.extend(items)
        return known[key]

    def operandList(self, operands):
        quantifier = {None: "One", "?": "Optional", "*": "Many"}
        items = ["{OperandKind::%s, Quantifier::%s}" % (o["kind"], quantifier[o.get("quantifier")])
                 for o in operands]
        return self.run(self.operands, self.operandRun, items), len(items)

    def capabilityList(self, names, values):
        items = [str(values[n]) for n in names]
        return self.run(self.capabilities, self.capabilityRun, items), len(items)


def enumTables(kinds, tables, capabilityValues):
    kindRows, enumRows = [], []
    for kind in kinds:
        begin, dense, bits = len(enumRows), 0, 0
        enumerants = unique(kind.get("enumerants", []), "value", "enumerant")
        for e in enumerants:
            value = number(e["value"])
            if value == dense and kind["category"] == "ValueEnum":
                dense += 1
            bits |= value
            params, paramCount = tables.operandList(e.get("parameters", []))
            caps, capCount = tables.capabilityList(e.get("capabilities", []), capabilityValues)
            enumRows.append("{%d, %du, %d, %d, 0x%04x, %d, %d}, // %s" % (
                tables.name(e["enumerant"]), value, params, caps, version(e), paramCount, capCount,
                e["enumerant"]))
        bases = ["OperandKind::" + b for b in kind.get("bases", [])] or ["OperandKind::IdRef"] * 2
        kindRows.append("{%d, %d, %d, %d, 0x%xu, KindCategory::%s, {%s}}, // %s" % (
            tables.name(kind["kind"]), begin, len(enumerants), dense, bits & 0xFFFFFFFF,
            kind["category"], ", ".join(bases), kind["kind"]))
    return kindRows, enumRows


def opTables(instructions, tables, capabilityValues):
    opRows, index = [], {}
    unknown = (TERMINATORS | SPEC_CONSTANT_OPS) - {inst["opname"] for inst in instructions}
    assert not unknown, unknown
    for inst in instructions:
        operands = inst.get("operands", [])
        kinds = [o["kind"] for o in operands]
        hasType, hasResult = "IdResultType" in kinds, "IdResult" in kinds
        rest = operands[int(hasType) + int(hasResult):]
        assert kinds[:int(hasType) + int(hasResult)] == (
            ["IdResultType"] * hasType + ["IdResult"] * hasResult), inst["opname"]
        assert inst["opcode"] < 65536 and len(rest) < 256
        params, paramCount = tables.operandList(rest)
        caps, capCount = tables.capabilityList(inst.get("capabilities", []), capabilityValues)
        index[inst["opcode"]] = len(opRows)
        opRows.append("{%d, %d, %d, %d, 0x%04x, OpClass::%s, %d, %d, %s, %s, %s, %s, %s, %s}, // %s" % (
            tables.name(inst["opname"]), inst["opcode"], params, caps, version(inst),
            camel(inst["class"]), paramCount, capCount, str(hasType).lower(),
            str(hasResult).lower(), str(inst["opname"].startswith("OpType")).lower(),
            str(inst["opname"].startswith(("OpConstant", "OpSpecConstant"))).lower(),
            str(inst["opname"] in TERMINATORS).lower(), str(inst["opname"] in SPEC_CONSTANT_OPS).lower(),
            inst["opname"]))
    return opRows, index


def extTables(folder, tables):
    setRows, instRows = [], []
    for name, file in EXT_SETS:
        path = os.path.join(folder, file)
        if not os.path.exists(path):
            continue
        with open(path) as f:
            instructions = unique(json.load(f)["instructions"], "opcode", "opname")
        setRows.append("{%d, %d, %d}, // %s" % (tables.name(name), len(instRows),
                                                len(instructions), name))
        for inst in instructions:
            instRows.append("{%d, %d, %d}, // %s" % (tables.name(inst["opname"]), inst["opcode"],
                                                     len(inst.get("operands", [])),
                                                     inst["opname"]))
    return setRows, instRows


def groupCapabilities(instructions, capabilityValues):
    """Numbers of the capabilities that enable some instruction of GROUP_CLASSES, ascending."""
    return sorted({capabilityValues[c] for i in instructions if i["class"] in GROUP_CLASSES
                   for c in i.get("capabilities", [])})


def array(out, declaration, rows):
    out.append("constexpr %s[] = {" % declaration)
    out.extend("    " + row for row in rows)
    out.append("};")


def wrapped(values, perLine):
    return [" ".join("%s," % v for v in values[i:i + perLine])
            for i in range(0, len(values), perLine)]


def main():
    folder, outPath = sys.argv[1:3]
    with open(os.path.join(folder, "spirv.core.grammar.json")) as f:
        grammar = json.load(f)
    kinds = grammar["operand_kinds"]
    capabilityKind = next(k for k in kinds if k["kind"] == "Capability")
    for kind in kinds:
        if kind["kind"] in NEWER_ENUMERANTS:
            addNewer(kind.setdefault("enumerants", []), NEWER_ENUMERANTS[kind["kind"]], "value")
    addNewer(grammar["instructions"], NEWER_INSTRUCTIONS, "opcode")
    capabilityValues = {}
    for e in capabilityKind["enumerants"]:
        for name in [e["enumerant"]] + e.get("aliases", []):
            capabilityValues[name] = number(e["value"])
    instructions = unique(grammar["instructions"], "opcode", "opname")
    tables = Tables()
    kindRows, enumRows = enumTables(kinds, tables, capabilityValues)
    opRows, index = opTables(instructions, tables, capabilityValues)
    setRows, instRows = extTables(folder, tables)
    classes = {camel(i["class"]): i["class"].strip("@").replace("_", " ") for i in instructions}
    classRows = ["%d, // %s" % (tables.name(name), name) for name in classes.values()]

    out = ["// Generated by generateGrammar.py from the SPIR-V headers; do not edit.",
           "#ifdef KILN_GRAMMAR_ENUMS", "enum class OpClass : uint8_t {"]
    out += ["  %s," % c for c in classes]
    out += ["};", "enum class OperandKind : uint8_t {"]
    out += ["  %s," % k["kind"] for k in kinds]
    size = max(index) + 1
    out += ["};", "inline constexpr uint32_t opcodeIndexSize = %d;" % size,
            "inline constexpr uint16_t noOpcode = 0xffff;",
            "#undef KILN_GRAMMAR_ENUMS", "#endif", "#ifdef KILN_GRAMMAR_TABLES"]
    array(out, "OperandSpec operandTable",
          tables.operands and wrapped(tables.operands, 1) or ["{}"])
    array(out, "uint16_t capabilityTable", wrapped(tables.capabilities, 16))
    array(out, "uint16_t groupCapabilityTable",
          wrapped(groupCapabilities(instructions, capabilityValues), 16))
    array(out, "EnumInfo enumTable", enumRows)
    array(out, "KindInfo kindTable", kindRows)
    array(out, "OpInfo opTable", opRows)
    array(out, "uint32_t classTable", classRows)
    array(out, "uint16_t opcodeIndex",
          wrapped([index.get(i, 0xFFFF) for i in range(size)], 16))
    array(out, "ExtInstInfo extInstTable", instRows)
    array(out, "ExtSetInfo extSetTable", setRows)
    out.append("constexpr char textTable[] =")
    out += ['    "%s\\0"' % t for t in tables.text]
    out += [";", "#undef KILN_GRAMMAR_TABLES", "#endif", ""]
    os.makedirs(os.path.dirname(os.path.abspath(outPath)), exist_ok=True)
    with open(outPath, "w") as f:
        f.write("\n".join(out))


if __name__ == "__main__":
    main()
