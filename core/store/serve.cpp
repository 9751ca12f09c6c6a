// SPDX-License-Identifier: Apache-2.0
#include "core/store/serve.h"

#include "core/io/system_error.h"
#include "core/store/serve_files.h"
#include "core/store/serve_verbs.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <chrono>
#include <condition_variable>
#include <cstdlib>
#include <mutex>
#include <thread>
#include <unistd.h>

namespace cairn::store {
namespace {

constexpr auto kAliveEvery = std::chrono::seconds(5);

class FarEnd {
public:
    FarEnd(int in, int out, const ServeOptions& options)
        : m_in(in), m_out(out), m_clockOffset(options.clockOffset),
          m_verbs(options.program,
                  [this](FrameKind kind, std::uint64_t request, std::string_view payload) {
                      return send(kind, request, payload);
                  }) {}
    FarEnd(const FarEnd&) = delete;
    FarEnd& operator=(const FarEnd&) = delete;
    ~FarEnd() {
        {
            const std::lock_guard guard(m_workLock);
            m_ending = true;
        }
        m_workChanged.notify_all();
        if (m_alive.joinable()) {
            m_alive.join();
        }
    }

    Result<void> run(const std::string& version) {
        const char* home = std::getenv("HOME");
        CAIRN_CHECK(
            send(FrameKind::Hello, 0,
                 encode(HelloMessage{
                     kProtocol, version, home != nullptr ? home : "",
                     std::chrono::duration_cast<std::chrono::nanoseconds>(
                         std::chrono::system_clock::now().time_since_epoch() + m_clockOffset)
                         .count()})));
        m_alive = std::thread([this] { reportAlive(); });
        std::array<char, 65536> buffer{};
        for (;;) {
            const ssize_t got = ::read(m_in, buffer.data(), buffer.size());
            if (got == 0) {
                return {};
            }
            if (got < 0 && errno != EINTR) {
                return systemError(errno, "The connection was lost");
            }
            m_parser.add({buffer.data(), static_cast<std::size_t>(std::max<ssize_t>(got, 0))});
            for (;;) {
                CAIRN_TRY(const std::optional<Frame> frame, m_parser.next());
                if (!frame) {
                    break;
                }
                CAIRN_CHECK(answer(*frame));
            }
        }
    }

private:
    Result<void> send(FrameKind kind, std::uint64_t request, std::string_view payload) {
        std::string bytes;
        bytes.reserve(kFrameHead + payload.size());
        appendFrame(bytes, kind, request, payload);
        const std::lock_guard guard(m_lock);
        std::string_view left = bytes;
        while (!left.empty()) {
            const ssize_t put = ::write(m_out, left.data(), left.size());
            if (put < 0 && errno != EINTR) {
                m_broken = true;
                return systemError(errno, "The connection was lost");
            }
            left.remove_prefix(static_cast<std::size_t>(std::max<ssize_t>(put, 0)));
        }
        return {};
    }

    /// 0: on none.
    void workOn(std::uint64_t request) {
        const std::lock_guard guard(m_workLock);
        m_working = request;
        m_workBegan = std::chrono::steady_clock::now();
    }

    /// A folder on a slow disk may take minutes until its first entry is known.
    void reportAlive() {
        std::unique_lock guard(m_workLock);
        while (!m_workChanged.wait_for(guard, kAliveEvery, [&] { return m_ending; })) {
            const std::uint64_t request = m_working;
            if (request != 0 && std::chrono::steady_clock::now() - m_workBegan >= kAliveEvery) {
                guard.unlock(); // sending may take long
                (void)send(FrameKind::Alive, request, "");
                guard.lock();
            }
        }
    }

    /// Fails only if the stream is broken.
    Result<void> answer(const Frame& frame) {
        if (frame.kind == FrameKind::Cancel) {
            m_verbs.cancel(frame.request);
            return {};
        }
        workOn(frame.request);
        const Result<void> done = work(frame);
        workOn(0);
        if (done) {
            return frame.kind == FrameKind::Run ? Result<void>()
                                                : send(FrameKind::Done, frame.request, "");
        }
        if (m_broken) {
            return done;
        }
        WireWriter error;
        putError(error, done.error());
        return send(FrameKind::Failed, frame.request, error.bytes());
    }

    Result<void> work(const Frame& frame) {
        const SendPart part = [&](FrameKind kind, std::string_view payload) {
            return send(kind, frame.request, payload);
        };
        switch (frame.kind) {
        case FrameKind::Open: {
            CAIRN_TRY(const OpenPlaceRequest request, decodeOpen(frame.payload));
            return m_files.open(request, part);
        }
        case FrameKind::Gather: {
            CAIRN_TRY(const auto requests, decodeGather(frame.payload));
            return m_files.gather(requests, part);
        }
        case FrameKind::List: {
            WireReader in(frame.payload);
            const FolderRef ref = getFolder(in);
            return in.ended() ? m_files.list(ref, part) : unknown();
        }
        case FrameKind::Stat: {
            CAIRN_TRY(const auto files, decodeStat(frame.payload));
            return m_files.stat(files, part);
        }
        case FrameKind::Read: {
            CAIRN_TRY(const auto request, decodeRead(frame.payload));
            return m_files.read(request, part);
        }
        case FrameKind::Run: {
            CAIRN_TRY(const auto words, decodeWords(frame.payload));
            return m_verbs.start(frame.request, words);
        }
        default:
            return unknown();
        }
    }

    static Error unknown() {
        return fail(ErrorCode::InvalidArgument, "The request is unknown to this version");
    }

    int m_in;
    int m_out;
    std::chrono::nanoseconds m_clockOffset;
    std::mutex m_lock; ///< of m_out
    std::atomic<bool> m_broken = false;
    std::mutex m_workLock; ///< of what follows, up to m_ending
    std::condition_variable m_workChanged;
    std::uint64_t m_working = 0; ///< the request
    std::chrono::steady_clock::time_point m_workBegan;
    bool m_ending = false;
    std::thread m_alive;
    FrameParser m_parser;
    ServedFiles m_files;
    ServedVerbs m_verbs; ///< last: its threads use the others
};

} // namespace

Result<void> serve(int in, int out, const ServeOptions& options) {
    FarEnd end(in, out, options);
    return end.run(options.version);
}

} // namespace cairn::store
