# SPDX-License-Identifier: Apache-2.0
"""Hostile Orbax folders: stores, trees, arrays, chunks."""
import json
import struct

from ocdbts import (FINE, MANIFEST, MISSING, NODE, config, envelope, interior, leaf, manifest, shard, shards, store, table,
                    varint, varints, zarr3, zarray)
from table import error, finding, fine, notice

TREE = {"tree_metadata": {"('w',)": {"key_metadata": [{"key": "w", "key_type": 2}],
                                     "value_metadata": {"value_type": "jax.Array", "skip_deserialize": False}}}}


def folder(files):
    def build(place):
        for name, data in files.items():
            place.write("step/" + name, data)
        return place.open / "step"

    return build


def linked(files, name, target):
    def build(place):
        path = folder(files)(place)
        (path / name).parent.mkdir(parents=True, exist_ok=True)
        (path / name).symlink_to(target)
        return path

    return build


def inline(*bodies):
    return folder(store(*bodies))


SOUND = {"a/.zarray": zarray(), "a/0.0": bytes(24)}


def one(metadata, chunk=bytes(24), key="w/0.0"):
    """An array next to a valid one."""
    return folder(store({**SOUND, "w/.zarray": metadata, key: chunk}))


def one3(metadata, chunk=bytes(24)):
    return folder(store({**SOUND, "w/c/0/0": chunk, "w/zarr.json": metadata}))


def zstd_frame(blocks, size=None):
    """`blocks` times 128 KiB of zeros in four bytes each."""
    rle = struct.pack("<I", (131072 << 3) | 2)[:3] + b"\0"
    last = struct.pack("<I", (131072 << 3) | 3)[:3] + b"\0"
    head = b"\x28\xb5\x2f\xfd" + (b"\xe0" + struct.pack("<Q", size) if size is not None else b"\0\x58")
    return head + rle * (blocks - 1) + last


def manifests():
    bad, cut = "ocdbt-bad-manifest", "truncated"
    whole = store()

    def with_manifest(data):
        return folder({**whole, "manifest.ocdbt": data})

    good = whole["manifest.ocdbt"]
    size = len(whole["d/root"])
    body = config() + table(["d/root"])
    return [
        fine("store", folder(whole), "check"),
        error("manifest_empty", with_manifest(b""), bad),
        error("manifest_four_bytes", with_manifest(good[:4]), bad),
        error("manifest_half", with_manifest(good[:40]), cut),
        error("manifest_longer", with_manifest(good + b"x"), bad),
        error("manifest_other_magic", with_manifest(b"\0" + good[1:]), bad),
        error("manifest_is_node", with_manifest(whole["d/root"]), bad),
        error("manifest_checksum", with_manifest(manifest(length=size, keys=2, crc=1)), "bad-checksum"),
        error("manifest_version_9", with_manifest(manifest(length=size, keys=2, version=9)), "unsupported"),
        error("manifest_compression_7", with_manifest(manifest(length=size, keys=2, compression=7)), "unsupported"),
        error("manifest_zstd_noise", with_manifest(envelope(MANIFEST, b"z" * 90, compression=1)), "bad-encoding"),
        error("manifest_zstd_cut", with_manifest(envelope(MANIFEST, zstd_frame(3)[:-4], compression=1)), "truncated"),
        error("manifest_zstd_bomb", with_manifest(envelope(MANIFEST, zstd_frame(4096), compression=1)), "limit-exceeded"),
        error("manifest_zstd_declares_2_62", with_manifest(envelope(MANIFEST, zstd_frame(2, 1 << 62), compression=1)),
              "limit-exceeded"),
        error("manifest_kind_5", with_manifest(manifest(kind=5)), bad),
        error("manifest_numbered_alone", with_manifest(envelope(MANIFEST, config(kind=1))), bad),
        error("manifest_no_body", with_manifest(envelope(MANIFEST, b"")), bad),
        error("manifest_versions_2_40", with_manifest(envelope(MANIFEST, body + varint(1 << 40))), bad),
        error("manifest_varint_11_bytes", with_manifest(envelope(MANIFEST, bytes(16) + b"\xff" * 11)), bad),
        error("manifest_file_9", with_manifest(manifest(length=size, keys=2, file=9)), bad),
        error("manifest_path_table_2_60", with_manifest(envelope(MANIFEST, config() + varint(1 << 60))), bad),
        error("manifest_base_beyond", with_manifest(manifest(length=size, keys=2, files=table(["d/root"], bases=[99]))), bad),
        error("manifest_prefix_beyond",
              with_manifest(manifest(length=size, keys=2, files=table(["d/root", "x"], prefixes=[500]))), bad),
        error("only_older_versions",
              with_manifest(envelope(MANIFEST, body + varint(0) + varint(1) + varints([1, 0, 0, 9, 1]))), "unsupported"),
        error("root_elsewhere", folder({"manifest.ocdbt": manifest("../outside/secret", length=99)}), "outside-folder"),
        error("root_absolute", folder({"manifest.ocdbt": manifest("/etc/passwd", length=99)}), "outside-folder"),
        error("root_link", linked({"manifest.ocdbt": manifest(length=99)}, "d/root", "../../../outside/secret"),
              "outside-folder"),
        error("root_missing", folder({"manifest.ocdbt": manifest(length=99)}), "missing-shard"),
        error("root_beyond", with_manifest(manifest(offset=1 << 62, length=99)), cut),
        error("root_wraps", with_manifest(manifest(offset=MISSING - 3, length=99)), cut),
        error("root_length_0", with_manifest(manifest(length=0, keys=2)), "ocdbt-bad-node"),
        notice("keys_more", with_manifest(manifest(length=size, keys=77)), "ocdbt-bad-node"),
        fine("empty_store", with_manifest(manifest(offset=MISSING, length=MISSING, keys=0))),
    ]


def nodes():
    bad = "ocdbt-bad-node"

    def node(data, keys=2, height=0):
        return folder({"manifest.ocdbt": manifest(length=len(data), keys=keys, height=height), "d/root": data})

    def own(keys=2, height=1, levels=1):
        """A node that is its own child; its length must be correct."""
        data = b""
        for _ in range(4):
            data = interior([("a", 0, 0, len(data), keys)] * levels, ["d/root"], height=height)
        return data

    def ladder(height):
        """Every level refers to the next one many times."""
        low = leaf({"w/.zarray": zarray()})
        data, at, keys = low, 0, 1
        for level in range(1, height + 1):
            children = [(f"{number:03}", 0, at, len(low), keys) for number in range(100)]
            low = interior(children, ["d/root"], height=level)
            at, keys = len(data), keys * 100
            data += low
        return folder({"manifest.ocdbt": manifest(offset=at, length=len(low), keys=keys % (1 << 60), height=height), "d/root": data})

    many = b"".join((b"\0", table([]), varint(1_000_000), varints([0] * 200)))
    return [
        error("node_cycle", node(own(), height=1), bad),
        notice("node_ladder", ladder(6), bad),
        error("node_height_2", node(leaf(FINE, height=2)), bad),
        error("node_height_255", node(own(height=255), height=255), bad),
        error("node_no_entries", node(leaf(FINE, count=0)), bad),
        error("node_entries_2_40", node(leaf(FINE, count=1 << 40)), bad),
        error("node_a_million_entries", node(envelope(NODE, many)), bad),
        error("node_checksum", node(leaf(FINE, crc=7)), "bad-checksum"),
        error("node_longer", node(leaf(FINE, length=1 << 40)), "truncated"),
        error("node_is_manifest", node(manifest()), bad),
        error("node_zstd_bomb", node(envelope(NODE, zstd_frame(8192), compression=1)), "limit-exceeded"),
        error("node_keys_fall", node(leaf({"w/0.0": b"", "w/.zarray": zarray()})), bad),
        error("node_key_twice", node(leaf({"ab": b"", "a": b""}, prefixes=[0], lengths=[2, 1])), bad),
        error("node_key_length_2_62", node(leaf(FINE, lengths=[1 << 62, 5])), bad),
        notice("node_key_prefix_beyond", node(leaf(FINE, prefixes=[99])), bad),
        error("node_kind_9", node(leaf({"w/.zarray": zarray()}, kinds=[9]), keys=1), bad),
        error("node_value_length_2_62", node(leaf({"w/.zarray": zarray()}, value_lengths=[1 << 62]), keys=1), bad),
        error("node_value_file_9", node(leaf({"w/.zarray": (9, 0, 4)}, files=["d/x"]), keys=1), bad),
        error("node_child_prefix_beyond", node(interior([("a", 0, 0, 9, 1)], ["d/x"], common=[50]), height=1), bad),
        error("node_child_missing", node(interior([("a", 0, 0, 9, 1)], ["d/x"]), height=1), "missing-shard"),
        error("node_child_outside", node(interior([("a", 0, 0, 9, 1)], ["../../outside/secret"]), height=1), "outside-folder"),
        error("metadata_value_outside", node(leaf({"w/.zarray": (0, 0, 44)}, files=["../../outside/secret"]), keys=1),
              "outside-folder"),
        error("metadata_value_huge", node(leaf({"w/.zarray": (0, 0, 1 << 40)}, files=["d/root"]), keys=1), "truncated"),
        notice("chunk_outside", node(leaf({"w/.zarray": zarray(), "w/0.0": (0, 0, 24)}, files=["../../outside/secret"])),
               "outside-folder"),
        notice("chunk_file_missing", node(leaf({"w/.zarray": zarray(), "w/0.0": (0, 0, 24)}, files=["d/gone"])), "missing-shard"),
        notice("chunk_beyond", node(leaf({"w/.zarray": zarray(), "w/0.0": (0, 1 << 62, 24)}, files=["d/root"])), "truncated"),
    ]


def arrays():
    bad, unknown, chunk = "zarr-bad-metadata", "unsupported", "zarr-bad-chunk"
    huge = 1 << 40
    return [
        notice("array_no_json", one(b"hello"), "json-syntax"),
        notice("array_deep", one(b"[" * 5000), "json-too-deep"),
        notice("array_long", one(b" " * 2_000_000 + zarray()), "limit-exceeded"),
        notice("array_is_list", one(b"[]"), bad),
        notice("array_format_9", one(zarray(zarr_format=9)), bad),
        notice("array_no_shape", one(zarray(shape="absent")), bad),
        notice("array_shape_text", one(zarray(shape="2,3")), bad),
        notice("array_shape_negative", one(zarray(shape=[-2, 3])), bad),
        notice("array_shape_wraps", one(zarray(shape=[1 << 33, 1 << 33])), "limit-exceeded"),
        notice("array_rank_2000", one(zarray(shape=[1] * 2000, chunks=[1] * 2000)), bad),
        notice("array_chunk_0", one(zarray(chunks=[0, 3])), bad),
        notice("array_chunk_wraps", one(zarray(chunks=[1 << 62, 1 << 62])), "limit-exceeded"),
        notice("array_chunk_rank", one(zarray(chunks=[2])), bad),
        notice("array_dtype_unknown", one(zarray(dtype="<q9")), unknown),
        notice("array_dtype_structured", one(zarray(dtype=[["a", "<f4"]])), unknown),
        notice("array_filters", one(zarray(filters=[{"id": "delta"}])), unknown),
        notice("array_compressor_lzma", one(zarray(compressor={"id": "lzma"})), unknown),
        notice("array_compressor_number", one(zarray(compressor=5)), bad),
        notice("array_order_x", one(zarray(order="X")), bad),
        notice("array_fill_text", one(zarray(fill_value="twelve")), bad),
        notice("array_without_metadata", folder(store({**SOUND, "w/0.0": bytes(24)})), bad),
        notice("chunk_rank", one(zarray(), key="w/0"), bad),
        notice("chunk_outside_grid", one(zarray(), key="w/7.7"), "missing-shard"),
        notice("chunk_index_2_62", one(zarray(), key="w/4611686018427387904.0"), "missing-shard"),
        notice("chunk_short", one(zarray(), bytes(9)), chunk),
        notice("chunk_missing", folder(store({"w/.zarray": zarray()})), "missing-shard"),
        fine("sparse_2_60", one(zarray(shape=[1 << 30, 1 << 28], chunks=[1, 1], fill_value=0.5), bytes(4), "w/77.5")),
        finding("zstd_noise", one(zarray(compressor={"id": "zstd"}), b"z" * 50), None),
        finding("zstd_chunk_bomb", one(zarray(compressor={"id": "zstd"}), zstd_frame(200)), None),
        finding("zstd_huge_chunk", one(zarray(shape=[huge], chunks=[huge], dtype="|u1", compressor={"id": "zstd"}),
                                       zstd_frame(3), "w/0"), None),
        finding("gzip_noise", one(zarray(compressor={"id": "gzip"}), b"z" * 50), None),
        finding("gzip_huge_chunk", one(zarray(shape=[huge], chunks=[huge], dtype="|u1", compressor={"id": "gzip"}),
                                       b"\x1f\x8b\x08" + bytes(30), "w/0"), None),
        finding("blosc_noise", one(zarray(compressor={"id": "blosc"}), b"z" * 50), None),
        finding("blosc_lies", one(zarray(compressor={"id": "blosc"}), struct.pack("<4B3I", 2, 1, 0x21, 4, 24, 24, 40) + bytes(24)),
                None),
        finding("blosc_declares_2_gib", one(zarray(compressor={"id": "blosc"}),
                                            struct.pack("<4B3I", 2, 1, 0, 4, 0x7FFFFFFF, 4096, 40) + bytes(24)), None),
        notice("v3_grid_irregular", one3(zarr3(chunk_grid={"name": "rectangular"})), unknown),
        notice("v3_no_codecs", one3(zarr3(codecs=[{"name": "zstd"}])), unknown),
        notice("v3_codec_unknown", one3(zarr3(codecs=[{"name": "bytes"}, {"name": "secret"}])), unknown),
        notice("v3_shards_nested", one3(zarr3(shards(codecs=shards()))), unknown),
        notice("v3_inner_does_not_tile", one3(zarr3(shards(inner=(2, 2)))), bad),
        notice("v3_inner_0", one3(zarr3(shards(inner=(0, 3)))), bad),
        fine("v3_shard", one3(zarr3(shards()), shard()), "check"),
        finding("v3_shard_short", one3(zarr3(shards()), bytes(3)), None),
        finding("v3_shard_index_checksum", one3(zarr3(shards()), shard(crc=5)), None),
        finding("v3_shard_index_beyond", one3(zarr3(shards()), shard(offset=1 << 40)), None),
        finding("v3_shard_index_wraps", one3(zarr3(shards()), shard(offset=MISSING - 1)), None),
        notice("v3_shard_of_2_60_chunks",
               one3(zarr3(shards(inner=(1, 1)), shape=[1 << 29, 1 << 29],
                          chunk_grid={"name": "regular", "configuration": {"chunk_shape": [1 << 29, 1 << 29]}}), shard()),
               "limit-exceeded"),
    ]


def trees():
    def tree(metadata, **files):
        data = metadata if isinstance(metadata, (bytes, str)) else json.dumps(metadata)
        return folder({**store(), "_METADATA": data, **files})

    def with_keys(keys):
        return {"tree_metadata": {"k": {"key_metadata": keys}}}

    bad = "orbax-bad-metadata"
    deep = [{"key": str(number), "key_type": 2} for number in range(5000)]
    missing = {"tree_metadata": {**TREE["tree_metadata"], "('v',)": {"key_metadata": [{"key": "v", "key_type": 2}],
                                                                     "value_metadata": {"value_type": "np.ndarray"}}}}
    fill = {**TREE, "store_array_data_equal_to_fill_value": True}
    return [
        fine("tree", tree(TREE), "check"),
        notice("tree_no_json", tree("{"), "json-syntax"),
        notice("tree_is_list", tree([1]), bad),
        notice("tree_is_text", tree({"tree_metadata": "x"}), bad),
        notice("tree_no_keys", tree({"tree_metadata": {"k": {}}}), bad),
        notice("tree_5000_keys", tree(with_keys(deep)), bad),
        notice("tree_array_missing", tree(missing), "missing-shard"),
        notice("tree_deep_json", tree("[" * 100_000), "json-too-deep"),
        notice("strings_no_json", tree(TREE, **{"_strings.json": "}"}), "json-syntax"),
        notice("every_chunk_stored", folder({**store({"w/.zarray": zarray(fill_value=0.0)}), "_METADATA": json.dumps(fill)}),
               "missing-shard"),
        notice("temporary", lambda place: (folder(store())(place).rename(place.open / "7.orbax-checkpoint-tmp-1")),
               "being-written"),
        notice("parts_alone", folder({"ocdbt.process_0/manifest.ocdbt": manifest(length=len(leaf(FINE)), keys=2),
                                      "ocdbt.process_0/d/root": leaf(FINE)}), "being-written"),
        notice("no_commit_time", folder({"_CHECKPOINT_METADATA": '{"commit_timestamp_nsecs": null}',
                                         **{"state/" + name: data for name, data in store().items()}}), "being-written"),
        notice("aggregate_noise", tree(TREE, checkpoint=b"\x81\xa1a\xc1"), "msgpack-bad-data"),
        notice("array_folder_escapes", linked({"w/.zarray": zarray()}, "w/0.0", "../../../outside/secret"), "outside-folder"),
    ]


def cases():
    return manifests() + nodes() + arrays() + trees()
