# SPDX-License-Identifier: Apache-2.0
"""Writes the samples of older versions of Orbax in this folder.

python generate_old.py old_step_10   (orbax-checkpoint 0.4.1)
python generate_old.py left_out      (orbax-checkpoint 0.6.4: chunks of zeros are not stored)

Both with jax 0.4.30, numpy 1.26, tensorstore 0.1.60.
"""
import os
import pathlib
import shutil
import sys
import tempfile

os.environ["JAX_PLATFORMS"] = "cpu"
import jax  # noqa: E402
import jax.numpy as jnp  # noqa: E402
import numpy as np  # noqa: E402
import orbax.checkpoint as ocp  # noqa: E402

HERE = pathlib.Path(__file__).resolve().parent


def old_step_10(path):
    """A manager's step in which each item is one file: `checkpoint`, `metadata`, `metrics`."""
    random = np.random.default_rng(3)
    state = {"params": {"dense": {"kernel": random.standard_normal((8, 16)).astype(np.float32),
                                  "bias": np.zeros(16, np.float32)}}, "step": 10}
    whole = {"save_args": jax.tree_util.tree_map(lambda _: ocp.SaveArgs(aggregate=True), state)}
    with tempfile.TemporaryDirectory() as folder:
        manager = ocp.CheckpointManager(folder, {"state": ocp.PyTreeCheckpointer(),
                                                 "meta": ocp.Checkpointer(ocp.JsonCheckpointHandler())})
        manager.save(10, {"state": state, "meta": {"epoch": 1, "lr": 1e-3}}, save_kwargs={"state": whole},
                     metrics={"loss": 0.1})
        shutil.copytree(pathlib.Path(folder) / "10", path)


def left_out(path):
    saver = ocp.Checkpointer(ocp.PyTreeCheckpointHandler(use_zarr3=True, use_ocdbt=False))
    saver.save(path, {"mu": jnp.zeros((18000, 18000), jnp.float32), "w": jnp.arange(12.0)})
    (path / "_sharding").unlink()


target = HERE / sys.argv[1]
shutil.rmtree(target, ignore_errors=True)
globals()[sys.argv[1]](target)
