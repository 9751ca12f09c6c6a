# SPDX-License-Identifier: Apache-2.0
"""Files that frameworks wrote: what Python gets from Cairn is what the framework itself loads."""

import os
import pickle
import subprocess
import sys
import unittest
import warnings

os.environ["KERAS_BACKEND"] = "torch"

import gguf
import h5py
import keras
import ml_dtypes
import numpy
import safetensors.torch
import torch
import torch.distributed.checkpoint as dcp
from support import FolderTest

import cairn

FLOATS = [torch.float32, torch.float16, torch.bfloat16, torch.float64, torch.float8_e4m3fn, torch.float8_e5m2]
INTEGERS = [torch.int8, torch.int16, torch.int32, torch.int64, torch.uint8, torch.bool]


def tensors() -> dict[str, torch.Tensor]:
    generator = torch.Generator().manual_seed(11)
    state = {f"{dtype}".split(".")[1]: torch.randn(6, 10, generator=generator).to(dtype) for dtype in FLOATS}
    state |= {f"{dtype}".split(".")[1]: torch.randint(0, 2, (4, 3, 5), generator=generator).to(dtype) for dtype in INTEGERS}
    return state | {"scalar": torch.tensor(2.5), "empty": torch.empty(0, 4), "complex": torch.randn(3, 3, dtype=torch.complex64, generator=generator)}


def bits(tensor: torch.Tensor) -> bytes:
    return tensor.contiguous().reshape(-1).view(torch.uint8).numpy().tobytes()


class Frameworks(FolderTest):
    def test_it_may_be_imported_first(self):
        """Both have a copy of C++'s library, whose exceptions must not meet. Here torch is the first."""
        program = """
import cairn
def fails(kind, call):
    try:
        call()
    except kind:
        return True
assert fails(cairn.Error, lambda: cairn.open("/nothing/there"))
import numpy, torch
assert fails(RuntimeError, lambda: torch.ones(2) @ torch.ones(3))
assert fails(cairn.Error, lambda: cairn.open("/nothing/there"))
assert torch.linalg.svdvals(torch.eye(3)).sum() == 3
"""
        ran = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
        self.assertEqual((ran.returncode, ran.stderr), (0, ""))

    def same(self, c, expected):
        """All tensors and some parts, as PyTorch's."""
        self.assertEqual(sorted(c.keys()), sorted(expected))
        for name, tensor in expected.items():
            found = c[name].torch()
            self.assertEqual((found.dtype, found.shape), (tensor.dtype, tensor.shape), name)
            self.assertEqual(bits(found), bits(tensor), name)
            self.assertEqual(c[name].numpy().tobytes(), bits(tensor), name)
            for index in ((slice(1, 3),), (..., slice(None, None, 2)), (-1,), (0, ..., 1)):
                if tensor.ndim >= len([each for each in index if each is not ...]) and tensor.shape[0] > 0:
                    self.assertEqual(bits(c[name][index].torch()), bits(tensor[index]), (name, index))

    def test_dcp(self):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            dcp.save(tensors(), checkpoint_id=self.folder / "dcp", no_dist=True)
            loaded = {name: torch.empty_like(tensor) for name, tensor in tensors().items()}
            dcp.load(loaded, checkpoint_id=self.folder / "dcp", no_dist=True)
        self.same(cairn.open(self.folder / "dcp"), loaded)

    def test_torch_save(self):
        state = tensors() | {"transposed": torch.arange(12.0).reshape(3, 4).T, "view": torch.arange(10)[2:8:2]}
        torch.save(state, self.folder / "state.pt")
        self.same(cairn.open(self.folder / "state.pt"), torch.load(self.folder / "state.pt"))

    def test_safetensors(self):
        safetensors.torch.save_file(tensors(), self.folder / "m.safetensors")
        self.same(cairn.open(self.folder / "m.safetensors"), safetensors.torch.load_file(self.folder / "m.safetensors"))

    def test_npz(self):
        arrays = {"a": numpy.arange(24.0).reshape(2, 3, 4), "fortran": numpy.asfortranarray(numpy.arange(6).reshape(2, 3)),
                  "big": numpy.arange(5, dtype=">i4"), "texts": numpy.array(["x", "yz"])}  # fmt: skip
        numpy.savez(self.folder / "a.npz", **arrays)
        numpy.savez_compressed(self.folder / "c.npz", **arrays)
        for name in ("a.npz", "c.npz"):
            c = cairn.open(self.folder / name)
            with numpy.load(self.folder / name) as loaded:
                self.assertEqual(sorted(c.keys()), sorted(loaded.files))
                for key in ("a", "fortran", "big"):
                    numpy.testing.assert_array_equal(c[key].numpy(), loaded[key])
                    numpy.testing.assert_array_equal(c[key][::-1].numpy(), loaded[key][::-1])

    def test_gguf(self):
        path = self.folder / "m.gguf"
        writer = gguf.GGUFWriter(path, "llama")
        generator = numpy.random.default_rng(4)
        weights = generator.standard_normal((4, 512), dtype=numpy.float32)
        writer.add_tensor("f32", weights)
        writer.add_tensor("f16", weights.astype(numpy.float16))
        kinds = (gguf.GGMLQuantizationType.Q8_0, gguf.GGMLQuantizationType.Q4_0, gguf.GGMLQuantizationType.Q5_1)
        for kind in kinds:
            writer.add_tensor(kind.name, gguf.quantize(weights, kind), raw_dtype=kind)
        writer.write_header_to_file()
        writer.write_kv_data_to_file()
        writer.write_tensors_to_file()
        writer.close()
        c = cairn.open(path)
        loaded = gguf.GGUFReader(path)
        self.assertEqual(c.keys(), [tensor.name for tensor in loaded.tensors])
        for tensor in loaded.tensors:
            numpy.testing.assert_array_equal(c[tensor.name].numpy(), tensor.data)
            numpy.testing.assert_array_equal(c[tensor.name].dequantized().numpy(), gguf.dequantize(tensor.data, tensor.tensor_type))

    def test_hdf5(self):
        model = keras.Sequential([keras.Input((8,)), keras.layers.Dense(5), keras.layers.Dense(3)])
        path = self.folder / "m.weights.h5"
        model.save_weights(path)
        c = cairn.open(path)
        with h5py.File(path) as file:
            found = {}
            file.visititems(lambda name, item: found.update({name: item[()]}) if isinstance(item, h5py.Dataset) else None)
        self.assertEqual(sorted(c.keys()), sorted(found))
        for name, array in found.items():
            numpy.testing.assert_array_equal(c[name].numpy(), array)
            numpy.testing.assert_array_equal(c[name][::2].numpy(), array[::2])

    def test_ml_dtypes(self):
        array = numpy.arange(-4, 4).astype(ml_dtypes.bfloat16).reshape(2, 4)
        torch.save({"t": torch.arange(-4, 4).to(torch.bfloat16).reshape(2, 4)}, self.folder / "t.pt")
        found = cairn.open(self.folder / "t.pt")["t"].numpy()
        self.assertEqual(found.dtype, array.dtype)
        numpy.testing.assert_array_equal(found, array)

    def test_values_of_a_trainer(self):
        torch.save({"args": {"lr": 1e-3, "betas": (0.9, 0.95)}, "step": 7, "w": torch.ones(2)}, self.folder / "c.pt")
        loaded = torch.load(self.folder / "c.pt")
        values = cairn.open(self.folder / "c.pt").values
        self.assertEqual(values, {"args": loaded["args"], "step": 7})
        self.assertEqual(pickle.loads(pickle.dumps(values)), values)


if __name__ == "__main__":
    unittest.main()
