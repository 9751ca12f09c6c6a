# SPDX-License-Identifier: Apache-2.0
"""The package: what importing it costs, its types and texts."""

import importlib.machinery
import inspect
import subprocess
import sys
import unittest
import zlib
from pathlib import Path

from support import ROOT

import cairn
from cairn import _core

SOURCE = ROOT / "app/python/cairn"


class Package(unittest.TestCase):
    def test_importing_loads_nothing_heavy(self):
        program = "import sys; before = set(sys.modules); import cairn; print(*sorted(set(sys.modules) - before))"
        loaded = subprocess.run([sys.executable, "-I", "-c", f"import sys; sys.path.insert(0, {str(Path(cairn.__file__).parents[1])!r}); {program}"],
                                capture_output=True, text=True, check=True).stdout.split()  # fmt: skip
        self.assertIn("cairn._core", loaded)
        self.assertEqual([name for name in loaded if name.split(".")[0] not in ("cairn", "__future__", "operator", "_operator", "atexit")], [])

    def test_it_is_small(self):
        """Compressed, as pip fetches it: the extension of a wheel contains all libraries."""
        files = [file for file in Path(cairn.__file__).parent.iterdir() if file.suffix == ".so"]
        self.assertEqual(len(files), 1)
        self.assertLess(len(zlib.compress(files[0].read_bytes(), 1)), 15e6)

    def test_it_hides_its_symbols(self):
        """Those of static libraries would meet the same ones of PyTorch."""
        listed = subprocess.run(["nm", "-D", "--defined-only", _core.__file__], capture_output=True, text=True, check=True).stdout
        self.assertEqual([line.split()[-1] for line in listed.splitlines()], ["PyInit__core"])

    def test_the_files_are_those_of_the_source(self):
        for file in sorted(SOURCE.iterdir()):
            if file.suffix in (".py", ".pyi", ".typed"):
                self.assertEqual((Path(cairn.__file__).parent / file.name).read_bytes(), file.read_bytes(), file.name)

    def test_the_stub_describes_the_extension(self):
        """`python -m nanobind.stubgen -m cairn._core -o app/python/cairn/_core.pyi` writes it."""
        from nanobind.stubgen import StubGen

        generator = StubGen(_core)
        generator.put(_core)
        self.assertEqual((SOURCE / "_core.pyi").read_text(), generator.get())

    def test_everything_is_documented(self):
        for name in cairn.__all__:
            each = getattr(cairn, name)
            if name == "__version__":
                continue
            self.assertTrue(inspect.getdoc(each), name)
            for member, value in vars(each).items() if inspect.isclass(each) else ():
                if not member.startswith("_") and (callable(value) or isinstance(value, property)):
                    self.assertTrue(inspect.getdoc(value), f"{name}.{member}")
            if inspect.isfunction(each):
                self.assertTrue(all(p.annotation is not inspect.Parameter.empty for p in inspect.signature(each).parameters.values()), name)

    def test_the_version_is_the_programs(self):
        from support import run

        self.assertEqual(run("--version").text.split()[1], cairn.__version__)

    def test_the_extension_is_for_this_interpreter(self):
        self.assertTrue(any(_core.__file__.endswith(suffix) for suffix in importlib.machinery.EXTENSION_SUFFIXES))


if __name__ == "__main__":
    unittest.main()
