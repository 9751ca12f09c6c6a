// SPDX-License-Identifier: Apache-2.0
#include "app/python/tensor.h"

#include "app/python/errors.h"
#include "app/python/watched.h"
#include "core/analysis/dequantized.h"
#include "core/model/string_elements.h"

#include <nanobind/ndarray.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>
#include <new>
#include <optional>
#include <span>
#include <string>
#include <utility>

namespace nb = nanobind;

namespace cairn::python {
namespace {

/// Smaller reads take less time than starting a thread.
constexpr std::uint64_t kSmallRead = std::uint64_t{1} << 20U;

std::vector<StridedRange> stridedRanges(const std::vector<StoredTensor::Range>& ranges) {
    std::vector<StridedRange> strided;
    strided.reserve(ranges.size());
    for (const auto& [first, step, count] : ranges) {
        strided.push_back({first, step, count});
    }
    return strided;
}

nb::tuple tupleOf(const Dims& dims) {
    nb::list items;
    for (const std::int64_t extent : dims.span()) {
        items.append(extent);
    }
    return nb::tuple(items);
}

/// An object with __dlpack__ and __dlpack_device__ over the elements of a bytearray, which it
/// keeps.
nb::object dlpackArray(nb::bytearray elements, const std::vector<std::size_t>& shape, int code,
                       int bits) {
    std::size_t bytes = static_cast<std::size_t>(bits) / 8;
    for (const std::size_t extent : shape) {
        bytes *= extent;
    }
    if (bytes != elements.size()) {
        throw nb::value_error("the bytes do not match the shape");
    }
    const nb::dlpack::dtype dtype{static_cast<std::uint8_t>(code), static_cast<std::uint8_t>(bits),
                                  1};
    const nb::ndarray<nb::array_api> array(elements.data(), shape.size(), shape.data(), elements,
                                           nullptr, dtype);
    return nb::cast(array);
}

/// Python's memory, to be filled before anybody else has it.
struct Elements {
    nb::object object;
    std::span<std::byte> bytes;
};

Elements allocate(std::uint64_t size, bool immutable) {
    if (size > static_cast<std::uint64_t>(PY_SSIZE_T_MAX)) {
        throw std::bad_alloc();
    }
    const auto count = static_cast<Py_ssize_t>(size);
    nb::object object = nb::steal(immutable ? PyBytes_FromStringAndSize(nullptr, count)
                                            : PyByteArray_FromStringAndSize(nullptr, 0));
    // A bytearray is not created with its size: CPython's error path for that is wrong.
    if (!object.is_valid() || (!immutable && PyByteArray_Resize(object.ptr(), count) != 0)) {
        throw nb::python_error();
    }
    char* const data =
        immutable ? PyBytes_AsString(object.ptr()) : PyByteArray_AsString(object.ptr());
    return {std::move(object),
            {reinterpret_cast<std::byte*>(data), static_cast<std::size_t>(size)}};
}

} // namespace

StoredTensor StoredTensor::dequantized() const {
    if (!dtype().isBlock()) {
        return *this;
    }
    return {TensorNumbers(*m_checkpoint, entry()).view(), TensorIndex(0)};
}

nb::object StoredTensor::read(const std::vector<Range>& ranges, bool immutable) const {
    const std::vector<StridedRange> strided = stridedRanges(ranges);
    const std::uint64_t size = unwrap(stridedBytes(entry(), strided));
    const CancelToken cancel;
    std::optional<TensorReader> reader;
    if (size > 0) { // unreadable tensors fail here, before memory is allocated
        const nb::gil_scoped_release release;
        reader.emplace(unwrap(TensorReader::open(*m_checkpoint, entry())));
    }
    const auto [elements, out] = allocate(size, immutable);
    const auto work = [&, target = out] {
        unwrap(readStrided(*reader, entry(), strided, target, cancel));
    };
    if (size == 0) {
        return elements;
    }
    if (size <= kSmallRead) {
        const nb::gil_scoped_release release;
        work();
    } else {
        runWatched(cancel, work);
    }
    return elements;
}

nb::list StoredTensor::readStrings(const std::vector<Range>& ranges) const {
    const CancelToken cancel;
    const auto strings = watched(cancel, [&] {
        return unwrap(readStridedStrings(*m_checkpoint, entry(), stridedRanges(ranges), cancel));
    });
    nb::list items;
    for (const std::string& each : strings) {
        items.append(nb::bytes(each.data(), each.size()));
    }
    return items;
}

nb::bytes StoredTensor::stringBytes() const {
    const CancelToken cancel;
    const auto bytes = watched(
        cancel, [&] { return unwrap(readStringBytes(*m_checkpoint, entry(), kMaxStringMemory)); });
    return nb::bytes(bytes.data(), bytes.size());
}

nb::list StoredTensor::pieces() const {
    nb::list pieces;
    for (const Piece& piece : entry().pieces) {
        nb::dict item;
        const CheckpointFile& file = m_checkpoint->files()[piece.file.position()];
        item["file"] = textOf(file.path);
        item["offset"] = piece.bytes.offset;
        item["length"] = piece.bytes.length;
        item["origin"] = tupleOf(piece.box.origin);
        item["extent"] = tupleOf(piece.box.extent);
        item["codec"] = textOf(m_checkpoint->codecName(piece.codec));
        pieces.append(item);
    }
    return pieces;
}

void bindTensor(nb::module_& module) {
    nb::class_<StoredTensor>(module, "StoredTensor", "One tensor of a checkpoint.")
        .def_prop_ro(
            "name", [](const StoredTensor& self) { return textOf(self.entry().name); },
            nb::sig("def name(self) -> str"))
        .def_prop_ro(
            "dtype", [](const StoredTensor& self) { return textOf(self.dtype().name); },
            nb::sig("def dtype(self) -> str"))
        .def_prop_ro(
            "shape", [](const StoredTensor& self) { return tupleOf(self.entry().shape); },
            nb::sig("def shape(self) -> tuple[int, ...]"))
        .def_prop_ro(
            "role", [](const StoredTensor& self) { return textOf(roleName(self.entry().role)); },
            nb::sig("def role(self) -> str"))
        .def_prop_ro(
            "nbytes", [](const StoredTensor& self) { return self.entry().bytes(); },
            "Size of the elements; of strings, of the stored items.")
        .def_prop_ro(
            "block_elements", [](const StoredTensor& self) { return self.dtype().blockElements; },
            "Elements that are stored together; 1: each separately.")
        .def_prop_ro("block_bytes",
                     [](const StoredTensor& self) { return self.dtype().blockBytes; })
        .def_prop_ro(
            "bits", [](const StoredTensor& self) { return self.dtype().bits; },
            "Size of an element.")
        .def_prop_ro(
            "torch_name", [](const StoredTensor& self) { return textOf(self.dtype().torchName); },
            nb::sig("def torch_name(self) -> str"),
            "Its dtype's attribute of the module torch; empty: none.")
        .def_prop_ro(
            "safetensors_name",
            [](const StoredTensor& self) { return textOf(self.dtype().safetensors); },
            nb::sig("def safetensors_name(self) -> str"),
            "Its dtype's name in safetensors files; empty: none.")
        .def("dequantized", &StoredTensor::dequantized,
             "With float32 numbers instead of quantised blocks.")
        .def("read", &StoredTensor::read, nb::arg("ranges"), nb::arg("immutable") = false,
             nb::sig("def read(self, ranges: list[tuple[int, int, int]], immutable: bool = False) "
                     "-> bytearray | bytes"),
             "The elements chosen by (first, step, count) of each dimension, dense, little-endian.")
        .def("read_strings", &StoredTensor::readStrings, nb::arg("ranges"),
             nb::sig("def read_strings(self, ranges: list[tuple[int, int, int]]) -> list[bytes]"),
             "The same for strings.")
        .def("string_bytes", &StoredTensor::stringBytes,
             "All strings: the length of each as 64-bit integer, then its bytes.")
        .def("pieces", &StoredTensor::pieces,
             nb::sig("def pieces(self) -> list[dict[str, object]]"),
             "Where the elements are stored.");
    module.def("dlpack_array", dlpackArray, nb::arg("elements"), nb::arg("shape"), nb::arg("code"),
               nb::arg("bits"),
               nb::sig("def dlpack_array(elements: bytearray, shape: list[int], code: int, "
                       "bits: int) -> object"),
               "An object with __dlpack__ over the elements; code and bits are DLPack's.");
}

} // namespace cairn::python
