# SPDX-License-Identifier: Apache-2.0
"""Hostile zarr folders of Megatron and flattened optimizer states: back ends, arrays, locks, objects, original shapes."""
import json
import os
import struct

import pickles
from cases_megatron import STATE
from dcps import dcp, item
from deepspeeds import T, torch_file
from ocdbts import zarray
from table import error, finding, fine, folder, job, notice

COMMON = torch_file({"iteration": 10, "args": {"lr": 0.5}})
BACKEND = json.dumps({"sharded_backend": "zarr", "sharded_backend_version": 1, "common_backend": "torch"})
CHUNK = struct.pack("<6f", *range(6))
HUGE = (1 << 63) - 1


def with_file(name, data, then=None, **files):
    made = {"common.pt": COMMON, "metadata.json": BACKEND, "w/.zarray": zarray(), "w/0.0": CHUNK, name: data}
    return folder({key: value for key, value in (made | files).items() if value is not None}, then)


def array(chunk=CHUNK, **fields):
    return with_file("w/.zarray", zarray(**fields), **{"w/0.0": chunk})


def link(name, target):
    def then(place):
        (place.open / name).unlink(missing_ok=True)
        os.symlink(target, place.open / name)

    return with_file("x", b"", then)


def pipe(place):
    (place.open / "w/0.0").unlink()
    os.mkfifo(place.open / "w/0.0")


def flat(change=None, true=(4, 3), name="w"):
    """w: blocks of [2, 3] in two cells, the second one cut after its fourth element."""

    def spoil(d):
        whole = item(0, shape=(1, 1, 6), stride=(6, 6, 1))
        first = item(6, data=struct.pack("<4f", 6, 7, 8, 9), count=4, shape=(1, 1, 4), stride=(4, 4, 1))
        rest = item(10, data=struct.pack("<2f", 10, 11), count=2, shape=(1, 1, 2), stride=(2, 2, 1))
        d.files = {"__0_0.distcp": whole + d.files["__0_0.distcp"][d.spec["values"]["step"]["offset"]:], "__1_0.distcp": first + rest}
        d.spec["values"]["step"]["offset"] = len(whole)
        d.w["size"] = [2, 1, 6]
        d.w["chunks"] = [{"offsets": [0, 0, 0], "sizes": [1, 1, 6], "path": "__0_0.distcp", "offset": 0, "length": len(whole)},
                         {"offsets": [1, 0, 0], "sizes": [1, 1, 4], "path": "__1_0.distcp", "offset": 0, "length": len(first)},
                         {"offsets": [1, 0, 4], "sizes": [1, 1, 2], "path": "__1_0.distcp", "offset": len(first), "length": len(rest)}]
        d.spec["mcore"] = {name: true}
        if change:
            change(d)

    return dcp(spoil)


def chunk(number, **fields):
    return flat(lambda d: d.w["chunks"][number].update(fields))


def cases():
    bad, unsupported, missing = "zarr-bad-metadata", "unsupported", "missing-shard"
    few = torch_file([T(range(6), (2, 3))])
    return [
        # folders
        fine("whole", with_file("x", b"")),
        error("backend_other", with_file("metadata.json", json.dumps({"sharded_backend": "fancy"})), unsupported),
        error("backend_number", with_file("metadata.json", '{"sharded_backend": 7}'), unsupported),
        error("backend_none", with_file("metadata.json", "{}"), unsupported),
        error("metadata_words", with_file("metadata.json", "no json"), None),
        error("metadata_empty", with_file("metadata.json", ""), None),
        error("metadata_list", with_file("metadata.json", "[]"), unsupported),
        error("metadata_deep", with_file("metadata.json", "[" * 100_000), None),
        error("metadata_huge", with_file("metadata.json", " " * (2 << 20)), "limit-exceeded"),
        error("metadata_link", link("metadata.json", "../outside/secret"), None),
        notice("metadata_missing", with_file("metadata.json", None), "being-written"),
        notice("common_broken", with_file("common.pt", STATE[:300]), None),
        notice("common_empty", with_file("common.pt", b""), "empty-file"),
        notice("common_link", link("common.pt", "../outside/secret"), None),
        fine("no_arrays", folder({"common.pt": COMMON, "metadata.json": BACKEND})),
        # arrays
        notice("array_words", with_file("w/.zarray", "no json"), None),
        notice("array_none", with_file("w/.zarray", None), bad),
        notice("chunk_missing", with_file("w/0.0", None), missing),
        finding("chunk_missing_found", with_file("w/0.0", None), missing),
        job("chunk_missing_refused", with_file("w/0.0", None), None),
        notice("chunk_short", array(CHUNK[:-1]), "zarr-bad-chunk"),
        notice("chunk_long", array(CHUNK + b"x"), "zarr-bad-chunk"),
        notice("chunk_empty", array(b""), "zarr-bad-chunk"),
        notice("chunk_outside", with_file("w/9.0", CHUNK), "stale-shard"),
        notice("chunk_link", link("w/0.0", "../../outside/secret"), None),
        notice("chunk_pipe", with_file("x", b"", pipe), None),
        notice("chunk_rank", with_file("w/0.0.0", CHUNK), bad),
        notice("shape_negative", array(shape=[-2, 3]), bad),
        notice("shape_huge", array(shape=[HUGE, HUGE]), None),
        notice("shape_many_chunks", array(shape=[HUGE // 8, 1], chunks=[1, 1]), None),
        notice("chunks_zero", array(chunks=[0, 3]), bad),
        notice("dtype_object", array(dtype="|O"), unsupported),
        notice("dtype_void", array(dtype="<V2"), unsupported),
        notice("filters", array(filters=[{"id": "delta"}]), unsupported),
        finding("compressed_words", array(compressor={"id": "zstd", "level": 1}), None),
        fine("locks", with_file("w.sync/0.0", b"", **{"w.sync/.zarray": b""})),
        fine("locks_alone", with_file("v.sync/.zarray", zarray())),
        fine("array_depth", with_file("/".join("abcdefgh" * 12) + "/.zarray", b"x")),
        # objects of the ranks
        fine("object", with_file("rng/shard_0_1.pt", few)),
        notice("object_broken", with_file("rng/shard_0_1.pt", few[:200]), None),
        notice("object_empty", with_file("rng/shard_0_1.pt", b""), "empty-file"),
        fine("object_name", with_file("rng/shard_" + "9" * 200 + ".pt", few)),
        fine("object_takes_a_name", with_file("w/shard_0_1.pt", few)),
        fine("objects_many", folder({"common.pt": COMMON, "metadata.json": BACKEND} | {f"rng/shard_{i}_700.pt": b"x" for i in range(700)})),
        # flattened states
        fine("flat", flat()),
        fine("flat_other_name", flat(name="nobody")),
        notice("flat_shape_rank", flat(true=(4, 3, 1)), unsupported),
        notice("flat_shape_none", flat(true=()), unsupported),
        notice("flat_shape_odd", flat(true=(3, 4)), unsupported),
        notice("flat_shape_larger", flat(true=(8, 3)), unsupported),
        notice("flat_shape_huge", flat(true=(HUGE - 1, HUGE)), unsupported),
        notice("flat_shape_zero", flat(true=(0, 3)), unsupported),
        fine("flat_shape_negative", flat(true=(-4, 3))),
        notice("flat_chunk_beyond", chunk(2, sizes=[1, 1, 3]), "dcp-bad-chunk"),
        notice("flat_chunk_two_cells", chunk(0, sizes=[2, 1, 6]), unsupported),
        notice("flat_chunk_lost", flat(lambda d: d.w["chunks"].pop()), "coverage-hole"),
        notice("flat_shard_lost", flat(lambda d: d.files.pop("__1_0.distcp")), missing),
        finding("flat_item_shorter", chunk(1, sizes=[1, 1, 3]), None),
        finding("flat_item_of_another", chunk(2, offset=0), None),
        fine("flat_same_shape", flat(true=(2, 1, 6))),
    ]
