// SPDX-License-Identifier: Apache-2.0
#include "core/store/host.h"

#include <chrono>
#include <functional>
#include <thread>

namespace cairn::store {
namespace {

constexpr int kTries = 3;

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
        own.connection.reset();
    }
    if (own.connection == nullptr) {
        CAIRN_TRY(own.connection, m_connector(m_name));
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
    }
    return all;
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

Result<int> Host::run(const std::vector<std::string>& words,
                      const std::function<void(std::string_view)>& output,
                      const std::function<void(std::string_view)>& errors,
                      const CancelToken& cancel) {
    CAIRN_TRY(const std::shared_ptr<Connection> now, connection());
    int code = -1;
    const auto part = [&](const Frame& frame) -> Result<void> {
        WireReader in(frame.payload);
        if (frame.kind == FrameKind::Output) {
            output(frame.payload);
        } else if (frame.kind == FrameKind::Errors) {
            errors(frame.payload);
        } else if (frame.kind == FrameKind::Exit) {
            code = in.get<std::int32_t>();
        }
        return {};
    };
    if (auto done = now->request(FrameKind::Run, encodeWords(words), {part}, cancel); !done) {
        return named(std::move(done).error());
    }
    if (code < 0 || code > 255) {
        return fail(ErrorCode::Io, "The host did not report how the work ended")
            .inFile(m_name.account());
    }
    return code;
}

} // namespace cairn::store
