#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Drives `cairn-cli plan --json` and `job`: documents, parts, interrupted jobs. Only the standard library.

    CAIRN_CLI=build/dev/bin/cairn-cli python3 tests/cli/test_jobs.py
"""

from __future__ import annotations

import array
import json
import os
import resource
import signal
import struct
import subprocess
import sys
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "support"))
from driver import CLI, ROOT, SAMPLE, CliTest, become_nobody, program_for_nobody, run
from made_files import safetensors_bytes

MIB = 1 << 20


def sparse(path: Path, tensors: int, size: int, matrices: bool = False) -> Path:
    """A file of `tensors` float32 tensors of `size` bytes each, a sparse file of zeros."""
    shape = [size // 4096, 1024] if matrices else [size // 4]
    header = {f"layer.{i}.weight" if matrices else f"layer.{i}": {"dtype": "F32", "shape": shape, "data_offsets": [i * size, (i + 1) * size]}
              for i in range(tensors)}
    with path.open("wb") as file:
        written = file.write(safetensors_bytes(header))
        file.truncate(written + tensors * size)
    return path


class Jobs(CliTest):
    def setUp(self) -> None:
        super().setUp()
        self.out = self.folder / "out"
        self.out.mkdir()
        self.source = sparse(self.folder / "model.safetensors", 12, 20 * MIB)

    def plan(self, *arguments: object) -> Path:
        path = self.folder / "plan.json"
        path.write_text(json.dumps(self.call("plan", *arguments)))
        return path

    def kill_midway(self, *arguments: object) -> None:
        """Kills a job with SIGKILL once its journal records a finished piece; retries if the job finished first."""
        output = self.out / "m.safetensors"
        for _ in range(10):
            process = subprocess.Popen([CLI, *map(str, arguments), "-q"], env=self.environment, cwd=self.folder,
                                   stdout=subprocess.DEVNULL)
            while process.poll() is None:
                journals = list(self.out.glob(".*.journal*"))
                try:
                    if journals and journals[0].read_bytes().count(b"\n") >= 3:
                        break
                except FileNotFoundError:
                    pass
            process.send_signal(signal.SIGKILL)
            process.wait()
            if not output.exists():
                return
            for path in self.out.glob("m.safetensors*"):
                path.unlink()
        self.fail("ten times the job was over before it could be killed")

    def peak(self, *arguments: object) -> int:
        """Peak resident memory of the program in bytes: allocations, code and mapped files."""
        process = subprocess.Popen([CLI, *map(str, arguments), "-q"], env=self.environment, cwd=self.folder,
                                   stdout=subprocess.DEVNULL)
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        self.assertEqual(process.returncode, 0)
        return usage.ru_maxrss * 1024

    @unittest.skipIf(os.environ.get("CAIRN_SANITIZED"), "the sanitizers' own memory would be counted")
    def test_memory_is_forecast(self) -> None:
        self.peak("reshard", "model.safetensors", "-o", "out/columns", "--to", "dcp", "--ranks", "4", "--dim", "0")
        for job in (["consolidate", "model.safetensors", "-o", "out/m.pt", "--to", "torch"],
                    ["cast", "model.safetensors", "-o", "out/m.safetensors", "--dtype", "bf16"],
                    ["consolidate", "out/columns", "-o", "out/whole.safetensors"]):
            forecast = self.call("plan", *job)["memory_bytes"]
            peak = self.peak(*job)
            self.assertLess(peak, 1.1 * forecast + 20 * MIB, job)  # 18 MiB are the program's own code and the mapped source
            self.assertGreater(peak, 0.8 * forecast, job)

    def weights(self, rows: int, columns: int) -> Path:
        """Float32 numbers of every size, in one matrix and a norm."""
        path = self.folder / "weights.safetensors"
        count = rows * columns
        data = array.array("f", ((i * 7919 % 2003 - 1001) * 2.0 ** (i // 4096 % 24 - 20) for i in range(count))).tobytes()
        header = {"layer.0.w.weight": {"dtype": "F32", "shape": [rows, columns], "data_offsets": [0, 4 * count]},
                  "norm.weight": {"dtype": "F32", "shape": [8], "data_offsets": [4 * count, 4 * count + 32]}}
        path.write_bytes(safetensors_bytes(header) + data + struct.pack("<8f", *range(8)))
        return path

    def test_an_error_is_forecast(self) -> None:
        source = self.weights(64, 256)
        errors = {}
        for dtype in ("q8_0", "q4_0", "q4_k", "fp8", "fp8_block", "fp8_tensor", "int8"):
            plan = self.call("plan", "consolidate", source, "-o", self.out / "none", "--dtype", dtype, "--names", "keep")
            precision = plan["precision"]
            self.assertEqual((precision["dtype"], len(precision["tensors"])), (dtype, 1))
            tensor = precision["tensors"][0]
            self.assertEqual((tensor["name"], tensor["rows_sampled"], tensor["source_bytes"]), ("layer.0.w.weight", 64, 65536))
            self.assertLess(tensor["bytes"], 65536 // 3)
            self.assertLess(0, tensor["rmse"])
            self.assertLess(tensor["rmse"], tensor["worst_row"]["rmse"])
            self.assertLess(0.9, tensor["cosine"])
            self.assertIn("norm.weight", [name for kept in precision["kept"] for name in kept["tensors"]])
            self.assertEqual(plan["runnable"], precision["writable"])
            errors[dtype] = tensor["rmse"]
        self.assertLess(errors["q8_0"], errors["q4_k"])
        self.assertLess(errors["q4_k"], errors["q4_0"])
        self.assertEqual(list(self.out.iterdir()), [])

    def test_a_job_is_the_same_in_every_folder(self) -> None:
        """A killed job is resumed by complete paths; its digest must be that of the relative ones."""
        source = self.weights(8, 256)
        for job in (["consolidate", source, "--dtype", "fp8"], ["consolidate", source, "--dtype", "q8_0", "--names", "keep"]):
            relative = [part.name if part == source else part for part in job]
            digests = {self.call("plan", *job, "-o", self.out / "m", cwd=Path("/"))["digest"],
                       self.call("plan", *relative, "-o", "out/m", cwd=self.folder)["digest"]}
            self.assertEqual(len(digests), 1, job)

    def test_quantised_in_parts(self) -> None:
        """Written by two processes in any order, a job gives the bytes that it gives alone."""
        source = self.weights(3000, 512)
        for dtype, name in (("q4_0", "m.gguf"), ("fp8_block", "m.safetensors")):
            job = ["consolidate", source, "--dtype", dtype, "--names", "keep", "-o"]
            self.call(*job, self.out / ("whole-" + name))
            plan = self.plan(*job, self.out / name)
            for part in ("2/2", "1/2"):
                done = self.call("job", "run", plan, "--part", part)
            self.assertTrue(done["verified"] and done["published"])
            self.assertEqual((self.out / name).read_bytes(), (self.out / ("whole-" + name)).read_bytes())

    @unittest.skipIf(os.environ.get("CAIRN_SANITIZED"), "the sanitizers' own memory would be counted")
    def test_memory_of_quantising(self) -> None:
        source = sparse(self.folder / "matrices.safetensors", 12, 20 * MIB, matrices=True)
        for dtype, name in (("q8_0", "m.gguf"), ("fp8", "m.safetensors")):
            job = ["consolidate", source, "-o", self.out / name, "--dtype", dtype, "--names", "keep"]
            self.assertLess(self.peak(*job), 1.1 * self.call("plan", *job[:2], "-o", self.out / "x", *job[4:])["memory_bytes"] + 20 * MIB)

    def test_a_plan_runs_elsewhere(self) -> None:
        plan = self.plan("consolidate", "model.safetensors", "-o", "out/m.pt", "--to", "torch")
        done = self.call("job", "run", plan, cwd=Path("/"))
        self.assertEqual(done["output"], str(self.out / "m.pt"))
        self.assertTrue(done["verified"] and done["published"])
        self.assertTrue(self.call("verify", self.source, self.out / "m.pt")["verified"])

    def test_the_plan_of_an_average_runs_elsewhere(self) -> None:
        for name in ("one", "two"):
            (self.folder / name).mkdir()
            with sparse(self.folder / name / "model.safetensors", 2, MIB).open("r+b") as file:
                file.seek(-4, 2)
                file.write(b"\0\0\x80\x3f")  # 1: a mean of zeros only is not published
        plan = self.plan("average", "one/", "./two/", "-o", "out/mean/", "--bundle")
        self.assertTrue(self.call("job", "run", plan, cwd=Path("/"))["verified"])
        card = (self.out / "mean" / "README.md").read_text()
        self.assertIn("# mean\n\nMade with Cairn", card)
        self.assertIn("from two, a checkpoint", card)
        self.assertNotIn(str(self.folder), card)

    def test_tensorflow_is_compared(self) -> None:
        """Strings, the object graph, and an average whose index has the sums of what was written."""
        copy, renamed, mean = self.out / "copy", self.out / "renamed", self.out / "mean"
        manager, run_folder = ROOT / "tests/data/tensorflow/manager", SAMPLE / "tiny-gru-tf"
        strings = [row["name"] for row in self.call("ls", manager)["tensors"] if row["dtype"] == "string"]
        self.assertTrue(strings)
        self.call("consolidate", manager, "-o", copy, "--only", "all", "--to", "tensorflow")
        compared = self.call("verify", manager, copy)
        self.assertTrue(compared["verified"], compared)
        one, other = run_folder / "ckpt-180.index", run_folder / "ckpt-240.index"
        self.call("average", one, other, "-o", mean, "--to", "tensorflow")
        compared = self.call("verify", other, mean, "--with", one)
        self.assertTrue(compared["verified"], compared)
        data = next(mean.glob("*.data-*"))
        data.write_bytes(data.read_bytes()[:-1] + bytes([data.read_bytes()[-1] ^ 1]))
        self.assertFalse(self.call("verify", other, mean, "--with", one, code=1)["verified"])
        self.call("consolidate", other, "-o", renamed, "--only", "weights", "--to", "tensorflow")
        compared = self.call("verify", other, renamed)
        self.assertTrue(compared["verified"], compared)
        self.assertIn("the object graph", " ".join(compared["not_compared"]))

    def test_a_bundle_of_tensorflow_has_an_index(self) -> None:
        plan = self.call("plan", "consolidate", self.source, "-o", self.out / "b", "--bundle", "--names", "keep", "--to", "tensorflow",
                         "--max-shard-size", "60MB")
        self.assertNotIn("no index", json.dumps(plan))

    def test_parts_in_any_order(self) -> None:
        plan = self.plan("consolidate", self.source, "-o", self.out / "m.safetensors")
        for part in ("2/3", "3/3"):
            done = self.call("job", "run", plan, "--part", part)
            self.assertFalse(done["published"] or done["verified"])
        self.assertEqual({job["state"] for job in self.call("job", "list")["jobs"]}, {"waiting"})
        done = self.call("job", "run", plan, "--part", "1/3")
        self.assertTrue(done["verified"] and done["published"])
        self.assertEqual(done["part"], {"index": 1, "count": 3})
        self.assertEqual(self.call("job", "list")["jobs"], [])
        self.assertEqual(sorted(p.name for p in self.out.iterdir()), ["m.safetensors", "m.safetensors.cairn.json"])
        self.assertTrue(self.call("verify", self.source, self.out / "m.safetensors")["verified"])

    def test_a_finished_plan_is_done(self) -> None:
        plan = self.plan("consolidate", self.source, "-o", self.out / "deploy", "--max-shard-size", "60MB", "--parts", 4)
        self.assertEqual(json.loads(plan.read_text())["parts"], 4)
        for part in ("2", "4/4", "1", "3"):
            done = self.call("job", "run", plan, "--part", part)
            self.assertFalse(done["done_before"])
        self.assertTrue(done["published"] and done["verified"])
        for more in (("--part", "2/4"), ("--part", "3"), ()):
            done = self.call("job", "run", plan, *more)
            self.assertTrue(done["done_before"] and done["published"] and done["verified"])
        answer = run("job", "run", plan, cwd=self.folder, env=self.environment)
        self.assertIn("done already; the manifest matches", answer.text)
        self.source.unlink()  # nor is the source needed for that
        self.call("job", "run", plan, "--part", "1/4")
        next((self.out / "deploy").glob("*.safetensors")).unlink()
        self.assertNotEqual(run("job", "run", plan, cwd=self.folder, env=self.environment).code, 0)

    def test_the_number_of_parts_belongs_to_the_plan(self) -> None:
        arguments = ("consolidate", self.source, "-o", self.out / "deploy", "--max-shard-size", "60MB")
        plan = self.plan(*arguments, "--parts", 4)
        for wrong in ("4/2", "2/2", "5/4", "0/4", "5", "x", "1/4/4"):
            answer = self.call("job", "run", plan, "--part", wrong, code=2)
            self.assertTrue(answer["error"]["message"], wrong)
        plan = self.plan(*arguments)  # without a number, the first call decides
        self.call("job", "run", plan, "--part", "1", code=2)
        hint = self.call("job", "run", plan, "--part", "4/2", code=2)["error"]["hint"]
        self.assertIn("SLURM_ARRAY_TASK_COUNT", hint)
        self.call("job", "run", plan, "--part", "1/4")
        for wrong in ("2/2", "1/1"):
            error = self.call("job", "run", plan, "--part", wrong, code=2)["error"]
            self.assertEqual((error["expected"], error["found"]), ("4", wrong[-1]))
        self.assertIn("job clean", error["hint"])
        for part in ("2/4", "4/4", "3/4"):
            done = self.call("job", "run", plan, "--part", part)
        self.assertTrue(done["published"])

    def test_an_array_that_counts_its_submission_is_refused(self) -> None:
        plan = self.plan("consolidate", self.source, "-o", self.out / "deploy", "--max-shard-size", "60MB")
        self.environment |= {"SLURM_ARRAY_TASK_ID": "2", "SLURM_ARRAY_TASK_COUNT": "2", "SLURM_ARRAY_TASK_MAX": "4"}
        error = self.call("job", "run", plan, "--part", "2/2", code=2)["error"]  # --array=2,4
        self.assertIn("submission", error["message"])
        self.call("job", "run", plan, "--part", "2/4")
        self.assertEqual([path for path in self.out.iterdir() if not path.name.startswith(".")], [])

    def test_an_interrupted_job_is_resumed(self) -> None:
        self.kill_midway("consolidate", self.source, "-o", self.out / "m.safetensors")
        (job,) = self.call("job", "list")["jobs"]
        self.assertEqual((job["state"], job["output"]), ("interrupted", str(self.out / "m.safetensors")))
        self.assertGreater(job["left_bytes"], 0)
        done = self.call("job", "resume", job["id"][:6])
        self.assertTrue(done["verified"])
        self.assertEqual(self.call("job", "list")["jobs"], [])
        self.assertEqual(sorted(p.name for p in self.out.iterdir()), ["m.safetensors", "m.safetensors.cairn.json"])

    def test_an_interrupted_job_is_cleaned_only_when_told(self) -> None:
        self.kill_midway("consolidate", self.source, "-o", self.out / "m.safetensors")
        shown = self.call("job", "clean")
        self.assertEqual(sorted(shown["remove"]), sorted(map(str, self.out.iterdir())))
        self.assertTrue(shown["remove"] and not shown["applied"])
        self.assertTrue(self.call("job", "clean", "--apply")["applied"])
        self.assertEqual(list(self.out.iterdir()), [])
        self.assertEqual(self.call("job", "clean", code=3)["error"]["code"], "not-found")

    def test_what_has_no_record_is_listed_and_cleaned(self) -> None:
        self.kill_midway("consolidate", self.source, "-o", self.out / "m.safetensors")
        for record in (self.home / "state").rglob("*.json"):
            record.write_text("")
        self.assertEqual(self.call("job", "list")["jobs"], [])
        (job,) = self.call("job", "list", self.out)["jobs"]
        self.assertEqual((job["state"], job["output"]), ("unrecorded", str(self.out / "m.safetensors")))
        partial = min(self.out.iterdir(), key=lambda path: len(path.name))
        self.assertEqual(self.call("job", "resume", partial, code=2)["error"]["code"], "invalid-argument")
        self.assertTrue(self.call("job", "clean", partial, "--apply")["applied"])
        self.assertEqual(list(self.out.iterdir()), [])

    def test_a_working_folder_that_cannot_be_looked_at(self) -> None:
        for path in (self.folder, self.source):
            path.chmod(0o755)
        program = program_for_nobody()

        def enter() -> None:
            if not os.environ.get("CAIRN_SANITIZED"):
                resource.setrlimit(resource.RLIMIT_AS, (4 << 30, 4 << 30))
            os.chdir(self.out)
            os.chmod(self.out, 0)
            become_nobody()

        self.addCleanup(self.out.chmod, 0o755)
        for output in ("m.safetensors", "sub/m.safetensors", "./m.safetensors"):
            self.out.chmod(0o755)
            answer = run("consolidate", self.source, "-o", output, program=program, preexec_fn=enter, timeout=20,
                         env={"HOME": str(self.folder / "none")})
            self.assertIn(answer.code, (3, 4), answer.said())

    def test_a_source_that_changed_is_not_taken(self) -> None:
        plan = self.plan("consolidate", self.source, "-o", self.out / "m.safetensors")
        os.utime(self.source, ns=(1, 1))
        self.assertEqual(self.call("job", "run", plan, code=3)["error"]["code"], "changed-on-disk")
        self.assertEqual(list(self.out.iterdir()), [])

    def test_a_job_teaches_the_next_forecast(self) -> None:
        source = sparse(self.folder / "large.safetensors", 14, 20 * MIB)
        job = ("consolidate", source, "-o", self.out / "m.safetensors")
        first = self.call("plan", *job)
        self.assertEqual((first["rate"], first["bytes_per_second"]), ("assumed", 400_000_000))
        text = subprocess.run([CLI, "plan", *map(str, job)], capture_output=True, env=self.environment, text=True)
        self.assertIn("at an assumed 400.0 MB/s; the first large job measures this disk", text.stdout)
        self.call("consolidate", self.source, "-o", self.out / "small.safetensors")  # too small to be measured
        self.assertEqual(self.call("plan", *job)["rate"], "assumed")
        self.kill_midway(*job)
        (begun,) = self.call("job", "list")["jobs"]

        self.assertTrue(self.call("consolidate", source, "-o", self.out / "other.safetensors")["verified"])
        second = self.call("plan", *job)
        self.assertEqual((second["rate"], second["digest"]), ("measured", first["digest"]))
        self.assertAlmostEqual(second["seconds"] * second["bytes_per_second"], second["output"]["bytes"],
                               delta=0.01 * second["output"]["bytes"])
        text = subprocess.run([CLI, "plan", *map(str, job)], capture_output=True, env=self.environment, text=True)
        self.assertIn("/s as measured on this disk", text.stdout)
        self.assertTrue(self.call("job", "resume", begun["id"])["verified"])  # the rate is no part of the job
        cast = self.call("plan", "cast", source, "-o", self.out / "c.safetensors", "--dtype", "bf16")
        self.assertEqual(cast["rate"], "inferred")

        (self.home / "state" / "cairn" / "disk-rates.json").write_text('{"pairs": [7')
        self.assertEqual(self.call("plan", *job[:-1], self.out / "n.safetensors")["rate"], "assumed")

    def test_what_is_no_plan(self) -> None:
        other = self.folder / "other.json"
        for text in ("", "{}", "[1]", '{"command": [], "digest": ""}', '{"command": ["prune", "x", "--apply"], "digest": "1"}',
                     '{"command": ["job", "list"], "digest": "1"}', '{"command": ["--version"], "digest": "1"}'):
            other.write_text(text)
            self.assertIn(self.call("job", "run", other, code=2)["error"]["code"], ("invalid-argument",), text)
        plan = self.plan("consolidate", self.source, "-o", self.out / "m.safetensors")
        for part in ("0/2", "3/2", "1", "a/b", "1/0", "1/2/3", ""):
            self.assertEqual(self.call("job", "run", plan, f"--part={part}", code=2)["error"]["code"], "invalid-argument", part)
        self.assertEqual(self.call("job", "fly", code=2)["error"]["code"], "invalid-argument")


if __name__ == "__main__":
    unittest.main()
