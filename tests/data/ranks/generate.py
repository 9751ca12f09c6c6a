#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Copies the small cases of tests/interop, with the tensors that torch.distributed.checkpoint loads from the same state.

    generate.py BUILD/interop       after tests/interop/make_checkpoints.py BUILD/interop 'dtensor_*' 'sharded_tensor*'

Written with torch 2.13.0, four gloo ranks.
"""

import json
import shutil
import sys
from pathlib import Path

HERE = Path(__file__).parent
CASES = {"uneven": "dtensor_per_rank_uneven", "sharded_tensor": "sharded_tensor_per_rank", "fsdp_tp": "dtensor_per_rank_small"}


def main() -> None:
    expected = {}
    for name, case in CASES.items():
        shutil.rmtree(HERE / name, ignore_errors=True)
        shutil.copytree(Path(sys.argv[1]) / case / "checkpoint", HERE / name)
        oracle = json.loads((Path(sys.argv[1]) / f"{case}.oracle.json").read_text())
        expected[name] = {"tensors": {key: [of["dtype"], of["shape"], of["sha256"]] for key, of in oracle["tensors"].items()},
                          "values": oracle["values"]}
    (HERE / "expected.json").write_text(json.dumps(expected, indent=1, sort_keys=True) + "\n")


main()
