# SPDX-License-Identifier: Apache-2.0
"""Copies small legacy saves made by megatron-core (tests/interop/megatron_folders.py), with the tensors of the unsplit model and
those that torch.load finds in each rank's file besides the model; and saves of an older megatron-core
(tests/interop/megatron_old_folders.py), with the result of its own reader.

    venv-megatron/bin/python tests/interop/megatron_folders.py OUT small small_moe
    venv-megatron-old/bin/python tests/interop/megatron_old_folders.py OLD zarr_small flat_small
    python tests/data/megatron/generate.py OUT OLD
"""

import json
import shutil
import sys
from pathlib import Path

import torch

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "interop"))

from oracle import Oracle  # noqa: E402

HERE = Path(__file__).resolve().parent


def rows(entries: dict) -> dict:
    return {key: [entry["dtype"], entry["shape"], entry["sha256"]] for key, entry in entries.items()}


def main() -> None:
    made = Path(sys.argv[1])
    expected = {}
    for name in ("small", "small_moe"):
        shutil.rmtree(HERE / name, ignore_errors=True)
        save = made / name / "legacy" / "iter_0000010"
        shutil.copytree(save, HERE / name)
        entries = json.loads((made / f"{name}.expected.json").read_text())["tensors"]
        for file in sorted(save.glob("*/model_optim_rng.pt")):
            state = torch.load(file, weights_only=False)
            oracle = Oracle()
            for key in ("optimizer", "rng_state"):
                oracle.add(f"{file.parent.name}.{key}", state[key])
            entries |= oracle.tensors
        expected[name] = {"tensors": rows(entries)}
    old = Path(sys.argv[2])
    flat = {}
    for name, target, noted in (("zarr_small", HERE / "zarr", expected), ("flat_small", HERE.parent / "dcp" / "megatron_flat", flat)):
        shutil.rmtree(target, ignore_errors=True)
        shutil.copytree(old / name / "iter_0000020", target, ignore=shutil.ignore_patterns("*.weight.sync"))  # some of the locks
        noted[target.name] = {"tensors": rows(json.loads((old / f"{name}.expected.json").read_text())["tensors"])}
    (HERE.parent / "dcp" / "expected.json").write_text(json.dumps(flat, indent=1) + "\n")
    (HERE / "expected.json").write_text(json.dumps(expected, indent=1) + "\n")


if __name__ == "__main__":
    main()
