# SPDX-License-Identifier: Apache-2.0
"""`consolidate --to orbax|flax` and `convert --for orbax|flax`, restored by Orbax and Flax: the state of JAX that they saved, bit by bit, and
the losses of the next steps.

Needs an environment with requirements-jax.txt: run with its Python, otherwise everything is skipped.
"""
import itertools
import json
import pathlib
import tempfile
import unittest
from typing import Any

try:
    import jax_checkpoints as made

    import flax
    import jax
    import jax.numpy as jnp
    import numpy as np
    import optax
    import orbax.checkpoint as ocp
    from flax import serialization
    from flax.training import train_state
except ImportError:
    made = None
from support import run


def optimizers(layers: type = list) -> dict[str, Any]:
    """Chains, masks, groups, wrappers and optimizers without moments."""
    mask = {"dense": {"kernel": True, "bias": False}, "layers": [True, False], "out": {"w": True}}
    labels = {"dense": {"kernel": "a", "bias": "b"}, "layers": ["a", "b"], "out": {"w": "frozen"}}
    if layers is dict:
        for tree in (mask, labels):
            tree["layers"] = {str(number): each for number, each in enumerate(tree["layers"])}
    return {
        "adamw": optax.adamw(1e-2), "sgd": optax.sgd(0.1), "momentum": optax.sgd(0.1, momentum=0.9, nesterov=True),
        "clipped": optax.chain(optax.clip_by_global_norm(1.0), optax.adam(optax.cosine_decay_schedule(1e-2, 100))),
        "masked": optax.chain(optax.masked(optax.adam(1e-2), mask), optax.add_decayed_weights(1e-3)),
        "groups": optax.multi_transform({"a": optax.adam(1e-2), "b": optax.sgd(0.1), "frozen": optax.set_to_zero()}, labels),
        "accumulated": optax.MultiSteps(optax.adam(1e-2), every_k_schedule=2), "lion": optax.lion(1e-3),
        "adafactor": optax.adafactor(1e-2, min_dim_size_to_factor=4), "injected": optax.inject_hyperparams(optax.adam)(learning_rate=1e-2),
        "bf16": optax.adam(1e-2, mu_dtype=jnp.bfloat16), "finite": optax.apply_if_finite(optax.adam(1e-2), 3),
        "ema": optax.chain(optax.adam(1e-2), optax.ema(0.9)), "lamb": optax.lamb(1e-2), "rmsprop": optax.rmsprop(1e-2, momentum=0.9),
    }


class Training:
    """A small model with a list of layers, or a dict with the keys 0, 1; in the form of flax's TrainState or of a dict."""

    def __init__(self, name: str, steps: int = 4, dtype: Any = None, seed: int = 0, layers: type = list) -> None:
        keys = jax.random.split(jax.random.key(seed), 4)
        params = {"dense": {"kernel": jax.random.normal(keys[0], (6, 8)), "bias": jnp.zeros(8)},
                  "layers": [jax.random.normal(keys[1], (8, 8)), jax.random.normal(keys[2], (8, 8))],
                  "out": {"w": jax.random.normal(keys[3], (8, 2))}}
        if dtype:
            params = jax.tree.map(lambda leaf: leaf.astype(dtype), params)
        if layers is dict:
            params["layers"] = {str(number): layer for number, layer in enumerate(params["layers"])}
        self.fresh = train_state.TrainState.create(apply_fn=self.apply, params=params, tx=optimizers(layers)[name])
        self.state, _ = self.train(self.fresh, steps)

    @staticmethod
    def apply(params: Any, inputs: Any) -> Any:
        hidden = jnp.tanh(inputs @ params["dense"]["kernel"] + params["dense"]["bias"])
        layers = params["layers"]
        for layer in layers.values() if isinstance(layers, dict) else layers:
            hidden = jnp.tanh(hidden @ layer)
        return hidden @ params["out"]["w"]

    def train(self, state: Any, steps: int) -> tuple[Any, list[float]]:
        losses = []
        for _ in range(steps):
            number = int(state.step)
            inputs = jax.random.normal(jax.random.key(100 + number), (16, 6))
            loss, gradients = jax.value_and_grad(lambda params: jnp.mean((self.apply(params, inputs) - 1.0) ** 2))(state.params)
            state = state.apply_gradients(grads=gradients)
            losses.append(float(loss))
        return state, losses


def plain(state: Any) -> dict[str, Any]:
    return {"step": state.step, "params": state.params, "opt_state": state.opt_state}


def same(one: Any, other: Any) -> bool:
    left, right = jax.tree.flatten(one), jax.tree.flatten(other)
    return left[1] == right[1] and all(equal(a, b) for a, b in zip(left[0], right[0], strict=True))


def equal(a: Any, b: Any) -> bool:
    a, b = np.asarray(a), np.asarray(b)
    return a.shape == b.shape and a.dtype == b.dtype and a.tobytes() == b.tobytes()


def save_orbax(path: pathlib.Path, tree: Any, **options: Any) -> None:
    ocp.Checkpointer(ocp.PyTreeCheckpointHandler(**options)).save(path, args=ocp.args.PyTreeSave(tree))


def restore_step(folder: pathlib.Path, target: Any, item: str = "default") -> Any:
    """By a CheckpointManager, the newest step."""
    with ocp.CheckpointManager(folder) as manager:
        if item == "default":
            return manager.restore(manager.latest_step(), args=ocp.args.StandardRestore(target))
        return manager.restore(manager.latest_step(), args=ocp.args.Composite(**{item: ocp.args.StandardRestore(target)}))[item]


def as_arrays(tree: Any) -> Any:
    """Numbers of Python as the arrays that Orbax saves them as."""
    return jax.tree.map(lambda leaf: leaf if hasattr(leaf, "dtype") else np.asarray(leaf), tree)


@unittest.skipIf(made is None, "no JAX here: requirements-jax.txt")
class ResumeJax(unittest.TestCase):
    maxDiff = None

    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def convert(self, source: Any, target: str, output: pathlib.Path, *options: str) -> Any:
        answer = run("convert", source, "--for", target, "-o", output, "--json", *options)
        self.assertEqual(answer.code, 0, answer.said())
        return answer.json

    def sources(self, training: Training) -> dict[str, pathlib.Path]:
        """The state as every writer of the frameworks saves it."""
        state = training.state
        ocdbt, folders, zarr3 = (self.folder / name for name in ("ocdbt", "folders", "zarr3"))
        save_orbax(ocdbt, plain(state))
        save_orbax(folders, plain(state), use_ocdbt=False)
        save_orbax(zarr3, plain(state), use_zarr3=True)
        with ocp.CheckpointManager(self.folder / "manager") as manager:
            manager.save(int(state.step), args=ocp.args.StandardSave(plain(state)))
        with ocp.CheckpointManager(self.folder / "items") as manager:
            manager.save(int(state.step), args=ocp.args.Composite(
                params=ocp.args.StandardSave(state.params), opt_state=ocp.args.StandardSave(state.opt_state),
                config=ocp.args.JsonSave({"lr": 0.1})))
        file = self.folder / f"checkpoint_{int(state.step)}"
        file.write_bytes(serialization.to_bytes(state))
        step = str(int(state.step))
        return {"ocdbt": ocdbt, "folders": folders, "zarr3": zarr3, "manager": self.folder / "manager" / step,
                "items": self.folder / "items" / step, "flax": file}

    def test_states_of_optax(self) -> None:
        """Each optimizer from Orbax to Flax, back, and on: the same state, and the same losses."""
        for name in optimizers():
            with self.subTest(optimizer=name):
                case = self.folder / name
                case.mkdir()
                training = Training(name)
                _, losses = training.train(training.state, 4)
                (case / "source.msgpack").write_bytes(serialization.to_bytes(training.state))
                save_orbax(case / "source", plain(training.state))
                for source in ("source.msgpack", "source"):
                    output = case / f"from-{source}" / "4"
                    answer = self.convert(case / source, "orbax", output)
                    if source.endswith(".msgpack"):  # Flax does not record that `layers` is a list
                        self.assertEqual([loss["what"] for loss in answer["training_state"]["lost"]], ["whether these are lists: params.layers"])
                        numbered = Training(name, layers=dict)
                        found = restore_step(output.parent, jax.tree.map(jnp.zeros_like, plain(numbered.fresh)))
                        self.assertTrue(same(as_arrays(found), as_arrays({**plain(numbered.state), "step": jnp.asarray(numbered.state.step)})))
                        refused = run("convert", case / source, "--for", "orbax", "-o", case / "no" / "4", "--require", "resumable")
                        self.assertEqual(refused.code, 1, refused.said())
                        continue
                    self.assertEqual(answer["training_state"]["lost"], [], source)
                    target = jax.tree.map(jnp.zeros_like, plain(training.fresh))
                    found = restore_step(output.parent, target)
                    self.assertTrue(same(as_arrays(found), as_arrays({**plain(training.state), "step": jnp.asarray(training.state.step)})), source)
                    file = case / f"{source}-again.msgpack"
                    self.convert(output, "flax", file, "--require", "resumable")
                    state = serialization.from_bytes(training.fresh, file.read_bytes())
                    self.assertTrue(same(as_arrays(state), as_arrays(training.state)), source)
                    state = jax.tree.map(jnp.asarray, state)  # NumPy computes with bfloat16 differently
                    self.assertEqual(training.train(state, 4)[1], losses, source)
                    resumed = training.fresh.replace(step=int(found["step"]), params=found["params"], opt_state=found["opt_state"])
                    self.assertEqual(training.train(resumed, 4)[1], losses, source)

    def test_every_writer(self) -> None:
        training = Training("masked")
        for name, source in self.sources(training).items():
            for target in ("orbax", "flax"):
                with self.subTest(source=name, target=target):
                    output = self.folder / f"out-{name}-{target}" / ("4" if target == "orbax" else "checkpoint_4")
                    answer = self.convert(source, target, output)["training_state"]
                    self.assertEqual((answer["parameters"], answer["with_moments"], answer["step"]), (5, 3, 4))
                    fresh = plain(training.fresh)
                    if name == "items":
                        del fresh["step"]
                    if target == "flax":
                        found = serialization.from_bytes(fresh, output.read_bytes())
                    elif name == "items":
                        found = {item: restore_step(output.parent, jax.tree.map(jnp.zeros_like, fresh[item]), item)
                                 for item in ("params", "opt_state")}
                        self.assertEqual(json.loads((output / "config" / "metadata").read_text()), {"lr": 0.1})
                    elif name == "flax":
                        numbered = Training("masked", layers=dict)
                        found = restore_step(output.parent, jax.tree.map(jnp.zeros_like, plain(numbered.fresh)))
                        self.assertTrue(same(as_arrays(found["opt_state"]), as_arrays(numbered.state.opt_state)))
                        continue
                    else:
                        found = restore_step(output.parent, jax.tree.map(jnp.zeros_like, fresh))
                    wanted = {key: value for key, value in plain(training.state).items() if key in fresh}
                    self.assertTrue(same(jax.tree.map(np.asarray, found["opt_state"]), jax.tree.map(np.asarray, wanted["opt_state"])))
                    self.assertTrue(same(jax.tree.map(np.asarray, found["params"]), jax.tree.map(np.asarray, wanted["params"])))

    def test_bytes_of_flax(self) -> None:
        """From Flax to Flax the file is the same, byte by byte; from Orbax it is the file that Flax writes of the restored tree."""
        limit = serialization.MAX_CHUNK_SIZE
        for name in ("adamw", "groups", "adafactor"):
            training = Training(name)
            source = self.folder / f"{name}.msgpack"
            source.write_bytes(serialization.to_bytes(training.state))
            self.convert(source, "flax", self.folder / f"{name}-out.msgpack")
            self.assertEqual((self.folder / f"{name}-out.msgpack").read_bytes(), source.read_bytes())
        self.assertEqual(serialization.MAX_CHUNK_SIZE, limit)
        tree = {key: value for key, value in made.odd().items() if key not in ("tuple", "list", "nothing")}
        source = self.folder / "odd.msgpack"
        source.write_bytes(serialization.to_bytes({**tree, "big": 2**63 + 5, "low": -(2**63), "complex": 1 - 2j, "blob": b"\x00\xff",
                                                   "deep": {str(level): {"x": level} for level in range(40)}, "long": "ä" * 300}))
        answer = run("consolidate", source, "--to", "flax", "--only", "all", "-o", self.folder / "odd-out.msgpack", "--json")
        self.assertEqual(answer.code, 0, answer.said())
        self.assertEqual((self.folder / "odd-out.msgpack").read_bytes(), source.read_bytes())

    def test_every_leaf(self) -> None:
        """Every dtype, 0-d, empty, nested, named oddly: restored by Orbax and Flax without any option."""
        tree = {**made.odd(), "none": np.float32(1), "em/pty": np.zeros((0, 3), np.float32), "a.b": {"c": np.arange(3)}, "text": np.uint8(7),
                "ü ß": np.ones((2, 1), np.float16), "quo'te\"": np.arange(2), "x": {"10": np.ones(1), "9": np.zeros(1)}}
        arrays = {key: value for key, value in tree.items() if key not in ("number", "real", "flag", "empty", "nothing")}
        source = self.folder / "source.msgpack"
        source.write_bytes(serialization.to_bytes(arrays))
        wanted = serialization.msgpack_restore(source.read_bytes())
        for form in ("orbax", "flax"):
            output = self.folder / form
            answer = run("consolidate", source, "--to", form, "--only", "*", "-o", output, "--json")
            self.assertEqual(answer.code, 0, answer.said())
            found = (ocp.StandardCheckpointer().restore(output) if form == "orbax" else serialization.msgpack_restore(output.read_bytes()))
            found = dict(made_leaves(found))
            self.assertEqual(set(found), set(dict(made_leaves(wanted))))
            for name, leaf in made_leaves(wanted):
                self.assertTrue(equal(found[name], leaf), (form, name))
            again = run("hash", output, "--json").json["fingerprint"]
            self.assertEqual(again, run("hash", source, "--json").json["fingerprint"])

    def test_weights_of_other_formats(self) -> None:
        """Names with dots become nested dicts, and are read as the same names."""
        from support import ROOT
        source = ROOT / "tests" / "data" / "orbax" / "step_100"
        weights = {row["name"] for row in run("ls", source, "--json").json["tensors"] if row["role"] == "weight"}
        hashes = {row["name"]: row["sha256"] for row in run("hash", source, "--json").json["tensors"] if row["name"] in weights}
        for form in ("orbax", "flax"):
            output = self.folder / form
            answer = run("consolidate", source, "--to", form, "-o", output, "--json")
            self.assertEqual(answer.code, 0, answer.said())
            self.assertEqual({row["name"]: row["sha256"] for row in run("hash", output, "--json").json["tensors"]}, hashes)
            found = (ocp.StandardCheckpointer().restore(output) if form == "orbax" else serialization.msgpack_restore(output.read_bytes()))
            self.assertEqual(set(dict(made_leaves(found))), set(hashes))

    def test_items_of_a_step(self) -> None:
        """Trees, arrays and JSON keep their items; random keys of a handler are named."""
        training = Training("adamw")
        with ocp.CheckpointManager(self.folder / "run") as manager:
            manager.save(4, args=ocp.args.Composite(
                state=ocp.args.StandardSave(plain(training.state)), array=ocp.args.ArraySave(np.arange(12.0).reshape(3, 4)),
                config=ocp.args.JsonSave({"lr": 1e-3, "list": [1, {"none": None}]}), key=ocp.args.JaxRandomKeySave(jax.random.key(3)),
                more=ocp.args.PyTreeSave({"text": "x", "ema": {"w": jnp.ones(3)}})))
        answer = self.convert(self.folder / "run" / "4", "orbax", self.folder / "out" / "4", "--require", "resumable")
        self.assertEqual([loss["what"] for loss in answer["training_state"]["lost"]], ["the item key"])
        with ocp.CheckpointManager(self.folder / "out") as manager:
            found = manager.restore(4, args=ocp.args.Composite(
                state=ocp.args.StandardRestore(jax.tree.map(jnp.zeros_like, plain(training.fresh))), array=ocp.args.ArrayRestore(),
                config=ocp.args.JsonRestore(), more=ocp.args.PyTreeRestore()))
        self.assertTrue(same(found["state"]["opt_state"], training.state.opt_state))
        self.assertTrue(equal(found["array"], np.arange(12.0).reshape(3, 4)))
        self.assertEqual(found["config"], {"lr": 1e-3, "list": [1, {"none": None}]})
        self.assertEqual(found["more"]["text"], "x")
        answer = run("convert", self.folder / "run" / "4", "--for", "flax", "-o", self.folder / "no", "--require", "resumable")
        self.assertEqual(answer.code, 1)

    def test_chains_and_numbered_modules(self) -> None:
        """Chains of more than ten, whose keys Flax sorts as text, and modules named by numbers."""
        params = {str(number): {"kernel": jnp.ones((2, 3)) * number} for number in range(12)}
        tx = optax.chain(*[optax.scale(1.0) for _ in range(10)], optax.adam(1e-2))
        state = train_state.TrainState.create(apply_fn=None, params={"encoder": params}, tx=tx)
        state = state.apply_gradients(grads=state.params)
        source = self.folder / "checkpoint_1"
        source.write_bytes(serialization.to_bytes(state))
        lost = self.convert(source, "orbax", self.folder / "out" / "1")["training_state"]["lost"]
        self.assertEqual([loss["what"] for loss in lost], ["whether these are lists: params.encoder"])
        found = restore_step(self.folder / "out", jax.tree.map(jnp.zeros_like, plain(state)))
        self.assertTrue(same(as_arrays(found), as_arrays({**plain(state), "step": jnp.asarray(state.step)})))

    def test_trees_without_arrays_and_metrics(self) -> None:
        """A tree of texts stays one; a metric that is not a number is written as Python writes it."""
        training = Training("adamw")
        with ocp.CheckpointManager(self.folder / "run", options=ocp.CheckpointManagerOptions(best_fn=lambda found: found["loss"])) as manager:
            manager.save(4, args=ocp.args.Composite(state=ocp.args.StandardSave(plain(training.state)), names=ocp.args.PyTreeSave({"name": "x"})),
                         metrics={"loss": float("nan"), "best": float("-inf")})
        self.convert(self.folder / "run" / "4", "orbax", self.folder / "out" / "4", "--require", "resumable")
        with ocp.CheckpointManager(self.folder / "out") as manager:
            self.assertEqual(manager.restore(4, args=ocp.args.Composite(names=ocp.args.PyTreeRestore()))["names"], {"name": "x"})
        metrics = json.loads((self.folder / "out" / "4" / "metrics" / "metrics").read_text())
        self.assertTrue(np.isnan(metrics["loss"]))
        self.assertEqual(metrics["best"], float("-inf"))

    def test_names_with_slashes(self) -> None:
        """Of Haiku, Keras and TensorFlow."""
        from support import ROOT
        source = self.folder / "haiku.msgpack"
        source.write_bytes(serialization.msgpack_serialize({"resnet/~/block_group_0/~/block_0/~/conv": {"w": np.ones((2, 3), np.float32)}}))
        for each in (source, ROOT / "tests/data/keras/dense.weights.h5", ROOT / "tests/data/tensorflow/manager"):
            output = self.folder / f"out-{each.name}"
            answer = run("consolidate", each, "--to", "orbax", "-o", output, "--json")
            self.assertEqual(answer.code, 0, answer.said())
            self.assertEqual(len(dict(made_leaves(ocp.StandardCheckpointer().restore(output)))), len(run("ls", output, "--json").json["tensors"]))

    def test_chunks(self) -> None:
        """Arrays above Flax's limit are chunked, as Flax chunks them."""
        array = np.arange((2**28 + 5) * 3 // 3, dtype=np.float32)
        source = self.folder / "big.npy"
        np.save(source, array.reshape(1, -1))
        output = self.folder / "big.msgpack"
        answer = run("consolidate", source, "--to", "flax", "--only", "all", "-o", output, "--json")
        self.assertEqual(answer.code, 0, answer.said())
        found, = dict(made_leaves(serialization.msgpack_restore(output.read_bytes()))).values()
        self.assertTrue(equal(found, array.reshape(1, -1)))
        rows = np.arange(3 * 2**26 + 3, dtype=np.float32).reshape(3, -1)
        np.save(source, rows)
        folder = self.folder / "big"
        answer = run("consolidate", source, "--to", "orbax", "--only", "all", "-o", folder, "--json")
        self.assertEqual(answer.code, 0, answer.said())
        found, = dict(made_leaves(ocp.StandardCheckpointer().restore(folder))).values()
        self.assertTrue(equal(found, rows))

    def test_refused_and_named(self) -> None:
        training = Training("adamw")
        state = serialization.to_state_dict(training.state)

        def write(name: str, tree: Any) -> pathlib.Path:
            path = self.folder / name
            path.write_bytes(serialization.msgpack_serialize(tree))
            return path

        def codes(path: pathlib.Path, *options: str) -> tuple[int, Any]:
            answer = run("convert", path, "--for", "orbax", "-o", self.folder / "refused" / "4", "--json", *options)
            return answer.code, answer.json

        moments = state["opt_state"]["0"]
        less = {**moments, "mu": {key: value for key, value in moments["mu"].items() if key != "out"},
                "nu": {key: value for key, value in moments["nu"].items() if key != "out"}}
        half = write("half.msgpack", {**state, "opt_state": {**state["opt_state"], "0": less}})
        code, answer = codes(half, "--require", "resumable")
        self.assertNotEqual(code, 0)
        self.assertIn("params.out.w", json.dumps(answer))
        wrong = {**moments, "mu": {**moments["mu"], "out": {"w": np.zeros((3, 3), np.float32)}}}
        code, answer = codes(write("wrong.msgpack", {**state, "opt_state": {**state["opt_state"], "0": wrong}}))
        self.assertEqual((code, answer["error"]["code"]), (1, "state-without-parameter"))
        code, answer = codes(write("weights.msgpack", {"params": state["params"]}))
        self.assertIn("no state of an optimizer", answer["error"]["message"])
        code, answer = codes(write("moments.msgpack", {"opt_state": state["opt_state"]}))
        self.assertIn("no weights", answer["error"]["message"])
        self.assertFalse((self.folder / "refused").exists())
        answer = run("convert", half, "--for", "torch", "-o", self.folder / "no.pt", "--json")
        self.assertNotEqual(answer.code, 0)
        self.assertIn("--for orbax", answer.json["error"]["hint"])
        for name in ("..", "a/../b", "back\\slash", "d", "_METADATA", "n" * 300):
            with self.subTest(name=name):
                source = write("names.msgpack", {name: np.ones(2, np.float32), "other": np.ones(1, np.float32)})
                answer = run("consolidate", source, "--to", "orbax", "-o", self.folder / "names", "--json", "--only", "*")
                self.assertNotEqual(answer.code, 0)
                self.assertIn("name-not-representable", answer.text)
                self.assertFalse((self.folder / "names").exists())


def made_leaves(tree: Any, name: str = "") -> Any:
    items = tree.items() if isinstance(tree, dict) else enumerate(tree) if isinstance(tree, (list, tuple)) else None
    if items is None:
        yield name, tree
        return
    yield from itertools.chain.from_iterable(made_leaves(value, f"{name}.{key}" if name else str(key)) for key, value in items)


if __name__ == "__main__":
    unittest.main()
