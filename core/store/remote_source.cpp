// SPDX-License-Identifier: Apache-2.0
#include "core/store/remote_source.h"

#include "core/base/endian.h"
#include "core/io/prefetch.h"

#include <algorithm>
#include <atomic>
#include <cstring>
#include <map>
#include <optional>
#include <utility>
#include <vector>

namespace cairn::store {
namespace {

constexpr std::uint64_t kSmallestWindow = std::uint64_t{64} << 10U;
constexpr std::uint64_t kLargestWindow = std::uint64_t{1} << 20U;
constexpr std::uint64_t kWindowAlign = 4096;
constexpr std::uint64_t kMostKept = std::uint64_t{64} << 20U;      ///< of a read without a window
constexpr std::uint64_t kMostAnnounced = std::uint64_t{64} << 20U; ///< fetched together, at most
constexpr std::size_t kMostRanges = 16384;                         ///< of one announcement
constexpr std::uint64_t kOneRequest = std::uint64_t{32} << 20U;

std::uint64_t pageEnd(std::uint64_t offset) {
    return (offset + kWindowAlign - 1) / kWindowAlign * kWindowAlign;
}

/// The complete pages around a range; the last page of a file may be shorter.
ByteRange pagesOf(ByteRange range, std::uint64_t size) {
    const std::uint64_t begin = range.offset / kWindowAlign * kWindowAlign;
    return {begin, std::min(size, pageEnd(range.end())) - begin};
}

class RemoteSource final : public ByteSource, public FetchedSource {
public:
    RemoteSource(HostPtr host, FileRef file, FileIdentity identity, std::string name)
        : m_host(std::move(host)), m_file(std::move(file)), m_identity(identity),
          m_name(std::move(name)) {}

    std::uint64_t size() const override { return m_identity.size; }
    FileIdentity identity() const override { return m_identity; }
    const std::string& name() const override { return m_name; }

    Result<void> readAt(std::uint64_t offset, std::span<std::byte> out) const override {
        if (!ByteRange{offset, out.size()}.fitsInto(size())) {
            return fail(ErrorCode::Truncated, "The read extends beyond the end of the file")
                .inFile(m_name)
                .at(offset)
                .butFound(sentence("%1 bytes in the file", size()))
                .expecting(sentence("at least %1 + %2 bytes", offset, out.size()))
                .withHint("The file may still be being copied or written; compare its size with "
                          "the original");
        }
        if (out.empty() || m_host->cached(m_file, m_identity, offset, out)) {
            return {};
        }
        // The first large read of a file may be its index; others are elements of tensors.
        const bool isLarge = out.size() >= kLargestWindow;
        if (isLarge && (out.size() > kMostKept || m_hasReadMuch.exchange(true))) {
            return fetchAll(offset, out);
        }
        const ByteRange window =
            isLarge ? pagesOf({offset, out.size()}, size()) : windowFor({offset, out.size()});
        CAIRN_TRY(const std::int64_t asked, m_host->nowThereNs());
        std::string bytes(window.length, '\0');
        CAIRN_CHECK(fetchAll(window.offset, std::as_writable_bytes(std::span(bytes))));
        std::memcpy(out.data(), bytes.data() + (offset - window.offset), out.size());
        m_host->keep(m_file, m_identity, window.offset, std::move(bytes), asked);
        return {};
    }

    const void* fetchedWith() const override { return m_host.get(); }
    bool fetchTogether(std::span<const SoonRead> reads, const CancelToken& cancel) const override;

    Result<void> checkUnchanged() const override {
        CAIRN_TRY(const FileIdentity now, statRemote(*m_host, m_file));
        if (now != m_identity) {
            return fail(ErrorCode::ChangedOnDisk, "The file changed while it was in use")
                .inFile(m_name)
                .butFound(sentence("%1 bytes, a different time stamp", now.size))
                .expecting(sentence("%1 bytes, as when it was opened", m_identity.size))
                .withHint("Refresh after the writer has finished");
        }
        return {};
    }

private:
    ByteRange windowFor(ByteRange wanted) const {
        const std::uint64_t last = m_windowEnd;
        const bool follows = wanted.offset <= last && wanted.offset + kSmallestWindow > last;
        const std::uint64_t length = follows && last > 0
                                         ? std::min<std::uint64_t>(2 * m_window, kLargestWindow)
                                         : kSmallestWindow;
        const std::uint64_t begin = wanted.offset / kWindowAlign * kWindowAlign;
        const std::uint64_t end =
            std::min(size(), pageEnd(std::max(wanted.offset + wanted.length, begin + length)));
        m_window = length;
        m_windowEnd = end;
        return {begin, end - begin};
    }

    Result<void> fetchAll(std::uint64_t offset, std::span<std::byte> out) const {
        for (std::uint64_t at = 0; at < out.size(); at += kOneRequest) {
            const std::uint64_t part = std::min<std::uint64_t>(kOneRequest, out.size() - at);
            CAIRN_CHECK(fetch(offset + at, out.subspan(at, part)));
        }
        return {};
    }

    Result<void> fetch(std::uint64_t offset, std::span<std::byte> out) const {
        std::size_t filled = 0;
        const auto part = [&](const Frame& frame) -> Result<void> {
            if (frame.kind != FrameKind::Data || frame.payload.empty() ||
                frame.payload.size() > out.size() - filled) {
                return fail(ErrorCode::Io, "The host sent more than was asked for").inFile(m_name);
            }
            std::memcpy(out.data() + filled, frame.payload.data(), frame.payload.size());
            filled += frame.payload.size();
            return {};
        };
        const ReadRequest request{
            m_file, m_host->identityThere(m_identity), {{offset, out.size()}}};
        CAIRN_CHECK(m_host->request(FrameKind::Read, encode(request), {part, [&] { filled = 0; }}));
        if (filled != out.size()) {
            return fail(ErrorCode::Io, "The host sent less than was asked for")
                .inFile(m_name)
                .at(offset)
                .butFound(sentence("%1 bytes", filled))
                .expecting(sentence("%1 bytes", out.size()));
        }
        return {};
    }

    HostPtr m_host;
    FileRef m_file;
    FileIdentity m_identity; ///< here
    std::string m_name;
    mutable std::atomic<std::uint64_t> m_window = kSmallestWindow;
    mutable std::atomic<std::uint64_t> m_windowEnd = 0;
    mutable std::atomic<bool> m_hasReadMuch = false;
};

/// Complete pages, in order; those that touch are one range, up to the size of one request.
std::vector<ByteRange> joinedPages(std::vector<ByteRange> ranges, std::uint64_t size) {
    std::ranges::sort(ranges, {}, &ByteRange::offset);
    std::vector<ByteRange> joined;
    for (const ByteRange& each : ranges) {
        ByteRange pages = pagesOf(each, size);
        if (!joined.empty() && pages.offset < joined.back().end()) { // the rest of them
            const std::uint64_t end = std::max(joined.back().end(), pages.end());
            pages = {joined.back().end(), end - joined.back().end()};
        }
        if (!joined.empty() && pages.offset == joined.back().end() &&
            joined.back().length + pages.length <= kMaxGathered) {
            joined.back().length += pages.length;
        } else if (pages.length > 0) {
            joined.push_back(pages);
        }
    }
    return joined;
}

/// Asks for ranges of several files with one request, and keeps what arrives. A range that was not
/// asked for is an error, as with any answer.
Result<void> gather(Host& host, const std::vector<ReadRequest>& requests) {
    std::vector<GatheredBytes> parts;
    std::uint64_t left = 0;
    std::uint64_t most = 0; ///< parts
    const auto begin = [&] {
        parts.clear();
        left = 0;
        most = 0;
        for (const ReadRequest& each : requests) {
            for (const ByteRange& range : each.ranges) {
                left += range.length;
                most += (range.length + kDataPart - 1) / kDataPart;
            }
        }
    };
    const auto part = [&](const Frame& frame) -> Result<void> {
        CAIRN_TRY(GatheredBytes bytes, decodeGathered(frame.payload));
        const ByteRange range{bytes.offset, bytes.bytes.size()};
        const bool isAsked =
            frame.kind == FrameKind::Gathered && bytes.file < requests.size() && range.length > 0 &&
            range.length <= left && parts.size() < most &&
            std::ranges::any_of(requests[bytes.file].ranges, [&](const ByteRange& asked) {
                return range.offset >= asked.offset &&
                       ByteRange{range.offset - asked.offset, range.length}.fitsInto(asked.length);
            });
        if (!isAsked) {
            return fail(ErrorCode::Io, "The host sent more than was asked for");
        }
        left -= range.length;
        parts.push_back(std::move(bytes));
        return {};
    };
    CAIRN_TRY(const std::int64_t asked, host.nowThereNs());
    CAIRN_CHECK(host.request(FrameKind::Gather, encode(requests), {part, begin}));
    for (GatheredBytes& each : parts) {
        const ReadRequest& of = requests[each.file];
        host.keep(of.file, host.identityHere(of.identity), each.offset, std::move(each.bytes),
                  asked);
    }
    return {};
}

bool RemoteSource::fetchTogether(std::span<const SoonRead> reads, const CancelToken& cancel) const {
    std::map<const RemoteSource*, std::vector<ByteRange>> files;
    for (const SoonRead& each : reads.first(std::min(reads.size(), kMostRanges))) {
        files[dynamic_cast<const RemoteSource*>(each.source)].push_back(each.range);
    }
    std::vector<ReadRequest> requests;
    std::uint64_t bytes = 0; ///< of the ranges in `requests`
    std::uint64_t all = 0;
    std::size_t payload = 0; ///< of the request, about
    std::vector<std::byte> known;
    const auto flush = [&] {
        const bool done = requests.empty() || (!cancel.cancelled() && gather(*m_host, requests));
        requests.clear();
        bytes = 0;
        payload = 0;
        return done;
    };
    for (const auto& [file, ranges] : files) {
        const RemoteSource* open = nullptr; ///< whose ranges the last of `requests` has
        for (const ByteRange& range : joinedPages(ranges, file->size())) {
            known.resize(static_cast<std::size_t>(std::min(range.length, kMaxGathered)));
            if (range.length > kMaxGathered || all + range.length > kMostAnnounced ||
                m_host->cached(file->m_file, file->m_identity, range.offset, known)) {
                continue;
            }
            if (bytes + range.length > kMaxGathered || payload > kMaxPayload / 2) {
                if (!flush()) {
                    return false; // reading there reports why
                }
                open = nullptr;
            }
            if (open == nullptr) {
                requests.push_back({file->m_file, m_host->identityThere(file->m_identity), {}});
                payload += 128 + pathThere(file->m_file.folder, file->m_file.name).size();
                open = file;
            }
            requests.back().ranges.push_back(range);
            bytes += range.length;
            all += range.length;
            payload += sizeof(ByteRange);
        }
    }
    return flush();
}

} // namespace

ByteSourcePtr makeRemoteSource(HostPtr host, FileRef file, FileIdentity identity,
                               std::string name) {
    return std::make_shared<const RemoteSource>(std::move(host), std::move(file), identity,
                                                std::move(name));
}

Result<FileIdentity> statRemote(Host& host, const FileRef& file) {
    std::optional<Result<FileIdentity>> found;
    const auto part = [&](const Frame& frame) -> Result<void> {
        if (found) {
            return fail(ErrorCode::Io, "The host sent more than was asked for");
        }
        WireReader in(frame.payload);
        const bool isFile = in.get<std::uint8_t>() != 0;
        if (isFile) {
            found = host.identityHere(getIdentity(in));
        } else {
            found = Result<FileIdentity>(getError(in));
        }
        return in.ok() && frame.kind == FrameKind::Status
                   ? Result<void>()
                   : fail(ErrorCode::Io, "The host sent an invalid answer");
    };
    CAIRN_CHECK(
        host.request(FrameKind::Stat, encode(std::vector{file}), {part, [&] { found.reset(); }}));
    if (!found) {
        return fail(ErrorCode::Io, "The host sent an invalid answer").inFile(file.name);
    }
    if (!*found && (*found).error().where.file.starts_with('/')) {
        Error error = (*found).error();
        error.where.file = host.name().withPath(error.where.file);
        return error;
    }
    return *found;
}

} // namespace cairn::store
