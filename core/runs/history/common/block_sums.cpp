// SPDX-License-Identifier: Apache-2.0
#include "core/runs/history/common/block_sums.h"

#include "core/io/hash.h"

#include <algorithm>
#include <span>
#include <string>
#include <utility>

namespace cairn::history {

/// The sums of complete blocks, and of the beginning of the next one.
struct BlockSums::Sums {
    std::vector<std::optional<std::uint32_t>> complete;
    std::uint64_t at = 0;
    std::uint32_t begun = 0;
    bool isWhole = true; ///< everything between the start of the next block and `at` was read

    void cutTo(std::uint64_t offset) {
        complete.resize(
            static_cast<std::size_t>(std::min<std::uint64_t>(complete.size(), offset / kBlock)));
        at = complete.size() * kBlock;
        begun = 0;
        isWhole = true;
    }

    void skipTo(std::uint64_t offset) {
        while (at < offset) {
            isWhole = false;
            advance(std::min(offset - at, kBlock - at % kBlock));
        }
    }

    void add(std::uint64_t offset, std::span<const std::byte> bytes) {
        const std::uint64_t end = offset + bytes.size();
        skipTo(offset);
        while (at < end) {
            const std::uint64_t count = std::min(end - at, kBlock - at % kBlock);
            begun = crc32(begun, bytes.subspan(static_cast<std::size_t>(at - offset),
                                               static_cast<std::size_t>(count)));
            advance(count);
        }
    }

private:
    /// Within a block, or to its end.
    void advance(std::uint64_t count) {
        at += count;
        if (at % kBlock == 0) {
            complete.push_back(isWhole ? std::optional(begun) : std::nullopt);
            begun = 0;
            isWhole = true;
        }
    }
};

class BlockSums::View final : public ByteSource {
public:
    View(ByteSourcePtr source, std::shared_ptr<Sums> sums)
        : m_source(std::move(source)), m_sums(std::move(sums)) {}

    [[nodiscard]] std::uint64_t size() const override { return m_source->size(); }
    Result<void> readAt(std::uint64_t offset, std::span<std::byte> out) const override {
        CAIRN_CHECK(m_source->readAt(offset, out));
        m_sums->add(offset, out);
        return {};
    }
    [[nodiscard]] Result<void> checkUnchanged() const override {
        return m_source->checkUnchanged();
    }
    [[nodiscard]] FileIdentity identity() const override { return m_source->identity(); }
    [[nodiscard]] const std::string& name() const override { return m_source->name(); }

private:
    ByteSourcePtr m_source;
    std::shared_ptr<Sums> m_sums;
};

Result<ByteSourcePtr> BlockSums::reading(ByteSourcePtr source, std::uint64_t from) {
    if (m_sums == nullptr || from == 0) {
        m_sums = std::make_shared<Sums>();
        m_next = 0;
    }
    if (from > m_sums->at && from - m_sums->at < kBlock) {
        CAIRN_TRY(const auto begun, readRange(*source, {m_sums->at, from - m_sums->at}));
        m_sums->add(m_sums->at, begun);
    }
    return std::make_shared<View>(std::move(source), m_sums);
}

void BlockSums::cutTo(std::uint64_t offset) {
    if (m_sums != nullptr) {
        m_sums->cutTo(offset);
    }
}

Result<bool> BlockSums::compareSome(const ByteSource& source) {
    const std::size_t count = m_sums == nullptr ? 0 : m_sums->complete.size();
    for (std::size_t i = 0; i < std::min(count, kCompared); ++i) {
        m_next = m_next < count ? m_next : 0;
        const std::size_t block = m_next++;
        if (const std::optional<std::uint32_t>& known = m_sums->complete[block]) {
            CAIRN_TRY(const auto bytes, readRange(source, {block * kBlock, kBlock}));
            if (crc32(0, bytes) != *known) {
                return false;
            }
        }
    }
    return true;
}

} // namespace cairn::history
