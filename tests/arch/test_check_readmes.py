# SPDX-License-Identifier: Apache-2.0
"""Tests that the check of the READMEs can fail."""
import pathlib
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).parent))
from check_readmes import violations_in  # noqa: E402

ROOT = pathlib.Path(__file__).resolve().parents[2]


class Readmes(unittest.TestCase):
    def broken(self, text, path="ui/README.md"):
        return list(violations_in(ROOT, path, text))

    def test_planted_names(self):
        for name in ("core/runs/nowhere.h", "jobs/engine/nowhere.cpp", "pages/nowhere/", "tests/nowhere/", "ui/nowhere.cmake"):
            self.assertEqual(len(self.broken(f"see `{name}`")), 1, name)
        self.assertEqual(self.broken("a\n[link](text/NOTHING.md)"), ["ui/README.md:2: text/NOTHING.md does not exist"])

    def test_names_that_exist(self):
        for name in ("core/runs/", "pages/page.h", "core/base/result.h", "base/result.h", "page.h", "tests/arch/check_readmes.py"):
            self.assertFalse(self.broken(f"see `{name}`"), name)
        self.assertFalse(self.broken("[text](text/README.md), [part](text/README.md#terms), [web](https://example.org/a.md)"))

    def test_what_is_not_of_this_tree(self):
        for name in ("torch/serialization.py", "core/protobuf/tensor_bundle.proto", "model/embed/weight", "and/or"):
            self.assertFalse(self.broken(f"see `{name}`"), name)
        self.assertFalse(self.broken("```sh\ncat `core/nowhere.h`\n```\n"))


if __name__ == "__main__":
    unittest.main()
