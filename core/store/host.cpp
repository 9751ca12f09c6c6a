// SPDX-License-Identifier: Apache-2.0
#include "core/store/host.h"

#include "core/base/host_states.h"

#include <chrono>
#include <functional>
#include <thread>

namespace cairn::store {
namespace {

constexpr int kTries = 3;
/// For so long a file may change without another time stamp. A write through a mapping sets none
/// while its page is still to be written back: on Linux for 30 s, and 5 s until that begins. Clocks
/// of file systems differ by less than the rest.
constexpr std::int64_t kUnseenNs = 60'000'000'000;
constexpr std::size_t kMostFromDisk = std::size_t{64} << 20U; ///< of one read

std::uint64_t markOf(const RemoteName& name) {
    return std::hash<std::string>()(name.account()) | 1U; // never zero
}

} // namespace

FileIdentity Host::identityHere(FileIdentity there) const {
    there.device ^= markOf(m_name);
    return there;
}

FileIdentity Host::identityThere(FileIdentity here) const {
    return identityHere(here); // its own inverse
}

Host::~Host() {
    const Live* own = m_live;
    if (own->process == ::getpid()) {
        delete own; // NOLINT(cppcoreguidelines-owning-memory): a child cannot end its parent's
                    // threads
    }
}

Host::Live& Host::live() {
    Live* known = m_live;
    if (known->process != ::getpid()) {
        auto own = std::make_unique<Live>();
        if (m_live.compare_exchange_strong(known, own.get())) {
            return *own.release();
        }
    }
    return *known;
}

Result<std::shared_ptr<Connection>> Host::connection() {
    Live& own = live();
    const std::lock_guard guard(own.lock); // others wait for the same connection
    if (own.connection != nullptr && own.connection->isLost()) {
        own.before.requests += own.connection->requests();
        own.before.bytes += own.connection->bytesReceived();
        own.before.content += own.connection->contentReceived();
        own.connection->whenLost(nullptr); // what it reports late is not true of the next one
        own.connection.reset();
    }
    if (own.connection == nullptr) {
        const std::string host = m_name.account();
        reportHost({host, HostLink::Connecting, {}});
        auto made = m_connector(m_name);
        if (!made) {
            reportHost({host, HostLink::Lost, made.error()});
            return std::move(made).error();
        }
        own.connection = std::move(*made);
        reportHost({host, HostLink::Connected, {}});
        own.connection->whenLost([host](const Error& why) {
            reportHost({host, HostLink::Lost, why});
        });
    }
    return own.connection;
}

Result<std::string> Host::home() {
    CAIRN_TRY(const std::shared_ptr<Connection> now, connection());
    const std::string& home = now->hello().home;
    return home.empty() ? "/" : home;
}

Host::Traffic Host::traffic() {
    Live& own = live();
    const std::lock_guard guard(own.lock);
    Traffic all = own.before;
    if (own.connection != nullptr) {
        all.requests += own.connection->requests();
        all.bytes += own.connection->bytesReceived();
        all.content += own.connection->contentReceived();
    }
    return all;
}

CachedFile Host::cachedFile(const FileRef& file, const FileIdentity& here) const {
    return {m_name.account(), pathThere(file.folder, file.name), identityThere(here)};
}

bool Host::isSettled(const FileIdentity& there, std::int64_t askedNs) {
    return askedNs > 0 && there.ctimeNs > 0 && there.ctimeNs < askedNs - kUnseenNs;
}

Result<std::int64_t> Host::nowThereNs() {
    CAIRN_TRY(const std::shared_ptr<Connection> now, connection());
    return now->nowThereNs();
}

bool Host::cached(const FileRef& file, const FileIdentity& here, std::uint64_t offset,
                  std::span<std::byte> out) {
    RangeCache& memory = live().cache;
    if (memory.get(here, offset, out)) {
        return true;
    }
    if (!m_blocks.isOn() || out.size() > kMostFromDisk) {
        return false;
    }
    const CachedFile known = cachedFile(file, here);
    for (std::uint64_t at = offset / BlockCache::kBlock * BlockCache::kBlock;
         at < offset + out.size(); at += BlockCache::kBlock) {
        std::vector<BlockCache::Run> runs = m_blocks.block(known, at);
        if (runs.empty()) {
            return false;
        }
        for (BlockCache::Run& run : runs) {
            memory.put(here, run.offset, std::move(run.bytes));
        }
    }
    return memory.get(here, offset, out);
}

void Host::keep(const FileRef& file, const FileIdentity& here, std::uint64_t offset,
                std::string bytes, std::int64_t askedNs) {
    if (m_blocks.isOn() && isSettled(identityThere(here), askedNs)) {
        m_blocks.put(cachedFile(file, here), offset, bytes);
    }
    live().cache.put(here, offset, std::move(bytes));
}

/// Names the file as the user would: with its host.
Error Host::named(Error error) const {
    if (error.where.file.starts_with('/')) {
        error.where.file = m_name.withPath(error.where.file);
    } else if (error.where.file.empty()) {
        error.where.file = m_name.account();
    }
    return error;
}

Result<void> Host::request(FrameKind kind, std::string_view payload, const Answer& answer) {
    for (int attempt = 1;; ++attempt) {
        CAIRN_TRY(const std::shared_ptr<Connection> now, connection());
        const Result<void> done = now->request(kind, payload, answer);
        if (done) {
            return done;
        }
        if (!now->isLost() || attempt == kTries) {
            return named(done.error());
        }
        std::this_thread::sleep_for(std::chrono::milliseconds(200 * attempt * attempt));
    }
}

Result<int> Host::run(const std::vector<std::string>& words, const TakeText& output,
                      const TakeText& errors, const CancelToken& cancel) {
    CAIRN_TRY(const std::shared_ptr<Connection> now, connection());
    int code = -1;
    const auto part = [&](const Frame& frame) -> Result<void> {
        WireReader in(frame.payload);
        if (frame.kind == FrameKind::Output) {
            return output(frame.payload);
        }
        if (frame.kind == FrameKind::Errors) {
            return errors(frame.payload);
        }
        if (frame.kind == FrameKind::Exit) {
            code = in.get<std::int32_t>();
        }
        return {};
    };
    auto done = now->request(FrameKind::Run, encodeWords(words), {part}, cancel);
    ++m_changes; // however it ended
    if (!done) {
        return named(std::move(done).error());
    }
    if (code < 0 || code > 255) {
        return fail(ErrorCode::Io, "The host did not report how the work ended")
            .inFile(m_name.account());
    }
    return code;
}

} // namespace cairn::store
