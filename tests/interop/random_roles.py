# SPDX-License-Identifier: Apache-2.0
"""Random models whose modules have names that training loops use for their state (scaler, ema, opt, rng, …), saved in
all common containers. The tensors of the model are known: its state_dict().

    CAIRN_CLI=… python random_roles.py 400 [first seed]     prints counts
"""

from __future__ import annotations

import copy
import json
import random
import shutil
import sys
import tempfile
import warnings
from collections import Counter
from pathlib import Path

import torch
import torch.distributed.checkpoint as dcp
from safetensors.torch import load_file, save_file, save_model
from torch.distributed.checkpoint.state_dict import get_model_state_dict, get_optimizer_state_dict

import support

WORDS = ("scaler grad_scaler sampler scheduler lr_scheduler sched ema model_ema ema_model rng rng_state random_state loops args callbacks opt optim "
         "optimizer optimizers opt_state dataloader train_state trainer_state training_args hyper_parameters state app train checkpoint "
         "model module net params state_dict step epoch loss data_sampler key target").split()
PLAIN = "encoder decoder head proj blocks layers embed norm attn mlp backbone fc".split()


class Block(torch.nn.Module):
    """Children, parameters and buffers with any names; forward() is not needed."""

    def __init__(self, maker: random.Random, depth: int) -> None:
        super().__init__()
        for name in names(maker, 1, 3):
            kind = maker.choice(["parameter", "buffer", "child"])
            if kind == "parameter" and depth > 0:
                self.register_parameter(name, torch.nn.Parameter(torch.randn(maker.choice([(3,), (4, 4), (2, 3)]))))
            elif kind == "buffer":
                self.register_buffer(name, maker.choice([torch.randn(4), torch.tensor(7), torch.arange(5)]))
            else:
                self.add_module(name, part(maker, depth - 1))


def names(maker: random.Random, least: int, most: int) -> list[str]:
    every = WORDS if maker.random() < 0.3 else WORDS + PLAIN
    chosen = maker.sample(every, maker.randint(least, most))
    return [name for name in chosen if not hasattr(torch.nn.Module, name)]


def part(maker: random.Random, depth: int) -> torch.nn.Module:
    kind = maker.choice(["linear", "linear", "norm", "sequence", "convolution", "block", "list"])
    if kind == "block" and depth > 0:
        return Block(maker, depth)
    if kind == "norm":
        return torch.nn.BatchNorm1d(4)
    if kind == "convolution":
        return torch.nn.Conv1d(2, 3, 2, bias=maker.random() < 0.5)
    if kind == "sequence":
        return torch.nn.Sequential(torch.nn.Linear(4, 4), torch.nn.ReLU(), torch.nn.LayerNorm(4))
    if kind == "list":
        return torch.nn.ModuleList([torch.nn.Linear(4, 4) for _ in range(maker.randint(1, 3))])
    return torch.nn.Linear(maker.choice([3, 4]), 4)


def model(maker: random.Random) -> torch.nn.Module:
    made = torch.nn.Module()
    while not made.state_dict():
        for name in names(maker, 1, 6):
            made.add_module(name, part(maker, 2))
        if maker.random() < 0.3:
            for name in names(maker, 1, 2):
                if not hasattr(made, name):
                    made.register_parameter(name, torch.nn.Parameter(torch.randn(4, 4)))
    return made


def trained(maker: random.Random, made: torch.nn.Module) -> torch.optim.Optimizer:
    parameters = [each for each in made.parameters() if each.is_floating_point()]
    if not parameters:
        parameters = [torch.nn.Parameter(torch.zeros(1))]
    kinds = [lambda p: torch.optim.AdamW(p), lambda p: torch.optim.SGD(p, 0.1, momentum=0.9), lambda p: torch.optim.SGD(p, 0.1),
             lambda p: torch.optim.Adagrad(p), lambda p: torch.optim.RMSprop(p), lambda p: torch.optim.Adadelta(p)]
    optimizer = maker.choice(kinds)(parameters)
    sum(each.sum() for each in parameters).backward()
    optimizer.step()
    return optimizer


def beside(maker: random.Random, made: torch.nn.Module) -> dict[str, object]:
    """The state that a loop saves with its model."""
    optimizer = trained(maker, made)
    every = {
        maker.choice(["optimizer", "optim", "opt", "optimizer_state_dict", "optG"]): optimizer.state_dict(),
        maker.choice(["lr_scheduler", "scheduler", "sched"]): torch.optim.lr_scheduler.StepLR(optimizer, 2).state_dict(),
        maker.choice(["rng_state", "rng", "torch_rng_state"]): torch.get_rng_state(),
        "scaler": {"scale": torch.tensor(65536.0), "growth_factor": 2.0, "_growth_tracker": 3},
        maker.choice(["ema", "model_ema", "ema_state_dict"]): copy.deepcopy(made.state_dict()),
        "epoch": 3,
        "global_step": 17,
        "args": {"lr": 0.1, "betas": (0.9, 0.99)},
    }
    keys = maker.sample(list(every), maker.randint(1, len(every)))
    maker.shuffle(keys)
    return {key: every[key] for key in keys}


def prefixed(state: dict[str, torch.Tensor], prefix: str) -> dict[str, torch.Tensor]:
    return {prefix + name: tensor for name, tensor in state.items()}


def bare(maker, made, folder):
    torch.save(made.state_dict(), folder / "model.pt")
    return folder / "model.pt", made.state_dict()


def nested(maker, made, folder):
    key = maker.choice(["model", "state_dict", "model_state_dict", "net", "module", "network"])
    items = [(key, made.state_dict())] + list(beside(maker, made).items())
    maker.shuffle(items)
    wrapper = maker.choice(["", "", "", "state", "checkpoint"])
    state = {wrapper: dict(items)} if wrapper else dict(items)
    torch.save(state, folder / "last.ckpt")
    return folder / "last.ckpt", prefixed(made.state_dict(), (wrapper + "." if wrapper else "") + key + ".")


def lightning(maker, made, folder):
    optimizer = trained(maker, made)
    torch.save({"epoch": 1, "global_step": 9, "pytorch-lightning_version": "2.5.0", "state_dict": made.state_dict(),
                "loops": {"fit_loop": {"state_dict": {}, "seen": torch.tensor(9)}},
                "callbacks": {"ModelCheckpoint{'monitor': None}": {"best_model_score": torch.tensor(0.25), "best_model_path": "x"}},
                "optimizer_states": [optimizer.state_dict()], "lr_schedulers": [], "hyper_parameters": {"lr": 0.1}}, folder / "x.ckpt")
    return folder / "x.ckpt", prefixed(made.state_dict(), "state_dict.")


def open_state(maker, made, folder):
    """The model's keys and the loop's in one dict, like torchtitan."""
    own = made.state_dict()
    for key in [key for key in own if "." not in key]:
        return bare(maker, made, folder)
    state = dict(own, optimizer=trained(maker, made).state_dict(), train_state={"step": torch.tensor(3)}, epoch=2)
    torch.save(state, folder / "open.pt")
    return folder / "open.pt", own


def safetensors_file(maker, made, folder):
    if maker.random() < 0.3:
        save_model(made, str(folder / "model.safetensors"))
    else:
        save_file(made.state_dict(), folder / "model.safetensors", metadata=maker.choice([None, {"format": "pt"}]))
    return folder / "model.safetensors", made.state_dict()


def hugging_face(maker, made, folder):
    target = folder / "hf"
    target.mkdir()
    own = {name: tensor.clone() for name, tensor in made.state_dict().items()}  # the optimizer steps after the save
    (target / "config.json").write_text(json.dumps({"model_type": "mine", "architectures": ["Mine"]}))
    if maker.random() < 0.4:
        torch.save(own, target / "pytorch_model.bin")
    elif maker.random() < 0.5:
        save_file(own, target / "model.safetensors", metadata={"format": "pt"})
    else:
        half = len(own) // 2 or 1
        shards = [dict(list(own.items())[:half]), dict(list(own.items())[half:])]
        shards = [shard for shard in shards if shard]
        place = {}
        for number, shard in enumerate(shards, 1):
            file = f"model-{number:05}-of-{len(shards):05}.safetensors"
            save_file(shard, target / file, metadata={"format": "pt"})
            place.update(dict.fromkeys(shard, file))
        (target / "model.safetensors.index.json").write_text(json.dumps({"metadata": {"total_size": 1}, "weight_map": place}))
    if maker.random() < 0.5:
        torch.save(trained(maker, made).state_dict(), target / "optimizer.pt")
        torch.save({"step": 3, "rng": torch.get_rng_state()}, target / "rng_state.pth")
    return target, own


def dcp_bare(maker, made, folder):
    dcp.save(made.state_dict(), checkpoint_id=folder / "dcp", no_dist=True)
    return folder / "dcp", made.state_dict()


def dcp_loop(maker, made, folder):
    if not any(each.is_floating_point() for each in made.parameters()):
        return dcp_bare(maker, made, folder)  # torch has no names for the state of its optimizer
    optimizer = trained(maker, made)
    key = maker.choice(["model", "state_dict", "module"])
    own = get_model_state_dict(made)
    state = {key: own, maker.choice(["optim", "optimizer", "opt"]): get_optimizer_state_dict(made, optimizer)}
    if maker.random() < 0.5:
        state |= {"scaler": {"scale": torch.tensor(2.0)}, "rng_state": torch.get_rng_state(), "step": 3}
    wrapper = maker.choice(["", "app"])
    dcp.save({wrapper: state} if wrapper else state, checkpoint_id=folder / "dcp", no_dist=True)
    return folder / "dcp", prefixed(own, (wrapper + "." if wrapper else "") + key + ".")


def dcp_open(maker, made, folder):
    own = made.state_dict()
    if any("." not in key for key in own):
        return dcp_bare(maker, made, folder)
    state = dict(own, optimizer=trained(maker, made).state_dict(), train_state={"step": torch.tensor(3)})
    dcp.save(state, checkpoint_id=folder / "dcp", no_dist=True)
    return folder / "dcp", own


CONTAINERS = (bare, nested, nested, lightning, open_state, safetensors_file, hugging_face, dcp_bare, dcp_loop, dcp_open)


def judge(seed: int) -> tuple[str, str, str]:
    """Container, result ("exact", "warned", "refused" or the error), and details."""
    maker = random.Random(seed)
    torch.manual_seed(seed)
    container = CONTAINERS[seed % len(CONTAINERS)]
    folder = Path(tempfile.mkdtemp(prefix="cairn-roles-"))
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            made = model(maker)
            path, own = container(maker, made, folder)
        output = folder / "out.safetensors"
        answer = support.run("consolidate", path, "-o", output, "--only", "weights", "--json")
        if answer.code != 0:
            return container.__name__, "refused", answer.said()
        report = answer.json
        written = load_file(output)
        doubts = any(problem["code"] == "role-by-name" for problem in report["problems"])
        more = sorted(set(written) - set(own))
        fewer = sorted(set(own) - set(written))
        if more:
            return container.__name__, "MORE than the model", f"{path.name}: {more}"
        if fewer:
            return container.__name__, "warned" if doubts else "FEWER, silently", f"{path.name}: {fewer} of {sorted(own)}"
        different = [name for name in own if not torch.equal(own[name], written[name])]
        return container.__name__, f"DIFFERENT {different}" if different else "exact", ""
    finally:
        shutil.rmtree(folder)


def main() -> int:
    first = int(sys.argv[2]) if len(sys.argv) > 2 else 0
    counts: Counter[tuple[str, str]] = Counter()
    bad = 0
    for seed in range(first, first + int(sys.argv[1])):
        container, outcome, details = judge(seed)
        counts[container, outcome] += 1
        if outcome not in ("exact", "warned"):
            bad += 1
            print(seed, container, outcome, details)
    for (container, outcome), count in sorted(counts.items()):
        print(f"{count:6} {container:18} {outcome}")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
