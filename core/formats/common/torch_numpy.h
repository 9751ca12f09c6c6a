// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/formats/common/torch_objects.h"

#include <optional>
#include <span>
#include <string>

/// NumPy's own pickle vocabulary. Pure functions over a graph.
/// Source: numpy/core/src/multiarray/methods.c (array_reduce, array_setstate), scalartypes.c,
/// descriptor.c; jax/_src/array.py.
namespace cairn::formats {

/// A dtype that Cairn's elements can be; the size and byte order as stored.
struct NumpyDtype {
    Dtype dtype{};
    bool bigEndian = false;
};

/// An Object made by `numpy dtype`, or a `numpy.dtypes …DType` class. Nothing: structured, text,
/// date or object dtypes.
std::optional<NumpyDtype> readNumpyDtype(const pickle::PickleGraph& graph, pickle::NodeId id);

/// ndarray by _reconstruct + BUILD or by _frombuffer, jax.Array around one. Nothing: not an array,
/// or its elements are not numbers.
std::optional<Result<TorchTensor>> readNumpyArray(const pickle::PickleGraph& graph,
                                                  pickle::NodeId id);

/// `scalar(dtype, bytes)` as a plain value. Nothing: not one.
std::optional<Value> readNumpyScalar(const pickle::PickleGraph& graph, pickle::NodeId id);

/// True for arrays of any dtype, and what a reader may state about those that readNumpyArray() does
/// not take.
bool isNumpyArray(const pickle::PickleGraph& graph, pickle::NodeId id);
Value describeNumpyArray(const pickle::PickleGraph& graph, pickle::NodeId id);

/// Bytes written as such, or by `_codecs.encode(text, "latin1")` as protocol 2 has to; `decoded`
/// keeps the latter. Nothing: neither.
std::optional<std::span<const std::byte>> readPickledBytes(const pickle::PickleGraph& graph,
                                                           pickle::NodeId id, std::string& decoded);

/// A shape out of a tuple, list or torch.Size of whole numbers. Nothing: negative, too many, or not
/// numbers.
std::optional<Dims> readDims(const pickle::PickleGraph& graph, pickle::NodeId id);

} // namespace cairn::formats
