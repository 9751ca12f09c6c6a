# SPDX-License-Identifier: Apache-2.0
"""Shared by the tests of the Python module: folders, small files, the program as reference."""

from __future__ import annotations

import sys
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests/support"))

from decision_lines import (  # noqa: E402, F401
    CHECKPOINTS, DECISIONS, SAVED_VALUES, checkpoint_line, decision_lines, expected_checkpoints, expected_decisions, expected_saved, saved_line,
)
from driver import SAMPLE, ask, run  # noqa: E402, F401
from golden import DATA, expected_rows, samples  # noqa: E402, F401
from made_files import safetensors, safetensors_bytes  # noqa: E402, F401


class FolderTest(unittest.TestCase):
    """A test with a folder of its own."""

    def setUp(self) -> None:
        holder = tempfile.TemporaryDirectory(prefix="cairn-python-")
        self.addCleanup(holder.cleanup)
        self.folder = Path(holder.name).resolve()

    def counting(self, *shape: int, name: str = "model.safetensors", dtype: str = "int32") -> Path:
        """A file with the tensor "t" of 0, 1, 2, …"""
        import numpy

        names = {"int32": "I32", "int64": "I64", "float32": "F32", "uint8": "U8"}
        values = numpy.arange(int(numpy.prod(shape, dtype=numpy.int64)), dtype=dtype)
        return safetensors(self.folder / name, {"t": (names[dtype], list(shape), values.tobytes())})

    def sparse(self, gib: int, name: str = "large.safetensors") -> Path:
        """A file of zeros that takes no space: the tensor "t" of rows of 4 KiB."""
        rows = gib * 2**18
        path = self.folder / name
        head = safetensors_bytes({"t": {"dtype": "F32", "shape": [rows, 1024], "data_offsets": [0, rows * 4096]}})
        with path.open("wb") as file:
            file.write(head)
            file.truncate(len(head) + rows * 4096)
        return path
