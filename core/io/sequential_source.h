// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/io/byte_source.h"

#include <mutex>

namespace cairn {

/// A decoder's output as a ByteSource. One cursor with a lock: reading forwards continues, reading
/// backwards restarts from the first byte. After an error the next read restarts.
class SequentialSource : public ByteSource {
public:
    std::uint64_t size() const final { return m_size; }
    const std::string& name() const final { return m_name; }
    FileIdentity identity() const final { return m_compressed->identity(); }
    Result<void> checkUnchanged() const final { return m_compressed->checkUnchanged(); }
    Result<void> readAt(std::uint64_t offset, std::span<std::byte> out) const final;

protected:
    /// `size`: declared size of the decoded data.
    SequentialSource(ByteSourcePtr compressed, std::uint64_t size, std::string name);

    const ByteSource& compressed() const { return *m_compressed; }

private:
    /// The next three are called with the lock held.
    virtual Result<void> restart() const = 0;
    /// Decodes the next out.size() bytes.
    virtual Result<void> advance(std::span<std::byte> out) const = 0;
    /// Called when all declared bytes were decoded: fails if the stream continues, or if a checksum
    /// is wrong.
    virtual Result<void> finish() const = 0;

    ByteSourcePtr m_compressed;
    std::uint64_t m_size;
    std::string m_name;
    mutable std::mutex m_mutex;
    mutable std::uint64_t m_position = 0; ///< bytes decoded so far
    mutable bool m_live = false;
};

} // namespace cairn
