# SPDX-License-Identifier: Apache-2.0
"""Compares GGUF with the package gguf: names, dtypes, shapes, stored blocks, metadata, decoded numbers, files that Cairn wrote."""
import hashlib
import pathlib
import tempfile
import unittest

import gguf
import numpy as np
from gguf import GGMLQuantizationType as Q

from support import ask, run

NAMES = {Q.F32: "float32", Q.F16: "float16", Q.BF16: "bfloat16", Q.F64: "float64", Q.I8: "int8", Q.I16: "int16",
         Q.I32: "int32", Q.I64: "int64"}
RNG = np.random.default_rng(12)


def sha(data):
    return hashlib.sha256(data).hexdigest()


def write(path, tensors, setup=None, **more):
    writer = gguf.GGUFWriter(path, "llama", **more)
    if setup:
        setup(writer)
    for name, (data, kind) in tensors.items():
        writer.add_tensor(name, data, raw_dtype=kind)
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()


def weights(rows, columns):
    return (RNG.standard_normal((rows, columns)) * 0.02).astype(np.float32)


def model():
    """Every type that the package can encode, and random blocks of those that it can only decode."""
    tensors = {"token_embd.weight": (weights(7, 5), None), "half": (weights(3, 4).astype(np.float16), None),
               "ids": (np.arange(10, dtype=np.int32), None), "wide": (np.arange(4, dtype=np.int64).reshape(2, 2), None),
               "double": (weights(2, 2).astype(np.float64), None)}
    for kind, (elements, size) in gguf.GGML_QUANT_SIZES.items():
        if kind not in gguf.quants._type_traits:
            continue
        try:
            data = gguf.quants.quantize(weights(6, 512), kind)
        except NotImplementedError:
            data = RNG.integers(0, 256, (6, 512 // elements * size), dtype=np.uint8)
        tensors[f"blk.0.{kind.name.lower()}.weight"] = (data, kind)
    return tensors


def numbers_of(tensor):
    if tensor.tensor_type in gguf.quants._type_traits and tensor.tensor_type != Q.BF16:
        with np.errstate(all="ignore"):
            return gguf.quants.dequantize(np.ascontiguousarray(tensor.data), tensor.tensor_type)
    return np.asarray(tensor.data)


def split_as_llama(path, stated, tensors):
    """One part as gguf-split writes it: every key is kept, offsets and padding use GGUF_DEFAULT_ALIGNMENT."""
    writer = gguf.GGUFWriter(path, "llama")
    writer.add_uint32("general.alignment", stated)
    for name, (data, kind) in tensors.items():
        writer.add_tensor(name, data, raw_dtype=kind)
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()


class Gguf(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.temporary = tempfile.TemporaryDirectory()
        cls.folder = pathlib.Path(cls.temporary.name)
        cls.path = cls.folder / "model.gguf"

        def setup(writer):
            writer.add_uint64("big", 2**63 + 1)
            writer.add_token_list([f"token {i}" for i in range(120_000)])
            writer.add_token_scores([float(i) for i in range(120_000)])
            writer.add_array("pairs", [[1, 2], [3, 4]])

        write(cls.path, model(), setup)
        cls.reader = gguf.GGUFReader(cls.path)

    @classmethod
    def tearDownClass(cls):
        cls.temporary.cleanup()

    def test_names_dtypes_shapes(self):
        listed = {t["name"]: t for t in ask("ls", self.path)["tensors"]}
        self.assertEqual(set(listed), {t.name for t in self.reader.tensors})
        for t in self.reader.tensors:
            self.assertEqual(listed[t.name]["dtype"], NAMES.get(t.tensor_type, t.tensor_type.name.lower()))
            self.assertEqual(listed[t.name]["shape"], [int(n) for n in reversed(t.shape.tolist())])
            self.assertEqual(listed[t.name]["bytes"], t.n_bytes)

    def test_hashes_are_those_of_the_stored_blocks(self):
        hashes = {t["name"]: t["sha256"] for t in ask("hash", self.path)["tensors"]}
        for t in self.reader.tensors:
            self.assertEqual(hashes[t.name], sha(t.data.tobytes()), t.name)

    def test_parts_that_readers_misplace_are_noticed(self):
        """GGUFWriter records the alignment only in the first part; gguf-split (its loop is copied here) keeps the key and pads to 32."""
        noticed = 0
        for case in range(16):
            folder = pathlib.Path(self.temporary.name) / f"split{case}"
            folder.mkdir()
            alignment = [None, 16, 64, 4096][case % 4]
            tensors = {f"blk.{i}.{'w' * (case % 7 + 1)}": (weights(int(RNG.integers(1, 9)), int(RNG.integers(1, 20))), None)
                       for i in range(case % 5 + 2)}
            write(folder / "model.gguf", tensors, lambda w: alignment and w.add_custom_alignment(alignment),
                  split_max_tensors=case % 3)
            files = sorted(folder.glob("*.gguf"))
            if case % 8 == 3:
                split_as_llama(folder / "again.gguf", alignment, tensors)
                files = [folder / "again.gguf"]
            try:
                right = all(t.data.tobytes() == tensors[t.name][0].tobytes() for f in files for t in gguf.GGUFReader(f).tensors)
            except ValueError:
                right = False
            answer = run("check", files[0], "--json")
            self.assertEqual(answer.code, 0 if right else 1, (case, answer.said()))
            noticed += not right
            hashes = {t["name"]: t["sha256"] for t in ask("hash", files[0])["tensors"]}
            self.assertEqual(hashes, {name: sha(data.tobytes()) for name, (data, _) in tensors.items()}, case)
        self.assertGreater(noticed, 3)

    def test_metadata(self):
        values = ask("info", self.path)["values"]
        for key, field in self.reader.fields.items():
            if key.startswith("GGUF.") or key == "pairs":
                continue
            want, got = field.contents(), values[key]
            self.assertEqual(str(got) if isinstance(want, int) and want > 2**63 else got, str(want) if
                             isinstance(want, int) and want > 2**63 else want, key)
        self.assertEqual(values["pairs"], [[1, 2], [3, 4]])

    def test_shown_numbers(self):
        for t in self.reader.tensors:
            want = numbers_of(t)
            shown = ask("show", self.path, "--tensor", t.name)
            if t.tensor_type == Q.BF16:
                continue
            got = np.array(shown["values"], dtype=np.float64)
            finite = np.isfinite(want)
            np.testing.assert_array_equal(got[finite], want.astype(np.float64)[finite], t.name)

    def test_slices_cut_blocks(self):
        for t in self.reader.tensors:
            if t.tensor_type not in gguf.quants._type_traits or t.tensor_type == Q.BF16:
                continue
            want = numbers_of(t)[1:4, 30:290]
            got = np.array(ask("show", self.path, "--tensor", t.name, "--slice", "1:4,30:290")["values"], np.float64)
            finite = np.isfinite(want)
            np.testing.assert_array_equal(got[finite], want.astype(np.float64)[finite], t.name)

    def test_statistics_are_those_of_the_numbers(self):
        rows = {t["name"]: t for t in ask("stats", self.path)["tensors"]}
        for t in self.reader.tensors:
            if t.tensor_type == Q.BF16:
                continue
            want = numbers_of(t).astype(np.float64)
            finite = want[np.isfinite(want)]
            row = rows[t.name]
            self.assertEqual(row["count"], want.size)
            self.assertEqual((row["min"], row["max"]), (finite.min(), finite.max()), t.name)
            self.assertEqual(row["nan"], int(np.isnan(want).sum()))
            self.assertAlmostEqual(row["mean"], finite.mean(), delta=1e-9 * max(1, abs(finite).max()))

    def test_export_decodes(self):
        for name in ("blk.0.q4_k.weight", "blk.0.iq2_xs.weight", "blk.0.q8_0.weight", "half"):
            out = self.folder / f"{name}.npy"
            ask("export", self.path, "--tensor", name, "-o", out)
            tensor = next(t for t in self.reader.tensors if t.name == name)
            got = np.load(out)
            want = numbers_of(tensor)
            self.assertEqual(got.dtype, want.dtype)
            self.assertEqual(got.tobytes(), np.ascontiguousarray(want).tobytes(), name)

    def test_diff_of_two_quantisations(self):
        data = weights(4, 256)
        left, right = self.folder / "left.gguf", self.folder / "right.gguf"
        write(left, {"w": (gguf.quants.quantize(data, Q.Q8_0), Q.Q8_0)})
        write(right, {"w": (data, None)})
        changed = ask("diff", left, right, "--values", code=1)["changed"][0]
        exact = np.abs(gguf.quants.dequantize(gguf.quants.quantize(data, Q.Q8_0), Q.Q8_0).astype(np.float64) -
                       data.astype(np.float64))
        self.assertEqual(changed["max_abs"], exact.max())

    def test_written_files_are_read_by_the_package(self):
        for options in ((), ("--max-shard-size", "4000")):
            out = self.folder / ("split" if options else "again.gguf")
            ask("consolidate", self.path, "-o", out, "--to", "gguf", "--only", "all", *options)
            files = sorted(out.glob("*.gguf")) if options else [out]
            self.assertEqual(len(files) > 1, bool(options))
            got = {t.name: t for f in files for t in gguf.GGUFReader(f).tensors}
            self.assertEqual(list(got), [t.name for t in self.reader.tensors])
            for t in self.reader.tensors:
                self.assertEqual(got[t.name].tensor_type, t.tensor_type)
                self.assertEqual(got[t.name].data.tobytes(), t.data.tobytes(), t.name)
            fields = gguf.GGUFReader(files[0]).fields
            self.assertEqual(fields["general.architecture"].contents(), "llama")
            self.assertEqual(fields["tokenizer.ggml.tokens"].contents(7), "token 7")

    def test_splits_and_byte_orders(self):
        some = {f"t{i}": (weights(2, 64), None) for i in range(5)} | {
            "q": (gguf.quants.quantize(weights(4, 256), Q.Q8_0), Q.Q8_0)}
        split = self.folder / "parts" / "m.gguf"
        split.parent.mkdir()
        write(split, some, split_max_tensors=2)
        self.assertEqual(len(ask("ls", split.parent)["tensors"]), 6)
        big = self.folder / "big.gguf"
        write(big, some, endianess=gguf.GGUFEndian.BIG)
        hashes = {t["name"]: t["sha256"] for t in ask("hash", big)["tensors"]}
        for t in gguf.GGUFReader(big).tensors:
            data = t.data.astype(t.data.dtype.newbyteorder("<"))
            self.assertEqual(hashes[t.name], sha(data.tobytes()), t.name)

    def test_runs_lists_and_check_passes(self):
        run = self.folder / "run"
        run.mkdir()
        for step in (100, 200):
            write(run / f"step-{step}.gguf", {"w": (weights(2, 32), None)})
        listed = ask("runs", run)["runs"][0]["checkpoints"]
        self.assertEqual([c["step"] for c in listed], [100, 200])
        self.assertEqual(ask("check", run / "step-200.gguf")["verdict"], "healthy")


if __name__ == "__main__":
    unittest.main()
