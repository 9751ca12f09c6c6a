# SPDX-License-Identifier: Apache-2.0
"""packaging/test.sh with stand-ins for the compiler, ctest and pip that record how they were called: what each of its two
commands builds and runs, and that a failure anywhere is its failure."""

import os
import re
import shutil
import subprocess
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
LISTED = """case "$*" in
*build/asan*-N*) echo "  Test #1: base"; echo "  Test #2: jobs"; echo "  Test #3: cli";;
*-N*sanitized*) echo "  Test #2: jobs"; echo "  Test #3: cli"; echo "  Test #9: ui_theme";;
*-N*) for test in base jobs cli ui_theme $MORE; do echo "  Test #1: $test"; done;;
esac
"""


class TestScript(unittest.TestCase):
    def setUp(self) -> None:
        holder = tempfile.TemporaryDirectory()
        self.addCleanup(holder.cleanup)
        self.folder = Path(holder.name).resolve()
        for folder in ("packaging", "tests/interop"):
            shutil.copytree(ROOT / folder, self.folder / folder, ignore=shutil.ignore_patterns("__pycache__"))
        self.calls = self.folder / "calls"
        for name, then in {"cmake": 'case "$*" in *"$BROKEN"*) echo "error: broken" >&2; exit 1;; esac', "ctest": LISTED}.items():
            self.stand_in(self.folder / "tools" / name, then)
        self.stand_in(self.folder / "tools/dpkg-query", "echo install ok installed")
        for name in ("python", "pip"):
            self.stand_in(self.folder / "build/venv/bin" / name, "echo 11")
        shutil.copy(ROOT / "tests/interop/requirements.txt", self.folder / "build/venv")
        # what is after the tests of the release build and needs a real program: as if there were none
        for name in ("static.sh", "wheel.sh"):
            self.stand_in(self.folder / "packaging" / name, "mkdir -p out/release build/static/bin tests/cli tests/python tests/support; "
                          "touch out/release/cairn_cli-1.whl tests/cli/test_try.py tests/cli/test_cli.py; echo 'shift; echo \"Ran 1\"' >tests/support/run_test.sh")
        self.stand_in(self.folder / "tools/python3", 'case "$*" in *ledger.py) exec /usr/bin/env -i PATH=/usr/bin:/bin python3 "$@";; '
                      '"-m venv build/static/venv") mkdir -p build/static/venv/bin; for each in pip cairn-cli; do '
                      'printf "#!/bin/sh\\n" >build/static/venv/bin/$each; chmod +x build/static/venv/bin/$each; done;; esac')
        (self.folder / "build/asan/bin").mkdir(parents=True)
        self.stand_in(self.folder / "build/asan/bin/fuzz_zip", "echo number_of_executed_units: 5")

    def stand_in(self, path: Path, then: str = ":") -> None:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.unlink(missing_ok=True)
        path.write_text(f'#!/bin/sh\necho "{path.name} $*" >> {self.calls}\n{then}\n')
        path.chmod(0o755)

    def script(self, *words: str, **variables: str) -> tuple[int, str, list[str]]:
        """Exit code, output, and the calls of cmake and ctest."""
        environment = os.environ | {"PATH": f"{self.folder}/tools:{os.environ['PATH']}", "BROKEN": "nothing is", "MORE": ""} | variables
        done = subprocess.run([self.folder / "packaging/test.sh", *words], env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        calls = self.calls.read_text().splitlines() if self.calls.exists() else []
        return done.returncode, done.stdout, [call for call in calls if call.startswith(("cmake", "ctest"))]

    def test_the_release_build(self) -> None:
        code, said, calls = self.script()
        self.assertEqual(code, 0, said)
        tests = [call for call in calls if call.startswith("ctest")]
        self.assertEqual(len(tests), 1)
        self.assertRegex(tests[0], r"--test-dir build/release .*-LE heavy$")
        self.assertFalse([call for call in calls if "asan" in call or "tsan" in call or "gpu" in call])
        self.assertIn("-DCAIRN_NATIVE_TESTS=OFF", calls[0])
        self.assertRegex(said, r"megatron +never\n")
        self.assertTrue(said.rstrip().endswith("All of it passed"))

    def test_all(self) -> None:
        code, said, calls = self.script("all")
        self.assertEqual(code, 0, said)
        tests = [call for call in calls if call.startswith("ctest") and " -N" not in call]
        for what in (r"build/release .*-LE heavy\|sanitized$", r"build/asan .*-L unit\|conformance\|hostile\|cli\|fuzz$", r"build/gpu",
                     r"build/tsan .*-R \^\(jobs\|model\|analysis\|ui_async_runner\)\$$"):
            self.assertTrue([call for call in tests if re.search(what, call)], what)
        self.assertIn("Of 4 tests 3 on the release build, 3 under sanitizers, on both 2, on neither 0", said)
        self.assertIn("fuzz_zip: number_of_executed_units: 5", said)
        self.assertRegex(said, r"megatron +never\n")

    def test_a_test_that_no_list_has(self) -> None:
        code, said, _ = self.script("all", MORE="orphan")
        self.assertEqual(code, 1)
        self.assertIn("neither run on the release build nor under sanitizers:\norphan\n", said)

    def test_a_build_that_fails(self) -> None:
        for broken, words in (("--build build/release", ()), ("--build build/asan", ("all",)), ("--preset tsan", ("all",))):
            with self.subTest(broken):
                code, said, _ = self.script(*words, BROKEN=broken)
                self.assertEqual(code, 1)
                self.assertIn("error: broken", said)
                self.assertNotIn("All of it passed", said)

    def test_frameworks_that_cannot_be_installed(self) -> None:
        (self.folder / "build/venv/requirements.txt").unlink()
        self.stand_in(self.folder / "build/venv/bin/pip", "echo error: no network; exit 1")
        code, said, _ = self.script()
        self.assertEqual(code, 1)
        self.assertIn("error: no network", said)
        self.assertNotIn("Tests on the release build", said)

    def test_other_words_are_refused(self) -> None:
        code, said, calls = self.script("quick")
        self.assertEqual((code, calls), (2, []))
        self.assertIn("packaging/test.sh all", said)


if __name__ == "__main__":
    unittest.main()
