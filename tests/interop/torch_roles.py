# SPDX-License-Identifier: Apache-2.0
"""`torch.save` files in which a tensor's role only follows from the values around it. The fact `roles` gives the role of each tensor
by the beginning of its name ("model": weight or buffer); the longest match is used."""

from __future__ import annotations

import functools
import warnings
from pathlib import Path

import torch

from oracle import Oracle
from registry import case
from tiny_models import TinyTransformer, trained


def stepped() -> tuple[torch.nn.Module, torch.optim.Optimizer, object]:
    torch.manual_seed(21)
    model, optimizer, scheduler, _ = trained(TinyTransformer(tied=True), 2)
    return model, optimizer, scheduler


def average_of(model: torch.nn.Module) -> torch.nn.Module:
    average = torch.optim.swa_utils.AveragedModel(model, multi_avg_fn=torch.optim.swa_utils.get_ema_multi_avg_fn(0.9))
    average.update_parameters(model)
    return average


def saved(folder: Path, state: object, **options) -> Path:
    torch.save(state, folder / "saved.pt", **options)
    return folder / "saved.pt"


def register_optimizers() -> None:
    for name, legacy in (("torch_roles_optimizer_alone", False), ("torch_roles_optimizer_alone_legacy", True)):
        @case(name, "torch", roles={"": "optimizer"})
        def alone(folder: Path, legacy: bool = legacy) -> Path:
            return saved(folder, stepped()[1].state_dict(), _use_new_zipfile_serialization=not legacy)


register_optimizers()


@case("torch_roles_optimizers_of_any_name", "torch", epoch=5,
      roles={"netG.": "model", "netD.": "model", "optG.": "optimizer", "state.": "optimizer", "last": "optimizer"})
def any_name(folder: Path) -> Path:
    model, optimizer, _ = stepped()
    other, second, _ = stepped()
    state = {"netG": model.state_dict(), "netD": other.state_dict(), "optG": optimizer.state_dict(),
             "state": {"optimizers": {"DecoupledAdamW": second.state_dict()}}, "last": [{"deep": optimizer.state_dict()}], "epoch": 5}
    return saved(folder, state)


@case("torch_roles_tuple", "torch", roles={"0.": "model", "1.": "optimizer"})
def pair(folder: Path) -> Path:
    model, optimizer, _ = stepped()
    return saved(folder, (model.state_dict(), optimizer.state_dict()))


def load_objects(path: Path, oracle: Oracle) -> None:
    """The optimizer's tensors under the numbers in its state_dict()."""
    state = torch.load(path, weights_only=False)
    for name, value in state.items():
        if isinstance(value, torch.optim.Optimizer):
            oracle.add(f"{name}.state", value.state_dict()["state"])
            oracle.opaque.append(name)
        elif isinstance(value, torch.optim.lr_scheduler.LRScheduler):
            oracle.opaque.append(name)
        else:
            oracle.add(name, value)


@case("torch_roles_objects", "torch", load_objects, epoch=2,
      roles={"optimizer.": "optimizer", "model.": "model", "two_groups.": "optimizer", "sched.": "optimizer"})
def objects(folder: Path) -> Path:
    """Whole objects; the optimizer, whose state is keyed by parameters, before the model that they belong to."""
    model, optimizer, scheduler = stepped()
    parameters = list(model.parameters())
    turned = torch.optim.SGD([{"params": parameters[3:]}, {"params": parameters[:3], "lr": 0.1}], lr=0.2, momentum=0.9)
    turned.step()
    return saved(folder, {"optimizer": optimizer, "model": model, "two_groups": turned, "sched": scheduler, "epoch": 2})


@case("torch_roles_averages", "torch", step=9,
      roles={"model.": "model", "params_ema.": "ema", "swa_model.": "ema", "swa_model.n_averaged": "training_state", "model_avg.": "ema",
             "best_acc1": "training_state", "losses": "training_state", "dino_loss.": "training_state", "message_hub.": "training_state", "logit_scale": "model"})
def averages(folder: Path) -> Path:
    model, _, _ = stepped()
    average = average_of(model)
    state = {"model": model.state_dict(), "params_ema": average.module.state_dict(), "swa_model": average.state_dict(),
             "model_avg": average.module.state_dict(), "step": 9, "best_acc1": torch.tensor(70.5), "losses": torch.ones(9),
             "dino_loss": {"center": torch.zeros(1, 4)}, "message_hub": {"log_scalars": {"loss": torch.arange(4.0)}},
             "logit_scale": torch.tensor(4.6)}
    return saved(folder, state)


@case("torch_roles_average_inside", "torch", epoch=3, step=40,
      roles={"state_dict.model.": "model", "state_dict.model_ema.": "ema"})
def average_inside(folder: Path) -> Path:
    """Diffusion models: the average is a module of the model, with the dots removed from its names."""
    model, _, _ = stepped()
    weights = {f"model.diffusion_model.{name}": value for name, value in model.state_dict().items()}
    names = dict(model.named_parameters())
    average = {f"model_ema.{('diffusion_model.' + name).replace('.', '')}": value.detach() * 0.5 for name, value in names.items()}
    counters = {"model_ema.decay": torch.tensor(0.99), "model_ema.num_updates": torch.tensor(3, dtype=torch.int32)}
    return saved(folder, {"state_dict": weights | counters | average, "epoch": 3, "global_step": 40})


@case("torch_roles_average_alone", "torch", roles={"ema.": "model", "optimizer.": "optimizer"})
def average_alone(folder: Path) -> Path:
    model, optimizer, _ = stepped()
    return saved(folder, {"model": None, "ema": average_of(model).module.state_dict(), "optimizer": optimizer.state_dict()})


@case("torch_roles_inside_a_model", "torch", roles={"": "model"})
def inside_a_model(folder: Path) -> Path:
    """In a file with only a model, names such as average, loss or state belong to the model."""
    names = ("quantizer.ema_w", "quantizer.embed_avg", "loss.weight", "best_loss", "state.w", "norm.running_mean", "w")
    return saved(folder, {name: torch.full((3, 2), float(i)) for i, name in enumerate(names)})


def load_quantized(path: Path, oracle: Oracle) -> None:
    oracle.opaque += ["0", "1"]  # names inside the packed objects are chosen by the reader
    assert torch.load(path, weights_only=False)(torch.ones(1, 2, 4))[0].shape == (1, 2, 4)


@case("torch_roles_quantize_dynamic", "torch", load_quantized, roles={"": "model"})
def quantize_dynamic(folder: Path) -> Path:
    torch.manual_seed(22)
    net = torch.nn.Sequential(torch.nn.Linear(4, 4), torch.nn.LSTM(4, 4))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        packed = torch.ao.quantization.quantize_dynamic(net, {torch.nn.Linear, torch.nn.LSTM}, dtype=torch.qint8)
    return saved(folder, packed)


@case("torch_roles_generator", "torch", roles={"model.": "model", "gen.": "rng"})
def generator(folder: Path) -> Path:
    return saved(folder, {"model": stepped()[0].state_dict(), "gen": torch.Generator().manual_seed(3)})


SAME_NAME = {"a.b": ("a", "b"), "a.b@2": ("a.b",)}


def load_dotted(path: Path, oracle: Oracle) -> None:
    state = torch.load(path)
    for name, keys in SAME_NAME.items():
        oracle.add(name, functools.reduce(lambda value, key: value[key], keys, state))


@case("torch_names_with_dots", "torch", load_dotted, roles={"": "model"}, told_apart=SAME_NAME)
def names_with_dots(folder: Path) -> Path:
    """Two paths give one name: the later one gets a suffix."""
    return saved(folder, {"a": {"b": torch.ones(2)}, "a.b": torch.zeros(3)})
