// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/io/open_files.h"
#include "core/model/tensor_reader.h"

#include <atomic>
#include <cstddef>
#include <memory>
#include <vector>

namespace cairn {

/// Tensors whose pieces were located while a job's source was checked, so that writing need not
/// locate them again, which for small encoded tensors is most of the work. Nothing is kept for very
/// many tensors, or for a checkpoint with more files than may stay open; they are then located
/// again. Verification does not use it. keep() from any thread, once for each tensor; find()
/// afterwards.
class LocatedTensors {
public:
    explicit LocatedTensors(const Checkpoint& source)
        : m_source(&source), m_readers(source.files().size() <= OpenFiles::mostKept() / 2 &&
                                               source.tensors().size() <= kMostPieces
                                           ? source.tensors().size()
                                           : 0) {}

    void keep(const Checkpoint& checkpoint, TensorIndex tensor, TensorReader reader) {
        const std::size_t pieces = reader.pieces().size();
        if (&checkpoint == m_source && tensor.position() < m_readers.size() &&
            m_pieces.fetch_add(pieces) + pieces <= kMostPieces) {
            m_readers[tensor.position()] = std::make_unique<const TensorReader>(std::move(reader));
        }
    }
    /// Null: not kept.
    [[nodiscard]] const TensorReader* find(const Checkpoint& checkpoint, TensorIndex tensor) const {
        const bool here = &checkpoint == m_source && tensor.position() < m_readers.size();
        return here ? m_readers[tensor.position()].get() : nullptr;
    }
    static constexpr std::size_t kMostPieces = 16384; ///< about 8 MiB

private:
    const Checkpoint* m_source;
    std::vector<std::unique_ptr<const TensorReader>> m_readers; ///< by tensor
    std::atomic<std::size_t> m_pieces{0};
};

} // namespace cairn
