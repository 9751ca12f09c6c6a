# SPDX-License-Identifier: Apache-2.0
"""torch.distributed.checkpoint folders, written by four gloo processes that are started once for all cases.

The oracle is a DCP load into complete tensors. Where torch cannot load its own output (SerializationFormat.SAFETENSORS;
`__R.metadata` without collectives in one process), the same state is saved again with the default writer into the
case's `.twin` folder, and the oracle loads that.
"""

from __future__ import annotations

from pathlib import Path

import torch
import torch.distributed as dist
import torch.distributed.checkpoint as dcp
import torch.multiprocessing as mp
from torch.distributed.checkpoint import DefaultLoadPlanner, DefaultSavePlanner, FileSystemReader, FileSystemWriter
from torch.distributed.checkpoint.metadata import TensorStorageMetadata
from torch.distributed.checkpoint.state_dict_loader import _load_state_dict

import dcp_states
from oracle import Oracle
from registry import case

RANKS = 4


def load_dcp(path: Path, oracle: Oracle, reader=FileSystemReader) -> None:
    storage = reader(str(path))
    metadata = storage.read_metadata()
    state = {}
    for name, entry in metadata.state_dict_metadata.items():
        is_tensor = isinstance(entry, TensorStorageMetadata)
        state[name] = torch.empty(entry.size, dtype=entry.properties.dtype) if is_tensor else "bytes"
    if state:
        planner = DefaultLoadPlanner(flatten_state_dict=False, flatten_sharded_tensors=False)
        _load_state_dict(state, storage_reader=storage, planner=planner, no_dist=True)
    for name, value in state.items():
        if isinstance(value, tuple) and any(isinstance(inner, torch.Tensor) for inner in value):
            oracle.opaque.append(name)  # a single bytes item: its tensors may be shown as part of it
        else:
            oracle.add(name, value)


def load_twin(path: Path, oracle: Oracle) -> None:
    load_dcp(twin_of(path), oracle)


def twin_of(path: Path) -> Path:
    folder = path.parent if path.suffix == ".pt" else path
    return folder.parent / ".twin"


def load_hugging_face(path: Path, oracle: Oracle) -> None:
    from torch.distributed.checkpoint import HuggingFaceStorageReader

    folder = path / "sharded" if (path / "sharded").is_dir() else path
    load_dcp(folder, oracle, HuggingFaceStorageReader)


def save(path: Path, state: dict, **options) -> None:
    dcp.save(state, checkpoint_id=str(path), **options)


def with_writer(path: Path, state: dict, planner=None, **options) -> None:
    save(path, state, storage_writer=FileSystemWriter(str(path), **options), planner=planner)


def save_zstd(path: Path, state: dict) -> None:
    from torch.distributed.checkpoint._extension import ZStandard

    with_writer(path, state, _extensions=[ZStandard()])


def save_safetensors(path: Path, state: dict) -> None:
    from torch.distributed.checkpoint.filesystem import SerializationFormat

    with_writer(path, state, serialization_format=SerializationFormat.SAFETENSORS)
    save(twin_of(path), state)


def save_without_collectives(path: Path, state: dict) -> None:
    save(path, state, use_collectives=False)
    save(twin_of(path), state)


def save_unflattened(path: Path, state: dict) -> None:
    with_writer(path, state, planner=DefaultSavePlanner(flatten_state_dict=False))


def save_twice(path: Path, state: dict) -> None:
    """Four ranks, then rank 0 alone into the same folder: `__1_0.distcp` … remain, unreferenced."""
    save(path, state)
    if dist.get_rank() == 0:
        save(path, {"weight": torch.arange(12.0).reshape(3, 4), "step": 2}, no_dist=True)
    dist.barrier()


def save_async(path: Path, state: dict) -> None:
    dcp.async_save(state, checkpoint_id=str(path)).result()


def save_hugging_face(path: Path, state: dict, consolidate: bool = False) -> None:
    from torch.distributed.checkpoint import HuggingFaceStorageWriter

    files = {name: 1 + i % 2 for i, name in enumerate(sorted(state))}
    writer = HuggingFaceStorageWriter(str(path), files, save_distributed=True, enable_consolidation=consolidate)
    dcp.save(state, storage_writer=writer)  # a checkpoint_id would move the `sharded` folder


def save_hugging_face_consolidated(path: Path, state: dict) -> None:
    save_hugging_face(path, state, consolidate=True)


def save_per_rank(path: Path, state: dict) -> None:
    """Like trainers without DCP: every rank saves its own DTensors."""
    path.mkdir(exist_ok=True)
    model = state.get("model", state)
    torch.save(model, path / f"model_world_size_{RANKS}_rank_{dist.get_rank()}.pt")
    save(twin_of(path), model)


def save_verl(path: Path, state: dict) -> None:
    """The files of verl's checkpoint manager: separate files of model and optimizer, with the prefix `optim.` for the second."""
    path.mkdir(exist_ok=True)
    for kind, part in (("model", state["model"]), ("optim", state["optimizer"])):
        torch.save(part, path / f"{kind}_world_size_{RANKS}_rank_{dist.get_rank()}.pt")
    save(twin_of(path), dict(state["model"]) | {"optim": state["optimizer"]})


def save_one_file(path: Path, state: dict) -> None:
    """Rank 0 writes its DTensors into one `torch.save` file."""
    if dist.get_rank() == 0:
        path.mkdir()
        torch.save(state, path / "model.pt")
    save(twin_of(path), state)


# case -> (state of the ranks, function that saves it)
RANKED = {
    "dcp_fsdp2": (dcp_states.fsdp2, save),
    "dcp_hsdp": (dcp_states.hsdp, save),
    "dcp_fsdp_tp": (dcp_states.fsdp_tp, save),
    "dcp_tp_dim1": (dcp_states.tp, save),
    "dcp_uneven": (dcp_states.uneven, save),
    "dcp_torchtitan": (dcp_states.torchtitan, save),
    "dcp_unflattened": (dcp_states.flat, save_unflattened),
    "dcp_file_per_item": (dcp_states.fsdp2, lambda path, state: with_writer(path, state, single_file_per_rank=False)),
    "dcp_threads": (dcp_states.fsdp2, lambda path, state: with_writer(path, state, thread_count=2)),
    "dcp_zstd": (dcp_states.fsdp2, save_zstd),
    "dcp_safetensors": (dcp_states.small, save_safetensors),
    "dcp_no_collectives": (dcp_states.small, save_without_collectives),
    "dcp_overwritten": (dcp_states.small, save_twice),
    "dcp_async": (dcp_states.small, save_async),
    "dtensor_per_rank": (dcp_states.hsdp, save_per_rank),
    "dtensor_per_rank_fsdp": (dcp_states.fsdp2, save_per_rank),
    "dtensor_per_rank_fsdp_tp": (dcp_states.fsdp_tp, save_per_rank),
    "dtensor_per_rank_small": (dcp_states.strided, save_per_rank),
    "dtensor_per_rank_uneven": (dcp_states.uneven, save_per_rank),
    "dtensor_verl": (dcp_states.fsdp2, save_verl),
    "sharded_tensor_per_rank": (dcp_states.sharded_tensors, save_per_rank),
    "dtensor_replicated": (dcp_states.replicated, save_one_file),
    "hf_dcp_sharded": (dcp_states.hugging_face, save_hugging_face),
    "hf_dcp_consolidated": (dcp_states.hugging_face, save_hugging_face_consolidated),
}


def worker(rank: int, out: str, rendezvous: str, names: list[str], failed) -> None:
    torch.set_num_threads(1)
    dist.init_process_group("gloo", init_method=f"file://{rendezvous}", rank=rank, world_size=RANKS)
    for name in names:
        state_of, save_with = RANKED[name]
        try:
            folder = folder_name(name).split("/")[0]
            save_with(Path(out) / name / folder, state_of())
        except Exception as error:
            print(f"rank {rank} {name}: {type(error).__name__}: {error}", flush=True)
            failed[RANKED_ORDER.index(name)] = 1
        dist.barrier()
    dist.destroy_process_group()


RANKED_ORDER = list(RANKED)


def folder_name(name: str) -> str:
    return {"dcp_torchtitan": "step-20", "dtensor_replicated": "checkpoint/model.pt"}.get(name, "checkpoint")


def write_with_ranks(out: Path, wanted: list[str]) -> list[str]:
    """Starts the ranks once for every case among `wanted` that needs them; returns the cases that failed."""
    names = [name for name in RANKED if name in wanted]
    if not names:
        return []
    failed = mp.get_context("spawn").Array("i", len(RANKED))
    rendezvous = out / ".rendezvous"
    rendezvous.unlink(missing_ok=True)
    mp.spawn(worker, (str(out), str(rendezvous), names, failed), nprocs=RANKS)
    rendezvous.unlink(missing_ok=True)
    return [name for name, bad in zip(RANKED_ORDER, failed) if bad]


def register_ranked() -> None:
    facts = {"dcp_fsdp2": dict(weights="model.", step=2), "dcp_hsdp": dict(weights="model.", step=2),
             "dcp_torchtitan": dict(step=20), "dcp_zstd": dict(weights="model.", step=2),
             "hf_dcp_sharded": dict(weights=""), "hf_dcp_consolidated": dict(weights="")}
    loaders = {"dcp_safetensors": load_twin, "dcp_no_collectives": load_twin,
               "dtensor_replicated": load_twin, "dtensor_verl": load_twin, "sharded_tensor_per_rank": load_twin,
               **{name: load_twin for name in RANKED if name.startswith("dtensor_per_rank")},
               "hf_dcp_sharded": load_hugging_face, "hf_dcp_consolidated": load_hugging_face}
    for name in RANKED:
        hint = {"hf": "safetensors|hf|hugging", "dcp": "dcp", "dtensor": "torch|dtensor|rank", "sharded": "rank"}[name.split("_")[0]]
        case(name, hint, loaders.get(name, load_dcp), **facts.get(name, {}))(
            lambda folder: folder / folder_name(folder.name))


register_ranked()


@case("dcp_single", "dcp", load_dcp, step=5)
def single(folder: Path) -> Path:
    save(folder / "checkpoint", dcp_states.plain(), no_dist=True)
    return folder / "checkpoint"


@case("dcp_dtypes", "dcp", load_dcp)
def dtypes(folder: Path) -> Path:
    from torch_files import NARROW, PLAIN, name_of, random

    state = {name_of(dtype): random((3, 4), dtype) for dtype in PLAIN + NARROW if dtype != torch.float4_e2m1fn_x2}
    save(folder / "checkpoint", state, no_dist=True)
    return folder / "checkpoint"


@case("dcp_strided", "dcp", load_dcp)
def strided(folder: Path) -> Path:
    base = torch.arange(60, dtype=torch.float32).reshape(6, 10)
    tied = torch.nn.Parameter(torch.ones(3, 3))
    state = {"transposed": base.t(), "column": base[:, 4], "steps": base[::2, 1:8:3], "expanded": torch.ones(3, 1).expand(3, 5),
             "channels_last": torch.arange(120.0).reshape(2, 3, 4, 5).contiguous(memory_format=torch.channels_last),
             "slice_of_large": torch.arange(5000.0)[100:103], "tied.a": tied, "tied.b": tied, "scalar": torch.tensor(4.5),
             "empty": torch.empty(0, 4), "half": base.half().t()}
    save(folder / "checkpoint", state, no_dist=True)
    return folder / "checkpoint"


@case("hf_dcp_single", "safetensors|hf|hugging", load_hugging_face, weights="")
def hugging_face_single(folder: Path) -> Path:
    from torch.distributed.checkpoint import HuggingFaceStorageWriter

    state = dcp_states.plain()["model"]
    writer = HuggingFaceStorageWriter(str(folder / "checkpoint"), {name: 1 + i % 2 for i, name in enumerate(sorted(state))})
    dcp.save(state, storage_writer=writer, no_dist=True)
    return folder / "checkpoint"
