#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Packs samples that other writers made into archives beside this script: CAIRN_CLI=build/release/bin/cairn-cli ./generate.py

What the archives must hold is what those writers noted of their own files. Run again only when the format changes.
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
    (HERE / (name + ".cairn.json")).unlink()  # names the machine's folders
    expected[name] = json.loads((path.parent / "expected.json").read_text())[path.name]
(HERE / "expected.json").write_text(json.dumps(expected, indent=1) + "\n")
