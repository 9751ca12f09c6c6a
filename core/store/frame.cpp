// SPDX-License-Identifier: Apache-2.0
#include "core/store/frame.h"

#include "core/base/endian.h"

#include <algorithm>
#include <array>

namespace cairn::store {
namespace {

constexpr std::size_t kKindAt = 4;
constexpr std::size_t kRequestAt = 8;
constexpr std::size_t kCompactAfter = std::size_t{1} << 20U;

constexpr auto kKinds = std::to_array<FrameKind>(
    {FrameKind::Hello,    FrameKind::Open,    FrameKind::List,   FrameKind::Stat,
     FrameKind::Read,     FrameKind::Run,     FrameKind::Cancel, FrameKind::Gather,
     FrameKind::Place,    FrameKind::Listing, FrameKind::Status, FrameKind::Data,
     FrameKind::Ahead,    FrameKind::Output,  FrameKind::Errors, FrameKind::Alive,
     FrameKind::Gathered, FrameKind::Done,    FrameKind::Failed, FrameKind::Exit});

} // namespace

Result<std::optional<Frame>> FrameParser::next() {
    const std::string_view left = std::string_view(m_pending).substr(m_at);
    if (left.size() < kFrameHead) {
        return std::optional<Frame>();
    }
    const auto head = asBytes(left.substr(0, kFrameHead));
    const auto length = loadLittle<std::uint32_t>(head);
    const auto kind = static_cast<FrameKind>(loadLittle<std::uint8_t>(head, kKindAt));
    const auto reserved = loadLittle<std::uint32_t>(head, kKindAt) >> 8U;
    if (length > kMaxPayload || reserved != 0 || std::ranges::find(kKinds, kind) == kKinds.end()) {
        return fail(ErrorCode::Io, "The other end of the connection sent an invalid frame")
            .butFound(sentence("length %1, kind %2", length, static_cast<int>(kind)))
            .expecting(sentence("at most %1 bytes of a known kind", kMaxPayload));
    }
    if (left.size() < kFrameHead + length) {
        return std::optional<Frame>();
    }
    Frame frame{kind, loadLittle<std::uint64_t>(head, kRequestAt),
                std::string(left.substr(kFrameHead, length))};
    m_at += kFrameHead + length;
    if (m_at == m_pending.size() || m_at > kCompactAfter) {
        m_pending.erase(0, m_at);
        m_at = 0;
    }
    return std::optional(std::move(frame));
}

void appendFrame(std::string& stream, FrameKind kind, std::uint64_t request,
                 std::string_view payload) {
    std::array<std::byte, kFrameHead> head{};
    storeLittle(head, 0, static_cast<std::uint32_t>(payload.size()));
    storeLittle(head, kKindAt, static_cast<std::uint8_t>(kind));
    storeLittle(head, kRequestAt, request);
    stream += asText(head);
    stream += payload;
}

} // namespace cairn::store
