# SPDX-License-Identifier: Apache-2.0
"""Wrong arguments, damaged files, files that change: an exception with a reason, never a crash."""

import os
import pickle
import shutil
import struct
import unittest
import zipfile

from support import DATA, SAMPLE, FolderTest, ask, safetensors, safetensors_bytes

import cairn
from cairn import _core


class WrongArguments(FolderTest):
    def test_types(self):
        for wrong in (None, 5, b"\0", 3.5, [], object()):
            with self.subTest(wrong), self.assertRaises((TypeError, ValueError)):
                cairn.open(wrong)
        with self.assertRaises(ValueError):
            cairn.open("a\0b")
        c = cairn.open(self.counting(3))
        for wrong in (None, 5, b"t", ["t"]):
            with self.subTest(wrong), self.assertRaises(TypeError):
                c[wrong]
        self.assertNotIn("\ud800", c)
        with self.assertRaises(KeyError):
            c["\ud800"]
        with self.assertRaises(KeyError):
            c["t\0"]
        with self.assertRaises(AttributeError):
            c.path = "x"
        with self.assertRaises(AttributeError):
            c.nothing = 1

    def test_the_extension_itself(self):
        """What the package never passes."""
        for wrong in (lambda: _core.open("text"), lambda: _core.StoredTensor(), lambda: _core.StoredCheckpoint(), lambda: _core.run_verb("ls"), lambda: _core.run_verb("ls", [1], [])):
            with self.assertRaises(TypeError):
                wrong()
        stored = _core.open(os.fsencode(self.counting(4, 6))).find(b"t")
        for ranges in ([], [(0, 1, 4)], [(0, 1, 4), (0, 1, 7)], [(0, 1, 4), (-1, 1, 1)], [(3, -2, 3), (0, 1, 1)], [(0, 0, 1), (0, 1, 1)],
                       [(0, 2**62, 3), (0, 1, 1)], [(2**63 - 1, 1, 1), (0, 1, 1)], [(0, 1, 2**63 - 1), (0, 1, 1)], [(0, -(2**63), 2), (0, 1, 1)]):  # fmt: skip
            with self.subTest(ranges), self.assertRaises(cairn.SliceError):
                stored.read(ranges)
        with self.assertRaises(TypeError):
            stored.read([(0, 1, 2**64), (0, 1, 1)])
        with self.assertRaises(ValueError):
            _core.dlpack_array(bytearray(4), [2], 0, 32)
        for call in (("--help", [], []), ("nothing", [], []), ("", [], []), ("ls", [], []), ("ls", [b"a", b"b"], []), ("ls", [b"a"], [("nothing", b"")]),
                     ("consolidate", [b"a"], [])):  # fmt: skip
            with self.subTest(call), self.assertRaises(cairn.Error) as raised:
                _core.run_verb(*call)
            self.assertEqual(raised.exception.code, "invalid-argument")

    def test_errors_have_all_fields(self):
        missing = self.folder / "nothing.safetensors"
        with self.assertRaises(cairn.Error) as raised:
            cairn.open(missing)
        error = raised.exception
        self.assertEqual(error.as_dict(), ask("ls", missing, code=3)["error"])
        self.assertEqual(error.where.file, str(missing))
        self.assertIn(str(missing), str(error))
        again = pickle.loads(pickle.dumps(error))
        self.assertEqual((type(again), again.as_dict()), (type(error), error.as_dict()))
        with self.assertRaises(cairn.TensorNotFound) as raised:
            cairn.open(self.counting(2))["nothing"]
        self.assertIsInstance(raised.exception, KeyError)
        self.assertEqual(raised.exception.where.tensor, "nothing")
        self.assertNotIn("Error(", str(raised.exception))


class DamagedFiles(FolderTest):
    def read_all(self, path):
        """Reads everything; returns the codes of the failures."""
        codes = []
        try:
            c = cairn.open(path)
        except cairn.Error as error:
            return [error.code]
        for _, t in c.items():
            try:
                t.tobytes()
            except cairn.Error as error:
                codes.append(error.code)
        try:
            c.values
        except cairn.Error as error:
            codes.append(error.code)
        return codes + [notice.code for notice in c.notices if notice.severity == "error"]

    def test_truncated_and_changed_bytes(self):
        import random

        generator = random.Random(3)
        for sample in (
            DATA / "safetensors/dtypes.safetensors",
            SAMPLE / "tiny-llama-b/checkpoint_epoch_1.pt",
            next((DATA / "gguf").glob("*.gguf")),
            next((DATA / "npz").glob("*.npz")),
            next((DATA / "keras").glob("*.h5")),
        ):
            content = sample.read_bytes()
            path = self.folder / sample.name
            for _ in range(10):
                path.write_bytes(content[: generator.randrange(len(content))])
                self.assertTrue(self.read_all(path), sample)
            for _ in range(15):
                damaged = bytearray(content)
                for _ in range(generator.randrange(1, 8)):
                    damaged[generator.randrange(min(len(damaged), 4000))] = generator.randrange(256)
                path.write_bytes(damaged)
                self.read_all(path)

    def test_enormous_numbers(self):
        path = self.folder / "huge.safetensors"
        for header in (
            {"t": {"dtype": "F32", "shape": [2**62], "data_offsets": [0, 2**64 - 1]}},
            {"t": {"dtype": "F32", "shape": [2**40, 2**40], "data_offsets": [0, 16]}},
            {"t": {"dtype": "F32", "shape": [10**12], "data_offsets": [0, 4 * 10**12]}},
            {"t": {"dtype": "F32", "shape": [1] * 1000, "data_offsets": [0, 4]}},
        ):
            path.write_bytes(safetensors_bytes(header, b"\0" * 16))
            self.assertTrue(self.read_all(path))
        path.write_bytes(struct.pack("<Q", 2**63) + b"{}")
        self.assertTrue(self.read_all(path))

    def test_an_expanded_tensor_larger_than_memory(self):
        """torch stores expand()ed tensors as few bytes with strides of zero."""
        import torch

        path = self.folder / "expanded.pt"
        torch.save({"t": torch.ones(1).expand(2**50)}, path)
        t = cairn.open(path)["t"]
        self.assertEqual(t.shape, (2**50,))
        self.assertEqual(t[2**49 : 2**49 + 3].numpy().tolist(), [1, 1, 1])
        self.assertEqual(t[:: 2**48].numpy().tolist(), [1, 1, 1, 1])
        with self.assertRaises(MemoryError):
            t.numpy()

    def test_code_is_not_executed(self):
        marker = self.folder / "executed"

        class Evil:
            def __reduce__(self):
                return os.system, (f"touch {marker}",)

        with zipfile.ZipFile(self.folder / "evil.pt", "w") as file:
            file.writestr("archive/data.pkl", pickle.dumps({"a": Evil(), "b": 1}, protocol=2))
            file.writestr("archive/version", "3\n")
        c = cairn.open(self.folder / "evil.pt")
        self.assertEqual(c.values["b"], 1)
        self.assertEqual(cairn.scan(self.folder / "evil.pt")["verdict"], "would-run-code")
        self.assertFalse(marker.exists())

    def test_surprising_names(self):
        names = ["", "a" * 5000, "a\nb", "\u202e", "a.b", "€", "__class__"]
        path = safetensors(self.folder / "names.safetensors", {name: ("U8", [1], bytes([i])) for i, name in enumerate(names)})
        c = cairn.open(path)
        self.assertEqual(set(c.keys()), set(names))
        for i, name in enumerate(names):
            self.assertEqual(c[name].tobytes(), bytes([i]))


class ChangingFiles(FolderTest):
    def test_deleted_while_open(self):
        path = self.counting(1024, 1024)
        t = cairn.open(path)["t"]
        array = t[:2].numpy()
        path.unlink()
        with self.assertRaises(cairn.Error) as raised:
            cairn.open(path)
        self.assertEqual(raised.exception.code, "not-found")
        self.assertEqual(array.sum(), sum(range(2048)))
        try:
            self.assertEqual(t[1, 0].item(), 1024)
        except cairn.Error as error:
            self.assertIn(error.code, ("missing-shard", "not-found"))

    def test_replaced_while_open(self):
        path = self.counting(64)
        t = cairn.open(path)["t"]
        path.write_bytes(self.counting(64, name="other", dtype="float32").read_bytes())
        with self.assertRaises(cairn.Error) as raised:
            t.numpy()
        self.assertEqual(raised.exception.code, "changed-on-disk")
        self.assertEqual(raised.exception.where.file.rsplit("/")[-1], "model.safetensors")

    def test_truncated_while_open(self):
        path = self.counting(1024, 1024)
        t = cairn.open(path)["t"]
        t[0].numpy()
        os.truncate(path, 4096)
        with self.assertRaises(cairn.Error):
            t.numpy()

    def test_a_shard_that_disappears(self):
        folder = self.folder / "step-400"
        shutil.copytree(SAMPLE / "tiny-llama-a/step-400", folder)
        c = cairn.open(folder)
        for shard in folder.glob("*.distcp"):
            shard.unlink()
        with self.assertRaises(cairn.Error) as raised:
            c["lm_head.weight"].numpy()
        self.assertTrue(raised.exception.where.file)


if __name__ == "__main__":
    unittest.main()
