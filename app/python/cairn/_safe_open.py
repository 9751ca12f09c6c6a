# SPDX-License-Identifier: Apache-2.0
"""The interface of the safetensors library over every format."""

from __future__ import annotations

from cairn._checkpoint import Checkpoint, open
from cairn._errors import Error, Where
from cairn._tensor import Tensor

TYPE_CHECKING = False
if TYPE_CHECKING:
    import os
    from types import TracebackType
    from typing import Any

_FRAMEWORKS = {"pt": "torch", "torch": "torch", "pytorch": "torch", "np": "numpy", "numpy": "numpy"}


class SafeSlice:
    """A tensor of which parts are read: s[2:4] is an array of the framework."""

    __slots__ = ("_opened", "_tensor")

    def __init__(self, opened: safe_open, tensor: Tensor) -> None:
        self._opened = opened
        self._tensor = tensor

    def get_shape(self) -> list[int]:
        """The extent of each dimension."""
        return list(self._tensor.shape)

    def get_dtype(self) -> str:
        """The dtype by its name in safetensors files, such as "BF16"; of a dtype that these cannot store, Cairn's name."""
        return self._tensor._stored.safetensors_name or self._tensor.dtype

    def __getitem__(self, index: Any) -> Any:
        return self._opened._converted(self._tensor[index])


class safe_open:
    """Opens a checkpoint of any format as safetensors.safe_open() opens a file.

    with cairn.safe_open("step-400", framework="pt") as f:
        f.keys(); f.get_tensor(name); f.get_slice(name)[:8]; f.metadata()

    framework   "pt" for PyTorch, "np" for NumPy
    device      "cpu", or where PyTorch moves the tensors: "cuda:0", or its number
    """

    __slots__ = ("_checkpoint", "_device", "_framework")

    def __init__(self, filename: str | os.PathLike[str], framework: str, device: str | int = "cpu") -> None:
        if framework not in _FRAMEWORKS:
            raise Error("invalid-argument", "Unknown framework", found=repr(framework), expected="pt or np")
        self._framework = _FRAMEWORKS[framework]
        self._device = f"cuda:{device}" if isinstance(device, int) else device
        if self._framework == "numpy" and self._device != "cpu":
            raise Error("invalid-argument", "NumPy's arrays are on the CPU", found=str(device), expected="cpu")
        self._checkpoint: Checkpoint | None = open(filename)

    def __enter__(self) -> safe_open:
        return self

    def __exit__(self, kind: type[BaseException] | None, value: BaseException | None, trace: TracebackType | None) -> None:
        self._checkpoint = None

    def keys(self) -> list[str]:
        """The names of all tensors, sorted."""
        return sorted(self._opened().keys())

    def offset_keys(self) -> list[str]:
        """The names in the order in which the tensors are stored."""
        checkpoint = self._opened()
        order = {str(file["path"]): i for i, file in enumerate(checkpoint.files)}

        def place(name: str) -> tuple[int, int]:
            return min(((order[piece.file], piece.offset) for piece in checkpoint[name].pieces), default=(len(order), 0))

        return sorted(self.keys(), key=place)

    def metadata(self) -> dict[str, str] | None:
        """The texts in the header of a safetensors file; None for other formats, whose values are in cairn.open(path).values."""
        values = self._opened().values
        found = values.get("__metadata__") if isinstance(values, dict) else None
        return dict(found) if isinstance(found, dict) else None

    def get_tensor(self, name: str) -> Any:
        """The complete tensor as an array of the framework."""
        return self._converted(self._opened()[name])

    def get_slice(self, name: str) -> SafeSlice:
        """The tensor for reading parts of it."""
        return SafeSlice(self, self._opened()[name])

    def _opened(self) -> Checkpoint:
        if self._checkpoint is None:
            raise Error("invalid-argument", "The checkpoint is closed", Where(), hint="Use it inside the `with` block")
        return self._checkpoint

    def _converted(self, tensor: Tensor) -> Any:
        self._opened()
        if self._framework == "numpy":
            return tensor.numpy()
        return tensor.torch(None if self._device == "cpu" else self._device)
