// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cerrno>
#include <csignal>
#include <ctime>
#include <string_view>
#include <unistd.h>

namespace cairn::store {

/// As ::write() to a pipe whose other end may be gone: fails with EPIPE, and no signal ends the
/// process, whatever it does with SIGPIPE. Any thread.
inline ssize_t writeQuietly(int descriptor, std::string_view bytes) {
    sigset_t pipe;
    sigset_t before;
    sigset_t pending;
    ::sigemptyset(&pipe);
    ::sigaddset(&pipe, SIGPIPE);
    ::sigemptyset(&pending);
    ::sigpending(&pending);
    const bool waits = ::sigismember(&pending, SIGPIPE) == 1; // somebody else's, which is kept
    ::pthread_sigmask(SIG_BLOCK, &pipe, &before);
    const ssize_t put = ::write(descriptor, bytes.data(), bytes.size());
    const int error = errno;
    if (put < 0 && error == EPIPE && !waits) {
        const timespec now{};
        while (::sigtimedwait(&pipe, nullptr, &now) < 0 && errno == EINTR) {
        }
    }
    ::pthread_sigmask(SIG_SETMASK, &before, nullptr);
    errno = error;
    return put;
}

} // namespace cairn::store
