# SPDX-License-Identifier: Apache-2.0
"""Arrays on a real Slurm cluster of two nodes on the loopback address (packages slurm-wlm and munge, as root): tasks are
cancelled, requeued and lose their nodes at random until the output is published, which must be what one process writes."""

from __future__ import annotations

import os
import random
import shutil
import socket
import subprocess
import sys
import time
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "support"))
from driver import CliTest
from made_files import safetensors

NEEDED = ("slurmctld", "slurmd", "munged", "sbatch", "squeue", "scancel", "scontrol")
RUNS = int(os.environ.get("CAIRN_SLURM_RUNS", "20"))
PARTS = 8


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


class Cluster:
    """One controller and some nodes, all of them on this machine."""

    def __init__(self, folder: Path, nodes: int = 2) -> None:
        self.folder, self.nodes = folder, [f"n{i + 1}" for i in range(nodes)]
        for name in ("state", "spool", "log", "munge"):
            (folder / name).mkdir(parents=True)
        (folder / "munge").chmod(0o700)
        key = folder / "munge/key"
        key.write_bytes(os.urandom(1024))
        key.chmod(0o400)
        host = socket.gethostname().split(".")[0]
        settings = {
            "ClusterName": "loopback", "SlurmctldHost": f"{host}(127.0.0.1)", "SlurmctldPort": free_port(), "SlurmUser": "root", "SlurmdUser": "root",
            "AuthType": "auth/munge", "AuthInfo": f"socket={folder}/munge/sock", "CryptoType": "crypto/munge", "StateSaveLocation": folder / "state",
            "SlurmdSpoolDir": f"{folder}/spool/%n", "SlurmctldPidFile": folder / "slurmctld.pid", "SlurmdPidFile": f"{folder}/slurmd.%n.pid",
            "SlurmctldLogFile": folder / "log/slurmctld.log", "SlurmdLogFile": f"{folder}/log/slurmd.%n.log", "ProctrackType": "proctrack/linuxproc",
            "TaskPlugin": "task/none", "SelectType": "select/cons_tres", "SelectTypeParameters": "CR_Core", "ReturnToService": 2, "JobRequeue": 1,
            "SchedulerParameters": "sched_interval=1,bf_interval=1,batch_sched_delay=0", "MpiDefault": "none", "InactiveLimit": 0, "KillWait": 2,
            "SlurmdTimeout": 30, "MinJobAge": 300}
        lines = [f"{name}={value}" for name, value in settings.items()]
        lines += [f"NodeName={node} NodeHostname={host} NodeAddr=127.0.0.1 Port={free_port()} CPUs={os.cpu_count()} RealMemory=2000" for node in self.nodes]
        lines.append("PartitionName=all Nodes=ALL Default=YES MaxTime=INFINITE State=UP")
        self.settings = folder / "slurm.conf"
        self.settings.write_text("\n".join(lines) + "\n")
        self.environment = os.environ | {"SLURM_CONF": str(self.settings)}
        self.call("munged", "--force", f"--key-file={key}", f"--socket={folder}/munge/sock", f"--pid-file={folder}/munged.pid",
                  f"--log-file={folder}/log/munged.log", f"--seed-file={folder}/munge/seed")
        self.call("slurmctld", "-f", str(self.settings))
        for node in self.nodes:
            self.start(node)

    def call(self, *words: str, check: bool = True) -> str:
        done = subprocess.run(words, capture_output=True, text=True, env=self.environment, timeout=60)
        if check and done.returncode != 0:
            raise AssertionError(f"{words}: {done.stderr}")
        return done.stdout

    def start(self, node: str) -> None:
        self.call("slurmd", "-f", str(self.settings), "-N", node)

    def kill(self, pid_file: Path) -> None:
        """Ends a daemon that this class started, and waits for its end."""
        if not pid_file.exists():
            return
        pid = int(pid_file.read_text())
        try:
            os.kill(pid, 15)
            for _ in range(200):
                os.kill(pid, 0)
                time.sleep(0.05)
            os.kill(pid, 9)
        except ProcessLookupError:
            pass

    def restart(self, node: str) -> None:
        self.kill(self.folder / f"slurmd.{node}.pid")
        self.start(node)

    def stop(self) -> None:
        self.call("scancel", "--user=root", check=False)
        for name in [*(f"slurmd.{node}" for node in self.nodes), "slurmctld", "munged"]:
            self.kill(self.folder / f"{name}.pid")


@unittest.skipUnless(os.getuid() == 0 and all(shutil.which(name) for name in NEEDED), "Slurm is not installed, or this is not root")
class Slurm(CliTest):
    def setUp(self) -> None:
        super().setUp()
        self.cluster = Cluster(self.folder / "cluster")
        self.addCleanup(self.cluster.stop)
        self.environment |= {"SLURM_CONF": str(self.cluster.settings)}
        self.chance = random.Random(int(os.environ.get("CAIRN_SEED", "1")))
        self.source = self.folder / "model.safetensors"
        size = 96  # as many columns and a few thousand rows: some MB a tensor
        safetensors(self.source, {f"layers.{i}.weight": ("F32", [rows, size], self.chance.randbytes(rows * size * 4))
                                  for i, rows in enumerate(self.chance.randint(2000, 9000) for _ in range(40))})

    def states(self, job: str) -> list[str]:
        return self.cluster.call("squeue", "--noheader", "--array", f"--jobs={job}", "--format=%T", check=False).split()

    def wait(self, submitted: dict, seconds: float = 240) -> None:
        """Until neither the array nor its last step waits or runs."""
        ends = time.monotonic() + seconds
        while self.states(submitted["id"]) or self.states(submitted["last"]):
            self.assertLess(time.monotonic(), ends, self.cluster.call("squeue", "--array"))
            time.sleep(0.2)

    def logs(self, submitted: dict) -> str:
        return "\n".join(f"{path.name}: {path.read_text()[-600:]}" for path in sorted(Path(submitted["logs"]).iterdir()))

    def submit(self, *words: object) -> dict:
        return self.call("submit", "slurm", *words)

    def test_an_array_is_published_by_its_last_step(self) -> None:
        out = self.folder / "out '$(id)' 100%.safetensors"
        submitted = self.submit("cast", self.source, "-o", out, "--dtype", "bf16", "--parts", PARTS)
        self.assertEqual(self.call("job", "status", submitted["id"])["accounting"], False)
        self.wait(submitted)
        self.call("cast", self.source, "-o", "whole.safetensors", "--dtype", "bf16")
        self.assertEqual(out.read_bytes(), (self.folder / "whole.safetensors").read_bytes(), self.logs(submitted))
        status = self.call("job", "status", submitted["id"])
        self.assertEqual({part["state"] for part in status["parts"]} | {status["last"]["state"]}, {"done"})
        self.assertEqual(sorted(path.name for path in Path(submitted["logs"]).iterdir()), sorted([f"task-{i + 1}.log" for i in range(PARTS)] + ["last.log"]))
        mean = sum(submitted["task_bytes"]) / PARTS
        self.assertLess(max(submitted["task_bytes"]), 1.05 * mean)

    def test_interrupted_at_random(self) -> None:
        """Many arrays, whose tasks are cancelled, requeued, killed, and lose their nodes; submitted again until published."""
        kinds = (["consolidate", "--to", "torch"], ["cast", "--dtype", "bf16"], ["consolidate", "--max-shard-size", "20MB", "--to", "safetensors"])
        met = {"cancel": 0, "requeue": 0, "restart": 0, "kill": 0, "submissions": 0}
        for number in range(RUNS):
            kind = kinds[number % len(kinds)]
            folder = self.folder / f"run {number}"
            out, whole = folder / ("out.pt" if "torch" in kind else "out"), folder / ("whole.pt" if "torch" in kind else "whole")
            if kind[0] == "cast":
                out, whole = out.with_suffix(".safetensors"), whole.with_suffix(".safetensors")
            self.call(kind[0], self.source, "-o", whole, *kind[1:])
            while not out.exists():
                submitted = self.submit(kind[0], self.source, "-o", out, *kind[1:], "--parts", PARTS)
                met["submissions"] += 1
                self.assertLess(met["submissions"], 20 * RUNS)
                for _ in range(self.chance.randint(1, 5) if met["submissions"] % 3 else 0):
                    time.sleep(self.chance.random() * 0.8)
                    task = f"{submitted['id']}_{self.chance.randint(1, PARTS)}"
                    act = self.chance.choice(("cancel", "requeue", "requeue", "restart", "kill"))
                    if not self.states(submitted["id"]):
                        break
                    met[act] += 1
                    if act == "cancel":
                        self.cluster.call("scancel", task, check=False)
                    elif act == "kill":
                        self.cluster.call("scancel", "--batch", "--signal=KILL", task, check=False)
                    elif act == "requeue":
                        self.cluster.call("scontrol", "requeue", task, check=False)
                    else:
                        self.cluster.restart(self.chance.choice(self.cluster.nodes))
                self.wait(submitted)
                last = (Path(submitted["logs"]) / "last.log").read_text()
                if not out.exists():
                    self.assertIn("incomplete parts", last, self.logs(submitted))
            if out.is_dir():
                names = sorted(path.name for path in whole.iterdir())
                self.assertEqual(sorted(path.name for path in out.iterdir()), names)
                for name in names:
                    if not name.endswith((".cairn.json", "cairn-manifest.json")) and "manifest" not in name:
                        self.assertEqual((out / name).read_bytes(), (whole / name).read_bytes(), name)
            else:
                self.assertEqual(out.read_bytes(), whole.read_bytes())
            self.assertEqual([path.name for path in folder.iterdir() if ".cairn-partial-" in path.name], [])
            shutil.rmtree(folder)
        print(f"{RUNS} outputs: {met}")
        self.assertGreater(met["cancel"] + met["requeue"] + met["restart"] + met["kill"], RUNS)

    def test_a_part_that_fails_for_good_is_named(self) -> None:
        out = self.folder / "out.safetensors"
        program = self.folder / "program"
        program.write_text(f"#!/bin/sh\n[ \"$SLURM_ARRAY_TASK_ID\" != 5 ] || exit 9\nexec '{os.environ.get('CAIRN_CLI', '')}' \"$@\"\n")
        program.chmod(0o755)
        submitted = self.submit("consolidate", self.source, "-o", out, "--parts", PARTS, "--program", program)
        self.wait(submitted)
        self.assertFalse(out.exists())
        self.assertIn("incomplete parts: 5\n", (Path(submitted["logs"]) / "last.log").read_text(), self.logs(submitted))
        status = self.call("job", "status", submitted["id"], code=1)
        self.assertEqual([part["state"] for part in status["parts"]], ["done"] * 4 + ["failed"] + ["done"] * 3)
        self.assertEqual(status["last"]["state"], "failed")

    def test_a_cancelled_array_and_a_second_submission(self) -> None:
        out = self.folder / "out.safetensors"
        arguments = ("consolidate", self.source, "-o", out, "--parts", PARTS)
        self.cluster.call("scontrol", "update", "PartitionName=all", "State=DOWN")
        submitted = self.submit(*arguments)
        self.assertEqual(self.call("submit", "slurm", *arguments, code=5)["error"]["code"], "job-is-running")
        self.assertEqual({part["state"] for part in self.call("job", "status", submitted["id"])["parts"]}, {"waiting"})
        self.call("job", "cancel", submitted["id"])
        self.wait(submitted)
        self.assertEqual({part["state"] for part in self.call("job", "status", submitted["id"], code=1)["parts"]}, {"cancelled"})
        self.cluster.call("scontrol", "update", "PartitionName=all", "State=UP")
        again = self.submit(*arguments)
        self.wait(again)
        self.assertTrue(self.call("verify", self.source, out)["verified"])

    def test_the_time_limit(self) -> None:
        """A task that is told of its limit stops and is put into the queue again."""
        program = self.folder / "program"
        started = self.folder / "started"
        program.write_text(f"#!/bin/sh\necho x >>'{started}'\nif [ $(grep -c x '{started}') -le 1 ]; then trap 'exit 130' TERM; cat >/dev/null; "
                           f"while :; do sleep 0.1; done; fi\nexec '{os.environ.get('CAIRN_CLI', '')}' \"$@\"\n")
        program.chmod(0o755)
        out = self.folder / "out.safetensors"
        submitted = self.submit("consolidate", self.source, "-o", out, "--parts", 1, "--program", program)
        while not started.exists():
            time.sleep(0.05)
        time.sleep(1)
        self.cluster.call("scancel", "--batch", "--signal=USR1", f"{submitted['id']}_1")  # as Slurm does before the limit
        ends = time.monotonic() + 200  # Slurm starts a requeued task two minutes later
        while not out.exists():
            self.assertLess(time.monotonic(), ends, self.logs(submitted))
            self.cluster.call("scontrol", "update", f"JobId={submitted['id']}_1", "StartTime=now", check=False)
            time.sleep(0.5)
        self.assertIn("put into the queue again", (Path(submitted["logs"]) / "task-1.log").read_text())

    def test_options_of_sbatch(self) -> None:
        answer = subprocess.run([os.environ["CAIRN_CLI"], "submit", "slurm", "consolidate", self.source, "-o", self.folder / "o.safetensors",
                                 "--parts", "2", "--", "--partition=none"], capture_output=True, text=True, env=self.environment)
        self.assertEqual(answer.returncode, 3, answer.stdout)
        self.assertIn("invalid partition", answer.stderr.lower())


if __name__ == "__main__":
    unittest.main()
