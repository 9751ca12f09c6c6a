// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/cancel_token.h"
#include "core/io/file_ops.h"
#include "core/io/started_program.h"
#include "core/store/message.h"

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <thread>

namespace cairn::store {

/// The streams to a far end, and the program that carries them.
struct Channel {
    FileHandle toFar;
    FileHandle fromFar;
    FileHandle messages; ///< of the carrier (ssh's standard error); may be invalid
    StartedProgram carrier;
};

/// What one request is answered with.
struct Answer {
    /// Gets each part. Its failure ends the request.
    std::function<Result<void>(const Frame& part)> part;
    /// Called before the first part; again if the request is repeated.
    std::function<void()> begin = [] {};
};

/// How long the far end may be silent while a request waits.
inline constexpr std::chrono::milliseconds kMostSilence{60'000};

/// Only in a forked child, before anything else: closes its copies of the streams to far ends,
/// which otherwise would not end with the connections of the parent.
void closeInheritedStreams();

/// One conversation with a far end, after its greeting. A thread of its own reads. Requests may be
/// made from any thread and wait for their answer; several travel at once.
class Connection {
public:
    /// `received`: bytes that were read already. Waits for the greeting. Fails: Io, Unsupported for
    /// another version of the protocol.
    static Result<std::shared_ptr<Connection>>
    start(Channel channel, std::string received, std::string host,
          std::chrono::milliseconds mostSilence = kMostSilence);
    Connection(const Connection&) = delete;
    Connection& operator=(const Connection&) = delete;
    ~Connection();

    /// Fails with the far end's error, with Io if the connection is lost (isLost()), with
    /// Cancelled, and with that of answer.part.
    Result<void> request(FrameKind kind, std::string_view payload, const Answer& answer,
                         const CancelToken& cancel = {});

    [[nodiscard]] bool isLost() const { return m_lost; }
    /// Calls `lost` once with the reason when the connection is lost, on any thread; at once, if it
    /// was. It must not wait, nor call this object. Empty: no longer.
    void whenLost(std::function<void(const Error& why)> lost);
    [[nodiscard]] const HelloMessage& hello() const { return m_hello; }
    /// The clock of the host, never later than it really is, in ns since 1970; 0: unknown.
    [[nodiscard]] std::int64_t nowThereNs() const;
    [[nodiscard]] std::uint64_t requests() const { return m_next - 1; }
    [[nodiscard]] std::uint64_t bytesReceived() const { return m_bytes; }
    [[nodiscard]] std::uint64_t contentReceived() const { return m_content; }

private:
    struct Waiting {
        std::deque<Frame> frames;
        std::size_t bytes = 0;
    };

    Connection(Channel channel, std::string host, std::chrono::milliseconds mostSilence);
    void readAll();
    bool take(Frame frame);
    void lose(Error why);
    void loseNow(std::optional<Error> why); ///< REQUIRES: m_lock is held
    void takeMessages();
    Result<void> send(FrameKind kind, std::uint64_t request, std::string_view payload);
    Result<void> await(std::uint64_t request, const Answer& answer, const CancelToken& cancel);
    Error lostError() const; ///< REQUIRES: m_lock is held

    Channel m_channel;
    std::string m_host;
    std::chrono::milliseconds m_mostSilence;
    HelloMessage m_hello;
    std::chrono::steady_clock::time_point m_greeted;

    std::mutex m_writing;
    mutable std::mutex m_lock; ///< of what follows
    std::condition_variable m_changed;
    std::map<std::uint64_t, Waiting> m_waiting;
    std::string m_carrierMessages; ///< the last lines of Channel::messages
    std::optional<Error> m_why;
    std::function<void(const Error&)> m_whenLost;
    std::chrono::milliseconds m_silence{}; ///< for how long the reader has waited in vain
    FrameParser m_parser;
    std::atomic<std::uint64_t> m_next = 1;
    std::atomic<std::uint64_t> m_bytes = 0;
    std::atomic<std::uint64_t> m_content = 0; ///< bytes of files among them
    std::atomic<bool> m_lost = false;
    std::atomic<bool> m_ending = false;
    std::thread m_reader; ///< last
};

} // namespace cairn::store
