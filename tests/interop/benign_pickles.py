# SPDX-License-Identifier: Apache-2.0
"""Objects that real frameworks save, in the files that they are saved in. `objects()` makes each kind with random content; a kind
whose package is not installed is left out. `write()` saves one in one of the usual ways, and `load()` is the framework's own
loader, which proves that the file is sound.

python benign_pickles.py FOLDER [COUNT [SEED]] writes them."""

from __future__ import annotations

import argparse
import array
import collections
import contextlib
import dataclasses
import datetime
import decimal
import enum
import fractions
import functools
import http
import importlib
import io
import ipaddress
import itertools
import logging
import os
import pathlib
import pickle
import random
import re
import signal
import string
import sys
import types
import typing
import uuid
import zoneinfo
from pathlib import Path
from typing import Callable

import numpy as np
import torch
import torch.distributed.fsdp
from torch import nn

Kind = Callable[[random.Random], object]
KINDS: dict[str, Kind] = {}


def kind(make: Kind) -> Kind:
    KINDS[make.__name__] = make
    return make


def each(**named: Kind) -> None:
    KINDS.update(named)


def net(r: random.Random) -> nn.Module:
    width = r.randrange(1, 5)
    layers = [nn.Linear(width, width), nn.ReLU(), nn.LayerNorm(width), nn.Dropout(0.1), nn.GELU(), nn.Softmax(-1), nn.Identity(),
              nn.BatchNorm1d(width), nn.Sequential(nn.Linear(width, width), nn.Tanh()), nn.ModuleList([nn.Linear(1, 1)]),
              nn.ParameterList([nn.Parameter(torch.ones(2))]), nn.ModuleDict({"a": nn.SiLU()}), nn.Embedding(3, width), nn.Conv2d(1, 2, 3),
              nn.MultiheadAttention(4, 2), nn.LSTM(2, 3), nn.GRU(2, 3), nn.TransformerEncoderLayer(4, 2), nn.Upsample(scale_factor=2),
              nn.CrossEntropyLoss(), nn.MSELoss(), nn.AdaptiveAvgPool2d(1), nn.MaxPool2d(2), nn.Flatten(), nn.PReLU(), nn.GroupNorm(1, 2),
              nn.ConvTranspose1d(1, 2, 2), nn.Bilinear(1, 1, 1), nn.Hardswish(), nn.TransformerDecoderLayer(4, 2), nn.AvgPool3d(2), nn.LogSoftmax(1)]
    return nn.Sequential(*r.sample(layers, r.randrange(1, 6)))


def weighted(r: random.Random) -> nn.Module:
    module = nn.Sequential(nn.Linear(2, 2), nn.Linear(2, 3))
    return r.choice([nn.utils.parametrizations.weight_norm(module[0]), nn.utils.parametrizations.spectral_norm(module[1]),
                     nn.utils.parametrizations.orthogonal(nn.Linear(2, 2))])


class Activated(nn.Module):
    """Belongs to the program that saves it."""

    def __init__(self, function) -> None:
        super().__init__()
        self.act = function


def with_activation(r: random.Random) -> nn.Module:
    layer = nn.TransformerEncoderLayer(4, 2)
    layer.activation = r.choice([torch.relu, torch.tanh, torch.sigmoid, nn.functional.relu, nn.functional.gelu, nn.functional.silu])
    return layer


def optimizer(r: random.Random) -> torch.optim.Optimizer:
    layer = nn.Linear(2, 2)
    name = r.choice(["SGD", "Adam", "AdamW", "RMSprop", "Adagrad", "Adadelta", "Adamax", "NAdam", "RAdam", "Rprop", "ASGD", "Adafactor"])
    made = getattr(torch.optim, name)([{"params": [layer.weight]}, {"params": [layer.bias], "lr": r.random()}], lr=0.1)
    layer(torch.ones(1, 2)).sum().backward()
    made.step()
    return made


def scheduler(r: random.Random):
    schedulers = torch.optim.lr_scheduler
    with_optimizer = optimizer(r)
    return r.choice([
        lambda: schedulers.StepLR(with_optimizer, 3), lambda: schedulers.CosineAnnealingLR(with_optimizer, 10),
        lambda: schedulers.LambdaLR(with_optimizer, lambda step: 0.5), lambda: schedulers.ReduceLROnPlateau(with_optimizer),
        lambda: schedulers.MultiStepLR(with_optimizer, [1, 2]), lambda: schedulers.ExponentialLR(with_optimizer, 0.9),
        lambda: schedulers.SequentialLR(with_optimizer, [schedulers.ConstantLR(with_optimizer), schedulers.LinearLR(with_optimizer)], [2]),
    ])()


@kind
def training_state(r):
    model, optimizer_ = nn.Linear(2, 2), optimizer(r)
    return {"epoch": r.randrange(9), "model": model.state_dict(), "optimizer": optimizer_.state_dict(), "scheduler": scheduler(r).state_dict(),
            "rng": {"torch": torch.get_rng_state(), "numpy": np.random.RandomState(r.randrange(99)).get_state(), "python": random.Random(1).getstate()},
            "args": argparse.Namespace(lr=r.random(), path=pathlib.Path("a/b"), function=nn.functional.relu), "scaler": torch.amp.GradScaler(enabled=False).state_dict()}


@kind
def dtensor(r):
    from torch.distributed.tensor import DTensor  # noqa: F401  its class is named in such files

    return {"dtype": r.choice([torch.float32, torch.bfloat16, torch.float8_e4m3fn, torch.quint8, torch.int4 if hasattr(torch, "int4") else torch.int8]),
            "device": torch.device(r.choice(["cpu", "cuda:1", "meta"])), "size": torch.Size([1, 2]), "layout": torch.sparse_csr,
            "version": torch.torch_version.TorchVersion("2.0")}


@kind
def tensors(r):
    square = torch.arange(6.0).reshape(2, 3)
    nested = torch.nested.nested_tensor([torch.ones(2), torch.ones(3)], layout=r.choice([torch.jagged, torch.strided]))
    parameter = nn.Parameter(square)
    parameter.note = "x"
    return {"plain": square.t(), "quantized": torch.quantize_per_tensor(square, 0.1, 1, torch.qint8), "sparse": square.to_sparse(),
            "csr": square.to_sparse_csr(), "parameter": parameter, "buffer": nn.Buffer(square), "meta": torch.ones(1, device="meta"),
            "nested": nested, "largest": torch.max(square, 0), "generator": torch.Generator().manual_seed(r.randrange(99)),
            "channel": torch.quantize_per_channel(square, torch.ones(2), torch.zeros(2), 0, torch.qint8), "conj": torch.ones(1, dtype=torch.complex64).conj()}


@kind
def dcp_metadata(r):
    from torch.distributed.checkpoint.filesystem import _StorageInfo
    from torch.distributed.checkpoint.metadata import BytesStorageMetadata, ChunkStorageMetadata, Metadata, MetadataIndex, TensorProperties, TensorStorageMetadata

    tensor = TensorStorageMetadata(TensorProperties(torch.float32), torch.Size([4]), [ChunkStorageMetadata(torch.Size([0]), torch.Size([4]))])
    index = MetadataIndex("w", torch.Size([0]), 0)
    return Metadata({"w": tensor, "b": BytesStorageMetadata()}, {"w": ("w",)}, {index: _StorageInfo("__0_0.distcp", 0, r.randrange(9))})


each(module=net, parametrized=weighted, activation=with_activation, optimizer=optimizer,
     fsdp_enums=lambda r: [r.choice(list(torch.distributed.fsdp.ShardingStrategy)), r.choice(list(torch.distributed.fsdp.StateDictType)),
                           torch.distributed.fsdp.MixedPrecision(param_dtype=torch.bfloat16), torch.distributed.fsdp.FullStateDictConfig()],
     qconfig=lambda r: torch.ao.quantization.get_default_qconfig(r.choice(["fbgemm", "qnnpack", "x86"])),
     quantized_module=lambda r: torch.ao.quantization.quantize_dynamic(nn.Sequential(nn.Linear(2, 2)), {nn.Linear}),
     observed=lambda r: torch.ao.quantization.prepare(_with_qconfig(nn.Sequential(nn.Linear(2, 2), nn.ReLU()))),
     distribution=lambda r: r.choice([torch.distributions.Normal(0.0, 1.0), torch.distributions.Categorical(torch.ones(3)), torch.distributions.Beta(1.0, 2.0)]),
     averaged=lambda r: torch.optim.swa_utils.AveragedModel(nn.Linear(1, 1)), packed=lambda r: nn.utils.rnn.pack_sequence([torch.ones(2), torch.ones(1)]),
     dataset=lambda r: torch.utils.data.Subset(torch.utils.data.TensorDataset(torch.ones(3)), [0]),
     sampler=lambda r: torch.utils.data.RandomSampler([1, 2]), data_loader=lambda r: torch.utils.data.DataLoader([1, 2]),
     data_parallel=lambda r: nn.DataParallel(nn.Linear(1, 1)), scaler=lambda r: torch.amp.GradScaler("cpu"))


def _with_qconfig(module: nn.Module) -> nn.Module:
    module.qconfig = torch.ao.quantization.get_default_qconfig("fbgemm")
    return module.eval()


@kind
def language(r):
    return r.choice([
        lambda: collections.OrderedDict(a=collections.Counter("aab"), b=collections.deque([1], maxlen=3), c=collections.defaultdict(list, {1: [2]})),
        lambda: collections.ChainMap({"a": 1}, {"b": 2}), lambda: collections.UserDict(a=1), lambda: types.SimpleNamespace(a=types.SimpleNamespace()),
        lambda: collections.defaultdict(functools.partial(collections.defaultdict, float), {"a": collections.defaultdict(float)}),
        lambda: [1 + 2j, bytearray(b"x"), frozenset({1}), {1, 2}, slice(1, 2), range(3), Ellipsis, NotImplemented, type(None), int, dict],
        lambda: [ValueError("x", 1), KeyError("k"), OSError(2, "no", "file"), StopIteration(), UnicodeDecodeError("utf-8", b"x", 0, 1, "bad")],
        lambda: [datetime.datetime.now(datetime.timezone.utc), datetime.date.today(), datetime.timedelta(1), datetime.datetime.now(zoneinfo.ZoneInfo("UTC"))],
        lambda: [decimal.Decimal("1.5"), decimal.Context(prec=5), fractions.Fraction(1, 3), uuid.uuid4(), pathlib.Path("x") / "y", pathlib.PureWindowsPath("C:/x")],
        lambda: [http.HTTPStatus.NOT_FOUND, re.IGNORECASE | re.M, re.compile("a+", re.S), signal.SIGTERM, ipaddress.ip_network("10.0.0.0/8"), string.Template("$x")],
        lambda: [typing.Optional[int], typing.List[str], list[int], dict[str, float], typing.Callable[[int], str], typing.Any, int | None, typing.Literal["a"]],
        lambda: [itertools.chain([1], [2]), itertools.cycle([1])],
        lambda: [logging.getLogger("run"), itertools.count(3), iter([1, 2]), array.array("d", [1.0]), random.Random(r.random()), io.BytesIO(b"x"), io.StringIO("x")],
        lambda: {"size": functools.partial(nn.LayerNorm, eps=1e-6), "act": nn.functional.gelu, "loss": nn.functional.cross_entropy, "cls": nn.GELU},
    ])()


@kind
def numpy_objects(r):
    values = np.arange(6.0).reshape(2, 3)
    return r.choice([
        lambda: [values, values.T, values[::2], np.float32(1.5), np.int64(7), np.bool_(True), np.str_("x"), np.datetime64("2020-01-01"), np.complex64(1j)],
        lambda: [np.random.default_rng(r.randrange(99)), np.random.RandomState(1), np.random.Philox(2), np.random.SeedSequence(3), np.random.MT19937(1)],
        lambda: [np.ma.array([1.0, 2.0], mask=[True, False]), np.rec.array([(1, 2.0)], dtype=[("a", "i4"), ("b", "f4")]), np.matrix([[1]])],
        lambda: [np.array([None, "x", {"a": 1}], dtype=object), np.array(["a", "b"]), np.array([b"x"]), np.dtype("f4"), np.dtype([("a", "O")])],
        lambda: [np.log1p, np.poly1d([1, 2]), np.polynomial.Polynomial([1, 2]), np.array(["x"], dtype=np.dtypes.StringDType()), np.float64, np.void(b"ab")],
    ])()


@dataclasses.dataclass
class Settings:
    """Belongs to the program that saves it."""

    rate: float = 0.1
    names: list[str] = dataclasses.field(default_factory=list)
    parts: dict[str, "Settings"] = dataclasses.field(default_factory=dict)


class Phase(enum.Enum):
    TRAIN = "train"
    TEST = "test"


class Level(enum.IntFlag):
    LOW = 1
    HIGH = 2


Point = collections.namedtuple("Point", "x y")


@kind
def own_classes(r):
    return [Settings(r.random(), ["a"], {"b": Settings()}), Phase.TRAIN, Level.LOW | Level.HIGH, Point(1, 2), {Phase.TEST: Settings}, Activated(net).act]


@kind
def transformers_arguments(r):
    import transformers

    return r.choice([
        lambda: transformers.TrainingArguments(output_dir="x", learning_rate=r.random(), report_to=[], use_cpu=True),
        lambda: transformers.LlamaConfig(num_hidden_layers=1), lambda: transformers.GenerationConfig(max_length=3),
        lambda: transformers.TrainerState(global_step=r.randrange(9)), lambda: transformers.BatchEncoding({"input_ids": torch.ones(1)}),
        lambda: transformers.LlamaForCausalLM(transformers.LlamaConfig(hidden_size=8, intermediate_size=8, num_hidden_layers=1, num_attention_heads=2, vocab_size=9)),
        lambda: transformers.BertModel(transformers.BertConfig(hidden_size=8, intermediate_size=8, num_hidden_layers=1, num_attention_heads=2, vocab_size=9)),
    ])()


@kind
def peft_config(r):
    import peft

    return peft.LoraConfig(r=r.randrange(1, 9), target_modules=["q"])


@kind
def lightning_objects(r):
    from lightning.fabric.utilities.data import AttributeDict as Fabric
    from lightning.pytorch.utilities.parsing import AttributeDict

    return {"hyper_parameters": AttributeDict(lr=r.random(), parts=AttributeDict(a=[1])), "fabric": Fabric(a=1)}


@kind
def torchmetrics_objects(r):
    import torchmetrics

    return torchmetrics.MetricCollection([torchmetrics.MeanMetric(), torchmetrics.MeanSquaredError()])


@kind
def accelerate_objects(r):
    from accelerate.utils import DistributedType, FullyShardedDataParallelPlugin  # noqa: F401

    return [r.choice(list(DistributedType))]


@kind
def pydantic_objects(r):
    from compressed_tensors.quantization import QuantizationArgs

    return QuantizationArgs(num_bits=r.choice([4, 8]))


@kind
def frozendict_objects(r):
    import frozendict

    return frozendict.frozendict(a=r.random())


@kind
def lightning_callbacks(r):
    from lightning.pytorch.callbacks import EarlyStopping, LearningRateMonitor, ModelCheckpoint

    return r.choice([ModelCheckpoint(dirpath="x", monitor="loss"), EarlyStopping("loss"), LearningRateMonitor()])


@kind
def dateutil_objects(r):
    import dateutil.tz

    return datetime.datetime.now(r.choice([dateutil.tz.tzutc(), dateutil.tz.tzlocal(), dateutil.tz.tzoffset("x", 3)]))


@kind
def omegaconf_objects(r):
    import omegaconf

    return r.choice([omegaconf.OmegaConf.create({"a": {"b": [1, 2, "${a.c}"], "c": r.random()}}), omegaconf.OmegaConf.create([1, {"x": None}]),
                     omegaconf.OmegaConf.structured(Settings)])


@kind
def pandas_objects(r):
    import pandas

    return r.choice([
        lambda: pandas.DataFrame({"a": [1.0, 2.0], "b": ["x", "y"], "t": pandas.date_range("2020", periods=2)}), lambda: pandas.Series([r.random()], name="s"),
        lambda: [pandas.Timestamp("2020"), pandas.Timedelta(3), pandas.NaT, pandas.NA, pandas.Interval(0, 1), pandas.Period("2020")],
        lambda: pandas.Categorical(["a", "b"]), lambda: pandas.MultiIndex.from_tuples([(1, "a"), (2, "b")]), lambda: pandas.RangeIndex(5),
        lambda: pandas.PeriodIndex(["2020"], freq="Y"), lambda: pandas.interval_range(0, 3), lambda: pandas.to_timedelta([1, 2]),
    ])()


@kind
def sklearn_objects(r):
    import sklearn.cluster
    import sklearn.ensemble
    import sklearn.linear_model
    import sklearn.neighbors
    import sklearn.pipeline
    import sklearn.preprocessing

    x, y = np.random.RandomState(0).rand(12, 2), np.arange(12) % 2
    made = r.choice([
        lambda: sklearn.pipeline.make_pipeline(sklearn.preprocessing.StandardScaler(), sklearn.linear_model.LogisticRegression()),
        lambda: sklearn.ensemble.RandomForestClassifier(3), lambda: sklearn.neighbors.KNeighborsClassifier(2, algorithm="kd_tree"),
        lambda: sklearn.ensemble.GradientBoostingClassifier(n_estimators=2), lambda: sklearn.preprocessing.FunctionTransformer(np.log1p),
        lambda: sklearn.cluster.KMeans(2, n_init=1), lambda: sklearn.neighbors.KNeighborsClassifier(2, algorithm="ball_tree"),
        lambda: sklearn.linear_model.SGDClassifier(), lambda: sklearn.ensemble.HistGradientBoostingClassifier(max_iter=2),
    ])()
    return made.fit(x, y)


@kind
def scipy_objects(r):
    import scipy.interpolate
    import scipy.sparse
    import scipy.spatial

    return [scipy.sparse.csr_matrix(np.eye(2)), scipy.sparse.coo_array(np.eye(2)), scipy.interpolate.interp1d([0, 1], [0, 1]), scipy.spatial.cKDTree(np.eye(2))]


@kind
def jax_objects(r):
    import jax.numpy

    return {"params": {"w": jax.numpy.ones(3), "b": jax.numpy.zeros(1, jax.numpy.bfloat16)}, "step": r.randrange(9)}


@kind
def timm_objects(r):
    import timm

    return timm.create_model(r.choice(["resnet10t", "test_vit", "test_efficientnet", "test_convnext"]), num_classes=2)


@kind
def ml_collections_objects(r):
    import ml_collections

    return ml_collections.ConfigDict({"a": {"b": 1}, "c": [1, 2]})


@kind
def xgboost_objects(r):
    import xgboost

    return xgboost.XGBClassifier(n_estimators=2).fit(np.random.RandomState(0).rand(12, 2), np.arange(12) % 2)


WAYS = ("zip", "zip", "legacy", "pickle2", "pickle4", "pickle5", "python", "joblib", "zip4", "pickle0")


def save(made: object, path: Path, way: str) -> Path:
    """`python` is the pure Python pickler, as programs with their own Pickler use; protocol 0 is that of old programs."""
    if way.startswith("zip") or way == "legacy":
        path = path.with_suffix(".pt")
        torch.save(made, path, _use_new_zipfile_serialization=way != "legacy", pickle_protocol=4 if way == "zip4" else 2)
    elif way == "joblib":
        import joblib

        path = path.with_suffix(".joblib")
        joblib.dump(made, path)
    else:
        path = path.with_suffix(".pkl")
        with open(path, "wb") as out:
            (pickle._Pickler(out, 4) if way == "python" else pickle.Pickler(out, int(way[6:]))).dump(made)
    return path


def load(path: Path) -> object:
    if path.suffix == ".pt":
        return torch.load(path, weights_only=False)
    if path.suffix == ".joblib":
        import joblib

        return joblib.load(path)
    with open(path, "rb") as stream:
        return pickle.load(stream)


MADE, REFUSED, MISSING = 0, 1, 2
# What the processes that make files have from this one, because importing it takes longer than making them. No thread starts.
LARGE = ("transformers", "transformers.models.auto.modeling_auto", "transformers.models.llama.modeling_llama", "transformers.models.bert.modeling_bert",
         "peft", "lightning.pytorch", "torchmetrics", "accelerate.utils", "omegaconf", "pandas", "sklearn.cluster", "sklearn.ensemble", "sklearn.neighbors",
         "sklearn.pipeline", "sklearn.linear_model", "scipy.interpolate", "scipy.spatial", "joblib", "ml_collections", "torch.distributed.checkpoint",
         "torch.ao.quantization")


def make_file(name: str, stem: Path, way: str, seed: str) -> int:
    """In a process of its own, because some frameworks end it: makes the object, saves it, and loads it again."""
    child = os.fork()
    if child != 0:
        return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    quiet = os.open(os.devnull, os.O_RDWR)
    os.dup2(quiet, 1)
    os.dup2(quiet, 2)
    signal.alarm(60)
    outcome = MISSING
    try:
        torch.manual_seed(1)
        made = KINDS[name](random.Random(seed))
        outcome = REFUSED  # from here on a package that is missing is one of this way alone, such as joblib
        load(save(made, stem, way))
        outcome = MADE
    except ImportError:
        pass
    except BaseException:
        outcome = REFUSED
    os._exit(outcome)


def write(folder: Path, count: int, seed: int) -> list[Path]:
    """Files named NUMBER-KIND-WAY. What cannot be pickled in that way, or what its own loader refuses, is left out."""
    for package in LARGE:
        with contextlib.suppress(ImportError):
            importlib.import_module(package)
    written: list[Path] = []
    missing: set[str] = set()
    names = sorted(KINDS)
    for attempt in range(4 * count + 100):
        name = names[attempt % len(names)]
        way = random.Random(f"{seed} {attempt}").choice(WAYS)
        if name in missing or len(written) == count:
            continue
        stem = folder / f"{len(written):04}-{name}-{way}"
        outcome = make_file(name, stem, way, f"{seed} {attempt} content")
        files = sorted(folder.glob(f"{stem.name}.*"))
        if outcome == MADE:
            written += files
            continue
        if outcome == MISSING:
            missing.add(name)
        for leftover in files:
            leftover.unlink()
    if missing:
        print("not installed:", *sorted(missing))
    return written


if __name__ == "__main__":
    sys.modules["benign_pickles"] = sys.modules["__main__"]
    count, seed = (*map(int, sys.argv[2:]), 100, 0)[:2] if len(sys.argv) != 3 else (int(sys.argv[2]), 0)
    os.makedirs(sys.argv[1], exist_ok=True)
    print(len(write(Path(sys.argv[1]), count, seed)), "files")
