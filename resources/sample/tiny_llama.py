# SPDX-License-Identifier: Apache-2.0
"""The model, the tokenizer and the data of the sample experiment: a two-layer Llama that learns to add small numbers.

Everything is drawn from fixed seeds, so that the same package versions write the same experiment again.
"""

from __future__ import annotations

import torch
from tokenizers import Tokenizer, models, pre_tokenizers
from transformers import LlamaConfig, LlamaForCausalLM, PreTrainedTokenizerFast

import sums
from sums import SEQUENCE, VOCABULARY


def config() -> LlamaConfig:
    return LlamaConfig(
        vocab_size=len(VOCABULARY), hidden_size=24, intermediate_size=48, num_hidden_layers=2, num_attention_heads=4,
        num_key_value_heads=2, max_position_embeddings=SEQUENCE, pad_token_id=0, bos_token_id=1, eos_token_id=2,
        tie_word_embeddings=False, rope_theta=10000.0, architectures=["LlamaForCausalLM"], dtype="float32",
    )


def small_config() -> LlamaConfig:
    """The one-layer variant for the Lightning run."""
    settings = config()
    settings.num_hidden_layers = 1
    settings.hidden_size = 16
    settings.intermediate_size = 24
    settings.head_dim = 4
    return settings


def model(seed: int, settings: LlamaConfig | None = None) -> LlamaForCausalLM:
    torch.manual_seed(seed)
    return LlamaForCausalLM(settings or config())


def tokenizer() -> PreTrainedTokenizerFast:
    inner = Tokenizer(models.WordLevel({symbol: i for i, symbol in enumerate(VOCABULARY)}, unk_token="<pad>"))
    inner.pre_tokenizer = pre_tokenizers.Split("", "isolated")
    return PreTrainedTokenizerFast(tokenizer_object=inner, pad_token="<pad>", bos_token="<s>", eos_token="</s>",
                                   model_max_length=SEQUENCE)


def sequences(count: int, seed: int) -> torch.Tensor:
    """`count` rows of sums such as `a=17;b=25;a+b=42;`, cut to SEQUENCE tokens."""
    return torch.tensor(sums.rows(count, seed))


def schedule(step: int, warmup: int, total: int) -> float:
    """Factor on the learning rate: linear warm-up, then a cosine to a tenth."""
    if step < warmup:
        return (step + 1) / warmup
    import math

    part = (step - warmup) / max(1, total - warmup)
    return 0.1 + 0.9 * 0.5 * (1.0 + math.cos(math.pi * min(part, 1.0)))
