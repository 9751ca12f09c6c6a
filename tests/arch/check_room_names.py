# SPDX-License-Identifier: Apache-2.0
"""All presets except dev compile several files as one: a dozen of a room, of the command line or of a test program, or
those of a folder of the window. Names in unnamed namespaces must therefore differ between these files. This check finds
conflicts in a second, a build after minutes. It covers constants, types, and functions with the same parameters.

    check_room_names.py SOURCE_ROOT
"""

import pathlib
import re
import sys

ROOM = re.compile(r"cairn_room\((\w+)\s+SOURCES\s+(.*?)(?:NEEDS|USES|\))", re.DOTALL)
VERB = re.compile(r"^namespace cairn::cli::verb_\w+ \{$", re.MULTILINE)
TEST = re.compile(r"cairn_test\((\w+)\s+SOURCES\s+(.*?)(?:NEEDS|LABEL|\))", re.DOTALL)
RAW = re.compile(r'R"\((.*?)\)"', re.DOTALL)
UNNAMED = re.compile(r"^namespace \{$(.*?)^\} // namespace$", re.DOTALL | re.MULTILINE)
CONSTANT = re.compile(r"^(?:static |inline )?(?:constexpr|const)\b[^;=(]*?\b(k[A-Z]\w*)\s*[\[={]", re.MULTILINE)
TYPE = re.compile(r"^(?:struct|class|enum class) (\w+)[^;]*?\{", re.MULTILINE)
ALIAS = re.compile(r"^using (\w+) = ([^;]*);", re.MULTILINE)
FUNCTION = re.compile(r"^(?!using|struct|class|enum|template|return|constexpr auto)[A-Za-z][\w:<>,&* ]* (\w+)\(([^()]*(?:\([^()]*\)[^()]*)*)\)[^;]*?\{", re.MULTILINE)


def without_names(parameters):
    """`const Cursor& cursor, std::string what` -> `const Cursor&,std::string`."""
    types = (re.sub(r"\s*=.*", "", each).strip() for each in parameters.split(","))
    return ",".join(re.sub(r"\s*\b\w+$", "", each) if re.search(r"[\s&*>]\w+$", each) else each for each in types)


def names_of(text):
    """Each name with the definition that may be repeated: an alias of the same type; nothing else may."""
    names = {}
    for part in UNNAMED.findall(RAW.sub('""', text)):
        names |= {name: None for name in CONSTANT.findall(part) + TYPE.findall(part)}
        names |= {f"{name}({without_names(parameters)})": None for name, parameters in FUNCTION.findall(part)}
        names |= dict(ALIAS.findall(part))
    return names


def shared_names(root, folder, sources):
    # All of them also see the declarations of the room's headers.
    known = {name: (header, None) for header in sorted(folder.rglob("*.h") if folder.is_relative_to(root / "core") else folder.glob("*.h"))
             for name in TYPE.findall(header.read_text(encoding="utf-8"))}
    for path in filter(pathlib.Path.is_file, sources):
        for name, alias in sorted(names_of(path.read_text(encoding="utf-8")).items()):
            other, meant = known.setdefault(name, (path, alias))
            if other != path and (alias is None or alias != meant):
                yield f"{path.relative_to(root)}: {name} is in {other.relative_to(root)}, too"


def main():
    root = pathlib.Path(sys.argv[1])
    found = []
    rooms = 0
    for folder in sorted({path.parent for path in (root / "ui").rglob("*.cpp")}):
        rooms += 1
        found += shared_names(root, folder, sorted(folder.glob("*.cpp")))
    for lists in sorted((root / "core").rglob("CMakeLists.txt")):
        text = re.sub(r"#.*", "", lists.read_text(encoding="utf-8"))
        for room, sources in ROOM.findall(text):
            if f"cairn_{room} PROPERTIES UNITY_BUILD OFF" in text:
                continue
            rooms += 1
            found += shared_names(root, lists.parent, [lists.parent / source for source in sources.split()])
    # A verb has a namespace of its own, so that only what all of them see can be in its way.
    verbs = [path for path in sorted((root / "app/cli").glob("*.cpp")) if VERB.search(path.read_text(encoding="utf-8"))]
    shared = [path for path in sorted((root / "app/cli").glob("*.cpp")) if path not in verbs]
    for sources in [shared, *([*shared, verb] for verb in verbs)]:
        found += shared_names(root, root / "app/cli", sources)
    for lists in sorted((root / "tests").rglob("CMakeLists.txt")):
        for _, sources in TEST.findall(re.sub(r"#.*", "", lists.read_text(encoding="utf-8"))):
            rooms += 1
            found += shared_names(root, lists.parent, [lists.parent / source for source in sources.split()])
    print("\n".join(dict.fromkeys(found)) or f"{rooms} rooms and test programs without a name that two of their files keep for themselves")
    return 1 if found or rooms == 0 else 0


if __name__ == "__main__":
    sys.exit(main())
