#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""entrypoints.py vk.xml Extensions.def OUT.h OUT.inc: declarations and tables of all commands.

OUT.h declares, weakly and hidden, a function of namespace icd for each command of Vulkan's core and
of the extensions in Extensions.def. OUT.inc has one row per name under which a command is known,
sorted by name, and the enumeration of extensions.
"""
import sys
from registry import NEWER_HEADER, Registry, supported_extensions

LEVELS = {"VkInstance": "Instance", "VkPhysicalDevice": "PhysicalDevice", "VkDevice": "Device",
          "VkQueue": "Device", "VkCommandBuffer": "Device"}
# These exist before there is an instance.
GLOBAL = ("vkCreateInstance", "vkEnumerateInstanceVersion", "vkEnumerateInstanceLayerProperties",
          "vkEnumerateInstanceExtensionProperties", "vkGetInstanceProcAddr")


def exported_names(registry, extensions):
    """{name: (lowest core version or None, supported extensions)} of commands that can be had."""
    names = {}
    for name in list(registry.commands) + list(registry.command_aliases):
        providers = registry.providers.get(name, [])
        core = [number for kind, number in providers if kind == "core"]
        having = [extension for kind, extension in providers
                  if kind == "extension" and extension in extensions]
        if core or having:
            names[name] = (min(core) if core else None, having)
    return names


def write_header(path, registry, names):
    targets = sorted({registry.command(name)[0] for name in names})
    with open(path, "w", encoding="utf-8") as out:
        out.write("// SPDX-License-Identifier: MIT\n// Generated from vk.xml by entrypoints.py.\n"
                  "#pragma once\n#ifndef VK_NO_PROTOTYPES\n#define VK_NO_PROTOTYPES\n#endif\n"
                  "#include <vulkan/vulkan.h>\n#include <xcb/xcb.h>\n"
                  "#include <vulkan/vulkan_wayland.h>\n"
                  "#include <vulkan/vulkan_xcb.h>\n\n"
                  "// Of X11/Xlib.h, which is no header that the driver needs.\n"
                  "struct _XDisplay;\nusing Display = _XDisplay;\n"
                  "using Window = unsigned long;\nusing VisualID = unsigned long;\n"
                  "#include <vulkan/vulkan_xlib.h>\n\n"
                  f"#include \"{NEWER_HEADER}\"\n\n"
                  "#pragma GCC visibility push(hidden)\nnamespace icd {\n")
        for target in targets:
            command = registry.commands[target]
            out.write(f"VKAPI_ATTR {command['result']} VKAPI_CALL {target[2:]}("
                      f"{', '.join(command['parameters'])}) __attribute__((weak));\n")
        out.write("} // namespace icd\n#pragma GCC visibility pop\n")


def write_tables(path, registry, names, instance_extensions, device_extensions):
    with open(path, "w", encoding="utf-8") as out:
        out.write("// SPDX-License-Identifier: MIT\n// Generated from vk.xml by entrypoints.py.\n"
                  "// KILN_EXTENSION(name, isDevice, specVersion)\n#ifdef KILN_EXTENSION\n")
        for names_of, is_device in ((instance_extensions, "false"), (device_extensions, "true")):
            for name in sorted(names_of):
                kind, version = registry.extensions[name]
                if (kind == "device") != (is_device == "true"):
                    raise SystemExit(f"entrypoints.py: {name} is of type '{kind}'")
                out.write(f"KILN_EXTENSION({name[3:]}, {is_device}, {version})\n")
        out.write("#undef KILN_EXTENSION\n#endif\n"
                  "// KILN_ENTRY(name, function, level, core minor version or -1, extensions)\n"
                  "#ifdef KILN_ENTRY\n")
        for name in sorted(names):
            core, having = names[name]
            target, command = registry.command(name)
            level = "Global" if name in GLOBAL else LEVELS[command["first"]]
            listed = "".join(f", Extension::{extension[3:]}" for extension in sorted(having))
            out.write(f"KILN_ENTRY(\"{name}\", {target[2:]}, {level}, "
                      f"{-1 if core is None else core}{listed})\n")
        out.write("#undef KILN_ENTRY\n#endif\n")


def main():
    xml, definitions, header, tables = sys.argv[1:]
    instance_extensions, device_extensions = supported_extensions(definitions)
    registry = Registry(xml, set(instance_extensions + device_extensions))
    for name in instance_extensions + device_extensions:
        if name not in registry.extensions:
            raise SystemExit(f"entrypoints.py: {name} is not in the registry")
    names = exported_names(registry, set(instance_extensions + device_extensions))
    write_header(header, registry, names)
    write_tables(tables, registry, names, instance_extensions, device_extensions)


if __name__ == "__main__":
    main()
