// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/result.h"

#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

/// Where the elements of a new HDF5 file go. HDF5's library makes the file without its elements in
/// the sandboxed process (README.md), so that whoever writes it puts the elements where the library
/// has allocated them.
namespace cairn::hdf5 {

struct NewDataset {
    std::string path;      ///< without the leading slash; groups are created
    std::string_view type; ///< "float32", "bool", "complex64"; "bfloat16" as Keras marks it
    std::vector<std::uint64_t> shape;
    std::uint64_t bytes = 0; ///< of its elements
};

/// The attribute "name" of a group, as Keras records the names of layers.
struct NewGroupName {
    std::string path; ///< without the leading slash; created if no dataset is in it
    std::string text;
};

struct FileLayout {
    std::uint64_t size = 0;
    std::vector<std::uint64_t> offsets; ///< of the elements of each dataset; 0 if it has none
    /// Bytes of the file outside the elements, by offset; bytes of neither are zero.
    std::map<std::uint64_t, std::vector<std::byte>> literals;
};

/// Contiguous datasets, in the oldest version of the format, without times: the same for the same
/// datasets. Blocks; any thread. Fails: Hdf5Unreadable (a path that is invalid or of two datasets,
/// the program fails), Unsupported (the program is missing), LimitExceeded.
Result<FileLayout> layOutFile(std::span<const NewDataset> datasets,
                              std::span<const NewGroupName> names = {});

/// What layOutFile() makes of the answer of the process, which is checked, as it states places in a
/// file that is written. Pure. Fails: Hdf5Unreadable, LimitExceeded.
Result<FileLayout> readAnswer(std::string_view answer, std::span<const NewDataset> datasets);

} // namespace cairn::hdf5
