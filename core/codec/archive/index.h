// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/result.h"
#include "core/codec/planes/split.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

/// The index of an archive as plain rows. Names, dtypes and roles are strings here: this folder
/// does not depend on tensors. Byte map: README.md.
namespace cairn::archive {

inline constexpr std::uint64_t kChunkBytes = std::uint64_t{1}
                                             << 20U; ///< element bytes per chunk when writing
inline constexpr std::uint64_t kMaxTensors = std::uint64_t{1} << 22U;
inline constexpr std::uint32_t kMaxChain =
    3; ///< largest number of earlier archives that one may depend on
inline constexpr std::size_t kMaxRank = 64;

/// The packed form of an unchanged chunk of a delta.
inline constexpr std::byte kSameChunk{0xFF};

enum class TensorKind : std::uint8_t {
    Own = 0,
    Alias = 1, ///< shares the bytes of another row
    Delta = 2, ///< differences from the tensor of the same name in the earlier checkpoint
};

struct TensorRow {
    std::string name;
    std::string dtype;
    std::string role;
    TensorKind kind = TensorKind::Own;
    planes::ElementForm form;
    std::vector<std::int64_t> shape;
    std::uint32_t aliasOf = 0;    ///< an Own or Delta row before this one
    std::uint64_t bytes = 0;      ///< unpacked size of the elements; 0 for an alias
    std::uint64_t firstChunk = 0; ///< not stored: chunks are in row order
};

struct ChunkRow {
    std::uint32_t stored = 0;  ///< size in the file, never 0
    std::uint32_t crc = 0;     ///< CRC-32C of the stored bytes
    std::uint32_t content = 0; ///< delta: CRC-32C of the reconstructed elements; else 0
};

/// What opening the source reported besides its tensors, so that an incomplete source stays
/// incomplete.
struct SourceState {
    std::string completeness;  ///< "complete", "incomplete" or "unknown"
    std::vector<Sentence> why; ///< reasons for that state
    std::vector<Notice>
        notices; ///< at most kMaxNotices of those reported when the source was opened
};
inline constexpr std::size_t kMaxNotices = 1000;

struct Index {
    std::string format;    ///< of the source, for example "dcp"
    std::string framework; ///< may be empty
    std::optional<std::int64_t> step;
    std::optional<double> epoch;
    std::optional<std::int64_t> worldSize;
    /// Of a delta: path of the earlier checkpoint relative to the archive's folder, never above it.
    std::optional<std::string> earlier;
    std::optional<SourceState> source; ///< empty: the archive is older than this field
    std::uint32_t chain =
        0; ///< 0: depends on no archive; else the earlier archive's chain plus one
    std::uint64_t chunkBytes =
        kChunkBytes; ///< element bytes per chunk; a tensor's last chunk may be smaller
    std::vector<TensorRow> tensors;
    std::vector<ChunkRow> chunks;
};

/// Number of chunks for `bytes` bytes of elements.
std::uint64_t chunksOf(std::uint64_t bytes, std::uint64_t chunkBytes);

std::vector<std::byte> encodeIndex(const Index& index);

/// Checks everything: counts and sizes are consistent, aliases refer to earlier rows, every chunk
/// belongs to a tensor. Memory grows with `bytes`. Errors have offsets within `bytes` and no file.
/// Fails: Truncated, BadEncoding, LimitExceeded.
Result<Index> decodeIndex(std::span<const std::byte> bytes);

} // namespace cairn::archive
