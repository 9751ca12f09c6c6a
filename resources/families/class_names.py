#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes class_names.txt: how the names of the published tensors of each class of transformers begin, and which of them are tied, for classes
of which expected_tensors.txt may know nothing.

    class_names.py OUTPUT | --check FILE [CLASS ...]

Each class is built without memory (on torch's meta device) with a small config, or its default one. A beginning is a name up to its first number or its third part, so that it
holds for almost any config. `differs` marks the classes whose names in memory are not the published ones.
"""
import warnings

import expected_tensors
import published_names
import records
import torch
import transformers
from transformers.conversion_mapping import get_model_conversion_mapping
from transformers.core_model_loading import revert_weight_conversion

warnings.filterwarnings("ignore")


def beginning(name):
    """The pattern of all names that begin as this one does."""
    parts = name.split(".")
    if len(parts) == 1:
        return name
    number = next((at for at, part in enumerate(parts[:5]) if part.isdigit()), 2)
    taken = min(number + 1, len(parts) - 1)
    letters = iter("ijkl")
    return ".".join(["{" + next(letters) + "}" if part.isdigit() else part for part in parts[:taken]] + ["{*}"])


def narrowed(lines):
    """Without patterns that take every name of a part of the model, such as those of its layers, because of one parameter at its top."""
    made = []
    for line in lines:
        part = line.removesuffix(".{*}")
        whole = part != line and "." not in part and any(other != line and other.startswith(part + ".") for other in lines)
        made += [f"{part}.weight", f"{part}.bias"] if whole else [line]
    return list(dict.fromkeys(made))


def tie(name, kept):
    """"NAME = KEPT" with letters for the numbers of the name."""
    letters, known, left = iter("ijkl"), {}, []
    for part in name.split("."):
        if part.isdigit():
            known.setdefault(part, "{" + next(letters) + "}")
            part = known[part]
        left.append(part)
    return ".".join(left) + " = " + ".".join(known.get(part, part) for part in kept.split("."))


def text_for(model):
    """The text of a class, and whether its names in memory differ."""
    state = model.state_dict()
    ignored = set(model._keys_to_ignore_on_save or [])
    published = revert_weight_conversion(model, dict(state))
    ties = {name: kept for name, kept in (getattr(model, "all_tied_weights_keys", None) or {}).items() if name in state and kept in state}
    pairs = [[next(iter(revert_weight_conversion(model, {key: state[key]}))) for key in pair] for pair in ties.items()]
    lines = narrowed(list(dict.fromkeys(beginning(name) for name in published if name not in ignored)))
    lines += list(dict.fromkeys(tie(name, kept) for name, kept in pairs))
    differs = bool(get_model_conversion_mapping(model, add_legacy=False)) and set(published) != set(state)
    return "\n".join(lines), differs


def collect(only):
    found, skipped = {}, []
    for model_type, name in published_names.classes():
        if only and name not in only:
            continue
        for small in (True, False):  # a few types refuse sizes that their defaults do not have
            try:
                with expected_tensors.unfilled():
                    model = published_names.build(model_type, name, small=small)
                found.setdefault(text_for(model), []).append((name, model_type))
                break
            except Exception as error:  # noqa: BLE001: reported below
                why = f"{type(error).__name__}: {str(error).splitlines()[0][:120] if str(error) else ''}"
        else:
            skipped.append((name, why))
    return found, skipped


def text_of(found):
    blocks = []
    for (text, differs), models in sorted(found.items(), key=lambda item: item[1]):
        pairs = " ".join(f"{kind}/{name}" for name, kind in models)
        blocks.append(records.block({"models": pairs, "differs": "yes" if differs else ""}, text))
    return records.joined(f"Written by resources/families/class_names.py from transformers {transformers.__version__}; not by hand.", blocks)


if __name__ == "__main__":
    torch.set_num_threads(1)
    records.main(collect, text_of, transformers.__version__, lambda: [name for _, name in published_names.classes()])
