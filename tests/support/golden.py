# SPDX-License-Identifier: Apache-2.0
"""The golden checkpoints of tests/data and of the sample experiment, and what their writers noted of their tensors."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
DATA = ROOT / "tests/data"
SAMPLE = ROOT / "resources/sample/experiment"


def samples() -> list[tuple[str, Path]]:
    """The golden checkpoints of all formats that tests/conformance reads: label and path."""
    left_out = {"gguf/moved", "numpy-shards/alike", "orbax/left_out"}  # see samples.cpp there
    found = []
    for folder in sorted(DATA.iterdir()):
        if folder.name in ("decisions", "history", "signing") or not folder.is_dir():
            continue
        for path in sorted(folder.iterdir()):
            label = f"{folder.name}/{path.name}"
            if path.suffix not in (".py", ".json", ".oracle", ".md") and label not in left_out and not path.name.startswith("__pycache"):
                found.append((label, path))
    run = SAMPLE / "tiny-llama-a"
    found += [(f"tiny-llama-a/{step}", run / step) for step in ("step-100", "step-200", "step-300", "step-400")]
    found += [(f"tiny-llama-b/{i}", SAMPLE / f"tiny-llama-b/checkpoint_epoch_{i}.pt") for i in (1, 2, 3)]
    return [*found, ("hf-export", SAMPLE / "hf-export")]


def expected_rows(path: Path) -> dict[str, tuple[str, tuple[int, ...], str]] | None:
    """What the writer noted: {name: (dtype, shape, sha256)}, or None."""
    oracle = path.with_name(path.name + ".oracle")
    if oracle.exists():
        rows = {}
        for line in oracle.read_text().splitlines():
            parts = line.split("\t")
            if parts[0] == "T" and len(parts) >= 4:
                shape = () if parts[3] == "-" else tuple(map(int, parts[3].split(",")))
                rows[parts[1]] = (parts[2], shape, hashlib.sha256(bytes.fromhex(parts[4] if len(parts) > 4 else "")).hexdigest())
        if rows:
            return rows
    noted = path.with_name("expected.json")
    of = json.loads(noted.read_text()).get(path.name) if noted.exists() else None
    if isinstance(of, dict) and "tensors" in of:
        return {name: (dtype, tuple(shape), sha) for name, (dtype, shape, sha, *_) in of["tensors"].items()}
    if isinstance(of, list):
        return {each["name"]: (each["dtype"], tuple(each["shape"]), each["sha256"]) for each in of}
    return None
