// SPDX-License-Identifier: Apache-2.0
#include "core/store/remote_source.h"

#include <algorithm>
#include <atomic>
#include <cstring>
#include <utility>

namespace cairn::store {
namespace {

constexpr std::uint64_t kSmallestWindow = std::uint64_t{64} << 10U;
constexpr std::uint64_t kLargestWindow = std::uint64_t{1} << 20U;
constexpr std::uint64_t kWindowAlign = 4096;
constexpr std::uint64_t kOneRequest = std::uint64_t{32} << 20U;

class RemoteSource final : public ByteSource {
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
        if (out.empty() || m_host->cache().get(m_identity, offset, out)) {
            return {};
        }
        if (out.size() >= kLargestWindow) {
            for (std::uint64_t at = 0; at < out.size(); at += kOneRequest) {
                const std::uint64_t part = std::min<std::uint64_t>(kOneRequest, out.size() - at);
                CAIRN_CHECK(fetch(offset + at, out.subspan(at, part)));
            }
            return {};
        }
        const ByteRange window = windowFor({offset, out.size()});
        std::string bytes(window.length, '\0');
        CAIRN_CHECK(fetch(window.offset, std::as_writable_bytes(std::span(bytes))));
        std::memcpy(out.data(), bytes.data() + (offset - window.offset), out.size());
        m_host->cache().put(m_identity, window.offset, std::move(bytes));
        return {};
    }

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
            std::min(size(), std::max(wanted.offset + wanted.length, begin + length));
        m_window = length;
        m_windowEnd = end;
        return {begin, end - begin};
    }

    Result<void> fetch(std::uint64_t offset, std::span<std::byte> out) const {
        std::size_t filled = 0;
        const auto part = [&](const Frame& frame) -> Result<void> {
            if (frame.kind != FrameKind::Data || frame.payload.size() > out.size() - filled) {
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
};

} // namespace

ByteSourcePtr makeRemoteSource(HostPtr host, FileRef file, FileIdentity identity,
                               std::string name) {
    return std::make_shared<const RemoteSource>(std::move(host), std::move(file), identity,
                                                std::move(name));
}

Result<FileIdentity> statRemote(Host& host, const FileRef& file) {
    std::optional<Result<FileIdentity>> found;
    const auto part = [&](const Frame& frame) -> Result<void> {
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
    CAIRN_CHECK(host.request(FrameKind::Stat, encode(std::vector{file}), {part}));
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
