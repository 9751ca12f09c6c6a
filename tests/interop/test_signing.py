# SPDX-License-Identifier: Apache-2.0
"""Signatures against the reference implementation of OpenSSF Model Signing: it verifies ours, and we verify its own.

Skipped without its environment (requirements-signing.txt). CAIRN_SIGNING_PYTHON names its Python."""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
import unittest
from pathlib import Path

from support import ROOT, SAMPLE, ask, run

DATA = ROOT / "tests/data/signing"
PYTHON = Path(os.environ.get("CAIRN_SIGNING_PYTHON", ROOT / "build/venv-signing/bin/python"))


def reference(*arguments: object) -> bool:
    done = subprocess.run([PYTHON, "-m", "model_signing", *map(str, arguments)], capture_output=True, timeout=120)
    return done.returncode == 0


@unittest.skipUnless(PYTHON.exists(), f"no reference implementation of signatures: {PYTHON}")
class Reference(unittest.TestCase):
    def setUp(self):
        holder = tempfile.TemporaryDirectory()
        self.addCleanup(holder.cleanup)
        self.folder = Path(holder.name).resolve()
        self.model = self.folder / "model"
        shutil.copytree(DATA / "model", self.model)

    def agree(self, signature: Path, kind: str, expected: bool, model: Path | None = None) -> None:
        """The same verdict by both."""
        trust = {"key": ("--public_key", DATA / "p256.pub"), "certificate": ("--certificate_chain", DATA / "root.pem")}[kind]
        ours = ("--public-key", DATA / "p256.pub") if kind == "key" else ("--cert", DATA / "root.pem")
        self.assertEqual(reference("verify", kind, model or self.model, "--signature", signature, *trust), expected)
        self.assertEqual(run("verify", model or self.model, "--signature", signature, *ours).code == 0, expected)

    def test_the_reference_verifies_what_we_sign(self):
        signature = self.folder / "one.sig"
        ask("sign", self.model, "--key", DATA / "p256.pem", "-o", signature)
        self.agree(signature, "key", True)
        (self.model / "sub.txt").write_bytes(b"changed")
        self.agree(signature, "key", False)
        ask("sign", self.model, "--key", DATA / "p256.pem", "--cert", DATA / "chain.pem")
        self.agree(self.model / "model.sig", "certificate", True)
        (self.model / "extra").write_bytes(b"more")
        self.agree(self.model / "model.sig", "certificate", False)
        ask("sign", self.model / "a.txt", "--key", DATA / "p256.pem")
        self.agree(self.model / "a.txt.sig", "key", True, self.model / "a.txt")

    def test_we_verify_what_the_reference_signs(self):
        signature = self.model / "model.sig"
        self.assertTrue(reference("sign", "key", self.model, "--signature", signature, "--private_key", DATA / "p256.pem"))
        self.agree(signature, "key", True)
        (self.model / ".hidden").unlink()
        self.agree(signature, "key", False)

    def test_the_stored_signatures_are_the_reference_s(self):
        self.agree(DATA / "p256.sig", "key", True)
        # Its command line does not verify early signatures, its library does; neither reads its own shards (the size is a float).
        script = (f"from model_signing import verifying; verifying.Config().use_elliptic_key_verifier("
                  f"public_key={str(DATA / 'p384.pub')!r}).verify({str(self.model)!r}, {str(DATA / 'early.sig')!r})")
        subprocess.run([PYTHON, "-c", script], check=True, capture_output=True, timeout=120)
        for name, expected in (("chain", True), ("chain-code", True), ("chain-usage", False), ("chain-none", False)):
            self.agree(DATA / f"{name}.sig", "certificate", expected)

    def test_the_reference_verifies_the_output_of_a_job(self):
        runs = ask("runs", SAMPLE)["runs"]
        source = next(one["path"] for found in runs for one in found["checkpoints"] if one["format"] == "dcp")
        for name, more in (("bundle", ["--bundle", "--provenance", "--bom"]), ("model.safetensors", [])):
            out = self.folder / name
            done = ask("consolidate", source, "-o", out, "--sign", DATA / "p256.pem", *more)
            self.agree(Path(done["signature"]), "key", True, out)


if __name__ == "__main__":
    unittest.main()
