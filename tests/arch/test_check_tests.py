# SPDX-License-Identifier: Apache-2.0
"""check_tests.py on a small tree: what it must refuse."""

import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

CHECK = Path(__file__).resolve().with_name("check_tests.py")
LISTS = 'cairn_test(jobs SOURCES engine_test.cpp resume_test.cpp NEEDS cairn::jobs LABEL unit TIMEOUT 300{native})\n'


class CheckTests(unittest.TestCase):
    def setUp(self) -> None:
        holder = tempfile.TemporaryDirectory()
        self.addCleanup(holder.cleanup)
        self.root = Path(holder.name)
        self.write("CMakeLists.txt", "")
        self.write("tests/skips.txt", "# rows\n")
        self.write("tests/jobs/CMakeLists.txt", LISTS.format(native=""))
        self.write("tests/jobs/engine_test.cpp", "TEST(Engine, Copies) {}\n")
        self.write("tests/jobs/resume_test.cpp", "TEST(Resume, Resumes) {}\n")

    def write(self, name: str, text: str) -> None:
        (self.root / name).parent.mkdir(parents=True, exist_ok=True)
        (self.root / name).write_text(text)

    def check(self) -> tuple[int, str]:
        done = subprocess.run([sys.executable, CHECK, self.root], capture_output=True, text=True)
        return done.returncode, done.stdout

    def test_a_tree_in_which_every_test_runs(self) -> None:
        self.assertEqual(self.check(), (0, "every test runs\n"))

    def test_what_a_sanitizer_leaves_out(self) -> None:
        for text in ("TEST(Resume, AJobKilledAtAnyCall) {}\n", "TEST_F(ResumeKills, AtAnyCall) {}\n",
                     'const bool kFew = std::getenv("CAIRN_SANITIZED") != nullptr;\n', "#if defined(__SANITIZE_ADDRESS__)\n"):
            with self.subTest(text):
                self.write("tests/jobs/resume_test.cpp", text)
                self.write("tests/jobs/CMakeLists.txt", LISTS.format(native=""))
                code, said = self.check()
                self.assertEqual(code, 1)
                self.assertIn("tests/jobs/resume_test.cpp", said)
                self.assertIn("jobs must be NATIVE", said)
                self.write("tests/jobs/CMakeLists.txt", LISTS.format(native=" NATIVE"))
                self.assertEqual(self.check(), (0, "every test runs\n"))

    def test_a_test_below_main(self) -> None:
        self.write("tests/jobs/CMakeLists.txt", LISTS.format(native="") + "share\n")
        main = 'if __name__ == "__main__":\n    unittest.main()\n'
        self.write("tests/jobs/test_share.py", "class Share:\n    def test_a(self):\n        pass\n\n\n" + main)
        self.assertEqual(self.check(), (0, "every test runs\n"))
        self.write("tests/jobs/test_share.py", "\n" + main + "\n    def test_a(self):\n        pass\n")
        code, said = self.check()
        self.assertEqual(code, 1)
        self.assertIn("test_a is below the call of main", said)

    def test_a_program_in_no_list(self) -> None:
        self.write("tests/jobs/share_test.cpp", "")
        self.assertEqual(self.check(), (1, "tests/jobs/share_test.cpp: no CMakeLists.txt names it, so it never runs\n"))

    def test_a_skip_without_a_row(self) -> None:
        self.write("tests/jobs/CMakeLists.txt", LISTS.format(native=" NATIVE"))
        self.write("tests/jobs/resume_test.cpp", 'GTEST_SKIP() << "no disk";\n')
        self.assertIn("a skip that tests/skips.txt does not name", self.check()[1])
        self.write("tests/skips.txt", "jobs | tests/jobs/resume_test.cpp | no disk\n")
        self.assertEqual(self.check(), (0, "every test runs\n"))

    def test_a_row_that_nothing_uses(self) -> None:
        self.write("tests/skips.txt", "jobs | tests/jobs/resume_test.cpp | no disk\n")
        self.assertIn("nothing uses the row", self.check()[1])

    def test_a_plain_add_test(self) -> None:
        self.write("tests/jobs/CMakeLists.txt", LISTS.format(native="") + "add_test(NAME more COMMAND test_jobs)\n")
        self.assertIn("tests are registered by cairn_add_test()", self.check()[1])


if __name__ == "__main__":
    unittest.main()
