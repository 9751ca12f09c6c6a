# SPDX-License-Identifier: Apache-2.0
"""Failures and notices, with the fields of the command line's JSON documents."""

from __future__ import annotations


class Where:
    """The place that an error or a notice refers to; None where unknown."""

    __slots__ = ("field", "file", "offset", "tensor")

    def __init__(self, file: str | None = None, offset: int | None = None, tensor: str | None = None, field: str | None = None) -> None:
        self.file = file
        self.offset = offset
        self.tensor = tensor
        self.field = field

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Where) and self.as_dict() == other.as_dict()

    def __hash__(self) -> int:
        return hash((self.file, self.offset, self.tensor, self.field))

    def __repr__(self) -> str:
        known = ", ".join(f"{name}={value!r}" for name, value in self.as_dict().items() if value is not None)
        return f"Where({known})"

    def as_dict(self) -> dict[str, str | int | None]:
        """As in a JSON document, where `field` is left out if it is unknown."""
        place: dict[str, str | int | None] = {"file": self.file, "offset": self.offset, "tensor": self.tensor}
        if self.field is not None:
            place["field"] = self.field
        return place


def _sentence(message: str, where: Where, found: str | None, expected: str | None, hint: str | None) -> str:
    parts = [message]
    labels = {"file": where.file, "offset": where.offset, "tensor": where.tensor, "field": where.field, "found": found, "expected": expected}
    parts += [f"{label} {text}" for label, text in labels.items() if text is not None]
    if hint is not None:
        parts.append(hint)
    return "; ".join(parts)


class Error(Exception):
    """A failure caused by input, files or the system.

    code      stable, such as "truncated" (the column `name` of core/base/error_codes.h)
    message   one sentence
    where     file, offset, tensor, field
    found, expected, hint   texts, or None
    """

    def __init__(
        self,
        code: str,
        message: str,
        where: Where | None = None,
        found: str | None = None,
        expected: str | None = None,
        hint: str | None = None,
    ) -> None:
        super().__init__(code, message, where, found, expected, hint)
        self.code = code
        self.message = message
        self.where = where if where is not None else Where()
        self.found = found
        self.expected = expected
        self.hint = hint

    def __str__(self) -> str:
        return _sentence(self.message, self.where, self.found, self.expected, self.hint)

    def as_dict(self) -> dict[str, object]:
        """The member `error` of a JSON document."""
        return {
            "code": self.code,
            "message": self.message,
            "where": self.where.as_dict(),
            "found": self.found,
            "expected": self.expected,
            "hint": self.hint,
        }


class TensorNotFound(Error, KeyError):
    """No tensor has this name."""


class SliceError(Error, IndexError):
    """An index or a slice that does not fit the tensor's shape."""


_CLASSES = {"tensor-not-found": TensorNotFound, "bad-slice": SliceError}


class Notice:
    """A remark about a checkpoint that can be read: the fields of Error, and severity: "info", "warning" or "error"."""

    __slots__ = ("code", "expected", "found", "hint", "message", "severity", "where")

    def __init__(
        self,
        severity: str,
        code: str,
        message: str,
        where: Where | None = None,
        found: str | None = None,
        expected: str | None = None,
        hint: str | None = None,
    ) -> None:
        self.severity = severity
        self.code = code
        self.message = message
        self.where = where if where is not None else Where()
        self.found = found
        self.expected = expected
        self.hint = hint

    def __str__(self) -> str:
        return f"{self.severity}: " + _sentence(self.message, self.where, self.found, self.expected, self.hint)

    def __repr__(self) -> str:
        return f"<cairn.Notice {self.code}: {self}>"


def make_error(*, code: str, file: str | None, offset: int | None, tensor: str | None, field: str | None, **texts: str) -> Error:
    """The exception for an error of the core."""
    return _CLASSES.get(code, Error)(code, where=Where(file, offset, tensor, field), **texts)


def make_notice(*, file: str | None, offset: int | None, tensor: str | None, field: str | None, **texts: str) -> Notice:
    """The notice for one of the core."""
    return Notice(where=Where(file, offset, tensor, field), **texts)
