# SPDX-License-Identifier: Apache-2.0
"""Hostile HDF5 and Keras files: fields of a real file changed one by one, archives around them, folders of shards.

The layout of HDF5: the format specification, version 3.0. Fields are searched in the real file, so that the rows also work with new golden files.
"""
import json
import os
import pathlib
import struct

import archives
from archives import Entry
from table import error, file, fine, folder, notice

DATA = pathlib.Path(__file__).resolve().parents[1] / "data" / "keras"
PLAIN = (DATA / "plain.h5").read_bytes()
WEIGHTS = (DATA / "dense.weights.h5").read_bytes()
FULL = struct.pack("<Q", (1 << 64) - 1)
HIGH = struct.pack("<Q", 1 << 62)


def at(data, place, new):
    return data[:place] + new + data[place + len(new):]


def find(data, word, number=0):
    place = -1
    for _ in range(number + 1):
        place = data.index(word, place + 1)
    return place


def changed(word, skip, new, number=0, data=WEIGHTS):
    """Writes `new` at `skip` bytes after the word."""
    return file("x.weights.h5", at(data, find(data, word, number) + skip, new))


def everywhere(word, skip, new, data=WEIGHTS):
    place = data.find(word)
    while place >= 0:
        data = at(data, place + skip, new)
        place = data.find(word, place + 1)
    return file("x.weights.h5", data)


def superblock(place, new, data=WEIGHTS):
    return file("x.weights.h5", at(data, place, new))


def keras(*, config=b"{}", metadata=b'{"keras_version": "3.0"}', weights=WEIGHTS, more=(), **how):
    entries = [Entry("metadata.json", metadata), Entry("config.json", config), Entry("model.weights.h5", weights), *more]
    return file("x.keras", archives.build([entry for entry in entries if entry.data is not None], **how))


def index(weight_map, shards=None, name="x.weights.json", **more):
    document = {"metadata": {"total_size": 10}, "weight_map": weight_map} | more
    return folder({name: json.dumps(document)} | {f"x_{i:05d}.weights.h5": data for i, data in enumerate(shards or [WEIGHTS])})


def link(target):
    def change(place):
        os.symlink(target, place.open / "x_00000.weights.h5")

    return folder({"x.weights.json": json.dumps({"metadata": {}, "weight_map": {"/layers/dense/vars": "x_00000.weights.h5"}})}, change)


def cases():
    unreadable = "hdf5-unreadable"
    rows = [
        fine("plain", file("x.h5", PLAIN)),
        fine("weights", file("x.weights.h5", WEIGHTS)),
        fine("keras", keras()),
        # the superblock
        error("signature_only", file("x.h5", WEIGHTS[:8]), unreadable),
        error("signature_and_zeros", file("x.h5", WEIGHTS[:8] + bytes(5000)), unreadable),
        error("version_huge", superblock(8, b"\xff"), unreadable),
        error("offset_size_zero", superblock(13, b"\0"), unreadable),
        error("offset_size_huge", superblock(13, b"\xff"), unreadable),
        error("length_size_huge", superblock(14, b"\xff"), unreadable),
        error("leaf_k_zero", superblock(16, b"\0\0"), unreadable),
        notice("leaf_k_huge", superblock(16, b"\xff\xff"), unreadable),
        error("base_huge", superblock(24, HIGH), unreadable),
        error("end_zero", superblock(40, bytes(8)), unreadable),
        error("end_huge", superblock(40, HIGH), unreadable),
        error("root_beyond", superblock(64, HIGH), unreadable),
        error("root_undefined", superblock(64, FULL), unreadable),
        error("root_is_superblock", superblock(64, bytes(8)), unreadable),
        error("words_after_signature", file("x.h5", WEIGHTS[:8] + b"only words " * 400), unreadable),
    ]
    for share in (1, 5, 10, 25, 50, 75, 90, 99):
        rows.append(error(f"cut_{share}", file("x.weights.h5", WEIGHTS[:len(WEIGHTS) * share // 100]), unreadable))
    # nodes: groups (TREE, HEAP, SNOD), both levels
    for word, fields in {b"TREE": {"type": (4, b"\x07"), "level": (5, b"\xff"), "entries": (6, b"\xff\xff"), "left": (8, HIGH), "child": (32, HIGH),
                                   "child_is_superblock": (32, bytes(8))},
                         b"HEAP": {"version": (4, b"\x09"), "size": (8, HIGH), "free": (16, HIGH), "data": (24, HIGH), "data_zero": (24, bytes(8))},
                         b"SNOD": {"version": (4, b"\x09"), "count": (6, b"\xff\xff"), "name": (8, HIGH), "header": (16, HIGH), "header_zero": (16, bytes(8)),
                                   "cache": (24, b"\xff\xff\xff\xff")}}.items():
        for field, (skip, new) in fields.items():
            name = f"{word.decode().lower()}_{field}"
            said = fine if field == "left" else lambda row, build: notice(row, build, None)  # siblings are not used here
            rows += [said(f"first_{name}", changed(word, skip, new)), said(f"every_{name}", everywhere(word, skip, new))]
    rows += [
        # archives
        error("keras_no_weights", keras(weights=None), None),
        error("keras_weights_words", keras(weights=b"no HDF5 at all " * 40), None),
        error("keras_weights_cut", keras(weights=WEIGHTS[:900]), None),
        error("keras_weights_empty", keras(weights=b""), None),
        error("keras_packed", file("x.keras", archives.build([Entry("metadata.json", b"{}"), Entry("config.json", b"{}"),
                                                              archives.deflated("model.weights.h5", WEIGHTS)])), None),
        notice("keras_config_words", keras(config=b"no JSON"), None),
        notice("keras_config_deep", keras(config=b"[" * 100000 + b"]" * 100000), None),
        notice("keras_config_cut", keras(config=b'{"module": "keras'), None),
        notice("keras_metadata_words", keras(metadata=b"\xff\xfe"), None),
        error("keras_twice", keras(more=(Entry("model.weights.h5", WEIGHTS),)), "zip-duplicate-name"),
        fine("keras_climbs", keras(more=(Entry("../../evil", b"x"),))),
        error("keras_directory_lies", keras(offset=40), None),
        # shards
        fine("index", index({"/layers/dense/vars": "x_00000.weights.h5"})),
        notice("index_shard_missing", index({"/layers/dense/vars": ["x_00000.weights.h5", "x_00001.weights.h5"]}), None),
        notice("index_climbs", index({"/layers/dense/vars": ["x_00000.weights.h5", "../outside/secret"]}), None),
        notice("index_absolute", index({"/layers/dense/vars": ["x_00000.weights.h5", "/etc/passwd"]}), None),
        notice("index_link_outside", link("../outside/secret"), "outside-folder"),
        error("index_words", folder({"x.weights.json": "no JSON", "x_00000.weights.h5": WEIGHTS}), None),
        error("index_map_number", index(7), None),
        error("index_map_of_numbers", index({"a": 5}), None),
        error("index_empty_map", index({}), None),
    ]
    return rows
