# SPDX-License-Identifier: Apache-2.0
"""Folders of one save (model.pt, optimizer.pt …) with broken files, links to the outside, or entries that are not files."""
import copy
import os
import shutil

import archives
import dcps
import pickles
from table import error, fine, finding, folder, job, notice, verdict

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


META = b"# yamllint disable\nWER: 2.5\nend-of-epoch: true\nunixtime: 1763800000.0\n"


def speech(meta=META, model=GOOD, counter=b"3", then=None, **more):
    """SpeechBrain's folder."""
    return folder({"CKPT.yaml": meta, "model.ckpt": model, "counter.ckpt": counter,
                   **{name + ".ckpt": data for name, data in more.items()}}, then)


def olmo(ranks=(OTHER,), change=None, then=None):
    """OLMo-core's folder."""

    def build(place):
        inner = copy.copy(place)
        inner.open = place.open / "model_and_optim"
        inner.open.mkdir()
        dcps.dcp(change)(inner)
        place.write(".metadata.json", b"{}")
        (place.open / "train").mkdir()
        for rank, data in enumerate(ranks):
            place.write(f"train/rank{rank}.pt", data)
        if then:
            then(place)
        return place.open

    return build


def inside(place):
    return place.open / "train"


def without(name):
    return lambda place: (place.open / name).unlink()


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
        # With links and pipes the folder is not recognised: one file remains that can be opened separately, or none.
        error("both_link_out", instead("model.pt", lambda place, path: (os.symlink(place.outside / "secret", path),
                                                                        (place.open / "optimizer.pt").unlink())), no),
        error("two_models", save(net=GOOD), "invalid-argument", verb="ls"),
        error("unknown_part", save(secret=OTHER), "invalid-argument", verb="ls"),
        fine("speechbrain", speech(optimizer=OTHER), "check"),
        notice("speechbrain_record_cut", speech(META[:-1]), "truncated"),
        notice("speechbrain_record_empty", speech(b""), "truncated"),
        notice("speechbrain_record_of_noise", speech(bytes(range(256)) * 9), "truncated"),
        notice("speechbrain_record_of_megabytes", speech(META * 40_000), "truncated"),
        fine("speechbrain_record_of_many_lines", speech(b"a: 1\n" * 90_000 + META)),
        fine("speechbrain_record_links_out", speech(then=lambda place: without("CKPT.yaml")(place) or os.symlink(
            place.outside / "secret", place.open / "CKPT.yaml"))),
        error("speechbrain_model_cut", speech(model=GOOD[:-40]), "zip-no-directory"),
        notice("speechbrain_counter_of_noise", speech(counter=b"\xff" * 9), no),
        notice("speechbrain_counter_empty", speech(counter=b""), "empty-file"),
        fine("speechbrain_counter_beyond_64_bits", speech(counter=b"9" * 200)),
        error("speechbrain_counter_alone", folder({"CKPT.yaml": META, "counter.ckpt": b"3"}), no),
        fine("olmo", olmo(), "check"),
        notice("olmo_no_ranks", olmo(ranks=()), "missing-shard"),
        notice("olmo_rank_cut", olmo(ranks=(OTHER, OTHER[:-40])), "zip-no-directory"),
        notice("olmo_rank_of_noise", olmo(ranks=(b"\xff" * 90,)), no),
        notice("olmo_rank_links_out", olmo(then=lambda place: (inside(place) / "rank0.pt").unlink() or os.symlink(
            place.outside / "secret", inside(place) / "rank0.pt")), "missing-shard"),
        fine("olmo_train_links_out", olmo(then=lambda place: shutil.rmtree(inside(place)) or os.symlink(
            place.outside, inside(place)))),
        notice("olmo_model_gone", olmo(then=lambda place: (place.open / "model_and_optim" / ".metadata").unlink()), None),
        verdict("olmo_runs_code", lambda place: olmo(ranks=(pickles.system(place),))(place), "would-run-code"),
        verdict("speechbrain_runs_code", folder(lambda place: {"CKPT.yaml": META, "model.ckpt": pickles.system(place)}), "would-run-code"),
    ]
