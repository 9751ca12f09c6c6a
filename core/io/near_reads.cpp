// SPDX-License-Identifier: Apache-2.0
#include "core/io/near_reads.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <cstring>
#include <memory>
#include <mutex>
#include <utility>

namespace cairn {
namespace {

constexpr std::size_t kSmallRead = std::size_t{8} << 10U; ///< the largest that is joined
constexpr std::size_t kFirstBlock = std::size_t{8} << 10U;
constexpr std::size_t kLargestBlock = std::size_t{64} << 10U;
constexpr std::size_t kMostBlocks = 16; ///< of one file: threads read at different places
constexpr std::size_t kFewestBlocks = 2;
constexpr std::size_t kAllBytes = std::size_t{16} << 20U;
constexpr std::uint64_t kNear = std::uint64_t{16} << 10U;
constexpr std::uint64_t kBefore = std::uint64_t{2}
                                  << 10U; ///< an item's end is read before its start

std::atomic<std::size_t> openViews{0};
std::atomic<std::uint64_t> epoch{0};

/// How many blocks of which size a file may have while so many files are open.
struct Share {
    std::size_t blocks = kMostBlocks;
    std::size_t bytes = kLargestBlock;

    static Share now() {
        const std::size_t each = kAllBytes / std::max<std::size_t>(openViews.load(), 1);
        Share share;
        share.blocks = std::clamp(each / kLargestBlock, kFewestBlocks, kMostBlocks);
        share.bytes = std::clamp(each / share.blocks, kFirstBlock, kLargestBlock);
        return share;
    }
};

class NearReads final : public ByteSource {
public:
    explicit NearReads(ByteSourcePtr file) : m_file(std::move(file)) { ++openViews; }
    NearReads(const NearReads&) = delete;
    NearReads& operator=(const NearReads&) = delete;
    ~NearReads() override { --openViews; }

    std::uint64_t size() const override { return m_file->size(); }
    FileIdentity identity() const override { return m_file->identity(); }
    int descriptor() const override { return m_file->descriptor(); }
    Result<void> checkUnchanged() const override { return m_file->checkUnchanged(); }
    const std::string& name() const override { return m_file->name(); }

    Result<void> readAt(std::uint64_t offset, std::span<std::byte> out) const override {
        if (out.empty() || out.size() > kSmallRead ||
            !ByteRange{offset, out.size()}.fitsInto(size())) {
            return m_file->readAt(offset, out);
        }
        const std::uint64_t now = epoch.load();
        ByteRange ahead;
        {
            const std::scoped_lock lock(m_mutex);
            if (copyKept(offset, out, now)) {
                return {};
            }
            ahead = rangeToRead(offset, out.size());
        }
        // Without the lock: a slow disk must not hold up those whose bytes are here.
        if (ahead.length <= out.size()) {
            return m_file->readAt(offset, out);
        }
        const auto length = static_cast<std::size_t>(ahead.length);
        auto bytes = std::make_unique_for_overwrite<std::byte[]>(length);
        if (!m_file->readAt(ahead.offset, {bytes.get(), length})) {
            return m_file->readAt(offset, out); // the error may be beyond what was asked for
        }
        std::memcpy(out.data(), bytes.get() + (offset - ahead.offset), out.size());
        const std::scoped_lock lock(m_mutex);
        Place& place = oldest(Share::now().blocks);
        place = {ahead, std::move(bytes), now, ++m_clock};
        return {};
    }

private:
    /// A block that is kept; free without bytes.
    struct Place {
        ByteRange range;
        std::unique_ptr<std::byte[]> bytes;
        std::uint64_t epoch = 0;
        std::uint64_t used = 0;
    };
    /// Where a thread reads, and how much it will read ahead there.
    struct Cursor {
        ByteRange last; ///< what was read from the file
        std::size_t next = kFirstBlock;
        std::size_t nextBack = kFirstBlock;
        std::uint64_t used = 0; ///< 0: none yet
    };

    bool copyKept(std::uint64_t offset, std::span<std::byte> out, std::uint64_t now) const {
        for (Place& place : m_places) {
            if (place.bytes != nullptr && place.epoch == now && offset >= place.range.offset &&
                ByteRange{offset - place.range.offset, out.size()}.fitsInto(place.range.length)) {
                place.used = ++m_clock;
                std::memcpy(out.data(), place.bytes.get() + (offset - place.range.offset),
                            out.size());
                return true;
            }
        }
        return false;
    }

    /// The bytes asked for; with those around them, if an earlier read was near.
    ByteRange rangeToRead(std::uint64_t offset, std::uint64_t length) const {
        const auto near = [&](const Cursor& cursor) {
            const std::uint64_t end = cursor.last.offset + cursor.last.length;
            return cursor.used != 0 && offset + length + kNear >= cursor.last.offset &&
                   offset <= end + kNear;
        };
        const auto found = std::ranges::find_if(m_cursors, near);
        if (found == m_cursors.end()) {
            Cursor& cursor = *std::ranges::min_element(m_cursors, {}, &Cursor::used);
            cursor = {{offset, length}, kFirstBlock, kFirstBlock, ++m_clock};
            return cursor.last;
        }
        Cursor& cursor = *found;
        cursor.used = ++m_clock;
        std::size_t& next = offset < cursor.last.offset ? cursor.nextBack : cursor.next;
        const std::uint64_t wanted = std::max<std::uint64_t>(next, length);
        next = std::min(2 * next, Share::now().bytes);
        if (offset < cursor.last.offset) {
            const std::uint64_t end = offset + length;
            cursor.last = {end - std::min(end, wanted), std::min(end, wanted)};
        } else {
            const std::uint64_t begin = offset - std::min({offset, kBefore, wanted - length});
            cursor.last = {begin, std::min(wanted, size() - begin)};
            cursor.nextBack = kFirstBlock;
        }
        return cursor.last;
    }

    Place& oldest(std::size_t most) const {
        const auto among = std::span(m_places).first(most);
        for (Place& place : std::span(m_places).subspan(most)) {
            place = {}; // more files are open than when it was read
        }
        return *std::ranges::min_element(among, {}, &Place::used);
    }

    ByteSourcePtr m_file;
    mutable std::mutex m_mutex;
    mutable std::uint64_t m_clock = 0;
    mutable std::array<Place, kMostBlocks> m_places;
    mutable std::array<Cursor, kMostBlocks> m_cursors;
};

} // namespace

ByteSourcePtr joinNearReads(ByteSourcePtr file) {
    return std::make_shared<const NearReads>(std::move(file));
}

void forgetNearReads() {
    ++epoch;
}

} // namespace cairn
