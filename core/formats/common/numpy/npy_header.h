// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/result.h"
#include "core/formats/common/numpy/python_literal.h"
#include "core/io/byte_source.h"
#include "core/model/tensor_entry.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

/// The header of a `.npy` file. Nothing is evaluated, no element is read. Pure functions, except
/// readNpyHeader(). Source: numpy.lib.format, versions 1.0 to 3.0; files of NumPy, ml_dtypes and
/// MLX.
namespace cairn::formats {

inline constexpr std::string_view kNpyMagic = "\x93NUMPY";

enum class NpyKind : std::uint8_t {
    Numbers,
    Text,    ///< 'S': fixed width, padded with zero bytes
    Unicode, ///< 'U': fixed width in UCS-4, padded with zeros
    Opaque,  ///< records, dates, long doubles, raw bytes: carried unchanged
    Objects, ///< a pickle follows the header
};

/// The element type that `descr` declares.
struct NpyElement {
    NpyKind kind = NpyKind::Numbers;
    Dtype dtype{};               ///< Numbers: their dtype; Text, Unicode: String; else Opaque
    std::uint64_t itemBytes = 0; ///< 0 for Objects
    bool bigEndian = false;
    /// `<V2`, `<V1`: an element type of ml_dtypes, whose name NumPy does not write.
    bool nameless = false;
};

struct NpyHeader {
    NpyElement element;
    std::string descr; ///< as written, without the quotes of a plain string
    bool fortran = false;
    Shape shape;                  ///< as written
    std::uint64_t dataOffset = 0; ///< from the magic's first byte
    std::uint64_t dataBytes =
        0; ///< size of the elements; 0 for Objects, whose pickle has no recorded length
};

/// Length of magic and header. `head`: the first 12 bytes, or the complete file if shorter. Fails:
/// Truncated, NpyBadHeader (magic, version, longer than 1 MiB).
Result<std::uint64_t> npyHeaderLength(std::span<const std::byte> head);

/// `head`: the complete header. Fails as npyHeaderLength() and with NpyBadHeader (not a dict of
/// descr, fortran_order and shape; sizes that overflow), NpyUnknownDtype.
Result<NpyHeader> parseNpyHeader(std::span<const std::byte> head);

/// Costs one or two small reads. `start`: offset of the magic. Fails as parseNpyHeader() and the
/// source. REQUIRES: start <= source.size().
Result<NpyHeader> readNpyHeader(const ByteSource& source, std::uint64_t start = 0);

/// `descr`: a type string, or a list of fields. Fails with NpyUnknownDtype, NpyBadHeader.
Result<NpyElement> readNpyDescr(const PythonLiteral& descr);

} // namespace cairn::formats
