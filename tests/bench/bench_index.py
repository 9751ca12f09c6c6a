# SPDX-License-Identifier: Apache-2.0
"""Time to read an index: processor time of `cairn-cli info` on files that contain almost only names.

    CAIRN_CLI=build/release/bin/cairn-cli build/venv/bin/python tests/bench/bench_index.py FOLDER [CASE...]

Makes the files in FOLDER once (in environments that have the framework: tensorflow, tensorstore, gguf, torch). Processor
time, because other programs may run; the minimum of five. `start` is the time for an empty checkpoint and is
included in every figure.
"""

from __future__ import annotations

import json
import os
import pickle
import resource
import struct
import subprocess
import sys
import time
from pathlib import Path

CLI = os.environ.get("CAIRN_CLI", "build/release/bin/cairn-cli")
GOALS = {"tensorbundle": 100, "gguf": 50, "ocdbt": 200, "zero3": 2000}
COUNT = 100_000


def safetensors(folder: Path) -> Path:
    path = folder / "nothing.safetensors"
    path.write_bytes(struct.pack("<Q", 2) + b"{}")
    return path


def gguf(folder: Path) -> Path:
    """GGUF 3: 1e5 tensors of one float each."""
    path = folder / "names.gguf"
    if not path.exists():
        def text(value: str) -> bytes:
            return struct.pack("<Q", len(value)) + value.encode()

        out = [b"GGUF", struct.pack("<IQQ", 3, COUNT, 1), text("general.architecture"), struct.pack("<I", 8), text("llama")]
        for i in range(COUNT):
            out.append(text(f"blk.{i // 100}.attn_{i % 100}.weight") + struct.pack("<IQIQ", 1, 1, 0, i * 32))
        head = b"".join(out)
        path.write_bytes(head + bytes(-len(head) % 32) + bytes(COUNT * 32))
    return path


def tensorbundle(folder: Path) -> Path:
    """1e5 scalars by tensorflow's BundleWriter."""
    path = folder / "bundle" / "ckpt"
    if not path.with_suffix(".index").exists():
        import tensorflow

        path.parent.mkdir(exist_ok=True)
        names = [f"model/layer_{i // 100}/kernel_{i % 100}/.ATTRIBUTES/VARIABLE_VALUE" for i in range(COUNT)]
        zero = tensorflow.zeros([2])
        tensorflow.raw_ops.SaveV2(prefix=str(path), tensor_names=names, shape_and_slices=[""] * COUNT, tensors=[zero] * COUNT)
    return path


def ocdbt(folder: Path) -> Path:
    """An Orbax folder with 1e5 leaves in one OCDBT store: the keys by tensorstore, `_METADATA` as Orbax writes it."""
    path = folder / "orbax"
    if not (path / "_METADATA").exists():
        import tensorstore

        path.mkdir(exist_ok=True)
        store = tensorstore.KvStore.open({"driver": "ocdbt", "base": f"file://{path}/"}).result()
        meta = json.dumps({"zarr_format": 2, "shape": [2], "chunks": [2], "dtype": "<f4", "compressor": None, "fill_value": None,
                           "filters": None, "order": "C", "dimension_separator": "."}).encode()
        tree = {}
        with tensorstore.Transaction() as transaction:
            inside = store.with_transaction(transaction)
            for i in range(COUNT // 2):  # two keys each
                keys = ["params", f"layer_{i // 100}", f"kernel_{i % 100}"]
                inside[".".join(keys) + "/.zarray"] = meta
                inside[".".join(keys) + "/0"] = bytes(8)
                tree[str(tuple(keys))] = {"key_metadata": [{"key": key, "key_type": 2} for key in keys],
                                          "value_metadata": {"value_type": "jax.Array", "skip_deserialize": False}}
        (path / "_METADATA").write_text(json.dumps({"tree_metadata": tree, "use_zarr3": False}))
    return path


def zero3(folder: Path) -> Path:
    """512 ranks of ZeRO-3, 300 parameters; every rank's file has the same 64 elements of each."""
    path = folder / "zero3" / "global_step1"
    if not path.exists():
        import collections

        import torch

        ranks, parameters, each = 512, 300, 64
        path.mkdir(parents=True)
        shapes = collections.OrderedDict((f"layers.{i}.weight", torch.Size((ranks, each))) for i in range(parameters))
        for rank in range(ranks):
            torch.save({"module": {name: torch.empty(0) for name in shapes}, "buffer_names": [], "param_shapes": [shapes], "frozen_param_shapes": None,
                        "shared_params": {}, "frozen_param_fragments": None, "global_steps": 1, "skipped_steps": 0, "dp_world_size": ranks,
                        "mp_world_size": 1, "ds_version": "0.19.8"}, path / f"zero_pp_rank_{rank}_mp_rank_00_model_states.pt")
            flat = torch.zeros(parameters * each)
            torch.save({"optimizer_state_dict": {"zero_stage": 3, "partition_count": ranks, "fp32_flat_groups": [flat],
                        "optimizer_state_dict": {"state": {0: {"step": 1, "exp_avg": flat.clone(), "exp_avg_sq": flat.clone()}}, "param_groups": []}}},
                       path / f"zero_pp_rank_{rank}_mp_rank_00_optim_states.pt")
    return path


def dcp(folder: Path) -> Path:
    """A `.metadata` of 200,000 tensors; the time of pickle.load is printed for comparison."""
    path = folder / "dcp"
    if not (path / ".metadata").exists():
        import torch
        from torch.distributed.checkpoint.metadata import (ChunkStorageMetadata, Metadata, MetadataIndex, TensorProperties,
                                                           TensorStorageMetadata)
        from torch.distributed.checkpoint.filesystem import _StorageInfo

        path.mkdir(exist_ok=True)
        state, storage, planner = {}, {}, {}
        for i in range(200_000):
            name = f"model.layers.{i // 100}.block.weight_{i % 100}"
            size = torch.Size([4])
            state[name] = TensorStorageMetadata(TensorProperties(dtype=torch.float32), size, [ChunkStorageMetadata(torch.Size([0]), size)])
            storage[MetadataIndex(name, torch.Size([0]), 0)] = _StorageInfo("__0_0.distcp", i * 1500, 1500)
            planner[name] = ("model", name[6:])
        (path / ".metadata").write_bytes(pickle.dumps(Metadata(state, planner, storage)))
        with open(path / "__0_0.distcp", "wb") as file:
            file.truncate(200_000 * 1500)
    return path


CASES = {"start": safetensors, "gguf": gguf, "tensorbundle": tensorbundle, "ocdbt": ocdbt, "zero3": zero3, "dcp": dcp}


def processor(command: list[str]) -> float:
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run(command, capture_output=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    if done.returncode != 0:
        raise SystemExit(f"{command}: {done.stderr.decode()[-500:]}")
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def main() -> None:
    folder = Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    for name in sys.argv[2:] or CASES:
        try:
            path = CASES[name](folder)
        except ImportError as missing:
            print(f"{name}: not made here ({missing})")
            continue
        times = [processor([CLI, "info", str(path), "--json"]) for _ in range(5)]
        goal = f", goal {GOALS[name]} ms" if name in GOALS else ""
        line = f"{name}: {min(times) * 1000:.0f} ms{goal}"
        if name == "dcp":
            try:
                import torch.distributed.checkpoint.filesystem  # noqa: F401: imports its classes before timing

                started = time.process_time()
                pickle.loads((path / ".metadata").read_bytes())
                peer = time.process_time() - started
                line += f", pickle.load {1000 * peer:.0f} ms: {peer / min(times):.1f} times (goal 15)"
            except ImportError:
                pass
        print(line, flush=True)


if __name__ == "__main__":
    main()
