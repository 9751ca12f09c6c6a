# SPDX-License-Identifier: Apache-2.0
"""Hostile files of each rank: meshes, placements, parts, names, ShardedTensors."""
import os

from deepspeeds import Call, Name, Obj, T, torch_file
from table import error, finding, fine, folder, job, notice

HUGE = 1 << 62
TENSOR = "torch.distributed.tensor"


def shard(dim=0):
    return Obj(f"{TENSOR}.placement_types", "Shard", {"dim": dim})


def strided(dim=0, factor=2):
    return Obj(f"{TENSOR}.placement_types", "_StridedShard", {"dim": dim, "split_factor": factor})


def replicate():
    return Obj(f"{TENSOR}.placement_types", "Replicate", {})


def partial():
    return Obj(f"{TENSOR}.placement_types", "Partial", {"reduce_op": "sum"})


def axis(size):
    return Obj("torch.distributed._mesh_layout", "_FlatLayout", {"shape": (size,), "stride": (1,)})


def mesh(*sizes, at=..., **more):
    state = {"_layout": Obj("torch.distributed._mesh_layout", "_MeshLayout", {"axes": tuple(axis(size) for size in sizes)}),
             "_coordinate_on_dim": at} | more
    return Obj("torch.distributed.device_mesh", "DeviceMesh", {key: value for key, value in state.items() if value is not ...})


def dtensor(local, size, cut, placements):
    strides = tuple(1 for _ in size) if isinstance(size, tuple) else ()
    meta = Call(f"{TENSOR}._dtensor_spec", "TensorMeta", size, strides, Name("torch", "float32"))
    spec = Obj(f"{TENSOR}._dtensor_spec", "DTensorSpec", {"mesh": cut, "placements": placements, "tensor_meta": meta})
    made = (Name(TENSOR, "DTensor"), Name("torch", "float32"), size, strides, 0, None, None, False)
    return Call("torch._tensor", "_rebuild_from_type_v2", Name("torch._utils", "_rebuild_wrapper_subclass"), Name(TENSOR, "DTensor"),
                made, {"_local_tensor": local, "_spec": spec})


def part(rank, size=(4, 2), local=None, cut=None, placements=None):
    local = T(range(4), (2, 2)) if local is None else local
    return dtensor(local, size, mesh(2, at=(rank,)) if cut is None else cut, (shard(),) if placements is None else placements)


def name(rank, world=2):
    return f"model_world_size_{world}_rank_{rank}.pt"


def files(zero=None, one=None, then=None, more=None):
    """Two ranks with rows of w; False: missing."""
    made = {}
    for rank, data in enumerate((zero, one)):
        if data is not False:
            value = {"w": part(rank), "step": 3} if data is None else data
            made[name(rank)] = value if isinstance(value, bytes) else torch_file(value)
    return folder(made | (more or {}), then)


def each(**how):
    """Both ranks with the same wrong values; functions are called with the rank."""
    made = [{key: value(rank) if callable(value) else value for key, value in how.items()} for rank in (0, 1)]
    return files(*({"w": part(rank, **told)} for rank, told in enumerate(made)))


def plain(zero, one):
    """Two ranks that saved the results of DTensor.to_local()."""
    return files(*({"model": {"w": T(values, (len(values),))}} for values in (zero, one)))


def shards(size, *parts, dims=None):
    locals_ = [Obj("torch.distributed._shard.sharded_tensor.shard", "Shard", {
        "tensor": tensor, "metadata": Obj("torch.distributed._shard.metadata", "ShardMetadata", {
            "shard_offsets": offsets, "shard_sizes": sizes, "placement": "rank:0/cpu"})}) for tensor, offsets, sizes in parts]
    metadata = Obj("torch.distributed._shard.sharded_tensor.metadata", "ShardedTensorMetadata", {"shards_metadata": [], "size": size})
    return Obj("torch.distributed._shard.sharded_tensor.api", "ShardedTensor", (locals_, metadata, None, dims, None))


def sharded(size=(4, 2), zero=((0, 0), (2, 2)), one=((2, 0), (2, 2)), tensor=None):
    tensor = T(range(4), (2, 2)) if tensor is None else tensor
    return files(*({"w": shards(size, (tensor, *place))} for place in (zero, one)))


def linked(target):
    def change(place):
        os.symlink(target, place.open / name(1))

    return files(one=False, then=change)


def pipe(place):
    os.mkfifo(place.open / name(1))


def deep(levels):
    value = {"x": 1}
    for _ in range(levels):
        value = {"x": value}
    return value


def cases():
    missing = "missing-shard"
    apart = "shards-not-joined"
    bad = "torch-bad-tensor"
    unsupported = "unsupported"
    at = lambda rank: mesh(2, at=(rank,))  # noqa: E731
    return [
        fine("whole", files()),
        fine("whole_sharded", sharded()),
        notice("flat_parameter", folder({name(rank): torch_file({"block._flat_param": T(range(5))}) for rank in (0, 1)}), "shards-not-joined"),
        # files
        notice("rank_missing", files(one=False), missing),
        finding("rank_missing_found", files(one=False), missing),
        job("rank_missing_refused", files(one=False), None, options=("--only", "weights")),
        notice("rank_empty", files(one=b""), "empty-file"),
        notice("rank_zeros", files(one=bytes(4000)), "zero-filled"),
        notice("rank_text", files(one=b"only words in here"), None),
        notice("rank_cut", files(one=torch_file({"w": part(1)})[:400]), None),
        error("all_empty", files(b"", b""), None),
        notice("rank_link_outside", linked("../outside/secret"), None),
        notice("rank_link_absolute", linked("/etc/passwd"), None),
        notice("rank_pipe", files(one=False, then=pipe), None),
        notice("rank_folder", files(one=False, more={name(1) + "/x": b""}), None),
        notice("world_million", folder({name(0, 1_000_000): torch_file({"w": part(0)})}), missing),
        notice("world_huge", folder({name(0, 99999999999): torch_file({"w": part(0)})}), "coverage-hole"),
        fine("rank_beyond_world", folder({name(7, 2): torch_file({"v": T(range(2))})})),
        fine("zero_padded_twice", files(more={"model_world_size_2_rank_01.pt": torch_file({"w": part(1)})})),
        notice("other_world_beside", files(more={name(3, 4): torch_file({"w": part(1)})}), "being-written"),
        # names with the world size after "of"
        notice("of_world_missing", folder({f"c_rank-0000000{rank}-of-00000003.pth": torch_file({"w": T(range(4))}) for rank in (0, 1)}), missing),
        notice("of_world_huge", folder({f"c_rank-{rank}-of-1000000.pth": torch_file({"w": T(range(4))}) for rank in (0, 1)}), missing),
        notice("of_world_and_beyond", folder({f"c_rank-{rank}-of-2.pth": torch_file({"w": T(range(4))}) for rank in (0, 1, 2)}), "stray-file"),
        fine("of_world_from_one", folder({f"c_rank-{rank}-of-2.pth": torch_file({"w": T(range(4))}) for rank in (1, 2)})),
        # several saves
        notice("saves", folder({f"step{step}_rank{rank}.pt": torch_file({"w": part(rank)}) for step in (9, 10) for rank in (0, 1)}), "stray-file"),
        notice("newest_save_missing_a_rank", folder({f"step{step}_rank{rank}.pt": torch_file({"w": part(rank)})
                                                     for step, rank in ((9, 0), (9, 1), (10, 0), (10, 2))}), "stray-file"),
        error("saves_all_empty_but_one", folder({"step1_rank0.pt": b"", "step1_rank1.pt": b"", "step2_rank0.pt": b"",
                                                  "step2_rank1.pt": torch_file({"w": part(1)})}), missing),
        # plain tensors
        fine("plain_replicas", plain(range(4), range(4))),
        notice("plain_parts", plain(range(4), range(4, 8)), apart),
        finding("plain_parts_found", plain(range(4), range(4, 8)), apart),
        job("plain_parts_refused", plain(range(4), range(4, 8)), None, options=("--only", "weights")),
        notice("plain_parts_uneven", plain(range(4), range(2)), apart),
        fine("plain_random_states", files({"w": part(0), "rng": {"cpu": T(range(4))}}, {"w": part(1), "rng": {"cpu": T(range(1, 5))}})),
        fine("plain_of_one_rank", files({"w": part(0), "ema": T(range(4))}, {"w": part(1)})),
        # meshes
        notice("mesh_zero", each(cut=lambda rank: mesh(0, at=(rank,))), unsupported),
        notice("mesh_negative", each(cut=lambda rank: mesh(-2, at=(rank,))), unsupported),
        notice("mesh_huge", each(cut=lambda rank: mesh(HUGE, at=(rank,))), unsupported),
        notice("mesh_wraps", each(cut=lambda rank: mesh(1 << 31, 1 << 31, 1 << 31, at=(0, 0, rank)), placements=(shard(),) * 3), None),
        notice("mesh_wraps_no_place", each(cut=mesh(1 << 31, 1 << 31, 1 << 31), placements=(shard(),) * 3), unsupported),
        notice("mesh_none", each(cut=7), unsupported),
        notice("mesh_empty", each(cut=mesh(at=())), unsupported),
        notice("mesh_deep", each(cut=mesh(*([1] * 40), at=(0,) * 40), placements=(replicate(),) * 40), unsupported),
        notice("mesh_of_text", each(cut=mesh("2", at=(0,))), unsupported),
        notice("place_outside", each(cut=mesh(2, at=(5,))), unsupported),
        fine("place_negative", each(cut=mesh(2, at=(-1,)))),
        notice("place_too_long", each(cut=mesh(2, at=(0, 0))), unsupported),
        fine("place_from_file_name", each(cut=mesh(2))),
        notice("mesh_larger_than_ranks", each(cut=lambda rank: mesh(4, at=(rank,)), local=T(range(2), (1, 2))), "coverage-hole"),
        notice("same_place", each(cut=mesh(2, at=(0,))), "coverage-hole"),
        # placements
        notice("no_placements", each(placements=()), bad),
        notice("two_placements", each(placements=(shard(), shard())), bad),
        notice("placements_number", each(placements=3), bad),
        notice("dim_beyond", each(placements=(shard(2),)), bad),
        notice("dim_negative_beyond", each(placements=(shard(-3),)), bad),
        fine("dim_from_end", each(placements=(shard(-2),))),
        notice("dim_huge", each(placements=(shard(HUGE),)), bad),
        notice("dim_text", each(placements=(shard("0"),)), bad),
        notice("partial", each(placements=(partial(),)), unsupported),
        notice("placement_number", each(placements=(1,)), unsupported),
        fine("replicated", each(placements=(replicate(),), size=(2, 2))),
        notice("replicated_of_other_size", each(placements=(replicate(),)), bad),
        fine("strided_alone", each(placements=(strided(),))),
        # sizes
        notice("size_negative", each(size=(-4, 2)), bad),
        notice("size_wraps", each(size=(HUGE, 8)), bad),
        notice("size_huge", each(size=(HUGE, 1), cut=at), bad),
        notice("size_largest", each(size=((1 << 63) - 1,), local=T(range(4)), cut=mesh(1, at=(0,))), bad),
        notice("size_text", each(size="4, 2"), bad),
        notice("size_deep", each(size=(1,) * 65), bad),
        notice("size_other", each(size=(6, 2)), bad),
        notice("ranks_differ", files(one={"w": part(1, size=(8, 2))}), None),
        notice("rank_has_plain", files(one={"w": T(range(4), (2, 2))}), "coverage-hole"),
        notice("dtype_differs", files(one={"w": part(1, local=T(range(4), (2, 2), "IntStorage"))}), None),
        notice("local_short", files(one={"w": part(1, local=T(range(2), (2, 2), count=4))}), None),
        notice("local_none", each(local=7), None),
        fine("scalar", each(size=(), local=T((1,), ()), placements=(replicate(),))),
        fine("empty", each(size=(0, 2), local=T((), (0, 2)))),
        # ShardedTensors
        notice("shard_outside", sharded(one=((3, 0), (2, 2))), bad),
        notice("shard_offset_huge", sharded(one=((HUGE, 0), (2, 2))), bad),
        notice("shard_offset_negative", sharded(one=((-2, 0), (2, 2))), bad),
        notice("shard_overlaps", sharded(size=(3, 2), one=((1, 0), (2, 2))), "coverage-overlap"),
        notice("shard_hole", sharded(size=(6, 2)), "coverage-hole"),
        notice("shard_other_rank", sharded(one=((2,), (2,))), bad),
        notice("shard_sizes_wrap", sharded(one=((2, 0), (HUGE, HUGE))), bad),
        notice("shard_of_text", sharded(one=("2, 0", "2, 2")), bad),
        notice("shard_size_wraps", sharded(size=(HUGE, HUGE)), bad),
        notice("shard_size_text", sharded(size="all"), bad),
        notice("shard_tensor_other", sharded(tensor=T(range(6), (3, 2))), bad),
        notice("shard_tensor_none", sharded(tensor=3), bad),
        notice("state_short", files({"w": Obj("torch.distributed._shard.sharded_tensor.api", "ShardedTensor", ())}), bad),
        notice("state_number", files({"w": Obj("torch.distributed._shard.sharded_tensor.api", "ShardedTensor", 5)}), None),
        # trees
        fine("deep", files({"w": part(0), "tree": deep(300)})),
        fine("names_collide", files({"w": part(0), "a.b": T(range(2)), "a": {"c": T(range(2))}}, {"w": part(1)})),
        fine("placeholder_forged", files({"w": part(0), "x": Obj("<position of a tensor>", "", {"name": 5})})),
    ]
