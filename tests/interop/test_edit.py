# SPDX-License-Identifier: Apache-2.0
"""Headers edited in place: the safetensors library reads the same tensors (by digest) under the new names; also on
ext4 and XFS (loop images; needs root and mkfs), on tmpfs, and with the program killed at its system calls.

CAIRN_EDIT_MIB sets the size of the file (48).
"""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import signal
import subprocess
import tempfile
import time
import unittest
from pathlib import Path

import torch
from safetensors import safe_open
from safetensors.torch import save_file, save_model

from support import CLI, run, temporary

MIB = int(os.environ.get("CAIRN_EDIT_MIB", "48"))
KINDS = {"ext4": ["mkfs.ext4", "-q", "-F"], "ext4 of small blocks": ["mkfs.ext4", "-q", "-F", "-b", "1024"],
         "xfs": ["mkfs.xfs", "-q", "-m", "reflink=1"]}
LONG = "a.much.longer.beginning.of.all.names.than.before."


def digests(path: Path) -> dict[str, tuple]:
    with safe_open(path, "pt") as file:
        found = {}
        for name in file.keys():
            tensor = file.get_tensor(name)
            data = tensor.contiguous().view(torch.uint8).numpy() if tensor.dim() else tensor.reshape(1).view(torch.uint8).numpy()
            found[name] = (str(tensor.dtype), tuple(tensor.shape), hashlib.sha256(data.tobytes()).hexdigest())
        return found


def metadata(path: Path) -> dict[str, str]:
    with safe_open(path, "pt") as file:
        return file.metadata()


def write(path: Path) -> None:
    generator = torch.Generator().manual_seed(3)
    state = {f"module.layers.{i}.weight": torch.randint(-2**15, 2**15, (512, 1024), dtype=torch.int16, generator=generator).view(torch.bfloat16)
             for i in range(MIB)}
    state |= {"module.norm.weight": torch.rand(130, generator=generator), "module.step": torch.tensor(7),
              "module.empty": torch.zeros(0, 4), "module.é\"x\\": torch.rand(3, generator=generator).to(torch.float8_e5m2)}
    save_file(state, path, {"format": "pt", "note": "before"})
    os.sync()


def mount(case: unittest.TestCase, kind: str) -> Path:
    if os.geteuid() != 0:
        raise unittest.SkipTest("mounting needs root")
    scratch = temporary()
    case.addCleanup(scratch.cleanup)
    folder = Path(scratch.name)
    image, place = folder / "image", folder / "mounted"
    place.mkdir()
    with open(image, "wb") as file:
        file.truncate(max(512, 3 * MIB + 256) << 20)
    subprocess.run([*KINDS[kind], str(image)], check=True, capture_output=True)
    done = subprocess.run(["mount", "-o", "loop", str(image), str(place)], capture_output=True, text=True)
    if done.returncode != 0:
        raise unittest.SkipTest(f"cannot mount a loop image here: {done.stderr.strip()}")
    case.addCleanup(lambda: subprocess.run(["umount", str(place)], check=True))
    return place


class Edit(unittest.TestCase):
    def edited(self, path: Path, *options: str, method: str) -> dict:
        before = path.stat()
        dry = run("edit", path, *options, "--json")
        self.assertEqual(dry.code, 0, dry.said())
        self.assertEqual((dry.json["applied"], dry.json["method"]), (False, method))
        after = path.stat()
        self.assertEqual((before.st_mtime_ns, before.st_ctime_ns), (after.st_mtime_ns, after.st_ctime_ns), "a dry run changed the file")
        done = run("edit", path, *options, "--apply", "--json")
        self.assertEqual(done.code, 0, done.said())
        self.assertTrue(done.json["verified"])
        self.assertEqual(path.stat().st_ino, before.st_ino)
        self.assertEqual(path.stat().st_size, before.st_size + done.json["inserted_bytes"])
        self.assertEqual([each for each in os.listdir(path.parent) if "cairn-edit" in each], [])
        return done.json

    def everything(self, folder: Path, inserts: bool) -> None:
        path = folder / "m.safetensors"
        write(path)
        was = digests(path)
        report = self.edited(path, "--rename", "strip-wrappers", "--set", "by=Zoë", "--unset", "note", method="in-room")
        self.assertEqual({each["from"]: each["to"] for each in report["renamed"]}, {name: name.removeprefix("module.") for name in was})
        now = {name.removeprefix("module."): what for name, what in was.items()}
        self.assertEqual(digests(path), now)
        self.assertEqual(metadata(path), {"format": "pt", "by": "Zoë"})
        if not inserts:
            before = path.read_bytes()
            dry = run("edit", path, "--set", "text=" + "y" * 10_000, "--json")
            self.assertEqual((dry.code, dry.json["method"]), (0, "not-in-place"))
            refused = run("edit", path, "--set", "text=" + "y" * 10_000, "--apply", "--json")
            self.assertEqual((refused.code, refused.json["error"]["code"]), (5, "not-in-place"))
            self.assertIn("rename SRC -o OUT", refused.json["error"]["hint"])
            self.assertEqual(path.read_bytes(), before)
            return
        report = self.edited(path, "--rename", f"layers.={LONG}", "--set", "text=" + "y" * 10_000, method="insert")
        self.assertEqual(report["inserted_bytes"] % 4096, 0)
        now = {name.replace("layers.", LONG): what for name, what in now.items()}
        self.assertEqual(digests(path), now)
        self.assertEqual(metadata(path), {"format": "pt", "by": "Zoë", "text": "y" * 10_000})
        report = self.edited(path, "--rename", f"{LONG}=layers.", "--unset", "text", method="in-room")
        self.assertEqual(run("check", path, "--quick", "--json").json["findings"], [])

    def test_on_ext4(self) -> None:
        self.everything(mount(self, "ext4"), True)

    def test_on_ext4_of_small_blocks(self) -> None:
        self.everything(mount(self, "ext4 of small blocks"), True)

    def test_on_xfs(self) -> None:
        self.everything(mount(self, "xfs"), True)

    def test_on_tmpfs(self) -> None:
        with tempfile.TemporaryDirectory(dir="/dev/shm") as name:
            self.everything(Path(name), False)

    def test_shared_blocks_of_a_copy_stay_what_they_were(self) -> None:
        place = mount(self, "xfs")
        path, copy = place / "m.safetensors", place / "copy.safetensors"
        write(path)
        subprocess.run(["cp", "--reflink=always", str(path), str(copy)], check=True)
        whole = hashlib.sha256(copy.read_bytes()).hexdigest()
        was = digests(path)
        self.edited(path, "--rename", f"module.={LONG}", method="insert")
        self.assertEqual(digests(path), {LONG + name.removeprefix("module."): what for name, what in was.items()})
        self.assertEqual(hashlib.sha256(copy.read_bytes()).hexdigest(), whole)

    def test_tied_weights_keep_their_tie(self) -> None:
        model = torch.nn.Module()
        model.a = torch.nn.Linear(4, 4, bias=False)
        model.b = torch.nn.Linear(4, 4, bias=False)
        model.b.weight = model.a.weight
        with tempfile.TemporaryDirectory(dir="/dev/shm") as name:
            path = Path(name) / "m.safetensors"
            save_model(model, path, {"room": "r" * 100})
            self.edited(path, "--rename", "a.=x.;b.=y.", "--unset", "room", method="in-room")
            listed = {each["name"]: each.get("alias_of") for each in run("ls", path, "--json").json["tensors"]}
            self.assertEqual(sorted(listed), ["x.weight", "y.weight"])
            self.assertEqual(sum(each is not None for each in listed.values()), 1)

    def kills(self, folder: Path, options: list[str]) -> None:
        """strace kills the program at its n-th call that writes; the file is complete afterwards, or can be repaired."""
        path = folder / "m.safetensors"
        write(path)
        old = path.read_bytes()
        (folder / "was").write_bytes(old)
        states = {}
        for call in ("pwrite64", "fallocate", "fdatasync", "fsync", "renameat2", "unlinkat", "openat"):
            for n in range(1, 40):
                shutil.copyfile(folder / "was", path)
                os.sync()
                done = subprocess.run(["strace", "-f", "-qq", "-o", "/dev/null", "-e", f"trace={call}", "-e", f"inject={call}:signal=KILL:when={n}",
                                       CLI, "edit", str(path), *options, "--apply", "-q"], capture_output=True)
                marked = (folder / f".{path.name}.cairn-edit").exists()
                if marked:
                    listed = run("ls", path, "--json")
                    if listed.code == 0:
                        self.assertIn("edit-interrupted", {each["code"] for each in listed.json["notices"]})
                    else:
                        self.assertEqual((listed.code, listed.json["error"]["code"]), (3, "edit-interrupted"))
                        self.assertIn("--recover", listed.json["error"]["hint"])
                    self.assertNotEqual(run("check", path, "--json").code, 0)
                recovered = run("edit", path, "--recover", "--json")
                self.assertEqual(recovered.code, 0, recovered.said())
                now = path.read_bytes()
                if now != old:
                    states.setdefault("new", now)
                    self.assertEqual(now, states["new"], f"{call} {n}: neither the old nor the new file")
                self.assertEqual([each for each in os.listdir(folder) if each.startswith(".m")], [])
                if done.returncode == 0:
                    break
                states[call] = n
        self.assertIn("new", states)
        self.assertGreater(states.get("pwrite64", 0), 2)

    def test_killed_in_its_own_room(self) -> None:
        with tempfile.TemporaryDirectory(dir="/dev/shm") as name:
            self.kills(Path(name), ["--rename", "strip-wrappers"])

    def test_killed_while_inserting(self) -> None:
        self.kills(mount(self, "xfs"), ["--rename", f"module.={LONG}"])


if __name__ == "__main__":
    unittest.main()
