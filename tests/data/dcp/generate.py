# SPDX-License-Identifier: Apache-2.0
"""`python generate.py`: writes the small DCP folders beside this file with four gloo ranks (torch 2.13), and for each an
`<name>.oracle`: one line per tensor (`T name dtype shape hex`), one line per plain value (`V path kind text`), as torch loads them.

Save ids and time stamps differ from run to run; nothing else does.
"""

from __future__ import annotations

import ctypes
import pickle
import shutil
import sys
import types
from pathlib import Path

import numpy
import torch
import torch.distributed as dist
import torch.distributed.checkpoint as dcp
import torch.multiprocessing as mp
from torch.distributed.checkpoint import DefaultSavePlanner, FileSystemWriter
from torch.distributed.checkpoint.metadata import BytesStorageMetadata
from torch.distributed.device_mesh import init_device_mesh
from torch.distributed.tensor import DTensor, Replicate, Shard, distribute_tensor

HERE = Path(__file__).parent
RANKS = 4


def cut(shape, placements, mesh, dtype=torch.float32) -> DTensor:
    count = int(numpy.prod(shape))
    return distribute_tensor(torch.arange(count).to(dtype).reshape(shape), mesh, placements)


def state() -> dict:
    line = init_device_mesh("cpu", (RANKS,))
    square = init_device_mesh("cpu", (2, 2), mesh_dim_names=("x", "y"))
    return {
        "model": {"rows.weight": cut((7, 3), [Shard(0)], line), "columns.weight": cut((3, 10), [Shard(1)], line, torch.bfloat16),
                  "few.weight": cut((2, 3), [Shard(0)], line), "both.weight": cut((5, 6), [Shard(0), Shard(1)], square),
                  "replicated.bias": cut((3,), [Replicate()], line, torch.float64)},
        "optimizer": {"state": {"rows.weight": {"exp_avg": cut((7, 3), [Shard(0)], line), "step": torch.tensor(3.0)}},
                      "param_groups": [{"lr": 0.1, "params": ["rows.weight"]}]},
        "transposed": torch.arange(6.0).reshape(2, 3).t(), "pair": (torch.tensor([1.5, 2.5]), "two"),
        "array": numpy.arange(5, dtype=numpy.float64), "list": [torch.tensor(7), {"deep.key": "x"}],
        "step": 3, "epoch": 1, "loss": float("nan"), "big": 2**80, "nothing": None, "flag": True, "text": "run é",
    }


def small() -> dict:
    line = init_device_mesh("cpu", (RANKS,))
    return {"model": {"w": cut((7, 6), [Shard(0)], line), "v": cut((3, 10), [Shard(1)], line, torch.bfloat16),
                      "scale": torch.tensor(0.5)}, "step": 1, "note": "small", "list": [1, 2]}


def flat() -> dict:
    line = init_device_mesh("cpu", (RANKS,))
    return {"a.b": cut((6, 2), [Shard(0)], line), "a.c": torch.arange(3), "step": 4}


def save(path: Path, what: dict, **options) -> None:
    dcp.save(what, storage_writer=FileSystemWriter(str(path), **options))


def save_zstd(path: Path, what: dict) -> None:
    from torch.distributed.checkpoint._extension import ZStandard

    save(path, what, _extensions=[ZStandard()])


def save_safetensors(path: Path, what: dict) -> None:
    from torch.distributed.checkpoint.filesystem import SerializationFormat

    save(path, what, serialization_format=SerializationFormat.SAFETENSORS)


def save_each_rank(path: Path, what: dict) -> None:
    dcp.save(what, checkpoint_id=str(path), use_collectives=False)


def save_unflattened(path: Path, what: dict) -> None:
    dcp.save(what, storage_writer=FileSystemWriter(str(path)), planner=DefaultSavePlanner(flatten_state_dict=False))


CASES = {"plain": (state, save), "zstd": (small, save_zstd), "safetensors": (small, save_safetensors),
         "each_rank": (small, save_each_rank), "unflattened": (flat, save_unflattened), "lightning.ckpt": (small, save)}


def worker(rank: int, rendezvous: str) -> None:
    torch.set_num_threads(1)
    dist.init_process_group("gloo", init_method=f"file://{rendezvous}", rank=rank, world_size=RANKS)
    for name, (state_of, save_with) in CASES.items():
        what = state_of()
        save_with(HERE / name, what)
        dist.barrier()
        lines: list[str] = []
        describe("", what, lines)
        if rank == 0:
            (HERE / f"{name}.oracle").write_text("\n".join(lines) + "\n")
    dist.destroy_process_group()


def describe(name: str, value, lines: list[str]) -> None:
    if isinstance(value, DTensor):
        value = value.full_tensor()
    if isinstance(value, numpy.ndarray):
        value = torch.from_numpy(value)
    if isinstance(value, torch.Tensor):
        value = value.contiguous()
        content = ctypes.string_at(value.data_ptr(), value.numel() * value.element_size()).hex()
        shape = ",".join(map(str, value.shape)) or "-"
        lines.append(f"T\t{name}\t{str(value.dtype).removeprefix('torch.')}\t{shape}\t{content}")
    elif isinstance(value, dict):
        for key, inner in value.items():
            describe(f"{name}.{key}" if name else str(key), inner, lines)
    elif isinstance(value, (list, tuple)):
        for index, inner in enumerate(value):
            describe(f"{name}.{index}", inner, lines)
    else:
        lines.append(f"V\t{name}\t{type(value).__name__}\t{value}")


def write_old() -> None:
    """The folder `plain` with an index as torch 1.13 pickled it: other modules, protocol 2, the enum through getattr."""
    shutil.copytree(HERE / "plain", HERE / "old_names")
    names = {}

    def module(name: str):
        made = names.setdefault(name, types.ModuleType(name))
        sys.modules[name] = made
        return made

    def old_class(module_name: str, name: str):
        made = type(name, (), {"__module__": module_name})
        setattr(module(module_name), name, made)
        return made

    base, sharded = "torch.distributed._shard.checkpoint", "torch.distributed._shard.sharded_tensor.metadata"
    saved = {name: sys.modules.get(name) for name in (base, base + ".metadata", base + ".filesystem", sharded)}
    classes = {name: old_class(base + ".metadata", name) for name in
               ("Metadata", "TensorStorageMetadata", "ChunkStorageMetadata", "BytesStorageMetadata", "MetadataIndex")}
    info, properties = old_class(base + ".filesystem", "_StorageInfo"), old_class(sharded, "TensorProperties")
    encoding = old_class(sharded, "MEM_FORMAT_ENCODING")

    class Member:  # getattr(MEM_FORMAT_ENCODING, "TORCH_CONTIGUOUS_FORMAT"), as CPython 3.11.2 pickles an enum
        def __reduce__(self):
            return getattr, (encoding, "TORCH_CONTIGUOUS_FORMAT")

    properties.__getstate__ = lambda self: self.parts

    def old(cls, **fields):
        made = object.__new__(cls)
        made.__dict__.update(fields)
        return made

    def of(entry):
        if isinstance(entry, BytesStorageMetadata):
            return old(classes["BytesStorageMetadata"])
        chunks = [old(classes["ChunkStorageMetadata"], offsets=c.offsets, sizes=c.sizes) for c in entry.chunks]
        parts = (entry.properties.dtype, torch.strided, False, Member(), False)
        return old(classes["TensorStorageMetadata"], properties=old(properties, parts=parts), size=entry.size, chunks=chunks)

    def key(index):
        fields = {"fqn": index.fqn, "index": index.index} | ({} if index.offset is None else {"offset": index.offset})
        return old(classes["MetadataIndex"], **fields)

    now = pickle.loads((HERE / "plain" / ".metadata").read_bytes())
    storage = {key(i): old(info, relative_path=s.relative_path, offset=s.offset, length=s.length)
               for i, s in now.storage_data.items()}
    then = old(classes["Metadata"], state_dict_metadata={n: of(e) for n, e in now.state_dict_metadata.items()},
               planner_data=now.planner_data, storage_data=storage)
    (HERE / "old_names" / ".metadata").write_bytes(pickle.dumps(then, protocol=2))
    for name, before in saved.items():
        if before is not None:
            sys.modules[name] = before
    shutil.copy(HERE / "plain.oracle", HERE / "old_names.oracle")


def main() -> None:
    for name in [*CASES, "old_names"]:
        shutil.rmtree(HERE / name, ignore_errors=True)
    rendezvous = HERE / ".rendezvous"
    rendezvous.unlink(missing_ok=True)
    mp.spawn(worker, (str(rendezvous),), nprocs=RANKS)
    rendezvous.unlink(missing_ok=True)
    meta = {"epoch": 2, "global_step": 24, "pytorch-lightning_version": "2.5.0", "hyper_parameters": {"lr": 0.01}}
    torch.save(meta, HERE / "lightning.ckpt" / "meta.pt")
    write_old()


if __name__ == "__main__":
    main()
