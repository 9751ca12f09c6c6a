# SPDX-License-Identifier: Apache-2.0
"""`torch.save` files: dtypes, memory layouts, ways of writing the container."""

from __future__ import annotations

import zipfile
from collections import OrderedDict
from pathlib import Path

import torch

import torch_0_1
from registry import case

PLAIN = [torch.float64, torch.float32, torch.float16, torch.bfloat16, torch.int64, torch.int32, torch.int16, torch.int8,
         torch.uint8, torch.bool, torch.complex64, torch.complex128]
NARROW = [torch.float8_e4m3fn, torch.float8_e5m2, torch.float8_e4m3fnuz, torch.float8_e5m2fnuz, torch.float8_e8m0fnu,
          torch.float4_e2m1fn_x2, torch.complex32, torch.uint16, torch.uint32, torch.uint64]
BITS = [torch.bits8, torch.bits16, torch.bits1x8, torch.bits2x4, torch.bits4x2]


def random(shape: tuple[int, ...], dtype: torch.dtype, seed: int = 0) -> torch.Tensor:
    """Random bits, NaN and infinity included; 0 and 1 for bool."""
    generator = torch.Generator().manual_seed(seed + len(str(dtype)))
    size = torch.empty((), dtype=dtype).element_size()
    count = 1
    for extent in shape:
        count *= extent
    raw = torch.randint(0, 2 if dtype == torch.bool else 256, (count * size,), dtype=torch.uint8, generator=generator)
    return raw.view(dtype).reshape(shape) if dtype not in BITS else raw.view(dtype)


def name_of(dtype: torch.dtype) -> str:
    return str(dtype).removeprefix("torch.")


def small_state() -> OrderedDict:
    torch.manual_seed(7)
    model = torch.nn.Sequential(torch.nn.Linear(6, 5), torch.nn.BatchNorm1d(5), torch.nn.Linear(5, 3, bias=False))
    return model.state_dict()


@case("torch_zip_dtypes", "torch")
def dtypes(folder: Path) -> Path:
    state = {name_of(dtype): random((3, 4), dtype) for dtype in PLAIN + NARROW}
    torch.save(state, folder / "dtypes.pt")
    return folder / "dtypes.pt"


@case("torch_zip_bits", "torch")
def bits(folder: Path) -> Path:
    torch.save({name_of(dtype): random((12,), dtype) for dtype in BITS}, folder / "bits.pt")
    return folder / "bits.pt"


@case("torch_zip_quantized", "torch")
def quantized(folder: Path) -> Path:
    values = torch.linspace(-2, 2, 24).reshape(4, 6)
    scales, zeros = torch.tensor([0.1, 0.2, 0.05, 0.4], dtype=torch.float64), torch.tensor([0, 1, -1, 2])
    state = {
        "qint8": torch.quantize_per_tensor(values, 0.05, 3, torch.qint8),
        "quint8": torch.quantize_per_tensor(values, 0.05, 120, torch.quint8),
        "qint32": torch.quantize_per_tensor(values, 0.001, 0, torch.qint32),
        "qint8_channel": torch.quantize_per_channel(values, scales, zeros, 0, torch.qint8),
        "quint8_channel": torch.quantize_per_channel(values, scales, zeros + 100, 0, torch.quint8),
        "qint32_channel": torch.quantize_per_channel(values.t(), scales, zeros, 1, torch.qint32),
    }
    torch.save(state, folder / "quantized.pt")
    return folder / "quantized.pt"


@case("torch_zip_quint_packed", "torch")
def quint_packed(folder: Path) -> Path:
    values = torch.linspace(-2, 2, 24).reshape(4, 6)
    scales, zeros = torch.full((4,), 0.3), torch.full((4,), 4.0)
    state = {name_of(dtype): torch.quantize_per_channel(values, scales, zeros, 0, dtype) for dtype in (torch.quint4x2, torch.quint2x4)}
    torch.save(state, folder / "packed.pt")
    return folder / "packed.pt"


@case("torch_zip_views", "torch")
def views(folder: Path) -> Path:
    base = torch.arange(240, dtype=torch.float32).reshape(8, 30)
    image = torch.arange(2 * 3 * 4 * 5, dtype=torch.int16).reshape(2, 3, 4, 5)
    complex_base = torch.randn(4, 3, dtype=torch.complex64, generator=torch.Generator().manual_seed(1))
    tied = torch.nn.Parameter(torch.arange(12.0).reshape(3, 4))
    state = {
        "base": base, "row": base[3], "column": base[:, 4], "steps": base[1:7:2, 2:29:3], "transposed": base.t(),
        "slice_of_large": torch.arange(10000, dtype=torch.float64)[5000:5004],
        "channels_last": image.contiguous(memory_format=torch.channels_last), "permuted": image.permute(3, 0, 2, 1),
        "expanded": torch.tensor([[1.5], [2.5]]).expand(2, 7), "scalar_expanded": torch.tensor(3.0).expand(4, 4),
        "overlapping": torch.arange(10).as_strided((4, 4), (2, 1)),
        "embed.weight": tied, "head.weight": tied, "head_transposed": tied.t(),
        "scalar": torch.tensor(2.75), "int_scalar": torch.tensor(-5), "bool_scalar": torch.tensor(True),
        "empty": torch.empty(0), "empty_2d": torch.empty(3, 0, 2, dtype=torch.int32), "one": torch.ones(1, 1, 1),
        "complex": complex_base, "conjugate": complex_base.conj(), "conjugate_row": complex_base.conj()[1],
        "negative": torch._neg_view(torch.arange(5.0)), "negative_slice": torch._neg_view(torch.arange(6)).reshape(2, 3)[:, 1:],
    }
    torch.save(state, folder / "views.pt")
    return folder / "views.pt"


@case("torch_zip_root_tensor", "torch")
def root_tensor(folder: Path) -> Path:
    torch.save(random((5, 7), torch.bfloat16), folder / "weight.pt")
    return folder / "weight.pt"


@case("torch_zip_root_list", "torch")
def root_list(folder: Path) -> Path:
    torch.save([torch.arange(4), {"a": torch.ones(2), "note": "second"}, 3.5], folder / "list.pt")
    return folder / "list.pt"


def register_containers() -> None:
    """The same state in every variant of the container."""

    def saved(name: str, file: str, **options) -> None:
        @case(name, "torch")
        def write(folder: Path) -> Path:
            torch.save({"step": 12, "model": small_state()}, folder / file, **options)
            return folder / file

    for protocol in (2, 3, 4, 5):
        saved(f"torch_zip_protocol_{protocol}", "state.pt", pickle_protocol=protocol)
    saved("torch_zip_wrong_extension", "state.json")
    saved("torch_zip_no_extension", "checkpoint")
    saved("torch_zip_bin", "pytorch_model.bin")
    saved("torch_legacy_protocol_2", "state.pt", _use_new_zipfile_serialization=False, pickle_protocol=2)
    saved("torch_legacy_protocol_4", "state.pth", _use_new_zipfile_serialization=False, pickle_protocol=4)


register_containers()


@case("torch_zip_unicode_names", "torch")
def unicode_names(folder: Path) -> Path:
    names = ["é.weight", "层.0", "with space", "a/b", "quote\"s", "", "dots..twice", "x" * 300]
    torch.save({name: torch.full((2,), float(i)) for i, name in enumerate(names)}, folder / "ünïcode name.pt")
    return folder / "ünïcode name.pt"


@case("torch_zip_many", "torch")
def many(folder: Path) -> Path:
    torch.save({f"layers.{i}.weight": torch.tensor([float(i), -float(i)]) for i in range(300)}, folder / "many.pt")
    return folder / "many.pt"


@case("torch_zip_no_crc", "torch")
def no_crc(folder: Path) -> Path:
    torch.serialization.set_crc32_options(False)
    try:
        torch.save(small_state(), folder / "state.pt")
    finally:
        torch.serialization.set_crc32_options(True)
    return folder / "state.pt"


@case("torch_zip_alignment", "torch")
def alignment(folder: Path) -> Path:
    from torch.utils.serialization import config

    before = config.save.storage_alignment
    config.save.storage_alignment = 4096
    try:
        torch.save(small_state(), folder / "state.pt")
    finally:
        config.save.storage_alignment = before
    return folder / "state.pt"


def rezip(source: Path, target: Path, method: int, change=lambda name, data: data, order=lambda names: names) -> None:
    with zipfile.ZipFile(source) as old, zipfile.ZipFile(target, "w", method) as new:
        for name in order(old.namelist()):
            new.writestr(name, change(name, old.read(name)))


@case("torch_zip_deflated", "torch")
def deflated(folder: Path) -> Path:
    torch.save({"model": small_state(), "big": torch.zeros(3000)}, folder / "plain.tmp")
    rezip(folder / "plain.tmp", folder / "deflated.pt", zipfile.ZIP_DEFLATED)
    (folder / "plain.tmp").unlink()
    return folder / "deflated.pt"


@case("torch_zip_rezipped_stored", "torch")
def rezipped(folder: Path) -> Path:
    torch.save({"model": small_state()}, folder / "plain.tmp")
    rezip(folder / "plain.tmp", folder / "stored.pt", zipfile.ZIP_STORED, order=lambda names: sorted(names, reverse=True))
    (folder / "plain.tmp").unlink()
    return folder / "stored.pt"


@case("torch_zip_big_endian", "torch")
def big_endian(folder: Path) -> Path:
    """torch writes the byte order of its machine; the bytes are swapped here, and torch's reader swaps them back when the oracle is made."""
    state = OrderedDict((name_of(dtype), random((3, 4), dtype))
                        for dtype in (torch.float64, torch.float32, torch.bfloat16, torch.int64, torch.int16, torch.uint8,
                                      torch.bool, torch.complex64, torch.complex128))
    state["view"] = state["float32"].t()
    torch.save(state, folder / "little.tmp")
    widths = [1 if dtype in (torch.uint8, torch.bool) else tensor.element_size() // (2 if tensor.is_complex() else 1)
              for dtype, tensor in ((t.dtype, t) for name, t in state.items() if name != "view")]

    def swap(name: str, data: bytes) -> bytes:
        if name.endswith("/byteorder"):
            return b"big"
        if "/data/" not in name:
            return data
        width = widths[int(name.rsplit("/", 1)[1])]
        return b"".join(data[at : at + width][::-1] for at in range(0, len(data), width))

    rezip(folder / "little.tmp", folder / "big.pt", zipfile.ZIP_STORED, swap)
    (folder / "little.tmp").unlink()
    return folder / "big.pt"


@case("torch_zip_embedded_comment", "torch")
def commented(folder: Path) -> Path:
    torch.save(small_state(), folder / "state.pt")
    with zipfile.ZipFile(folder / "state.pt", "a") as archive:
        archive.comment = b"made elsewhere"
    return folder / "state.pt"


@case("torch_legacy_views", "torch")
def legacy_views(folder: Path) -> Path:
    base = torch.arange(60, dtype=torch.float32).reshape(6, 10)
    tied = torch.nn.Parameter(torch.randn(4, 3, generator=torch.Generator().manual_seed(3)))
    state = {"base": base, "transposed": base.t(), "column": base[:, 3], "row": base[2], "embed": tied, "head": tied,
             "scalar": torch.tensor(1.25), "empty": torch.empty(0, 3), "half": random((7,), torch.float16),
             "bf16": random((9,), torch.bfloat16), "long": torch.arange(5), "bool": torch.tensor([True, False, True]),
             "epoch": 4, "name": "legacy"}
    torch.save(state, folder / "views.pth", _use_new_zipfile_serialization=False)
    return folder / "views.pth"


@case("torch_0_1_tar", "torch")
def tar_of_torch_0_1(folder: Path) -> Path:
    torch_0_1.save(torch_0_1.sample(), folder / "model_best.pth.tar")
    return folder / "model_best.pth.tar"


@case("torch_0_1_views", "torch")
def views_of_torch_0_1(folder: Path) -> Path:
    torch_0_1.save(torch_0_1.with_views(), folder / "views.pth", {"part": ("root", 6, 12)})
    return folder / "views.pth"


@case("torch_symlink", "torch")
def symlink(folder: Path) -> Path:
    torch.save(small_state(), folder / "epoch_3.pt")
    (folder / "latest.pt").symlink_to("epoch_3.pt")
    return folder / "latest.pt"
