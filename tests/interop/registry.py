# SPDX-License-Identifier: Apache-2.0
"""The list of cases. A case is a function that writes one checkpoint into its folder; its oracle comes
from `load`, which uses the framework."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Callable

import torch

from oracle import Oracle


def load_torch(path: Path, oracle: Oracle) -> None:
    oracle.add("", torch.load(path, map_location="cpu", weights_only=False))


@dataclass
class Case:
    name: str
    hint: str  # text that the reader's `format` must contain
    write: Callable[[Path], Path]  # folder of the case -> path to open
    load: Callable[[Path, Oracle], None] = load_torch
    facts: dict = field(default_factory=dict)  # step, epoch, weights (prefix of the model's names), refuses …


CASES: dict[str, Case] = {}


def case(name: str, hint: str, load: Callable[[Path, Oracle], None] = load_torch, **facts):
    def register(function: Callable[[Path], Path]) -> Callable[[Path], Path]:
        CASES[name] = Case(name, hint, function, load, facts)
        return function

    return register


def finish(case_: Case, out: Path, path: Path) -> None:
    """Writes the oracle, last, so that an incomplete case is made again."""
    oracle = Oracle()
    case_.load(path, oracle)
    oracle.write(out / f"{case_.name}.oracle.json", str(path.relative_to(out)), case_.hint, case_.facts)
