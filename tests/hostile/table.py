# SPDX-License-Identifier: Apache-2.0
"""One row of the table of hostile files, and the builder of its file."""
import dataclasses
import pathlib
from typing import Callable

REFUSED = {"outside-folder", "output-is-input", "would-run-code", "ambiguous-archive"}
OUTPUT = {"output-exists", "no-space", "dtype-not-representable", "name-not-representable"}
UNPLACED = {"dtype-not-representable", "coverage-hole", "coverage-overlap"}  # about the tensors
USAGE = {"tensor-not-found", "bad-slice", "invalid-argument"}


def exit_of(code):
    """The exit code of an error: core/base/error_codes.h."""
    return 5 if code in REFUSED else 4 if code in OUTPUT else 2 if code in USAGE else 3


class Place:
    """The folders of a builder: `open` is opened by the program, `outside` is next to it."""

    def __init__(self, root):
        self.root = pathlib.Path(root)
        self.open = self.root / "open"
        self.outside = self.root / "outside"
        self.canary = self.root / "canary"
        for folder in (self.open, self.outside):
            folder.mkdir(parents=True)
        (self.outside / "secret").write_bytes(DECOY * 40)

    def write(self, name, data):
        path = self.open / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data.encode() if isinstance(data, str) else data)
        return path


DECOY = b"DECOY-OF-ANOTHER-FILE "


@dataclasses.dataclass
class Case:
    name: str
    build: Callable[[Place], pathlib.Path]
    verb: str
    code: str | None
    exit: int
    where: str  # "error", "notices", "findings", "verdict" or "fine"
    options: tuple = ()
    as_nobody: bool = False
    sweep: tuple = ("check", "scan", "ls")  # further verbs that must not crash on it
    expected: str | None = None  # without a code: the row of expected.txt


def rows_expected():
    """expected.txt: the expected output for cases without a code, by name."""
    lines = pathlib.Path(__file__).with_name("expected.txt").read_text().splitlines()
    return dict(line.split("\t") for line in lines if line and not line.startswith("#"))


def error(name, build, code, verb="info", **more):
    """The program refuses the path with this error."""
    return Case(name, build, verb, code, exit_of(code), "error", **more)


def notice(name, build, code, verb="info", **more):
    """The path opens, and a notice reports the problem."""
    return Case(name, build, verb, code, 0, "notices", **more)


def finding(name, build, code, exit=1, **more):
    """`check`, which reads every byte, finds it."""
    return Case(name, build, "check", code, exit, "findings", **more)


def verdict(name, build, word, exit=None, **more):
    """`scan` reports what Python would do."""
    harmless = word in ("inert", "unknown-class")
    return Case(name, build, "scan", word, (0 if harmless else 1) if exit is None else exit, "verdict", **more)


def fine(name, build, verb="info", **more):
    """Unusual but valid: opens without an error."""
    return Case(name, build, verb, None, 0, "fine", **more)


def job(name, build, code, exit=None, options=("--only", "all"), **more):
    """`consolidate` must not write."""
    return Case(name, build, "consolidate", code, exit_of(code) if exit is None else exit, "error", options, **more)


def file(name, data):
    """A builder of one file; `data` may be a function of the folders."""
    return lambda place: place.write(name, data(place) if callable(data) else data)


def folder(files, then=None):
    """A builder of a folder of files; `then(place)` changes it afterwards."""

    def build(place):
        for name, data in (files(place) if callable(files) else files).items():
            place.write(name, data)
        if then:
            then(place)
        return place.open

    return build
