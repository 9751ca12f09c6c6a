# SPDX-License-Identifier: Apache-2.0
"""Tars as NeMo 1.x writes them (SaveRestoreConnector._make_nemo_file_from_folder: `tar -cf x.nemo -C folder .`)."""

import gzip
import io
import json
import sys
import tarfile
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
    (HERE / "expected.json").write_text(json.dumps(rows, indent=1) + "\n")


if __name__ == "__main__":
    main()
