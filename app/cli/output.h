// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/result.h"

#include <string>
#include <string_view>
#include <utility>

namespace cairn::cli {

/// Standard output, buffered: data only; or a text in memory. If the reader disappears (EPIPE),
/// writing ends silently; any other failure is reported by flush(). Not thread-safe.
class Output {
public:
    Output() = default;
    Output(const Output&) = delete;
    Output& operator=(const Output&) = delete;
    ~Output() = default;

    void write(std::string_view text);
    void line(std::string_view text) {
        write(text);
        write("\n");
    }
    /// Writes all buffered data; fails with WriteFailed or NoSpace if this or an earlier write
    /// failed.
    Result<void> flush();
    /// From now on collects what is written.
    void keepInMemory() { m_inMemory = true; }
    /// What was collected since. REQUIRES: keepInMemory().
    std::string take() { return std::exchange(m_buffer, {}); }
    /// True once the reader has disappeared, or writing failed.
    [[nodiscard]] bool broken() const { return m_errno != 0; }

private:
    void drain();
    std::string m_buffer;
    int m_errno = 0;
    bool m_inMemory = false;
};

} // namespace cairn::cli
