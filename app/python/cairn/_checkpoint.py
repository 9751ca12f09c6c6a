# SPDX-License-Identifier: Apache-2.0
"""An opened checkpoint: a mapping of names to lazy tensors."""

from __future__ import annotations

import os

from cairn import _core
from cairn._errors import Notice, TensorNotFound, Where, make_notice
from cairn._tensor import Tensor

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

_UNREAD = object()


def encoded_path(path: str | os.PathLike[str] | Checkpoint) -> bytes:
    """A location as the core expects it. Raises TypeError and ValueError as Python's open() does."""
    if isinstance(path, Checkpoint):
        return os.fsencode(path.location)
    encoded = os.fsencode(path)
    if b"\0" in encoded:
        raise ValueError("embedded null byte")
    return encoded


class Checkpoint:
    """A checkpoint of any format and any number of files, as one set of named tensors.

    Made by cairn.open(). Supports `c[name]`, `name in c`, `len(c)`, iteration over names, keys(), items() and get(). Immutable:
    it describes the files as they were when it was opened, and reading fails with an Error (changed-on-disk, missing-shard) if
    they are different now. May be used by several threads at once. Pickling stores the location only.
    """

    __slots__ = ("__weakref__", "_names", "_position", "_stored", "_values")

    def __init__(self, stored: _core.StoredCheckpoint) -> None:
        self._stored = stored
        self._names: list[str] | None = None
        self._values: Any = _UNREAD
        self._position: tuple[int | None, float | None] | None = None

    @property
    def path(self) -> str:
        """The file or folder that was opened; of a run's folder, the checkpoint that was chosen."""
        return self._stored.path

    @property
    def location(self) -> str:
        """What cairn.open() opens again: the path, and the name after `#` of a part."""
        return self.path + ("#" + self._stored.member if self._stored.member else "")

    @property
    def format(self) -> str:
        """The format's identifier, such as "dcp" or "safetensors"."""
        return self._stored.format

    @property
    def framework(self) -> str | None:
        """The framework that wrote it, such as "torch", if that is known."""
        return self._stored.framework or None

    @property
    def state(self) -> str:
        """Whether all of it exists: "complete", "incomplete" or "unknown"."""
        return self._stored.state

    @property
    def why(self) -> list[str]:
        """The reasons for `state`, one sentence each."""
        return self._stored.why()

    @property
    def notices(self) -> list[Notice]:
        """What was noticed when it was opened: damage, leftovers, unusual parts."""
        return [make_notice(**fields) for fields in self._stored.notices()]  # type: ignore[arg-type]

    @property
    def files(self) -> list[dict[str, object]]:
        """Its files: {"path", "bytes", "missing"}."""
        return self._stored.files()

    @property
    def values(self) -> Any:
        """The plain values (epoch, step, arguments, hyper-parameters …), usually a dict; an empty one if there are none.

        Read at the first use, then kept. Tuples, bytes and integers of any size stay what they are; sets are lists; objects of
        classes are {"$class": name, "$state": attributes}. Tensors of no dimensions are numbers; other tensors are left out.
        """
        if self._values is _UNREAD:
            values = self._stored.values()
            self._values = {} if values is None else values
        return self._values

    @property
    def step(self) -> int | None:
        """The training step at which it was saved, if that is recorded."""
        return self._training_position()[0]

    @property
    def epoch(self) -> float | None:
        """The epoch at which it was saved, if that is recorded."""
        return self._training_position()[1]

    @property
    def because(self) -> list[dict[str, Any]]:
        """The evidence for step and epoch in its values, the strongest first: {"strength", "id", "says", "where"}.

        "strength" is "proven", "recorded" or "named", "id" identifies the rule, "where" is {"file", "field"}. The name and the run
        are not asked; cairn.runs() does that.
        """
        return self._stored.position_evidence()  # type: ignore[return-value]

    def keys(self) -> list[str]:
        """The names of all tensors, in the checkpoint's order."""
        if self._names is None:
            self._names = self._stored.names()
        return list(self._names)

    def items(self) -> Iterator[tuple[str, Tensor]]:
        """Names and tensors."""
        for name in self:
            yield name, self[name]

    def get(self, name: str, default: Any = None) -> Tensor | Any:
        """The tensor with this name, or the default."""
        found = self._find(name)
        return default if found is None else found

    def __getitem__(self, name: str) -> Tensor:
        if not isinstance(name, str):
            raise TypeError(f"names of tensors are str, not {type(name).__name__}")
        found = self._find(name)
        if found is None:
            raise TensorNotFound(
                "tensor-not-found", "No such tensor", Where(file=self.path, tensor=name), hint="keys() lists the names"
            )
        return found

    def __contains__(self, name: object) -> bool:
        return self._find(name) is not None

    def __iter__(self) -> Iterator[str]:
        return iter(self.keys())

    def __len__(self) -> int:
        return len(self._stored)

    def __repr__(self) -> str:
        return f"<cairn.Checkpoint {self.location!r}: {self.format}, {len(self)} tensors, {self.state}>"

    def __reduce__(self) -> tuple[Any, ...]:
        return open, (self.location,)

    def _find(self, name: object) -> Tensor | None:
        if not isinstance(name, str):
            return None
        try:
            stored = self._stored.find(name.encode("utf-8", "surrogateescape"))
        except UnicodeEncodeError:  # lone surrogates: not a name of any file
            return None
        return None if stored is None else Tensor(self, stored)

    def _training_position(self) -> tuple[int | None, float | None]:
        if self._position is None:
            self._position = self._stored.position()
        return self._position


def open(path: str | os.PathLike[str] | Checkpoint) -> Checkpoint:
    """Opens a checkpoint of any format: a file, a folder, or a part of one ("ckpt.pt#model.encoder").

    Reads its index only. The folder of a run opens the newest complete checkpoint, with a notice. Raises Error.
    """
    return Checkpoint(_core.open(encoded_path(path)))
