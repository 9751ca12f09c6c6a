// SPDX-License-Identifier: Apache-2.0
#include "app/cli/output.h"

#include "core/io/system_error.h"

#include <cerrno>
#include <cstddef>
#include <unistd.h>

namespace cairn::cli {
namespace {

constexpr std::size_t kBufferBytes = std::size_t{256} << 10U;

} // namespace

void Output::write(std::string_view text) {
    m_buffer += text;
    if (m_buffer.size() >= kBufferBytes && !m_inMemory) {
        drain();
    }
}

void Output::drain() {
    std::string_view rest = m_buffer;
    while (m_errno == 0 && !rest.empty()) {
        const ssize_t written = ::write(STDOUT_FILENO, rest.data(), rest.size());
        if (written >= 0) {
            rest.remove_prefix(static_cast<std::size_t>(written));
        } else if (errno != EINTR) {
            m_errno = errno;
        }
    }
    m_buffer.clear();
}

Result<void> Output::flush() {
    if (m_inMemory) {
        return {};
    }
    drain();
    if (m_errno == 0 || m_errno == EPIPE) {
        return {};
    }
    Error error = systemError(m_errno, "Cannot write to standard output");
    if (exitClass(error.code) != ExitClass::Output) {
        error.code = ErrorCode::WriteFailed;
    }
    return error;
}

} // namespace cairn::cli
