# SPDX-License-Identifier: Apache-2.0
"""Single damages of a checkpoint (a flipped bit, a cut file, a zeroed block), each judged by what the program says of its
values. Standard library only."""

from __future__ import annotations

import os
import random
import shutil
from pathlib import Path

from driver import run

OUTCOMES = ("detected", "harmless", "not checked", "silent")


def files_of(checkpoint: Path) -> list[Path]:
    return [checkpoint] if checkpoint.is_file() else sorted(each for each in checkpoint.rglob("*") if each.is_file())


def damage(data: bytes, rng: random.Random, begin: int = 0, end: int | None = None) -> tuple[str, bytes]:
    """What was done, and the damaged bytes; within [begin, end), if given."""
    end = len(data) if end is None else end
    at = rng.randrange(begin, end)
    how = rng.choice(("bit", "bit", "bit", "cut", "zeros"))
    changed = bytearray(data)
    if how == "bit":
        changed[at] ^= 1 << rng.randrange(8)
    elif how == "cut":
        del changed[at:]
    else:
        length = min(64, end - at)
        changed[at : at + length] = bytes(length)
    return f"{how} at {at}", bytes(changed)


def facts(checkpoint: Path) -> tuple[int, object]:
    """The exit code of `info`, and what it shows of the values."""
    answer = run("info", checkpoint, "--json")
    if answer.code != 0:
        return answer.code, None
    document = answer.json
    return 0, {key: document.get(key) for key in ("values", "step", "epoch")}


class Subject:
    """A checkpoint, and what is known of it before it is damaged."""

    def __init__(self, checkpoint: Path) -> None:
        self.checkpoint = checkpoint
        code, self.values = facts(checkpoint)
        assert code == 0, checkpoint
        check = run("check", checkpoint, "--json")
        assert check.code == 0, check.said()
        self.proven = [each["strength"] for each in check.json["values_saved"]["because"]] == ["proven"]
        self.jobs = 0

    def judge(self, damaged: Path, output: Path | None = None) -> str:
        """One of OUTCOMES; `output`: also that of a job that would carry the values."""
        check = run("check", damaged, "--json")
        assert check.code in (0, 1, 3, 2), check.said()
        code, values = facts(damaged)
        changed = code != 0 or values != self.values
        if check.code == 0 and changed:
            if code != 0:
                return "silent"
            saved = check.json["values_saved"]["because"]
            named = any(each["id"] == "values-not-checked" for each in saved)
            return "not checked" if named and not self.proven else "silent"
        if output is not None and check.code != 0:
            self.jobs += 1
            job = run("consolidate", damaged, "-o", output, "--to", "torch", "--only", "all", "--json")
            written = facts(output)[1] if job.code == 0 else None
            if output.exists():
                output.unlink()
            if job.code == 0 and written is not None and self.expected is not None and written != self.expected:
                return "silent"
        return "detected" if check.code != 0 else "harmless"

    expected: object = None

    def expect_output(self, output: Path) -> None:
        """What a job gives of the values of the sound checkpoint."""
        job = run("consolidate", self.checkpoint, "-o", output, "--to", "torch", "--only", "all")
        self.expected = facts(output)[1] if job.code == 0 else None
        if output.exists():
            output.unlink()


def damaged_copies(subject: Subject, folder: Path, count: int, rng: random.Random, only=lambda name: True, job: bool = True):
    """Yields (what was done, the outcome) for `count` single damages of its files."""
    copy, output = folder / subject.checkpoint.name, folder / "out.pt"
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    if job:
        subject.expect_output(output)
    (shutil.copytree if subject.checkpoint.is_dir() else shutil.copy2)(subject.checkpoint, copy)
    files = [each for each in files_of(copy) if each.stat().st_size > 0 and only(each.name)]
    done = 0
    while done < count:
        path = rng.choice(files)
        sound = path.read_bytes()
        what, changed = damage(sound, rng)
        if changed == sound:
            continue
        before = path.stat()
        path.write_bytes(changed)
        os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))  # what has just changed may still be written
        yield f"{path.relative_to(folder)}: {what}", subject.judge(copy, output if job else None)
        path.write_bytes(sound)
        os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))
        done += 1
    shutil.rmtree(folder)
