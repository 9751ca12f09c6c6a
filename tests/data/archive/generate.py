#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Packs samples of other formats into archives next to this script: CAIRN_CLI=build/release/bin/cairn-cli ./generate.py

The expected content is that of the samples. Run again only when the format changes.
"""
import json
import os
import pathlib
import subprocess

HERE = pathlib.Path(__file__).parent
SOURCES = ["safetensors/dtypes.safetensors", "safetensors/tied.safetensors", "torch/training.pt", "torch/views.pt",
           "ranks/fsdp_tp", "numpy-shards/grid"]

expected = {}
for source in SOURCES:
    path = HERE.parent / source
    name = path.stem + ".cairnz"
    for old in (HERE / name, HERE / (name + ".cairn.json")):
        old.unlink(missing_ok=True)
    subprocess.run([os.environ["CAIRN_CLI"], "pack", path, "-o", HERE / name], check=True)
    (HERE / (name + ".cairn.json")).unlink()  # contains paths of this machine
    expected[name] = json.loads((path.parent / "expected.json").read_text())[path.name]
(HERE / "expected.json").write_text(json.dumps(expected, indent=1) + "\n")
