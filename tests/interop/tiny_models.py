# SPDX-License-Identifier: Apache-2.0
"""Models small enough to train in a moment, with relevant shapes: attention, a norm, an odd width, tied weights."""

from __future__ import annotations

import torch
from torch import nn


class Block(nn.Module):
    def __init__(self, width: int, hidden: int) -> None:
        super().__init__()
        self.norm = nn.LayerNorm(width)
        self.qkv = nn.Linear(width, 3 * width)
        self.proj = nn.Linear(width, width)
        self.up = nn.Linear(width, hidden)
        self.down = nn.Linear(hidden, width)
        self.register_buffer("steps_seen", torch.tensor(0))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        q, k, v = self.qkv(self.norm(x)).chunk(3, -1)
        x = x + self.proj(torch.softmax(q @ k.transpose(-1, -2), -1) @ v)
        return x + self.down(torch.relu(self.up(x)))


class TinyTransformer(nn.Module):
    def __init__(self, symbols: int = 24, width: int = 16, hidden: int = 32, layers: int = 2, tied: bool = False) -> None:
        super().__init__()
        self.embed = nn.Embedding(symbols, width)
        self.layers = nn.ModuleList(Block(width, hidden) for _ in range(layers))
        self.head = nn.Linear(width, symbols, bias=False)
        if tied:
            self.head.weight = self.embed.weight

    def forward(self, tokens: torch.Tensor) -> torch.Tensor:
        x = self.embed(tokens)
        for layer in self.layers:
            x = layer(x)
        return self.head(x)


def trained(model: nn.Module, steps: int = 2, lr: float = 1e-2, symbols: int = 24):
    """Model and AdamW after `steps` real steps, so that the moments are not zero."""
    optimizer = torch.optim.AdamW(model.parameters(), lr=lr)
    scheduler = torch.optim.lr_scheduler.StepLR(optimizer, 1, 0.9)
    generator = torch.Generator().manual_seed(1)
    for _ in range(steps):
        tokens = torch.randint(0, symbols, (4, 9), generator=generator)
        logits = model(tokens[:, :-1])
        loss = nn.functional.cross_entropy(logits.reshape(-1, symbols), tokens[:, 1:].reshape(-1))
        loss.backward()
        optimizer.step()
        optimizer.zero_grad()
        scheduler.step()
    return model, optimizer, scheduler, loss.item()
