# SPDX-License-Identifier: MIT
"""Reads vk.xml as far as the ICD's generators need it: commands, structures, versions, extensions; and
newer.xml, which has what the oldest headers that Kiln is built with do not know."""
import os
import re
import xml.etree.ElementTree as ElementTree


def supports_vulkan(element, attribute):
    """Elements without the attribute hold for every API."""
    return "vulkan" in element.get(attribute, "vulkan").split(",")


# Platforms whose types the generated headers know.
PLATFORMS = (None, "wayland", "xcb", "xlib")
# Extensions that bring the commands for state of all others, whether those are there or not.
COMPLETE = ("VK_EXT_shader_object", "VK_EXT_extended_dynamic_state3")


def is_satisfied(expression, available):
    """Of a "depends" expression: a comma is or, a plus is and, both from left to right. Core versions
    are all there, and features of structures (A::b) may be."""
    tokens = re.findall(r"[\w:]+|[,+()]", expression)

    def value():
        token = tokens.pop(0)
        if token != "(":
            return token.startswith("VK_VERSION_") or "::" in token or token in available
        inner = chain()
        tokens.pop(0)
        return inner

    def chain():
        result = value()
        while tokens and tokens[0] in ",+":
            operator, right = tokens.pop(0), value()
            result = result or right if operator == "," else result and right
        return result

    return chain()


# What newerHeader.py writes.
NEWER_HEADER = "icd_glue/NewerVulkan.h"
NEWER = os.path.join(os.path.dirname(os.path.abspath(__file__)), "newer.xml")


def name_of(node):
    """Of a type, a command, an extension or an enumeration."""
    if node.get("name"):
        return node.get("name")
    name = node.find("name") if node.find("name") is not None else node.find("proto/name")
    return name.text if name is not None else None


def read_xml(path):
    """The root of vk.xml, with what newer.xml adds to it."""
    root = ElementTree.parse(path).getroot()
    for section in ElementTree.parse(NEWER).getroot():
        if section.tag == "enums":
            if all(node.get("name") != section.get("name") for node in root.findall("enums")):
                root.append(section)
            continue
        known = root.find(section.tag)
        names = {name_of(node) for node in known}
        known.extend(node for node in section if name_of(node) not in names)
    return root


class Registry:
    """commands: name -> Command, aliases resolved; structs: name -> Struct;
    providers: name of a command or struct -> list of ("core", minor) and ("extension", name)."""

    def __init__(self, path, available=None, newer=True):
        """available: the extensions that are there; what needs others is left out. None: all. newer:
        with what newer.xml adds, which only newerHeader.py declares."""
        self.available = available
        self.root = read_xml(path) if newer else ElementTree.parse(path).getroot()
        self.commands = {}
        self.command_aliases = {}
        self.structs = {}
        self.struct_aliases = {}
        self.providers = {}
        self.extensions = {}  # name -> (kind, spec version macro)
        self.read_commands()
        self.read_structs()
        self.read_providers()

    def read_commands(self):
        for node in self.root.findall("commands/command"):
            if not supports_vulkan(node, "api"):
                continue
            if node.get("alias"):
                self.command_aliases[node.get("name")] = node.get("alias")
                continue
            name = node.find("proto/name").text
            parameters = [declaration(param) for param in node.findall("param")
                          if supports_vulkan(param, "api")]
            first = node.find("param/type")
            self.commands[name] = {
                "result": node.find("proto/type").text,
                "parameters": parameters,
                "first": first.text if first is not None else "",
            }

    def read_structs(self):
        for node in self.root.findall("types/type[@category='struct']"):
            if not supports_vulkan(node, "api"):
                continue
            if node.get("alias"):
                self.struct_aliases[node.get("name")] = node.get("alias")
                continue
            members = [member for member in node.findall("member") if supports_vulkan(member, "api")]
            stype = next((m.get("values") for m in members if m.find("name").text == "sType"), None)
            self.structs[node.get("name")] = {
                "stype": stype,
                "extends": (node.get("structextends") or "").split(","),
                "members": [(m.find("name").text, declaration(m)) for m in members
                            if m.find("name").text not in ("sType", "pNext")],
            }

    def read_providers(self):
        for node in self.root.findall("feature"):
            if supports_vulkan(node, "api"):
                self.read_requires(node, ("core", int(node.get("number").split(".")[1])))
        for node in self.root.findall("extensions/extension"):
            if node.get("platform") not in PLATFORMS or not supports_vulkan(node, "supported"):
                continue
            name = node.get("name")
            version = next((e.get("name") for e in node.findall("require/enum")
                            if e.get("name").endswith("_SPEC_VERSION")), None)
            self.extensions[name] = (node.get("type"), version)
            self.read_requires(node, ("extension", name))

    def read_requires(self, node, provider):
        for require in node.findall("require"):
            if not supports_vulkan(require, "api"):
                continue
            needs = require.get("depends")
            if (needs and self.available is not None and provider[1] not in COMPLETE
                    and not is_satisfied(needs, self.available)):
                continue
            for item in require.findall("command") + require.findall("type"):
                known = self.providers.setdefault(item.get("name"), [])
                if provider not in known:
                    known.append(provider)

    def command(self, name):
        """(name without aliases, Command) of a command under any of its names."""
        while name in self.command_aliases:
            name = self.command_aliases[name]
        return name, self.commands[name]

    def struct_providers(self, name):
        """Providers of a structure under any of its names."""
        names = [name] + [alias for alias, target in self.struct_aliases.items() if target == name]
        return [provider for each in names for provider in self.providers.get(each, [])]


def declaration(node):
    """The C declaration of a parameter or member, on one line."""
    text = "".join(part for child in pieces(node) for part in [child])
    return re.sub(r"\s+", " ", text).strip()


def pieces(node):
    yield node.text or ""
    for child in node:
        if child.tag != "comment":
            yield child.text or ""
        yield child.tail or ""


def supported_extensions(path):
    """Names in Extensions.def: (instance extensions, device extensions)."""
    with open(path, encoding="utf-8") as file:
        text = re.sub(r"//[^\n]*", "", file.read())
    return (re.findall(r"^KILN_INSTANCE_EXTENSION\((\w+)", text, re.M),
            re.findall(r"^KILN_DEVICE_EXTENSION\((\w+)", text, re.M))
