// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/io/content_digest.h"
#include "core/jobs/context/ordered_hash.h"
#include "core/jobs/engine/output_parts.h"

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

namespace cairn {

/// The digest of every tensor segment of a file, fed with the file's bytes in order, and its
/// checksum if the file or an index contains that.
class TensorHashes {
public:
    TensorHashes(const FileParts& parts, std::span<const std::uint32_t> checksums, DigestKind kind)
        : m_parts(parts), m_checksums(checksums), m_current(kind),
          m_done(parts.file().tensors.size(), ContentHash(kind).finish()) {
        if (parts.file().sumsSegments) {
            for (const TensorSegment& segment : parts.file().tensors) {
                m_sums.push_back(segment.crcStart); // of one without bytes
            }
        }
    }

    bool add(std::uint64_t offset, std::span<const std::byte> bytes,
             const std::atomic<bool>& stop) {
        return m_turns.take(offset, bytes.size(), stop, [&] { addInOrder(offset, bytes); });
    }
    /// Call these after all bytes. Empty segments have the hash of no data.
    std::vector<ContentDigest> finish() { return std::move(m_done); }
    /// The checksums of the segments, computed from these bytes; empty unless an index has them.
    std::vector<std::uint32_t> takeSums() { return std::move(m_sums); }
    /// The first segment whose checksum is not the one that the writer computed.
    [[nodiscard]] std::optional<std::uint32_t> wrongChecksum() const { return m_wrong; }

private:
    void addInOrder(std::uint64_t offset, std::span<const std::byte> bytes) {
        const std::uint64_t end = offset + bytes.size();
        const auto parts = m_parts.parts();
        for (std::size_t i = m_parts.partAt(offset); i < parts.size() && parts[i].offset < end;
             ++i) {
            if (!parts[i].tensor) {
                continue;
            }
            const std::uint64_t from = std::max(parts[i].offset, offset);
            const std::uint64_t to = std::min(parts[i].end(), end);
            const auto piece = bytes.subspan(static_cast<std::size_t>(from - offset),
                                             static_cast<std::size_t>(to - from));
            m_current.add(piece);
            if (m_parts.checksummed()) {
                const std::uint32_t start = m_parts.file().tensors[parts[i].index].crcStart;
                m_crc = m_parts.addToChecksum(from == parts[i].offset ? start : m_crc, piece);
            }
            if (to == parts[i].end()) {
                finishSegment(parts[i].index);
            }
        }
    }

    void finishSegment(std::uint32_t segment) {
        m_done[segment] = m_current.finish();
        if (!m_sums.empty()) {
            m_sums[segment] = m_crc;
        }
        if (m_parts.checksummed() && m_crc != m_checksums[segment] && !m_wrong) {
            m_wrong = segment;
        }
    }

    const FileParts& m_parts;
    std::span<const std::uint32_t> m_checksums;
    OrderedTurns m_turns;
    ContentHash m_current; ///< of the current segment, like m_crc
    std::uint32_t m_crc = 0;
    std::optional<std::uint32_t> m_wrong;
    std::vector<ContentDigest> m_done;
    std::vector<std::uint32_t> m_sums;
};

} // namespace cairn
