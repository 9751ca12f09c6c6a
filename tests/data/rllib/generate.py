# SPDX-License-Identifier: Apache-2.0
"""An algorithm's checkpoint as RLlib saves it. The constructor arguments of its components (class_and_ctor_args.pkl) are emptied: the file is large,
contains paths of this machine, and is not read.

    pip install torch==2.13.0 "ray[rllib]==2.60.0" && python generate.py
"""

import json
import pickle
import shutil
import sys
from pathlib import Path

import numpy
import torch
from ray.rllib.algorithms.ppo import PPOConfig
from ray.rllib.core.rl_module.default_model_config import DefaultModelConfig

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parents[1] / "interop"))

from oracle import tensor_entry  # noqa: E402


def arrays(value, name):
    if isinstance(value, numpy.ndarray):
        yield name, value
    elif isinstance(value, (dict, list)):
        for key, item in value.items() if isinstance(value, dict) else enumerate(value):
            yield from arrays(item, f"{name}.{key}" if name else str(key))


def main():
    config = PPOConfig().environment("CartPole-v1").env_runners(num_env_runners=0).learners(num_learners=0)
    config = config.training(train_batch_size=32, minibatch_size=16, num_epochs=1)
    algorithm = config.rl_module(model_config=DefaultModelConfig(fcnet_hiddens=[2])).build_algo()
    for _ in range(3):
        algorithm.train()
    target = HERE / "checkpoint_000007"
    shutil.rmtree(target, ignore_errors=True)
    algorithm.save_to_path(str(target))
    for made in target.rglob("class_and_ctor_args.pkl"):
        made.write_bytes(pickle.dumps(None))
    rows = {}
    for metadata in [target / "rllib_checkpoint.json", *target.rglob("metadata.json")]:
        place = metadata.parent.relative_to(target)
        state = pickle.loads((metadata.parent / (json.loads(metadata.read_text())["state_file"] + ".pkl")).read_bytes())
        for name, array in arrays(state, ".".join(place.parts)):
            rows[name] = [*tensor_entry(torch.from_numpy(array)).values()]
    (HERE / "expected.json").write_text(json.dumps({target.name: {"tensors": rows}}, indent=1) + "\n")


if __name__ == "__main__":
    main()
