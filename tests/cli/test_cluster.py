#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Drives `cairn-cli submit`, `job status` and `job cancel` with programs in PATH that stand for those of Slurm and Kubernetes
and record how they were called; the scripts that are submitted run here. tests/interop/test_slurm.py has a real cluster.

    CAIRN_CLI=build/dev/bin/cairn-cli python3 tests/cli/test_cluster.py
"""

from __future__ import annotations

import json
import os
import random
import re
import shutil
import signal
import subprocess
import sys
import time
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "support"))
from driver import SAMPLE, CliTest, run
from made_files import floats, safetensors, safetensors_bytes

# Records its arguments and input; what it does besides is in <name>.do.
RECORDER = """#!/bin/sh
name=${0##*/}
call=$(mktemp "$CALLS/$(date +%s%N)-XXXXXX")
printf '%s\\0' "$name" "$@" >"$call.argv"
cat >"$call.input"
rm "$call"
[ ! -f "$CALLS/$name.do" ] || . "$CALLS/$name.do"
"""
COMMANDS = ("sbatch", "squeue", "sacct", "scancel", "scontrol", "kubectl")
IMAGE = "registry.example/cairn@sha256:" + "a5" * 32
ODD = "we ird'\"$(touch pwned)`touch pwned`\\\n%a $PWD;"


class ClusterTest(CliTest):
    def setUp(self) -> None:
        super().setUp()
        self.calls = self.folder / "calls"
        self.commands = self.folder / "commands"
        self.calls.mkdir()
        self.commands.mkdir()
        for name in COMMANDS:
            (self.commands / name).write_text(RECORDER)
            (self.commands / name).chmod(0o755)
        self.environment |= {"CALLS": str(self.calls), "PATH": f"{self.commands}:{os.environ['PATH']}"}
        self.answers("sbatch", "expr 4711 + $(ls \"$CALLS\" | grep -c 'argv$') - 1\n")
        self.answers("sacct", "echo 'Slurm accounting storage is disabled' >&2; exit 1\n")
        self.source = self.folder / "model.safetensors"
        chance = random.Random(5)
        safetensors(self.source, {f"layers.{i}.weight": ("F32", [64, 129], floats(*(chance.random() for _ in range(64 * 129)))) for i in range(9)})

    def answers(self, name: str, script: str) -> None:
        (self.calls / f"{name}.do").write_text(script)

    def prints(self, name: str, text: str) -> None:
        self.answers(name, f"cat <<'END'\n{text}\nEND\n")

    def called(self, *names: str) -> list[tuple[list[str], str]]:
        """The calls since the last time: words and input."""
        found = []
        for path in sorted(self.calls.glob("*.argv")):
            words = path.read_bytes().decode().split("\0")[:-1]
            entry = path.with_suffix(".input")
            if not names or words[0] in names:
                found.append((words, entry.read_text()))
            path.unlink()
            entry.unlink()
        return found

    def submit(self, *words: object, code: int = 0) -> dict:
        return self.call_before_rest("submit", *words, code=code)

    def call_before_rest(self, *words: object, code: int = 0) -> dict:
        """call(), with --json before the arguments for the scheduler."""
        words = [str(word) for word in words]
        at = words.index("--") if "--" in words else len(words)
        answer = run(*words[:at], "--json", *words[at:], cwd=self.folder, env=self.environment)
        self.assertEqual(answer.code, code, answer.said())
        return answer.json

    def run_script(self, script: str, **variables: str) -> subprocess.CompletedProcess:
        return subprocess.run(["sh", "-s"], input=script.encode(), capture_output=True, timeout=60, cwd=self.folder,
                              env=self.environment | {"SLURM_JOB_ID": "1", **variables})

    def task(self, script: str, number: int) -> subprocess.CompletedProcess:
        return self.run_script(script, SLURM_ARRAY_TASK_ID=str(number))

    def whole(self) -> bytes:
        """The output of one process."""
        path = self.folder / "whole.safetensors"
        if not path.exists():
            self.call("consolidate", self.source, "-o", path)
        return path.read_bytes()


def options(script: str) -> dict[str, str]:
    return dict(re.findall(r"^#SBATCH --([a-z-]+)=?(.*)$", script, re.MULTILINE))


class Slurm(ClusterTest):
    def test_a_dry_run_prints_scripts_that_work(self) -> None:
        out = self.folder / "out.safetensors"
        plan = self.call("plan", "consolidate", self.source, "-o", out)
        dry = self.submit("slurm", "consolidate", self.source, "-o", out, "--parts", 4, "--dry-run", "--", "--partition=a b")
        self.assertEqual(self.called(), [])
        self.assertEqual((dry["submitted"], dry["id"], dry["parts"], dry["tasks"]), (False, None, 4, 4))
        self.assertEqual(dry["command"], ["sbatch", "--parsable", "--partition=a b"])
        self.assertEqual(dry["last_command"], ["sbatch", "--parsable", "--partition=a b", "--dependency=afterany:4711"])
        wanted = options(dry["script"])
        self.assertEqual((wanted["array"], wanted["requeue"], wanted["open-mode"], wanted["signal"]), ("1-4", "", "append", "B:USR1@120"))
        self.assertGreater(int(wanted["mem"].rstrip("M")) << 20, plan["memory_bytes"])
        self.assertGreaterEqual(int(wanted["time"]) * 60, plan["seconds"] + 300)
        self.assertTrue(wanted["output"].endswith('/task-%a.log"'))
        self.assertNotIn("array", options(dry["last_script"]))
        for number in (3, 1, 4, 2):
            done = self.task(dry["script"], number)
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertFalse(out.exists())
        last = self.run_script(dry["last_script"])
        self.assertEqual(last.returncode, 0, last.stderr)
        self.assertEqual(out.read_bytes(), self.whole())
        text = run("submit", "slurm", "consolidate", self.source, "-o", self.folder / "o2.safetensors", "--parts", 2, "--dry-run", "--", "--partition=a b",
                   cwd=self.folder, env=self.environment).text
        self.assertIn("sbatch --parsable '--partition=a b' --dependency=afterany:4711", text)

    def test_no_name_reaches_a_shell(self) -> None:
        folder = self.folder / ODD
        folder.mkdir()
        source = Path(shutil.copy(self.source, folder / f"{ODD}.safetensors"))
        out = folder / f"new {ODD}" / "out.safetensors"
        dry = self.submit("slurm", "consolidate", source, "-o", out, "--parts", 2, "--dry-run")
        for script in (dry["script"], dry["last_script"]):
            head, _, document = script.partition("<<'CAIRN-JOB' &\n")
            self.assertNotIn("pwned", head)
            document, _, after = document.partition("\nCAIRN-JOB\n")
            self.assertIn(str(source), json.loads(document)["jobs"][0]["command"])
            self.assertNotIn("pwned", after)
            self.assertTrue(script.isascii())
        for number in (1, 2):
            self.assertEqual(self.task(dry["script"], number).returncode, 0)
        self.assertEqual(self.run_script(dry["last_script"]).returncode, 0)
        self.assertEqual(out.read_bytes(), self.whole())
        self.assertEqual(list(self.folder.rglob("pwned")), [])

    def test_a_path_that_a_script_cannot_name_is_refused(self) -> None:
        arguments = ("slurm", "consolidate", self.source, "-o", "out.safetensors", "--parts", 2)
        for logs in ("a\nb", "a\\b"):
            error = self.submit(*arguments, "--logs", logs, code=2)["error"]
            self.assertEqual(error["where"]["field"] if "field" in error["where"] else "--logs", "--logs")
            self.assertEqual(self.called("sbatch"), [])
        dry = self.submit(*arguments, "--logs", 'a "b" %j', "--dry-run")
        self.assertIn(f'#SBATCH --output="{self.folder}/a \\"b\\" %%j/task-%a.log"\n', dry["script"])
        odd = self.folder / os.fsdecode(b"caf\xe9")
        odd.mkdir()
        error = self.submit("slurm", "consolidate", self.source, "-o", odd / "out.safetensors", "--parts", 2, "--dry-run", code=3)["error"]
        self.assertEqual(error["code"], "bad-encoding")

    def test_a_job_is_submitted_followed_and_cancelled(self) -> None:
        out = self.folder / "out.safetensors"
        arguments = ("slurm", "consolidate", self.source, "-o", out, "--parts", 3, "--", "--account=team")
        submitted = self.submit(*arguments)
        self.assertEqual((submitted["id"], submitted["last"], submitted["submitted"]), ("4711", "4712", True))
        (array, script), (last, last_script) = self.called()
        self.assertEqual(array, ["sbatch", "--parsable", "--account=team"])
        self.assertEqual(last, ["sbatch", "--parsable", "--account=team", "--dependency=afterany:4711"])
        self.assertEqual((script, last_script), (submitted["script"], submitted["last_script"]))
        self.assertTrue(Path(submitted["logs"]).is_dir())

        self.prints("squeue", "4711_1|RUNNING|None\n4711_2|PENDING|Resources\n4711_3|PENDING|Resources\n4712|PENDING|Dependency")
        error = self.submit(*arguments, code=5)["error"]
        self.assertEqual((error["code"], error["found"]), ("job-is-running", "4711"))
        self.assertEqual(self.called("sbatch"), [])

        self.assertEqual(self.task(script, 1).returncode, 0)
        status = self.call("job", "status", "4711")
        self.assertEqual([part["state"] for part in status["parts"]], ["running", "waiting", "waiting"])
        self.assertEqual(status["parts"][0]["bytes_done"], status["parts"][0]["bytes"])
        self.assertEqual([part["bytes_done"] for part in status["parts"][1:]], [0, 0])
        self.assertEqual(status["parts"][1]["reason"], "Resources")
        self.assertEqual((status["last"]["state"], status["published"], status["accounting"]), ("waiting", 0, False))
        self.assertIn(["squeue", "--noheader", "--array", "--states=all", "--jobs=4711", "--format=%i|%T|%r"], [words for words, _ in self.called()])

        self.assertTrue(self.call("job", "cancel")["cancelled"])
        self.assertEqual([words for words, _ in self.called()], [["scancel", "4712"], ["scancel", "4711"]])
        self.prints("squeue", "4711_1|COMPLETED|None\n4711_2|CANCELLED|None\n4711_3|CANCELLED|None\n4712|CANCELLED|None")
        self.assertEqual(self.call("job", "status", "4712", code=1)["parts"][2]["state"], "cancelled")
        again = self.submit(*arguments)  # continues; ids as the counter of the calls gives them
        self.assertNotEqual(again["script"], "")
        for number in (1, 2, 3):
            self.assertEqual(self.task(again["script"], number).returncode, 0)
        self.assertEqual(self.run_script(again["last_script"]).returncode, 0)
        self.assertEqual(out.read_bytes(), self.whole())

    def test_states_with_and_without_accounting(self) -> None:
        out = self.folder / "out.safetensors"
        submitted = self.submit("slurm", "consolidate", self.source, "-o", out, "--parts", 4)
        forgotten = "echo 'slurm_load_jobs error: Invalid job id specified' >&2; exit 1\n"
        self.answers("squeue", forgotten)

        def states(code: int = 0) -> list[str]:
            status = self.call("job", "status", "4711", code=code)
            return [part["state"] for part in status["parts"]] + [status["last"]["state"]]

        self.assertEqual(states(), ["unknown"] * 5)
        self.assertEqual(self.task(submitted["script"], 2).returncode, 0)
        self.assertEqual(states(), ["unknown", "done", "unknown", "unknown", "unknown"])  # as its journal records
        self.prints("sacct", "4711_1|FAILED|3:0\n4711_1.batch|FAILED|3:0\n4711_2|COMPLETED|0:0\n4711_[3-4%2]|CANCELLED by 0|0:0\n4712|FAILED|3:0\n9_1|FAILED|1:0")
        self.assertEqual(states(code=1), ["failed", "done", "cancelled", "cancelled", "failed"])
        text = run("job", "status", "4711", cwd=self.folder, env=self.environment)
        self.assertIn("failed (FAILED)", text.text)
        self.assertIn("task-1.log", text.text)
        self.prints("squeue", "4711_1|PENDING|BeginTime")  # a task that was requeued: the queue knows better
        self.assertEqual(states(code=1)[0], "waiting")
        for word, state in (("OUT_OF_MEMORY", "failed"), ("NODE_FAIL", "failed"), ("TIMEOUT", "failed"), ("PREEMPTED", "failed"), ("COMPLETING", "running"),
                            ("SUSPENDED", "running"), ("REQUEUED", "waiting"), ("SOMETHING_NEW", "unknown")):
            self.prints("squeue", f"4711_1|{word}|None")
            self.assertEqual(states(code=1)[0], state, word)
        for number in (1, 3, 4):
            self.assertEqual(self.task(submitted["script"], number).returncode, 0)
        self.assertEqual(self.run_script(submitted["last_script"]).returncode, 0)
        self.answers("squeue", forgotten)
        self.answers("sacct", "exit 1")
        self.assertEqual(states(), ["done"] * 5)

    def test_answers_that_no_scheduler_gives(self) -> None:
        self.submit("slurm", "consolidate", self.source, "-o", "out.safetensors", "--parts", 2)
        for text in ("hello", "4711_x|RUNNING|None", "4711_[1-|RUNNING|None", "4711_2-1|PENDING|None", "4711_99999999999999999999|PENDING|None"):
            self.prints("squeue", text)
            error = self.call("job", "status", "4711", code=3)["error"]
            self.assertIn("unknown form", error["message"], text)
        self.answers("squeue", "echo 'squeue: error: cannot connect' >&2; exit 1\n")
        error = self.call("job", "status", "4711", code=3)["error"]
        self.assertEqual(error["found"], "squeue: squeue: error: cannot connect")
        for answer in ("Submitted batch job 5", "", "abc", "4711;;;x|", "-4"):
            self.prints("sbatch", answer)
            code = 0 if answer == "4711;;;x|" else 3
            result = self.call_before_rest("submit", "slurm", "consolidate", self.source, "-o", f"o{len(answer)}.safetensors", "--parts", 2, code=code)
            if code:
                self.assertIn("unknown form", result["error"]["message"], answer)
        self.call("job", "status", "none", code=3)
        self.call("job", "cancel", "none", code=3)

    def test_another_cluster(self) -> None:
        self.prints("sbatch", "Welcome to the cluster\n17;north")
        self.submit("slurm", "consolidate", self.source, "-o", "out.safetensors", "--parts", 2, "--", "--clusters=north")
        self.called()
        self.call("job", "status", "17")
        words = [words for words, _ in self.called()]
        self.assertTrue(words and all("--clusters=north" in each for each in words), words)

    def test_missing_commands_and_refusals(self) -> None:
        arguments = ("slurm", "consolidate", self.source, "-o", "out.safetensors", "--parts", 2)
        path = self.environment["PATH"]
        self.environment["PATH"] = str(self.folder / "none")
        error = self.submit(*arguments, code=3)["error"]
        self.assertEqual((error["code"], error["found"]), ("not-found", "no sbatch in PATH"))
        self.assertIn("--dry-run", error["hint"])
        self.environment["PATH"] = path
        self.answers("sbatch", "echo 'sbatch: error: Batch job submission failed: Invalid account' >&2; exit 1\n")
        error = self.submit(*arguments, code=3)["error"]
        self.assertIn("Invalid account", error["found"])
        self.assertEqual(len(self.called("sbatch", "scancel")), 1)
        # the last step is refused: the array is cancelled
        self.answers("sbatch", "case \"$*\" in *dependency*) echo refused >&2; exit 1;; esac; echo 12\n")
        self.assertIn("refused", self.submit(*arguments, code=3)["error"]["found"])
        self.assertEqual([words for words, _ in self.called("scancel")], [["scancel", "12"]])
        self.call("job", "status", code=3)  # nothing was submitted
        for wrong in ("--array=1-2", "-a1", "--wrap=x", "--wr=x", "-W", "--wait", "gpu", "--test-only", "-"):
            self.assertEqual(self.submit(*arguments, "--", wrong, code=2)["error"]["code"], "invalid-argument", wrong)
        for words in (("pbs", "consolidate"), ("slurm", "fly"), ("slurm", "pack")):
            self.submit(*words, self.source, "-o", "x.cairnz", "--parts", 2, code=2)
        self.submit(*arguments[:5], "--parts", "0", code=2)
        self.submit(*arguments[:3], code=2)
        self.submit("slurm", "consolidate", "-o", "x.safetensors", code=2)
        self.submit(*arguments, "--image", IMAGE, code=2)

    def test_a_part_that_fails_for_good(self) -> None:
        out = self.folder / "out.safetensors"
        dry = self.submit("slurm", "consolidate", self.source, "-o", out, "--parts", 3, "--dry-run")
        nothing = self.run_script(dry["last_script"])
        self.assertEqual(nothing.returncode, 3, nothing.stderr)
        self.assertEqual([path for path in self.folder.iterdir() if path.name.startswith(".")], [])
        for number in (1, 3):
            self.assertEqual(self.task(dry["script"], number).returncode, 0)
        last = self.run_script(dry["last_script"])
        self.assertEqual(last.returncode, 3)
        self.assertIn(b"incomplete parts: 2\n", last.stderr)
        self.assertFalse(out.exists())
        self.assertEqual(self.task(dry["script"], 2).returncode, 0)
        self.assertEqual(self.run_script(dry["last_script"]).returncode, 0)
        self.assertEqual(out.read_bytes(), self.whole())
        for again in (self.run_script(dry["last_script"]), self.task(dry["script"], 2)):  # requeued after publishing
            self.assertEqual(again.returncode, 0)
            self.assertIn(b"done already", again.stdout)
        self.assertEqual(self.submit("slurm", "consolidate", self.source, "-o", out, "--parts", 3, code=4)["error"]["code"], "output-exists")

    def test_an_output_that_only_the_nodes_see(self) -> None:
        size = 8 << 40  # no disk of a test has so much
        large = self.folder / "large.safetensors"
        with large.open("wb") as file:
            written = file.write(safetensors_bytes({"w": {"dtype": "F32", "shape": [size // 4], "data_offsets": [0, size]}}))
            file.truncate(written + size)
        error = self.submit("slurm", "consolidate", large, "-o", "out.safetensors", "--parts", 2, "--dry-run", code=4)["error"]
        self.assertEqual(error["code"], "no-space")
        dry = self.submit("slurm", "consolidate", large, "-o", "/folder-of-the-nodes/u/out.safetensors", "--parts", 2, "--dry-run")
        self.assertGreater(sum(dry["task_bytes"]), size)

    def test_more_parts_than_tensors(self) -> None:
        out = self.folder / "out.safetensors"
        dry = self.submit("slurm", "consolidate", self.source, "-o", out, "--parts", 20, "--dry-run")
        self.assertEqual(len(dry["task_bytes"]), 20)
        for number in range(1, 21):
            self.assertEqual(self.task(dry["script"], number).returncode, 0, number)
        self.assertEqual(self.run_script(dry["last_script"]).returncode, 0)
        self.assertEqual(out.read_bytes(), self.whole())

    def test_signals(self) -> None:
        """USR1 puts a task into the queue again; TERM, which scancel sends, does not."""
        program = self.folder / "program"
        program.write_text("#!/bin/sh\ntrap 'exit 130' TERM\ncat >/dev/null\n>\"$CALLS/running\"\nwhile :; do sleep 0.05; done\n")
        program.chmod(0o755)
        dry = self.submit("slurm", "consolidate", self.source, "-o", "out.safetensors", "--parts", 2, "--dry-run", "--program", program)
        script = self.folder / "script"
        script.write_text(dry["script"].replace("sleep 300", "true"))
        for number, restarts, requeued in ((signal.SIGUSR1, 0, True), (signal.SIGUSR1, 16, False), (signal.SIGTERM, 0, False)):
            process = subprocess.Popen(["sh", script], cwd=self.folder, stdout=subprocess.DEVNULL,
                                       env=self.environment | {"SLURM_ARRAY_TASK_ID": "1", "SLURM_JOB_ID": "99", "SLURM_RESTART_COUNT": str(restarts)})
            while not (self.calls / "running").exists():
                time.sleep(0.01)
            process.send_signal(number)
            self.assertEqual(process.wait(timeout=20), 130)
            (self.calls / "running").unlink()
            self.assertEqual([words for words, _ in self.called("scontrol")], [["scontrol", "requeue", "99"]] if requeued else [])

    def test_parts_are_equal(self) -> None:
        for words in (("--parts", 3), ("--parts", 4, "--max-shard-size", "100KB")):
            dry = self.submit("slurm", "consolidate", self.source, "-o", "out", "--to", "safetensors", *words, "--dry-run")
            mean = sum(dry["task_bytes"]) / len(dry["task_bytes"])
            self.assertEqual(len(dry["task_bytes"]), words[1])
            self.assertGreater(mean, 60_000)
            if words[1] == 3:
                self.assertLess(max(dry["task_bytes"]), 1.05 * mean)

    def test_each_checkpoint_of_a_run(self) -> None:
        shutil.copytree(SAMPLE / "tiny-llama-a", self.folder / "run a")
        arguments = ("slurm", "consolidate", "--each-checkpoint", "run a", "-o", "out", "--only", "weights")
        self.call("consolidate", "run a/step-200", "-o", "out/step-200", "--only", "weights")
        dry = self.submit(*arguments, "--dry-run")
        names = [Path(item["command"][1]).name for item in json.loads(dry["script"].split("<<'CAIRN-JOB' &\n")[1].split("\nCAIRN-JOB\n")[0])["jobs"]]
        self.assertNotIn("step-200", names)
        self.assertGreaterEqual(len(names), 2)
        skipped = {Path(each["path"]).name: each["why"] for each in dry["skipped"]}
        self.assertEqual(skipped["step-200"], "done already")
        for number in range(1, len(names) + 1):
            done = self.task(dry["script"], number)
            self.assertEqual(done.returncode, 0, done.stderr)
        self.assertNotIn("last_script", dry)  # jobs in one part publish themselves
        for name in names:
            self.assertTrue(self.call("verify", f"run a/{name}", f"out/{name}")["verified"], name)
        error = self.submit(*arguments, code=3)["error"]
        self.assertIn("Nothing is left to do", error["message"])
        dry = self.submit(*arguments[:5], "other/{step}-{name}", "--dry-run", "--parts", 2)
        self.assertIn("other/200-step-200", dry["script"])
        self.assertEqual(dry["tasks"], 2 * (len(names) + 1))
        for number in range(1, dry["tasks"]):
            self.assertEqual(self.task(dry["script"], number).returncode, 0, number)
        last = self.run_script(dry["last_script"])  # all but the last one's second part
        self.assertEqual(last.returncode, 3)
        self.assertIn(b"incomplete parts: 2\n", last.stderr)
        self.assertEqual(len([path for path in (self.folder / "other").iterdir() if path.name[0] != "." and path.suffix != ".json"]), len(names))
        submitted = self.submit(*arguments[:5], "other/{step}-{name}", "--parts", 1)
        self.assertEqual((submitted["tasks"], submitted["last"]), (1, None))
        self.prints("squeue", f"{submitted['id']}_1|COMPLETED|None")
        self.assertIsNone(self.call("job", "status", submitted["id"])["last"])
        self.submit(*arguments[:5], "same/{step}x", "--dry-run", "--to", "safetensors")
        self.submit(*arguments[:2], "run a/step-200", *arguments[2:], code=2)
        self.submit(*arguments[:3], "none", *arguments[4:], code=3)


class Kubernetes(ClusterTest):
    def arguments(self) -> tuple:
        return ("kubernetes", "consolidate", self.source, "-o", self.folder / "out.safetensors", "--parts", 3, "--image", IMAGE, "--volume", f"data={self.folder}")

    def test_the_manifest(self) -> None:
        text = run("submit", *self.arguments(), "--dry-run", cwd=self.folder, env=self.environment)
        self.assertEqual(text.code, 0, text.said())
        self.assertEqual(self.called(), [])
        config, job = json.loads(text.raw)["items"]
        spec = job["spec"]
        self.assertEqual((job["kind"], job["apiVersion"], spec["completionMode"], spec["completions"], spec["parallelism"]),
                         ("Job", "batch/v1", "Indexed", 3, 3))
        self.assertRegex(job["metadata"]["name"], r"^cairn-out-safetensors-[0-9a-f]{8}$")
        self.assertEqual(config["metadata"]["name"], job["metadata"]["name"])
        pod = spec["template"]["spec"]
        (container,) = pod["containers"]
        self.assertEqual((container["image"], container["command"]), (IMAGE, ["cairn-cli"]))
        self.assertRegex(container["resources"]["limits"]["memory"], r"^\d+Mi$")
        self.assertEqual(pod["volumes"][1], {"name": "data-0", "persistentVolumeClaim": {"claimName": "data"}})
        self.assertEqual(container["volumeMounts"][1], {"name": "data-0", "mountPath": str(self.folder)})
        document = self.folder / "job.json"
        document.write_text(config["data"]["job.json"])
        for index in (2, 0, 1):
            answer = run("job", "run", document, *container["args"][3:], env=self.environment | {"JOB_COMPLETION_INDEX": str(index)})
            self.assertEqual(answer.code, 0, answer.said())
        self.assertEqual((self.folder / "out.safetensors").read_bytes(), self.whole())
        for wrong in ("3", "-1", "x"):
            self.assertEqual(run("job", "run", document, "--task", "index", env=self.environment | {"JOB_COMPLETION_INDEX": wrong}).code, 2)
        self.assertEqual(run("job", "run", document, "--task", "index", env=self.environment).code, 2)

    def test_what_a_pod_could_not_see_is_refused(self) -> None:
        base = list(self.arguments())
        for at, value in ((8, "registry/cairn:latest"), (8, "cairn@sha256:12"), (8, "a b@sha256:" + "0" * 64), (10, "data=/elsewhere"), (10, "data"),
                          (10, "Data=/x"), (10, "data=relative"), (10, f"data={self.folder}x"), (10, "=/x")):
            words = base.copy()
            words[at] = value
            self.assertEqual(self.submit(*words, "--dry-run", code=2)["error"]["code"], "invalid-argument", value)
        self.submit(*base, "--volume", f"other={self.folder}", "--dry-run", code=2)
        self.submit(*base[:7], "--dry-run", code=2)
        self.submit(*base, "--logs", "x", "--dry-run", code=2)
        self.submit(*base, "--program", "/opt/$(HOME)/cairn-cli", "--dry-run")
        text = self.submit(*base, "--program", "/opt/$(HOME)/cairn-cli", "--dry-run")["script"]
        self.assertIn('"/opt/$$(HOME)/cairn-cli"', text)

    def test_a_job_is_created_followed_and_deleted(self) -> None:
        submitted = self.submit(*self.arguments(), "--", "--namespace=team")
        ((words, manifest),) = self.called()
        self.assertEqual(words, ["kubectl", "create", "--filename=-", "--namespace=team"])
        self.assertEqual(manifest, submitted["script"])
        name = submitted["id"]
        status = {"kind": "Job", "status": {"active": 1, "succeeded": 1, "completedIndexes": "0", "failedIndexes": ""}}
        self.prints("kubectl", json.dumps(status))
        self.assertEqual([part["state"] for part in self.call("job", "status", name)["parts"]], ["done", "running", "running"])
        self.assertEqual(self.called()[0][0], ["kubectl", "get", "job", name, "--output=json", "--namespace=team"])
        self.assertEqual(self.submit(*self.arguments(), code=5)["error"]["code"], "job-is-running")
        status["status"] = {"completedIndexes": "0,2", "failedIndexes": "1", "conditions": [{"type": "Failed", "status": "True", "reason": "FailedIndexes"}]}
        self.prints("kubectl", json.dumps(status))
        self.assertEqual([part["state"] for part in self.call("job", "status", name, code=1)["parts"]], ["done", "failed", "done"])
        for text in ("{}", "x", '{"kind": "Job"}', '{"kind": "Job", "status": {"completedIndexes": "0-"}}'):
            self.prints("kubectl", text)
            self.assertIn("unknown form", self.call("job", "status", name, code=3)["error"]["message"], text)
        self.answers("kubectl", "echo 'Error from server (NotFound): jobs not found' >&2; exit 1\n")
        self.assertEqual({part["state"] for part in self.call("job", "status", name)["parts"]}, {"unknown"})
        self.answers("kubectl", "echo 'Error from server (AlreadyExists)' >&2; exit 1\n")
        self.assertIn("AlreadyExists", self.submit(*self.arguments(), code=3)["error"]["found"])
        self.answers("kubectl", "")
        self.called()
        self.assertTrue(self.call("job", "cancel", name)["cancelled"])
        self.assertEqual(self.called()[0][0], ["kubectl", "delete", f"job/{name}", f"configmap/{name}", "--ignore-not-found", "--namespace=team"])
        self.environment["PATH"] = str(self.folder / "none")
        error = self.submit(*self.arguments(), code=3)["error"]
        self.assertEqual((error["code"], error["found"]), ("not-found", "no kubectl in PATH"))


if __name__ == "__main__":
    unittest.main()
