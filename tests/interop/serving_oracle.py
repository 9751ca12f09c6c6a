# SPDX-License-Identifier: Apache-2.0
"""Run with an environment's own transformers: loads models by the class in their config, and compares what they compute.

    python serving_oracle.py < PAIRS     [[reference, output], ...] as JSON; prints {"version": ..., "differences": [text, ...]}, "" for none
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

import torch
import transformers


def inputs(config) -> dict[str, torch.Tensor]:
    torch.manual_seed(5)
    if config.model_type == "vit":
        return {"pixel_values": torch.randn(2, config.num_channels, config.image_size, config.image_size)}
    words = torch.randint(3, config.vocab_size, (2, 7))
    if config.model_type == "whisper":
        return {"input_features": torch.randn(2, config.num_mel_bins, 2 * config.max_source_positions), "decoder_input_ids": words}
    return {"input_ids": words, "decoder_input_ids": words.flip(1)} if config.is_encoder_decoder else {"input_ids": words}


def load(folder: str):
    classes = json.loads((Path(folder) / "config.json").read_text())["architectures"]
    model, info = getattr(transformers, classes[0]).from_pretrained(folder, output_loading_info=True)
    return model.eval(), {key: sorted(map(str, value))[:3] for key, value in info.items() if value}


@torch.no_grad()
def difference(reference: str, output: str) -> str:
    try:
        expected, usual = load(reference)
    except Exception as error:  # noqa: BLE001: whatever the library raises is the finding
        return f"not even the reference: {type(error).__name__}"
    try:
        model, info = load(output)
    except Exception as error:  # noqa: BLE001
        return f"{type(error).__name__}: {error}"
    if info or usual:
        return f"{info}, the reference {usual}"
    if type(model) is not type(expected):
        return f"{type(model).__name__} instead of {type(expected).__name__}"
    given = inputs(model.config)
    try:
        wanted = expected(**given).logits
    except RuntimeError:  # a tiny config with which the class cannot compute: then its weights are compared
        state = model.state_dict()
        return next((name for name, value in expected.state_dict().items() if not torch.equal(state[name], value)), "")
    found = model(**given).logits
    if not torch.isfinite(wanted).all():
        return "the reference computes no finite numbers"
    return "" if torch.equal(found, wanted) else f"logits differ by {(found - wanted).abs().max().item()}"


if __name__ == "__main__":
    transformers.logging.set_verbosity_error()
    torch.set_num_threads(1)
    print(json.dumps({"version": transformers.__version__, "differences": [difference(*pair) for pair in json.load(sys.stdin)]}))
