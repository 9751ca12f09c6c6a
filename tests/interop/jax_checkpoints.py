# SPDX-License-Identifier: Apache-2.0
"""Checkpoints written by Orbax and Flax with every option that changes the format, on eight simulated devices."""
import os
import shutil

os.environ["XLA_FLAGS"] = "--xla_force_host_platform_device_count=8"
os.environ["JAX_PLATFORMS"] = "cpu"
os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")

import flax  # noqa: E402
import jax  # noqa: E402
import jax.numpy as jnp  # noqa: E402
import numpy as np  # noqa: E402
import optax  # noqa: E402
import orbax.checkpoint as ocp  # noqa: E402
from flax import serialization  # noqa: E402
from flax.training import checkpoints, train_state  # noqa: E402

RNG = np.random.default_rng(7)
PyTree = ocp.PyTreeCheckpointHandler
Part = jax.sharding.PartitionSpec


def normal(*shape, dtype=jnp.float32):
    return jnp.asarray(RNG.standard_normal(shape), dtype)


def state(width=16, step=7):
    params = {"dense": {"kernel": normal(width, 2 * width), "bias": jnp.zeros((2 * width,))},
              "out.put": {"kernel": normal(2 * width, 8, dtype=jnp.bfloat16)}}
    return {"step": jnp.int32(step), "params": params, "opt_state": optax.adamw(1e-3).init(params)}


def odd():
    """Every kind of leaf."""
    floats = {name: normal(4, 4, dtype=getattr(jnp, name)) for name in
              ("float16", "float8_e4m3fn", "float8_e5m2", "float8_e4m3fnuz", "float8_e5m2fnuz", "float8_e4m3b11fnuz")}
    return {**floats, "i4": jnp.asarray(RNG.integers(-8, 8, (5, 3)), jnp.int4), "flags": np.array([True, False, True]),
            "c": np.array([1 + 2j, 3 - 4j], np.complex64), "wide": np.array([1e300 - 1j], np.complex128),
            "number": 5, "real": 2.5, "flag": True, "text": "hello", "none": None, "empty": {}, "nothing": [],
            "list": [np.arange(3), np.arange(4.0)], "tuple": (np.float32(1.5), np.int64(9)), "scalar": np.array(3.25),
            "zeros": np.zeros((90, 90), np.float32), "minus": np.full((3, 3), -0.0, np.float32),
            "integers": {name: np.arange(10).astype(name) - 5 for name in ("int8", "int16", "int32", "int64")},
            "naturals": {name: np.arange(10).astype(name) for name in ("uint8", "uint16", "uint32", "uint64")}}


def sharded(rows=64, columns=32):
    mesh = jax.sharding.Mesh(np.array(jax.devices()).reshape(4, 2), ("x", "y"))

    def put(array, *parts):
        return jax.device_put(array, jax.sharding.NamedSharding(mesh, Part(*parts)))

    plain = normal(rows, columns)
    return {"xy": put(plain, "x", "y"), "x": put(plain, "x"), "y": put(plain, None, "y"), "whole": put(plain),
            "flat": put(plain, ("x", "y")), "cube": put(jnp.arange(192, dtype=jnp.int32).reshape(8, 6, 4), "x", None, "y"),
            "half": put(normal(4 * rows, 4 * columns, dtype=jnp.bfloat16), "x", "y")}


def save(path, tree, **options):
    ocp.Checkpointer(PyTree(**options)).save(path, args=ocp.args.PyTreeSave(tree))


def chunked(path, **options):
    tree = {**sharded(), "uneven": normal(100, 77)}
    sizes = jax.tree.map(lambda _: ocp.SaveArgs(chunk_byte_size=2048), tree)
    with ocp.Checkpointer(PyTree(**options)) as saver:
        saver.save(path, args=ocp.args.PyTreeSave(tree, save_args=sizes, ocdbt_target_data_file_size=20_000))


def standard(path):
    saver = ocp.StandardCheckpointer()
    saver.save(path, state(128))
    saver.wait_until_finished()


def manager(path):
    options = ocp.CheckpointManagerOptions(max_to_keep=3, best_fn=lambda metrics: metrics["loss"], best_mode="min")
    with ocp.CheckpointManager(path, options=options, item_names=("state", "config", "rng")) as keeper:
        for step in (0, 100, 200):
            items = ocp.args.Composite(state=ocp.args.StandardSave(state(step=step)),
                                       config=ocp.args.JsonSave({"lr": 1e-3, "layers": 2}),
                                       rng=ocp.args.JaxRandomKeySave(jax.random.key(step)))
            keeper.save(step, args=items, metrics={"loss": 1.0 / (step + 1)})
        keeper.wait_until_finished()


def manager_default(path):
    with ocp.CheckpointManager(path, options=ocp.CheckpointManagerOptions(step_prefix="ckpt")) as keeper:
        for step in (3, 12):
            keeper.save(step, args=ocp.args.StandardSave(state(step=step)))
        keeper.wait_until_finished()


def manager_mixed(path):
    with ocp.CheckpointManager(path, item_names=("key", "array", "tree")) as keeper:
        keeper.save(5, args=ocp.args.Composite(key=ocp.args.NumpyRandomKeySave(np.random.RandomState(1).get_state()),
                                               array=ocp.args.ArraySave(np.arange(12.0).reshape(3, 4)),
                                               tree=ocp.args.PyTreeSave(odd())))
        keeper.wait_until_finished()


def v1(path):
    from orbax.checkpoint.experimental import v1 as next_api
    next_api.save_checkpointables(path, {"state": state(), "meta": {"note": "x", "lr": 0.1}})


def v1_training(path):
    from orbax.checkpoint.experimental import v1 as next_api
    with next_api.training.Checkpointer(path) as keeper:
        for step in (1, 2):
            keeper.save_pytree(step, state(step=step), metrics={"loss": 0.5 / step})


def flax_orbax(path):
    flax.config.update("flax_use_orbax_checkpointing", True)
    for step in (1, 2):
        checkpoints.save_checkpoint(path, state(step=step), step, keep=2)


def flax_legacy(path):
    flax.config.update("flax_use_orbax_checkpointing", False)
    whole = train_state.TrainState.create(apply_fn=None, params=state()["params"], tx=optax.adam(1e-3))
    for step in (1, 10, 20):
        checkpoints.save_checkpoint(path, whole.replace(step=step), step, keep=2)
    checkpoints.save_checkpoint(path, whole, 7.5, prefix="ema_")


def flax_files(path):
    os.makedirs(path)
    leaves = {**odd(), "complex": 1 + 2j, "numpy": np.float32(3.5)}
    with open(f"{path}/odd.msgpack", "wb") as file:
        file.write(serialization.to_bytes(leaves))
    limit, serialization.MAX_CHUNK_SIZE = serialization.MAX_CHUNK_SIZE, 1000
    tree = {"params": {"a": np.arange(1001, dtype=np.float32).reshape(7, 11, 13), "b": np.arange(3)}}
    with open(f"{path}/chunked.msgpack", "wb") as file:
        file.write(serialization.to_bytes(tree))
    serialization.MAX_CHUNK_SIZE = limit


CASES = {
    "tree": lambda path: save(path, state()),
    "tree_large": lambda path: save(path, state(512)),
    "odd": lambda path: save(path, odd()),
    "odd_folders": lambda path: save(path, odd(), use_ocdbt=False),
    "odd_zarr3": lambda path: save(path, odd(), use_zarr3=True),
    "odd_zarr3_folders": lambda path: save(path, odd(), use_zarr3=True, use_ocdbt=False),
    "standard": standard,
    "sharded": lambda path: save(path, sharded()),
    "sharded_large": lambda path: save(path, sharded(1024, 512)),
    "sharded_folders": lambda path: save(path, sharded(), use_ocdbt=False),
    "sharded_zarr3": lambda path: save(path, sharded(), use_zarr3=True),
    "chunked": chunked,
    "chunked_zarr3": lambda path: chunked(path, use_zarr3=True),
    "chunked_zarr3_folders": lambda path: chunked(path, use_zarr3=True, use_ocdbt=False),
    "manager": manager,
    "manager_default": manager_default,
    "manager_mixed": manager_mixed,
    "v1": v1,
    "v1_training": v1_training,
    "flax_orbax": flax_orbax,
    "flax_legacy": flax_legacy,
    "flax_files": flax_files,
}


def make(root, names=None):
    for name in names or CASES:
        path = os.path.join(os.path.abspath(root), name)
        shutil.rmtree(path, ignore_errors=True)
        CASES[name](path)
