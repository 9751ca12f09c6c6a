# SPDX-License-Identifier: Apache-2.0
"""Builds safetensors files; Python's standard library only."""

from __future__ import annotations

import json
import struct
from pathlib import Path


def safetensors_bytes(header: dict | bytes, data: bytes = b"", length: int | None = None) -> bytes:
    """`length`: written as the header's length instead of the correct value."""
    text = header if isinstance(header, bytes) else json.dumps(header).encode()
    return struct.pack("<Q", len(text) if length is None else length) + text + data


def safetensors(path: Path, tensors: dict[str, tuple[str, list[int], bytes]], metadata: dict[str, str] | None = None) -> Path:
    """A file of tensors, each (dtype, shape, bytes), one after another."""
    header: dict = {"__metadata__": metadata} if metadata is not None else {}
    body = bytearray()
    for name, (dtype, shape, data) in tensors.items():
        header[name] = {"dtype": dtype, "shape": shape, "data_offsets": [len(body), len(body) + len(data)]}
        body += data
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(safetensors_bytes(header, bytes(body)))
    return path


def floats(*values: float) -> bytes:
    return struct.pack(f"<{len(values)}f", *values)
