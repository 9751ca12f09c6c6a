# SPDX-License-Identifier: Apache-2.0
"""Hostile files and folders, each opened with the program; see README.md.

CAIRN_CLI=build/dev/bin/cairn-cli python3 -m unittest discover -s tests/hostile [-k NAME]
CAIRN_SANITIZED=1: no memory limit, the text output of every third case only, and leaks are looked for only in the first run of a case: a run takes five times as long. CAIRN_CLI_SERVER: runs the program in forked children (cli_server.cpp), which is faster. CAIRN_HOSTILE_EVERY=1: every reading verb on every case.
CAIRN_HOSTILE_LIST=1: print the program's output instead of comparing it. CAIRN_HOSTILE_EXPECTED=1: print rows for expected.txt. CAIRN_HOSTILE_PART=2/4: every fourth case.
"""
import importlib
import json
import os
import pathlib
import resource
import signal
import subprocess
import sys
import tempfile
import time
import unittest

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "support"))
import driver
import table
from cli_server import CliServer

LIST = bool(os.environ.get("CAIRN_HOSTILE_LIST"))
SECONDS = 10          # seconds of processor time, independent of other load
MEMORY = 1 << 30      # of address space
WAIT = 180            # seconds of wall time, in case the program sleeps
EVERY = ("info", "ls", "tree", "check", "scan", "placement", "hash", "stats", "runs")
RECORD = bool(os.environ.get("CAIRN_HOSTILE_EXPECTED"))
SANITIZED = bool(os.environ.get("CAIRN_SANITIZED"))
slowest = []
server = None


def limits(as_nobody):
    def apply():
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        resource.setrlimit(resource.RLIMIT_CPU, (SECONDS, SECONDS + 1))
        if not SANITIZED:
            resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
        if as_nobody:
            driver.become_nobody()

    return apply


def picture(root):
    """Everything below a folder, to detect changes: name, kind, size, times."""
    seen = {}
    for place, folders, files in os.walk(root):
        for name in folders + files:
            status = os.lstat(os.path.join(place, name))
            seen[os.path.join(place, name)] = (status.st_mode, status.st_size, status.st_mtime_ns, status.st_ctime_ns)
    return seen


def no_constant(text):
    raise ValueError(f"{text} is no JSON")


class HostileTest(unittest.TestCase):
    maxDiff = None

    def run_cli(self, case, verb, arguments, text=False):
        command = [driver.program_for_nobody() if case.as_nobody else driver.CLI, verb, *(() if text else ("--json",)), *map(os.fspath, arguments)]
        start = time.monotonic()
        if server is not None and not case.as_nobody:
            done = server.run(command, find_leaks=verb == case.verb and not text)
        else:
            done = subprocess.run(command, capture_output=True, timeout=WAIT, preexec_fn=limits(case.as_nobody),
                                  stdin=subprocess.DEVNULL, check=False)
        slowest.append((time.monotonic() - start, f"{self.id().rsplit('.', 1)[-1]} {verb}"))
        self.assertGreaterEqual(done.returncode, 0, f"{verb}: signal {-done.returncode}: {done.stderr[-900:]!r}")
        self.assertIn(done.returncode, (0, 1, 2, 3, 4, 5), f"{verb}: {done.stderr[-900:]!r}")
        self.assertNotIn(table.DECOY.strip(), done.stdout + done.stderr, f"{verb}: another file's content is shown")
        if text:
            for line in (done.stdout + done.stderr).splitlines():
                self.assertFalse(set(line) & (set(range(32)) - {9}) or b"\xc2\x9b" in line or b"\xe2\x80\xae" in line,
                                 f"{verb}: control characters reach the terminal: {line[:300]!r}")
            return done.returncode, None
        try:
            answer = json.loads(done.stdout, parse_constant=no_constant)
        except ValueError as error:
            self.fail(f"{verb}: not JSON ({error}), exit {done.returncode}: {done.stdout[-300:]!r}"
                      f" {done.stderr[-900:]!r}")
        self.assertEqual(answer.get("schema"), "cairn/1")
        return done.returncode, answer

    def summary(self, case, answer, listed):
        """The entry of a case in expected.txt: all codes of the output, or the number of tensors."""
        if case.where == "fine":
            return f"{listed['totals']['tensors']} tensors"
        if case.where == "error":
            return answer["error"]["code"]
        return " ".join(sorted({row["code"] for row in answer[case.where]}))

    def judge(self, case, code, answer, path):
        message = f"exit {code}: {json.dumps(shortened(answer))}"
        failure = answer.get("error")
        if case.where == "error":
            self.assertIsNotNone(failure, message)
            if case.code:
                self.assertEqual(failure["code"], case.code, message)
            if failure["code"] not in table.USAGE and failure["code"] not in table.UNPLACED:
                self.assertTrue(failure["where"]["file"] or failure["where"]["tensor"], message)
            expected = case.exit if case.code else table.exit_of(failure["code"])
            self.assertEqual(code, expected, message)
            self.assertGreater(len(failure["message"]), 10, message)
            return
        self.assertIsNone(failure, message)
        if case.where == "verdict":
            self.assertEqual(answer["verdict"], case.code, message)
            self.assertEqual(code, 0 if answer["verdict"] in ("inert", "unknown-class") else 1, message)
            if answer["verdict"] == "would-run-code":
                self.assertTrue(answer["reasons"], message)
            return
        self.assertEqual(code, case.exit, message)
        said = [row["code"] for row in answer.get(case.where, answer.get("notices", answer.get("findings", [])))]
        if case.where == "fine":
            errors = [row for row in answer.get("notices", answer.get("findings", [])) if row["severity"] == "error"]
            self.assertEqual(errors, [], message)
        elif case.code:
            self.assertIn(case.code, said, message)
        rows = answer.get(case.where, [])
        self.assertTrue(not rows or any(row["where"]["file"] or row["where"]["tensor"] for row in rows), message)

    def show(self, case):
        with tempfile.TemporaryDirectory(prefix="cairn-hostile-") as root:
            os.chmod(root, 0o755)
            place = table.Place(root)
            path = case.build(place)
            before = picture(root)
            options = [option.replace("{open}", str(place.open)).replace("{outside}", str(place.outside))
                       for option in case.options]
            out = pathlib.Path(root) / "out.safetensors"
            if case.verb == "consolidate" and "-o" not in options:
                options += ["-o", out]
            code, answer = self.run_cli(case, case.verb, [path, *options])
            if LIST:
                print("\n" + case.name, case.verb, code, json.dumps(shortened(answer)))
            else:
                self.judge(case, code, answer, path)
            if not SANITIZED or case.number % 3 == 0:
                said, _ = self.run_cli(case, case.verb, [path, *options], text=True)
                self.assertEqual(said, code, "text and JSON end differently")
            answers = {case.verb: answer}
            verbs = EVERY if os.environ.get("CAIRN_HOSTILE_EVERY") else case.sweep
            for verb in [*verbs, "ls"] if case.where == "fine" else verbs:
                if verb not in answers:
                    _, answers[verb] = self.run_cli(case, verb, [path])
            if case.code is None:
                summary = self.summary(case, answer, answers.get("ls"))
                if RECORD:
                    print(f"\n{case.name}\t{summary}")
                else:
                    self.assertEqual(summary, case.expected, "expected.txt")
            self.assertFalse(place.canary.exists(), "the pickle was executed")
            self.assertEqual(picture(root), before, "something was written")
            for locked in place.open.rglob("*"):
                if not locked.is_symlink():
                    locked.chmod(0o755)


def shortened(answer):
    """What the program says, without what it lists."""
    failure = answer.get("error")
    if failure:
        return failure
    kept = ("verdict", "reasons", "complete", "notices", "findings", "output")
    return {key: value[:4] if isinstance(value, list) else value for key, value in answer.items() if key in kept}


def add_tests():
    """One test method for each case of this part; every row of expected.txt must be used."""
    part, parts = map(int, os.environ.get("CAIRN_HOSTILE_PART", "1/1").split("/"))
    number, expected = 0, table.rows_expected()
    for file in sorted(HERE.glob("cases_*.py")):
        module = importlib.import_module(file.stem)
        group = module.__name__.removeprefix("cases_")
        for case in module.cases():
            case.number = number = number + 1
            case.name = f"{group}_{case.name}"
            if case.code is None:
                case.expected = expected.pop(case.name, None)
            if number % parts != part - 1:
                continue
            name = f"test_{case.name}"
            assert not hasattr(HostileTest, name), name
            if not RECORD or case.code is None:
                setattr(HostileTest, name, lambda self, case=case: self.show(case))
    assert not expected, f"expected.txt has rows of no case: {sorted(expected)}"


def tearDownModule():
    worst = sorted(slowest, reverse=True)[:8]
    print(f"\n{len(slowest)} runs; longest:")
    for clock, name in worst:
        print(f"  {clock:6.2f} s  {name}")
    if server is not None:
        assert server.close() == 0, "the server failed"


def setUpModule():
    global server
    if program := os.environ.get("CAIRN_CLI_SERVER"):
        server = CliServer(program, SECONDS, WAIT, 0 if SANITIZED else MEMORY)


class Guard(unittest.TestCase):
    def test_there_are_enough(self):
        self.assertGreaterEqual(len([name for name in dir(HostileTest) if name.startswith("test_")]), 150)


add_tests()

if __name__ == "__main__":
    signal.signal(signal.SIGPIPE, signal.SIG_DFL)
    unittest.main()
