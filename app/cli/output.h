// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/result.h"

#include <string>
#include <string_view>

namespace cairn::cli {

/// Standard output, buffered: data only. A reader that goes away (EPIPE) ends the writing quietly;
/// any other failure is kept for flush(). One thread.
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
    /// Everything out; fails with WriteFailed or NoSpace when some of it could not be written, now
    /// or earlier.
    Result<void> flush();
    /// True once nobody reads any more, or writing failed.
    [[nodiscard]] bool broken() const { return m_errno != 0; }

private:
    void drain();
    std::string m_buffer;
    int m_errno = 0;
};

} // namespace cairn::cli
