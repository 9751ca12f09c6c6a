# SPDX-License-Identifier: Apache-2.0
"""Training histories in binary files and stores: TensorBoard, W&B offline, MLflow. Each is written by its own writer;
the result of its own reader is the expectation.

    histories_binary.py FOLDER [GLOB]     writes the cases, each with `<case>.oracle`

An oracle is text, one line per fact, fields separated by tabs, floats as Python's float.hex() (exact), `nan`, `inf`, `-inf`:
    file    <path of the case's file or folder, relative to the oracle>
    point   <metric> <step> <value> <wall, seconds>      in the order of the file
    setting <dotted key> <JSON>
"""

from __future__ import annotations

import fnmatch
import importlib.util
import io
import json
import math
import os
import shutil
import sys
from dataclasses import dataclass, field
from pathlib import Path
from typing import Callable

os.environ.setdefault("WANDB_MODE", "offline")
os.environ.setdefault("WANDB_SILENT", "true")
os.environ.setdefault("WANDB_ERROR_REPORTING", "false")
os.environ.setdefault("MLFLOW_ALLOW_FILE_STORE", "true")  # refused by default since 3.13, but common on clusters
os.environ.setdefault("MLFLOW_DISABLE_TELEMETRY", "true")
os.environ.setdefault("DO_NOT_TRACK", "true")
os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
os.environ.setdefault("TF_ENABLE_ONEDNN_OPTS", "0")
os.environ.setdefault("CUDA_VISIBLE_DEVICES", "")

Points = list[tuple[int, float, float]]  # step, value, wall


@dataclass
class Facts:
    curves: dict[str, Points] = field(default_factory=dict)
    settings: dict[str, object] = field(default_factory=dict)

    def add(self, name: str, step: int, value: float, wall: float) -> None:
        self.curves.setdefault(name, []).append((int(step), float(value), float(wall)))

    def write(self, file: Path, read: str) -> None:
        lines = [f"file\t{read}"]
        for name, points in self.curves.items():
            lines += [f"point\t{name}\t{step}\t{exact(value)}\t{exact(wall)}" for step, value, wall in points]
        lines += [f"setting\t{key}\t{json.dumps(value)}" for key, value in sorted(self.settings.items())]
        file.write_text("\n".join(lines) + "\n")


def exact(value: float) -> str:
    return value.hex() if math.isfinite(value) else repr(float(value))


@dataclass
class History:
    name: str
    kind: str  # id of Cairn's reader
    write: Callable[[Path], Path]  # folder -> the file, or the folder of a store
    read: Callable[[Path], Facts]
    needs: str = ""  # a package that requirements.txt omits because of its size; the files in tests/data are used instead


CASES: dict[str, History] = {}


def case(kind: str, read: Callable[[Path], Facts], needs: str = ""):
    def register(function: Callable[[Path], Path]) -> Callable[[Path], Path]:
        CASES[function.__name__] = History(function.__name__, kind, function, read, needs)
        return function

    return register


# --- TensorBoard -----------------------------------------------------------------------------------------------------


def read_tensorboard(path: Path) -> Facts:
    """EventAccumulator's scalars and one-element tensors; nothing is purged."""
    from tensorboard.backend.event_processing import event_accumulator
    from tensorboard.plugins.hparams import plugin_data_pb2

    tensor_pb2, make_ndarray = tensor_tools()

    accumulator = event_accumulator.EventAccumulator(
        str(path), size_guidance=dict.fromkeys(event_accumulator.DEFAULT_SIZE_GUIDANCE, 0), purge_orphaned_data=False)
    accumulator.Reload()
    facts = Facts()
    tags = accumulator.Tags()
    for tag in tags["scalars"]:
        for event in accumulator.Scalars(tag):
            facts.add(tag, event.step, event.value, event.wall_time)
    for tag in tags["tensors"]:
        known = accumulator.summary_metadata.get(tag)
        if known is not None and known.plugin_data.plugin_name not in ("", "scalars"):
            continue
        for event in accumulator.Tensors(tag):
            array = make_ndarray(tensor_pb2.TensorProto.FromString(event.tensor_proto.SerializeToString()))
            if array.size == 1 and array.dtype.name in SCALAR_DTYPES:
                facts.add(tag, event.step, array.item(), event.wall_time)
    for metadata in accumulator.summary_metadata.values():
        if metadata.plugin_data.plugin_name == "hparams":
            data = plugin_data_pb2.HParamsPluginData.FromString(metadata.plugin_data.content)
            for key, value in data.session_start_info.hparams.items():
                facts.settings[key] = getattr(value, value.WhichOneof("kind"))
    return facts


def tensor_tools():
    """TensorFlow's if it is installed: TensorBoard's does not support bfloat16."""
    try:
        from tensorflow import make_ndarray
        from tensorflow.core.framework import tensor_pb2
    except ImportError:
        from tensorboard.compat.proto import tensor_pb2
        from tensorboard.util.tensor_util import make_ndarray
    return tensor_pb2, make_ndarray


SCALAR_DTYPES = {"float16", "bfloat16", "float32", "float64", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64",
                 "bool"}


def only_event_file(folder: Path) -> Path:
    """The one event file below a folder, renamed without host and process."""
    (file,) = folder.rglob("events.out.tfevents.*")
    return file.rename(file.parent / ("events.out.tfevents.1700000000.host.1.0" + (".v2" if file.name.endswith(".v2") else "")))


@case("tensorboard", read_tensorboard)
def tensorboard_torch(folder: Path) -> Path:
    """SummaryWriter: simple_value, non-finite values, a decreasing step, and pictures and histograms in between."""
    import torch
    from torch.utils.tensorboard import SummaryWriter

    with SummaryWriter(str(folder)) as writer:
        for step in range(40):
            writer.add_scalar("train/loss", 2.5 / (step + 1), step, walltime=1.7e9 + step * 0.25)
            if step % 10 == 0:
                writer.add_scalar("eval/loss", [0.1, float("nan"), float("inf"), float("-inf")][step // 10], step)
                writer.add_histogram("weights", torch.arange(64.0), step)
                writer.add_image("picture", torch.full((3, 8, 8), step / 40), step)
                writer.add_text("note", "plain **text**", step)
        for step in range(30, 45):
            writer.add_scalar("train/loss", 1 / 3, step, walltime=1.7e9 + 100 + step)
    return only_event_file(folder)


@case("tensorboard", read_tensorboard)
def tensorboard_torch_tensors(folder: Path) -> Path:
    """new_style: scalars as tensors; double_precision: as 64-bit ones."""
    from torch.utils.tensorboard import SummaryWriter

    with SummaryWriter(str(folder)) as writer:
        for step in range(20):
            writer.add_scalar("loss", 1 / (step + 3), step, new_style=True)
            writer.add_scalar("loss64", 1 / (step + 3), step, new_style=True, double_precision=True)
    return only_event_file(folder)


@case("tensorboard", read_tensorboard)
def tensorboard_torch_hparams(folder: Path) -> Path:
    """add_hparams: settings of a session, and its result as a scalar, in a separate folder."""
    from torch.utils.tensorboard import SummaryWriter

    with SummaryWriter(str(folder / "parent")) as writer:
        writer.add_hparams({"lr": 1e-3, "batch": 32, "optimizer": "adamw", "amp": True}, {"hparam/accuracy": 0.875}, run_name="one")
    file = only_event_file(folder / "parent" / "one")
    shutil.move(file, folder / file.name)
    shutil.rmtree(folder / "parent")
    return folder / file.name


@case("tensorboard", read_tensorboard, needs="tensorflow")
def tensorboard_tf2(folder: Path) -> Path:
    """TensorFlow's own summary writer: everything is a tensor; the plugin of a tag's first value gives its kind."""
    import tensorflow as tf

    writer = tf.summary.create_file_writer(str(folder))
    with writer.as_default():
        for step in range(30):
            tf.summary.scalar("epoch_loss", math.exp(-step / 7), step=step)
            tf.summary.scalar("zero", 0.0, step=step)  # an all-default tensor
            if step % 10 == 0:
                tf.summary.histogram("kernel", tf.range(32.0), step=step)
                tf.summary.image("picture", tf.zeros((1, 8, 8, 3)), step=step)
                tf.summary.text("note", "hello", step=step)
                tf.summary.scalar("broken", [float("nan"), float("inf"), float("-inf")][step // 10], step=step)
    writer.close()
    return only_event_file(folder)


@case("tensorboard", read_tensorboard, needs="tensorflow")
def tensorboard_tf1(folder: Path) -> Path:
    """TensorFlow 1's FileWriter: several values in one event, a session start in the middle."""
    import tensorflow as tf
    from tensorflow.core.util import event_pb2

    with tf.Graph().as_default():
        writer = tf.compat.v1.summary.FileWriter(str(folder))
        for step in range(12):
            summary = tf.compat.v1.Summary()
            summary.value.add(tag="loss", simple_value=1 / (step + 1))
            summary.value.add(tag="picture").image.encoded_image_string = b"\x89PNG" + bytes(300)
            summary.value.add(tag="lr", simple_value=1e-3)
            writer.add_summary(summary, step)
            if step == 7:
                writer.add_session_log(event_pb2.SessionLog(status=event_pb2.SessionLog.START), 5)
        writer.close()
    return only_event_file(folder)


@case("tensorboard", read_tensorboard, needs="tensorflow")
def tensorboard_dtypes(folder: Path) -> Path:
    """One-element tensors of every number type, in tensor_content and in the typed fields, of rank 0 to 2; and values that are not scalars."""
    import numpy as np
    import tensorflow as tf
    from tensorboard.compat.proto import event_pb2, summary_pb2, tensor_pb2
    from tensorboard.plugins.scalar import metadata as scalar_metadata
    from tensorboard.summary.writer.event_file_writer import EventFileWriter

    writer = EventFileWriter(str(folder))

    def add(tag: str, tensor, step: int, plugin: bool) -> None:
        copy = tensor_pb2.TensorProto.FromString(tensor.SerializeToString())
        value = summary_pb2.Summary.Value(tag=tag, tensor=copy)
        if plugin:
            value.metadata.CopyFrom(scalar_metadata.create_summary_metadata(tag, ""))
        writer.add_event(event_pb2.Event(wall_time=1.7e9 + step, step=step, summary=summary_pb2.Summary(value=[value])))

    for name in sorted(SCALAR_DTYPES):
        dtype = tf.as_dtype(name)
        for step, number in enumerate([0, 1, 5, 101] + ([-3] if not name.startswith(("u", "b")) or name == "bfloat16" else [])):
            array = np.array(number).astype(dtype.as_numpy_dtype)
            add(f"content/{name}", tensor_of(array, dtype, typed=False), step, step == 0)
            add(f"typed/{name}", tensor_of(array, dtype, typed=True), step, True)
            add(f"rank2/{name}", tensor_of(array.reshape(1, 1), dtype, typed=step % 2 == 0), step, False)
    add("pair", tf.make_tensor_proto([1.0, 2.0]), 0, False)
    add("words", tf.make_tensor_proto("text"), 0, False)
    add("empty", tf.make_tensor_proto(np.zeros((0, 3), np.float32)), 0, False)
    writer.close()
    return only_event_file(folder)


def tensor_of(array, dtype, typed: bool):
    """make_tensor_proto chooses one of the two fields; this forces one."""
    import tensorflow as tf
    from tensorflow.core.framework import tensor_pb2

    if typed:
        return tf.make_tensor_proto(array.tolist() if dtype not in (tf.bfloat16,) else array.astype("float32").tolist(), dtype=dtype,
                                    shape=array.shape)
    proto = tensor_pb2.TensorProto(dtype=dtype.as_datatype_enum, tensor_content=array.tobytes())
    for extent in array.shape:
        proto.tensor_shape.dim.add().size = extent
    return proto


@case("tensorboard", read_tensorboard)
def tensorboard_restarts(folder: Path) -> Path:
    """Two writers alternating in one file, and one that was restarted: points keep the order of the file."""
    from torch.utils.tensorboard import SummaryWriter

    for number in range(2):
        with SummaryWriter(str(folder / str(number))) as writer:
            for step in range(60):
                writer.add_scalar("loss", number * 1000 + 1 / (step + 1), step, walltime=1.7e9 + step)
    from tensorboard.backend.event_processing.event_file_loader import RawEventFileLoader

    first, second = (only_event_file(folder / str(number)) for number in range(2))
    records = [[framed(event) for event in RawEventFileLoader(str(file)).Load()] for file in (first, second)]
    joined = folder / first.name
    joined.write_bytes(b"".join(a + b for a, b in zip(*records)) + b"".join(records[0][-5:]))
    for number in range(2):
        shutil.rmtree(folder / str(number))
    return joined


def framed(event: bytes) -> bytes:
    from tensorboard.summary.writer.record_writer import RecordWriter

    buffer = io.BytesIO()
    RecordWriter(buffer).write(event)
    return buffer.getvalue()


# --- W&B -------------------------------------------------------------------------------------------------------------


def scan_wandb(path: Path):
    from wandb.proto import wandb_internal_pb2
    from wandb.sdk.internal import datastore

    store = datastore.DataStore()
    store.open_for_scan(str(path))
    while (data := store.scan_data()) is not None:
        yield wandb_internal_pb2.Record.FromString(data)
    store.close()


def key_of(item) -> str:
    return item.key or ".".join(item.nested_key)


def read_wandb(path: Path) -> Facts:
    """DataStore's scan and W&B's own messages."""
    facts = Facts()
    for record in scan_wandb(path):
        if record.HasField("history"):
            row = {key_of(item): json.loads(item.value_json) for item in record.history.item}
            step = row.pop("_step", record.history.step.num)
            wall = row.pop("_timestamp", float("nan"))
            row.pop("_runtime", None)
            for key, value in row.items():
                for name, number in numbers_of(key, value):
                    facts.add(name, step, number, wall)
        for config in [record.config] if record.HasField("config") else [record.run.config] if record.HasField("run") else []:
            for item in config.update:
                if not key_of(item).startswith("_wandb"):
                    for key, value in leaves_of(key_of(item), json.loads(item.value_json)):
                        facts.settings[key] = value
    return facts


def numbers_of(key: str, value: object):
    """Numbers, including those within dicts, but not values that W&B marks as a picture, a table or a histogram."""
    if isinstance(value, dict):
        if "_type" not in value:
            for inner, part in value.items():
                yield from numbers_of(f"{key}.{inner}", part)
    elif isinstance(value, (int, float)) and not isinstance(value, bool):
        yield key, value


def leaves_of(key: str, value: object):
    if isinstance(value, dict) and value:
        for inner, part in value.items():
            yield from leaves_of(f"{key}.{inner}", part)
    else:
        yield key, value


def run_wandb(folder: Path, name: str, config: dict, log: Callable) -> Path:
    import wandb

    settings = wandb.Settings(host="host", username="user", email="", root_dir=str(folder), disable_git=True, disable_code=True,
                              save_code=False, console="off", program="train.py", x_disable_stats=True, x_disable_meta=True,
                              x_disable_machine_info=True)
    run = wandb.init(mode="offline", project="history", id=name, name=name, dir=str(folder), config=config, settings=settings)
    log(run)
    run.finish()
    wandb.teardown()  # the log is complete only when its service has ended
    (file,) = (folder / "wandb").glob(f"offline-run-*-{name}/run-{name}.wandb")
    shutil.move(file, folder / file.name)
    shutil.rmtree(folder / "wandb")
    return folder / file.name


@case("wandb", read_wandb)
def wandb_plain(folder: Path) -> Path:
    def log(run) -> None:
        for step in range(25):
            run.log({"train/loss": 2.5 / (step + 1), "epoch": step / 10, "val": {"acc": step / 25, "deep": {"er": step}}})
        run.log({"train/loss": float("nan"), "grad": float("inf")})
        run.log({"train/loss": float("-inf"), "note": "text", "flag": True})
        run.config.update({"late": [1, 2]})

    return run_wandb(folder, "plain", {"lr": 1e-3, "model": {"width": 64, "name": "tiny"}, "betas": (0.9, 0.95), "none": None}, log)


@case("wandb", read_wandb)
def wandb_blocks(folder: Path) -> Path:
    """Records over several blocks: a histogram, a long text, many keys in one row."""

    def log(run) -> None:
        import numpy as np
        import wandb

        for step in range(4):
            run.log({"loss": 1 / (step + 7), "weights": wandb.Histogram(np.arange(50.0))}, step=step * 10)
            run.log({f"metric/{index:02}": index * step / 7 for index in range(20)}, step=step * 10 + 5)
        run.log({"loss": 0.5, "text": "x" * 18000})

    return run_wandb(folder, "blocks", {}, log)


# --- MLflow ----------------------------------------------------------------------------------------------------------


def mlflow_client(uri: str):
    from mlflow.tracking import MlflowClient

    return MlflowClient(uri)


def write_mlflow(uri: str, runs: int) -> list[str]:
    from mlflow.entities import Metric, Param

    client = mlflow_client(uri)
    experiment = client.create_experiment("history", artifact_location="mlflow-artifacts:/history")
    ids = []
    for number in range(runs):
        run = client.create_run(experiment, run_name=f"run-{number}", start_time=1_700_000_000_000).info.run_id
        ids.append(run)
        points = [Metric("train/loss", 1 / (step + 1 + number), 1_700_000_000_000 + step * 250, step) for step in range(30)]
        points += [Metric("train/loss", 1 / 3, 1_700_000_100_000, step) for step in (20, 21)]  # restarts from an earlier step
        points += [Metric("eval/deep/acc", value, 1_700_000_000_123, step) for step, value in
                   enumerate([0.5, float("nan"), 1e-300, -0.0])]
        points += [Metric("inf", float("inf"), 1_700_000_000_000, 0), Metric("inf", float("-inf"), 1_700_000_000_001, 1)]
        client.log_batch(run, points, [Param("optim/lr", "0.001"), Param("note", "two\nlines"), Param("seed", str(number))])
        client.log_metric(run, "alone", 7, timestamp=1_700_000_000_999, step=-2)
        client.set_terminated(run, end_time=1_700_000_200_000)
    return ids


def facts_of_run(client, run, facts: Facts, prefix: str = "", place: str = "") -> Facts:
    for key in run.data.metrics:
        for metric in client.get_metric_history(run.info.run_id, key):
            # The database stores infinity as the largest double, and its client returns that.
            value = math.copysign(math.inf, metric.value) if abs(metric.value) == sys.float_info.max else metric.value
            facts.add(prefix + key, metric.step, value, metric.timestamp / 1000)
    for key, value in run.data.params.items():
        facts.settings[place + key] = value
    return facts


def read_mlflow_folder(path: Path) -> Facts:
    client = mlflow_client((path.parent.parent).as_uri())
    return facts_of_run(client, client.get_run(path.name), Facts())


def read_mlflow_db(path: Path) -> Facts:
    """With several runs, names have the run's as prefix."""
    copy = path.with_name("copy.db")  # the client upgrades and locks what it opens
    shutil.copy(path, copy)
    try:
        client = mlflow_client(f"sqlite:///{copy}")
        runs = [run for experiment in client.search_experiments() for run in client.search_runs([experiment.experiment_id])]
        facts = Facts()
        for run in runs:
            name = run.info.run_name if len(runs) > 1 else ""
            facts_of_run(client, run, facts, f"{name}/" if name else "", f"{name}." if name else "")
        return facts
    finally:
        for left in path.parent.glob("copy.db*"):
            left.unlink()


@case("mlflow", read_mlflow_folder)
def mlflow_folder(folder: Path) -> Path:
    (run,) = write_mlflow((folder / "mlruns").as_uri(), 1)
    (path,) = (folder / "mlruns").glob(f"*/{run}")
    return path


@case("mlflow_db", read_mlflow_db)
def mlflow_database(folder: Path) -> Path:
    write_mlflow(f"sqlite:///{folder}/mlflow.db", 1)
    return folder / "mlflow.db"


@case("mlflow_db", read_mlflow_db)
def mlflow_database_runs(folder: Path) -> Path:
    write_mlflow(f"sqlite:///{folder}/mlflow.db", 2)
    return folder / "mlflow.db"


# --- All of them -----------------------------------------------------------------------------------------------------


def make(out: Path, wanted: str = "*") -> None:
    out.mkdir(parents=True, exist_ok=True)
    for name, one in CASES.items():
        oracle = out / f"{name}.oracle"
        if not fnmatch.fnmatch(name, wanted) or oracle.exists() or (one.needs and not importlib.util.find_spec(one.needs)):
            continue
        shutil.rmtree(out / name, ignore_errors=True)
        (out / name).mkdir()
        path = one.write(out / name)
        one.read(path).write(oracle, str(path.relative_to(out)))


if __name__ == "__main__":
    make(Path(sys.argv[1]).resolve(), *sys.argv[2:3])
