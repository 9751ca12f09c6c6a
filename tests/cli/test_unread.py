#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""A sound file with a feature that Cairn does not support is never called damaged: `check` says `unread`, or opening refuses it by name."""

from __future__ import annotations

import bz2
import gzip
import json
import struct
import sys
import unittest
import zipfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "support"))
from driver import CliTest, run


def zarr_array(folder: Path, dtype: str, **more: object) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    (folder / ".zarray").write_text(json.dumps({"zarr_format": 2, "shape": [1], "chunks": [1], "dtype": dtype, "compressor": None, "filters": None,
                                                "order": "C", "fill_value": None} | more))
    (folder / "0").write_bytes(b"\0" * 8)


def npz_with_bzip2(path: Path) -> None:
    header = b"\x93NUMPY\1\0" + struct.pack("<H", 118) + b"{'descr': '<f4', 'fortran_order': False, 'shape': (1,), }".ljust(117) + b"\n"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_BZIP2) as archive:
        archive.writestr("w.npy", header + b"\0" * 4)


def unknown_dtype(path: Path) -> None:
    """A tensor of a dtype that a later torch may have."""
    storage = b"(X\x07\0\0\0storagectorch.storage\nUntypedStorage\nX\1\0\0\x000X\3\0\0\0cpuK\4tQ"
    tensor = b"ctorch._utils\n_rebuild_tensor_v3\n(" + storage + b"K\0K\4\x85K\1\x85\x89ccollections\nOrderedDict\n)Rctorch\nfloat9_e4m4\ntR"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("a/data.pkl", b"\x80\2}X\1\0\0\0w" + tensor + b"s.")
        archive.writestr("a/version", "3\n")
        archive.writestr("a/data/0", b"\0" * 4)


class Unread(CliTest):
    def verdict(self, path: Path) -> tuple[str, list[str]]:
        document = self.call("check", path, code=1)
        if document["unread"]:  # one of the contract's five words, and which kind of it
            self.assertEqual(document["verdict"], "incomplete")
            self.assertEqual(run("check", path).text.splitlines()[0], "unread")
        return "unread" if document["unread"] else document["verdict"], [finding["code"] for finding in document["findings"] if finding["severity"] == "error"]

    def test_unsupported_parts_are_unread(self) -> None:
        text = self.folder / "text"
        (text / ".zgroup").parent.mkdir()
        (text / ".zgroup").write_text('{"zarr_format": 2}')
        zarr_array(text / "w", "<f8")
        zarr_array(text / "s", "|O")
        codec = self.folder / "codec"
        codec.mkdir()
        (codec / ".zgroup").write_text('{"zarr_format": 2}')
        zarr_array(codec / "w", "<f8")
        zarr_array(codec / "v", "<f8", compressor={"id": "lz4"})
        unknown_dtype(self.folder / "later.pt")
        for name in ("text", "codec", "later.pt"):
            with self.subTest(name):
                verdict, errors = self.verdict(self.folder / name)
                self.assertEqual(verdict, "unread", errors)
                self.assertNotIn("damaged", run("info", self.folder / name).text.lower())

    def test_what_cannot_be_opened_is_named(self) -> None:
        cases = {"m.onnx": (b"\x08\x0e:", "An ONNX model is not read"), "m.mat": (b"MATLAB 5.0 MAT-file".ljust(128), "A MATLAB file is not read"),
                 "m.json": (b'{"learner":{}}', "An XGBoost model is not read"), "m.txt": (b"tree\nversion=v4\n", "A LightGBM model is not read"),
                 "m.cbm": (b"CBM1" + bytes(60), "A CatBoost model is not read"), "m.tflite": (b"\x1c\0\0\0TFL3" + b"\1" * 60, "A TensorFlow Lite model is not read"),
                 "m.pdmodel": (b"\x0a\1\2" * 9, "A program of Paddle inference is not read"), "m.mlmodel": (b"\x08\4\x12" * 9, "A Core ML model is not read"),
                 "m.xml": (b'<?xml version="1.0"?>\n<net name="m" version="11">', "An OpenVINO model is not read"), "m.bin": (b"\1\2\3\4" * 20, "An OpenVINO model is not read"),
                 "m.joblib": (b"\x04\x22\x4d\x18" + b"\1" * 60, "A file compressed with LZ4 is not read"),
                 "notes.txt.gz": (gzip.compress(b"some notes"), "A file compressed with gzip that does not contain a checkpoint"),
                 "notes.bz2": (bz2.compress(b"some notes"), "A file compressed with bzip2 that does not contain a checkpoint")}
        for name, (content, _) in cases.items():
            (self.folder / name).write_bytes(content)
        npz_with_bzip2(self.folder / "w.npz")
        cases["w.npz"] = (b"", "Unsupported compression")
        for name, (_, sentence) in cases.items():
            with self.subTest(name):
                answer = run("info", self.folder / name)
                self.assertEqual(answer.code, 3)
                self.assertIn(sentence, answer.errors)
                self.assertIn("hint:", answer.errors)

    def test_a_large_compressed_file_names_the_command(self) -> None:
        path = self.folder / "large.pkl.gz"
        with gzip.open(path, "wb", 1) as stream:
            stream.write(b"\x80\x05\x8e" + struct.pack("<Q", 300 << 20))
            for _ in range(300):
                stream.write(bytes(1 << 20))
            stream.write(b".")
        answer = run("info", path)
        self.assertEqual(answer.code, 3)
        self.assertIn("gzip -dk", answer.errors)
        self.assertNotIn("damaged", answer.errors)


if __name__ == "__main__":
    unittest.main()
