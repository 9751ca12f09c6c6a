# SPDX-License-Identifier: Apache-2.0
"""Writes the samples in this folder and in ../flax, and expected.json with the result of TensorStore and Flax.

python generate.py   (with tests/interop/requirements-jax.txt)
"""
import json
import pathlib
import shutil
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent.parent / "interop"))

import jax_checkpoints as made  # noqa: E402
import jax_oracle  # noqa: E402

made.np.random.seed(1)


def small():
    tree = made.odd()
    tree["zeros"] = made.np.zeros((20, 20), made.np.float32)
    for name in ("integers", "naturals"):
        del tree[name]
    tree["some"] = made.normal(40, 30)  # too large to be stored in the tree
    return tree


SAMPLES = {
    "leaves": lambda path: made.save(path, small()),
    "leaves_zarr3": lambda path: made.save(path, {key: value for key, value in small().items() if len(key) > 4},
                                           use_zarr3=True),
    "array_folders": lambda path: made.save(path, {"params": {"w": made.normal(6, 4), "b": made.normal(4)}, "step": 3},
                                            use_ocdbt=False),
    "sharded": lambda path: made.save(path, made.sharded(16, 8)),
    "chunked_zarr3": lambda path: made.save_chunked(path),
}


def save_chunked(path):
    tree = {"uneven": made.normal(50, 17), "x": made.sharded(16, 8)["x"]}
    sizes = made.jax.tree.map(lambda _: made.ocp.SaveArgs(chunk_byte_size=512), tree)
    with made.ocp.Checkpointer(made.PyTree(use_zarr3=True)) as saver:
        saver.save(path, args=made.ocp.args.PyTreeSave(tree, save_args=sizes, ocdbt_target_data_file_size=3000))


def without_paths(path):
    """Orbax writes the folder's path into commit_success.txt."""
    for file in path.rglob("commit_success.txt"):
        file.write_text(file.read_text().replace(str(HERE), "/checkpoints").replace("/manager/", "/"))


def save_step(path):
    whole = path.parent / "manager"
    made.manager(whole)
    shutil.move(whole / "100", path)
    shutil.rmtree(whole)


made.save_chunked = save_chunked
SAMPLES["step_100"] = save_step

if __name__ == "__main__":
    expected = {}
    for name, write in SAMPLES.items():
        path = HERE / name
        shutil.rmtree(path, ignore_errors=True)
        write(path)
        without_paths(path)
        expected[name] = jax_oracle.orbax_rows(path)
    (HERE / "expected.json").write_text(json.dumps(expected, indent=1) + "\n")

    flax = HERE.parent / "flax"
    flax.mkdir(exist_ok=True)
    files = flax / "files"
    shutil.rmtree(files, ignore_errors=True)
    made.flax_files(str(files))
    made.flax_legacy(str(files / "legacy"))
    for source, target in (("odd.msgpack", "odd.msgpack"), ("chunked.msgpack", "chunked.msgpack"),
                           ("legacy/checkpoint_20", "checkpoint_20")):
        shutil.move(files / source, flax / target)
    shutil.rmtree(files)
    rows = {name: jax_oracle.flax_rows(flax / name) for name in ("odd.msgpack", "chunked.msgpack", "checkpoint_20")}
    (flax / "expected.json").write_text(json.dumps(rows, indent=1) + "\n")
