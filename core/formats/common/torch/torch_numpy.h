// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/formats/common/torch/torch_objects.h"

#include <optional>
#include <span>
#include <string>

/// NumPy objects in pickles. Pure functions over a graph. Source:
/// numpy/core/src/multiarray/methods.c (array_reduce, array_setstate), scalartypes.c, descriptor.c;
/// jax/_src/array.py.
namespace cairn::formats {

/// A dtype that Cairn supports for elements; size and byte order as stored.
struct NumpyDtype {
    Dtype dtype{};
    bool bigEndian = false;
};

/// An Object made by `numpy dtype`, or a `numpy.dtypes …DType` class. Empty: structured, text, date
/// or object dtypes.
std::optional<NumpyDtype> readNumpyDtype(const pickle::PickleGraph& graph, pickle::NodeId id);

/// An ndarray made by _reconstruct + BUILD or by _frombuffer, or a jax.Array around one. Empty: not
/// an array, or not of numbers.
std::optional<Result<TorchTensor>> readNumpyArray(const pickle::PickleGraph& graph,
                                                  pickle::NodeId id);

/// `scalar(dtype, bytes)` as a plain value. Empty: anything else.
std::optional<Value> readNumpyScalar(const pickle::PickleGraph& graph, pickle::NodeId id);

/// True for arrays of any dtype; describes those that readNumpyArray() does not support.
bool isNumpyArray(const pickle::PickleGraph& graph, pickle::NodeId id);
Value describeNumpyArray(const pickle::PickleGraph& graph, pickle::NodeId id);

/// A bytes object, or `_codecs.encode(text, "latin1")`, which protocol 2 uses instead; `decoded`
/// owns the bytes of the latter. Empty: neither.
std::optional<std::span<const std::byte>> readPickledBytes(const pickle::PickleGraph& graph,
                                                           pickle::NodeId id, std::string& decoded);

/// A shape from a tuple, list or torch.Size of integers. Empty: negative, too many, or not
/// integers.
std::optional<Dims> readDims(const pickle::PickleGraph& graph, pickle::NodeId id);

} // namespace cairn::formats
