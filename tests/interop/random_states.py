# SPDX-License-Identifier: Apache-2.0
"""Random training states: shapes, dtypes and containers that are difficult to shard."""

from __future__ import annotations

import random

import torch

import random_tensors

DTYPES = random_tensors.FLOATS + random_tensors.EIGHT_BITS + (
    torch.bool, torch.int8, torch.uint8, torch.int16, torch.int32, torch.int64, torch.uint16, torch.complex64)
EXTENTS = (0, 1, 1, 2, 3, 5, 7, 8, 13, 16, 31, 64)


def tensor(dice: random.Random, dtype: torch.dtype | None = None) -> torch.Tensor:
    rank = dice.choice((0, 1, 1, 2, 2, 2, 2, 3, 4))
    shape = [dice.choice(EXTENTS if dice.random() < 0.2 else EXTENTS[1:]) for _ in range(rank)]
    dtype = dtype or dice.choice(DTYPES)
    count = 1
    for extent in shape:
        count *= extent
    raw = torch.randint(0, 2 if dtype == torch.bool else 256, (count * dtype.itemsize,), dtype=torch.uint8,
                        generator=random_tensors.seeded(dice.randrange(1 << 30)))
    return raw.view(dtype).reshape(shape)


def large(dice: random.Random) -> torch.Tensor:
    """Larger than a page and than a megabyte, with odd extents."""
    rows, columns = dice.randrange(300, 700), dice.randrange(900, 1300)
    raw = torch.randint(0, 256, (rows * columns * 2,), dtype=torch.uint8, generator=random_tensors.seeded(dice.randrange(1 << 30)))
    return raw.view(torch.bfloat16).reshape(rows, columns)


def plain(dice: random.Random, depth: int = 0) -> object:
    kinds = [lambda: dice.randrange(-(1 << 40), 1 << 40), lambda: dice.random() * 10 - 5, lambda: dice.choice((True, False, None)),
             lambda: "".join(dice.choice("ab.c/ é😀'\"\\\n") for _ in range(dice.randrange(12))), lambda: (0.9, 0.999),
             lambda: [1, 2, 3], lambda: 1 << 80]
    if depth < 3:
        kinds += [lambda: {dice.choice(("lr", "x.y", "steps", "3")) + str(i): plain(dice, depth + 1) for i in range(dice.randrange(1, 4))},
                  lambda: [plain(dice, depth + 1) for _ in range(dice.randrange(4))]]
    return dice.choice(kinds)()


def state(seed: int) -> dict:
    """The state of a training loop; dotted names are unique."""
    dice = random.Random(seed)
    names = [f"layers.{i}.{part}" for i in range(3) for part in ("attn.q.weight", "attn.q.bias", "mlp.weight", "norm.weight")]
    model = {name: tensor(dice) for name in dice.sample(names, dice.randrange(4, len(names)))}
    model["embed.weight"] = tensor(dice, torch.bfloat16)
    model["steps"] = torch.tensor(dice.randrange(1 << 40))
    if seed % 5 == 0:
        model["large.weight"] = large(dice)
    if seed % 3 == 0:
        model["lm_head.weight"] = model["embed.weight"]  # tied
    moments = {i: {"step": torch.tensor(float(i)), "exp_avg": tensor(dice, torch.float32)} for i in range(dice.randrange(3))}
    groups = [{"lr": dice.random(), "betas": (0.9, 0.95), "params": list(range(i, i + 3))} for i in range(2)]
    return {"model": model, "optimizer": {"state": moments, "param_groups": groups}, "epoch": dice.randrange(100),
            "loss": dice.random(), "args": plain(dice, 1), "history": [plain(dice, 2), {"nested": tensor(dice)}],
            "rng": torch.arange(16, dtype=torch.uint8)}
