// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/cancel_token.h"
#include "core/base/result.h"
#include "core/io/byte_source.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

/// The datasets of an HDF5 file and their locations. HDF5's own library examines the file in a
/// separate process that cannot open files, connect or start programs (README.md). The output of
/// that process is not trusted: every location is checked against the file's size. Source: HDF5
/// File Format Specification 3.0, reference manual of 1.10.
namespace cairn::hdf5 {

struct Filter {
    int id = 0; ///< 1 deflate, 2 shuffle, 3 fletcher32, 4 szip, 32000 lzf, …
    std::vector<std::uint32_t> values;
};

struct Chunk {
    std::vector<std::int64_t> origin; ///< in elements
    ByteRange bytes;                  ///< as stored, after the filters
    std::uint32_t skipped = 0;        ///< bit i: filter i was not applied
};

enum class Layout : std::uint8_t {
    Contiguous,
    Chunked,
    Compact,
    Strings,
    Virtual,
    External,
    Heap, ///< variable-length sequences or references: the dataset stores references into a heap
};

struct Dataset {
    std::string path; ///< without the leading slash; bytes as stored
    std::string
        type; ///< "float32", "bool", "complex64", "string", "opaque2", "compound", …; may be empty
    std::uint64_t elementBytes = 0;
    bool bigEndian = false;
    std::vector<std::int64_t> shape; ///< for an array type its dimensions come last
    Layout layout = Layout::Contiguous;
    std::optional<ByteRange> bytes;  ///< Contiguous; empty: never written
    std::vector<std::int64_t> chunk; ///< Chunked
    std::vector<Filter> filters;
    std::vector<Chunk> chunks;
    /// Contiguous and Chunked: the value of an element that was never written, in the stored byte
    /// order; empty: undefined.
    std::vector<std::byte> fill;
    std::vector<std::byte> data;    ///< Compact
    std::vector<std::string> texts; ///< Strings
};

struct Attribute {
    std::string path; ///< of the object that has the attribute; empty: the root
    std::string name;
    std::vector<std::string> texts;
    std::vector<double> numbers;
};

/// A link that the library did not follow.
struct Link {
    std::string path;
    std::string kind;   ///< "soft" or "external"
    std::string target; ///< a path in this file, or "FILE:/path"; may be empty
};

struct Problem {
    std::string path;
    std::string what;
    bool version = false; ///< of a format version that the library does not know
};

struct Index {
    std::vector<Dataset> datasets; ///< in the order of names, level by level
    std::vector<Attribute> attributes;
    std::vector<Link> links;
    std::vector<Problem> problems;
};

/// `range`: location of the HDF5 file in the source, which must be an open file. Offsets in the
/// result count from the source's first byte. Blocks; any thread. Fails: Unsupported (the program
/// cairn-hdf5-index is not installed beside this one; the source is not a file), Hdf5Unreadable
/// (the library cannot open it, or failed), LimitExceeded, Cancelled.
Result<Index> readIndex(const ByteSourcePtr& source, ByteRange range, const CancelToken& cancel);

/// Parses the lines that the program prints; for readIndex() and for tests.
Result<Index> parseIndex(std::string_view lines, ByteRange range, const std::string& name);

/// The first filter that undoFilters() does not support, or null.
const Filter* unknownFilter(const std::vector<Filter>& filters);
/// The error for such a filter.
Error unknownFilterError(const Filter& filter);

/// Whether undoing the filter compares a stored checksum: the Adler-32 of deflate, fletcher32.
bool comparesChecksum(const Filter& filter);

/// Undoes the filters deflate, lzf, shuffle and fletcher32. Fails: Unsupported (any other filter),
/// BadEncoding, Truncated, LimitExceeded, BadChecksum.
Result<std::vector<std::byte>> undoFilters(std::vector<std::byte> bytes,
                                           const std::vector<Filter>& filters,
                                           std::uint32_t skipped, std::uint64_t decodedSize);

} // namespace cairn::hdf5
