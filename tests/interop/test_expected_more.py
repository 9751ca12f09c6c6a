# SPDX-License-Identifier: Apache-2.0
"""As test_expected.py, for every class of the data: in the packings that differ, with a few mistakes; and its tensors with random configs."""

from __future__ import annotations

import unittest

import transformers
from test_expected import FAMILIES, SHORT, Case, expected_tensors, recorded, recorded_rows
from test_expected import Short as Base


class More(Case):
    packings, mistakes, each = Base.packings, Base.mistakes, Base.each


class Data(unittest.TestCase):
    def test_the_recorded_tensors_are_those_of_transformers(self) -> None:
        for name, (model_type, *_) in recorded().items():
            with self.subTest(name=name):
                family = expected_tensors.Family(expected_tensors.CONFIG_MAPPING[model_type], getattr(transformers, name), "another test", quick=True)
                rows = recorded_rows()[name][2]
                for sample in family.samples(family.cls, 3):
                    self.assertEqual(expected_tensors.differs(rows, sample), "")


for each in recorded():
    if each not in FAMILIES and each not in SHORT:
        setattr(More, f"test_{each}", lambda self, name=each: self.each(name))
del Base

if __name__ == "__main__":
    unittest.main()
