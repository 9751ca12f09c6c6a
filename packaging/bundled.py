#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The libraries inside an artefact (bundled.txt): their licences and their bill of materials.

    bundled.py licences static FOLDER [PACKAGES]    writes FOLDER/<package>.txt, and the common texts that these refer to
    bundled.py sbom static VERSION [PACKAGES]       prints a CycloneDX 1.5 document
    bundled.py check FILE...                        fails if a licence is missing in a .tar.*, .whl or .deb of out/release

PACKAGES is a file with the names of further Debian packages, one a line, whose shared libraries are in the artefact; and of
packages of PyPI as name==version, whose licences the artefact has already (nanobind in the Python module).
"""
from __future__ import annotations

import datetime
import io
import json
import os
import re
import subprocess
import sys
import tarfile
import uuid
import zipfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
BUILT = HERE.parent / "build/static-libraries/licenses"  # of what static_libraries.sh builds
KINDS = [(r"cairn[-_]cli-", "static"), (r"cairn_window-|cairn-[\w.]+-linux-", "window"), (r"cairn-", "module")]  # by the artefact's name
COMMON = Path("/usr/share/common-licenses")


def rows(artefact: str, shared: list[str]) -> list[tuple[str, str]]:
    """Package and licence of each library in the artefact; the licence of a shared one is in its text alone."""
    table = [[cell.strip() for cell in line.split("|")]
             for line in (HERE / "bundled.txt").read_text().splitlines() if line and line[0] != "#"]
    linked = {package: licence for package, licence, artefacts in table if artefact in artefacts.split()}
    return sorted((dict.fromkeys((name for name in shared if "==" not in name), "") | linked).items())


def pins() -> dict[str, str]:
    text = (HERE / "static_sources.txt").read_text()
    return dict(re.findall(r"^([a-z0-9-]+)=(\S+)$", text, re.MULTILINE))


def version(package: str) -> str:
    pinned = pins().get(package)
    return pinned or subprocess.run(["dpkg-query", "-W", "-f", "${Version}", package], capture_output=True, text=True,
                                    check=True).stdout


def copyright_of(package: str) -> str:
    built = BUILT / package
    path = built if built.exists() else Path("/usr/share/doc") / package / "copyright"
    return path.read_text(encoding="utf-8", errors="replace")


def common_texts(text: str) -> set[str]:
    return set(re.findall(r"/usr/share/common-licenses/([A-Za-z]+(?:-[0-9.]*[0-9])?)", text))


def licences(artefact: str, folder: Path, shared: list[str]) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    wanted: set[str] = set()
    for package, _ in rows(artefact, shared):
        text = copyright_of(package)
        (folder / f"{package}.txt").write_text(text, encoding="utf-8")
        wanted |= common_texts(text)
    for name in sorted(wanted):
        if (COMMON / name).exists():
            (folder / f"common-{name}.txt").write_bytes((COMMON / name).read_bytes())


def sbom(artefact: str, cairn: str, shared: list[str]) -> str:
    components = [{
        "type": "library", "bom-ref": package, "name": package, "version": version(package),
        **({"licenses": [{"expression": licence}]} if licence else {}),
        "purl": f"pkg:deb/debian/{package}@{version(package)}?distro=bookworm" + ("&arch=source" if package in pins() else ""),
    } for package, licence in rows(artefact, shared)]
    components += [{"type": "library", "bom-ref": name, "name": name, "version": stated, "purl": f"pkg:pypi/{name}@{stated}"}
                   for name, stated in sorted(line.split("==") for line in shared if "==" in line)]
    licence = "GPL-3.0-or-later AND Apache-2.0 AND MIT" if artefact == "window" else "Apache-2.0 AND MIT"
    name = "cairn-cli" if artefact == "static" else "cairn"
    seconds = int(os.environ.get("SOURCE_DATE_EPOCH", "0"))
    document = {
        "bomFormat": "CycloneDX", "specVersion": "1.5", "version": 1,
        "serialNumber": f"urn:uuid:{uuid.uuid5(uuid.NAMESPACE_OID, json.dumps([name, cairn, components]))}",
        "metadata": {
            "timestamp": datetime.datetime.fromtimestamp(seconds, datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ"),
            "component": {"type": "application", "bom-ref": name, "name": name, "version": cairn,
                          "licenses": [{"expression": licence}]},
        },
        "components": components,
        "dependencies": [{"ref": name, "dependsOn": [component["bom-ref"] for component in components]}],
    }
    return json.dumps(document, indent=1, ensure_ascii=False) + "\n"


def texts(path: Path) -> dict[str, bytes]:
    """The files about licences in an artefact, and its bill of materials, by their names without the folders above."""
    if path.suffix == ".whl":
        with zipfile.ZipFile(path) as archive:
            files = {name: archive.read(name) for name in archive.namelist() if re.search(r"licen[cs]e|\.cdx\.json$", name, re.IGNORECASE)}
    else:
        packed = subprocess.run(["dpkg-deb", "--fsys-tarfile", path], capture_output=True, check=True).stdout if path.suffix == ".deb" else None
        with tarfile.open(path if packed is None else None, fileobj=packed and io.BytesIO(packed)) as archive:
            files = {entry.name: archive.extractfile(entry).read() for entry in archive
                     if entry.isfile() and re.search(r"licen[cs]e|/copyright$", entry.name, re.IGNORECASE)}
    return {re.sub(r"^.*?(?=LICENSES/)|^.*/", "", name, count=1): data for name, data in files.items()}


def missing(path: Path) -> list[str]:
    """What LICENSE and the table name and the artefact does not have."""
    root, found = HERE.parent, texts(path)
    if path.suffix == ".deb":  # Debian's form: one file, which names the common texts; libraries are packages of their own
        wanted = set(re.findall(r"^License: (\S+)", (HERE / "debian/copyright").read_text(), re.MULTILINE))
        text = found.get("copyright", b"").decode()
        return [each for each in sorted(wanted) if f"License: {each}\n" not in text]
    own = ["LICENSE", *sorted(set(re.findall(r"LICENSES/[\w.-]+\.txt", (root / "LICENSE").read_text())))]
    lacking = [name for name in own if found.get(name) != (root / name).read_bytes()]
    kind = next(kind for pattern, kind in KINDS if re.match(pattern, path.name))
    bills = [json.loads(data) for name, data in found.items() if name.endswith(".cdx.json")]
    shared = [component["name"] for bill in bills for component in bill["components"] if component["purl"].startswith("pkg:deb/")]
    for package, _ in rows(kind, shared):
        name = f"LICENSES/libraries/{package}.txt"
        text = found.get(name, b"").decode(errors="replace")
        lacking += [] if text else [name]
        common = {f"LICENSES/libraries/common-{each}.txt" for each in common_texts(text) if (COMMON / each).exists()}
        lacking += sorted(common - found.keys())
    lacking += [] if kind != "module" or "nanobind.txt" in found else ["nanobind.txt"]
    return sorted(set(lacking))


def check(paths: list[Path]) -> int:
    wrong = {path.name: missing(path) for path in paths if re.search(r"\.(tar\.\w+|whl|deb)$", path.name)}
    for name, lacking in wrong.items():
        print(f"{name}: {'every licence is in it' if not lacking else 'lacks ' + ', '.join(lacking)}")
    return 1 if any(wrong.values()) or not wrong else 0


def main() -> int:
    if sys.argv[1:2] == ["check"]:
        return check([Path(name) for name in sys.argv[2:]])
    verb, artefact, last, *files = sys.argv[1:]
    shared = [line for file in files for line in Path(file).read_text().split()]
    if verb == "licences":
        licences(artefact, Path(last), shared)
    else:
        sys.stdout.write(sbom(artefact, last, shared))
    return 0


if __name__ == "__main__":
    sys.exit(main())
