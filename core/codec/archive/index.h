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

/// What an archive states about itself, as plain rows: names, dtypes and roles are texts here, for
/// this room knows nothing of tensors. Byte map: README.md.
namespace cairn::archive {

inline constexpr std::uint64_t kChunkBytes = std::uint64_t{1} << 20U; ///< of elements, as written
inline constexpr std::uint64_t kMaxTensors = std::uint64_t{1} << 22U;
inline constexpr std::uint32_t kMaxChain = 3; ///< earlier archives that one may rest on
inline constexpr std::size_t kMaxRank = 64;

/// The packed form of a chunk of a delta in which nothing has changed.
inline constexpr std::byte kSameChunk{0xFF};

enum class TensorKind : std::uint8_t {
    Own = 0,
    Alias = 1, ///< the bytes of another row
    Delta = 2, ///< steps from the tensor of the same name in the earlier checkpoint
};

struct TensorRow {
    std::string name;
    std::string dtype;
    std::string role;
    TensorKind kind = TensorKind::Own;
    planes::ElementForm form;
    std::vector<std::int64_t> shape;
    std::uint32_t aliasOf = 0;    ///< an Own or Delta row before this one
    std::uint64_t bytes = 0;      ///< of the elements, unpacked; of an alias: 0
    std::uint64_t firstChunk = 0; ///< not stored: chunks are in the order of the rows
};

struct ChunkRow {
    std::uint32_t stored = 0;  ///< bytes in the file, never 0
    std::uint32_t crc = 0;     ///< CRC-32C of those
    std::uint32_t content = 0; ///< of a delta: CRC-32C of the elements that must come out; else 0
};

/// What is known of the source beyond its tensors: an incomplete one stays incomplete.
struct SourceState {
    std::string completeness;     ///< "complete", "incomplete" or "unknown"
    std::vector<std::string> why; ///< its reasons
    std::vector<Notice> notices;  ///< at most kMaxNotices, as opening it gave them
};
inline constexpr std::size_t kMaxNotices = 1000;

struct Index {
    std::string format;    ///< of what was packed: "dcp"
    std::string framework; ///< may be empty
    std::optional<std::int64_t> step;
    std::optional<double> epoch;
    std::optional<std::int64_t> worldSize;
    /// Of a delta: the earlier checkpoint, relative to the archive's folder, never above it.
    std::optional<std::string> earlier;
    std::optional<SourceState> source; ///< nothing: written before archives recorded it
    std::uint32_t chain = 0; ///< 0: rests on nothing or on no archive; else the earlier's plus one
    std::uint64_t chunkBytes = kChunkBytes; ///< elements in each chunk but a tensor's last
    std::vector<TensorRow> tensors;
    std::vector<ChunkRow> chunks;
};

/// Chunks that `bytes` bytes of elements take.
std::uint64_t chunksOf(std::uint64_t bytes, std::uint64_t chunkBytes);

/// Pure.
std::vector<std::byte> encodeIndex(const Index& index);

/// Everything in it is then possible: counts and sizes fit each other, aliases point back, chunks
/// are neither missing nor left over. Memory grows with `bytes`. Errors have offsets within `bytes`
/// and no file. Fails: Truncated, BadEncoding, LimitExceeded.
Result<Index> decodeIndex(std::span<const std::byte> bytes);

} // namespace cairn::archive
