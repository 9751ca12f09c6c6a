# SPDX-License-Identifier: Apache-2.0
"""Hostile MessagePack trees."""
import struct

from ocdbts import array, binary, extension, pack
from table import error, file, fine, notice

CHUNKED = "__msgpack_chunked_array__"


def one(data):
    return file("x.msgpack", data)


def w(value):
    return one(pack({"w": value}))


def parts(*values):
    return w(extension(pack(list(values))))


def chunked(shape=None, chunks=None, mark=True):
    whole = array((6,), data=bytes(24))
    return w({CHUNKED: mark, "shape": shape or {"0": 2, "1": 3}, "chunks": chunks if chunks is not None else {"0": whole}})


def record(*path):
    """One leaf of a stream."""
    return b"\x92" + pack(list(path)) + binary(array(data=b"\0\0\x80?" * 6))


def cases():
    bad, cut, data = "flax-bad-array", "truncated", "msgpack-bad-data"
    good = pack({"w": array(), "step": 3})
    deep = pack({"w": b"\x91" * 100_000 + b"\xc0"})
    nested = b"".join([b"\x81\xa1a"] * 50_000) + b"\xc0"
    return [
        fine("tree", one(good), "check"),
        fine("stream", one(record("a", "w") + record("a", "v") + record("b")), "check"),
        notice("stream_same_path", one(record("a", "w") * 3), "duplicate-tensor"),
        notice("stream_cut", one(record("a", "w") + record("a", "v")[:-2]), cut),
        notice("stream_leaf_longer", one(record("a") + b"\x92\x91\xa1b" + binary(array() + b"\xc0")), data),
        notice("stream_leaf_shorter", one(record("a") + b"\x92\x91\xa1b" + binary(array()[:-4])), cut),
        notice("stream_leaf_empty", one(record("a") + b"\x92\x91\xa1b" + binary(b"") + record("c")), data),
        notice("stream_leaf_in_leaf", one(record("a") + b"\x92\x91\xa1b" + binary(b"\x91" * 300 + b"\xc0")), "limit-exceeded"),
        notice("stream_path_empty", one(record("a") + b"\x92\x90" + binary(array())), data),
        notice("stream_path_2_32", one(record("a") + b"\x92\xdd\xff\xff\xff\xff"), cut),
        notice("stream_path_deep", one(record("a") + record(*"abcd" * 100)), data),
        notice("stream_then_tree", one(record("a") + good), data),
        notice("stream_leaf_is_text", one(record("a") + b"\x92\x91\xa1b\xa1x"), data),
        notice("stream_leaf_array_beyond", one(record("a") + b"\x92\x91\xa1b" + binary(array()[:-1]) + bytes(9)), data),
        error("map_count_2_32", one(b"\xdf\xff\xff\xff\xff\xa1a\xc0"), cut),
        notice("inner_map_count_2_32", w(b"\xdf\xff\xff\xff\xff"), cut),
        notice("inner_list_count_2_32", w(b"\xdd\xff\xff\xff\xff"), cut),
        notice("cut_in_key", one(b"\x82\xa1a\xc0\xd9\x50k"), cut),
        notice("cut_in_array", one(good[:40]), cut),
        notice("cut_in_number", one(b"\x82\xa1a\xc0\xa1b\xcf\x01"), cut),
        notice("byte_c1", w(b"\xc1"), data),
        notice("more_behind", one(good + b"\xc0"), data),
        notice("key_is_list", one(b"\x82\xa1a\xc0\x90\xc0"), data),
        notice("key_is_nil", one(b"\x82\xa1a\xc0\xc0\xc0"), data),
        notice("key_too_long", one(b"\x82\xa1a\xc0" + struct.pack(">BI", 0xDB, 100_000) + b"k" * 100_000 + b"\xc0"),
               "limit-exceeded"),
        notice("deep_lists", one(deep), "limit-exceeded"),
        notice("deep_maps", one(nested), "limit-exceeded"),
        notice("nodes_500k", one(pack({"w": struct.pack(">BI", 0xDD, 500_000) + b"\xc0" * 500_000})), "limit-exceeded"),
        notice("names_add_up", one(b"\x81\xa1a" + b"".join(b"\x81" + pack("n" * 60_000) for _ in range(30)) + b"\xc0"), "limit-exceeded"),
        fine("text_of_a_gigabyte_is_not_read", one(pack({"w": binary(bytes(2_000_000))}))),
        notice("extension_unknown", w(extension(b"abc", 77)), "unsupported"),
        notice("extension_negative", w(extension(b"abc", -1)), "unsupported"),
        notice("extension_beyond", w(extension(b"abc", length=1 << 31)), cut),
        notice("array_empty", w(extension(b"")), bad),
        notice("array_is_text", w(extension(pack("hello"))), bad),
        notice("array_two_parts", parts([2], "float32"), bad),
        notice("array_four_parts", parts([2], "float32", binary(bytes(8)), 1), bad),
        notice("shape_is_text", parts("2", "float32", binary(bytes(8))), bad),
        notice("shape_negative", parts([-2], "float32", binary(bytes(8))), bad),
        notice("shape_is_real", parts([2.0], "float32", binary(bytes(8))), bad),
        notice("shape_wraps", parts([1 << 62, 4], "float32", binary(b"")), bad),
        notice("shape_wraps_to_fit", parts([1 << 62, 1 << 3], "float32", binary(b"")), bad),
        notice("shape_of_2000", parts([1] * 2000, "float32", binary(bytes(4))), bad),
        notice("shape_count_2_32", w(extension(b"\x93\xdd\xff\xff\xff\xff")), bad),
        notice("shape_reaches_out", one(pack({"w": extension(b"\x93\x99" + b"\x01" * 4), "b": 1})), bad),
        notice("dtype_is_number", parts([2], 5, binary(bytes(8))), bad),
        notice("dtype_unknown", parts([2], "float31", binary(bytes(8))), "unsupported"),
        notice("dtype_object", parts([1], "object", binary(bytes(8))), "unsupported"),
        notice("dtype_block", parts([256], "q8_k", binary(bytes(292))), "unsupported"),
        notice("dtype_string", parts([1], "string", binary(bytes(8))), "unsupported"),
        notice("dtype_long", parts([1], "f" * 5000, binary(bytes(8))), "limit-exceeded"),
        notice("dtype_control", parts([1], "a\x1b[2J", binary(bytes(8))), "unsupported"),
        notice("bytes_are_number", parts([2], "float32", 7), bad),
        notice("bytes_short", parts([2], "float32", binary(bytes(7))), bad),
        notice("bytes_long", parts([2], "float32", binary(bytes(9))), bad),
        notice("bytes_beyond", parts([2], "float32", binary(bytes(8), 1 << 31)), bad),
        notice("bytes_reach_into_next", one(pack({"w": extension(pack([[20], "uint8"]) + b"\xc6\0\0\0\x14" + bytes(4)),
                                                  "b": "x" * 40})), bad),
        notice("scalar_empty", w(extension(b"", 3)), bad),
        notice("complex_empty", w(extension(b"", 2)), bad),
        notice("complex_text", w(extension(pack(["a", "b"]), 2)), bad),
        notice("complex_three", w(extension(pack([1.0, 2.0, 3.0]), 2)), bad),
        fine("chunked", chunked(), "check"),
        notice("chunked_no_shape", w({CHUNKED: True, "chunks": {"0": array()}}), bad),
        notice("chunked_no_chunks", w({CHUNKED: True, "shape": {"0": 2}}), bad),
        notice("chunked_shape_text", chunked(shape={"0": "x"}), bad),
        notice("chunked_shape_wraps", chunked(shape={"0": 1 << 62, "1": 1 << 62}), bad),
        notice("chunked_gap", chunked(shape={"0": 2, "2": 3}), bad),
        notice("chunked_too_few", chunked(shape={"0": 3, "1": 3}), bad),
        notice("chunked_too_many", chunked(shape={"0": 1, "1": 3}), bad),
        notice("chunked_of_numbers", chunked(chunks={"0": 5}), bad),
        notice("chunked_two_types", chunked(shape={"0": 8}, chunks={"0": array((6,)), "1": array((2,), "int32", bytes(8))}), bad),
        fine("chunked_not_marked", chunked(mark=False)),
        notice("name_twice", one(b"\x82" + (pack("w") + array()) * 2), "duplicate-tensor"),
        notice("name_control", w(extension(b"", 1)), bad),
        notice("placeholder_without_folder", w("//GDAPlaceholder:w"), "missing-shard"),
        notice("placeholder_climbs", w("//GDAPlaceholder:../../outside/secret"), "missing-shard"),
        error("nothing", one(b""), "empty-file"),
        error("zeros", one(bytes(5000)), "zero-filled"),
        error("root_is_number", one(b"\x07"), "not-a-checkpoint"),
        error("root_is_text", one(b"\xa5hello"), "not-a-checkpoint"),
    ]
