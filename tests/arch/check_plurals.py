# SPDX-License-Identifier: Apache-2.0
"""Every text of the window with a count ("%Ln files") has its English forms in cairn_en.ts; otherwise it reads "1 files".

    check_plurals.py SOURCE_ROOT
"""

import pathlib
import re
import sys
import xml.etree.ElementTree as ElementTree

LITERALS = re.compile(r'(?:"(?:[^"\\]|\\.)*"\s*)+')
PART = re.compile(r'"((?:[^"\\]|\\.)*)"')


def counted_texts(source):
    """String literals with %Ln, adjacent ones joined as the compiler does."""
    for run in LITERALS.findall(source):
        text = "".join(PART.findall(run))
        if "%Ln" in text:
            yield text


def main():
    root = pathlib.Path(sys.argv[1])
    known = set()
    for message in ElementTree.parse(root / "resources/translations/cairn_en.ts").iter("message"):
        forms = [form.text for form in message.iter("numerusform")]
        if len(forms) == 2 and all(forms):
            known.add(message.find("source").text)
    counted = 0
    missing = []
    for path in sorted((root / "ui").rglob("*.cpp")):
        for text in counted_texts(path.read_text(encoding="utf-8")):
            counted += 1
            if text not in known:
                missing.append(f"{path.relative_to(root)}: {text!r} has no singular and plural in cairn_en.ts")
    print("\n".join(missing) or f"{counted} texts that count, each with singular and plural")
    return 1 if missing or counted == 0 else 0


if __name__ == "__main__":
    sys.exit(main())
