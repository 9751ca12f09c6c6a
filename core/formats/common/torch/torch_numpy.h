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

/// The parts of an array in a pickle.
struct NumpyParts {
    pickle::NodeId shape;
    pickle::NodeId dtype;
    pickle::NodeId data;
    bool fortran = false;
    std::optional<std::span<const std::byte>> after = {}; ///< joblib: elements after the object
};

/// An array of numbers, text, dates, records or raw bytes. Empty: of objects, of an unknown dtype,
/// or of more text than can be decoded.
std::optional<Result<TorchTensor>> readNumpyParts(const pickle::PickleGraph& graph,
                                                  const NumpyParts& parts);

/// An ndarray made by _reconstruct + BUILD or by _frombuffer, a jax.Array around one, or one that
/// joblib wrote. Empty: not an array, or one that readNumpyParts() does not read.
std::optional<Result<TorchTensor>> readNumpyArray(const pickle::PickleGraph& graph,
                                                  pickle::NodeId id);

/// numpy.ma.MaskedArray: its elements, and of the same shape whether each is masked.
struct MaskedParts {
    NumpyParts data;
    pickle::NodeId mask;
    pickle::NodeId fill;
};
std::optional<MaskedParts> readMaskedParts(const pickle::PickleGraph& graph, pickle::NodeId id);

/// Strides of a dense array in C or Fortran order.
Strides stridesOfArray(const Shape& shape, bool fortran);

/// The number in an array without dimensions. Empty: anything else.
std::optional<Value> readZeroDimensional(const pickle::PickleGraph& graph, pickle::NodeId id);

/// `scalar(dtype, bytes)` as a plain value. Empty: anything else.
std::optional<Value> readNumpyScalar(const pickle::PickleGraph& graph, pickle::NodeId id);

/// True for arrays of any dtype, not masked; describes those that readNumpyArray() does not
/// support.
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
