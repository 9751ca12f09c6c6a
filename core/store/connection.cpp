// SPDX-License-Identifier: Apache-2.0
#include "core/store/connection.h"

#include "core/io/system_error.h"
#include "core/store/quiet_write.h"
#include "core/store/ssh_errors.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <fcntl.h>
#include <poll.h>
#include <unistd.h>
#include <utility>

namespace cairn::store {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::size_t kMostQueued = std::size_t{64} << 20U; ///< bytes of one answer
constexpr std::size_t kMostMessages = 16384;
constexpr auto kTurn = std::chrono::milliseconds(100);
constexpr auto kMostEnding = std::chrono::milliseconds(500);

/// The streams to far ends, as number + 1, for children: no lock, because a thread may hold it when
/// it is forked. A stream without a place here only stays open in a child.
constinit std::array<std::atomic<int>, 64> g_streams{};

void exchangeOne(int from, int to) {
    for (std::atomic<int>& each : g_streams) {
        int expected = from + 1;
        if (each.compare_exchange_strong(expected, to + 1)) {
            return;
        }
    }
}

bool isLast(FrameKind kind) {
    return kind >= FrameKind::Done;
}

} // namespace

void closeInheritedStreams() {
    for (std::atomic<int>& each : g_streams) {
        if (const int stream = each.exchange(0) - 1; stream >= 0) {
            ::close(stream);
        }
    }
}

Connection::Connection(Channel channel, std::string host, std::chrono::milliseconds mostSilence)
    : m_channel(std::move(channel)), m_host(std::move(host)), m_mostSilence(mostSilence) {
    for (const FileHandle* file : {&m_channel.toFar, &m_channel.fromFar, &m_channel.messages}) {
        if (file->valid()) {
            ::fcntl(file->fd(), F_SETFL, ::fcntl(file->fd(), F_GETFL) | O_NONBLOCK);
        }
    }
    exchangeOne(-1, m_channel.toFar.fd());
}

Result<std::shared_ptr<Connection>> Connection::start(Channel channel, std::string received,
                                                      std::string host,
                                                      std::chrono::milliseconds mostSilence) {
    const std::shared_ptr<Connection> made(
        new Connection(std::move(channel), std::move(host), mostSilence));
    made->m_parser.add(received);
    made->m_waiting[0]; // the greeting
    made->m_reader = std::thread([raw = made.get()] { raw->readAll(); });
    Frame first;
    CAIRN_CHECK(made->await(0,
                            {[&](const Frame& frame) {
                                 first = frame;
                                 return Result<void>();
                             },
                             [] {}},
                            {}));
    {
        const std::lock_guard guard(made->m_lock);
        made->m_waiting.erase(0);
    }
    made->m_greeted = Clock::now();
    CAIRN_TRY(made->m_hello, decodeHello(first.payload));
    if (made->m_hello.protocol != kProtocol) {
        return fail(ErrorCode::Unsupported, "The program on the host has a different version")
            .inFile(made->m_host)
            .butFound(sentence("protocol %1, cairn-cli %2", made->m_hello.protocol,
                               made->m_hello.version))
            .expecting(sentence("protocol %1", kProtocol));
    }
    return made;
}

std::int64_t Connection::nowThereNs() const {
    const auto since = Clock::now() - m_greeted;
    return m_hello.nowNs == 0
               ? 0
               : m_hello.nowNs +
                     std::chrono::duration_cast<std::chrono::nanoseconds>(since).count();
}

Connection::~Connection() {
    {
        const std::lock_guard guard(m_lock);
        m_ending = true;
    }
    exchangeOne(m_channel.toFar.fd(), -1); // before another file gets its number
    m_channel.toFar = FileHandle();        // its end ends the far end
    m_changed.notify_all();
    if (m_reader.joinable()) {
        m_reader.join();
    }
    m_channel.carrier.signal(SIGTERM);
    if (m_channel.messages.valid()) { // ssh may still end on its own, and its helpers with it
        pollfd ended{m_channel.messages.fd(), 0, 0};
        (void)::poll(&ended, 1, static_cast<int>(kMostEnding.count()));
    }
}

void Connection::readAll() {
    std::array<char, 65536> buffer{};
    for (;;) {
        for (;;) {
            auto frame = m_parser.next();
            if (!frame) {
                return lose(std::move(frame).error());
            }
            if (!*frame) {
                break;
            }
            if (!take(*std::move(*frame))) {
                return;
            }
        }
        std::array<pollfd, 2> waiting{
            {{m_channel.fromFar.fd(), POLLIN, 0}, {m_channel.messages.fd(), POLLIN, 0}}};
        const int ready = ::poll(waiting.data(), waiting.size(), static_cast<int>(kTurn.count()));
        if (m_ending) {
            return;
        }
        if (ready == 0) { // not by the clock: this process may have been stopped meanwhile
            const std::lock_guard guard(m_lock);
            m_silence += kTurn;
        }
        if (waiting[1].revents != 0) {
            takeMessages();
        }
        if (waiting[0].revents == 0) {
            continue;
        }
        const ssize_t got = ::read(m_channel.fromFar.fd(), buffer.data(), buffer.size());
        if (got > 0) {
            m_bytes += static_cast<std::uint64_t>(got);
            m_parser.add({buffer.data(), static_cast<std::size_t>(got)});
            const std::lock_guard guard(m_lock);
            m_silence = {};
        } else if (got == 0) {
            takeMessages(); // why it ended
            return lose(fail(ErrorCode::Io, "The connection was lost"));
        } else if (errno != EINTR && errno != EAGAIN) {
            return lose(systemError(errno, "The connection was lost"));
        }
    }
}

/// False: the connection ends.
bool Connection::take(Frame frame) {
    std::unique_lock guard(m_lock);
    const auto found = [&] { return m_waiting.find(frame.request); };
    if (frame.request >= m_next) {
        guard.unlock();
        lose(fail(ErrorCode::Io, "The other end of the connection sent an invalid message")
                 .butFound(sentence("an answer to request %1, which was not made", frame.request)));
        return false;
    }
    if (frame.kind == FrameKind::Data || frame.kind == FrameKind::Ahead ||
        frame.kind == FrameKind::Gathered) {
        m_content += frame.payload.size();
    }
    if (found() == m_waiting.end() || frame.kind == FrameKind::Alive) {
        return true; // nobody waits for it any more
    }
    // A far end that sends more than is used waits here, and its stream with it.
    m_changed.wait(guard, [&] {
        return m_ending || found() == m_waiting.end() || found()->second.bytes < kMostQueued;
    });
    if (const auto at = found(); at != m_waiting.end()) {
        at->second.bytes += frame.payload.size() + sizeof(Frame);
        at->second.frames.push_back(std::move(frame));
        m_changed.notify_all();
    }
    return !m_ending;
}

void Connection::lose(Error why) {
    const std::lock_guard guard(m_lock);
    loseNow(std::move(why));
}

void Connection::loseNow(std::optional<Error> why) {
    if (!m_why) {
        m_why = std::move(why);
    }
    if (const auto lost = std::exchange(m_whenLost, nullptr)) {
        lost(lostError());
    }
    m_lost = true;
    m_changed.notify_all();
}

void Connection::whenLost(std::function<void(const Error&)> lost) {
    const std::lock_guard guard(m_lock);
    m_whenLost = std::move(lost);
    if (m_lost && m_whenLost) {
        std::exchange(m_whenLost, nullptr)(lostError());
    }
}

/// What the carrier reported since the last call.
void Connection::takeMessages() {
    std::array<char, 4096> buffer{};
    while (m_channel.messages.valid()) {
        const ssize_t said = ::read(m_channel.messages.fd(), buffer.data(), buffer.size());
        if (said == 0) {
            m_channel.messages = FileHandle();
        }
        if (said <= 0) {
            return;
        }
        const std::lock_guard guard(m_lock);
        m_carrierMessages.append(buffer.data(), static_cast<std::size_t>(said));
        if (m_carrierMessages.size() > kMostMessages) {
            m_carrierMessages.erase(0, m_carrierMessages.size() - kMostMessages);
        }
    }
}

Error Connection::lostError() const {
    Error error = m_why.value_or(fail(ErrorCode::Io, "The connection was lost"));
    if (error.where.file.empty()) {
        error.where.file = m_host;
    }
    if (error.hint.empty()) {
        error.hint = "Try again; what was read is kept";
    }
    if (const std::string said = lastLines(m_carrierMessages); !said.empty()) {
        error.found = verbatim(said);
    }
    return error;
}

Result<void> Connection::send(FrameKind kind, std::uint64_t request, std::string_view payload) {
    if (payload.size() > kMaxPayload) {
        return fail(ErrorCode::LimitExceeded, "The request is too long").inFile(m_host);
    }
    std::string bytes;
    appendFrame(bytes, kind, request, payload);
    const std::lock_guard writing(m_writing);
    std::string_view left = bytes;
    const auto ends = Clock::now() + m_mostSilence;
    while (!left.empty()) {
        const ssize_t put = m_lost ? -1 : writeQuietly(m_channel.toFar.fd(), left);
        if (put > 0) {
            left.remove_prefix(static_cast<std::size_t>(put));
        } else if (m_lost || (errno != EAGAIN && errno != EINTR) || Clock::now() > ends) {
            // half a frame may be written: nothing can follow it. The reader may still find out
            // why.
            m_lost = true;
            std::unique_lock guard(m_lock);
            m_changed.wait_for(guard, std::chrono::seconds(1), [&] { return m_why.has_value(); });
            loseNow(std::nullopt);
            return lostError();
        } else {
            pollfd waiting{m_channel.toFar.fd(), POLLOUT, 0};
            (void)::poll(&waiting, 1, static_cast<int>(kTurn.count()));
        }
    }
    return {};
}

Result<void> Connection::await(std::uint64_t request, const Answer& answer,
                               const CancelToken& cancel) {
    std::unique_lock guard(m_lock);
    for (;;) {
        Waiting& waiting = m_waiting[request];
        if (waiting.frames.empty()) {
            if (m_lost) {
                return lostError();
            }
            if (m_silence > m_mostSilence) {
                loseNow(fail(ErrorCode::Io, "The host does not respond")
                            .butFound(sentence(
                                "nothing for %1 s",
                                std::chrono::duration_cast<std::chrono::seconds>(m_mostSilence)
                                    .count())));
                return lostError();
            }
            m_changed.wait_for(guard, kTurn);
            if (const auto stopped = cancel.check(); !stopped) {
                return stopped;
            }
            continue;
        }
        const Frame frame = std::move(waiting.frames.front());
        waiting.frames.pop_front();
        waiting.bytes -= frame.payload.size() + sizeof(Frame);
        guard.unlock();
        m_changed.notify_all();
        if (frame.kind == FrameKind::Done) {
            return {};
        }
        if (frame.kind == FrameKind::Failed) {
            WireReader in(frame.payload);
            return getError(in);
        }
        CAIRN_CHECK(answer.part(frame));
        if (isLast(frame.kind) || request == 0) {
            return {};
        }
        guard.lock();
    }
}

Result<void> Connection::request(FrameKind kind, std::string_view payload, const Answer& answer,
                                 const CancelToken& cancel) {
    std::uint64_t number = 0;
    {
        const std::lock_guard guard(m_lock);
        if (m_waiting.empty()) { // silence counts from now on
            m_silence = {};
        }
        number = m_next++;
        m_waiting[number];
    }
    answer.begin();
    Result<void> done = send(kind, number, payload);
    if (done) {
        done = await(number, answer, cancel);
    }
    if (!done && !m_lost && kind == FrameKind::Run) {
        const bool isCancelled = done.error().code == ErrorCode::Cancelled;
        (void)send(FrameKind::Cancel, number, "");
        if (isCancelled) {
            done = await(number, answer, {}); // its exit code says how it ended
        }
    }
    const std::lock_guard guard(m_lock);
    m_waiting.erase(number);
    m_changed.notify_all();
    return done;
}

} // namespace cairn::store
