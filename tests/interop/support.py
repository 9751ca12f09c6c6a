# SPDX-License-Identifier: Apache-2.0
"""Shared by the tests: the command line, the cases with their oracles, one generated test method per case."""

from __future__ import annotations

import functools
import json
import os
import subprocess
import sys
import tempfile
import warnings
from pathlib import Path

os.environ.setdefault("HF_HUB_OFFLINE", "1")
os.environ.setdefault("OMP_NUM_THREADS", "1")
warnings.filterwarnings("ignore")

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "support"))
import driver
from driver import CLI, ROOT, SAMPLE, Answer, ask

HERE = Path(__file__).resolve().parent
DATA = Path(os.environ.get("CAIRN_INTEROP_DATA", ROOT / "build" / "interop")).resolve()
TIMEOUT_S = 120


def run(*arguments: object) -> Answer:
    return driver.run(*arguments, timeout=TIMEOUT_S)


@functools.lru_cache(maxsize=None)
def read(verb: str, path: Path) -> Answer:
    """The result of a verb that only reads, cached per path."""
    return run(verb, path, "--json")


def listed(path: Path) -> dict[str, dict]:
    """The tensors listed by `ls`, by name."""
    return {entry["name"]: entry for entry in read("ls", path).json["tensors"]}


def hashes(path: Path) -> dict[str, str]:
    return {entry["name"]: entry["sha256"] for entry in read("hash", path).json["tensors"]}


class Case:
    def __init__(self, file: Path) -> None:
        self.name = file.name.removesuffix(".oracle.json")
        self.oracle = json.loads(file.read_text())
        self.path = DATA / self.oracle["path"]
        self.tensors: dict[str, dict] = self.oracle["tensors"]
        self.values: dict[str, object] = self.oracle["values"]

    def is_open(self, name: str) -> bool:
        """Whether the form of this path is not specified."""
        return any(name == place or name.startswith(place + ".") for place in self.oracle["opaque"]) or any(
            name.startswith(tensor + ".") for tensor, entry in self.tensors.items() if entry["dtype"].startswith("q"))

    def root_name(self, listed) -> dict[str, str]:
        """A root tensor may have any label."""
        return {name: "" for name in listed} if set(self.tensors) == {""} and len(listed) == 1 else {}


@functools.lru_cache(maxsize=1)
def cases() -> tuple[Case, ...]:
    if not any(DATA.glob("*.oracle.json")):
        subprocess.run([sys.executable, HERE / "make_checkpoints.py", DATA], check=True, stdout=subprocess.DEVNULL)
    made = (Case(file) for file in sorted(DATA.glob("*.oracle.json")))
    return tuple(made)


def case(name: str) -> Case:
    return next(one for one in cases() if one.name == name)


def per_case(wanted=lambda one: True):
    """Turns `def each_x(self, case)` into `test_x_<case>` for every case, so that a failure names its case."""

    def decorate(kind: type) -> type:
        for name in [name for name in vars(kind) if name.startswith("each_")]:
            body = getattr(kind, name)
            for one in cases():
                if wanted(one):
                    setattr(kind, f"test_{name.removeprefix('each_')}__{one.name}", functools.partialmethod(body, one))
        return kind

    return decorate


def expected_of(folder: Path) -> dict[str, dict]:
    """The results of a heavy framework's own reader for its checkpoints in `folder`; empty if there are none."""
    return {file.name.removesuffix(".expected.json"): json.loads(file.read_text()) for file in sorted(folder.glob("*.expected.json"))}


def per_folder(folder: Path, expected: dict[str, dict]):
    """`each_x(self, case, path)` becomes `test_x__<case>` for every checkpoint of expected_of(), so that a failure names it."""

    def decorate(kind: type) -> type:
        for name in [name for name in vars(kind) if name.startswith("each_")]:
            for word, case in expected.items():
                method = functools.partialmethod(getattr(kind, name), case, folder / case["path"])
                setattr(kind, f"test_{name.removeprefix('each_')}__{word}", method)
        return kind

    return decorate


def flat(value: object, name: str = "") -> dict[str, object]:
    """Converts nested JSON to dotted names."""
    if isinstance(value, dict):
        items = value.items()
    elif isinstance(value, list):
        items = enumerate(value)
    else:
        return {name: value}
    result = {}
    for key, inner in items:
        result |= flat(inner, f"{name}.{key}" if name else str(key))
    return result


def temporary() -> tempfile.TemporaryDirectory:
    return tempfile.TemporaryDirectory(prefix="cairn-interop-")


def files_under(folder: Path) -> list[str]:
    return sorted(str(path.relative_to(folder)) for path in folder.rglob("*") if not path.is_dir())
