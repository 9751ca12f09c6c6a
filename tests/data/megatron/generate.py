# SPDX-License-Identifier: Apache-2.0
"""Copies small legacy saves that megatron-core cut (tests/interop/megatron_folders.py), with what the unsplit model holds and
what torch.load finds in each rank's file beside the model.

    venv-megatron/bin/python tests/interop/megatron_folders.py OUT small small_moe
    python tests/data/megatron/generate.py OUT
"""

import json
import shutil
import sys
from pathlib import Path

import torch

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "interop"))

from oracle import Oracle  # noqa: E402

HERE = Path(__file__).resolve().parent


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
        expected[name] = {"tensors": {key: [entry["dtype"], entry["shape"], entry["sha256"]] for key, entry in entries.items()}}
    (HERE / "expected.json").write_text(json.dumps(expected, indent=1) + "\n")


if __name__ == "__main__":
    main()
