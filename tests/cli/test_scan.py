#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""`scan` of files that a loader decodes in ways of its own, of archives that expand without end, and of running samples that
need nothing but Python. Only the standard library; the payloads are never loaded here."""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
import os
import pickle
import pickletools
import resource
import sys
import tarfile
import time
import unittest
import zipfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "support"))
from driver import ROOT, CliTest, run

RUNS, INERT, UNKNOWN, SKIPPED = "would-run-code", "inert", "unknown-class", "not-examined"
PAYLOAD = b"cposix\nsystem\n(S'true'\ntR."
PLAIN = b"\x80\x02}X\x01\x00\x00\x00aK\x01s."
FIELDS = b'{"a": {":serialized:": "gAJjcG9zaXgKc3lzdGVtClgCAAAAaWSFUi4="}}'
LAMBDA = b'{"class_name": "Lambda", "config": {"function": {"class_name": "__lambda__"}}}'
SECONDS = 10  # for what takes a tenth of one on an idle processor


def zipped(**members: bytes) -> bytes:
    return zipped_as(zipfile.ZIP_STORED, members)


def zipped_as(method: int, members: dict[str, bytes]) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", method) as archive:
        for name, data in members.items():
            archive.writestr(name, data)
    return out.getvalue()


def tarred(count: int, data: bytes) -> bytes:
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w") as archive:
        for i in range(count):
            info = tarfile.TarInfo(f"m{i}")
            info.size = len(data)
            archive.addfile(info, io.BytesIO(data))
    return out.getvalue()


class Scanned(CliTest):
    def scan(self, name: str, data: bytes) -> dict:
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
        return self.scan_path(path)

    def scan_path(self, path: Path) -> dict:
        answer = run("scan", path, "--json")
        verdict = answer.json["verdict"]
        self.assertEqual(answer.code, 0 if verdict in (INERT, UNKNOWN) else 1, verdict)
        return answer.json

    def expect(self, verdict: str, name: str, data: bytes, reason: str = "") -> None:
        document = self.scan(name, data)
        with self.subTest(name):
            self.assertEqual(document["verdict"], verdict, document["reasons"])
            self.assertIn(reason, " ".join(document["reasons"]))


class LoadersThatDecodeMore(Scanned):
    def test_gzip_headers_that_only_python_reads(self) -> None:
        data = gzip.compress(PAYLOAD)
        reserved = data[:3] + b"\x80" + data[4:]
        wrong_checksum = data[:3] + b"\x02" + data[4:10] + b"xx" + data[10:]
        for changed in (reserved, wrong_checksum):
            self.assertEqual(gzip.decompress(changed), PAYLOAD, "Python reads it")
        self.expect(RUNS, "plain.gz", data)
        self.expect(SKIPPED, "reserved.gz", reserved, "gzip")
        self.expect(SKIPPED, "checksum.gz", wrong_checksum, "gzip")
        self.expect(SKIPPED, "second_member.gz", gzip.compress(PLAIN) + reserved, "gzip")
        self.expect(INERT, "padding.gz", gzip.compress(PLAIN) + bytes(9))
        self.expect(INERT, "trailing.gz", gzip.compress(PLAIN) + b"more")

    def test_windows_of_lzma(self) -> None:
        data = lzma.compress(PAYLOAD, format=lzma.FORMAT_ALONE)
        odd = data[:1] + (5000).to_bytes(4, "little") + data[5:]
        self.assertEqual(lzma.decompress(odd, format=lzma.FORMAT_ALONE), PAYLOAD, "Python reads it")
        self.expect(RUNS, "usual.lzma", data)
        self.expect(RUNS, "odd.lzma", odd)

    def test_json_after_many_blanks(self) -> None:
        for blanks in (b"", b" " * 1100, b"\n\t" * 100_000):
            self.expect(RUNS, f"fields{len(blanks)}.zip", zipped(data=blanks + FIELDS))
            self.expect(RUNS, f"layer{len(blanks)}.keras", zipped(**{"config.json": blanks + LAMBDA}))
        for encoding in ("utf-16", "utf-32-le", "utf-8-sig"):
            self.expect(SKIPPED, f"{encoding}.keras", zipped(**{"config.json": LAMBDA.decode().encode(encoding)}), "UTF-8")

    def test_programs_in_archives(self) -> None:
        library = b"\x7fELF" + bytes(100)
        self.expect(SKIPPED, "aoti.pt2", zipped(**{"m/data/aotinductor/model/w.so": library}), "native program")
        package = {"p/.data/extern_modules": b"os\n", "p/module.py": b"import os\n", "p/res/m.pkl": PLAIN}
        self.expect(SKIPPED, "package.pt", zipped(**package), "torch.package")
        source = b"class M(Module):\n  def %s(self: M, state: int) -> NoneType:\n    return None\n"
        script = {"s/data.pkl": PLAIN, "s/code/__torch__.py": source % b"forward"}
        self.expect(INERT, "script.pt", zipped(**script))
        script["s/code/__torch__.py"] = source % b"__setstate__"
        self.expect(SKIPPED, "setstate.pt", zipped(**script), "TorchScript")

    def test_zarr_arrays_of_pickles(self) -> None:
        for codec, verdict in ((b'null', INERT), (b'{"id": "zlib"}', INERT), (b'{"id": "blosc"}', SKIPPED)):
            array = self.folder / codec.decode().strip('{"}').replace('"', "").replace(": ", "-")
            array.mkdir()
            (array / ".zarray").write_bytes(b'{"dtype": "|O", "filters": [{"id": "pickle"}], "compressor": ' + codec + b"}")
            self.assertEqual(self.scan_path(array)["verdict"], verdict, codec)

    def test_pickles_behind_much_other_data(self) -> None:
        self.expect(RUNS, "behind.pkl", PLAIN + bytes(20 << 20) + b"\x80\x02" + PAYLOAD)
        self.expect(RUNS, "zip_behind.gz", gzip.compress(bytes(5 << 20) + zipped(**{"e.pkl": PAYLOAD})))


class Expansion(Scanned):
    def timed(self, name: str, data: bytes) -> dict:
        began = time.monotonic()
        document = self.scan(name, data)
        self.assertLess(time.monotonic() - began, SECONDS, name)
        return document

    def test_archives_in_archives_are_bounded(self) -> None:
        tars, zips = PLAIN, PLAIN
        for _ in range(4):
            tars = gzip.compress(tarred(60, tars), 9)
        for _ in range(8):
            zips = zipped_as(zipfile.ZIP_DEFLATED, {f"m{i}": zips for i in range(6)})
        for name, data in (("tars.tgz", tars), ("zips.zip", zips)):
            self.assertLess(len(data), 8000)
            document = self.timed(name, data)
            self.assertEqual(document["verdict"], SKIPPED)
            self.assertIn("expand to", " ".join(document["reasons"]))

    def test_what_is_beyond_the_bound_does_not_hide_what_is_not(self) -> None:
        tars = PLAIN
        for _ in range(4):
            tars = gzip.compress(tarred(60, tars), 9)
        self.assertEqual(self.timed("first.zip", zipped_as(zipfile.ZIP_DEFLATED, {"a": PAYLOAD, "b": tars}))["verdict"], RUNS)

    def test_each_file_of_a_folder_is_examined(self) -> None:
        zips = PLAIN
        for _ in range(8):
            zips = zipped_as(zipfile.ZIP_DEFLATED, {f"m{i}": zips for i in range(6)})
        (self.folder / "run").mkdir()
        for i in range(3):
            (self.folder / "run" / f"a{i}.zip").write_bytes(zips)
        (self.folder / "run" / "z.pkl").write_bytes(PAYLOAD)
        self.assertEqual(self.scan_path(self.folder / "run")["verdict"], RUNS)

    def test_damaged_hdf5_is_bounded_by_its_size(self) -> None:
        """A heap whose names are gone, so that a search in HDF5's library does not end by itself."""
        data = bytearray((ROOT / "tests" / "data" / "keras" / "dense.weights.h5").read_bytes())
        data[2072:2136] = bytes(64)
        data[5007] = 16
        used = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
        self.expect(SKIPPED, "loops.h5", bytes(data), "HDF5")
        self.assertLess(resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - used, SECONDS, "seconds of processor time; 30 without a bound")

    def test_large_archives_of_many_records_are_examined(self) -> None:
        records = {f"r{i}": b"\xff" + os.urandom(300) + bytes(i % 50) for i in range(3000)}
        self.assertEqual(self.timed("many.zip", zipped_as(zipfile.ZIP_DEFLATED, records))["verdict"], INERT)
        self.assertEqual(self.timed("many.tgz", gzip.compress(tarred(2000, b"\xff" + os.urandom(2000))))["verdict"], INERT)
        large = tarred(300, b"\xff" + os.urandom(40_000))  # more than is kept in memory: each step back would decompress all of it
        self.assertEqual(self.timed("large.tgz", gzip.compress(large, 1))["verdict"], INERT)
        self.assertEqual(self.timed("bz2.bz2", bz2.compress(PLAIN + bytes(3_000_000)))["verdict"], INERT)


class Given:
    """Pickles a call of a function of the standard library."""

    def __init__(self, function, *arguments) -> None:
        self.call = (function, arguments)

    def __reduce__(self):
        return self.call


class Names(Scanned):
    def verdict_of(self, made: object) -> dict:
        return self.scan("made.pkl", pickletools.optimize(pickle.dumps(made, 4)))

    def test_functions_that_were_not_read_run_code(self) -> None:
        import itertools
        import mailbox
        import shelve

        for function, arguments in ((itertools.starmap, (print, [()])), (mailbox.mbox, ("x",)), (shelve.open, ("x",)), (map, (print, [1])),
                                    (sorted, ([1],)), (gzip.open, ("x",)), (tarfile.open, ("x",)), (eval, ("1",)), (print, ("x",))):
            document = self.verdict_of(Given(function, *arguments))
            self.assertEqual(document["verdict"], RUNS, function)
            self.assertTrue(any(entry["kind"] == RUNS for entry in document["globals"]), document)

    def test_functions_in_containers_that_call_them(self) -> None:
        import collections
        import functools

        self.assertEqual(self.verdict_of(collections.defaultdict(print))["verdict"], RUNS)
        self.assertEqual(self.verdict_of(functools.partial(os.system, "true"))["verdict"], RUNS)
        self.assertEqual(self.verdict_of(collections.defaultdict(functools.partial(collections.defaultdict, int)))["verdict"], INERT)

    def test_objects_of_the_language(self) -> None:
        import argparse
        import collections
        import datetime
        import decimal
        import fractions
        import http
        import pathlib
        import re
        import typing
        import uuid

        made = [argparse.Namespace(a=1), collections.OrderedDict(a=collections.deque([1])), collections.Counter("aa"), datetime.datetime.now(datetime.timezone.utc),
                decimal.Decimal(1), decimal.Context(), fractions.Fraction(1, 2), http.HTTPStatus.OK, pathlib.PurePosixPath("a"), re.compile("a"), re.I,
                typing.Optional[int], list[int], uuid.UUID(int=1), ValueError("x"), slice(1), {1, 2}, 1j, type(None), collections.ChainMap({})]
        for each in made:
            for protocol in range(6):
                try:
                    data = pickle.dumps(each, protocol)
                except (TypeError, pickle.PicklingError):
                    continue  # not in this protocol
                document = self.scan("made.pkl", data)
                self.assertEqual(document["verdict"], INERT, (each, protocol, document["reasons"]))

    def test_no_verdict_says_safe(self) -> None:
        for data in (PLAIN, PAYLOAD, pickle.dumps(Given(print))):
            self.assertNotIn("safe", str(self.scan("made.pkl", data)).lower())


if __name__ == "__main__":
    unittest.main()
