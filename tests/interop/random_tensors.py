# SPDX-License-Identifier: Apache-2.0
"""Random tensors of every dtype that torch can write to a file, including difficult values."""

from __future__ import annotations

import torch

FLOATS = (torch.float64, torch.float32, torch.float16, torch.bfloat16)
EIGHT_BITS = (torch.float8_e4m3fn, torch.float8_e5m2, torch.float8_e4m3fnuz, torch.float8_e5m2fnuz)
INTEGERS = (torch.int8, torch.uint8, torch.int16, torch.uint16, torch.int32, torch.uint32, torch.int64, torch.uint64)
COMPLEX = (torch.complex64, torch.complex128)
ALL = FLOATS + EIGHT_BITS + INTEGERS + COMPLEX + (torch.bool,)
COUNT = 100_003  # more than a block, and odd

BITS = {1: torch.uint8, 2: torch.int16, 4: torch.int32, 8: torch.int64}


def seeded(seed: int) -> torch.Generator:
    return torch.Generator().manual_seed(seed)


def patterns(dtype: torch.dtype, count: int, seed: int) -> torch.Tensor:
    """Random bits: subnormals, both zeros, NaN with payloads, infinities."""
    raw = torch.randint(0, 256, (count * dtype.itemsize,), generator=seeded(seed), dtype=torch.uint8)
    return raw.view(dtype)


def values(dtype: torch.dtype, count: int = COUNT, seed: int = 0) -> torch.Tensor:
    """Typical weights, with a few special values of every kind."""
    if dtype == torch.bool:
        return torch.randint(0, 2, (count,), generator=seeded(seed), dtype=torch.uint8).bool()
    if dtype in INTEGERS:
        return patterns(dtype, count, seed)
    if dtype in COMPLEX:
        return torch.randn(count, generator=seeded(seed), dtype=dtype)
    out = (torch.randn(count, generator=seeded(seed), dtype=torch.float64) * 0.02).to(dtype)
    special = [0.0, -0.0, float("nan")] + ([float("inf"), -float("inf")] if dtype in FLOATS else [])
    if dtype in FLOATS:
        tiny = torch.finfo(dtype).smallest_normal
        special += [tiny / 2, -tiny / 4, min(torch.finfo(dtype).max / 1e3, 1e40)]
    places = torch.randperm(count, generator=seeded(seed + 1))[: 3 * len(special)]
    out[places] = torch.tensor(special * 3, dtype=torch.float64).to(dtype)[: len(places)]
    return out


def as_double(tensor: torch.Tensor) -> torch.Tensor:
    if tensor.dtype.is_complex:
        return tensor.to(torch.complex128)
    if tensor.dtype == torch.uint64:  # torch converts it through int64
        import numpy

        return torch.from_numpy(tensor.numpy().astype(numpy.float64))
    return tensor.to(torch.float64)


def bits(tensor: torch.Tensor) -> torch.Tensor:
    return tensor.contiguous().view(torch.uint8).reshape(tensor.numel(), -1)
