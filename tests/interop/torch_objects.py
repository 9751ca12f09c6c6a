# SPDX-License-Identifier: Apache-2.0
"""`torch.save` files: objects that contain tensors."""

from __future__ import annotations

import argparse
import collections
import copy
import datetime
import pathlib
import pickle
import random
from pathlib import Path

import numpy
import torch

from oracle import Oracle
from registry import case
from tiny_models import TinyTransformer, trained


class RunNotes:
    """A class that is unknown to every reader."""

    def __init__(self) -> None:
        self.title = "notes"
        self.best = 0.5


@case("torch_zip_nested", "torch")
def nested(folder: Path) -> Path:
    state = {
        "a": [{"b": (torch.ones(2), {"c": torch.zeros(3)})}, torch.arange(3)],
        "by_number": {0: torch.tensor([0.0]), 17: torch.tensor([17.0]), -1: torch.tensor([-1.0])},
        "plain": {"int": 5, "big": 2**62, "huge": 10**30, "negative": -(2**40), "float": 0.1, "tiny": 5e-324, "text": "añ\u202e\n",
                  "yes": True, "none": None, "nan": float("nan"), "inf": float("inf"), "list": [1, "two", None, [3.5]], "tuple": (1, 2)},
        "ordered": collections.OrderedDict(x=torch.full((2, 2), 3.0)),
        "defaults": collections.defaultdict(list, {"k": [torch.ones(1)]}), "counts": collections.Counter("aab"),
        "size": torch.Size([2, 3]), "empty_dict": {}, "empty_list": [],
        "parameter": torch.nn.Parameter(torch.randn(2, 3, generator=torch.Generator().manual_seed(0))),
    }
    torch.save(state, folder / "nested.pt")
    return folder / "nested.pt"


@case("torch_zip_module", "torch")
def module(folder: Path) -> Path:
    torch.manual_seed(5)
    torch.save(TinyTransformer(), folder / "model.pth")
    return folder / "model.pth"


@case("torch_zip_module_recurrent", "torch", weights="")
def module_recurrent(folder: Path) -> Path:
    """An LSTM also has its parameters in a list, which is not part of state_dict()."""
    torch.manual_seed(5)
    torch.save(torch.nn.Sequential(torch.nn.LSTM(3, 4, 2, bidirectional=True), torch.nn.GRU(4, 2)), folder / "model.pth")
    return folder / "model.pth"


@case("torch_zip_module_inside", "torch", roles={"model.": "model", "ema.": "ema"})
def module_inside(folder: Path) -> Path:
    torch.manual_seed(5)
    net = torch.nn.Sequential(torch.nn.Conv2d(2, 3, 3), torch.nn.BatchNorm2d(3), torch.nn.ReLU(), torch.nn.Flatten())
    torch.save({"model": net, "epoch": 3, "ema": copy.deepcopy(net).half()}, folder / "last.pt")
    return folder / "last.pt"


@case("torch_legacy_module", "torch")
def legacy_module(folder: Path) -> Path:
    torch.manual_seed(6)
    torch.save(TinyTransformer(tied=True), folder / "model.pt", _use_new_zipfile_serialization=False)
    return folder / "model.pt"


@case("torch_zip_sparse", "torch")
def sparse(folder: Path) -> Path:
    dense = torch.tensor([[0.0, 1.0, 0.0], [2.0, 0.0, 3.0]])
    torch.save({"coo": dense.to_sparse(), "csr": dense.to_sparse_csr(), "csc": dense.to_sparse_csc(), "dense": dense},
               folder / "sparse.pt")
    return folder / "sparse.pt"


@case("torch_zip_unknown_classes", "torch", scan="unknown-class")
def unknown_classes(folder: Path) -> Path:
    state = {
        "args": argparse.Namespace(lr=0.001, layers=4, name="run", nested={"k": [1, 2]}), "notes": RunNotes(),
        "path": pathlib.PurePosixPath("a/b"), "when": datetime.datetime(2026, 1, 2, 3, 4, 5), "weight": torch.arange(6.0),
        "set": {1, 2}, "complex": 1 + 2j, "bytes": b"\x00\xff\x80", "slice": slice(1, 2), "dtype": torch.float16,
        "device": torch.device("cpu"),
    }
    torch.save(state, folder / "objects.pt")
    return folder / "objects.pt"


@case("torch_zip_numpy", "torch")
def numpy_objects(folder: Path) -> Path:
    generator = numpy.random.RandomState(3)
    state = {
        "f64": generator.randn(3, 4), "f16": generator.randn(5).astype("float16"), "i64": numpy.arange(6).reshape(2, 3),
        "u8": numpy.arange(7, dtype="uint8"), "bool": numpy.array([True, False]), "c64": generator.randn(2).astype("complex64"),
        "fortran": numpy.asfortranarray(generator.randn(4, 3)), "big_endian": numpy.arange(5, dtype=">f4"),
        "strided": numpy.arange(20)[::3], "zero_d": numpy.array(2.5), "empty": numpy.empty((0, 3)),
        "scalar": numpy.float64(0.125), "scalar32": numpy.float32(0.5), "scalar_int": numpy.int64(7),
        "rng": numpy.random.RandomState(1).get_state(), "strings": numpy.array(["a", "bc"]),
    }
    torch.save(state, folder / "numpy.pt")
    return folder / "numpy.pt"


@case("torch_zip_numpy_protocol_5", "torch")
def numpy_protocol_5(folder: Path) -> Path:
    state = {"c": numpy.arange(12.0).reshape(3, 4), "fortran": numpy.asfortranarray(numpy.arange(12.0).reshape(3, 4)),
             "scalar": numpy.float64(0.1), "torch": torch.ones(2)}
    torch.save(state, folder / "numpy.pt", pickle_protocol=5)
    return folder / "numpy.pt"


def training_state() -> dict:
    torch.manual_seed(9)
    model, optimizer, scheduler, loss = trained(TinyTransformer(tied=True), 3)
    return {
        "epoch": 7, "global_step": 1234, "loss": loss, "best_accuracy": 0.8125, "args": argparse.Namespace(lr=0.01, batch=4),
        "model": model.state_dict(), "optimizer": optimizer.state_dict(), "scheduler": scheduler.state_dict(),
        "scaler": {"scale": 65536.0, "growth_factor": 2.0, "_growth_tracker": 3},
        "rng": {"torch": torch.get_rng_state(), "numpy": numpy.random.RandomState(2).get_state(),
                "python": random.Random(4).getstate()},
    }


@case("torch_zip_training", "torch", epoch=7, step=1234, weights="model.", scan="inert")
def training(folder: Path) -> Path:
    torch.save(training_state(), folder / "checkpoint.pt")
    return folder / "checkpoint.pt"


def load_files(path: Path, oracle: Oracle) -> None:
    for file in sorted(path.glob("*.pt")):
        oracle.add("" if file.stem == "model" else file.stem, torch.load(file, map_location="cpu", weights_only=False))


@case("torch_files_of_one_save", "torch_folder", load_files, epoch=7, step=1234, weights="", scan="inert")
def files_of_one_save(folder: Path) -> Path:
    state = training_state()
    (folder / "step_1234").mkdir()
    for name in ("model", "optimizer", "scheduler", "scaler"):
        torch.save(state[name], folder / "step_1234" / f"{name}.pt")
    torch.save({"epoch": 7, "global_step": 1234}, folder / "step_1234" / "extra_state.pt")
    return folder / "step_1234"


@case("torch_legacy_training", "torch", epoch=7, step=1234, weights="model.")
def legacy_training(folder: Path) -> Path:
    torch.save(training_state(), folder / "checkpoint.pth.tar", _use_new_zipfile_serialization=False)
    return folder / "checkpoint.pth.tar"


@case("torch_zip_ema", "torch", step=40, weights="model.")
def ema(folder: Path) -> Path:
    torch.manual_seed(10)
    model = TinyTransformer()
    average = torch.optim.swa_utils.AveragedModel(model, multi_avg_fn=torch.optim.swa_utils.get_ema_multi_avg_fn(0.9))
    average.update_parameters(model)
    torch.save({"model": model.state_dict(), "model_ema": average.module.state_dict(), "ema_updates": 1, "step": 40,
                "decay": 0.9}, folder / "ema.pt")
    return folder / "ema.pt"


@case("torch_zip_state_dict", "torch", weights="", scan="inert")
def state_dict(folder: Path) -> Path:
    torch.manual_seed(11)
    torch.save(TinyTransformer(tied=True).state_dict(), folder / "model.pt")
    return folder / "model.pt"


@case("torch_zip_optimizers", "torch", epoch=1)
def optimizers(folder: Path) -> Path:
    state = {"epoch": 1}
    kinds = {"sgd": dict(lr=0.1, momentum=0.9), "Adam": dict(amsgrad=True), "Adafactor": {}, "RMSprop": dict(centered=True), "Adagrad": {}}
    for kind, options in kinds.items():
        torch.manual_seed(3)
        layer = torch.nn.Linear(4, 3)
        optimizer = getattr(torch.optim, "SGD" if kind == "sgd" else kind)(layer.parameters(), **options)
        layer(torch.ones(2, 4)).sum().backward()
        optimizer.step()
        state[kind] = optimizer.state_dict()
    torch.save(state, folder / "optimizers.pt")
    return folder / "optimizers.pt"


@case("torch_zip_subclass", "torch")
def subclass(folder: Path) -> Path:
    """Parameters with attributes and buffers pickle through other rebuild functions."""
    marked = torch.arange(4.0)
    marked.note = "attribute"
    parameter = torch.nn.Parameter(torch.ones(2, 2))
    parameter.tag = 5
    torch.save({"marked": marked, "parameter": parameter, "buffer": torch.nn.Buffer(torch.zeros(3)),
                "meta_free": torch.ones(1)}, folder / "subclass.pt")
    return folder / "subclass.pt"


def load_pickle(path: Path, oracle: Oracle) -> None:
    oracle.add("", pickle.loads(path.read_bytes()))


def register_pickles() -> None:
    """`pickle.dump`, as many programs save their networks: each storage is a separate torch.save file inside the pickle."""
    def dumped(protocol: int) -> None:
        @case(f"torch_pickle_dump_{protocol}", "torch", load_pickle, epoch=7, step=1234, weights="model.")
        def write(folder: Path) -> Path:
            square = torch.arange(24.0).reshape(4, 6)
            state = training_state() | {
                "views": {"slice": square[1:3, 2:5], "turned": square.t(), "conj": torch.ones(2, dtype=torch.complex64).conj()},
                "narrow": {"bf16": square.bfloat16(), "empty": torch.empty(0, 2)},
                "quantized": torch.quantize_per_tensor(square, 0.5, 3, torch.quint8), "array": numpy.arange(3.0),
                "large": {"tensor": torch.arange(70_000.0), "array": numpy.arange(50_000.0), "bytes": bytes(range(256)) * 300},
            }
            (folder / "network.pkl").write_bytes(pickle.dumps(state, protocol=protocol))
            return folder / "network.pkl"

    for protocol in (2, 5):
        dumped(protocol)


register_pickles()
