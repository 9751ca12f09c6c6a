// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/io/byte_source.h"

#include <mutex>

namespace cairn {

/// What a decoder makes of compressed bytes, read like any other source. One cursor under a lock:
/// reading onwards continues, reading before the cursor starts again from the first byte. After an
/// error the next read starts again.
class SequentialSource : public ByteSource {
public:
    std::uint64_t size() const final { return m_size; }
    const std::string& name() const final { return m_name; }
    FileIdentity identity() const final { return m_compressed->identity(); }
    Result<void> checkUnchanged() const final { return m_compressed->checkUnchanged(); }
    Result<void> readAt(std::uint64_t offset, std::span<std::byte> out) const final;

protected:
    /// `size`: declared, of the decoded bytes.
    SequentialSource(ByteSourcePtr compressed, std::uint64_t size, std::string name);

    const ByteSource& compressed() const { return *m_compressed; }

private:
    /// These three are called with the lock held.
    virtual Result<void> restart() const = 0;
    /// Decodes exactly out.size() bytes, those that follow what was decoded so far.
    virtual Result<void> advance(std::span<std::byte> out) const = 0;
    /// All declared bytes were decoded: fails if that is not the end, or a checksum is wrong.
    virtual Result<void> finish() const = 0;

    ByteSourcePtr m_compressed;
    std::uint64_t m_size;
    std::string m_name;
    mutable std::mutex m_mutex;
    mutable std::uint64_t m_position = 0; ///< decoded so far
    mutable bool m_live = false;
};

} // namespace cairn
