# SPDX-License-Identifier: Apache-2.0
"""Hostile exported programs: the zip of torch zips written by torch 2.1 to 2.7, and the archives since 2.8."""
import gzip
import json

import archives
import pickles
from archives import Entry
from deepspeeds import T, torch_file
from table import error, finding, fine, job, notice

PROGRAM = "serialized_exported_program.json"
STATE = "serialized_state_dict.pt"
CONSTANTS = "serialized_constants.pt"
WEIGHTS = "net/data/weights/"


def pt2(entries, cut=None, **lies):
    data = archives.build(entries, **lies)
    return lambda place: place.write("x.pt2", data if cut is None else data[:cut])


def old(state=None, constants=None, name=STATE, program=b"{}", more=()):
    inner = torch_file({"w": T(range(6), (2, 3))}) if state is None else state
    entries = [Entry(PROGRAM, program), Entry(name, inner)]
    if constants is not None:
        entries.append(Entry(CONSTANTS, constants))
    return pt2(entries + [Entry("version", b"8.2"), *more])


def meta(sizes=(2, 3), strides=(3, 1), offset=0, dtype=7):
    number = lambda value: {"as_int": value}  # noqa: E731
    return {"dtype": dtype, "sizes": [number(size) for size in sizes], "strides": [number(stride) for stride in strides],
            "storage_offset": number(offset), "device": {"type": "cpu"}, "layout": 7, "requires_grad": False}


def row(**more):
    return {"path_name": "weight_0", "is_param": True, "use_pickle": False, "tensor_meta": meta()} | more


def new(rows=None, data=bytes(24), config=None, more=(), record="weight_0"):
    rows = {"w": row()} if rows is None else rows
    config = json.dumps({"config": rows}).encode() if config is None else config
    return pt2([Entry("net/archive_format", b"pt2"), Entry("net/byteorder", b"little"), Entry(WEIGHTS + "model_weights_config.json", config),
                Entry(WEIGHTS + record, data), *more])


def with_meta(**more):
    return new({"w": row(tensor_meta=meta(**more))})


def olds():
    inner = torch_file({"w": T(range(6), (2, 3))})
    runs = pickles.P().name("os", "system").op("(").text("touch /tmp/x").op("t").op("R").stop()
    lost = archives.build([Entry("archive/data.pkl", pickles.one_tensor()), Entry("archive/version", b"3\n")])
    whole = archives.build([Entry(PROGRAM, b"{}"), Entry(STATE, inner)])
    return [
        fine("old", old()),
        fine("old_json_name", old(name="serialized_state_dict.json")),
        fine("old_constants", old(constants=torch_file({"c": T(range(2))}))),
        fine("old_no_constants", old(constants=b"")),
        notice("old_both_names", old(more=[Entry("serialized_state_dict.json", inner)]), "duplicate-tensor"),
        notice("old_same_in_constants", old(constants=inner), "duplicate-tensor"),
        fine("old_program_words", old(program=b"\xff\x00 words")),
        fine("old_program_deep", old(program=b"[" * 1_000_000)),
        fine("old_state_empty", old(state=b"")),
        notice("old_no_state", pt2([Entry(PROGRAM, b"{}"), Entry("version", b"8")]), "torch-missing-record"),
        finding("old_no_state_checked", pt2([Entry(PROGRAM, b"{}"), Entry("version", b"8")]), "torch-missing-record"),
        error("old_state_words", old(state=b"no zip at all" * 50), None),
        error("old_state_cut", old(state=inner[:-40]), None),
        error("old_state_gzip", old(state=gzip.compress(inner)), None),
        error("old_state_pickle", old(state=pickles.one_tensor()), None),
        error("old_state_zip_of_zip", old(state=whole), "torch-no-data-pickle"),
        error("old_state_deflated", pt2([Entry(PROGRAM, b"{}"), archives.deflated(STATE, inner)]), "unsupported"),
        error("old_state_bomb", pt2([Entry(PROGRAM, b"{}"), archives.deflated(STATE, bytes(1 << 24))]), "unsupported"),
        error("old_constants_words", old(constants=b"words" * 100), None),
        error("old_pickle_words", old(state=archives.torch_file(b"words")), None),
        error("old_pickle_cut", old(state=archives.torch_file(pickles.one_tensor()[:-9])), None),
        fine("old_pickle_runs_code", old(state=archives.torch_file(runs, b""))),
        notice("old_record_lost", old(state=lost), "torch-missing-record"),
        job("old_record_lost_not_written", old(state=lost), None),
        notice("old_record_short", old(state=archives.torch_file(data=bytes(4))), "torch-storage-too-small"),
        error("old_order_odd", old(state=archives.torch_file(order=b"middle")), "torch-bad-byte-order"),
        error("old_cut", pt2([Entry(PROGRAM, b"{}"), Entry(STATE, inner)], cut=len(whole) - 30), None),
        error("old_twice", old(more=[Entry(STATE, inner)]), "zip-duplicate-name"),
        error("old_count_lies", pt2([Entry(PROGRAM, b"{}"), Entry(STATE, inner)], count=5), None),
        error("old_offset_lies", pt2([Entry(PROGRAM, b"{}"), Entry(STATE, inner)], offset=7), None),
        error("old_program_alone_deeper", pt2([Entry("model/" + PROGRAM, b"{}")]), "not-a-checkpoint"),
    ]


def news():
    small, odd = "torch-storage-too-small", "torch-bad-tensor"
    huge = 1 << 62
    return [
        fine("new", new()),
        fine("new_two_names", new({"w": row(), "v": row()})),
        fine("new_no_rows", new({})),
        fine("new_zero", with_meta(sizes=(0, 3))),
        fine("new_scalar", with_meta(sizes=(), strides=())),
        fine("new_stride_0", with_meta(sizes=(4, 3), strides=(0, 1))),
        notice("new_short", new(data=bytes(20)), small),
        notice("new_empty_record", new(data=b""), small),
        notice("new_offset", with_meta(offset=1), small),
        notice("new_offset_huge", with_meta(offset=huge), small),
        notice("new_size_huge", with_meta(sizes=(huge, 4)), None),
        notice("new_size_wraps", with_meta(sizes=(huge, huge)), odd),
        notice("new_stride_huge", with_meta(strides=(huge, 1)), small),
        notice("new_size_negative", with_meta(sizes=(-1, 3)), odd),
        notice("new_stride_negative", with_meta(strides=(-3, 1)), odd),
        notice("new_offset_negative", with_meta(offset=-1), odd),
        notice("new_ranks_differ", with_meta(strides=(1,)), odd),
        notice("new_rank_high", with_meta(sizes=(1,) * 100, strides=(1,) * 100), odd),
        notice("new_size_symbol", new({"w": row(tensor_meta=meta() | {"sizes": [{"as_expr": "s0"}, {"as_int": 3}]})}), odd),
        notice("new_size_text", new({"w": row(tensor_meta=meta() | {"sizes": "2x3"})}), odd),
        notice("new_size_real", new({"w": row(tensor_meta=meta() | {"sizes": [2.5, 3]})}), odd),
        notice("new_dtype", with_meta(dtype=99), "torch-unknown-dtype"),
        notice("new_dtype_negative", with_meta(dtype=-7), odd),
        notice("new_dtype_text", with_meta(dtype="float"), odd),
        notice("new_no_meta", new({"w": {"path_name": "weight_0"}}), odd),
        notice("new_no_path", new({"w": {"tensor_meta": meta()}}), odd),
        notice("new_path_number", new({"w": row(path_name=7)}), odd),
        notice("new_row_text", new({"w": "weight_0"}), odd),
        notice("new_row_null", new({"w": None}), odd),
        notice("new_record_lost", new(record="weight_1"), "torch-missing-record"),
        finding("new_record_lost_checked", new(record="weight_1"), "torch-missing-record"),
        job("new_record_lost_not_written", new(record="weight_1"), None),
        notice("new_path_up", new({"w": row(path_name="../../weights/weight_0")}), "torch-missing-record"),
        notice("new_path_absolute", new({"w": row(path_name="/etc/passwd")}), "torch-missing-record"),
        notice("new_pickle_words", new({"w": row(use_pickle=True)}), None),
        fine("new_pickle", new({"w": row(use_pickle=True)}, data=archives.torch_file())),
        fine("new_config_list", new([])),
        error("new_config_words", new(config=b"words"), "json-syntax"),
        error("new_config_empty", new(config=b""), "json-syntax"),
        error("new_config_deep", new(config=b'{"config":' + b"[" * 2000 + b"]" * 2000 + b"}"), "json-too-deep"),
        error("new_config_latin", new(config=b'{"config":{"\xe9":1}}'), "bad-encoding"),
        fine("new_config_text", new(config=b'{"config":"none"}')),
        fine("new_config_array", new(config=b"[]")),
        fine("new_names_escape", new({"\x1b[31mw\n": row()})),
    ]


def cases():
    return olds() + news()
