// SPDX-License-Identifier: Apache-2.0
#include "core/store/serve.h"

#include "core/io/system_error.h"
#include "core/store/serve_files.h"
#include "core/store/serve_verbs.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <cstdlib>
#include <mutex>
#include <unistd.h>

namespace cairn::store {
namespace {

class FarEnd {
public:
    FarEnd(int in, int out, const ServeOptions& options)
        : m_in(in), m_out(out),
          m_verbs(options.program,
                  [this](FrameKind kind, std::uint64_t request, std::string_view payload) {
                      return send(kind, request, payload);
                  }) {}

    Result<void> run(const std::string& version) {
        const char* home = std::getenv("HOME");
        CAIRN_CHECK(send(FrameKind::Hello, 0,
                         encode(HelloMessage{kProtocol, version, home != nullptr ? home : ""})));
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

    /// Fails only if the stream is broken.
    Result<void> answer(const Frame& frame) {
        if (frame.kind == FrameKind::Cancel) {
            m_verbs.cancel(frame.request);
            return {};
        }
        const Result<void> done = work(frame);
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
        case FrameKind::Open:
            return m_files.open(frame.payload, part);
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
    std::mutex m_lock; ///< of m_out
    std::atomic<bool> m_broken = false;
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
