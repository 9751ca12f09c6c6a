#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Signatures, provenance and the bill of materials, on models of the sample and signatures of the reference (tests/data/signing)."""

from __future__ import annotations

import base64
import hashlib
import json
import os
import shutil
import sys
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "support"))
from driver import ROOT, SAMPLE, CliTest, ask, run

DATA = ROOT / "tests/data/signing"


def statement(signature: Path) -> dict:
    return json.loads(base64.b64decode(json.loads(signature.read_text())["dsseEnvelope"]["payload"]))


def checkpoint() -> Path:
    """Some checkpoint of the sample."""
    runs = ask("runs", SAMPLE)["runs"]
    return Path(next(one["path"] for found in runs for one in found["checkpoints"] if one["format"] == "dcp"))


class Signatures(CliTest):
    def setUp(self):
        super().setUp()
        self.model = self.folder / "model"
        shutil.copytree(DATA / "model", self.model)

    def verify(self, *more, signature="p256.sig", code=0):
        arguments = more or ("--public-key", DATA / "p256.pub")
        return self.call("verify", self.model, "--signature", DATA / signature, *arguments, code=code)

    def mismatch(self, *more, **named) -> tuple[str, str]:
        found = self.verify(*more, code=1, **named)
        self.assertFalse(found["verified"])
        self.assertEqual(len(found["mismatches"]), 1, found)
        return found["mismatches"][0]["what"], found["mismatches"][0]["name"]

    def test_signatures_of_the_reference_are_verified(self):
        for name in ("p256", "p384", "p521"):
            self.assertTrue(self.verify("--public-key", DATA / f"{name}.pub", signature=f"{name}.sig")["verified"])
        self.assertTrue(self.verify(signature="shards.sig")["verified"])
        self.assertTrue(self.verify("--public-key", DATA / "p384.pub", signature="early.sig")["verified"])
        self.assertTrue(self.verify("--cert", DATA / "root.pem", signature="chain.sig")["verified"])
        self.assertTrue(self.call("verify", self.model / "a.txt", "--signature", DATA / "file.sig", "--public-key", DATA / "p256.pub")["verified"])

    def test_every_change_of_the_model_is_named(self):
        for signature in ("p256.sig", "shards.sig"):
            with self.subTest(signature):
                big = self.model / "sub/b.bin"
                good = big.read_bytes()
                for bad in (b"x" + good[1:], good[:-1], good + b"\0", b""):
                    big.write_bytes(bad)
                    self.assertEqual(self.mismatch(signature=signature), ("file", "sub/b.bin"))
                big.unlink()
                self.assertEqual(self.mismatch(signature=signature), ("missing", "sub/b.bin"))
                big.symlink_to(self.model / "a.txt")
                self.assertEqual(self.mismatch(signature=signature), ("link", "sub/b.bin"))
                big.unlink()
                big.write_bytes(good)
                extra = self.model / "sub/.extra"
                extra.write_bytes(b"more")
                self.assertEqual(self.mismatch(signature=signature), ("extra", "sub/.extra"))
                self.assertTrue(self.verify("--public-key", DATA / "p256.pub", "--ignore-unsigned", signature=signature)["verified"])
                self.assertTrue(self.verify("--public-key", DATA / "p256.pub", "--ignore", extra, signature=signature)["verified"])
                extra.unlink()
        (self.model / ".gitignore").write_bytes(b"changed")
        self.assertTrue(self.verify()["verified"])

    def test_signatures_of_others_are_refused_with_one_sentence(self):
        self.assertEqual(self.mismatch("--public-key", DATA / "other.pub")[0], "signature")
        self.assertEqual(self.mismatch("--cert", DATA / "root.pem")[0], "signature")
        for chain in ("chain-expired", "chain-future", "chain-usage", "chain-none"):
            self.assertEqual(self.mismatch("--cert", DATA / "root.pem", signature=f"{chain}.sig")[0], "certificate")
        self.assertEqual(self.mismatch("--cert", DATA / "other-root.pem", signature="chain.sig")[0], "certificate")
        self.assertTrue(self.verify("--cert", DATA / "root.pem", "--at-issue-date", signature="chain-expired.sig")["verified"])
        for key, code in (("rsa.pub", 2), ("k256.pub", 2), ("p256.pem", 2), ("root.pem", 2), ("none.pub", 3)):
            self.assertTrue(self.verify("--public-key", DATA / key, code=code)["error"]["message"], key)
        for signature, code in (("model/a.txt", 3), ("model/empty", 3), ("root.pem", 3)):
            self.assertEqual(self.verify(signature=signature, code=code)["error"]["code"], "bad-signature")
        self.verify("--public-key", DATA / "p256.pub", "--cert", DATA / "root.pem", code=2)
        self.call("verify", self.model, "--cert", DATA / "root.pem", code=2)

    def test_sign_and_verify(self):
        for arguments, method, trust in (
                (("--key", DATA / "p384.pem"), "key", ("--public-key", DATA / "p384.pub")),
                (("--key", DATA / "p256.pem", "--cert", DATA / "chain.pem"), "certificate", ("--cert", DATA / "root.pem"))):
            done = self.call("sign", self.model, *arguments)
            self.assertEqual((done["signed"], done["method"], done["files"]), (True, method, 6))
            signature = self.model / "model.sig"
            names = [one["name"] for one in statement(signature)["predicate"]["resources"]]
            self.assertEqual(names, [one["name"] for one in statement(DATA / "p256.sig")["predicate"]["resources"]])
            self.assertTrue(self.call("verify", self.model, "--signature", signature, *trust)["verified"])
            self.call("sign", self.model, *arguments, code=4)
            shutil.move(self.model, self.folder / "renamed")  # its name is informative
            self.assertTrue(self.call("verify", self.folder / "renamed", "--signature", self.folder / "renamed/model.sig", *trust)["verified"])
            shutil.move(self.folder / "renamed", self.model)
            signature.unlink()

    def test_what_cannot_be_signed(self):
        before = sorted(self.folder.rglob("*"))
        for key, code in (("rsa.pem", 2), ("p256.pub", 2), ("locked.pem", 2), ("none.pem", 3)):
            self.assertTrue(self.call("sign", self.model, "--key", DATA / key, code=code)["error"]["message"])
        for chain in ("chain-expired", "chain-usage", "other-root"):
            self.call("sign", self.model, "--key", DATA / "p256.pem", "--cert", DATA / f"{chain}.pem", code=1)
        self.call("sign", self.model, "--key", DATA / "p256.pem", "--ignore", self.model, "-o", self.folder / "x.sig")
        (self.folder / "x.sig").unlink()
        empty = self.folder / "empty"
        (empty / ".git").mkdir(parents=True)
        (empty / ".git/HEAD").write_text("x")
        self.call("sign", empty, "--key", DATA / "p256.pem", code=3)
        shutil.rmtree(empty)
        (self.model / "link").symlink_to("a.txt")
        self.call("sign", self.model, "--key", DATA / "p256.pem", code=3)
        followed = self.call("sign", self.model, "--key", DATA / "p256.pem", "--follow-links")
        self.assertEqual(followed["files"], 7)
        self.assertTrue(self.call("verify", self.model, "--signature", self.model / "model.sig", "--public-key", DATA / "p256.pub")["verified"])
        (self.model / "link").unlink()
        (self.model / "link").symlink_to("/etc/passwd")  # outside: never followed
        self.assertEqual(self.call("verify", self.model, "--signature", self.model / "model.sig", "--public-key", DATA / "p256.pub",
                             code=1)["mismatches"][0]["what"], "link")
        (self.model / "model.sig").unlink()
        self.call("sign", self.model, "--key", DATA / "p256.pem", "--follow-links", code=3)
        (self.model / "link").unlink()
        os.mkfifo(self.model / "pipe")
        self.call("sign", self.model, "--key", DATA / "p256.pem", code=3)
        (self.model / "pipe").unlink()
        self.assertEqual(sorted(self.folder.rglob("*")), before)


class Outputs(CliTest):
    """What a job writes about its output."""

    @classmethod
    def setUpClass(cls):
        cls.source = checkpoint()

    def consolidate(self, output: Path, *more, code: int = 0) -> dict:
        return self.call("consolidate", self.source, "-o", output, *more, code=code)

    def test_a_job_signs_its_output_last(self):
        out = self.folder / "out"
        done = self.consolidate(out, "--bundle", "--provenance", "--bom", "--sign", DATA / "p521.pem")
        self.assertEqual(done["signature"], str(out / "model.sig"))
        found = self.call("verify", out, "--signature", out / "model.sig", "--public-key", DATA / "p521.pub")
        self.assertEqual(sorted(found["compared"]), sorted(str(path.relative_to(out)) for path in out.rglob("*") if path.name != "model.sig"))
        manifest = json.loads((out / "MANIFEST.json").read_text())
        self.assertNotIn("model.sig", [one["path"] for one in manifest["output"]["files"]])
        self.assertTrue(self.call("verify", out)["verified"])
        (out / "README.md").write_text("changed")
        changed = self.call("verify", out, "--signature", out / "model.sig", "--public-key", DATA / "p521.pub", code=1)
        self.assertEqual([one["name"] for one in changed["mismatches"]], ["README.md"])

    def test_a_single_file_is_signed_beside_it(self):
        out = self.folder / "model.safetensors"
        done = self.consolidate(out, "--sign", DATA / "p256.pem", "--sign-cert", DATA / "chain.pem")
        self.assertEqual(done["signature"], f"{out}.sig")
        self.assertTrue(self.call("verify", out, "--signature", done["signature"], "--cert", DATA / "root.pem")["verified"])
        out.unlink(), Path(f"{out}.cairn.json").unlink()
        self.consolidate(out, "--sign", DATA / "p256.pem", code=4)  # the signature is never replaced
        self.assertEqual([path.name for path in self.folder.iterdir()], [f"{out.name}.sig"])

    def test_an_unsuitable_key_stops_the_job_before_it_writes(self):
        for key, chain in (("rsa.pem", None), ("p256.pub", None), ("p256.pem", "chain-expired.pem"), ("p256.pem", "other-root.pem")):
            more = ["--sign", DATA / key] + (["--sign-cert", DATA / chain] if chain else [])
            answer = run("consolidate", self.source, "-o", self.folder / "out", *more)
            self.assertIn(answer.code, (1, 2), answer.said())
            answer = run("plan", "consolidate", self.source, "-o", self.folder / "out", *more)
            self.assertIn(answer.code, (1, 2), answer.said())
        self.consolidate(self.folder / "out", "--sign-cert", DATA / "chain.pem", code=2)
        self.assertEqual(list(self.folder.iterdir()), [])

    def test_the_digests_of_a_trusted_manifest_are_signed_without_reading(self):
        out = self.folder / "out"
        self.consolidate(out, "--bundle")
        done = self.call("sign", out, "--key", DATA / "p256.pem", "-o", self.folder / "one.sig", "--trust-manifest")
        self.assertEqual(done["hashed_bytes"], (out / "MANIFEST.json").stat().st_size)
        self.assertTrue(self.call("verify", out, "--signature", self.folder / "one.sig", "--public-key", DATA / "p256.pub")["verified"])
        os.utime(out / "config.json") if (out / "config.json").exists() else os.utime(out / "README.md")
        more = self.call("sign", out, "--key", DATA / "p256.pem", "-o", self.folder / "two.sig", "--trust-manifest")
        self.assertGreater(more["hashed_bytes"], done["hashed_bytes"])
        all_ = self.call("sign", out, "--key", DATA / "p256.pem", "-o", self.folder / "three.sig")
        self.assertEqual(all_["hashed_bytes"], sum(path.stat().st_size for path in out.rglob("*")))

    def test_a_signed_manifest_has_the_sha256_of_every_tensor(self):
        tensors = {}
        for name, more in (("signed", ("--sign", DATA / "p256.pem")), ("plain", ())):
            self.consolidate(self.folder / name, "--bundle", *more)
            tensors[name] = json.loads((self.folder / name / "MANIFEST.json").read_text())["output"]["tensors"]
            self.assertTrue(self.call("verify", self.folder / name)["verified"])
        hashes = {one["name"]: one["sha256"] for one in self.call("hash", self.folder / "signed")["tensors"]}
        self.assertEqual({one["name"]: one["sha256"] for one in tensors["signed"]}, hashes)
        self.assertEqual({one["name"]: len(one["xxh3_128"]) for one in tensors["plain"]}, dict.fromkeys(hashes, 32))
        self.assertFalse(any("sha256" in one for one in tensors["plain"]) or any("xxh3_128" in one for one in tensors["signed"]))

    def test_a_forged_manifest_does_not_get_its_digests_signed(self):
        out = self.folder / "out"
        self.consolidate(out, "--bundle")
        path = out / "MANIFEST.json"
        manifest = json.loads(path.read_text())
        for one in manifest["output"]["files"]:
            one["sha256"] = hashlib.sha256(b"other weights").hexdigest()
        path.write_text(json.dumps(manifest))
        done = self.call("sign", out, "--key", DATA / "p256.pem")
        for one in done["signed_files"]:
            self.assertEqual(hashlib.sha256((out / one["path"]).read_bytes()).hexdigest(), one["sha256"])

    def test_provenance_names_every_source_file(self):
        out = self.folder / "out"
        self.consolidate(out, "--bundle", "--provenance")
        document = json.loads((out / "provenance.json").read_text())
        self.assertEqual((document["_type"], document["predicateType"]),
                         ("https://in-toto.io/Statement/v1", "https://slsa.dev/provenance/v1"))
        subjects = {one["name"]: one["digest"]["sha256"] for one in document["subject"]}
        for name, digest in subjects.items():
            self.assertEqual(hashlib.sha256((out / name).read_bytes()).hexdigest(), digest)
        self.assertEqual(set(subjects), {path.name for path in out.iterdir()} - {"MANIFEST.json", "provenance.json"})
        predicate = document["predicate"]
        self.assertTrue(predicate["buildDefinition"]["buildType"] and predicate["runDetails"]["builder"]["id"])
        self.assertIn("externalParameters", predicate["buildDefinition"])
        materials = {Path(one["name"]).name: one["digest"]["sha256"] for one in predicate["buildDefinition"]["resolvedDependencies"]}
        expected = {path.name: hashlib.sha256(path.read_bytes()).hexdigest() for path in self.source.iterdir() if path.name in materials}
        self.assertEqual(materials, expected)
        self.assertIn(".metadata", materials)
        manifest = json.loads((out / "MANIFEST.json").read_text())
        self.assertEqual({Path(one["path"]).name: one["sha256"] for one in manifest["source"]["files"]}, materials)

    def test_nothing_that_is_published_names_the_place_of_the_source(self):
        secret = self.folder / "secret-user"
        secret.mkdir()
        source = secret / "step-7"
        shutil.copytree(self.source, source)
        out = self.folder / "public" / "out"
        self.call("consolidate", source, "-o", out, "--bundle", "--provenance", "--bom", "--sign", DATA / "p256.pem")
        self.call("average", source, source, "-o", self.folder / "public" / "mean.safetensors")
        for path in (self.folder / "public").rglob("*"):
            if path.is_file():
                self.assertNotIn(b"secret-user", path.read_bytes(), path)
                self.assertNotIn(str(self.folder).encode(), path.read_bytes(), path)
        self.assertEqual(json.loads((out / "MANIFEST.json").read_text())["source"]["path"], "step-7")
        self.assertTrue(self.call("verify", source, out)["verified"])

    def test_the_bill_of_materials_has_what_the_schema_requires(self):
        base = self.folder / "step"
        shutil.copytree(self.source, base)
        (base / "README.md").write_text("---\nlicense: apache-2.0\nbase_model:\n- owner/base\n- /home/somebody/model\n---\n# Card\n")
        out = self.folder / "out"
        self.call("consolidate", base, "-o", out, "--bundle", "--bom")
        bom = json.loads((out / "bom.cdx.json").read_text())
        self.assertEqual((bom["bomFormat"], bom["specVersion"], bom["version"]), ("CycloneDX", "1.6", 1))
        self.assertRegex(bom["serialNumber"], "^urn:uuid:[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$")
        model = bom["metadata"]["component"]
        self.assertEqual((model["type"], model["name"]), ("machine-learning-model", "out"))
        self.assertEqual(model["licenses"], [{"license": {"id": "Apache-2.0"}}])
        self.assertEqual([one["name"] for one in model["pedigree"]["ancestors"]], ["owner/base"])
        references = [one["bom-ref"] for one in model["components"]]
        self.assertEqual(len(references), len(set(references)))
        for part in model["components"]:
            self.assertEqual(part["type"], "file")
            self.assertEqual(part["hashes"], [{"alg": "SHA-256", "content": hashlib.sha256((out / part["name"]).read_bytes()).hexdigest()}])

    def test_the_written_card_carries_licence_and_base_model(self):
        base = self.folder / "step"
        shutil.copytree(self.source, base)
        config = json.loads((base / "config.json").read_text()) if (base / "config.json").exists() else {"model_type": "llama"}
        (base / "config.json").write_text(json.dumps(config | {"_name_or_path": "owner/base"}))
        (base / "README.md").unlink(missing_ok=True)
        self.call("consolidate", base, "-o", self.folder / "out", "--bundle")
        card = (self.folder / "out/README.md").read_text()
        self.assertTrue(card.startswith("---\nbase_model:\n- owner/base\n---\n"), card[:200])


if __name__ == "__main__":
    unittest.main()
