#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""`host:/path`: every golden sample through ssh equals the local one; verbs that run at their data; hosts and logins with
difficulties. The host is an sshd of this test on the loopback address (tests/support/ssh_host.py).

    CAIRN_CLI=build/dev/bin/cairn-cli python3 tests/cli/test_remote.py
"""

from __future__ import annotations

import ctypes
import json
import os
import pickle
import random
import re
import struct
import sys
import tempfile
import types
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "support"))
from driver import CLI, ROOT, SAMPLE, Answer, CliTest, run
from golden import samples
from made_files import floats, safetensors
from ssh_host import Relay, SshHost


def without_host(text: str) -> str:
    return text.replace("far:/", "/")


class RemoteTest(CliTest):
    """One host for all tests of a class, on which the program is installed already."""

    force = ""

    @classmethod
    def setUpClass(cls) -> None:
        holder = tempfile.TemporaryDirectory(prefix="cairn-far-")
        cls.addClassCleanup(holder.cleanup)
        cls.host = SshHost(Path(holder.name), cls.force)
        cls.addClassCleanup(cls.host.end)

    def setUp(self) -> None:
        super().setUp()
        self.environment |= {"PATH": self.host.path()}

    def far(self, *arguments: object, **more) -> Answer:
        return run(*arguments, cwd=self.folder, env=self.environment, **more)

    def same(self, verb: str, path: Path, *options: str) -> str:
        """What differs between the local answer and the host's."""
        here, there = self.far(verb, path, *options), self.far(verb, f"far:{path}", *options)
        if (here.code, here.text) != (there.code, without_host(there.text)):
            return f"{verb} {path}: {here.said()}\n--- there\n{there.said()}"
        return ""


def sparse_dcp(folder: Path, ranks: int, values: int) -> None:
    """A distributed checkpoint of plain values, as torch.distributed.checkpoint pickles its index."""
    names = ("torch", "torch.distributed", "torch.distributed.checkpoint", "torch.distributed.checkpoint.metadata", "torch.distributed.checkpoint.filesystem")
    before = {name: sys.modules.get(name) for name in names}
    sys.modules.update({name: types.ModuleType(name) for name in names})

    def kind(module: int, name: str) -> type:
        made = type(name, (), {"__module__": names[module]})
        setattr(sys.modules[names[module]], name, made)
        return made

    def make(of: type, **fields: object) -> object:
        made = of()
        made.__dict__.update(fields)
        return made

    Metadata, MetadataIndex, BytesStorageMetadata, StorageInfo = kind(3, "Metadata"), kind(3, "MetadataIndex"), kind(3, "BytesStorageMetadata"), kind(4, "_StorageInfo")
    folder.mkdir()
    states, places = {}, {}
    for rank in range(ranks):
        with (folder / f"__{rank}_0.distcp").open("wb") as file:
            for value in range(values):
                file.seek((value + 1) * 3_000_000_000)
                content = pickle.dumps({"value": rank * 100 + value, "text": "x" * 1000}, 4)
                name = f"extra.rank{rank}.value{value}"
                states[name] = make(BytesStorageMetadata)
                places[make(MetadataIndex, fqn=name, offset=None, index=None)] = make(
                    StorageInfo, relative_path=f"__{rank}_0.distcp", offset=file.tell(), length=len(content))
                file.write(content)
            file.truncate(20_000_000_000)
    with (folder / ".metadata").open("wb") as file:
        pickle.dump(make(Metadata, state_dict_metadata=states, planner_data=None, storage_data=places, storage_meta=None), file, 4)
    for name, module in before.items():
        if module is None:
            del sys.modules[name]
        else:
            sys.modules[name] = module


def opened(folder: Path, work) -> dict[str, int]:
    """How often each file of a folder is opened during some work."""
    libc, counts = ctypes.CDLL(None), {}
    events = libc.inotify_init1(os.O_NONBLOCK)
    libc.inotify_add_watch(events, os.fsencode(folder), 0x20) # IN_OPEN
    work()
    data, at = os.read(events, 1 << 20), 0
    os.close(events)
    while at < len(data):
        length = struct.unpack_from("iIII", data, at)[3]
        name = os.fsdecode(data[at + 16:at + 16 + length].rstrip(b"\0"))
        counts[name] = counts.get(name, 0) + 1
        at += 16 + length
    return counts


class Values(RemoteTest):
    def test_golden_samples_are_equal(self) -> None:
        """Each run reads another share; CAIRN_ALL_SAMPLES=1: all."""
        every = [path for _, path in samples()]
        chosen = every if os.environ.get("CAIRN_ALL_SAMPLES") else random.sample(every, 4)
        wrong = [self.same(verb, path, "--json") for path in chosen for verb in ("ls", "info", "tree", "placement")]
        wrong += [self.hash_here(path) for path in chosen]
        self.assertEqual([each for each in wrong if each], [])

    def hash_here(self, path: Path) -> str:
        """A local path beside the remote one: the bytes come here. Of an incomplete sample diff says so."""
        here, there = (self.far("diff", first, path, "--values", "--json") for first in (path, f"far:{path}"))

        def found(answer: Answer) -> tuple:
            return answer.code, answer.json["same"], [row["name"] for row in answer.json["changed"]]

        return "" if found(here) == found(there) else f"diff {path}: {here.said()}\n--- there\n{there.said()}"

    def test_verbs_run_at_their_data(self) -> None:
        path = SAMPLE / "tiny-llama-a/step-400"
        for verb in ("stats", "hash", "check", "scan"):
            self.assertEqual(self.same(verb, path, "--json"), "")
        answer = self.far("stats", f"far:{path}")
        self.assertIn("cairn-cli: runs on far\n", answer.errors)
        for verb in ("runs", "history", "space", "dupes"):
            self.assertEqual(self.same(verb, SAMPLE / "tiny-llama-a", "--json"), "")

    def test_a_recorded_job_runs_here(self) -> None:
        """`job run`, as the window runs and resumes jobs: sources may be elsewhere, the output is here."""
        here, direct, there, path = self.folder / "here.safetensors", self.folder / "direct.safetensors", self.folder / "there.safetensors", SAMPLE / "tiny-llama-a/step-400"
        plan = self.far("plan", "consolidate", f"far:{path}", "-o", here, "--json")
        self.assertEqual(plan.json["command"], ["consolidate", f"far:{path}", f"--output={here}"], plan.said())
        (self.folder / "plan.json").write_text(plan.text)
        answer = self.far("job", "run", "plan.json", "--json")
        self.assertEqual((answer.code, answer.json["output"], answer.json["verified"]), (0, str(here), True), answer.said())
        self.assertEqual(self.far("consolidate", path, "-o", direct).code, 0)
        self.assertEqual(direct.read_bytes(), here.read_bytes())
        (self.folder / "plan.json").write_text(json.dumps(plan.json | {"command": ["consolidate", f"far:{path}", f"--output=far:{there}"]}))
        self.refuses_output("plan.json", there)

    def refuses_output(self, plan: str, there: Path) -> None:
        answer = self.far("job", "run", plan)
        self.assertNotEqual(answer.code, 0, answer.said())
        self.assertIn("cannot be written on another machine", answer.errors)
        self.assertIn("A command whose paths are all on one host runs there", answer.errors)
        self.assertFalse(there.exists())
        self.assertFalse((self.folder / "far:").exists())

    def test_a_plan_of_the_host_names_the_host(self) -> None:
        """`job run` of it must not take the host's paths for those of this machine."""
        safetensors(self.host.home / "model.safetensors", {"a": ("F32", [1], floats(1))})
        there, home = self.folder / "there.safetensors", self.host.home / "model.safetensors"
        for source in (f"far:{home}", "far:~/model.safetensors"):
            plan = self.far("plan", "consolidate", source, "-o", f"far:{there}", "--rename", "a=/b", "--json")
            self.assertIn("runs on far", plan.errors)
            self.assertEqual(plan.json["command"], ["consolidate", f"far:{home}", f"--output=far:{there}", "--rename=a=/b"], plan.said())
            self.assertEqual(plan.json["output"]["path"], str(there))
            (self.folder / "plan.json").write_text(plan.text)
            self.refuses_output("plan.json", there)
        self.assertEqual(self.far("plan", "consolidate", "far:/nowhere", "-o", "far:/x", "--json").json["error"]["code"], "not-found")

    def test_a_path_without_a_host_is_here(self) -> None:
        """Also if it does not exist here: a file of the same name on the host is another file."""
        source, there = self.folder / "model.safetensors", self.folder / "there.safetensors"
        safetensors(source, {"a": ("F32", [1], floats(1))})
        for words in (["cast", f"far:{source}", "-o", f"far:{there}", "--dtype", "bf16", "--sign", "/nowhere.pem"],
                      ["average", f"far:{source}", "/nowhere", "-o", f"far:{there}"],
                      ["convert", f"far:{source}", "-o", f"far:{there}", "--for", "torch", "--like=/nowhere"],
                      ["diff", f"far:{source}", "/nowhere"], ["diff", "/nowhere", f"far:{source}"],
                      ["verify", f"far:{source}", "--signature", "/nowhere", "--key", "/nowhere.pem"]):
            answer = self.far(*words)
            self.assertNotIn("runs on far", answer.errors, words)
            self.assertGreaterEqual(answer.code, 2, answer.said())
            self.assertFalse(there.exists(), words)

    def test_hdf5_that_contains_a_pickle(self) -> None:
        """The text of an attribute, which PyTables would load."""
        data = (ROOT / "tests/data/keras/program.weights.h5").read_bytes()
        path = self.folder / "x.weights.h5"
        path.write_bytes(data.replace(b"functional_1", b"cos\nsystem\n."))
        self.assertEqual(self.far("info", path, "--json").json["pickle"], "would-run-code")
        self.assertEqual(self.same("info", path, "--json"), "")

    def test_exit_codes_and_errors_come_back(self) -> None:
        missing = self.far("hash", "far:/nowhere", "--json")
        self.assertEqual((missing.code, missing.json["error"]["code"]), (3, "not-found"))
        missing = self.far("ls", "far:/nowhere")
        self.assertEqual(missing.code, 3)
        self.assertIn("far:/nowhere", missing.errors)
        self.assertEqual(self.far("stats", "far:/x", "--no-such-option").code, 2)

    def test_a_job_writes_where_its_output_is_named(self) -> None:
        source = self.folder / "model.safetensors"
        safetensors(source, {"a": ("F32", [4], floats(1, 2, 3, 4))})
        there = self.folder / "there.safetensors"
        done = self.far("cast", f"far:{source}", "-o", f"far:{there}", "--dtype", "bf16")
        self.assertEqual(done.code, 0, done.said())
        self.assertTrue(there.exists())
        self.assertIn("runs on far", done.errors)
        here = self.far("cast", f"far:{source}", "-o", "here.safetensors", "--dtype", "bf16")
        self.assertEqual(here.code, 0, here.said())
        self.assertNotIn("runs on far", here.errors)
        self.assertEqual((self.folder / "here.safetensors").read_bytes(), there.read_bytes())

        self.assertEqual(there.stat().st_mode & 0o777, (self.folder / "here.safetensors").stat().st_mode & 0o777)

    def test_a_job_is_the_same_in_every_folder(self) -> None:
        """A place on another machine does not depend on the folder of the process, and is not published."""
        for name, value in (("a", 1.0), ("b", 3.0)):
            safetensors(self.folder / f"{name}.safetensors", {"t": ("F32", [4], floats(value, 2, 3, 4))})
        far = [f"far:{self.folder}/{name}.safetensors" for name in "ab"]
        for job in (["consolidate", far[0]], ["average", *far]):
            digests = set()
            for place in (Path("/"), self.folder):
                answer = run("plan", *job, "-o", self.folder / "m.safetensors", "--json", cwd=place, env=self.environment)
                self.assertEqual(answer.code, 0, answer.said())
                self.assertNotIn(f"{place}/far:".replace("//", "/"), answer.text)
                digests.add(answer.json["digest"])
            self.assertEqual(len(digests), 1, job)
            done = self.far(*job, "-o", f"{job[0]}.safetensors")
            self.assertEqual(done.code, 0, done.said())
            manifest = (self.folder / f"{job[0]}.safetensors.cairn.json").read_text()
            self.assertNotIn(str(self.folder), manifest)
            self.assertNotIn("far:", manifest)
        compared = self.far("verify", far[1], "average.safetensors", "--json")
        self.assertEqual((compared.code, compared.json["verified"]), (0, True), compared.said())

    def test_an_output_is_never_written_here_instead(self) -> None:
        source = self.folder / "model.safetensors"
        safetensors(source, {"a": ("F32", [4], floats(1, 2, 3, 4))})
        for verb, *options in (("cast", "--dtype", "bf16"), ("export", "--tensor", "a"), ("pack",)):
            name = "far:/x.csv" if verb == "export" else "far:/x.safetensors"
            for plan in ((), ("plan",)) if verb == "cast" or verb == "pack" else ((),):
                answer = self.far(*plan, verb, source, "-o", name, *options)
                self.assertNotEqual(answer.code, 0)
                self.assertIn("cannot be written on another machine", answer.errors)
        self.assertFalse((self.folder / "far:").exists())

    def test_options_before_and_within_words(self) -> None:
        path = SAMPLE / "tiny-llama-a/step-400"
        local = self.far("hash", path, "--json")
        for words in (("--json", "hash", f"far:{path}"), ("--progress", "json", "hash", f"far:{path}", "--json")):
            answer = self.far(*words)
            self.assertIn("runs on far\n", answer.errors)
            self.assertEqual(without_host(answer.text), local.text)
        source, there = self.folder / "model.safetensors", self.folder / "attached.safetensors"
        safetensors(source, {"a": ("F32", [4], floats(1, 2, 3, 4))})
        done = self.far("cast", f"far:{source}", f"-ofar:{there}", "--dtype", "bf16")
        self.assertIn("runs on far\n", done.errors)
        self.assertTrue(there.exists(), done.said())
        here = self.far("cast", f"far:{source}", f"-o{self.folder}/local.safetensors", "--dtype", "bf16")
        self.assertNotIn("runs on", here.errors)
        self.assertEqual(here.code, 0, here.said())

    def test_the_home_folder_there(self) -> None:
        safetensors(self.host.home / "model.safetensors", {"a": ("F32", [1], floats(1))})
        for name in ("far:~/model.safetensors", "ssh://far/~/model.safetensors"):
            for verb in ("hash", "ls"):
                answer = self.far(verb, name)
                self.assertEqual(answer.code, 0, answer.said())

    def test_other_urls_start_no_ssh(self) -> None:
        path = SAMPLE / "tiny-llama-a/step-400"
        for verb in ("hash", "stats"):
            answer = self.far(verb, f"file://{path}", "--json")
            self.assertEqual((answer.code, answer.text), (0, self.far(verb, path, "--json").text))
            answer = self.far(verb, "s3://bucket/x")
            self.assertIn("of this kind are not supported", answer.errors)
            self.assertNotIn("runs on", answer.errors)

    def test_a_local_path_with_a_colon_is_local(self) -> None:
        (self.folder / "far:").mkdir()
        safetensors(self.folder / "far:/model.safetensors", {"a": ("F32", [1], floats(1))})
        self.assertNotIn("runs on", self.far("hash", "far:/model.safetensors").errors)


class Install(RemoteTest):
    def test_the_program_is_stored_once_and_privately(self) -> None:
        for _ in range(2):
            answer = self.far("ls", f"far:{SAMPLE}/hf-export")
            self.assertEqual(answer.code, 0, answer.said())
        stored = sorted(self.host.home.glob(".cache/cairn/serve/*"))
        self.assertEqual(len(stored), 1, stored)
        self.assertEqual(sorted(each.name for each in stored[0].iterdir()), ["cairn-cli"])
        self.assertEqual((stored[0] / "cairn-cli").read_bytes(), Path(CLI).read_bytes())
        for each in (stored[0].parent, stored[0], stored[0] / "cairn-cli"):
            self.assertEqual(each.stat().st_mode & 0o077, 0, each)


class Logins(CliTest):
    """Hosts with difficulties: one sshd each."""

    def on(self, force: str = "", **options: str) -> SshHost:
        host = SshHost(self.folder / f"host-{len(list(self.folder.iterdir()))}", force)
        self.addCleanup(host.end)
        if options:
            host.connect_to(host.port, **options)
        self.environment |= {"PATH": host.path()}
        return host

    def asked(self) -> Answer:
        return run("ls", f"far:{SAMPLE}/hf-export", cwd=self.folder, env=self.environment)

    def refused(self, *parts: str, code: int = 3) -> None:
        answer = self.asked()
        self.assertEqual(answer.code, code, answer.said())
        for part in parts:
            self.assertIn(part, answer.errors)

    def test_a_banner_and_other_shells(self) -> None:
        for shell in ("/bin/sh -c", "fish -c"):
            self.on(f'printf "Welcome\\nto the cluster, no line end"; {shell} "$SSH_ORIGINAL_COMMAND"')
            answer = self.asked()
            self.assertEqual(answer.code, 0, answer.said())

    def test_no_shell(self) -> None:
        self.on('echo "This account is currently not available."; exit 1')
        self.refused("far", "not available")

    def test_a_changed_and_an_unknown_key(self) -> None:
        host = self.on()
        (host.folder / "known").write_text(f"far {(host.folder / 'user.pub').read_text()}")
        self.refused("has changed", "ssh-keygen -R")
        (host.folder / "known").write_text("")
        self.refused("key is unknown")

    def test_a_refused_key_and_no_host(self) -> None:
        host = self.on()
        (host.folder / "authorized").write_text("")
        self.refused("refused to log in", "ssh-add")
        host.connect_to(1)
        self.refused("refuses connections")
        host.connect_to(host.port, HostName="nowhere.invalid")
        self.refused("name is unknown")

    def test_no_folder_for_the_program(self) -> None:
        """An uname of another processor, and a df that finds no space."""
        host = self.on()
        bin = host.home / "bin"
        bin.mkdir()
        (bin / "uname").write_text('#!/bin/sh\n[ "$1" = -m ] && echo riscv64 || echo Linux\n')
        (bin / "df").write_text('#!/bin/sh\necho head\necho x 1 1 5 1% /\n')
        (bin / "df").chmod(0o755)
        text = (host.folder / "server").read_text().replace("PATH=/usr/bin", f"PATH={bin}:/usr/bin")
        host.end()
        (host.folder / "server").write_text(text)
        host.daemon = host.start()
        self.refused("no folder for the program", "has only 5 kB left", code=4)
        (bin / "uname").chmod(0o755)
        self.refused("different kind of processor", "riscv64")


class Faults(RemoteTest):
    def test_cut_connections(self) -> None:
        """The bytes are right, or there is an error: never a hang, never a wrong result."""
        path = SAMPLE / "tiny-llama-a/step-400"
        local = self.far("placement", path, "--json")
        self.far("ls", f"far:{path}") # installed
        outcomes = []
        some = [(random.randrange(1, 120_000), random.choice((1, 9))) for _ in range(5)]
        for cut, cuts in [(60_000, 1), *some]: # the first: after the login
            relay = Relay(self.host.port, cut=cut, cuts=cuts)
            self.host.connect_to(relay.port)
            answer = self.far("placement", f"far:{path}", "--json", timeout=60)
            relay.end()
            outcomes.append(answer.code)
            if answer.code == 0:
                self.assertEqual(without_host(answer.text), local.text)
            else:
                self.assertEqual(answer.code, 3, answer.said())
        self.host.connect_to(self.host.port)
        self.assertEqual(outcomes[0], 0)
        self.assertEqual(self.far("ls", f"far:{path}").code, 0)

    def cut_info(self, path: Path, at: int) -> Answer:
        relay = Relay(self.host.port, cut=at, cuts=99)
        self.host.connect_to(relay.port)
        answer = self.far("info", f"far:{path}", "--json", timeout=120)
        relay.end()
        self.host.connect_to(self.host.port)
        return answer

    def test_what_a_lost_host_did_not_send_is_not_judged(self) -> None:
        """A pickle whose end runs a program, and a checkpoint of many tensors: an error, or the verdict that holds."""
        pickled = self.folder / "long.pkl"
        pickled.write_bytes(b"(" + b"".join(b"S'%s'\n" % bytes(97 + (i + j) % 26 for j in range(60)) for i in range(8500)) + b"lcos\nsystem\n(S'true'\ntR.")
        trained = SAMPLE / "tiny-llama-a/step-400"
        self.far("info", f"far:{pickled}") # installed
        complete = self.far("info", trained, "--json").json["complete"]
        for at in (70_000, 130_000, 240_000):
            answer = self.cut_info(pickled, at)
            if answer.code == 0:
                self.assertIn(answer.json.get("pickle"), ("would-run-code", "not-examined"), answer.said())
        for at in (12_000, 30_000, 60_000):
            answer = self.cut_info(trained, at)
            if answer.code == 0:
                self.assertIn(answer.json["complete"], (complete, "unknown"), answer.said())

    def test_round_trips(self) -> None:
        """80 ms: counted by the program (-v)."""
        self.far("ls", f"far:{SAMPLE}/hf-export")
        relay = Relay(self.host.port, delay=0.04)
        self.host.connect_to(relay.port)
        for _, path in random.sample(samples(), 3):
            answer = self.far("ls", f"far:{path}", "-v")
            requests = int(re.search(r"far: (\d+) requests", answer.errors)[1])
            self.assertLessEqual(requests, 8, f"{path}: {answer.errors}")
        relay.end()
        self.host.connect_to(self.host.port)

    def traffic(self, *arguments: object) -> tuple[int, int, int, str]:
        answer = self.far(*arguments, "-v")
        self.assertEqual(answer.code, 0, answer.said())
        found = re.search(r"far: (\d+) requests, (\d+) bytes received, (\d+) of them of files", answer.errors)
        return int(found[1]), int(found[2]), int(found[3]), answer.text

    def test_values_of_a_large_sharded_checkpoint_come_together(self) -> None:
        """8 ranks of 20 GB (sparse), whose values are far from each other and from the ends of the files."""
        folder = self.folder / "sparse"
        sparse_dcp(folder, ranks=8, values=5)
        requests, received, content, text = self.traffic("tree", f"far:{folder}", "--json")
        self.assertEqual(without_host(text), self.far("tree", folder, "--json").text)
        self.assertLessEqual(requests, 8)
        self.assertLessEqual(received, 2_000_000)
        self.assertGreater(content, 0)

    def test_here_each_shard_is_opened_once(self) -> None:
        """And one at a time: what is fetched together from another machine is not held open on this one."""
        folder = self.folder / "sparse"
        sparse_dcp(folder, ranks=12, values=3)
        counts = opened(folder, lambda: self.assertEqual(self.far("ls", folder).code, 0))
        shards = sorted(count for name, count in counts.items() if name.endswith(".distcp"))
        self.assertEqual(shards, [1] * 12, counts)

    def test_a_second_opening_moves_no_bytes_of_files(self) -> None:
        path = SAMPLE / "tiny-llama-a/step-400"
        first = self.traffic("info", f"far:{path}", "--json")
        second = self.traffic("info", f"far:{path}", "--json")
        self.assertLessEqual(first[0], 8)
        self.assertGreater(first[2], 10_000)
        self.assertEqual((second[2], second[3]), (0, first[3]))
        blocks = list((Path(self.environment["XDG_CACHE_HOME"]) / "cairn/blocks").iterdir())
        self.assertTrue(blocks)
        self.assertEqual({each.stat().st_mode & 0o777 for each in blocks}, {0o600})


if __name__ == "__main__":
    unittest.main()
