#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""structures.py REGISTRY-MODULE-FOLDER vk.xml OUT.inc: what create infos are made of.

OUT.inc has, for each structure that a pipeline's creation may take (also in pNext), its members with
place, kind and count, and for each enumeration the values by name. Structures with members that JSON
cannot hold (handles, function pointers) have those left out; Structures.h describes the rows.
"""
import re
import sys
import xml.etree.ElementTree as ElementTree

ROOTS = (
    "VkGraphicsPipelineCreateInfo", "VkComputePipelineCreateInfo", "VkRayTracingPipelineCreateInfoKHR",
    "VkPipelineLayoutCreateInfo", "VkDescriptorSetLayoutCreateInfo", "VkSamplerCreateInfo", "VkSamplerYcbcrConversionCreateInfo",
    "VkRenderPassCreateInfo2", "VkRenderPassCreateInfo",
)
# Names in the JSON that do not follow from the member's.
RENAMED = {
    ("VkPipelineVertexInputStateCreateInfo", "pVertexBindingDescriptions"): "bindings",
    ("VkPipelineVertexInputStateCreateInfo", "pVertexAttributeDescriptions"): "attributes",
    ("VkPipelineDynamicStateCreateInfo", "pDynamicStates"): "dynamicState",
}
SCALARS = {"uint32_t": "Unsigned32", "int32_t": "Signed32", "float": "Float", "VkBool32": "Bool",
           "uint64_t": "Unsigned64", "size_t": "Unsigned64", "VkDeviceSize": "Unsigned64",
           "VkSampleMask": "Unsigned32", "uint8_t": "Unsigned8",
           "uint16_t": "Unsigned16"}
# What captures leave out although Vulkan wants it.
OPTIONAL = {
    ("VkGraphicsPipelineCreateInfo", "subpass"), ("VkGraphicsPipelineCreateInfo", "basePipelineIndex"),
    ("VkComputePipelineCreateInfo", "basePipelineIndex"), ("VkComputePipelineCreateInfo", "stage"),
    ("VkRayTracingPipelineCreateInfoKHR", "basePipelineIndex"),
    ("VkSubpassDescription2", "viewMask"),
    ("VkAttachmentReference2", "aspectMask"), ("VkSubpassDependency2", "viewOffset"),
}
# Counts that stand alone where the elements are dynamic state.
LONE_COUNTS = ("viewportCount", "scissorCount")
# Structures whose members' members stand in their place.
FLAT = ("VkRect2D",)
# Unions of which JSON can hold every member.
UNIONS = ("VkClearColorValue",)
# Structures that say what the driver answers, or that replace what a capture holds.
SKIPPED_EXTENSIONS = re.compile("CreationFeedback|BinaryInfo|ShaderModuleCreateInfo|DebugUtils|"
                                "VkPipelineLibraryCreateInfo")
# Of which captures have names in a place of their own.
SKIPPED_MEMBERS = {("VkRayTracingPipelineCreateInfoKHR", "pLibraryInfo")}


class Tables:
    def __init__(self, registry):
        self.registry = registry
        self.root = registry.root
        self.categories = {}  # type -> (category, enumeration of a bit mask)
        self.nodes = {}
        self.values = {}  # enumeration -> names
        self.enums, self.structs = [], []  # as they are referred to by number
        self.rows = {}
        self.read_types()
        self.read_values()

    def read_types(self):
        for node in self.root.findall("types/type"):
            name = node.get("name") or node.findtext("name")
            if not self.supports(node, "api"):
                continue
            self.categories[name] = (node.get("category"), node.get("alias"),
                                     node.get("bitvalues") or node.get("requires"),
                                     node.findtext("type"))
            if node.get("category") in ("struct", "union") and not node.get("alias"):
                self.nodes[name] = node

    @staticmethod
    def supports(node, attribute):
        return "vulkan" in node.get(attribute, "vulkan").split(",")

    def read_values(self):
        for node in self.root.findall("enums"):
            self.values[node.get("name")] = [
                e.get("name") for e in node.findall("enum") if self.supports(e, "api")]
        providers = [n for n in self.root.findall("feature") if self.supports(n, "api")]
        providers += [n for n in self.root.findall("extensions/extension")
                      if self.supports(n, "supported") and n.get("platform") != "provisional"]
        for provider in providers:
            for require in provider.findall("require"):
                if not self.supports(require, "api"):
                    continue
                for e in require.findall("enum"):
                    if e.get("extends") in self.values and not e.get("protect") and \
                            self.supports(e, "api"):
                        self.values[e.get("extends")].append(e.get("name"))

    def enum_number(self, name):
        if name not in self.enums:
            self.enums.append(name)
        return self.enums.index(name)

    def struct_number(self, name):
        """Number of a structure, which is read when it is asked for first."""
        if name not in self.structs:
            self.structs.append(name)
            self.read_struct(name)
        return self.structs.index(name)

    def kind_of(self, name):
        """(kind, number of what it refers to) of a type, or None for one that JSON cannot hold."""
        if name in SCALARS:
            return SCALARS[name], 0
        category, alias, bits, base = self.categories.get(name, (None,) * 4)
        if alias:
            return self.kind_of(alias)
        if category == "enum":
            return "Enum", self.enum_number(name)
        if category == "bitmask":
            bits = bits if bits in self.values else ""
            return ("Flags64" if base == "VkFlags64" else "Flags"), self.enum_number(bits)
        if category == "struct" or name in UNIONS:
            return "Struct", self.struct_number(name)
        return None

    def read_struct(self, name):
        members = [m for m in self.nodes[name].findall("member") if self.supports(m, "api")]
        names = [m.findtext("name") for m in members]
        types = {m.findtext("name"): m.findtext("type") for m in members}
        self.rows[name] = []
        # Arrays first: a count whose array is left out is an ordinary number.
        arrays = {m: self.member_row(name, m, types) for m in members if m.get("len")}
        counts = {m.get("len").split(",")[0] for m, row in arrays.items() if row} & set(names)
        for member in members:
            if member.findtext("name") in counts:
                row = self.count_row(name, member)
            else:
                row = arrays.get(member) or self.member_row(name, member, types)
            if row and name in FLAT:
                self.read_flat(name, member)
            elif row:
                self.rows[name].append(row)

    def read_flat(self, name, member):
        outer = member.findtext("name")
        for inner in self.nodes[member.findtext("type")].findall("member"):
            kind, refers = self.kind_of(inner.findtext("type"))
            place = f"{outer}.{inner.findtext('name')}"
            self.rows[name].append(f'{{"{inner.findtext("name")}", "{place}", '
                                   f'offsetof({name}, {place}), Shape::Value, Kind::{kind}, {refers}, 0, noCount, false}}')

    @staticmethod
    def count_row(struct, member):
        name = member.findtext("name")
        return f'{{"{name}", "{name}", offsetof({struct}, {name}), Shape::Count, ' \
               f'Kind::{SCALARS[member.findtext("type")]}, 0, 0, noCount, ' \
               f'{str(name in LONE_COUNTS).lower()}}}'

    def member_row(self, struct, member, types):
        name, type_name = member.findtext("name"), member.findtext("type")
        text = "".join(member.itertext())
        if name in ("sType", "pNext") or (struct, name) in SKIPPED_MEMBERS:
            return None
        pointers, length = text.count("*"), member.get("len", "")
        json = RENAMED.get((struct, name)) or re.sub(
            r"^p+([A-Z])", lambda m: m.group(1).lower(), name) if pointers else name
        fixed = re.search(r"\[(\w+)\]", text)
        shape, count = "Value", "noCount"
        if type_name == "char" and pointers == 1:
            kind = ("String", 0)
        elif type_name == "void" and pointers == 1 and length in types:
            kind, shape = ("Unsigned8", 0), "Bytes"
        else:
            kind = self.kind_of(type_name) if type_name != "void" else None
            if pointers == 1:
                shape = "Array" if length else "Pointer"
        if not kind or pointers > 1:
            return None
        if shape in ("Array", "Bytes"):
            place = length.split(",")[0]
            if place in types:
                count = f"offsetof({struct}, {place})"
                if types[place] == "size_t":
                    count += " | wideCount"
        if fixed:
            shape = "Fixed"
            if not fixed.group(1).isdigit():
                return None
        optional = bool(member.get("optional")) or pointers > 0 or (struct, name) in OPTIONAL
        return f'{{"{json}", "{name}", offsetof({struct}, {name}), Shape::{shape}, ' \
               f'Kind::{kind[0]}, {kind[1]}, ' \
               f'{fixed.group(1) if fixed else 0}, {count}, {str(optional).lower()}}}'

    def read_all(self):
        for root in ROOTS:
            self.struct_number(root)
        known = -1
        while known != len(self.structs):  # what extends may bring further structures
            known = len(self.structs)
            for name, struct in self.registry.structs.items():
                if struct["stype"] and set(struct["extends"]) & set(self.structs) and \
                        self.registry.struct_providers(name) and \
                        not SKIPPED_EXTENSIONS.search(name):
                    self.struct_number(name)


def facts_of(tables, name):
    """sType and places in chains of a structure; unions have none."""
    return {"stype": "", "extends": []} if name in UNIONS else tables.registry.structs[name]


def write(tables, path):
    with open(path, "w", encoding="utf-8") as out:
        out.write("// SPDX-License-Identifier: MIT\n// Generated from vk.xml by structures.py.\n")
        for number, name in enumerate(tables.enums):
            out.write(f"constexpr EnumValue values{number}[] = {{ // {name}\n  {{\"\", 0}},\n")
            for value in sorted(set(tables.values.get(name, []))):
                out.write(f'  {{"{value}", static_cast<int64_t>({value})}},\n')
            out.write("};\n")
        out.write("constexpr Enumeration enumerations[] = {\n")
        for number, name in enumerate(tables.enums):
            out.write(f'  {{"{name}", values{number}}},\n')
        out.write("};\n")
        number = tables.enum_number("VkStructureType")
        out.write(f"constexpr const Enumeration &structureTypes = enumerations[{number}];\n")
        for number, name in enumerate(tables.structs):
            out.write(f"constexpr Member members{number}[] = {{ // {name}\n")
            for row in tables.rows[name]:
                out.write(f"  {row},\n")
            # C++ has no empty arrays.
            out.write('  {"", "", 0, Shape::Value, Kind::Bool, 0, 0, noCount, true}};\n')
            extends = [str(tables.structs.index(base))
                       for base in facts_of(tables, name)["extends"] if base in tables.structs]
            out.write(f"constexpr uint16_t extended{number}[] = {{{', '.join(extends + ['noStruct'])}}};\n")
        out.write("constexpr Structure structures[] = {\n")
        for number, name in enumerate(tables.structs):
            stype = facts_of(tables, name)["stype"]
            text = f'"{stype}", {stype}' if stype else '"", VK_STRUCTURE_TYPE_MAX_ENUM'
            out.write(f'  {{"{name}", {text}, sizeof({name}), members{number}, extended{number}, '
                      f'{str(name in UNIONS).lower()}}},\n')
        out.write("};\n")


def main():
    folder, xml, path = sys.argv[1:]
    sys.path.insert(0, folder)
    from registry import Registry  # pylint: disable=import-outside-toplevel,import-error
    tables = Tables(Registry(xml, newer=False))
    tables.enum_number("VkStructureType")
    tables.read_all()
    write(tables, path)


if __name__ == "__main__":
    main()
