# SPDX-License-Identifier: Apache-2.0
"""The JAX run of the sample: `python orbax_run.py OUT` writes OUT/tiny-mlp-jax.

An Orbax CheckpointManager keeps its three best steps by their evaluation loss: OCDBT folders of arrays sharded over four devices,
with a metrics item. The curves are a CSV. Needs the packages pinned in tests/interop/requirements-jax.txt.
"""

from __future__ import annotations

import csv
import os
import sys
from pathlib import Path

os.environ["JAX_PLATFORMS"] = "cpu"
os.environ["XLA_FLAGS"] = "--xla_force_host_platform_device_count=4"

import flax.linen as nn
import jax
import jax.numpy as jnp
import optax
import orbax.checkpoint as ocp
from jax.sharding import Mesh, NamedSharding, PartitionSpec

import sums

STEPS, EVERY, BATCH, CONTEXT, WIDTH = 200, 50, 64, 4, 24


class SmallMlp(nn.Module):
    """Predicts the next symbol from the last CONTEXT ones."""

    @nn.compact
    def __call__(self, tokens):
        hidden = nn.Embed(64, 8, name="embed")(tokens).reshape(*tokens.shape[:-1], CONTEXT * 8)
        hidden = nn.gelu(nn.Dense(WIDTH, name="hidden")(hidden))
        return nn.Dense(64, name="head")(nn.LayerNorm(name="norm")(hidden))


def windows(rows) -> tuple[jax.Array, jax.Array]:
    rows = jnp.asarray(rows)
    last = rows.shape[1] - CONTEXT
    return jnp.stack([rows[:, i : i + last] for i in range(CONTEXT)], axis=-1), rows[:, CONTEXT:]


def spread(tree, mesh: Mesh):
    """Shards matrices by rows over the four devices; everything else is replicated."""
    rule = lambda leaf: PartitionSpec("data") if leaf.ndim == 2 else PartitionSpec()
    return jax.tree.map(lambda leaf: jax.device_put(leaf, NamedSharding(mesh, rule(leaf))), tree)


def run(out: Path) -> None:
    folder = (out / "tiny-mlp-jax").resolve()
    mesh = Mesh(jax.devices(), ("data",))
    model, optimizer = SmallMlp(), optax.adamw(5e-3)
    inputs, targets = windows(sums.rows(2048, 5))
    held_out = windows(sums.rows(64, 6))
    params = model.init(jax.random.key(11), inputs[:1])["params"]
    state = spread({"params": params, "opt_state": optimizer.init(params)}, mesh)

    def loss_of(params, inputs, targets):
        logits = model.apply({"params": params}, inputs)
        return optax.softmax_cross_entropy_with_integer_labels(logits, targets).mean()

    @jax.jit
    def train_step(state, inputs, targets):
        loss, gradients = jax.value_and_grad(loss_of)(state["params"], inputs, targets)
        updates, opt_state = optimizer.update(gradients, state["opt_state"], state["params"])
        return {"params": optax.apply_updates(state["params"], updates), "opt_state": opt_state}, loss

    rows = []
    options = ocp.CheckpointManagerOptions(max_to_keep=3, best_fn=lambda metrics: metrics["eval_loss"], best_mode="min",
                                           enable_async_checkpointing=False)
    with ocp.CheckpointManager(folder, options=options) as manager:
        for step in range(1, STEPS + 1):
            first = (step - 1) * BATCH % len(inputs)
            state, loss = train_step(state, inputs[first : first + BATCH], targets[first : first + BATCH])
            row = {"step": step, "loss": round(float(loss), 5)}
            if step % 25 == 0:
                row["eval_loss"] = round(float(loss_of(state["params"], *held_out)), 5)
            if step % 2 == 0:
                rows.append(row)
            if step % EVERY == 0:
                manager.save(step, metrics={"eval_loss": row["eval_loss"], "loss": row["loss"]},
                             args=ocp.args.Composite(state=ocp.args.StandardSave({"step": step, **spread(state, mesh)})))
    with open(folder / "metrics.csv", "w", newline="") as file:
        writer = csv.DictWriter(file, ["step", "loss", "eval_loss"])
        writer.writeheader()
        writer.writerows(rows)
    for marker in folder.rglob("commit_success.txt"):  # contains a path of this machine: made relative to the experiment's root
        marker.write_text(marker.read_text().replace(f"{folder.parent}/", ""))


if __name__ == "__main__":
    run(Path(sys.argv[1]))
