# SPDX-License-Identifier: Apache-2.0
"""Jobs that must be refused: the output is the input or exists, or the format cannot represent the input."""
import os

import archives
import pickles
from pickles import P
from safetensors_files import sharded, st
from table import Case, exit_of, file, folder, job


def to(output, build, code, name):
    """`output`: a path; {open} and {out} are filled in."""
    return Case(name, build, "consolidate", code, exit_of(code), "error", ("--only", "all", "-o", output))


def linked(place):
    path = place.write("x.safetensors", st())
    os.link(path, place.outside / "same.safetensors")
    return path


def complex_tensor():
    p = pickles.tensor(P().op("}").text("w"), shape=(3,), stride=(1,), storage="ComplexDoubleStorage", count=3)
    return archives.torch_file(p.op("s").stop(), bytes(48))


def cases():
    one = file("x.safetensors", st())
    return [
        to("{open}/x.safetensors", one, "output-is-input", "output_is_input"),
        to("{open}/../open/x.safetensors", one, "output-is-input", "output_is_input_by_another_path"),
        to("{outside}/same.safetensors", linked, "output-is-input", "output_is_input_by_another_name"),
        to("{outside}/secret", one, "output-exists", "output_exists"),
        to("{open}/new.safetensors", folder(sharded()), "output-is-input", "output_inside_the_source"),
        to("/dev/null", one, "output-exists", "output_is_device"),
        job("dtype_not_representable", file("x.pt", complex_tensor()), "dtype-not-representable"),
        job("nothing_chosen", one, "tensor-not-found", options=("--only", "no.such.*")),
        Case("so_many_ranks", one, "reshard", "invalid-argument", exit_of("invalid-argument"), "error",
             ("-o", "{outside}/out", "--ranks", "99999999999")),
        Case("a_grid_that_overflows", one, "reshard", "invalid-argument", exit_of("invalid-argument"), "error",
             ("-o", "{outside}/out", "--grid", "65536x65536")),
        Case("resharded_into_its_source", folder(sharded()), "reshard", "output-is-input", exit_of("output-is-input"), "error",
             ("-o", "{open}/new", "--ranks", "2")),
        job("bad_glob", one, "invalid-argument", options=("--only", "{a,b")),
    ]
