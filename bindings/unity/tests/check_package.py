"""Looks at an unpacked package: its files, their .meta files, and its folders. Prints the code of its documentation as one C# file.

    check_package.py PACKAGE DECLARATIONS...
"""
import json
import os
import re
import sys

package, declarations = sys.argv[1], sys.argv[2:]


def fail(what):
    sys.exit(f"the package {what}")


def text(path):
    with open(os.path.join(package, path), encoding="utf-8") as file:
        return file.read()


manifest = json.loads(text("package.json"))
if manifest["name"] != "com.fracas.fracas" or not re.fullmatch(r"\d+\.\d+\.\d+", manifest["version"]):
    fail("has a wrong name or version in package.json")
with open("Cargo.toml", encoding="utf-8") as file:
    version = re.search(r'^version = "(.*)"', file.read(), re.M).group(1)
if manifest["version"] != version:
    fail(f"has version {manifest['version']}, and the library {version}")
for sample in manifest["samples"]:
    if not os.path.isdir(os.path.join(package, sample["path"])):
        fail(f"has no folder {sample['path']}")
for path in ["README.md", "CHANGELOG.md", "LICENSE.md", "Runtime/Fracas.asmdef", "Tests/Runtime/Fracas.Tests.asmdef", "Documentation~/index.md",
             "Plugins/Linux/x86_64/libfracas.so", "Plugins/Windows/x86_64.meta"]:
    if not os.path.exists(os.path.join(package, path)):
        fail(f"lacks {path}")
json.loads(text("Runtime/Fracas.asmdef"))
json.loads(text("Tests/Runtime/Fracas.Tests.asmdef"))

guids = {}
for folder, folders, files in os.walk(package):
    folders[:] = [f for f in folders if not f.endswith("~")]
    for name in folders + files:
        path = os.path.relpath(os.path.join(folder, name), package)
        if name.startswith("."):
            fail(f"has the hidden file {path}")
        if name.endswith(".meta"):
            guid = re.search(r"^guid: ([0-9a-f]{32})$", text(path), re.M)
            if not guid or guid.group(1) in guids:
                fail(f"has no GUID of its own in {path}")
            guids[guid.group(1)] = path
        elif not os.path.exists(os.path.join(folder, name + ".meta")):
            fail(f"has no {path}.meta")
meta = text("Plugins/Linux/x86_64/libfracas.so.meta")
if not all(word in meta for word in ["PluginImporter:", "Standalone: Linux64", "OS: Linux"]):
    fail("would load libfracas.so on other platforms than Linux")

# What Unity-only code may use is declared by hand; nothing of that may get into the package.
for folder, _, files in os.walk(package):
    for name in files:
        if name in [os.path.basename(d) for d in declarations] or name.endswith(".cs") and "namespace UnityEngine" in open(os.path.join(folder, name), encoding="utf-8").read():
            fail(f"has declarations of UnityEngine: {name}")

usings, types = {"using System;", "using System.Collections.Generic;", "using Fracas;", "using UnityEngine;"}, []
for path in ["README.md", "Documentation~/index.md"]:
    for number, code in enumerate(re.findall(r"^```csharp\n(.*?)^```", text(path), re.M | re.S)):
        usings |= set(re.findall(r"^using [\w.]+;$", code, re.M))
        code = re.sub(r"^using [\w.]+;\n", "", code, flags=re.M)
        if not re.search(r"^(unsafe )?(struct|class|public|\[)", code.strip(), re.M):
            name = re.sub(r"\W", "_", path) + str(number)
            code = f"class {name} : MonoBehaviour\n{{\nvoid Run()\n{{\n{code}}}\n}}\n"
        types.append(code)
if len(types) < 5:
    fail("has fewer examples in its documentation than there were")
print("\n".join(sorted(usings)) + "\nnamespace Examples\n{\n" + "\n".join(types) + "}")
