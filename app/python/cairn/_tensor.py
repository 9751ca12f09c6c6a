# SPDX-License-Identifier: Apache-2.0
"""A tensor that is read when its elements are asked for."""

from __future__ import annotations

import operator

from cairn import _core
from cairn._errors import Error, SliceError, Where

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    from numpy import ndarray as NumpyArray
    from torch import Tensor as TorchTensor

    from cairn._checkpoint import Checkpoint

# Names of dtypes that NumPy or ml_dtypes call differently: quantised integers are read as the stored integers.
_NUMPY_NAMES = {"qint8": "int8", "quint8": "uint8", "qint16": "int16", "quint16": "uint16", "qint32": "int32"}
_NUMPY_OWN = {
    "bool", "uint8", "int8", "uint16", "int16", "uint32", "int32", "uint64", "int64", "float16", "float32", "float64", "complex64", "complex128",
}  # fmt: skip
_ML_DTYPES = {
    "bfloat16", "float8_e4m3fn", "float8_e5m2", "float8_e4m3fnuz", "float8_e5m2fnuz", "float8_e8m0fnu", "float8_e4m3b11fnuz",
    "int4", "uint4", "int2", "uint2",
}  # fmt: skip
# DLPack's type codes
_DLPACK = {
    "int": 0, "uint": 1, "float": 2, "bfloat": 4, "complex": 5, "bool": 6, "float8_e4m3b11fnuz": 9, "float8_e4m3fn": 10,
    "float8_e4m3fnuz": 11, "float8_e5m2": 12, "float8_e5m2fnuz": 13, "float8_e8m0fnu": 14,
}  # fmt: skip


class Piece:
    """A part of a tensor: the box at `origin` of size `extent` is stored in `length` bytes at `offset` of `file`, encoded by
    `codec` ("raw": not encoded)."""

    __slots__ = ("codec", "extent", "file", "length", "offset", "origin")

    def __init__(self, file: str, offset: int, length: int, origin: tuple[int, ...], extent: tuple[int, ...], codec: str) -> None:
        self.file = file
        self.offset = offset
        self.length = length
        self.origin = origin
        self.extent = extent
        self.codec = codec

    def __repr__(self) -> str:
        return f"<cairn.Piece {self.file}[{self.offset}:{self.offset + self.length}], box {self.origin} + {self.extent}, {self.codec}>"


class Tensor:
    """A tensor of a checkpoint, or a part of one: `t[2:4, ::2]` is a Tensor that is not read yet.

    numpy(), torch(), tobytes(), numpy.asarray(t) and from_dlpack(t) read the elements: only the bytes of the part, each time
    anew. The result owns its memory. May be used by several threads at once.
    """

    __slots__ = ("_checkpoint", "_kept", "_ranges", "_stored")

    def __init__(
        self, checkpoint: Checkpoint, stored: _core.StoredTensor, ranges: list[range] | None = None, kept: tuple[int, ...] | None = None
    ) -> None:
        self._checkpoint = checkpoint
        self._stored = stored
        self._ranges = [range(extent) for extent in stored.shape] if ranges is None else ranges
        self._kept = tuple(range(len(self._ranges))) if kept is None else kept

    @property
    def name(self) -> str:
        """The tensor's full name."""
        return self._stored.name

    @property
    def dtype(self) -> str:
        """The stored dtype by its usual name, such as "bfloat16", "float8_e4m3fn", "q4_k", "string"."""
        return self._stored.dtype

    @property
    def shape(self) -> tuple[int, ...]:
        """The extent of each dimension."""
        return tuple(len(self._ranges[d]) for d in self._kept)

    @property
    def ndim(self) -> int:
        """The number of dimensions."""
        return len(self._kept)

    @property
    def size(self) -> int:
        """The number of elements."""
        count = 1
        for extent in self.shape:
            count *= extent
        return count

    @property
    def nbytes(self) -> int:
        """The size of the elements in memory; of strings, of the stored items."""
        stored = self._stored
        if self.dtype == "string":
            return stored.nbytes
        if stored.block_elements > 1:
            return self.size // stored.block_elements * stored.block_bytes
        return (self.size * stored.bits + 7) // 8

    @property
    def role(self) -> str:
        """weight, buffer, optimizer, ema, scheduler, rng, training_state or other."""
        return self._stored.role

    @property
    def pieces(self) -> list[Piece]:
        """Where the elements of the complete tensor are stored."""
        return [Piece(**piece) for piece in self._stored.pieces()]  # type: ignore[arg-type]

    @property
    def checkpoint(self) -> Checkpoint:
        """The checkpoint that contains it."""
        return self._checkpoint

    def __getitem__(self, index: Any) -> Tensor:
        ranges = list(self._ranges)
        kept = []
        for d, each in zip(self._kept, self._expanded(index)):
            if isinstance(each, slice):
                ranges[d] = ranges[d][each]
                kept.append(d)
            else:
                ranges[d] = self._single(ranges[d], each)
        return Tensor(self._checkpoint, self._stored, ranges, tuple(kept))

    def numpy(self, raw: bool = False) -> NumpyArray[Any, Any]:
        """The elements as a NumPy array of the same shape.

        bfloat16, float8 and similar types need the package ml_dtypes. Strings become an array of bytes objects. Quantised
        blocks (GGUF) become their bytes, in place of the last dimension; see dequantized(). raw=True gives unsigned integers of
        the same width instead of numbers, and the bytes of dtypes with several elements per byte.
        """
        import numpy

        if self.dtype == "string":
            strings: Any = numpy.empty(self.size, dtype=object)
            strings[:] = self._stored.read_strings(self._triples())
            return strings.reshape(self.shape)  # type: ignore[no-any-return]
        kind, shape = self._numpy_form(numpy, raw)
        elements: Any = numpy.frombuffer(self._read(), dtype=kind)
        return elements if shape is None else elements.reshape(shape)  # type: ignore[no-any-return]

    def torch(self, device: Any = None) -> TorchTensor:
        """The elements as a PyTorch tensor of the same dtype and shape, on the CPU unless a device is given."""
        import torch

        stored = self._stored
        name = stored.torch_name
        if not name or name.startswith(("q", "bits")) or not hasattr(torch, name):
            raise self._unsupported(f"PyTorch has no plain tensors of dtype {self.dtype}", "Use numpy(), or dequantized() for quantised blocks")
        kind = getattr(torch, name)
        if self.size == 0:
            return torch.empty(self.shape, dtype=kind, device=device)
        tensor = torch.frombuffer(self._read(), dtype=torch.uint8).view(kind).reshape(self.shape)
        return tensor if device is None else tensor.to(device)

    def tobytes(self) -> bytes:
        """The elements in C order, little-endian, as hash() covers them (strings: the length of each in 8 bytes, then its bytes)."""
        if self.dtype == "string":
            if self.shape != self._stored.shape:
                raise self._unsupported("The bytes of strings are those of the complete tensor", "Use numpy()")
            return self._stored.string_bytes()
        return self._stored.read(self._triples(), True)  # type: ignore[return-value]

    def dequantized(self) -> Tensor:
        """The same part as float32 numbers instead of quantised blocks; itself if it is not quantised."""
        return Tensor(self._checkpoint, self._stored.dequantized(), self._ranges, self._kept)

    def item(self) -> Any:
        """The only element as a Python object."""
        return self.numpy().item()

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> NumpyArray[Any, Any]:
        if copy is False:
            raise ValueError("elements are read from files: a copy cannot be avoided")
        array = self.numpy()
        return array if dtype is None else array.astype(dtype, copy=False)

    def __dlpack__(self, *, copy: bool | None = None, **options: Any) -> Any:
        if copy is False:
            raise BufferError("elements are read from files: a copy cannot be avoided")
        code = _DLPACK.get(self.dtype, _DLPACK.get(self.dtype.rstrip("0123456789")))
        if code is None or self._stored.bits % 8 != 0 or self.dtype in ("int4", "uint4", "int2", "uint2"):
            raise BufferError(f"DLPack has no dtype for {self.dtype}")
        return _core.dlpack_array(self._read(), list(self.shape), code, self._stored.bits).__dlpack__(**options)  # type: ignore[attr-defined]

    def __dlpack_device__(self) -> tuple[int, int]:
        return (1, 0)  # the CPU

    def __len__(self) -> int:
        if not self._kept:
            raise TypeError("a tensor of no dimensions has no length")
        return self.shape[0]

    def __iter__(self) -> Iterator[Tensor]:
        for i in range(len(self)):
            yield self[i]

    def __bool__(self) -> bool:
        raise ValueError("the truth value of a tensor is ambiguous: compare the array that numpy() returns")

    def __repr__(self) -> str:
        return f"<cairn.Tensor {self.name!r}: {self.dtype} {list(self.shape)}, {self.role}>"

    def __reduce__(self) -> tuple[Any, ...]:
        return _restored, (self._checkpoint, self.name, self.dtype, self._ranges, self._kept)

    def _expanded(self, index: Any) -> list[Any]:
        """One index for each dimension."""
        parts = list(index) if isinstance(index, tuple) else [index]
        for each in parts:
            if each is not Ellipsis and not isinstance(each, slice) and (isinstance(each, bool) or not hasattr(each, "__index__")):
                raise TypeError(
                    f"only integers, slices and `...` select parts of a stored tensor, not {type(each).__name__}; index the array that numpy() returns"
                )
        dots = [i for i, each in enumerate(parts) if each is Ellipsis]
        missing = self.ndim - (len(parts) - len(dots))
        if len(dots) > 1 or missing < 0:
            raise SliceError(
                "bad-slice",
                "The slice has more dimensions than the tensor" if missing < 0 else "A slice may contain `...` once",
                Where(tensor=self.name),
                found=f"{len(parts)} indices",
                expected=f"at most {self.ndim}",
            )
        at = dots[0] if dots else len(parts)
        return parts[:at] + [slice(None)] * missing + parts[at + 1 :]

    def _single(self, elements: range, index: Any) -> range:
        number = operator.index(index)
        if not -len(elements) <= number < len(elements):
            raise SliceError(
                "bad-slice",
                "An index is out of range",
                Where(tensor=self.name),
                found=str(number),
                expected=f"-{len(elements)} to {len(elements) - 1}" if elements else "a slice: the dimension is empty",
            )
        first = elements[number]
        return range(first, first + 1)

    def _triples(self) -> list[tuple[int, int, int]]:
        """First, step and count of each dimension."""
        return [(each[0], each.step if len(each) > 1 else 1, len(each)) if each else (0, 1, 0) for each in self._ranges]

    def _read(self) -> bytearray:
        return self._stored.read(self._triples())  # type: ignore[return-value]

    def _numpy_form(self, numpy: Any, raw: bool) -> tuple[Any, tuple[int, ...] | None]:
        """dtype and shape of the array; the shape None: flat."""
        stored = self._stored
        if stored.block_elements > 1:
            last = self.shape[-1] // stored.block_elements * stored.block_bytes if self.ndim else 0
            return numpy.uint8, (*self.shape[:-1], last) if self.ndim else None
        name = _NUMPY_NAMES.get(self.dtype, self.dtype)
        if raw:
            width = stored.bits // 8 if stored.bits % 8 == 0 else 0
            return (f"u{width}", self.shape) if width in (1, 2, 4, 8) else (numpy.uint8, None)
        if name in _NUMPY_OWN:
            return numpy.dtype(name), self.shape
        if name in _ML_DTYPES:
            try:
                import ml_dtypes
            except ImportError:
                raise self._unsupported(f"NumPy has no dtype {name}", "Install ml_dtypes, or use torch() or numpy(raw=True)") from None
            if hasattr(ml_dtypes, name):
                return numpy.dtype(getattr(ml_dtypes, name)), self.shape
        raise self._unsupported(f"NumPy has no dtype {name}", "Use numpy(raw=True) for the stored bytes")

    def _unsupported(self, message: str, hint: str) -> Error:
        return Error("unsupported", message, Where(file=self._checkpoint.path, tensor=self.name), found=self.dtype, hint=hint)


def _restored(checkpoint: Checkpoint, name: str, dtype: str, ranges: list[range], kept: tuple[int, ...]) -> Tensor:
    """A tensor that was pickled."""
    tensor = checkpoint[name]
    if tensor.dtype != dtype:
        tensor = tensor.dequantized()
    return Tensor(checkpoint, tensor._stored, ranges, kept)
