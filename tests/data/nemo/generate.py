# SPDX-License-Identifier: Apache-2.0
"""Tars as NeMo 1.x writes them (SaveRestoreConnector._make_nemo_file_from_folder: `tarfile.open(x, "w:")`, `add(folder, arcname=".")`).

    python generate.py                                          around torch.save
    venv-megatron/bin/python generate.py distributed            around a torch_dist folder of megatron-core (NLPSaveRestoreConnector)
    python generate.py zarr OLD/zarr_plain OLD/zarr_plain.expected.json   around a zarr folder (tests/interop/megatron_old_folders.py)
"""

import gzip
import io
import json
import sys
import tarfile
import tempfile
from pathlib import Path

import torch

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "interop"))

from oracle import tensor_entry  # noqa: E402

HERE = Path(__file__).resolve().parent


def add(tar, name, data):
    info = tarfile.TarInfo(name)
    info.size = len(data)
    tar.addfile(info, io.BytesIO(data))


def weights(state):
    buffer = io.BytesIO()
    torch.save(state, buffer)
    return buffer.getvalue()


def pack(target, weights, prefix="./"):
    """Like _make_nemo_file_from_folder: folders have their own entries."""
    with tarfile.open(target, "w:") as tar:
        for folder in ("", "model_weights"):
            info = tarfile.TarInfo(prefix + folder if prefix + folder else ".")
            info.type = tarfile.DIRTYPE
            tar.addfile(info)
        add(tar, prefix + "model_config.yaml", b"name: gpt\n")
        for file in sorted(weights.rglob("*")):
            if file.is_file():
                add(tar, f"{prefix}model_weights/{file.relative_to(weights)}", file.read_bytes())


def note(rows):
    known = json.loads((HERE / "expected.json").read_text())
    (HERE / "expected.json").write_text(json.dumps(known | rows, indent=1) + "\n")


def distributed():
    from megatron_folders import Case, free_port, start

    start(0, 1, free_port(), Case())
    from megatron.core import dist_checkpointing

    torch.manual_seed(6)
    state = {"model.embedding.word_embeddings.weight": torch.randn(8, 6), "model.decoder.final_layernorm.weight": torch.randn(5).bfloat16(),
             "model.output_layer.weight": torch.randn(3, 2, 2).half()}
    with tempfile.TemporaryDirectory() as folder:
        sharded = {key: dist_checkpointing.ShardedTensor.from_rank_offsets(key, tensor) for key, tensor in state.items()}
        dist_checkpointing.save(sharded, folder)
        pack(HERE / "distributed.nemo", Path(folder))
        pack(HERE / "distributed_plain.nemo", Path(folder), "")
    rows = {"tensors": {name: [*tensor_entry(tensor).values()] for name, tensor in state.items()}}
    note({"distributed.nemo": rows, "distributed_plain.nemo": rows})


def zarr():
    pack(HERE / "zarr.nemo", next(Path(sys.argv[2]).glob("iter_*")))
    told = json.loads(Path(sys.argv[3]).read_text())["tensors"]
    note({"zarr.nemo": {"tensors": {name: [entry["dtype"], entry["shape"], entry["sha256"]] for name, entry in told.items()}}})


def main():
    torch.manual_seed(5)
    net = torch.nn.Sequential(torch.nn.Linear(6, 4), torch.nn.BatchNorm1d(4), torch.nn.Linear(4, 3)).state_dict()
    half = {name: tensor.half() if tensor.is_floating_point() else tensor for name, tensor in net.items()}
    expected = {}
    with tarfile.open(HERE / "net.nemo", "w:") as tar:
        folder = tarfile.TarInfo("./")
        folder.type = tarfile.DIRTYPE
        tar.addfile(folder)
        add(tar, "./model_config.yaml", b"name: net\ntokenizer:\n  model: nemo:0123_tokenizer.model\n")
        add(tar, "./model_weights.ckpt", weights(net))
        add(tar, "./0123_tokenizer.model", b"x" * 700)
    expected["net.nemo"] = net
    with tarfile.open(HERE / "ranks.nemo", "w:", format=tarfile.PAX_FORMAT) as tar:
        add(tar, "model_config.yaml", b"name: net\n")
        add(tar, "a/" * 60 + "long name of something else", b"1")
        for rank in (0, 1):
            add(tar, f"mp_rank_{rank:02d}/model_weights.ckpt", weights(half))
    expected["ranks.nemo"] = {f"mp_rank_{rank:02d}.{name}": tensor for rank in (0, 1) for name, tensor in half.items()}
    (HERE / "packed.nemo").write_bytes(gzip.compress((HERE / "net.nemo").read_bytes(), mtime=0))  # as the first versions did, by "w:gz"
    expected["packed.nemo"] = net
    rows = {file: {"tensors": {name: [*tensor_entry(tensor).values()] for name, tensor in state.items()}} for file, state in expected.items()}
    note(rows)


if __name__ == "__main__":
    {"": main, "distributed": distributed, "zarr": zarr}[sys.argv[1] if len(sys.argv) > 1 else ""]()
