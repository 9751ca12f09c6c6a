# SPDX-License-Identifier: Apache-2.0
"""Builds folders of torch.distributed.checkpoint: tensor "w" [4, 3] in two shards and the value "step"."""
import copy
import struct

import archives
import pickles

META = "torch.distributed.checkpoint.metadata"


def new(p, name, module=META):
    return p.name(module, name).op(")").raw(b"\x81")


def size(p, numbers):
    return p.name("torch", "Size").numbers(numbers).raw(b"\x85").op("R")


def write_tensor(p, name, tensor):
    p.text(name)
    new(p, tensor.get("class", "TensorStorageMetadata")).op("}").op("(").text("properties")
    new(p, "TensorProperties").op("(").name("torch", tensor["dtype"]).raw(b"N\x89N\x89tb")
    size(p.text("size"), tensor["size"])
    p.text("chunks").op("]").op("(")
    for chunk in tensor["chunks"]:
        new(p, "ChunkStorageMetadata").op("}").op("(")
        size(p.text("offsets"), chunk["offsets"])
        size(p.text("sizes"), chunk["sizes"])
        p.op("u").op("b")
    p.op("e").op("u").op("b")


def write_row(p, name, row, offsets):
    new(p, "MetadataIndex").op("}").op("(").text("fqn").text(name)
    if offsets is not None:
        size(p.text("offset"), offsets)
    p.op("u").op("b")
    new(p, "_StorageInfo", "torch.distributed.checkpoint.filesystem").op("}").op("(")
    p.text("relative_path").text(row["path"]).text("offset").number(row["offset"]).text("length").number(row["length"])
    if row.get("transforms"):
        p.text("transform_descriptors").op("]").op("(")
        for transform in row["transforms"]:
            p.text(transform)
        p.op("e")
    p.op("u").op("b")


def index(spec):
    p = new(pickles.P(), "Metadata").op("}").op("(").text("state_dict_metadata").op("}").op("(")
    for name, tensor in spec["tensors"].items():
        write_tensor(p, name, tensor)
    for name in spec["values"]:
        new(p.text(name), "BytesStorageMetadata")
    p.op("u").text("planner_data").op("}").op("(")
    for name, path in spec["planner"].items():
        p.text(name).op("(")
        for part in path:
            p.number(part) if isinstance(part, int) else p.text(part)
        p.op("t")
    p.op("u").text("storage_data").op("}").op("(")
    for name, tensor in spec["tensors"].items():
        for chunk in tensor["chunks"]:
            if not chunk.get("unstored"):
                write_row(p, name, chunk, chunk["offsets"])
    for name, row in spec["values"].items():
        write_row(p, name, row, None)
    if "mcore" in spec:  # Megatron's addition: the original shapes of flattened tensors
        p.op("u").text("mcore_data").op("}").op("(")
        for name, shape in spec["mcore"].items():
            p.text(name).op("}").op("(").text("nd_reformulated_orig_global_shape").op("(")
            for extent in shape:
                p.number(extent)
            p.op("t").op("u")
    return p.op("u").op("u").op("b").stop()


def floats(first):
    return struct.pack("<6f", *(first + i for i in range(6)))


def item(first=0, pickle=None, data=None, **how):
    whole = pickles.tensor(pickles.P(), **how).stop() if pickle is None else pickle
    return archives.torch_file(whole, floats(first) if data is None else data)


class Dcp:
    def __init__(self):
        low, high, step = item(0), item(6), archives.torch_file(pickles.P().number(3).stop(), b"")
        self.files = {"__0_0.distcp": low + step, "__1_0.distcp": high}
        chunks = [{"offsets": [0, 0], "sizes": [2, 3], "path": "__0_0.distcp", "offset": 0, "length": len(low)},
                  {"offsets": [2, 0], "sizes": [2, 3], "path": "__1_0.distcp", "offset": 0, "length": len(high)}]
        self.spec = {"tensors": {"w": {"size": [4, 3], "dtype": "float32", "chunks": chunks}},
                     "values": {"step": {"path": "__0_0.distcp", "offset": len(low), "length": len(step)}},
                     "planner": {"w": ["w"], "step": ["step"]}}
        self.w = self.spec["tensors"]["w"]
        self.second = chunks[1]
        self.index = None  # bytes instead of the spec
        self.no_index = False

    def set_high(self, data):
        self.files["__1_0.distcp"] = data
        self.second["length"] = len(data)

    def write(self, place):
        for name, data in self.files.items():
            place.write(name, data)
        if not self.no_index:
            place.write(".metadata", index(self.spec) if self.index is None else self.index)
        return place.open


def dcp(change=None, then=None):
    """A builder; `change(dcp)` is called before the folder is written, `then(place)` afterwards."""

    def build(place):
        made = Dcp()
        if change:
            change(made)
        made.write(place)
        if then:
            then(place)
        return place.open

    return build


def second(**fields):
    return dcp(lambda d: d.second.update(copy.deepcopy(fields)))


def high(data):
    return dcp(lambda d: d.set_high(data))
