# SPDX-License-Identifier: Apache-2.0
"""Writes the torch samples of this folder and of ../torch_legacy, and the tensors that torch loads from them.

Run with the interop environment: python generate.py   (last made with torch 2.13.0, NumPy 2.4, Lightning 2.6)
expected.json: file -> {"tensors": {name: [dtype, shape, sha256 of the elements in C order, little-endian]},
"values": {dotted path: plain value}, "aliases": {name: name of the first}, "framework", "step", "epoch"}.
"""
import argparse
import collections
import copyreg
import hashlib
import io
import json
import os
import pathlib
import pickle
import random
import sys
import warnings
import zipfile

import ml_dtypes  # noqa: F401  names of small types
import numpy as np
import torch
from torch import nn

warnings.filterwarnings("ignore")
HERE = pathlib.Path(__file__).resolve().parent
LEGACY = HERE.parent / "torch_legacy"
torch.manual_seed(7)
np.random.seed(7)
random.seed(7)


def digest(raw):
    return hashlib.sha256(raw).hexdigest()


def raw_tensor(t):
    t = t.detach().resolve_conj().resolve_neg().contiguous()
    if t.dtype == torch.quint4x2:
        return bytes(t.untyped_storage().tolist())
    if t.is_quantized:
        t = t.int_repr()
    if t.numel() == 0:
        return b""
    return t.clone().view(-1).view(torch.uint8).numpy().tobytes() if t.dtype != torch.bool else t.numpy().tobytes()


def describe(t):
    return [str(t.dtype)[6:], list(t.shape), digest(raw_tensor(t))]


def describe_array(a):
    a = np.asarray(a)
    little = a.astype(a.dtype.newbyteorder("<"))
    return [str(a.dtype.newbyteorder("=")), list(a.shape), digest(np.ascontiguousarray(little).tobytes())]


def flatten(value, name, out):
    def put(n, entry):
        out[n or "tensor"] = entry

    def below(key):
        return f"{name}.{key}" if name else str(key)

    if isinstance(value, nn.Module):
        for key, item in list(value.named_parameters(remove_duplicate=False)) + list(value.named_buffers(remove_duplicate=False)):
            put(below(key), describe(item))
    elif type(value).__name__ == "DTensor":
        put(name, describe(value.to_local()))
    elif isinstance(value, torch.Tensor) and value.layout == torch.sparse_coo:
        put(below("indices"), describe(value._indices()))
        put(below("values"), describe(value._values()))
    elif isinstance(value, torch.Tensor) and value.layout == torch.sparse_csr:
        put(below("crow_indices"), describe(value.crow_indices()))
        put(below("col_indices"), describe(value.col_indices()))
        put(below("values"), describe(value.values()))
    elif isinstance(value, torch.Tensor) and value.is_meta:
        pass
    elif isinstance(value, torch.Tensor):
        put(name, describe(value))
        for key, item in vars(value).items():
            flatten(item, below(key), out)
    elif isinstance(value, np.ndarray) and value.dtype != object:
        put(name, describe_array(value))
    elif isinstance(value, (torch.UntypedStorage, torch.storage.TypedStorage)):
        t = torch.tensor([], dtype=getattr(value, "dtype", torch.uint8))
        t.set_(value if isinstance(value, torch.UntypedStorage) else value._untyped_storage)
        put(name, describe(t))
    elif isinstance(value, collections.abc.Mapping):
        for key, item in value.items():
            flatten(item, below(key), out)
    elif isinstance(value, (list, tuple, np.ndarray)):
        for i, item in enumerate(value):
            flatten(item, below(i), out)
    elif isinstance(value, argparse.Namespace):
        flatten(vars(value), name, out)


def expect(path, values=None, aliases=None, **more):
    if path.suffix == ".pkl":
        loaded = pickle.loads(path.read_bytes())
    else:
        loaded = torch.load(path, weights_only=False, map_location="cpu")
    out = {}
    flatten(loaded, "", out)
    return {"tensors": out, "values": values or {}, "aliases": aliases or {}, **more}


EXPECTED = {}
LEGACY_EXPECTED = {}


def keep(name, values=None, aliases=None, folder=HERE, **more):
    path = folder / name
    assert path.stat().st_size < 100_000, path
    (EXPECTED if folder == HERE else LEGACY_EXPECTED)[name] = expect(path, values, aliases, **more)


def save(obj, name, values=None, aliases=None, folder=HERE, more=None, **options):
    torch.save(obj, folder / name, **options)
    keep(name, values, aliases, folder, **(more or {}))


def all_dtypes():
    names = ("float64 float32 float16 bfloat16 int64 int32 int16 int8 uint8 uint16 uint32 uint64 bool complex32 complex64"
             " complex128 float8_e4m3fn float8_e5m2 float8_e4m3fnuz float8_e5m2fnuz float8_e8m0fnu").split()
    raw = torch.arange(192, dtype=torch.uint8)
    out = {}
    for name in names:
        dtype = getattr(torch, name)
        if name == "bool":
            out[name] = torch.tensor([[True, False, True], [False, False, True]])
        else:
            out[name] = raw[: 12 * dtype.itemsize].clone().view(dtype).reshape(3, 4)
    return out


def views():
    base = torch.arange(120, dtype=torch.float32)
    image = torch.randn(2, 3, 4, 5).to(memory_format=torch.channels_last)
    tied = torch.randn(6, 4)
    complex_ = torch.randn(3, 4, dtype=torch.complex64)
    return collections.OrderedDict(
        whole=base, slice=base[10:30], matrix=base[20:44].view(4, 6), transposed=base[20:44].view(4, 6).t(),
        strided=base[5:105:7], expanded=torch.tensor([1.5]).expand(3, 4), channels_last=image, empty=torch.empty(0, 3),
        scalar=torch.tensor(3.25), embed=tied, head=tied.detach(), conj=complex_.conj(), neg=torch.randn(3, 4, dtype=torch.complex64).conj().imag,
        cube=base.view(4, 5, 6).permute(2, 0, 1), empty_view=base[7:7],
    )


def training(model):
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-3)
    scheduler = torch.optim.lr_scheduler.StepLR(optimizer, 10)
    for _ in range(3):
        optimizer.zero_grad()
        model(torch.randn(5, 4)).sum().backward()
        optimizer.step()
        scheduler.step()
    return {
        "model": model.state_dict(),
        "optimizer": optimizer.state_dict(),
        "scheduler": scheduler.state_dict(),
        "epoch": 4,
        "global_step": 1234,
        "loss": 0.125,
        "best": np.float64(0.5),
        "best32": np.float32(0.25),
        "count": np.int64(-7),
        "args": argparse.Namespace(lr=0.001, name="run", dims=[1, 2], out=pathlib.PurePosixPath("/data/out")),
        "rng": {"python": random.getstate(), "numpy": np.random.get_state(), "torch": torch.get_rng_state()[:64].clone()},
        "history": {"train": [1.5, 0.75]},
        "shape": torch.Size([2, 3]),
        "device": torch.device("cuda", 1),
        "dtype": torch.bfloat16,
        "big": 2**80,
        "flag": True,
        "none": None,
        "names": {"b", },
        7: "seven",
    }


def net():
    return nn.Sequential(
        collections.OrderedDict(fc=nn.Linear(4, 3), norm=nn.BatchNorm1d(3), inner=nn.Sequential(nn.Linear(3, 2, bias=False))))


def rezip(source, target, method=zipfile.ZIP_STORED, change=None, reverse=False):
    with zipfile.ZipFile(source) as old, zipfile.ZipFile(target, "w", method) as new:
        names = old.namelist()
        for name in reversed(names) if reverse else names:
            data = old.read(name)
            new.writestr(name, change(name, data) if change else data)


def big_endian():
    torch.save({"a": torch.arange(6, dtype=torch.int32), "c": torch.randn(3, dtype=torch.complex64),
                "b": torch.tensor([1, 2, 3], dtype=torch.uint8)}, HERE / "plain.tmp")
    sizes = {"archive/data/0": 4, "archive/data/1": 4, "archive/data/2": 1}

    def change(name, data):
        key = name.split("/", 1)[1]
        if key == "byteorder":
            return b"big"
        size = sizes.get("archive/" + key)
        if size:
            return b"".join(data[i:i + size][::-1] for i in range(0, len(data), size))
        return data

    rezip(HERE / "plain.tmp", HERE / "big_endian.pt", change=change)
    os.remove(HERE / "plain.tmp")
    keep("big_endian.pt")


def lightning_sample():
    import lightning
    from lightning.pytorch.callbacks import EarlyStopping, ModelCheckpoint

    class Module(lightning.LightningModule):
        def __init__(self, width=4, rate=0.1):
            super().__init__()
            self.save_hyperparameters()
            self.layer = nn.Linear(width, 2)

        def training_step(self, batch, _):
            loss = self.layer(batch[0]).pow(2).mean()
            self.log("loss", loss)
            return loss

        def configure_optimizers(self):
            return torch.optim.Adam(self.parameters(), lr=self.hparams.rate)

    data = torch.utils.data.DataLoader(torch.utils.data.TensorDataset(torch.randn(8, 4)), batch_size=2)
    folder = HERE / "lightning.tmp"
    checkpoint = ModelCheckpoint(dirpath=folder, filename="x", monitor="loss")
    trainer = lightning.Trainer(max_epochs=2, accelerator="cpu", logger=False, enable_progress_bar=False,
                                enable_model_summary=False, callbacks=[checkpoint, EarlyStopping("loss")])
    trainer.fit(Module(), data)
    trainer.save_checkpoint(HERE / "lightning.ckpt")
    loaded = torch.load(HERE / "lightning.ckpt", weights_only=False)
    # Removes paths of this machine.
    for state in loaded["callbacks"].values():
        for key in ("dirpath", "best_model_path", "kth_best_model_path", "last_model_path"):
            if key in state:
                state[key] = "/checkpoints/x.ckpt" if state[key] else state[key]
        state.pop("best_k_models", None)
    torch.save(loaded, HERE / "lightning.ckpt")
    import shutil
    shutil.rmtree(folder, ignore_errors=True)
    keep("lightning.ckpt", {"epoch": loaded["epoch"], "global_step": loaded["global_step"], "hyper_parameters.width": 4,
                            "hyper_parameters.rate": 0.1, "pytorch-lightning_version": lightning.__version__},
         framework="lightning", step=loaded["global_step"], epoch=loaded["epoch"])


def dtensor_sample():
    import torch.distributed as dist
    from torch.distributed.device_mesh import init_device_mesh
    from torch.distributed.tensor import Replicate, Shard, distribute_tensor
    dist.init_process_group("gloo", rank=0, world_size=1, store=dist.HashStore())
    mesh = init_device_mesh("cpu", (1,), mesh_dim_names=("fsdp",))
    save({"w": distribute_tensor(torch.arange(12.0).view(4, 3), mesh, [Shard(0)]),
          "b": distribute_tensor(torch.ones(3), mesh, [Replicate()]), "plain": torch.zeros(2)}, "dtensor.pt")
    dist.destroy_process_group()


class Odd:
    """A class that is unknown to every reader."""

    def __init__(self):
        self.weight = torch.arange(3.0)
        self.note = "inside"


Odd.__module__ = "some.project"
Odd.__qualname__ = "Odd"


def torch_samples():
    save(all_dtypes(), "dtypes.pt")
    save(views(), "views.pt", aliases={"head": "embed"})
    model = net()
    values = {"epoch": 4, "global_step": 1234, "loss": 0.125, "best": 0.5, "best32": 0.25, "count": -7, "args.lr": 0.001,
              "args.name": "run", "args.dims.1": 2, "args.out.path": "/data/out", "history.train.0": 1.5, "shape.1": 3,
              "device": "cuda:1", "dtype": "torch.bfloat16", "flag": True, "7": "seven",
              "optimizer.param_groups.0.lr": 1e-3, "scheduler.last_epoch": 3}
    everything = training(model)
    save(everything, "training.pt", values, more={"framework": "torch", "step": 1234, "epoch": 4})
    save(everything, "protocol4.pt", values, pickle_protocol=4)
    save(everything, "protocol5.pt", values, pickle_protocol=5)
    save(model, "module.pt")
    save(torch.arange(5), "root_tensor.pt")
    save(nn.Parameter(torch.ones(2, 2)), "root_parameter.pt")
    save([torch.zeros(2), (torch.ones(1), {"x": torch.full((2,), 2.0)})], "list.pt")
    quantized = torch.quantize_per_tensor(torch.randn(2, 3), 0.1, 3, torch.qint8)
    channels = torch.quantize_per_channel(torch.randn(2, 3), torch.tensor([0.1, 0.2]), torch.tensor([1, 2]), 0, torch.quint8)
    packed = torch.quantize_per_channel(torch.linspace(-2, 2, 24).view(4, 6), torch.full((4,), 0.3), torch.full((4,), 4.0), 0, torch.quint4x2)
    save({"q": quantized, "c": channels, "p": packed}, "quantized.pt", {"q.scale": 0.1, "q.zero_point": 3, "c.axis": 0})
    dense = torch.tensor([[0, 1.5, 0], [2.5, 0, 0]])
    save({"coo": dense.to_sparse(), "csr": dense.to_sparse_csr()}, "sparse.pt")
    tagged = torch.arange(4.0)
    tagged.note = "kept"
    tagged.other = torch.zeros(1)
    save({"t": tagged}, "attributes.pt", {"t.note": "kept"})
    arrays = {"c": np.arange(6, dtype=np.float32).reshape(2, 3), "f": np.asfortranarray(np.arange(6, dtype=np.int16).reshape(2, 3)),
              "big": np.arange(4, dtype=">i4"), "bool": np.array([True, False]), "half": np.array([1.5], np.float16),
              "complex": np.array([1 + 2j]), "scalar0d": np.array(3.5), "objects": np.array([1, "a", None], dtype=object),
              "empty": np.zeros((0, 2)), "high": np.arange(120, 200, dtype=np.uint8)}
    save(arrays, "numpy.pt", {"objects.1": "a"})
    save(arrays, "numpy_protocol5.pt", {"objects.1": "a"}, pickle_protocol=5)
    (HERE / "numpy.pkl").write_bytes(pickle.dumps({"a": arrays, "step": 11}, 4))
    keep("numpy.pkl", {"step": 11}, step=11)
    (HERE / "numpy_protocol2.pkl").write_bytes(pickle.dumps({"a": arrays, "step": 11}, 2))
    keep("numpy_protocol2.pkl", {"step": 11})
    small = {name: np.arange(-1, 3).astype(name) for name in ("int4", "int2", "bfloat16", "float8_e4m3b11fnuz")}
    (HERE / "small_types.pkl").write_bytes(pickle.dumps({**small, "uint4": np.arange(16).astype("uint4")}, 4))
    keep("small_types.pkl")
    long = bytes(range(1, 201)) * 50  # without zeros, and longer than the part that is read when a pickle is opened
    (HERE / "long_bytes.pkl").write_bytes(pickle.dumps(
        {"w": np.ones((2, 2), np.float32), "stream": io.BytesIO(long), "array": bytearray(long), "plain": long}, 4))
    keep("long_bytes.pkl")
    shared = {"w": torch.randn(2)}
    same = torch.randn(3)
    save({"a": shared, "b": shared, "c": same, "d": [same]}, "shared.pt", aliases={"b.w": "a.w", "d.0": "c"})
    save({"u": torch.arange(4.0).untyped_storage(), "t": torch.arange(4).storage()}, "storages.pt")
    save({"meta": torch.empty(3, device="meta"), "w": torch.ones(1)}, "meta.pt")
    del EXPECTED["meta.pt"]  # not all of it can be read
    big_endian()
    torch.save(training(net())["model"], HERE / "plain.tmp")
    rezip(HERE / "plain.tmp", HERE / "deflated.pt", zipfile.ZIP_DEFLATED)
    keep("deflated.pt")
    rezip(HERE / "plain.tmp", HERE / "reordered.pt", reverse=True)
    keep("reordered.pt")
    os.remove(HERE / "plain.tmp")
    torch.save(views(), HERE / "plain.tmp")
    rezip(HERE / "plain.tmp", HERE / "deflated_views.pt", zipfile.ZIP_DEFLATED)
    keep("deflated_views.pt")
    os.remove(HERE / "plain.tmp")
    torch.utils.serialization.config.save.compute_crc32 = False
    save({"w": torch.arange(3)}, "no_crc.pt")
    torch.utils.serialization.config.save.compute_crc32 = True
    with open(HERE / "script.pt", "wb") as file:
        torch.jit.save(torch.jit.script(net().eval()), file)
    module = torch.jit.load(HERE / "script.pt")
    EXPECTED["script.pt"] = {"tensors": {k: describe(v) for k, v in module.state_dict().items()}, "values": {}, "aliases": {},
                             "framework": "torchscript"}
    import types
    sys.modules["some"] = types.ModuleType("some")
    sys.modules["some.project"] = types.ModuleType("some.project")
    sys.modules["some.project"].Odd = Odd
    torch.save({"odd": Odd(), "x": torch.ones(1)}, HERE / "unknown_class.pt")
    odd = torch.arange(3.0)
    EXPECTED["unknown_class.pt"] = {"tensors": {"odd.weight": describe(odd), "x": describe(torch.ones(1))},
                                    "values": {"odd.note": "inside"}, "aliases": {}}
    lightning_sample()
    dtensor_sample()


def whole_modules():
    """Modules that torch.fx traced and torch.compile wrapped, saved with their classes."""
    save({"traced": torch.fx.symbolic_trace(net()), "compiled": torch.compile(net())}, "traced.pt")


def legacy_samples():
    old = {"_use_new_zipfile_serialization": False, "folder": LEGACY}
    kept = {k: v for k, v in all_dtypes().items() if k.startswith(("float6", "float3", "float16", "bf", "int", "uint8", "bool", "complex6", "complex1"))}
    save(kept, "dtypes.pt", **old)
    save(views(), "views.pt", aliases={"head": "embed"}, **old)
    save(training(net()), "training.pt", {"epoch": 4, "args.lr": 0.001, "best": 0.5}, more={"step": 1234, "epoch": 4}, **old)
    save(training(net()), "protocol4.pt", {"epoch": 4}, pickle_protocol=4, **old)
    import inspect
    real = inspect.getsourcefile
    inspect.getsourcefile = lambda value: f"/site-packages/{value.__module__.replace('.', '/')}.py"
    save(net(), "module.pt", **old)
    inspect.getsourcefile = real
    save(torch.arange(5), "root_tensor.pt", **old)
    tar_samples()


def tar_samples():
    """PyTorch 0.1's, by tests/interop/torch_0_1.py: torch.load still reads them."""
    sys.path.insert(0, str(HERE.parents[1] / "interop"))
    import torch_0_1

    torch_0_1.save(torch_0_1.sample(), LEGACY / "torch_0_1.pth.tar")
    keep("torch_0_1.pth.tar", {"epoch": 7, "best_prec1": 71.5}, {"state_dict.tied.weight": "state_dict.fc.weight"}, LEGACY)
    torch_0_1.save(torch_0_1.with_views(), LEGACY / "torch_0_1_views.pth", {"part": ("root", 6, 12)})
    keep("torch_0_1_views.pth", folder=LEGACY)


if __name__ == "__main__":
    LEGACY.mkdir(exist_ok=True)
    torch_samples()
    legacy_samples()
    whole_modules()
    for folder, expected in ((HERE, EXPECTED), (LEGACY, LEGACY_EXPECTED)):
        text = json.dumps(expected, indent=1, sort_keys=True)
        (folder / "expected.json").write_text(text + "\n")
