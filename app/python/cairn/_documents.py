# SPDX-License-Identifier: Apache-2.0
"""The verbs of the command line as functions: each returns the document that `cairn-cli VERB --json` prints."""

from __future__ import annotations

from cairn import _core
from cairn._checkpoint import encoded_path
from cairn._errors import Error, make_error

TYPE_CHECKING = False
if TYPE_CHECKING:
    import os
    from collections.abc import Callable, Mapping, Sequence
    from typing import Any, Union

    from cairn._checkpoint import Checkpoint

    Source = Union[str, os.PathLike[str], Checkpoint]
    Path = Union[str, os.PathLike[str]]
    Progress = Union[bool, Callable[[str, int, int], object], None]
    Rules = Union[str, Mapping[str, str], None]
    Document = dict[str, Any]

_NONFINITE = {"nan": float("nan"), "inf": float("inf"), "-inf": float("-inf")}
_verbs: dict[str, dict[str, bool]] = {}


def _replace_null(node: Any, path: str, number: float) -> bool:
    """Sets the null at a dotted path, whose keys may contain dots."""
    if isinstance(node, list):
        head, _, rest = path.partition(".")
        if not head.isdigit() or int(head) >= len(node):
            return False
        key: Any = int(head)
        if rest:
            return _replace_null(node[key], rest, number)
    elif isinstance(node, dict):
        if path not in node:
            ends = [i for i, letter in enumerate(path) if letter == "."]
            return any(path[:end] in node and _replace_null(node[path[:end]], path[end + 1 :], number) for end in reversed(ends))
        key = path
    else:
        return False
    if node[key] is not None:
        return False
    node[key] = number
    return True


def _with_nonfinite(node: dict[str, Any]) -> dict[str, Any]:
    """JSON has no NaN and no infinity: a member "nonfinite" names the numbers that are null in an object."""
    places = node.get("nonfinite")
    if isinstance(places, dict) and places and all(isinstance(word, str) and word in _NONFINITE for word in places.values()):
        if all([_replace_null(node, path, _NONFINITE[word]) for path, word in places.items()]):
            del node["nonfinite"]
    return node


class _Bar:
    """Progress as a bar of tqdm, or without it as a line on standard error."""

    def __init__(self) -> None:
        try:
            from tqdm.auto import tqdm
        except ImportError:
            self._bar = None
        else:
            self._bar = tqdm(unit="B", unit_scale=True, leave=False)
        self._shown = ""

    def __call__(self, phase: str, done: int, total: int) -> None:
        if self._bar is not None:
            self._bar.total = total or None
            self._bar.n = done
            self._bar.set_description(phase)
            return
        line = f"{phase} {100 * done // total} %" if total else phase
        if line != self._shown:
            import sys

            print("\r" + line.ljust(len(self._shown)), end="", file=sys.stderr, flush=True)
            self._shown = line

    def close(self) -> None:
        if self._bar is not None:
            self._bar.close()
        elif self._shown:
            import sys

            print("\r" + " " * len(self._shown) + "\r", end="", file=sys.stderr, flush=True)


def _options_of(verb: str, options: dict[str, Any]) -> list[tuple[str, bytes]]:
    """Keywords as options with their names and values. None and False leave an option out."""
    if not _verbs:
        _verbs.update(_core.verbs())
    known = _verbs[verb]
    given = []
    for keyword, value in options.items():
        name = keyword.rstrip("_").replace("_", "-")  # `for_`: a keyword of Python
        if name not in known:
            raise TypeError(f"{verb}() has no option {keyword!r}; it has {', '.join(sorted(known)).replace('-', '_')}")
        if value is None or value is False:
            continue
        if not known[name]:
            if value is not True:
                raise TypeError(f"{keyword} is True or False, not {value!r}")
            given.append((name, b""))
            continue
        if value is True:
            raise TypeError(f"{keyword} needs a value, not True")
        for each in value if isinstance(value, (list, tuple)) else [value]:
            given.append((name, _text_of(each)))
    return given


def _text_of(value: Any) -> bytes:
    if isinstance(value, dict):
        value = ";".join(f"{old}={new}" for old, new in value.items())
    if isinstance(value, (int, float)):
        value = repr(value)
    return encoded_path(value)


def call(verb: str, *arguments: Source, progress: Progress = None, **options: Any) -> Document:
    """Runs any verb of the command line: call("space", "runs") is `cairn-cli space runs --json`.

    Options are keywords with `_` for `-`, and at the end of Python's own words (`for_="fsdp2"`): True for switches, else a text,
    number, path, or a list for repeated ones. `progress`:
    a function (phase, done, total) that is called about ten times a second, or True for a bar (of tqdm, if it is installed).
    Numbers that are not finite are floats. What the command line would print on standard error becomes a warning. Raises Error.
    """
    if verb not in (_verbs or _core.verbs()):
        raise Error("invalid-argument", "Not a verb with a document", found=verb, expected=", ".join(sorted(_core.verbs())))
    given = _options_of(verb, options)
    words = [encoded_path(argument) for argument in arguments]
    if progress is not None and progress is not False and progress is not True and not callable(progress):
        raise TypeError("progress is a function, True, or None")
    bar = _Bar() if progress is True else None
    try:
        _, text, messages, root = _core.run_verb(verb, words, given, bar if bar is not None else (progress or None))
    finally:
        if bar is not None:
            bar.close()
    import json

    document: Document = json.loads(text, object_hook=_with_nonfinite)
    if root is not None and document.keys() == {"schema", "error"}:
        raise _error_of(document["error"], root)
    for message in messages:
        import warnings

        warnings.warn(message.removeprefix("cairn-cli: "), stacklevel=3)
    return document


def _error_of(error: dict[str, Any], root: str) -> Error:
    """The exception for the document of a failure on a host, whose root folder has that name here."""
    where = {name: error["where"].get(name) for name in ("file", "offset", "tensor", "field")}
    if where["file"] and where["file"].startswith("/"):
        where["file"] = root + where["file"][1:]
    return make_error(code=error["code"], **where, **{name: error[name] for name in ("message", "found", "expected", "hint")})


def formats() -> list[dict[str, Any]]:
    """The formats that can be read and written: {"id", "title", "read", "write", "globs"}."""
    return call("formats")["formats"]  # type: ignore[no-any-return]


def info(source: Source, *, why: bool = False) -> Document:
    """What a checkpoint is: format, completeness, step, headline numbers, totals, verdict about its code."""
    return call("info", source, why=why)


def diff(
    left: Source,
    right: Source,
    *,
    values: bool = False,
    rtol: float | None = None,
    atol: float | None = None,
    map: Rules = None,
    tensor: str | None = None,
    cka: bool = False,
    device: str | None = None,
    progress: Progress = None,
) -> Document:
    """The differences between two checkpoints: names, shapes, dtypes, plain values, and with values=True the elements.

    rtol, atol   differences within |a - b| <= atol + rtol |b| do not count; imply values
    map          {old prefix or regular expression: new name} for the names of `left`
    tensor       only names that match this glob
    """
    return call(
        "diff", left, right, values=values, rtol=rtol, atol=atol, map=map, tensor=tensor, cka=cka, device=device, progress=progress
    )


def stats(
    source: Source,
    *,
    tensor: str | None = None,
    sample: bool = False,
    histogram: bool = False,
    spectrum: bool = False,
    device: str | None = None,
    progress: Progress = None,
) -> Document:
    """Statistics of each tensor: count, min, max, mean, std, norms, zeros, NaN, infinite."""
    return call("stats", source, tensor=tensor, sample=sample, histogram=histogram, spectrum=spectrum, device=device, progress=progress)


def check(source: Source, *, quick: bool = False, progress: Progress = None) -> Document:
    """The health of a checkpoint: verdict and findings. quick=True reads no elements."""
    return call("check", source, quick=quick, progress=progress)


def scan(source: Source, *, progress: Progress = None) -> Document:
    """What the pickles in any file or folder would do if Python loaded them. Nothing is executed."""
    return call("scan", source, progress=progress)


def hash(source: Source, *, tensor: str | None = None, progress: Progress = None) -> Document:
    """SHA-256 of each tensor and of all of them, independent of format and sharding."""
    return call("hash", source, tensor=tensor, progress=progress)


def verify(left: Source, right: Source | None = None, *, progress: Progress = None, **options: Any) -> Document:
    """Whether a checkpoint has the same bytes as another one, or as its manifest records."""
    return call("verify", left, *([] if right is None else [right]), progress=progress, **options)


def plan(job: str, source: Source, output: Path, *more: Source, progress: Progress = None, **options: Any) -> Document:
    """The forecast of a job ("consolidate", "reshard", "export" …) with its options: bytes, memory, time, problems. Writes nothing.

    `more`: the other checkpoints of "average".
    """
    if not isinstance(job, str):
        raise TypeError("the job is the name of a function such as 'consolidate'")
    return call("plan", job, source, *more, output=output, progress=progress, **options)


def consolidate(
    source: Source,
    output: Path,
    *,
    to: str | None = None,
    only: str | None = None,
    strip: str | Sequence[str] | None = None,
    dtype: str | None = None,
    keep_fp32: str | Sequence[str] | None = None,
    max_shard_size: str | int | None = None,
    rename: Rules = None,
    bundle: bool = False,
    names: str | None = None,
    force: bool = False,
    progress: Progress = None,
    **options: Any,
) -> Document:
    """Writes one deployable checkpoint and verifies it. Existing files are never replaced.

    to               "safetensors" (default), "torch", "dcp", "gguf" …; formats() lists them
    only             "weights" (default), "all", or a glob of full names
    strip            roles to leave out: "optimizer,rng"
    dtype            "bf16", "fp16" …; default: as stored
    max_shard_size   "5GB"
    bundle           a folder with config and tokenizer files
    names            "hf", "megatron", "gguf" …: names and layout of a model family

    Other keywords are options of `cairn-cli consolidate`.
    """
    return call(
        "consolidate",
        source,
        output=output,
        to=to,
        only=only,
        strip=",".join(strip) if isinstance(strip, (list, tuple)) else strip,
        dtype=dtype,
        keep_fp32=keep_fp32,
        max_shard_size=max_shard_size,
        rename=rename,
        bundle=bundle,
        names=names,
        force=force,
        progress=progress,
        **options,
    )


def reshard(source: Source, output: Path, *, to: str, ranks: int | None = None, progress: Progress = None, **options: Any) -> Document:
    """Writes the same checkpoint for another number of ranks, or in shards of another size."""
    return call("reshard", source, output=output, to=to, ranks=ranks, progress=progress, **options)


def export(source: Source, output: Path, *, tensor: str | None = None, progress: Progress = None, **options: Any) -> Document:
    """Writes some tensors to a .npy, .npz, .safetensors or .csv file."""
    return call("export", source, output=output, tensor=tensor, progress=progress, **options)


def convert(source: Source, output: Path, *, names: str, progress: Progress = None, **options: Any) -> Document:
    """Writes a bundle with the names and the layout of a framework: "hf", "megatron", "native", "gguf"."""
    return call("convert", source, output=output, names=names, progress=progress, **options)


def fold(base: Source, output: Path, *, adapter: Path | Sequence[Path], progress: Progress = None, **options: Any) -> Document:
    """Writes the base model with adapters added to its weights, as a bundle."""
    return call("fold", base, output=output, adapter=adapter, progress=progress, **options)


def average(
    sources: Sequence[Source], output: Path, *, weights: Sequence[float] | None = None, progress: Progress = None, **options: Any
) -> Document:
    """Writes the average of several checkpoints."""
    factors = None if weights is None else ",".join(repr(float(each)) for each in weights)
    return call("average", *sources, output=output, weights=factors, progress=progress, **options)


def history(run: Source, *more: Source, metric: str | None = None, **options: Any) -> Document:
    """The curves of a run, or of several: {"metrics": {name: {"steps", "values", …}}}."""
    return call("history", run, *more, metric=metric, **options)


def compare(left: Source, right: Source, *more: Source, **options: Any) -> Document:
    """Two or more runs: their curves, settings and checkpoints."""
    return call("compare", left, right, *more, **options)
