# SPDX-License-Identifier: Apache-2.0
"""Hostile tars of torch 0.1: members, descriptions of storages and tensors, views, persistent ids."""
import struct

from cases_megatron import tar
from pickles import P
from table import error, fine, job, notice

HUGE = (1 << 63) - 1


def storages(count=1, key=5, kind="FloatStorage", elements=6, data=bytes(range(24)), views=(), module="torch"):
    out = P().number(count).stop()
    out += P().op("(").number(key).text("cpu").name(module, kind).op("t").stop()
    out += struct.pack("<q", elements) + data
    p = P().op("]").op("(")
    for view in views:
        p.op("(")
        for number in view:
            p.number(number)
        p.op("t")
    return out + p.op("e").stop()


def tensors(count=1, key=7, storage=5, rank=2, shape=(2, 3), stride=(3, 1), offset=0):
    out = P().number(count).stop()
    out += P().op("(").number(key).number(storage).name("torch", "FloatTensor").op("t").stop()
    return out + struct.pack("<ii", rank, 0) + struct.pack(f"<{len(shape)}q", *shape) + struct.pack(f"<{len(stride)}q", *stride) + struct.pack("<q", offset)


def state(key="7"):
    return P().op("}").text("w").text(key).op("Q").op("s").stop()


def made(name="model.pth.tar", **parts):
    members = {"sys_info": P().op("}").stop(), "pickle": state(), "tensors": tensors(), "storages": storages()} | parts
    data = tar(*((member.encode(), content, {}) for member, content in members.items() if content is not None))
    return lambda place: place.write(name, data)


def cut(length):
    data = tar(*((name, content, {}) for name, content in
                 ((b"sys_info", P().op("}").stop()), (b"pickle", state()), (b"tensors", tensors()), (b"storages", storages()))))
    return lambda place: place.write("x.tar", data[:length])


def cases():
    header, cut_off, missing = "torch-bad-header", "truncated", "torch-missing-record"
    return [
        fine("whole", made()),
        fine("view", made(tensors=tensors(storage=6), storages=storages(elements=9, data=bytes(36), views=[(6, 5, 2, 6)]))),
        error("no_pickle", made(pickle=None), header),
        error("no_tensors", made(tensors=None), header),
        error("no_storages", made(storages=None), header),
        error("pickle_empty", made(pickle=b""), None),
        error("pickle_words", made(pickle=b"just words"), None),
        error("tar_cut", cut(1500), cut_off),
        notice("tar_without_end", cut(4096), cut_off),
        notice("storages_empty", made(storages=b""), None),
        notice("storages_words", made(storages=b"just words"), None),
        notice("storages_count_negative", made(storages=storages(count=-1)), header),
        notice("storages_count_text", made(storages=P().text("one").stop()), header),
        notice("storages_count_huge", made(storages=storages(count=HUGE)), None),
        notice("storages_count_two", made(storages=storages(count=2)), None),
        notice("storage_kind_unknown", made(storages=storages(kind="OddStorage")), header),
        notice("storage_kind_dangerous", made(storages=storages(kind="system", module="posix")), header),
        notice("storage_elements_negative", made(storages=storages(elements=-6)), cut_off),
        notice("storage_elements_huge", made(storages=storages(elements=HUGE)), cut_off),
        notice("storage_elements_many", made(storages=storages(elements=7000)), cut_off),
        notice("storage_key_other", made(storages=storages(key=6)), missing),
        fine("storage_key_text", made(storages=storages())),
        notice("storage_short", made(storages=storages(elements=5, data=bytes(20))), None),
        notice("view_beyond", made(storages=storages(views=[(6, 5, 4, 6)])), "torch-storage-too-small"),
        notice("view_negative", made(storages=storages(views=[(6, 5, -1, 6)])), header),
        notice("view_wraps", made(storages=storages(views=[(6, 5, HUGE, HUGE)])), "torch-storage-too-small"),
        notice("view_of_nothing", made(storages=storages(views=[(6, 9, 0, 1)])), header),
        notice("view_too_few", made(storages=storages(views=[(6, 5)])), header),
        fine("view_of_itself", made(storages=storages(views=[(5, 5, 0, 6)]))),
        notice("tensors_empty", made(tensors=b""), None),
        notice("tensors_count_huge", made(tensors=tensors(count=HUGE)), None),
        notice("tensors_count_negative", made(tensors=tensors(count=-1)), header),
        notice("rank_negative", made(tensors=tensors(rank=-1)), header),
        notice("rank_huge", made(tensors=tensors(rank=(1 << 31) - 1)), header),
        notice("rank_more", made(tensors=tensors(rank=60)), cut_off),
        notice("shape_negative", made(tensors=tensors(shape=(-2, 3))), "torch-bad-tensor"),
        notice("shape_huge", made(tensors=tensors(shape=(HUGE, HUGE))), None),
        notice("shape_larger", made(tensors=tensors(shape=(2, 4), stride=(4, 1))), None),
        notice("stride_huge", made(tensors=tensors(stride=(HUGE, 1))), None),
        notice("stride_negative", made(tensors=tensors(stride=(-3, 1))), None),
        notice("offset_negative", made(tensors=tensors(offset=-1)), "torch-bad-tensor"),
        notice("offset_huge", made(tensors=tensors(offset=HUGE)), None),
        notice("tensor_key_other", made(tensors=tensors(key=8)), "torch-bad-persistent-id"),
        job("tensor_key_refused", made(tensors=tensors(key=8)), None),
        notice("tensor_without_storage", made(tensors=tensors(storage=9)), missing),
        notice("id_empty", made(pickle=state("")), "torch-bad-persistent-id"),
        fine("id_is_module", made(pickle=P().op("}").text("w").op("(").name("odd", "Net").text("a.py").text("code").op("t").op("Q").op("s").stop())),
        fine("name_in_folder", made(name="x.pt")),
    ]
