# SPDX-License-Identifier: Apache-2.0
"""Folders of one save (model.pt, optimizer.pt …) whose files are broken, lead out, or are no files."""
import os

import archives
import pickles
from table import error, finding, folder, job, notice, verdict

GOOD = archives.torch_file(pickles.one_tensor())
OTHER = archives.torch_file(pickles.one_tensor("exp_avg"))
LFS = b"version https://git-lfs.github.com/spec/v1\noid sha256:4d7a\nsize 1\n"


def save(then=None, **files):
    return folder({"model.pt": GOOD, "optimizer.pt": OTHER, **{name + ".pt": data for name, data in files.items()}}, then)


def instead(name, make):
    def change(place):
        (place.open / name).unlink()
        make(place, place.open / name)

    return save(change)


def cases():
    no, out = "not-a-checkpoint", "outside-folder"
    return [
        notice("optimizer_cut", save(optimizer=OTHER[:-40]), "zip-no-directory"),
        notice("optimizer_empty", save(optimizer=b""), "empty-file"),
        notice("optimizer_zeros", save(optimizer=bytes(500)), "zero-filled"),
        notice("optimizer_lfs", save(optimizer=LFS), "lfs-pointer"),
        notice("optimizer_noise", save(optimizer=b"\xff" * 500), no),
        notice("model_cut", save(model=GOOD[:-40]), "zip-no-directory"),
        finding("model_cut_checked", save(model=GOOD[:-40]), "zip-no-directory"),
        job("model_cut_not_written", save(model=GOOD[:-40]), "zip-no-directory"),
        error("all_empty", save(model=b"", optimizer=b""), "empty-file"),
        verdict("optimizer_runs_code", folder(lambda place: {"model.pt": GOOD, "optimizer.pt": pickles.system(place)}), "would-run-code"),
        # Links and pipes make it no such folder: one file is left that can be opened by itself, or none.
        error("both_link_out", instead("model.pt", lambda place, path: (os.symlink(place.outside / "secret", path),
                                                                        (place.open / "optimizer.pt").unlink())), no),
        error("two_models", save(net=GOOD), no, verb="ls"),
        error("unknown_part", save(secret=OTHER), no, verb="ls"),
    ]
