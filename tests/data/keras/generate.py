#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Small Keras files and a plain HDF5 file, with what h5py reads from them. Written with keras 3.15.1 (torch) and h5py 3.14.0.

    PYTHONPATH=tests/interop generate.py
"""

import json
from pathlib import Path

import test_keras  # sets Keras's backend
import h5py
import keras
import numpy

HERE = Path(__file__).parent


def main() -> None:
    keras.utils.set_random_seed(3)
    model = keras.Sequential([keras.layers.Input((3,)), keras.layers.Dense(4), keras.layers.Dense(2)])
    model.compile("sgd", "mse")
    model.fit(numpy.ones((4, 3)), numpy.ones((4, 2)), verbose=0)
    model.save_weights(HERE / "dense.weights.h5")
    model.save(HERE / "dense.keras")
    with h5py.File(HERE / "plain.h5", "w") as file:
        random = numpy.random.default_rng(1)
        file["f8"], file["big"], file["bool"] = random.random((3, 4)), numpy.arange(5, dtype=">i4"), numpy.array([True, False])
        file.create_dataset("chunks", data=random.random((7, 5)).astype("f4"), chunks=(4, 3), compression="gzip", shuffle=True,
                            fletcher32=True)
        file["texts"] = ["one", "", "three"]
    with h5py.File(HERE / "userblock.h5", "w", userblock_size=512) as file:
        file["contiguous"], file["big"] = numpy.arange(6, dtype="i2").reshape(2, 3), numpy.arange(3, dtype=">f4")
        file.create_dataset("chunks", data=numpy.arange(35, dtype="f4").reshape(7, 5), chunks=(4, 3), compression="gzip")
        file.create_dataset("never", shape=(5,), dtype="i4", fillvalue=-7)
        file.create_dataset("zeros", shape=(3,), dtype="f8")
        file.create_dataset("some", shape=(9, 4), dtype=">i2", chunks=(2, 3), fillvalue=300)[4, 3] = 5
    with (HERE / "userblock.h5").open("r+b") as raw:
        raw.write(b"MATLAB 7.3 MAT-file".ljust(512, b" "))
    expected = {}
    with h5py.File(HERE / "dense.weights.h5") as file:
        expected["dense.weights.h5"] = expected["dense.keras"] = {"tensors": test_keras.stored(file)}
    for name in ("program.weights.h5", "program_new.weights.h5"):  # of TensorFlow's generate.py
        with h5py.File(HERE / name) as file:
            expected[name] = {"tensors": test_keras.stored(file)}
    with h5py.File(HERE / "plain.h5") as file:
        expected["plain.h5"] = {"tensors": test_keras.stored(file)}
    with h5py.File(HERE / "userblock.h5") as file:
        expected["userblock.h5"] = {"tensors": test_keras.stored(file)}
    (HERE / "expected.json").write_text(json.dumps(expected, indent=1, sort_keys=True) + "\n")


main()
