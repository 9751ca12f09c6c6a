# SPDX-License-Identifier: Apache-2.0
"""Compares Orbax and Flax checkpoints with TensorStore and flax.serialization: names, dtypes, shapes, hashes, values, runs.

Needs an environment with requirements-jax.txt (1 GB): run with its Python, otherwise everything is skipped.
"""
import json
import os
import pathlib
import pickle
import subprocess
import tempfile
import unittest

try:
    import jax_checkpoints  # first: it sets the number of devices
    import jax_oracle

    import jax
    import numpy
    import optax
    import orbax.checkpoint as ocp
    from flax import nnx
except ImportError:
    jax_checkpoints = None
from support import run

HOLDERS = ("manager", "manager_default", "manager_mixed", "v1_training", "flax_orbax")  # folders of steps


def json_of(*arguments):
    answer = run(*arguments, "--json")
    return answer.json


@unittest.skipIf(jax_checkpoints is None, "no JAX here: requirements-jax.txt")
class JaxTest(unittest.TestCase):
    maxDiff = None

    @classmethod
    def setUpClass(cls):
        kept = os.environ.get("CAIRN_JAX_DATA")
        cls.folder = None if kept else tempfile.TemporaryDirectory()
        cls.root = pathlib.Path(kept or cls.folder.name)
        if not (cls.root / "flax_files").exists():
            jax_checkpoints.make(cls.root)

    @classmethod
    def tearDownClass(cls):
        if cls.folder:
            cls.folder.cleanup()

    def checkpoints(self):
        """(path, rows of the framework's own reader)"""
        for name in jax_checkpoints.CASES:
            path = self.root / name
            if name.startswith("flax_") and name != "flax_orbax":
                for file in sorted(path.iterdir()):
                    yield file, jax_oracle.flax_rows(file)
            elif name in HOLDERS:
                for step in sorted(one for one in path.iterdir() if one.is_dir()):
                    yield step, jax_oracle.orbax_rows(step)
            else:
                yield path, jax_oracle.orbax_rows(path)

    def test_tensors(self):
        count = 0
        for path, rows in self.checkpoints():
            with self.subTest(path=str(path.relative_to(self.root))):
                listed = json_of("ls", path)
                self.assertNotIn("error", listed)
                self.assertEqual([row for row in listed["notices"] if row["severity"] == "error"], [])
                found = {row["name"]: (row["dtype"], row["shape"]) for row in listed["tensors"]}
                self.assertEqual(found, {row["name"]: (row["dtype"], row["shape"]) for row in rows})
                hashes = {row["name"]: row["sha256"] for row in json_of("hash", path)["tensors"]}
                self.assertEqual(hashes, {row["name"]: row["sha256"] for row in rows})
                count += len(rows)
        self.assertGreater(count, 300)

    def test_pickles(self):
        """`pickle.dump` of parameters: each jax.Array is pickled as the NumPy array that holds its elements."""
        tree = {"params": jax_checkpoints.state()["params"], "sharded": jax_checkpoints.sharded(),
                "odd": {key: value for key, value in jax_checkpoints.odd().items() if key.startswith("float")}}
        with tempfile.TemporaryDirectory() as folder:
            for protocol in (2, 4, 5):
                path = pathlib.Path(folder) / f"params{protocol}.pkl"
                path.write_bytes(pickle.dumps(tree, protocol))
                wanted = [jax_oracle.row(name, leaf) for name, leaf in jax_oracle.leaves(pickle.loads(path.read_bytes()))]
                with self.subTest(protocol=protocol):
                    found = {row["name"]: (row["dtype"], row["shape"]) for row in json_of("ls", path)["tensors"]}
                    self.assertEqual(found, {row["name"]: (row["dtype"], row["shape"]) for row in wanted})
                    hashes = {row["name"]: row["sha256"] for row in json_of("hash", path)["tensors"]}
                    self.assertEqual(hashes, {row["name"]: row["sha256"] for row in wanted})

    def test_whole(self):
        for path, _ in self.checkpoints():
            with self.subTest(path=str(path.relative_to(self.root))):
                self.assertEqual(json_of("info", path)["complete"], "complete")
                wrong = [row for row in json_of("check", path)["findings"] if row["severity"] != "info"]
                self.assertEqual(wrong, [])
                pieces = json_of("placement", path)
                self.assertEqual((pieces["coverage"]["holes"], pieces["coverage"]["overlaps"]), (0, 0))

    def test_values(self):
        for name in ("odd", "odd_folders", "odd_zarr3"):
            values = json_of("info", self.root / name)["values"]
            self.assertEqual([values["number"], values["real"], values["flag"], values["text"], values["none"]],
                             [5, 2.5, True, "hello", None])
            self.assertEqual(values["tuple"], [1.5, 9])
        values = json_of("info", self.root / "flax_files" / "odd.msgpack")["values"]
        self.assertEqual([values["number"], values["real"], values["flag"], values["text"], values["none"]],
                         [5, 2.5, True, "hello", None])
        self.assertEqual(values["numpy"], 3.5)

    def test_steps(self):
        self.assertEqual(json_of("info", self.root / "tree")["step"], 7)
        self.assertEqual(json_of("info", self.root / "flax_legacy" / "checkpoint_20")["step"], 20)
        info = json_of("info", self.root / "manager")
        self.assertEqual(info["step"], 200)
        self.assertEqual(info["values"]["config"], {"lr": 1e-3, "layers": 2})
        self.assertEqual(info["values"]["metrics"], {"loss": 1.0 / 201})
        expected = {"manager": [0, 100, 200], "manager_default": [3, 12], "v1_training": [1, 2], "flax_orbax": [1, 2],
                    "flax_legacy": [0, 10, 20]}  # the content of the file is used, not ema_7.5
        for name, steps in expected.items():
            with self.subTest(name=name):
                runs = json_of("runs", self.root / name)["runs"]
                rows = [row for one in runs for row in one["checkpoints"]]
                self.assertEqual(sorted(row["step"] for row in rows if row["step"] is not None),
                                 steps)

    def test_roots_that_are_no_dicts(self):
        """A tuple as a tree, and an optimizer's state (a tuple of named tuples) as a separate item."""
        optimizer = optax.adamw(1e-3)
        weights = {"w": jax.numpy.ones(3)}
        _, state = optimizer.update(weights, optimizer.init(weights), weights)
        with tempfile.TemporaryDirectory() as folder:
            root = pathlib.Path(folder)
            jax_checkpoints.save(root / "tuple", (1, 2.5, jax.numpy.int32(7)))
            self.assertEqual(json_of("info", root / "tuple")["values"], [1, 2.5, 7])
            with ocp.CheckpointManager(root / "run") as manager:
                manager.save(4, args=ocp.args.Composite(params=ocp.args.StandardSave(weights), opt_state=ocp.args.StandardSave(state)))
                manager.wait_until_finished()
            values = json_of("info", root / "run" / "4")["values"]["opt_state"]
            self.assertEqual(values[0]["count"], int(state[0].count))

    def test_flax_nnx_and_random_states(self):
        class Net(nnx.Module):
            def __init__(self, rngs):
                self.linear = nnx.Linear(2, 3, rngs=rngs)
                self.dropout = nnx.Dropout(0.1, rngs=rngs)

        net = Net(nnx.Rngs(0))
        optimizer = nnx.Optimizer(net, optax.adam(1e-3), wrt=nnx.Param)
        for _ in range(3):
            optimizer.update(net, jax.tree.map(jax.numpy.ones_like, nnx.state(net, nnx.Param)))
        with tempfile.TemporaryDirectory() as folder:
            root = pathlib.Path(folder)
            with ocp.StandardCheckpointer() as saver:
                saver.save(root / "nnx", {"model": nnx.state(net), "opt": nnx.state(optimizer)})
            self.assertEqual(json_of("info", root / "nnx")["step"], int(optimizer.step.value))
            roles = {row["name"]: row["role"] for row in json_of("ls", root / "nnx")["tensors"]}
            self.assertEqual({name for name, role in roles.items() if role == "weight"},
                             {"model.linear.kernel.value", "model.linear.bias.value"})
            self.assertEqual({name for name, role in roles.items() if role == "rng"},
                             {"model.dropout.rngs.key.value", "model.dropout.rngs.count.value"})
            jax_checkpoints.save(root / "keys", {"a": jax.random.key(1), "b": jax.random.split(jax.random.key(1), 3),
                                                 "c": jax.numpy.ones(2, "uint32")})
            self.assertEqual([row["role"] for row in json_of("ls", root / "keys")["tensors"]], ["rng", "rng", "weight"])
            with ocp.CheckpointManager(root / "run") as manager:
                manager.save(1, args=ocp.args.Composite(state=ocp.args.NumpyRandomKeySave(numpy.random.get_state()),
                                                        jax=ocp.args.JaxRandomKeySave(jax.random.key(0))))
                manager.wait_until_finished()
            self.assertEqual({row["role"] for row in json_of("ls", root / "run" / "1")["tensors"]}, {"rng"})

    def test_consolidate(self):
        for name in ("tree", "sharded", "chunked_zarr3", "sharded_folders", "manager/100", "flax_files/chunked.msgpack"):
            with self.subTest(name=name), tempfile.TemporaryDirectory() as folder:
                out = pathlib.Path(folder) / "out.pt"
                answer = run("consolidate", self.root / name, "-o", out, "--to", "torch", "--only", "all", "--json")
                self.assertEqual(answer.code, 0, answer.said())
                self.assertTrue(answer.json["verified"])
                self.assertEqual(json_of("hash", out)["fingerprint"], json_of("hash", self.root / name)["fingerprint"])

    def test_unfinished(self):
        with tempfile.TemporaryDirectory() as folder:
            copy = pathlib.Path(folder) / "run"
            subprocess.run(["cp", "-r", self.root / "manager", copy], check=True)
            (copy / "200").rename(copy / "200.orbax-checkpoint-tmp-17")
            self.assertEqual(json_of("info", copy)["step"], 100)
            states = {row["path"].rsplit("/", 1)[-1]: row["state"]
                      for one in json_of("runs", copy)["runs"] for row in one["checkpoints"]}
            self.assertNotEqual(states["200.orbax-checkpoint-tmp-17"], "complete")
            manifest = copy / "100" / "state" / "manifest.ocdbt"
            manifest.unlink()
            info = json_of("info", copy / "100")
            self.assertEqual(info["complete"], "incomplete")
            self.assertIn("being-written", [row["code"] for row in info["notices"]])


if __name__ == "__main__":
    print(json.dumps({str(path): rows for path, rows in JaxTest().checkpoints()}, indent=1))
