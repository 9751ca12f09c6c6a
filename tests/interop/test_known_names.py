# SPDX-License-Identifier: Apache-2.0
"""The names that `scan` calls inert, asked of the packages that are installed: each exists, and no class that it takes for data has
a method that unpickling calls and that nobody read."""

from __future__ import annotations

import enum
import importlib
import inspect
import pickle
import re
import unittest
import warnings
from pathlib import Path

from support import run, temporary

TABLE = Path(__file__).resolve().parents[2] / "core" / "codec" / "pickle" / "known_table.h"
ROW = re.compile(r'\{"([^"]*)", Known::(\w+),((?:\s*"[^"]*")+)\}', re.S)
# Methods that unpickling can call, or that run when the instance is deleted.
HOOKS = ("__new__", "__setstate__", "__del__", "__getattr__", "__getattribute__", "__setattr__")
PLAIN = (object, dict, list, tuple, set, frozenset, int, float, str, bytes, BaseException, Exception, type)
# Those that were read; what each does is in its own source.
READ = {
    "torch.nn.modules.module.Module", "torch.nn.modules.conv._ConvNd", "torch.ao.nn.quantized.modules.conv._ConvNd", "torch.nn.modules.rnn.RNNBase",
    "torch.nn.modules.activation.MultiheadAttention", "torch.nn.modules.activation.Softmax", "torch.nn.modules.activation.Softmin",
    "torch.nn.modules.activation.LogSoftmax", "torch.nn.modules.upsampling.Upsample", "torch.nn.modules.pooling.AvgPool3d",
    "torch.nn.modules.transformer.TransformerEncoderLayer", "torch.nn.modules.transformer.TransformerDecoderLayer", "torch.nn.modules.module._WrappedHook",
    "torch.nn.modules.container.Container", "torch.nn.modules.loss.NLLLoss2d", "torch.nn.utils.rnn.PackedSequence", "torch.amp.grad_scaler.GradScaler",
    "torch.ao.quantization.qconfig.QConfig", "torch.ao.quantization.qconfig.QConfigDynamic", "torch.utils.data.dataloader.DataLoader",
    "torch.distributed.tensor.placement_types.Placement", "torch._C._distributed.Shard", "torch._C._distributed.StridedShard", "torch._C._distributed.Replicate",
    "torch._C._distributed.Partial", "torch.distributed.tensor._dtensor_spec.DTensorSpec", "torch.distributed.distributed_c10d.ReduceOp",
    "torch._C._distributed_c10d.ReduceOp.RedOpType", "torch.distributed._shard.sharded_tensor.api.ShardedTensor", "torch.nn.functional._ScalingType",
    "torch.distributed._sharded_tensor.api.ShardedTensor", "torch.nn.functional._SwizzleType",
    "pybind11_builtins.pybind11_object", "torch.ScriptObject",
}
# Their __setstate__ calls methods of the state, which therefore must not contain functions (Known::Reader).
READERS = {"__setstate__"}


def rows() -> list[tuple[str, str, list[str]]]:
    found = [(module, how, "".join(re.findall(r'"([^"]*)"', names)).split()) for module, how, names in ROW.findall(TABLE.read_text())]
    assert len(found) > 300, len(found)
    return found


def resolve(module: str, name: str) -> object | None:
    try:
        found: object = importlib.import_module(module)
        for part in name.split("."):
            found = getattr(found, part)
    except (ImportError, AttributeError):
        return None  # another version, or not installed
    return found


def owner_of(class_: type, method: str) -> type | None:
    return next((base for base in class_.__mro__ if method in vars(base)), None)


def is_generated(class_: type, method: str) -> bool:
    """By dataclasses, or by namedtuple."""
    function = inspect.unwrap(getattr(class_, method))
    code = getattr(function, "__code__", None)
    return code is not None and (code.co_filename.startswith("<string") or code.co_filename.endswith(("dataclasses.py", "typing.py", "enum.py")))


def unread(class_: type, how: str) -> list[str]:
    found = []
    for method in HOOKS:
        owner = owner_of(class_, method)
        if owner is None or owner in PLAIN or owner.__module__ in ("builtins", "enum", "abc", "typing") or is_generated(class_, method):
            continue
        if f"{owner.__module__}.{owner.__qualname__}" in READ or (how in ("Reader", "OpenReader") and method in READERS):
            continue
        found.append(f"{method} of {owner.__module__}.{owner.__qualname__}")
    return found


class KnownNames(unittest.TestCase):
    @classmethod
    def setUpClass(cls) -> None:
        warnings.simplefilter("ignore")

    def test_classes_that_are_data_have_no_unread_method(self) -> None:
        checked = 0
        for module, how, names in rows():
            if how not in ("Data", "Reader", "Open", "OpenReader", "Record") or not module.startswith("torch"):
                continue
            for name in names:
                class_ = resolve(module, name)
                if not isinstance(class_, type):
                    continue
                checked += 1
                with self.subTest(f"{module}.{name}"):
                    self.assertEqual(unread(class_, how), [])
        self.assertGreater(checked, 500)

    def test_enums_are_enums(self) -> None:
        for module, how, names in rows():
            for name in names if how == "Enum" else []:
                class_ = resolve(module, name)
                with self.subTest(f"{module}.{name}"):
                    self.assertTrue(class_ is None or issubclass(class_, enum.Enum))

    def test_most_names_exist(self) -> None:
        """A name that no version has was not read."""
        all_names = [(module, name) for module, _, names in rows() for name in names if module.split(".")[0] in ("builtins", "collections", "torch", "numpy")]
        missing = [f"{module}.{name}" for module, name in all_names if resolve(module, name) is None]
        self.assertLess(len(missing), 0.06 * len(all_names), missing)

    def test_torch_classes_that_are_not_in_the_table_are_not_inert(self) -> None:
        """Every class in the modules that the table knows, created and given a state."""
        import sys

        import torch.distributed.checkpoint  # noqa: F401
        import torch.distributed.fsdp  # noqa: F401
        import torch.utils.data  # noqa: F401

        known = {(module, name) for module, _, names in rows() for name in names}
        modules = sorted({module for module, _ in known if module.startswith("torch.") and module in sys.modules})
        with temporary() as folder:
            asked = {}
            for module in modules:
                for name, class_ in sorted(vars(sys.modules[module]).items()):
                    if not isinstance(class_, type) or (module, name) in known or not name.isidentifier():
                        continue
                    path = Path(folder) / f"{len(asked):05}.pkl"
                    path.write_bytes(b"\x80\x02c" + f"{module}\n{name}\n".encode() + b")\x81}b.")
                    asked[path.name] = (module, name, class_)
            self.assertGreater(len(asked), 200)
            document = run("scan", folder, "--json").json
            inert = {entry["file"] for entry in document["globals"] if entry["kind"] == "inert"}
            named = {entry["file"]: entry["kind"] for entry in document["globals"]}
            for file, (module, name, class_) in asked.items():
                with self.subTest(f"{module}.{name}"):
                    self.assertIn(file, named)
                    self.assertNotIn(file, inert)
                    if unread(class_, "Data") and class_.__module__ == module and not issubclass(class_, pickle.Pickler):
                        self.assertEqual(named[file], "would-run-code", unread(class_, "Data"))


if __name__ == "__main__":
    unittest.main()
