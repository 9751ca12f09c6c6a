# SPDX-License-Identifier: Apache-2.0
"""Cairn's window with the libraries that it needs. Start it with the command `cairn`; importing this loads nothing of it."""
from pathlib import Path

PROGRAM = Path(__file__).resolve().parent / "bin/cairn"
