# SPDX-License-Identifier: Apache-2.0
"""Hostile Hugging Face folders; the worst would make a converter copy other users' files into its output."""
import json
import os

import archives
import pickles
from safetensors_files import entry, index, sharded, st
from table import error, finding, fine, folder, job, notice

INDEX = "model.safetensors.index.json"
FIRST, SECOND = "model-00001-of-00002.safetensors", "model-00002-of-00002.safetensors"
LFS = b"version https://git-lfs.github.com/spec/v1\noid sha256:4d7a\nsize 1\n"
HASH = "a" * 64


def mapped(**names):
    return folder(sharded(index({"a": FIRST, "b": SECOND, **names})))


def text(data):
    return folder(sharded(data if isinstance(data, bytes) else json.dumps(data).encode()))


def changed(change, **files):
    return folder(sharded(**files), change)


def link(name, target):
    def change(place):
        (place.outside / "b.safetensors").write_bytes(st({"b": entry()}))
        (place.open / name).unlink()
        os.symlink(target(place) if callable(target) else target, place.open / name)

    return changed(change)


def pipe(name):
    def change(place):
        (place.open / name).unlink()
        os.mkfifo(place.open / name)

    return changed(change)


def cache(blob="../../blobs/" + HASH, name=HASH):
    """models--x/snapshots/rev/…, the second shard a link into the blobs."""

    def build(place):
        repo = place.open / "models--x"
        snapshot, blobs = repo / "snapshots/rev", repo / "blobs"
        snapshot.mkdir(parents=True)
        blobs.mkdir()
        for file, data in sharded().items():
            (snapshot / file).write_bytes(data)
        (snapshot / SECOND).rename(blobs / name)
        (repo / "other").write_bytes(st({"b": entry()}))
        os.symlink(blob, snapshot / SECOND)
        return snapshot

    return build


def blob_is_link(place):
    snapshot = cache()(place)
    blob = place.open / "models--x/blobs" / HASH
    blob.unlink()
    os.symlink(place.outside / "secret", blob)
    return snapshot


def indexes():
    bad, out = "bad-index", "outside-folder"
    return [
        notice("map_gone", text({"metadata": {}}), bad),
        notice("map_is_list", text({"weight_map": ["a"]}), bad),
        notice("map_is_text", text({"weight_map": "x"}), bad),
        notice("map_of_numbers", text({"weight_map": {"a": 5, "b": SECOND}}), bad),
        notice("map_empty", text({"weight_map": {}}), "bad-index"),
        notice("map_empty_name", mapped(b=""), "bad-index"),
        notice("map_names_folder", mapped(b="."), "bad-index"),
        notice("map_unknown_tensor", mapped(c=FIRST), bad),
        notice("map_other_shard", mapped(a=SECOND), bad),
        notice("map_missing_file", mapped(c="model-00003-of-00003.safetensors"), "missing-shard"),
        notice("map_escapes", mapped(c="\x1b[31m\n.safetensors"), "missing-shard"),
        notice("map_100k_files", folder(lambda place: sharded(index({f"t{i}": f"f{i}" for i in range(100_000)}))),
               "missing-shard"),
        error("map_climbs", mapped(b="../outside/b.safetensors"), out),
        error("map_climbs_inside", mapped(b="x/../../outside/secret"), out),
        error("map_absolute", mapped(b="/etc/passwd"), out),
        error("map_climbs_check", mapped(b="../outside/secret"), out, verb="check"),
        job("map_climbs_not_written", mapped(b="../outside/secret"), out),
        job("map_absolute_not_written", mapped(b="/etc/hostname"), out),
        notice("index_not_json", text(b"hello, no json"), "json-syntax"),
        notice("index_cut", text(index({"a": FIRST, "b": SECOND})[:50]), "json-syntax"),
        notice("index_empty", text(b" "), "json-syntax"),
        notice("index_lfs", text(LFS), "lfs-pointer"),
        notice("index_deep", text(b'{"weight_map":' + b"[" * 200_000), "json-too-deep"),
        notice("index_twice", text(b'{"weight_map":{"a":"%s"},"weight_map":{}}' % FIRST.encode()), "bad-index"),
        notice("index_tensor_twice", text(b'{"weight_map":{"a":"%s","b":"%s","a":"%s"}}'
                                          % (FIRST.encode(), SECOND.encode(), SECOND.encode())), "json-duplicate-key"),
        notice("index_total_size", text({"metadata": {"total_size": 1 << 62}, "weight_map": {"a": FIRST, "b": SECOND}}),
               bad),
        notice("index_is_pipe", pipe(INDEX), "not-a-regular-file"),
        error("index_leads_out", link(INDEX, "../outside/secret"), "outside-folder"),
    ]


def shards():
    out = "outside-folder"
    return [
        notice("shard_missing", folder(sharded(second=None)), "missing-shard"),
        notice("shard_empty", folder(sharded(second=b"")), "empty-file"),
        notice("shard_zeros", folder(sharded(second=bytes(300))), "zero-filled"),
        notice("shard_lfs", folder(sharded(second=LFS)), "lfs-pointer"),
        notice("shard_html", folder(sharded(second=b"<html>404</html>")), "html-page"),
        notice("shard_cut", folder(sharded(second=st({"b": entry()})[:-3])), "truncated"),
        notice("shard_head_cut", folder(sharded(second=st({"b": entry()})[:30])), "truncated"),
        notice("shard_noise", folder(sharded(second=b"\xff" * 300)), "safetensors-header-too-large"),
        notice("tensor_in_both", folder(sharded(second=st({"a": entry(), "b": entry(at=(24, 48))}, bytes(48)))),
               "duplicate-tensor"),
        notice("tensor_in_none", folder(sharded(second=st({"c": entry()}))), "bad-index"),
        notice("shard_of_older_save", changed(lambda place: place.write("model-00001-of-00009.safetensors", st())),
               "stale-shard"),
        notice("shard_is_pipe", pipe(SECOND), "not-a-regular-file"),
        finding("shard_missing_checked", folder(sharded(second=None)), "missing-shard"),
        job("shard_missing_not_written", folder(sharded(second=None)), "missing-shard"),
        job("shard_lfs_not_written", folder(sharded(second=LFS)), "lfs-pointer"),
        error("shard_link_out", link(SECOND, "../outside/b.safetensors"), out),
        error("shard_link_absolute", link(SECOND, lambda place: place.outside / "b.safetensors"), out),
        error("shard_link_loop", link(SECOND, SECOND), out),
        job("shard_link_not_written", link(SECOND, "../outside/b.safetensors"), out),
        notice("shard_link_inside", link(SECOND, FIRST), "bad-index"),
        fine("cache_blob", cache(), verb="check"),
        error("cache_not_a_hash", cache("../../blobs/notes.txt", "notes.txt"), out),
        error("cache_not_blobs", cache("../../other"), out),
        error("cache_climbs_further", cache("../../../../outside/secret"), out),
        error("cache_blob_is_link", blob_is_link, out),
    ]


def beside():
    def config(data):
        return folder(sharded(config=data))

    def state(name, data):
        return folder(lambda place: {**sharded(), name: data(place) if callable(data) else data})

    return [
        notice("config_broken", config(b"{oops"), "json-syntax"),
        notice("config_deep", config(b"[" * 200_000), "json-too-deep"),
        notice("config_not_utf8", config(b'{"a": "\xff\xfe"}'), "bad-encoding"),
        fine("config_nan", config(b'{"a": NaN, "b": Infinity}')),
        fine("config_1e999", config(b'{"a": 1e999, "b": 123456789012345678901234567890}')),
        fine("config_escapes", config(b'{"\\u001b[31m": "\\u001b]0;x\\u0007"}')),
        notice("config_is_pipe", pipe("config.json"), "not-a-regular-file"),
        notice("optimizer_cut", state("optimizer.pt", archives.torch_file()[:300]), "zip-no-directory"),
        notice("optimizer_zeros", state("optimizer.pt", bytes(900)), "zero-filled"),
        notice("random_state_broken", state("rng_state.pth", b"\x80\x02\xff."), "pickle-bad-opcode"),
        fine("training_args_run_system", state("training_args.bin",
             lambda place: archives.torch_file(pickles.system_beside(place)))),
        fine("folder_in_itself", changed(lambda place: os.symlink(".", place.open / "optimizer_0"))),
        notice("adapter_lies", folder({"adapter_config.json": b"{}", "adapter_model.safetensors": st()[:-1]}),
               "truncated"),
    ]


def cases():
    return indexes() + shards() + beside()
