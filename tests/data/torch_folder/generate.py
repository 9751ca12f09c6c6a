# SPDX-License-Identifier: Apache-2.0
"""Writes a save in several files, like hand-written training loops.

Run with the interop environment: python generate.py   (last made with torch 2.13.0)
python generate.py speechbrain   with speechbrain 1.1.2
python generate.py olmo          with ai2-olmo-core 3.0.0
expected.json: folder -> {"tensors": {name: [dtype, shape, sha256 of the elements]}} as torch loads them; names from the state files
have the file's stem as prefix.
"""
import hashlib
import json
import pathlib
import shutil
import sys

import torch

HERE = pathlib.Path(__file__).resolve().parent


def flat(value, prefix):
    if isinstance(value, torch.Tensor):
        yield prefix, value
    elif isinstance(value, (dict, list)):
        for key, item in value.items() if isinstance(value, dict) else enumerate(value):
            yield from flat(item, f"{prefix}.{key}" if prefix else str(key))


def row(tensor):
    raw = tensor.detach().contiguous().numpy().tobytes()
    return [str(tensor.dtype).removeprefix("torch."), list(tensor.shape), hashlib.sha256(raw).hexdigest()]


def note(name, tensors):
    known = json.loads((HERE / "expected.json").read_text()) if (HERE / "expected.json").exists() else {}
    (HERE / "expected.json").write_text(json.dumps(known | {name: {"tensors": tensors}}, indent=1) + "\n")


def loaded(folder, files):
    """The tensors of each file as torch loads them; those of the model have no prefix."""
    return {name: row(tensor) for stem, file in files.items()
            for name, tensor in flat(torch.load(folder / file, weights_only=True), "" if stem == "model" else stem)}


def speechbrain():
    from speechbrain.nnet.schedulers import NewBobScheduler
    from speechbrain.utils.checkpoints import Checkpointer
    from speechbrain.utils.epoch_loop import EpochCounter

    model = torch.nn.Sequential(torch.nn.Linear(3, 4), torch.nn.BatchNorm1d(4))
    optimizer = torch.optim.Adam(model.parameters())
    epochs = EpochCounter(2)
    checkpointer = Checkpointer(HERE, {"model": model, "optimizer": optimizer, "counter": epochs, "scheduler": NewBobScheduler(0.1)})
    for folder in HERE.glob("CKPT+*"):
        shutil.rmtree(folder)
    for _ in epochs:
        model(torch.randn(5, 3)).square().mean().backward()
        optimizer.step()
    saved = checkpointer.save_checkpoint(meta={"WER": 2.5, "loss": 0.25}, name="2026-11-22+10-00-00+00")
    files = {"model": "model.ckpt", "optimizer": "optimizer.ckpt"}
    note(saved.path.name, loaded(saved.path, files))


def olmo():
    from olmo_core.train.checkpoint import Checkpointer
    from torch.distributed.checkpoint.state_dict import StateDictOptions, get_model_state_dict, get_optimizer_state_dict

    model = torch.nn.Sequential(torch.nn.Linear(3, 2))
    optimizer = torch.optim.AdamW(model.parameters())
    options = StateDictOptions(flatten_optimizer_state_dict=True, cpu_offload=True)

    class TrainModule:
        def state_dict_to_save(self):
            return {"model": get_model_state_dict(model, options=options),
                    "optim": get_optimizer_state_dict(model, optimizer, options=options)}

    model(torch.randn(5, 3)).square().mean().backward()
    optimizer.step()
    folder = HERE / "step40"
    shutil.rmtree(folder, ignore_errors=True)
    state = {"global_step": 40, "epoch": 3, "order": torch.arange(5)}
    Checkpointer(work_dir=pathlib.Path("/tmp")).save(folder, TrainModule(), state)
    names = {name: row(tensor) for name, tensor in flat(TrainModule().state_dict_to_save(), "")}
    note(folder.name, names | {"train_rank0.order": row(state["order"])})


def main():
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
    for stem, state in files.items():
        torch.save(state, folder / f"{stem}.pt")
    note("step_20", loaded(folder, {stem: f"{stem}.pt" for stem in files}))


torch.manual_seed(3)
{"speechbrain": speechbrain, "olmo": olmo}.get(sys.argv[-1], main)()
