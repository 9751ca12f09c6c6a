// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/model/dtype.h"

#include <optional>
#include <string>
#include <string_view>

/// NumPy's names of element types, in `.npy` headers, pickles and manifests. Pure. Source:
/// numpy/_core/src/multiarray/descriptor.c; the ml_dtypes package.
namespace cairn::formats {

/// "f4", "c16", "?": a type code without its byte order. Empty: text, dates, objects, records, long
/// doubles.
std::optional<Dtype> dtypeOfNumpyCode(std::string_view code);

/// A class of numpy.dtypes ("Float32DType"), or a type of ml_dtypes ("bfloat16", "float8_e5m2").
std::optional<Dtype> dtypeOfNumpyClass(std::string_view name);

/// Dtype names as written by hand in manifests: "float32", "<f4", "|b1", "F32", "BF16",
/// "torch.bfloat16", "single", "half".
std::optional<Dtype> dtypeOfManifestName(std::string_view text);

/// "<f4", "|b1": as numpy.save writes it; empty if NumPy has no such type.
std::string numpyTypeString(Dtype dtype);

} // namespace cairn::formats
