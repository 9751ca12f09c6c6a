"""
The core of Cairn. Use the package cairn; this module may change at any time.
"""



version: str = '0.1.0'

class StoredTensor:
    """One tensor of a checkpoint."""

    @property
    def name(self) -> str: ...

    @property
    def dtype(self) -> str: ...

    @property
    def shape(self) -> tuple[int, ...]: ...

    @property
    def role(self) -> str: ...

    @property
    def nbytes(self) -> int:
        """Size of the elements; of strings, of the stored items."""

    @property
    def block_elements(self) -> int:
        """Elements that are stored together; 1: each separately."""

    @property
    def block_bytes(self) -> int: ...

    @property
    def bits(self) -> int:
        """Size of an element."""

    @property
    def torch_name(self) -> str:
        """Its dtype's attribute of the module torch; empty: none."""

    @property
    def safetensors_name(self) -> str:
        """Its dtype's name in safetensors files; empty: none."""

    def dequantized(self) -> StoredTensor:
        """With float32 numbers instead of quantised blocks."""

    def read(self, ranges: list[tuple[int, int, int]], immutable: bool = False) -> bytearray | bytes:
        """
        The elements chosen by (first, step, count) of each dimension, dense, little-endian.
        """

    def read_strings(self, ranges: list[tuple[int, int, int]]) -> list[bytes]:
        """The same for strings."""

    def string_bytes(self) -> bytes:
        """All strings: the length of each as 64-bit integer, then its bytes."""

    def pieces(self) -> list[dict[str, object]]:
        """Where the elements are stored."""

def dlpack_array(elements: bytearray, shape: list[int], code: int, bits: int) -> object:
    """
    An object with __dlpack__ over the elements; code and bits are DLPack's.
    """

class StoredCheckpoint:
    """The index of an opened checkpoint."""

    @property
    def path(self) -> str: ...

    @property
    def member(self) -> str:
        """The part after `#`; empty: all of it."""

    @property
    def format(self) -> str: ...

    @property
    def framework(self) -> str:
        """Empty: unknown."""

    @property
    def state(self) -> str: ...

    def __len__(self) -> int: ...

    def names(self) -> list[str]: ...

    def find(self, name: bytes) -> StoredTensor | None:
        """The tensor with that name, in UTF-8."""

    def values(self) -> object:
        """The plain values; reads them."""

    def position(self) -> tuple[int | None, float | None]:
        """Step and epoch of the training."""

    def position_evidence(self) -> list[dict[str, object]]:
        """The evidence for step and epoch in the values."""

    def notices(self) -> list[dict[str, object]]: ...

    def files(self) -> list[dict[str, object]]: ...

    def why(self) -> list[str]:
        """Reasons for the state."""

def open(path: bytes) -> StoredCheckpoint:
    """
    Opens a checkpoint; reads its index only. The path is as os.fsencode() returns it.
    """

def run_verb(verb: str, words: list[bytes], options: list[tuple[str, bytes]], progress: object | None = None) -> tuple[int, str, list[str], str | None]:
    """
    Runs a verb; returns its exit code, JSON document and messages, and the root folder of the host that it ran on. Options are long names with values, empty for switches. Calls progress(phase, done, total).
    """

def verbs() -> dict[str, dict[str, bool]]:
    """The options of each verb, and whether they take a value."""
