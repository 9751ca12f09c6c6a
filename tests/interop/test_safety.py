# SPDX-License-Identifier: Apache-2.0
"""`scan`: a hostile pickle is reported, a plain one is inert, and no verb ever runs code."""

from __future__ import annotations

import os
import pickle
import shutil
import unittest
import zipfile
from pathlib import Path

import torch

from support import Case, case, per_case, run, temporary

INERT = ("torch_zip_state_dict", "torch_zip_dtypes", "torch_zip_views", "torch_zip_nested", "torch_legacy_views",
         "torch_zip_protocol_4", "torch_zip_numpy", "torch_legacy_protocol_2", "torch_zip_optimizers")


class Payload:
    """Creates a file when unpickled."""

    def __init__(self, function, *arguments) -> None:
        self.call = (function, arguments)

    def __reduce__(self):
        return self.call


def hostile_files(folder: Path, canary: Path) -> dict[str, Path]:
    command = f"touch {canary}"
    attacks = {
        "system": Payload(os.system, command), "eval": Payload(eval, f"open({str(canary)!r}, 'w')"),
        "exec": Payload(exec, f"open({str(canary)!r}, 'w')"), "popen": Payload(__import__("subprocess").Popen, ["touch", str(canary)]),
        "copy": Payload(shutil.copy, "/etc/hostname", str(canary)),
    }
    made = {}
    for name, attack in attacks.items():
        state = {"weight": torch.ones(2), "config": attack}
        made[f"zip_{name}"] = folder / f"{name}.pt"
        torch.save(state, made[f"zip_{name}"])
        made[f"legacy_{name}"] = folder / f"{name}.pth"
        torch.save(state, made[f"legacy_{name}"], _use_new_zipfile_serialization=False)
    by_hand = b"cposix\nsystem\n(V" + command.encode() + b"\ntR."
    made["bare_pickle"] = folder / "by_hand.pkl"
    made["bare_pickle"].write_bytes(by_hand)
    made["by_hand_in_zip"] = folder / "by_hand.pt"
    with zipfile.ZipFile(made["by_hand_in_zip"], "w") as archive:
        archive.writestr("archive/data.pkl", by_hand)
        archive.writestr("archive/version", "3\n")
    made["dcp_bytes_item"] = hostile_dcp(folder / "dcp", attacks["system"])
    made["dcp_metadata"] = folder / "dcp_metadata"
    shutil.copytree(case("dcp_overwritten").path, made["dcp_metadata"])
    (made["dcp_metadata"] / ".metadata").write_bytes(by_hand)
    return made


def hostile_dcp(folder: Path, attack: Payload) -> Path:
    import torch.distributed.checkpoint as dcp

    dcp.save({"weight": torch.ones(2), "item": attack}, checkpoint_id=str(folder), no_dist=True)
    return folder


class Scan(unittest.TestCase):
    def test_hostile_files_are_named_and_never_run(self) -> None:
        with temporary() as folder:
            canary = Path(folder) / "canary"
            files = hostile_files(Path(folder), canary)
            self.assertFalse(canary.exists(), "the test itself ran the payload")
            for name, path in files.items():
                with self.subTest(name):
                    answer = run("scan", path, "--json")
                    self.assertEqual(answer.json["verdict"], "would-run-code", answer.said())
                    self.assertTrue(answer.json["reasons"])
                    for verb in ("ls", "info", "hash", "check", "tree"):
                        self.assertIn(run(verb, path, "--json").code, (0, 1, 3, 5), verb)
                    run("consolidate", path, "-o", Path(folder) / f"{name}.out", "--to", "torch", "--only", "all", "--json")
                    self.assertFalse(canary.exists(), "something was run")

    def test_consolidated_hostile_file_is_harmless(self) -> None:
        with temporary() as folder:
            canary = Path(folder) / "canary"
            source = Path(folder) / "hostile.pt"
            torch.save({"weight": torch.ones(2), "config": Payload(os.system, f"touch {canary}")}, source)
            out = Path(folder) / "out.pt"
            answer = run("consolidate", source, "-o", out, "--to", "torch", "--only", "all", "--json")
            if answer.code == 0:
                torch.load(out, weights_only=True)
                torch.load(out, weights_only=False)
            else:
                self.assertEqual((answer.code, out.exists()), (5, False), answer.said())
            self.assertFalse(canary.exists())

    def test_plain_files_are_inert(self) -> None:
        for name in INERT:
            with self.subTest(name):
                answer = run("scan", case(name).path, "--json")
                self.assertEqual(answer.json["verdict"], "inert", answer.said())

    def test_unknown_classes_are_named(self) -> None:
        answer = run("scan", case("torch_zip_unknown_classes").path, "--json")
        named = {(entry["module"], entry["name"]) for entry in answer.json["globals"]}
        self.assertIn(("argparse", "Namespace"), named)
        self.assertIn(("torch_objects", "RunNotes"), named)

    def test_a_pickle_cut_short_is_malformed(self) -> None:
        with temporary() as folder:
            path = Path(folder) / "cut.pkl"
            path.write_bytes(pickle.dumps({"a": list(range(100))})[:-20])
            self.assertIn(run("scan", path, "--json").json["verdict"], ("malformed", "ambiguous"))


@per_case(lambda one: one.path.suffix != ".safetensors")
class Verdicts(unittest.TestCase):
    def each_verdict(self, one: Case) -> None:
        answer = run("scan", one.path, "--json")
        self.assertIn(answer.code, (0, 1), answer.said())
        expected = one.oracle.get("scan")
        self.assertIn(answer.json["verdict"], (expected,) if expected else ("inert", "unknown-class"), answer.json.get("reasons"))


if __name__ == "__main__":
    unittest.main()
