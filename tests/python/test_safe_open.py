# SPDX-License-Identifier: Apache-2.0
"""cairn.safe_open() against the library whose interface it has."""

import unittest

import numpy
import safetensors
import safetensors.torch
import torch
from support import DATA, SAMPLE, FolderTest

import cairn


class SafeOpen(FolderTest):
    def setUp(self):
        super().setUp()
        generator = torch.Generator().manual_seed(1)
        tensors = {
            "z.first": torch.randn(5, 7, generator=generator),
            "a.bf16": torch.randn(4, 6, generator=generator).to(torch.bfloat16),
            "m.ints": torch.arange(24).reshape(2, 3, 4),
            "f8": torch.randn(8, generator=generator).to(torch.float8_e4m3fn),
            "scalar": torch.tensor(3.5),
            "empty": torch.empty(0, 3),
            "flags": torch.tensor([True, False]),
        }
        self.path = self.folder / "model.safetensors"
        safetensors.torch.save_file(tensors, self.path, metadata={"format": "pt", "note": "é"})

    def test_equals_the_library(self):
        with safetensors.safe_open(self.path, framework="pt") as theirs, cairn.safe_open(self.path, framework="pt") as ours:
            self.assertEqual(ours.keys(), list(theirs.keys()))
            self.assertEqual(ours.offset_keys(), theirs.offset_keys())
            self.assertEqual(ours.metadata(), theirs.metadata())
            for name in theirs.keys():
                expected, found = theirs.get_tensor(name), ours.get_tensor(name)
                self.assertEqual((found.dtype, found.shape), (expected.dtype, expected.shape), name)
                self.assertTrue(torch.equal(found.view(torch.uint8) if found.ndim else found, expected.view(torch.uint8) if found.ndim else expected))
                left, right = ours.get_slice(name), theirs.get_slice(name)
                self.assertEqual((left.get_shape(), left.get_dtype()), (right.get_shape(), right.get_dtype()))
            for index in (slice(1, 3), slice(-2, None), (slice(None), slice(2, 5)), (..., slice(0, 1)), 2):
                self.assertTrue(torch.equal(ours.get_slice("z.first")[index], theirs.get_slice("z.first")[index]), index)

    def test_numpy(self):
        with safetensors.safe_open(self.path, framework="np") as theirs, cairn.safe_open(self.path, framework="np") as ours:
            for name in ("z.first", "m.ints", "flags"):
                numpy.testing.assert_array_equal(ours.get_tensor(name), theirs.get_tensor(name))

    def test_other_formats(self):
        with cairn.safe_open(SAMPLE / "tiny-llama-a/step-400", framework="pt") as f:
            self.assertIn("lm_head.weight", f.keys())
            self.assertEqual(sorted(f.offset_keys()), f.keys())
            self.assertIsNone(f.metadata())
            part = f.get_slice("lm_head.weight")
            self.assertTrue(torch.equal(part[1:3], f.get_tensor("lm_head.weight")[1:3]))
        with cairn.safe_open(next((DATA / "gguf").glob("*.gguf")), framework="np") as f:
            for name in f.keys():
                f.get_tensor(name)

    def test_wrong_use(self):
        with self.assertRaises(cairn.Error):
            cairn.safe_open(self.path, framework="tf")
        with self.assertRaises(cairn.Error):
            cairn.safe_open(self.path, framework="np", device="cuda:0")
        with self.assertRaises(cairn.Error):
            cairn.safe_open(self.folder / "nothing", framework="pt")
        with cairn.safe_open(self.path, framework="pt") as f:
            with self.assertRaises(KeyError):
                f.get_tensor("nothing")
            part = f.get_slice("z.first")
        for closed in (f.keys, lambda: f.get_tensor("z.first"), lambda: part[:]):
            with self.assertRaises(cairn.Error):
                closed()


if __name__ == "__main__":
    unittest.main()
