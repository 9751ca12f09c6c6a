# SPDX-License-Identifier: Apache-2.0
"""cairn.open(): the mapping, facts, parts of checkpoints, values."""

import gc
import os
import pickle
import unittest
import weakref

from support import DATA, SAMPLE, FolderTest, ask, safetensors

import cairn

STEP = SAMPLE / "tiny-llama-a/step-400"


class Opened(FolderTest):
    def test_is_a_mapping_of_names(self):
        c = cairn.open(STEP)
        listed = ask("ls", STEP)
        self.assertEqual(c.keys(), [row["name"] for row in listed["tensors"]])
        self.assertEqual(list(c), c.keys())
        self.assertEqual(len(c), len(listed["tensors"]))
        for row in listed["tensors"]:
            t = c[row["name"]]
            self.assertEqual((t.name, t.dtype, list(t.shape), t.nbytes, t.role), (row["name"], row["dtype"], row["shape"], row["bytes"], row["role"]))
        self.assertIn(c.keys()[0], c)
        self.assertNotIn("nothing", c)
        self.assertNotIn(7, c)
        self.assertIsNone(c.get("nothing"))
        self.assertEqual(c.get("nothing", 5), 5)
        self.assertEqual(c.get(c.keys()[0]).name, c.keys()[0])
        names = c.keys()
        names.clear()
        self.assertEqual(len(c.keys()), len(c))

    def test_has_the_facts_of_the_command_line(self):
        c = cairn.open(str(STEP))
        info = ask("info", STEP)
        self.assertEqual((c.format, c.framework, c.state, c.step), (info["format"], info.get("framework"), info["complete"], info["step"]))
        self.assertEqual([file["path"] for file in c.files], [file["path"] for file in info["files"]])
        self.assertEqual(c.path, str(STEP))
        self.assertIn("dcp", repr(c))

    def test_pieces_are_those_of_placement(self):
        c = cairn.open(STEP)
        for row in ask("placement", STEP)["tensors"][:20]:
            found = [(p.file, p.offset, p.length, list(p.origin), list(p.extent), p.codec) for p in c[row["name"]].pieces]
            files = [(p["offset"], p["length"], p["box"]["origin"], p["box"]["extent"], p["codec"]) for p in row["pieces"]]
            self.assertEqual([each[1:] for each in found], [(a, b, c, d, e) for a, b, c, d, e in files])

    def test_incomplete_checkpoints_open_with_notices(self):
        c = cairn.open(SAMPLE / "tiny-llama-a/step-300")
        info = ask("info", SAMPLE / "tiny-llama-a/step-300")
        self.assertEqual(c.state, "incomplete")
        self.assertTrue(c.why)
        self.assertEqual(
            [(n.code, n.severity, n.message, n.where.file, n.where.offset, n.where.tensor, n.found, n.expected, n.hint) for n in c.notices],
            [
                (n["code"], n["severity"], n["message"], n["where"]["file"], n["where"]["offset"], n["where"]["tensor"], n["found"], n["expected"], n["hint"])
                for n in info["notices"]
            ],
        )
        self.assertTrue(str(c.notices[0]).startswith(c.notices[0].severity))

    def test_a_part_of_a_checkpoint(self):
        whole = cairn.open(SAMPLE / "tiny-llama-b/checkpoint_epoch_1.pt")
        prefix = whole.keys()[0].split(".")[0]
        part = cairn.open(f"{whole.path}#{prefix}")
        self.assertEqual(part.keys(), [name for name in whole if name == prefix or name.startswith(prefix + ".")])
        self.assertLess(len(part), len(whole))
        outside = next(name for name in whole if name not in part.keys())
        self.assertNotIn(outside, part)
        self.assertEqual(part.location, f"{whole.path}#{prefix}")
        self.assertEqual(cairn.open(part).keys(), part.keys())

    def test_the_folder_of_a_run_opens_its_newest(self):
        c = cairn.open(SAMPLE / "tiny-llama-a")
        self.assertEqual(c.path, str(STEP))
        self.assertTrue(c.notices)

    def test_tensors_outlive_the_checkpoint(self):
        t = cairn.open(STEP)["lm_head.weight"]
        gc.collect()
        array = t.numpy()
        again = t[:1].numpy()
        del t
        gc.collect()
        self.assertTrue((array[:1] == again).all())
        array[0, 0] = 1  # the array's own memory

    def test_nothing_is_kept_after_the_last_reference(self):
        c = cairn.open(STEP)
        alive = weakref.ref(c)
        c["lm_head.weight"][0].numpy()
        before = len(os.listdir("/proc/self/fd"))
        del c
        gc.collect()
        self.assertIsNone(alive())
        self.assertLessEqual(len(os.listdir("/proc/self/fd")), before)

    def test_pickling_opens_again(self):
        c = pickle.loads(pickle.dumps(cairn.open(STEP)))
        self.assertEqual(c.path, str(STEP))
        t = pickle.loads(pickle.dumps(c["lm_head.weight"][2:4, ::2]))
        self.assertEqual(t.numpy().tobytes(), c["lm_head.weight"].numpy()[2:4, ::2].tobytes())

    def test_values_keep_pythons_types(self):
        import collections

        import torch

        path = self.folder / "state.pt"
        deep = []
        for _ in range(300):
            deep = [deep]
        shared = {"a": 1}
        state = {
            "epoch": 3,
            "lr": 1e-3,
            "big": 2**100,
            "text": "é",
            "raw": b"\x00\xff",
            "pair": (1, None, True),
            "names": {"x"},
            "ordered": collections.OrderedDict(b=1),
            3: {"nan": float("nan"), "inf": float("inf")},
            "scalar": torch.tensor(7),
            "flag": torch.tensor(True),
            "weight": torch.ones(3),
            "only_tensors": {"w": torch.ones(2)},
            "list": [torch.ones(2), 5],
            "deep": deep,
            "one": shared,
            "two": shared,
        }
        torch.save(state, path)
        values = cairn.open(path).values
        self.assertEqual(values["epoch"], 3)
        self.assertEqual(values["big"], 2**100)
        self.assertEqual(values["text"], "é")
        self.assertEqual(values["raw"], b"\x00\xff")
        self.assertEqual(values["pair"], (1, None, True))
        self.assertEqual(values["names"], ["x"])
        self.assertEqual(values["ordered"], {"b": 1})
        self.assertNotEqual(values[3]["nan"], values[3]["nan"])
        self.assertEqual(values[3]["inf"], float("inf"))
        self.assertEqual(values["scalar"], 7)
        self.assertIs(values["flag"], True)
        self.assertNotIn("weight", values)
        self.assertNotIn("only_tensors", values)
        self.assertEqual(values["list"], [{"$tensor": "list.0"}, 5])
        self.assertIs(values["one"], values["two"])
        for _ in range(300):
            (values["deep"],) = values["deep"] if values["deep"] else ([],)

    def test_unusual_paths(self):
        self.addCleanup(os.chdir, os.getcwd())
        for name in ("-t.safetensors", "with space.safetensors", "é.safetensors", "a;b=c.safetensors"):
            path = safetensors(self.folder / name, {"t": ("U8", [2], b"\1\2")})
            os.chdir(self.folder)
            self.assertEqual(cairn.open(name)["t"].tobytes(), b"\1\2")
            self.assertEqual(cairn.hash(name)["tensors"], cairn.hash(path)["tensors"])
        encoded = os.fsencode(self.folder) + b"/\xff.safetensors"
        with open(encoded, "wb") as file:
            file.write((self.folder / "é.safetensors").read_bytes())
        self.assertEqual(cairn.open(os.fsdecode(encoded))["t"].shape, (2,))

    def test_hdf5_needs_the_program_beside_the_module(self):
        path = next((DATA / "keras").glob("*.h5"))
        c = cairn.open(path)
        self.assertGreater(len(c), 0)


if __name__ == "__main__":
    unittest.main()
