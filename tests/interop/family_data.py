# SPDX-License-Identifier: Apache-2.0
"""Finds the data on model families and the scripts that write it (resources/families): import this module before them."""

import sys
from pathlib import Path

FOLDER = Path(__file__).resolve().parents[2] / "resources" / "families"
sys.path.insert(0, str(FOLDER))
import records


def read(name: str, keys: tuple[str, ...]) -> list[tuple[tuple[str, ...], str]]:
    """The records of a file: their fields ("" for an absent one) and their texts."""
    return [(tuple(fields.get(key, "") for key in keys), text) for fields, text in records.read(FOLDER / name, keys)]
