# SPDX-License-Identifier: Apache-2.0
"""Files that are not checkpoints in spite of their names, and paths that are not files."""
import gzip
import os
import random
import socket

import archives
from safetensors_files import st
from table import error, file, fine, folder

LFS = "version https://git-lfs.github.com/spec/v1\noid sha256:" + "4d7a2146" * 8 + "\nsize 12345\n"


def sparse(place):
    path = place.open / "model.safetensors"
    with open(path, "wb") as out:
        out.truncate(1 << 40)
    return path


def fifo(place):
    os.mkfifo(place.open / "x.pt")
    return place.open / "x.pt"


def unix_socket(place):
    here = os.getcwd()
    os.chdir(place.open)  # the name of a socket must be short
    try:
        with socket.socket(socket.AF_UNIX) as made:
            made.bind("x.pt")
    finally:
        os.chdir(here)
    return place.open / "x.pt"


def link(target, name="x.safetensors"):
    def build(place):
        (place.outside / "real.safetensors").write_bytes(st())
        os.symlink(target(place) if callable(target) else target, place.open / name)
        return place.open / name

    return build


def locked(name, data):
    def build(place):
        path = place.write(name, data)
        path.chmod(0)
        return path

    return build


def locked_folder(place):
    place.write("inner/.metadata", b"x")
    (place.open / "inner").chmod(0)
    return place.open / "inner"


def under_file(place):
    return place.write("x.pt", archives.torch_file()) / "y"


def many_entries(place):
    for i in range(3000):
        (place.open / f"note_{i}.txt").touch()
    return place.open


def folder_loop(place):
    os.symlink(".", place.open / "again")
    return place.open


def cases():
    noise = random.Random(5).randbytes(70_000)
    not_one = "not-a-checkpoint"
    return [
        error("empty_pt", file("x.pt", b""), "empty-file"),
        error("empty_safetensors", file("x.safetensors", b""), "empty-file"),
        error("empty_check", file("x.pt", b""), "empty-file", verb="check"),
        error("zeros_pt", file("x.pt", bytes(5000)), "zero-filled"),
        error("zeros_safetensors", file("x.safetensors", bytes(5000)), "zero-filled"),
        error("one_zero", file("x.safetensors", b"\0"), "zero-filled"),
        error("sparse_terabyte", sparse, "zero-filled"),
        error("lfs_safetensors", file("model.safetensors", LFS), "lfs-pointer"),
        error("lfs_bin", file("pytorch_model.bin", LFS), "lfs-pointer", verb="ls"),
        error("html_page", file("x.pt", "<!DOCTYPE html><html><title>Sign in</title></html>"), "html-page"),
        error("html_after_space", file("x.safetensors", "\n\n  <HTML>\n<body>404</body>"), "html-page"),
        error("text", file("x.pt", "hello, this is a note\n"), not_one),
        error("noise", file("x.bin", noise), not_one),
        error("elf", file("x.pt", b"\x7fELF\x02\x01\x01" + noise[:4000]), not_one),
        error("png", file("x.ckpt", b"\x89PNG\r\n\x1a\n" + noise[:400]), not_one),
        error("gzip_of_noise", file("x.pt", gzip.compress(noise[:4000])), not_one),
        error("zip_of_text", file("x.zip", archives.build([archives.Entry("a.txt", b"hello")])), not_one),
        error("zip_empty", file("x.pt", archives.build([])), not_one),
        error("one_byte", file("x.pt", b"\x80"), not_one),
        error("pk_only", file("x.pt", b"PK\x03\x04"), "zip-no-directory"),
        error("json_alone", file("x.json", b'{"a": 1}'), not_one),
        error("empty_folder", folder({}), not_one),
        error("folder_of_notes", folder({"README.md": "nothing here"}), not_one),
        error("folder_of_3000_notes", many_entries, not_one),
        error("folder_that_holds_itself", folder_loop, not_one),
        error("missing", lambda place: place.open / "no.pt", "not-found"),
        error("missing_with_escapes", lambda place: place.open / "no\x1b[31m\x07.pt", "not-found"),
        error("below_a_file", under_file, "not-found"),
        error("name_too_long", lambda place: place.open / ("x" * 300), "io-error"),
        error("fifo", fifo, "not-a-regular-file"),
        error("fifo_scan", fifo, "not-a-regular-file", verb="scan"),
        error("socket", unix_socket, "not-a-regular-file"),
        error("device_zero", lambda place: "/dev/zero", "not-a-regular-file"),
        error("device_null", lambda place: "/dev/null", "not-a-regular-file", verb="check"),
        error("link_to_nowhere", link("nowhere"), "not-found"),
        error("link_to_itself", link("x.safetensors"), "outside-folder"),
        fine("link_that_the_user_named", link(lambda place: place.outside / "real.safetensors")),
        error("locked_file", locked("x.pt", archives.torch_file()), "permission-denied", as_nobody=True),
        error("locked_file_scan", locked("x.pt", archives.torch_file()), "permission-denied", verb="scan",
              as_nobody=True),
        error("locked_folder", locked_folder, "permission-denied", as_nobody=True),
        fine("whole_torch_file", file("x.pt", archives.torch_file()), verb="check"),
        fine("whole_legacy_file", file("x.pt", archives.legacy_file()), verb="check"),
        fine("whole_safetensors", file("x.safetensors", st()), verb="check"),
        fine("name_with_escapes", file("x\x1b[31m\u202e.safetensors", st())),
        fine("name_not_utf8", file(os.fsdecode(b"x\xff\xfe.safetensors"), st())),
        fine("name_with_hash", file("x#y.safetensors", st())),
    ]
