// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/runs/history/common/read_place.h"
#include "core/runs/history/history.h"

#include <memory>

namespace cairn::history {

/// Where a reading ended: what follows is read the next time.
struct ReadEnd {
    std::uint64_t offset = 0; ///< 0: from the start
    bool isOpen = false;      ///< the last line before it had no line break yet
};

/// Once: the reader is not used again, and may give away what it collected.
enum class Reading : std::uint8_t { Once, Growing };

/// Follows a file with a reader of its content, a class with
///     Result<HistoryPart> read(const ByteSourcePtr&, const HistoryCandidate&, std::uint64_t from,
///                              Reading, const CancelToken&);
///     ReadEnd end() const;
/// which keeps what is before end(), whatever is appended, and may be called again from there. A
/// new Reader reads from 0. What changes in place is read again as far as ReadPlace notices it.
template <class Reader> class GrowingFile final : public GrowingHistory {
public:
    Result<HistoryPart> read(const HistoryCandidate& candidate,
                             const CancelToken& cancel) override {
        CAIRN_TRY(const ByteSourcePtr source, candidate.folder->openFile(candidate.name));
        CAIRN_TRY(const bool continues, m_place.isIn(*source));
        if (!continues) {
            m_reader = Reader();
            m_place = {};
        }
        CAIRN_TRY(const ByteSourcePtr remembered, m_place.reading(source));
        CAIRN_TRY(HistoryPart part,
                  m_reader.read(remembered, candidate, m_place.offset(), Reading::Growing, cancel));
        const ReadEnd end = m_reader.end();
        CAIRN_CHECK(m_place.set(*source, end.offset, end.isOpen));
        return part;
    }

    static std::unique_ptr<GrowingHistory> make() { return std::make_unique<GrowingFile>(); }

private:
    Reader m_reader;
    ReadPlace m_place;
};

/// The whole file, once.
template <class Reader>
Result<HistoryPart> readWhole(const HistoryCandidate& candidate, const CancelToken& cancel) {
    CAIRN_TRY(const ByteSourcePtr source, candidate.folder->openFile(candidate.name));
    return Reader().read(source, candidate, 0, Reading::Once, cancel);
}

} // namespace cairn::history
