# SPDX-License-Identifier: Apache-2.0
"""tests/interop/run_parts.py on small parts without a framework: what fails, and that parts do not see each other."""

import os
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

INTEROP = Path(__file__).resolve().parents[1] / "interop"
HEAD = "import os, subprocess, sys, time, unittest\nclass Part(unittest.TestCase):\n"
PARTS = {
    "fine": "    def test_one(self): pass\n    def test_two(self): pass\n",
    "red": "    def test_one(self): self.assertEqual(1, 2)\n    def test_two(self): pass\n",
    "empty": "    pass\n",
    "dies": "    def test_one(self): os.abort()\n",
    "exits": "    def test_one(self): os._exit(0)\n",
    "broken": "import no_such_module\n",
    "skips": "    @unittest.skip('no reason')\n    def test_one(self): pass\n",
    "devices": "    @unittest.skip('has a row in tests/skips.txt')\n    def test_one(self): pass\n    def test_two(self): pass\n",
    "patches": "    def test_one(self): subprocess.patched = os.environ['PATCHED'] = '1'; os.chdir('/')\n",
    "looks": "    def test_one(self): time.sleep(0.3); self.assertFalse(hasattr(subprocess, 'patched') or 'PATCHED' in os.environ or os.getcwd() == '/')\n",
    "home": "    def test_one(self):\n        for name in ('HOME', 'XDG_CACHE_HOME', 'XDG_STATE_HOME', 'XDG_RUNTIME_DIR', 'CAIRN_TEST_HOME'):\n"
            "            self.assertIn('/interop_home', os.environ[name])\n            self.assertTrue(os.path.isdir(os.environ[name]))\n",
    "endless": "    def test_one(self): time.sleep(60)\n",
}


class RunParts(unittest.TestCase):
    def setUp(self) -> None:
        holder = tempfile.TemporaryDirectory()
        self.addCleanup(holder.cleanup)
        self.folder = Path(holder.name)
        for name, body in PARTS.items():
            (self.folder / f"test_{name}.py").write_text(HEAD + body if name != "broken" else body)

    def run_parts(self, *names: str, limit: float = 60, options: tuple[str, ...] = ()) -> tuple[dict[str, list[str]], str]:
        """The failures of each part, as run_parts.py judges them, and what it prints."""
        program = ("import json, pathlib, sys, run_parts; run_parts.LIMIT_S = float(sys.argv[3])\n"
                   "done = run_parts.run_all(sys.argv[2].split(','), sys.argv[4:], pathlib.Path(sys.argv[1]))\n"
                   "print('RESULT', {part.name: part.failures for part in done})")
        done = subprocess.run([sys.executable, "-c", program, self.folder / "homes", ",".join(names), str(limit), *options],
                              env=os.environ | {"PYTHONPATH": f"{INTEROP}:{self.folder}"}, cwd=self.folder, capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, done.stderr)
        said, result = done.stdout.split("RESULT ")
        return eval(result), said

    def test_what_passes(self) -> None:
        failures, said = self.run_parts("fine", "devices", "home")
        self.assertEqual(failures, {"fine": [], "devices": [], "home": []})
        self.assertRegex(said, r"fine +2 tests .* passed\n")
        self.assertRegex(said, r"devices +2 tests .* passed, 1 left out\n")

    def test_what_fails(self) -> None:
        failures, said = self.run_parts("red", "empty", "dies", "exits", "broken", "skips", "fine")
        self.assertEqual(failures["red"], ["test_one (test_red.Part.test_one)"])
        self.assertEqual(failures["empty"], ["contains no test"])
        self.assertEqual(failures["dies"], ["ended with -6"])
        self.assertEqual(failures["exits"], ["contains no test"])
        self.assertIn("test_broken", failures["broken"][0])
        self.assertIn("skipped without a row in tests/skips.txt", failures["skips"][0])
        self.assertEqual(failures["fine"], [])
        self.assertEqual(said.count("FAILED"), 6)

    def test_parts_do_not_see_each_other(self) -> None:
        self.assertEqual(self.run_parts("patches", "looks", "patches", "looks")[0], {"patches": [], "looks": []})

    def test_a_part_that_does_not_end_is_killed(self) -> None:
        self.assertEqual(self.run_parts("endless", "fine", limit=1)[0], {"endless": ["ended with -9"], "fine": []})

    def test_some_tests_of_a_part(self) -> None:
        failures, said = self.run_parts("red", options=("-k", "test_two"))
        self.assertEqual(failures, {"red": []})
        self.assertRegex(said, r"red +1 tests .* passed\n")

    def test_the_program_fails_and_prints_the_output(self) -> None:
        def program(name: str) -> subprocess.CompletedProcess:
            return subprocess.run([sys.executable, INTEROP / "run_parts.py", name], env=os.environ | {"PYTHONPATH": str(self.folder)},
                                  capture_output=True, text=True)

        red = program("red")
        self.assertEqual(red.returncode, 1)
        self.assertIn("AssertionError: 1 != 2", red.stdout)
        self.assertIn("FAILED red: test_one (test_red.Part.test_one)\n", red.stdout)
        fine = program("fine")
        self.assertEqual(fine.returncode, 0)
        self.assertIn("2 tests in 1 parts, 0 parts failed\n", fine.stdout)


if __name__ == "__main__":
    unittest.main()
