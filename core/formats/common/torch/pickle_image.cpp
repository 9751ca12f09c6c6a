// SPDX-License-Identifier: Apache-2.0
#include "core/formats/common/torch/pickle_image.h"

#include "core/base/endian.h"
#include "core/codec/pickle/pickle_operands.h"
#include "core/codec/pickle/pickle_text.h"

#include <sys/mman.h>

#include <algorithm>
#include <cstring>
#include <functional>
#include <optional>
#include <string_view>
#include <utility>

namespace cairn::formats {
namespace {

constexpr std::uint64_t kFirstBlock = std::uint64_t{4} << 10U;
constexpr std::uint64_t kLastBlock = std::uint64_t{1} << 20U;
constexpr std::uint64_t kMostRead = std::uint64_t{8} << 30U;
constexpr std::uint64_t kTextPrefix =
    std::uint64_t{64} << 10U; ///< prefix of a Python 2 str that decides whether it is text

/// The start of a longer text, without a last character that may be incomplete.
std::string_view wholeCharacters(std::string_view text) {
    const auto endsIn = [&text](unsigned mask, unsigned bits) {
        return !text.empty() && (static_cast<unsigned char>(text.back()) & mask) == bits;
    };
    for (int i = 0; i < 3 && endsIn(0xC0, 0x80); ++i) {
        text.remove_suffix(1);
    }
    if (endsIn(0xC0, 0xC0)) {
        text.remove_suffix(1);
    }
    return text;
}

} // namespace

PickleImage::PickleImage(ByteSourcePtr source, ByteRange range, std::byte* memory)
    : m_source(std::move(source)), m_offset(range.offset),
      m_length(static_cast<std::size_t>(range.length)), m_memory(memory) {}

PickleImage::~PickleImage() {
    if (m_length > 0) {
        ::munmap(m_memory, m_length);
    }
}

Result<PickleImagePtr> PickleImage::read(ByteSourcePtr source, ByteRange range,
                                         const CancelToken& cancel) {
    Part part = readPart(std::move(source), range, kMostRead, cancel);
    if (part.error) {
        return std::move(*part.error);
    }
    return std::move(part.image);
}

PickleImage::Part PickleImage::readPart(ByteSourcePtr source, ByteRange range, std::uint64_t most,
                                        const CancelToken& cancel) {
    auto image = reserve(std::move(source), range, most);
    if (!image) {
        return {nullptr, std::move(image).error()};
    }
    auto followed = (*image)->follow(0, Until::Stop, cancel);
    return {*image, followed ? std::nullopt : std::optional(std::move(followed).error())};
}

Result<PickleImage::WithArrays> PickleImage::parseJoblib(ByteSourcePtr source, ByteRange range,
                                                         const CancelToken& cancel) {
    CAIRN_TRY(const auto image, reserve(std::move(source), range, kMostRead));
    CAIRN_CHECK(image->follow(0, Until::Build, cancel));
    pickle::PickleLimits limits;
    limits.onBuilt = [&](std::uint64_t at) { return image->follow(at, Until::Build, cancel); };
    CAIRN_TRY(auto graph, pickle::parsePickle({image->bytes(), image}, limits));
    return WithArrays{image, std::move(graph)};
}

Result<std::shared_ptr<PickleImage>> PickleImage::reserve(ByteSourcePtr source, ByteRange range,
                                                          std::uint64_t most) {
    void* memory = nullptr;
    if (range.length > 0) {
        memory = ::mmap(nullptr, static_cast<std::size_t>(range.length), PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
        if (memory == MAP_FAILED) {
            return fail(ErrorCode::OutOfMemory, "Cannot reserve address space for this pickle")
                .inFile(source->name());
        }
    }
    std::shared_ptr<PickleImage> image(
        new PickleImage(std::move(source), range, static_cast<std::byte*>(memory)));
    image->m_most = most;
    return image;
}

/// Follows the opcodes from `at` as the machine reads them, up to STOP, to BUILD if wanted, or to
/// an error that the machine reports, too. What is before `at` and was not read is left out.
Result<void> PickleImage::follow(std::uint64_t at, Until until, const CancelToken& cancel) {
    if (m_known < at) {
        m_known = at;
        m_block = 0;
    }
    for (std::uint64_t steps = 0;; ++steps) {
        if (steps % 4096 == 0) {
            CAIRN_CHECK(cancel.check());
        }
        CAIRN_TRY(const bool begins, has(at + 1));
        const auto opcode = begins ? std::to_integer<std::uint8_t>(m_memory[at]) : std::uint8_t{0};
        const auto operands = pickle::operandsOf(opcode);
        if (!begins || !operands || opcode == '.') {
            return {};
        }
        if (opcode == 'b' && until == Until::Build) {
            CAIRN_CHECK(has(at + 2)); // joblib's first byte: the length of a padding
            return {};
        }
        ++at;
        for (int i = 0; i < operands->lines; ++i) {
            CAIRN_TRY(const bool ends, hasLine(at));
            if (!ends) {
                return {};
            }
        }
        CAIRN_TRY(const bool whole, has(at + operands->bytes));
        if (!whole) {
            return {};
        }
        std::uint64_t count = 0;
        std::memcpy(&count, m_memory + at, operands->bytes);
        at += operands->bytes;
        if (!operands->counted) {
            continue;
        }
        const bool negative = operands->isSigned && count > 0x7FFF'FFFFU;
        if (negative || count > m_length - at) {
            return {};
        }
        bool needed = !operands->bytesAlone;
        if (operands->bytesOrText) {
            CAIRN_TRY(needed, hasText(at, count));
        }
        CAIRN_CHECK(has(at + (needed ? count : std::min<std::uint64_t>(count, kHead))));
        at += count;
        if (m_known < at) {
            m_known = at;
            m_block = 0;
        }
    }
}

/// Whether the range extends to `end`; then everything from m_known to `end` has been read.
Result<bool> PickleImage::has(std::uint64_t end) {
    if (end > m_length) {
        return false;
    }
    if (end <= m_known) {
        return true;
    }
    m_block = std::clamp(2 * m_block, kFirstBlock, kLastBlock);
    const std::uint64_t readEnd =
        std::min<std::uint64_t>(std::max(end, m_known + m_block), m_length);
    m_bytesRead += readEnd - m_known;
    if (m_bytesRead > m_most) {
        return fail(ErrorCode::LimitExceeded, "The pickle contains too much text")
            .inFile(m_source->name())
            .at(m_offset + m_known)
            .expecting(sentence("at most %1 bytes in addition to arrays", m_most))
            .withHint(
                "Pickle protocols before 3 store arrays as text; save it with a later protocol");
    }
    CAIRN_CHECK(m_source->readAt(
        m_offset + m_known, {m_memory + m_known, static_cast<std::size_t>(readEnd - m_known)}));
    m_known = readEnd;
    return true;
}

/// Moves `at` past the line that begins there.
Result<bool> PickleImage::hasLine(std::uint64_t& at) {
    for (std::uint64_t looked = at;;) {
        const auto known = asText(bytes().subspan(static_cast<std::size_t>(looked),
                                                  static_cast<std::size_t>(m_known - looked)));
        const std::size_t end = known.find('\n');
        if (end != std::string_view::npos) {
            at = looked + end + 1;
            return true;
        }
        looked = m_known;
        CAIRN_TRY(const bool more, has(looked + 1));
        if (!more) {
            return false;
        }
    }
}

/// Whether the bytes may be text. If not, the part that shows it has been read.
Result<bool> PickleImage::hasText(std::uint64_t at, std::uint64_t length) {
    const std::uint64_t checked = std::min(length, kTextPrefix);
    CAIRN_CHECK(has(at + checked));
    const auto text =
        asText(bytes().subspan(static_cast<std::size_t>(at), static_cast<std::size_t>(checked)));
    return pickle::isPickleUtf8(checked < length ? wholeCharacters(text) : text);
}

ByteRange PickleImage::placeOf(std::span<const std::byte> part) const {
    return {m_offset + static_cast<std::uint64_t>(part.data() - m_memory), part.size()};
}

Result<std::vector<std::byte>> PickleImage::contentOf(std::span<const std::byte> part) const {
    const std::less_equal<const std::byte*> notAfter;
    const bool inside =
        notAfter(m_memory, part.data()) && notAfter(part.data() + part.size(), m_memory + m_length);
    if (part.size() <= kHead || !inside) {
        return std::vector<std::byte>(part.begin(), part.end());
    }
    return readRange(*m_source, placeOf(part));
}

} // namespace cairn::formats
