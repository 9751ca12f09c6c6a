// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/result.h"
#include "core/model/output_layout.h"

#include <span>
#include <string>
#include <string_view>

/// Layout of `.npy` and `.npz` files. Pure. Source: numpy.lib.format, "Format Version 1.0";
/// numpy.savez.
namespace cairn::formats {

/// Magic, version 1.0 and header of an array in C order, padded to a multiple of 64 bytes.
/// `descr`: NumPy's type string.
std::string npyStart(std::string_view descr, const Shape& shape);

/// One tensor as a `.npy` file, little-endian. Fails: InvalidArgument unless there is exactly one
/// tensor, DtypeNotRepresentable (bfloat16, float8, …).
Result<OutputLayout> layoutNpy(const LayoutRequest& request);

/// One array of an archive.
struct NpzArray {
    std::string_view name; ///< name of the member, without .npy; borrowed as LayoutTensor::name
    std::string descr;     ///< NumPy's type string
    Dtype dtype{};
    TensorIndex source;
    Box box; ///< in the source tensor; its extent is the array's shape
};

/// An archive of stored members, with each array's elements at a multiple of 64 bytes from the
/// start. The members' checksums are slots. Fails: NameNotRepresentable.
Result<OutputFile> layOutNpz(std::string name, std::span<const NpzArray> arrays);

} // namespace cairn::formats
