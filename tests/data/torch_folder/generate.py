# SPDX-License-Identifier: Apache-2.0
"""Writes a save in several files, as training loops of one's own write it.

Run with the interop environment: python generate.py   (last made with torch 2.13.0)
expected.json: folder -> {"tensors": {name: [dtype, shape, sha256 of the elements]}} as torch loads them, the state files'
names behind their stems.
"""
import hashlib
import json
import pathlib

import torch

HERE = pathlib.Path(__file__).resolve().parent


def flat(value, prefix):
    if isinstance(value, torch.Tensor):
        yield prefix, value
    elif isinstance(value, (dict, list)):
        for key, item in value.items() if isinstance(value, dict) else enumerate(value):
            yield from flat(item, f"{prefix}.{key}" if prefix else str(key))


def main():
    torch.manual_seed(3)
    model = torch.nn.Sequential(torch.nn.Linear(3, 4), torch.nn.BatchNorm1d(4))
    optimizer = torch.optim.AdamW(model.parameters())
    scheduler = torch.optim.lr_scheduler.LinearLR(optimizer)
    for _ in range(2):
        model(torch.randn(5, 3)).square().mean().backward()
        optimizer.step()
        scheduler.step()
    folder = HERE / "step_20"
    folder.mkdir(exist_ok=True)
    files = {"model": model.state_dict(), "optimizer": optimizer.state_dict(), "scheduler": scheduler.state_dict(),
             "extra_state": {"epoch": 2, "global_step": 20}}
    tensors = {}
    for stem, state in files.items():
        torch.save(state, folder / f"{stem}.pt")
        loaded = torch.load(folder / f"{stem}.pt", weights_only=True)
        for name, tensor in flat(loaded, "" if stem == "model" else stem):
            raw = tensor.contiguous().numpy().tobytes()
            tensors[name] = [str(tensor.dtype).removeprefix("torch."), list(tensor.shape), hashlib.sha256(raw).hexdigest()]
    (HERE / "expected.json").write_text(json.dumps({"step_20": {"tensors": tensors}}, indent=1) + "\n")


main()
