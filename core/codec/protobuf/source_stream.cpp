// SPDX-License-Identifier: Apache-2.0
#include "core/codec/protobuf/source_stream.h"

#include <algorithm>

namespace cairn::protobuf {
namespace {

constexpr std::size_t kBufferBytes = 65536;

}

SourceStream::SourceStream(const ByteSource& source, ByteRange range)
    : m_source(source), m_range(range), m_buffer(kBufferBytes) {}

bool SourceStream::Next(const void** data, int* size) {
    const auto count = static_cast<std::size_t>(
        std::min<std::uint64_t>(m_buffer.size(), m_range.length - m_position));
    if (count == 0 || m_failure) {
        return false;
    }
    if (auto read = m_source.readAt(m_range.offset + m_position, std::span(m_buffer).first(count));
        !read) {
        m_failure = std::move(read).error();
        return false;
    }
    m_position += count;
    *data = m_buffer.data();
    *size = static_cast<int>(count);
    return true;
}

void SourceStream::BackUp(int count) {
    m_position -= static_cast<std::uint64_t>(count);
}

bool SourceStream::Skip(int count) {
    const std::uint64_t left = m_range.length - m_position;
    m_position += std::min(left, static_cast<std::uint64_t>(count));
    return static_cast<std::uint64_t>(count) <= left;
}

} // namespace cairn::protobuf
