// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/cancel_token.h"
#include "core/base/result.h"
#include "core/io/byte_source.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

/// What is in an HDF5 file, and where. HDF5's own library looks, in a process of its own that can
/// open, connect to and start nothing (README.md); what it returns is not trusted: every place is
/// held against the file's size. Source: HDF5 File Format Specification 3.0, reference manual
/// of 1.10.
namespace cairn::hdf5 {

struct Filter {
    int id = 0; ///< 1 deflate, 2 shuffle, 3 fletcher32, 4 szip, 32000 lzf, …
    std::vector<std::uint32_t> values;
};

struct Chunk {
    std::vector<std::int64_t> origin; ///< in elements
    ByteRange bytes;                  ///< stored, filtered
    std::uint32_t skipped = 0;        ///< bit i: filter i was not applied
};

enum class Layout : std::uint8_t {
    Contiguous,
    Chunked,
    Compact,
    Strings,
    Virtual,
    External,
    Heap, ///< sequences of any length, references: the file holds where they are, not what
};

struct Dataset {
    std::string path; ///< without the first slash; bytes as stored
    std::string
        type; ///< "float32", "bool", "complex64", "string", "opaque2", "compound", …; may be empty
    std::uint64_t elementBytes = 0;
    bool bigEndian = false;
    std::vector<std::int64_t> shape; ///< with the dimensions of an array type after its own
    Layout layout = Layout::Contiguous;
    std::optional<ByteRange> bytes;  ///< Contiguous; nothing: never written
    std::vector<std::int64_t> chunk; ///< Chunked
    std::vector<Filter> filters;
    std::vector<Chunk> chunks;
    /// Contiguous and Chunked: what an element of the file's type holds where none was written, in
    /// the stored byte order; empty: not defined.
    std::vector<std::byte> fill;
    std::vector<std::byte> data;    ///< Compact
    std::vector<std::string> texts; ///< Strings
};

struct Attribute {
    std::string path; ///< of its object; empty: the root
    std::string name;
    std::vector<std::string> texts;
    std::vector<double> numbers;
};

struct Index {
    std::vector<Dataset> datasets; ///< in the order of names, level by level
    std::vector<Attribute> attributes;
    std::vector<std::pair<std::string, std::string>>
        links; ///< path, "soft" or "external"; not followed
    std::vector<std::pair<std::string, std::string>> problems; ///< path, sentence
};

/// `range`: where the HDF5 file is in the source, which must be an open file. Offsets in the
/// result count from the source's first byte. Blocks; any thread.
/// Fails: Unsupported (the program cairn-hdf5-index is not beside this one; the source is not a
/// file), Hdf5Unreadable (the library cannot open it, or gave up on it), LimitExceeded, Cancelled.
Result<Index> readIndex(const ByteSourcePtr& source, ByteRange range, const CancelToken& cancel);

/// The lines that the program prints. Pure; for readIndex and for tests.
Result<Index> parseIndex(std::string_view lines, ByteRange range, const std::string& name);

/// Null, or the first that undoFilters() does not know.
const Filter* unknownFilter(const std::vector<Filter>& filters);
/// What to report about it.
Error unknownFilterError(const Filter& filter);

/// What filters leave when they are undone: deflate, lzf, shuffle, fletcher32.
/// Fails: Unsupported (another filter), BadEncoding, Truncated, LimitExceeded, BadChecksum.
Result<std::vector<std::byte>> undoFilters(std::vector<std::byte> bytes,
                                           const std::vector<Filter>& filters,
                                           std::uint32_t skipped, std::uint64_t decodedSize);

} // namespace cairn::hdf5
