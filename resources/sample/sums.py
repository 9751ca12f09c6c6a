# SPDX-License-Identifier: Apache-2.0
"""The data of the sample experiment: lines such as `a=17;b=25;a+b=42;`, as numbers of symbols. Plain Python, for every framework."""

from __future__ import annotations

import random

SPECIAL = ["<pad>", "<s>", "</s>"]
SYMBOLS = "0123456789+-=;, .abcdefghijklmnopqrstuvwxyz()[]{}<>*/%^&|!?:_#"
VOCABULARY = SPECIAL + list(SYMBOLS)[: 64 - len(SPECIAL)]
SEQUENCE = 32


def rows(count: int, seed: int) -> list[list[int]]:
    """`count` rows of sums, cut to SEQUENCE symbols; the same for the same seed."""
    place = {symbol: i for i, symbol in enumerate(VOCABULARY)}
    source = random.Random(seed)
    found = []
    for _ in range(count):
        text = ""
        while len(text) < SEQUENCE:
            left, right = source.choice("abcd"), source.choice("wxyz")
            one, two = source.randrange(50), source.randrange(50)
            text += f"{left}={one};{right}={two};{left}+{right}={one + two}; "
        found.append([1] + [place[symbol] for symbol in text[: SEQUENCE - 1]])
    return found
