# SPDX-License-Identifier: Apache-2.0
"""Lazy tensors: indexing, conversions, dtypes."""

import itertools
import unittest

import ml_dtypes
import numpy
import torch
from support import DATA, FolderTest, safetensors

import cairn


class Indexing(FolderTest):
    def test_every_slice_of_a_dimension(self):
        t = cairn.open(self.counting(5))["t"]
        whole = numpy.arange(5, dtype="int32")
        bounds = [None, -7, -5, -2, 0, 1, 4, 5, 9]
        for start, stop, step in itertools.product(bounds, bounds, [None, 1, 2, 7, -1, -2, -9]):
            with self.subTest((start, stop, step)):
                part = t[start:stop:step]
                self.assertEqual(part.shape, whole[start:stop:step].shape)
                numpy.testing.assert_array_equal(part.numpy(), whole[start:stop:step])

    def test_parts_of_parts(self):
        t = cairn.open(self.counting(8, 9, 10))["t"]
        whole = t.numpy()
        numpy.testing.assert_array_equal(whole, numpy.arange(720).reshape(8, 9, 10))
        numpy.testing.assert_array_equal(t[2:][::2][..., ::-3][1].numpy(), whole[2:][::2][..., ::-3][1])
        numpy.testing.assert_array_equal(t[-1, ..., 4:6].numpy(), whole[-1, ..., 4:6])
        numpy.testing.assert_array_equal(t[numpy.int64(3)].numpy(), whole[3])
        numpy.testing.assert_array_equal(t[()].numpy(), whole)
        numpy.testing.assert_array_equal(t[...].numpy(), whole)
        self.assertEqual(t[3, 4, 5].item(), whole[3, 4, 5])
        self.assertEqual(t[3, 4, 5].shape, ())
        self.assertEqual((t[2:4, 1].ndim, t[2:4, 1].size, t[2:4, 1].nbytes), (2, 20, 80))
        self.assertEqual(len(t[1:3]), 2)
        for row, expected in zip(t, whole):
            numpy.testing.assert_array_equal(row.numpy(), expected)
        self.assertEqual(t[5:5].numpy().shape, (0, 9, 10))

    def test_wrong_indices(self):
        t = cairn.open(self.counting(4, 6))["t"]
        for index in (4, -5, (0, 6), (0, 0, 0), (..., ...), 2**80, (slice(None), -(2**80))):
            with self.subTest(index), self.assertRaises(cairn.SliceError) as raised:
                t[index]
            self.assertEqual(raised.exception.code, "bad-slice")
            self.assertIsInstance(raised.exception, IndexError)
        for index in (None, 1.0, "a", [0, 1], numpy.array([0, 1]), numpy.array([True] * 4), True, slice(0.5, 1), slice("a", None)):
            with self.subTest(index), self.assertRaises(TypeError):
                t[index]
        with self.assertRaises(ValueError):
            t[::0]
        with self.assertRaises(ValueError):
            bool(t)
        with self.assertRaises(TypeError):
            len(t[0, 0])
        self.assertEqual(t[:: 2**70].shape, (1, 6))
        self.assertEqual(t[2**70 :].shape, (0, 6))
        numpy.testing.assert_array_equal(t[:: -(2**70)].numpy(), t.numpy()[3:4])


class Conversions(FolderTest):
    def test_arrays(self):
        t = cairn.open(self.counting(3, 4))["t"]
        self.assertEqual(numpy.asarray(t).dtype, numpy.int32)
        self.assertEqual(numpy.asarray(t, dtype="float64").dtype, numpy.float64)
        self.assertEqual(float(numpy.sum(t)), 66)
        with self.assertRaises(ValueError):
            numpy.asarray(t, copy=False)
        self.assertTrue(t.numpy().flags.writeable)
        self.assertTrue(t.numpy().flags.c_contiguous)
        self.assertEqual(t.tobytes(), t.numpy().tobytes())

    def test_dlpack(self):
        t = cairn.open(self.counting(3, 4))["t"]
        self.assertEqual(t.__dlpack_device__(), (1, 0))
        numpy.testing.assert_array_equal(numpy.from_dlpack(t), t.numpy())
        self.assertTrue(torch.equal(torch.from_dlpack(t[1:, ::-1]), torch.from_numpy(t.numpy()[1:, ::-1].copy())))
        self.assertEqual(numpy.from_dlpack(t[5:]).shape, (0, 4))
        self.assertEqual(torch.from_dlpack(t[1, 1]).item(), 5)
        with self.assertRaises(BufferError):
            t.__dlpack__(copy=False)
        kept = torch.from_dlpack(t)
        del t
        self.assertEqual(kept.sum().item(), 66)

    def test_every_dtype_of_safetensors(self):
        """Bit patterns of all dtypes through NumPy, PyTorch and DLPack."""
        c = cairn.open(DATA / "safetensors/dtypes.safetensors")
        for name, t in c.items():
            with self.subTest(name):
                raw = t.tobytes()
                array = t.numpy()
                self.assertEqual((array.shape, array.tobytes()), (t.shape, raw))
                owner = numpy if hasattr(numpy, t.dtype) else ml_dtypes
                self.assertEqual(array.dtype, numpy.dtype(getattr(owner, t.dtype)))
                tensor = t.torch()
                self.assertEqual((tuple(tensor.shape), tensor.dtype), (t.shape, getattr(torch, t.dtype)))
                self.assertEqual(tensor.reshape(-1).view(torch.uint8).numpy().tobytes(), raw)
                self.assertEqual(t.numpy(raw=True).tobytes(), raw)
                try:
                    packed = torch.from_dlpack(t)
                except (BufferError, RuntimeError) as error:  # PyTorch's own limit
                    self.assertIn("float8", t.dtype, error)
                else:
                    self.assertEqual(packed.dtype, tensor.dtype)
                    self.assertEqual(packed.reshape(-1).view(torch.uint8).numpy().tobytes(), raw)
        self.assertLessEqual({"bfloat16", "float8_e4m3fn", "float8_e5m2", "complex64", "bool", "uint64"}, {t.dtype for _, t in c.items()})

    def test_sub_byte_dtypes(self):
        for name in ("float4", "float6"):
            packed = [t for _, t in cairn.open(DATA / f"safetensors/{name}.safetensors").items() if t.dtype.startswith(name)]
            self.assertTrue(packed)
            for t in packed:
                with self.assertRaises(cairn.Error) as raised:
                    t.numpy()
                self.assertEqual(raised.exception.code, "unsupported")
                self.assertEqual(t.numpy(raw=True).tobytes(), t.tobytes())
                self.assertEqual(len(t.tobytes()), t.nbytes)
                if t._stored.bits % 8 != 0:
                    with self.assertRaises(cairn.Error) as raised:
                        t[..., 0].tobytes()
                    self.assertEqual(raised.exception.code, "unsupported")

    def test_without_ml_dtypes(self):
        import sys

        path = safetensors(self.folder / "b.safetensors", {"t": ("BF16", [2], b"\x80\x3f\x00\x40")})
        t = cairn.open(path)["t"]
        hidden = sys.modules.pop("ml_dtypes")
        sys.modules["ml_dtypes"] = None
        try:
            with self.assertRaises(cairn.Error) as raised:
                t.numpy()
            self.assertEqual(raised.exception.code, "unsupported")
            self.assertIn("ml_dtypes", raised.exception.hint)
            self.assertEqual(t.numpy(raw=True).tolist(), [0x3F80, 0x4000])
        finally:
            sys.modules["ml_dtypes"] = hidden
        self.assertEqual(t.numpy().astype("float32").tolist(), [1.0, 2.0])

    def test_quantised_blocks(self):
        c = cairn.open(DATA / "gguf/types.gguf")
        blocks = [t for _, t in c.items() if t._stored.block_elements > 1]
        self.assertTrue(blocks)
        for t in blocks:
            with self.subTest(t.dtype):
                array = t.numpy()
                self.assertEqual((array.dtype, array.nbytes, array.shape[:-1]), (numpy.uint8, t.nbytes, t.shape[:-1]))
                numbers = t.dequantized()
                self.assertEqual((numbers.dtype, numbers.shape), ("float32", t.shape))
                numpy.testing.assert_array_equal(numbers[..., 1:5].numpy(), numbers.numpy()[..., 1:5])
                with self.assertRaises(cairn.Error):
                    t[..., 1:5].numpy()
                with self.assertRaises(cairn.Error):
                    t.torch()
                self.assertEqual(numbers.torch().dtype, torch.float32)

    def test_only_the_part_is_read(self):
        """From a file of 64 GiB that does not fit into memory."""
        t = cairn.open(self.sparse(64))["t"]
        self.assertEqual(t.nbytes, 64 * 2**30)
        before = read_bytes()
        self.assertEqual(t[123_456].numpy().shape, (1024,))
        self.assertLessEqual(read_bytes() - before, 65536)
        before = read_bytes()
        self.assertEqual(t[:: 2**20, ::512].numpy().shape, (16, 2))
        self.assertLessEqual(read_bytes() - before, 16 * 8192)


def read_bytes():
    """What this process has asked the system to read."""
    with open("/proc/self/io") as file:
        return int(file.readline().split()[1])


if __name__ == "__main__":
    unittest.main()
