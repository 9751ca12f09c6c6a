# SPDX-License-Identifier: Apache-2.0
"""Torch files with hostile pickles or tensors, in all three containers: archive, legacy stream, bare pickle."""
import struct

import pickles
from archives import legacy_file, legacy_head, torch_file
from pickles import P, one_tensor
from table import error, file, finding, fine, job, notice

MAX = (1 << 63) - 1


def inside(pickle):
    return file("x.pt", torch_file(pickle))


def tensor(**how):
    return inside(one_tensor(**how))


def broken():
    good, cut = one_tensor(), "pickle-truncated"
    return [
        error("pickle_empty", inside(b""), cut),
        error("pickle_half", inside(good[:len(good) // 2]), cut),
        error("pickle_no_stop", inside(good[:-1]), cut),
        error("pickle_opcode", inside(b"\x80\x02\xff."), "pickle-bad-opcode"),
        error("pickle_underflow", inside(b"\x80\x02R."), "pickle-stack-underflow"),
        error("pickle_pop_empty", inside(b"\x80\x020."), "pickle-stack-underflow"),
        error("pickle_no_mark", inside(b"\x80\x02t."), "pickle-no-mark"),
        error("pickle_memo", inside(b"\x80\x02h\x09."), "pickle-bad-memo"),
        error("pickle_memo_text", inside(b"\x80\x02gabc\n."), "pickle-bad-memo"),
        fine("pickle_memo_4g", inside(b"\x80\x02Nr\xff\xff\xff\xff.")),
        error("pickle_protocol_9", inside(b"\x80\x09N."), "pickle-bad-protocol"),
        error("pickle_unhashable", inside(b"\x80\x02}]Ns."), "pickle-unhashable-key"),
        error("pickle_append_none", inside(b"\x80\x02NNa."), "pickle-bad-operand"),
        error("pickle_utf8", inside(P().text(b"\xff\xfe").stop()), "pickle-bad-text"),
        error("pickle_int_text", inside(b"\x80\x02Iabc\n."), "pickle-bad-operand"),
        error("pickle_float_text", inside(b"\x80\x02Fabc\n."), "pickle-bad-operand"),
        error("text_2_60", inside(b"\x80\x04\x8d" + struct.pack("<Q", 1 << 60) + b"x."), cut),
        error("bytes_2_62", inside(b"\x80\x04\x8e" + struct.pack("<Q", 1 << 62) + b"x."), cut),
        error("bytes_2_64", inside(b"\x80\x04\x8e" + b"\xff" * 8 + b"x."), cut),
        error("bytearray_2_62", inside(b"\x80\x05\x96" + struct.pack("<Q", 1 << 62) + b"x."), cut),
        error("text_4g", inside(b"\x80\x02X\xff\xff\xff\xffx."), cut),
        error("long_2g", inside(b"\x80\x02\x8b\xff\xff\xff\x7fx."), cut),
        error("long_negative", inside(b"\x80\x02\x8b\xff\xff\xff\xffx."), "pickle-bad-operand"),
        error("string_negative", inside(b"\x80\x02T\xff\xff\xff\xffx."), "pickle-bad-operand"),
        error("frame_2_62", inside(b"\x80\x04\x95" + struct.pack("<Q", 1 << 62) + b"N."), "pickle-bad-frame"),
        error("line_without_end", inside(b"\x80\x02c" + b"o" * 100_000), cut),
        fine("long_of_100k_digits", inside(b"\x80\x02\x8b" + struct.pack("<i", 40_000) + b"\x7f" * 40_000 + b".")),
        notice("deep_100k", inside(pickles.deep(100_000)), "limit-exceeded"),
        notice("deep_million", inside(pickles.deep(1_000_000)), "limit-exceeded"),
        fine("cyclic_list", inside(b"\x80\x02]q\x00h\x00a.")),
        fine("cyclic_dict", inside(b"\x80\x02}q\x00X\x01\x00\x00\x00ah\x00s.")),
        fine("memo_bomb_60", inside(pickles.memo_bomb(60))),
        fine("memo_bomb_250", inside(pickles.memo_bomb(250))),
        fine("memo_bomb_of_text", inside(pickles.memo_bomb(60, b"X\x04\x00\x00\x00boom"))),
        notice("memo_bomb_of_tensors", inside(tensor_bomb()), "limit-exceeded"),
        fine("dup_bomb", inside(b"\x80\x02]" + b"2" * 200_000 + b"0" * 200_000 + b".")),
    ]


def tensor_bomb():
    p = pickles.tensor(P()).raw(b"q\x00")
    for level in range(1, 41):
        p.op("(").raw(bytes([ord("h"), level - 1]) * 2).op("t").raw(b"q" + bytes([level]))
    return p.stop()


def tensors():
    bad, short, unknown = "torch-bad-tensor", "torch-storage-too-small", "torch-unknown-dtype"
    pid = "torch-bad-persistent-id"
    return [
        notice("id_tag", tensor(tag="module"), pid),
        notice("id_key_empty", tensor(key=""), pid),
        notice("id_count_negative", tensor(count=-1), pid),
        notice("id_count_2_63", tensor(count=MAX), pid),
        notice("storage_unknown", tensor(storage="StringStorage"), unknown),
        notice("storage_of_os", tensor(module="os"), unknown),
        notice("offset_negative", tensor(first=-1), bad),
        notice("offset_one", tensor(first=1), short),
        notice("offset_2_62", tensor(first=1 << 62), bad),
        notice("offset_2_60", tensor(first=1 << 60), short),
        notice("size_negative", tensor(shape=(-2, -3)), bad),
        notice("size_overflows", tensor(shape=(MAX, 3)), bad),
        notice("size_bytes_overflow", tensor(shape=(MAX // 4, 3)), bad),
        notice("size_2_62", tensor(shape=(1 << 62,), stride=(1,)), "torch-bad-tensor"),
        notice("rank_differs", tensor(shape=(2, 3, 1)), bad),
        notice("rank_65", tensor(shape=(1,) * 65, stride=(1,) * 65), bad),
        notice("stride_negative", tensor(stride=(-3, 1)), bad),
        notice("stride_wide", tensor(stride=(4, 1)), short),
        notice("stride_2_63", tensor(stride=(MAX, 1)), bad),
        notice("seven_of_six", tensor(shape=(7,), stride=(1,)), short),
        notice("count_says_100", tensor(count=100), short),
        notice("too_few_arguments",
               inside(P().name("torch._utils", "_rebuild_tensor_v2").op(")").op("R").stop()), bad),
        fine("expanded_terabytes", tensor(shape=(1 << 20, 1 << 20), stride=(0, 0))),
        fine("no_elements", tensor(shape=(2, 0, 9), stride=(MAX, MAX, 1)), verb="check"),
        fine("name_escapes", tensor(name="\x1b[31m\u202ew\n"), verb="ls"),
        fine("name_surrogate", tensor(name=b"w\xed\xa0\x80"), verb="ls"),
        fine("name_megabyte", tensor(name="n" * 1_000_000), verb="ls"),
    ]


def legacy():
    def of(**how):
        return file("x.pt", legacy_file(**how))

    front, short = legacy_file(counts=()), "torch-storage-too-small"
    return [
        error("legacy_version", file("x.pt", legacy_head()[:15] + b"\x80\x02K\x07." + one_tensor()),
              "torch-bad-header"),
        error("legacy_info_none", file("x.pt", legacy_head()[:21] + b"\x80\x02N." + one_tensor()), "torch-bad-header"),
        error("legacy_only_head", file("x.pt", legacy_head()), "pickle-truncated"),
        error("legacy_no_keys", file("x.pt", legacy_head() + one_tensor(view=b"N")), "pickle-truncated"),
        error("legacy_half_object", file("x.pt", legacy_head() + one_tensor()[:50]), "pickle-truncated"),
        error("legacy_keys_none", file("x.pt", legacy_head() + one_tensor(view=b"N") + b"\x80\x02N." + bytes(32)),
              "torch-bad-header"),
        notice("legacy_no_data", file("x.pt", front), "truncated"),
        notice("legacy_half_count", file("x.pt", front + b"1234"), "truncated"),
        notice("legacy_data_short", of(data=bytes(23)), short),
        notice("legacy_count_negative", of(counts=(-1,)), "truncated"),
        notice("legacy_count_2_63", of(counts=(MAX,)), "truncated"),
        notice("legacy_count_big_endian", of(counts=(6 << 56,)), "truncated"),
        notice("legacy_other_key", of(keys=("1",)), "torch-bad-header"),
        notice("legacy_more_data", of(data=bytes(60)), "stray-file"),
        finding("legacy_check_short", of(data=bytes(20)), "truncated"),
        job("legacy_short_not_written", of(data=bytes(20)), "truncated"),
    ]


def storage_file(count=6, elements=6, data=24, keys=1, view=b"N", tag="storage"):
    """The result of pickle.dump for one storage: a legacy file whose object is the storage."""
    named = P().op("(").text(tag).name("torch", "FloatStorage").text("0").text("cpu").number(count).raw(view).op("t").op("Q")
    listed = P().op("]").op("(")
    for key in range(keys):
        listed.text(str(key))
    return legacy_head() + named.stop() + listed.op("e").stop() + struct.pack("<q", elements) + bytes(data)


def nested(stored, first=0, shape=(2, 3)):
    """{"w": a tensor whose storage is pickled separately}"""
    p = P(3).op("}").text("w").name("torch._utils", "_rebuild_tensor_v2").op("(")
    p.name("torch.storage", "_load_from_bytes").data(stored).raw(b"\x85").op("R").number(first).numbers(shape).numbers((3, 1))
    return p.raw(b"\x89").name("collections", "OrderedDict").op(")").op("R").op("t").op("R").op("s").stop()


def many_of_one(count, size):
    """Many tensors with one storage that is a long text, as protocol 2 writes bytes."""
    stored = storage_file(count=size // 4, elements=size // 4, data=size).decode("latin1")
    p = P().op("]").name("torch.storage", "_load_from_bytes").name("_codecs", "encode").op("(").text(stored).text("latin1")
    p.op("t").op("R").raw(b"\x85").op("R").raw(b"q\x00").op("0")
    p.name("torch._utils", "_rebuild_tensor_v2").raw(b"q\x01").op("0").op("(")
    return p.raw(b"h\x01(h\x00K\x00K\x02\x85K\x01\x85\x89NtR" * count).op("e").stop()


def storages_inside():
    header, short = "torch-bad-header", "torch-storage-too-small"
    part = P(None).op("(").text("1").number(3).number(4).op("t").out

    def of(stored, **how):
        return file("x.pkl", nested(stored, **how))

    return [
        fine("inside", of(storage_file()), verb="check"),
        notice("inside_no_bytes", of(b""), "pickle-truncated"),
        notice("inside_half", of(storage_file()[:60]), "pickle-truncated"),
        notice("inside_other_magic", of(b"\x80\x02K\x01." + storage_file()), header),
        notice("inside_two_keys", of(storage_file(keys=2)), header),
        notice("inside_no_count", of(storage_file(data=0)[:-1]), header),
        notice("inside_no_storage", of(storage_file(tag="module")), "torch-bad-tensor"),
        notice("inside_count_negative", of(storage_file(elements=-1)), short),
        notice("inside_count_2_63", of(storage_file(count=MAX, elements=MAX)), "torch-bad-persistent-id"),
        notice("inside_count_2_60", of(storage_file(count=1 << 60, elements=1 << 60)), short),
        notice("inside_data_short", of(storage_file(data=23)), short),
        notice("inside_fewer_than_named", of(storage_file(elements=5)), short),
        notice("inside_view_beyond", of(storage_file(view=part)), short),
        notice("inside_offset_one", of(storage_file(), first=1), short),
        notice("inside_seven_of_six", of(storage_file(), shape=(3, 3)), short),
        notice("inside_text_of_many", file("x.pkl", many_of_one(30_000, 8_000_000)), "limit-exceeded"),
        notice("inside_long_pickle", of(legacy_head()[:-4] + b"\x80\x02" + b"N0" * 600 + b"}." + storage_file()[len(legacy_head()):]),
               "pickle-truncated"),
        notice("inside_offset_2_62", of(storage_file(), first=1 << 62), "torch-bad-tensor"),
    ]


def bare():
    def of(data):
        return file("x.pkl", data)

    return [
        error("bare_number", of(b"\x80\x02K\x05."), "not-a-checkpoint"),
        error("bare_cut", of(b"\x80\x02}q"), "pickle-truncated"),
        error("bare_joblib", of(P(4).stack_name("joblib.numpy_pickle", "NumpyArrayWrapper").out + bytes(64)), "pickle-bad-opcode"),
        error("bare_opcode", of(b"\x80\x02\xff."), "pickle-bad-opcode"),
        error("bare_text_2_60", of(b"\x80\x04\x8d" + struct.pack("<Q", 1 << 60) + b"x."), "pickle-truncated"),
        notice("bare_tensor", of(one_tensor()), "torch-missing-record"),
        fine("system_opens_as_a_value", file("x.pt", lambda place: torch_file(pickles.system_beside(place)))),
        fine("system_checks", file("x.pt", lambda place: torch_file(pickles.system_beside(place))), verb="check"),
        fine("system_lists", file("x.pt", lambda place: torch_file(pickles.system_beside(place))), verb="ls"),
    ]


def cases():
    return broken() + tensors() + legacy() + storages_inside() + bare()
