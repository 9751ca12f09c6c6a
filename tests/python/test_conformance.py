# SPDX-License-Identifier: Apache-2.0
"""Every golden sample of every format through Python: names, dtypes, shapes and bytes are those that its writer noted, parts
equal NumPy's indexing of the complete array, values equal those of info()."""

import base64
import hashlib
import json
import random
import unittest

import numpy
from support import expected_rows, samples

import cairn


def as_json(value):
    """Python's values in the form of `info --json`."""
    if isinstance(value, dict):
        return {as_key(key): as_json(each) for key, each in value.items()}
    if isinstance(value, (list, tuple)):
        return [as_json(each) for each in value]
    if isinstance(value, bytes):
        return {"$bytes": len(value)} | ({"base64": base64.b64encode(value).decode()} if len(value) <= 4096 else {})
    if isinstance(value, int) and not isinstance(value, bool) and not -(2**63) <= value < 2**64:
        return str(value)
    return value


def as_key(key):
    return key.decode() if isinstance(key, bytes) else key if isinstance(key, str) else str(key)


def random_index(shape, generator):
    index = []
    for extent in shape:
        kind = generator.randrange(4)
        if kind == 0 and extent:
            index.append(generator.randrange(-extent, extent))
        elif kind == 1:
            index.append(slice(None))
        else:
            bounds = [generator.choice([None, generator.randrange(-extent - 2, extent + 3)]) for _ in range(2)]
            index.append(slice(*bounds, generator.choice([None, 1, 2, 3, -1, -2])))
    if generator.randrange(3) == 0 and index:
        index[generator.randrange(len(index)) :] = [Ellipsis]
    return tuple(index)


class Conformance(unittest.TestCase):
    def test_tensors_are_what_their_writers_noted(self):
        noted = 0
        for label, path in samples():
            expected = expected_rows(path)
            if expected is None:
                continue
            with self.subTest(label):
                found = {name: (t.dtype, t.shape, hashlib.sha256(t.tobytes()).hexdigest()) for name, t in cairn.open(path).items()}
                self.assertEqual(found, expected)
                noted += 1
        self.assertGreater(noted, 60)

    def test_hashes_are_those_of_the_bytes(self):
        for label, path in samples():
            with self.subTest(label):
                c = cairn.open(path)
                if not len(c):
                    continue
                with self.assertWarns(UserWarning) if c.state == "incomplete" else self.subTest():
                    rows = cairn.hash(c)["tensors"]
                self.assertEqual([row["name"] for row in rows], c.keys())
                for row in rows:
                    if row["sha256"] is not None:
                        self.assertEqual(hashlib.sha256(c[row["name"]].tobytes()).hexdigest(), row["sha256"], row["name"])
                    else:
                        with self.assertRaises(cairn.Error) as raised:
                            c[row["name"]].tobytes()
                        self.assertEqual(raised.exception.code, row["error"]["code"])

    def test_parts_equal_those_of_the_complete_array(self):
        generator = random.Random(5)
        dtypes = set()
        for label, path in samples():
            c = cairn.open(path)
            if c.state == "incomplete":
                continue
            for name, t in list(c.items())[:60]:
                try:
                    whole = t.numpy()
                except cairn.Error as error:
                    self.assertEqual(error.code, "unsupported", f"{label} {name}")
                    continue
                self.assertEqual(whole.nbytes, t.nbytes if t.dtype != "string" else whole.nbytes)
                dtypes.add(t.dtype)
                if whole.shape != t.shape:  # blocks
                    whole, t = t.dequantized().numpy(), t.dequantized()
                for _ in range(4):
                    index = random_index(t.shape, generator)
                    part, expected = t[index].numpy(), whole[index]
                    if isinstance(expected, bytes):
                        self.assertEqual((part.shape, part.item()), ((), expected))
                        continue
                    self.assertEqual((part.shape, t[index].shape), (expected.shape,) * 2, f"{label} {name} {index}")
                    numpy.testing.assert_array_equal(part, expected, f"{label} {name} {index}")
        self.assertLessEqual({"bfloat16", "float8_e4m3fn", "string", "bool", "q4_k", "complex64", "int4"}, dtypes)

    def test_values_equal_those_of_documents(self):
        compared = 0
        for label, path in samples():
            with self.subTest(label):
                shown = cairn.info(path)["values"]
                found = cairn.open(path).values
                self.assertEqual(json.dumps(as_json(found)), json.dumps(shown))
                compared += bool(shown)
        self.assertGreater(compared, 30)


if __name__ == "__main__":
    unittest.main()
