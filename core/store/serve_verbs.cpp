// SPDX-License-Identifier: Apache-2.0
#include "core/store/serve_verbs.h"

#include <array>
#include <cerrno>
#include <csignal>
#include <fcntl.h>
#include <poll.h>
#include <unistd.h>
#include <utility>

namespace cairn::store {
namespace {

constexpr int kAliveEveryMs = 5000;

/// Sends what can be read; false at the end of the file.
bool forwardSome(FileHandle& from, FrameKind kind, std::uint64_t request, const SendFrame& send) {
    std::array<char, 65536> buffer{};
    const ssize_t got = ::read(from.fd(), buffer.data(), buffer.size());
    if (got > 0) {
        return send(kind, request, {buffer.data(), static_cast<std::size_t>(got)}).has_value();
    }
    return got < 0 && errno == EINTR;
}

} // namespace

ServedVerbs::~ServedVerbs() {
    for (auto& [request, running] : m_running) {
        signal(*running, SIGTERM);
        if (running->thread.joinable()) {
            running->thread.join();
        }
    }
}

void ServedVerbs::forward(Running& running, std::uint64_t request, FileHandle output,
                          FileHandle errors) {
    while (output.valid() || errors.valid()) {
        std::array<pollfd, 2> waiting{{{output.fd(), POLLIN, 0}, {errors.fd(), POLLIN, 0}}};
        const int ready = ::poll(waiting.data(), waiting.size(), kAliveEveryMs);
        if (ready == 0) {
            (void)m_send(FrameKind::Alive, request, "");
            continue;
        }
        if (waiting[0].revents != 0 && !forwardSome(output, FrameKind::Output, request, m_send)) {
            output = FileHandle();
        }
        if (waiting[1].revents != 0 && !forwardSome(errors, FrameKind::Errors, request, m_send)) {
            errors = FileHandle();
        }
    }
    int status = 0;
    {
        const std::lock_guard guard(running.lock);
        status = running.program.wait();
    }
    WireWriter exit;
    exit.put(static_cast<std::int32_t>(exitCodeOf(status)));
    (void)m_send(FrameKind::Exit, request, exit.bytes());
}

Result<void> ServedVerbs::start(std::uint64_t request, const std::vector<std::string>& words) {
    if (m_running.contains(request)) {
        return fail(ErrorCode::InvalidArgument, "The number of the request was used before");
    }
    CAIRN_TRY(Pipe output, openPipe());
    CAIRN_TRY(Pipe errors, openPipe());
    const FileHandle nothing(::open("/dev/null", O_RDONLY | O_CLOEXEC));
    std::vector<std::string> all{"cairn-cli"};
    all.insert(all.end(), words.begin(), words.end());
    CAIRN_TRY(
        StartedProgram program,
        startProgram(
            {m_program, std::move(all), {nothing.fd(), output.write.fd(), errors.write.fd()}}));
    auto& running = m_running[request];
    running = std::make_unique<Running>();
    running->program = std::move(program);
    running->thread = std::thread([this, &running = *running, request, out = std::move(output.read),
                                   err = std::move(errors.read)]() mutable {
        forward(running, request, std::move(out), std::move(err));
    });
    return {};
}

void ServedVerbs::cancel(std::uint64_t request) {
    if (const auto at = m_running.find(request); at != m_running.end()) {
        signal(*at->second, SIGINT);
    }
}

/// Never waits: nothing is sent to a program whose output has ended, which is waited for.
void ServedVerbs::signal(Running& running, int number) {
    if (const std::unique_lock guard(running.lock, std::try_to_lock); guard.owns_lock()) {
        running.program.signal(number);
    }
}

} // namespace cairn::store
