# SPDX-License-Identifier: Apache-2.0
"""Models as stable-baselines3 saves them, and the folder that one unpacks to.

    pip install torch==2.13.0 stable-baselines3==2.9.2 && python generate.py
"""

import json
import shutil
import sys
import zipfile
from pathlib import Path

import gymnasium
from stable_baselines3 import DQN, SAC
from stable_baselines3.common import save_util

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "interop"))

from oracle import Oracle  # noqa: E402

HERE = Path(__file__).resolve().parent
# Omits the description of this machine.
save_util.get_system_info = lambda print_info: ({}, "- Stable-Baselines3: 2.9.2\n")
LARGE = ["policy_class", "replay_buffer_class"]  # fields that are the docstrings of classes


def rows(path):
    """As loaded by the framework: get_parameters() and the other variables."""
    _, state, variables = save_util.load_from_zip_file(path)
    oracle = Oracle()
    oracle.add("", state | ({"pytorch_variables": variables} if variables else {}))
    return {"tensors": {name: [entry["dtype"], entry["shape"], entry["sha256"]] for name, entry in oracle.tensors.items()}}


def main():
    small = {"net_arch": [4]}
    dqn = DQN("MlpPolicy", "CartPole-v1", buffer_size=50, learning_starts=8, policy_kwargs=small, seed=3)
    dqn.learn(20).save(HERE / "dqn.zip", exclude=LARGE)
    sac = SAC("MlpPolicy", gymnasium.make("Pendulum-v1"), buffer_size=50, learning_starts=8, policy_kwargs=small, seed=3)
    sac.learn(12).save(HERE / "sac.zip", exclude=LARGE)
    shutil.rmtree(HERE / "unpacked", ignore_errors=True)
    zipfile.ZipFile(HERE / "dqn.zip").extractall(HERE / "unpacked")
    expected = {name: rows(HERE / name) for name in ("dqn.zip", "sac.zip")}
    expected["unpacked"] = expected["dqn.zip"]
    (HERE / "expected.json").write_text(json.dumps(expected, indent=1) + "\n")


if __name__ == "__main__":
    main()
