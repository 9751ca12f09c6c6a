# SPDX-License-Identifier: Apache-2.0
"""Compares `ls`, `hash` and `info` with the tensors that the framework loads."""

from __future__ import annotations

import math
import re
import unittest

import numpy

from support import Case, case, flat, per_case, read


def same_value(expected: object, found: object, dtype: str | None) -> bool:
    if isinstance(expected, float) and isinstance(found, (int, float)) and not isinstance(found, bool):
        if dtype in ("float32", "float16"):  # a 0-d tensor: the shortest decimal of its dtype is sufficient
            return numpy.dtype(dtype).type(found) == numpy.dtype(dtype).type(expected)
        if dtype == "bfloat16":
            return math.isclose(expected, found, rel_tol=2**-9)
        return float(found) == expected
    if isinstance(expected, bool) or isinstance(found, bool):
        return expected is found
    return expected == found


def roles(one: Case) -> list[tuple[str, str, str]]:
    """For each tensor: its name, the role that the case defines for the beginning of the name, and the listed role."""
    told = one.oracle.get("roles", {})
    found = []
    for entry in read("ls", one.path).json["tensors"] if told else []:
        beginning = max((start for start in told if entry["name"].startswith(start)), key=len)
        found.append((entry["name"], told[beginning], "model" if entry["role"] in ("weight", "buffer") else entry["role"]))
    return found


@per_case()
class Contents(unittest.TestCase):
    maxDiff = 2000

    def each_names_dtypes_shapes(self, one: Case) -> None:
        answer = read("ls", one.path)
        self.assertEqual(answer.code, 0, answer.said())
        document = answer.json
        self.assertEqual(document["schema"], "cairn/1")
        listed = {entry["name"]: entry for entry in document["tensors"]}
        self.assertEqual(len(listed), len(document["tensors"]), "a name is listed twice")
        rename = one.root_name(listed)
        listed = {rename.get(name, name): entry for name, entry in listed.items()}
        self.assertEqual(sorted(set(one.tensors) - set(listed)), [], "tensors missing")
        extra = [name for name in listed if name not in one.tensors and not one.is_open(name)]
        self.assertEqual(extra, [], "tensors that the framework does not know")
        wrong = {name: (entry["dtype"], entry["shape"], listed[name]["dtype"], listed[name]["shape"])
                 for name, entry in one.tensors.items()
                 if (entry["dtype"], entry["shape"]) != (listed[name]["dtype"], listed[name]["shape"])}
        self.assertEqual(wrong, {}, "(expected dtype, shape, found dtype, shape)")
        self.assertEqual(document["totals"]["tensors"], len(document["tensors"]))

    def each_hashes(self, one: Case) -> None:
        answer = read("hash", one.path)
        self.assertEqual(answer.code, 0, answer.said())
        document = answer.json
        self.assertEqual(document["algorithm"], "sha256")
        found = {entry["name"]: entry["sha256"] for entry in document["tensors"]}
        rename = one.root_name(found)
        found = {rename.get(name, name): digest for name, digest in found.items()}
        wrong = [name for name, entry in one.tensors.items() if found.get(name) != entry["sha256"]]
        self.assertEqual(wrong, [], "tensors whose bytes differ from what the framework loads")

    def each_values(self, one: Case) -> None:
        answer = read("info", one.path)
        self.assertEqual(answer.code, 0, answer.said())
        found = flat(answer.json.get("values", {}))
        missing = sorted(name for name, value in one.values.items() if name not in found and not self.is_free(one, name))
        self.assertEqual(missing[:20], [], f"{len(missing)} values missing; found e.g. {sorted(found)[:20]}")
        dtype_of = {name: entry["dtype"] for name, entry in one.tensors.items()}
        wrong = {name: (value, found[name]) for name, value in one.values.items()
                 if name in found and not same_value(value, found[name], dtype_of.get(name))}
        self.assertEqual(wrong, {}, "(expected, found)")

    def each_facts(self, one: Case) -> None:
        answer = read("info", one.path)
        self.assertEqual(answer.code, 0, answer.said())
        document = answer.json
        self.assertEqual(document["complete"], one.oracle["complete"], document.get("why"))
        self.assertRegex(document["format"], re.compile(one.oracle["format_hint"], re.IGNORECASE))
        for key in ("step", "epoch"):
            if one.oracle.get(key) is not None:
                self.assertEqual(document.get(key), one.oracle[key], key)

    def each_roles(self, one: Case) -> None:
        wrong = {name: (role, listed) for name, role, listed in roles(one) if role != listed}
        self.assertEqual(wrong, {}, "(expected, found)")

    @staticmethod
    def is_free(one: Case, name: str) -> bool:
        """A NumPy scalar may be shown only as a 0-d tensor."""
        return one.is_open(name) and not name.endswith("$class") and ".$state" not in name


class Fingerprints(unittest.TestCase):
    """The same logical tensors have the same fingerprint in every format."""

    def test_independent_of_format_and_sharding(self) -> None:
        groups = {"hugging face writer": [case("hf_dcp_sharded").path, case("hf_dcp_consolidated").path],
                  "with and without collectives": [case("dcp_no_collectives").path, case("dcp_no_collectives").path.parent / ".twin"],
                  "safetensors and torch in DCP": [case("dcp_safetensors").path, case("dcp_safetensors").path.parent / ".twin"],
                  "protocols": [case(f"torch_zip_protocol_{protocol}").path for protocol in (2, 3, 4, 5)],
                  "zip and legacy": [case("torch_zip_bin").path, case("torch_legacy_protocol_2").path]}
        for name, paths in groups.items():
            with self.subTest(name):
                answers = [read("hash", path) for path in paths]
                self.assertEqual([answer.code for answer in answers], [0] * len(answers), answers[0].said())
                self.assertEqual(len({answer.json["fingerprint"] for answer in answers}), 1)

    def test_differs_with_the_weights(self) -> None:
        self.assertNotEqual(read("hash", case("torch_zip_bin").path).json["fingerprint"],
                            read("hash", case("torch_zip_ema").path).json["fingerprint"])


if __name__ == "__main__":
    unittest.main()
