# SPDX-License-Identifier: Apache-2.0
"""The ledger of the heavy suites (tests/interop/ledger.py), on a small repository."""

import datetime
import os
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

INTEROP = Path(__file__).resolve().parents[1] / "interop"
sys.path.insert(0, str(INTEROP))
import ledger

HEAD = "# The last run of each heavy suite\n"


class Ledger(unittest.TestCase):
    def setUp(self) -> None:
        holder = tempfile.TemporaryDirectory()
        self.addCleanup(holder.cleanup)
        self.root = Path(holder.name)
        self.git("init", "-q", "-b", "main")
        self.file = self.root / "tests/ledger.txt"
        self.file.parent.mkdir()
        self.file.write_text(HEAD + "jax | never\nsigning | never\n")
        (self.root / "core").mkdir()
        self.first = self.commit("core/a.cpp")

    def git(self, *words: str) -> str:
        identity = ("-c", "user.name=Test", "-c", "user.email=test@example.org", "-c", "commit.gpgsign=false", "-c", "tag.gpgsign=false")
        return subprocess.run(["git", "-C", self.root, *identity, *words], check=True, capture_output=True, text=True).stdout.strip()

    def commit(self, name: str) -> str:
        """A commit that adds this file; its short name."""
        (self.root / name).write_text(name)
        self.git("add", "-A")
        self.git("commit", "-q", "-m", f"Add {name}")
        return self.git("rev-parse", "--short=8", "HEAD")

    def rows(self) -> dict:
        return ledger.read(self.file)

    def test_a_run_is_recorded_with_commit_date_and_count(self) -> None:
        said = ledger.record("jax", 41, file=self.file)
        self.assertIn("recorded in tests/ledger.txt: 41 tests at " + self.first, said)
        self.assertEqual(self.rows(), {"jax": ledger.Run(self.first, datetime.date.today().isoformat(), 41), "signing": None})
        self.assertTrue(self.file.read_text().startswith(HEAD))
        self.assertIn("recorded", ledger.record("signing", 4, file=self.file), "the ledger's own change does not matter")
        self.assertEqual(self.rows()["signing"].tests, 4)

    def test_a_changed_checkout_is_not_recorded(self) -> None:
        for name in ("core/a.cpp", "tests/new.py"):
            with self.subTest(name):
                before = (self.root / name).read_text() if (self.root / name).exists() else None
                (self.root / name).write_text("changed")
                self.assertIn("the checkout has changes", ledger.record("jax", 41, file=self.file))
                self.assertIsNone(self.rows()["jax"])
                (self.root / name).unlink() if before is None else (self.root / name).write_text(before)
        self.assertIn(": recorded", ledger.record("jax", 41, file=self.file))

    def test_a_program_that_is_older_than_its_sources_is_not_recorded(self) -> None:
        program = self.root.with_name(self.root.name + "-cairn-cli")
        program.write_text("")
        self.addCleanup(program.unlink)
        os.utime(program, (1_000_000_000, 1_000_000_000))
        self.assertIn("is older than its sources", ledger.record("jax", 41, str(program), self.file))
        self.assertIsNone(self.rows()["jax"])
        os.utime(program)
        self.assertIn(": recorded", ledger.record("jax", 41, str(program), self.file))

    def test_outside_a_checkout_nothing_is_recorded(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder) / "ledger.txt"
            file.write_text("jax | never\n")
            self.assertIn("not a git checkout", ledger.record("jax", 41, file=file))
            self.assertEqual(file.read_text(), "jax | never\n")

    def test_what_a_release_refuses(self) -> None:
        run = ledger.Run(self.first, "2026-11-27", 41)
        self.assertEqual(ledger.problem(None, self.file), "never ran")
        self.assertEqual(ledger.problem(run, self.file), "")
        self.assertIn("not in the history", ledger.problem(ledger.Run("0123abcd", "2026-11-27", 41), self.file))
        self.commit("core/b.cpp")
        self.git("tag", "v1")
        self.assertEqual(ledger.problem(run, self.file), "", "the tag of the release itself")
        tagged = self.git("rev-parse", "--short=8", "HEAD")
        self.commit("core/c.cpp")
        self.assertEqual(ledger.problem(run, self.file), "ran before the release v1")
        self.assertEqual(ledger.problem(ledger.Run(tagged, "2026-11-27", 41), self.file), "")

    def test_three_hundred_commits_are_too_many(self) -> None:
        run = ledger.Run(self.first, "2026-11-27", 41)
        stream = []
        for i in range(1, ledger.MOST_COMMITS + 1):
            stream.append(f"commit refs/heads/main\ncommitter T <t@example.org> {1_800_000_000 + i} +0000\ndata 1\nx\n"
                          + ("from refs/heads/main^0\n" if i == 1 else ""))
        subprocess.run(["git", "-C", self.root, "fast-import", "--quiet"], input="".join(stream), text=True, check=True)
        self.assertEqual(ledger.commits_since(run, self.file), 300)
        self.assertEqual(ledger.problem(run, self.file), "")
        self.git("commit", "-q", "--allow-empty", "-m", "One more")
        self.assertEqual(ledger.problem(run, self.file), "ran 301 commits ago; the limit is 300")

    def test_a_row_is_short(self) -> None:
        self.assertEqual(ledger.row("jax", None, self.file), "jax                never")
        run = ledger.Run(self.first, "2026-11-27", 41)
        self.assertEqual(ledger.row("jax", run, self.file), "jax                  41 tests on 2026-11-27, 0 commits ago")

    def test_the_real_one_names_every_heavy_suite(self) -> None:
        text = (INTEROP / "CMakeLists.txt").read_text()
        heavy = text.split("HEAVY_PARTS", 1)[1].split(")", 1)[0].split()
        self.assertEqual(sorted(heavy), list(ledger.read()))


if __name__ == "__main__":
    unittest.main()
