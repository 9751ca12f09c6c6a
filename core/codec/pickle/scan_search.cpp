// SPDX-License-Identifier: Apache-2.0
#include "core/base/endian.h"
#include "core/codec/pickle/pickle_operands.h"
#include "core/codec/pickle/scan.h"
#include "core/codec/pickle/scan_rules.h"

#include <algorithm>
#include <cstring>
#include <vector>

// Where may a pickle begin in arbitrary bytes? Opcodes are followed from every position at once,
// from right to left: what can be reached from a position is what its own opcode does plus what can
// be reached from the next opcode. A pickle that has an effect imports a name and calls it.

namespace cairn::pickle {
namespace {

constexpr std::uint64_t kMaxRead = std::uint64_t{64} << 20U; ///< for all candidates together
constexpr std::uint64_t kRunCosts = 1024;                    ///< cost of starting one, in bytes
constexpr std::size_t kMaxFound = 256; ///< more findings would not change the verdict
constexpr std::size_t kFirstTry = std::size_t{64} << 10U;
constexpr std::size_t kWindow = std::size_t{1} << 20U;
constexpr std::size_t kOverlap =
    std::size_t{256} << 10U; ///< largest extent of a candidate that begins in the window

constexpr std::uint8_t kLooksUp = 1;
constexpr std::uint8_t kCalls = 2;
constexpr std::uint8_t kByStack = 4; ///< an import takes its name from the stack

class Search {
public:
    explicit Search(std::span<const std::byte> bytes)
        : m_bytes(bytes), m_reach(bytes.size()), m_lineEnd(bytes.size() + 1) {
        m_lineEnd[bytes.size()] = static_cast<std::uint32_t>(bytes.size() + 1);
        for (std::size_t i = bytes.size(); i-- > 0;) {
            m_lineEnd[i] =
                bytes[i] == std::byte{'\n'} ? static_cast<std::uint32_t>(i + 1) : m_lineEnd[i + 1];
            m_reach[i] = reachFrom(i);
        }
    }

    [[nodiscard]] bool mayBegin(std::size_t i) const {
        return (m_reach[i] & kLooksUp) != 0 && (m_reach[i] & kCalls) != 0;
    }

private:
    /// One past the line that begins at `at`; beyond the end: the line is not terminated.
    std::size_t lineEnd(std::size_t at) const {
        return at < m_lineEnd.size() ? m_lineEnd[at] : m_bytes.size() + 1;
    }

    std::string_view textOf(std::size_t begin, std::size_t end) const {
        return asText(m_bytes.subspan(begin, end - begin));
    }

    /// Position of the next opcode; beyond the end: the stream is invalid here.
    std::size_t nextOf(std::size_t i) const {
        const std::size_t broken = m_bytes.size() + 1;
        const auto opcode = std::to_integer<std::uint8_t>(m_bytes[i]);
        const auto operands = operandsOf(opcode);
        if (!operands || opcode == '.') {
            return broken;
        }
        std::size_t at = i + 1;
        for (int line = 0; line < operands->lines; ++line) {
            at = lineEnd(at);
            if (at > m_bytes.size()) {
                return broken;
            }
        }
        if (operands->bytes > m_bytes.size() - at) {
            return broken;
        }
        std::uint64_t count = 0;
        std::memcpy(&count, m_bytes.data() + at, operands->bytes);
        at += operands->bytes;
        if (operands->counted) {
            if (count > m_bytes.size() - at) {
                return broken;
            }
            at += static_cast<std::size_t>(count);
        }
        return at;
    }

    std::uint8_t reachFrom(std::size_t i) const {
        const auto opcode = std::to_integer<std::uint8_t>(m_bytes[i]);
        const std::size_t next = nextOf(i);
        std::uint8_t reach = next < m_bytes.size() ? m_reach[next] : std::uint8_t{0};
        if (next > m_bytes.size()) {
            return ownCall(opcode);
        }
        switch (opcode) {
        case 'c':
        case 'i': {
            const std::size_t middle = lineEnd(i + 1);
            const bool names =
                isDottedName(textOf(i + 1, middle - 1)) && isDottedName(textOf(middle, next - 1));
            return names ? static_cast<std::uint8_t>(reach | kLooksUp | ownCall(opcode))
                         : std::uint8_t{0};
        }
        case 0x93:
            return reach | kByStack;
        case 'X':
        case 'V':
        case 'S':
        case 'T':
        case 'U':
        case 0x8c:
        case 0x8d:
            return (reach & kByStack) != 0 && hasName(i, next)
                       ? static_cast<std::uint8_t>(reach | kLooksUp)
                       : reach;
        default:
            return reach | ownCall(opcode);
        }
    }

    static std::uint8_t ownCall(std::uint8_t opcode) {
        const bool calls =
            opcode == 'R' || opcode == 'o' || opcode == 'i' || opcode == 0x81 || opcode == 0x92;
        return calls ? kCalls : std::uint8_t{0};
    }

    /// Whether the text of the opcode at `i` can be a name.
    bool hasName(std::size_t i, std::size_t next) const {
        const auto opcode = std::to_integer<std::uint8_t>(m_bytes[i]);
        const auto operands = operandsOf(opcode);
        std::string_view text =
            textOf(i + 1 + operands->bytes, operands->lines > 0 ? next - 1 : next);
        if (opcode == 'S' && text.size() >= 2) {
            text = text.substr(1, text.size() - 2);
        }
        return opcode == 'V' ? !text.empty() : isDottedName(text); // may be written with escapes
    }

    std::span<const std::byte> m_bytes;
    std::vector<std::uint8_t> m_reach;
    std::vector<std::uint32_t> m_lineEnd; ///< for each position, one past the next line break
};

struct Attempt {
    bool calls = false; ///< calls something that can be imported
    bool ended = false; ///< more bytes would make no difference
    std::uint64_t consumed = 0;
};

Attempt tryFrom(std::span<const std::byte> bytes, const PickleLimits& limits, std::uint64_t& read) {
    const PickleRun run = runPickle(bytes, limits);
    read += kRunCosts + run.graph.consumed();
    const bool calls = std::ranges::any_of(run.graph.globals(), [](const GlobalUse& use) {
        return use.called && isImportable(use.name);
    });
    return {calls, !run.error || run.error->code != ErrorCode::PickleTruncated,
            run.graph.consumed()};
}

} // namespace

PickleReport searchPickles(std::span<const std::byte> bytes, const ScanOptions& options) {
    PickleReport report;
    ScanOptions one = options;
    one.follow = false;
    one.maybe = true;
    one.limits.lenient = true;
    std::uint64_t read = 0;
    std::size_t streams = 0;
    std::size_t at = 0;
    for (std::size_t begin = 0; begin < bytes.size(); begin += kWindow) {
        const std::size_t end = std::min(begin + kWindow, bytes.size());
        const Search search(bytes.subspan(begin, std::min(end + kOverlap, bytes.size()) - begin));
        for (at = std::max(at, begin); at < end;) {
            if (!search.mayBegin(at - begin)) {
                ++at;
                continue;
            }
            if (read > kMaxRead) {
                report.verdict = std::max(report.verdict, Verdict::NotExamined);
                report.reasons.emplace_back("Too many possible pickles after the first one");
                return report;
            }
            auto rest = bytes.subspan(at, std::min(bytes.size() - at, kFirstTry));
            const bool cut = rest.size() < bytes.size() - at;
            Attempt attempt = tryFrom(rest, one.limits, read);
            if (cut && !attempt.ended) {
                rest = bytes.subspan(at);
                attempt = tryFrom(rest, one.limits, read);
            }
            if (!attempt.calls) {
                ++at;
                continue;
            }
            PickleReport found = scanPickle(rest, one);
            for (ScannedGlobal& global : found.globals) {
                global.offset += global.nested ? 0 : at;
            }
            at += std::max<std::uint64_t>(attempt.consumed, 1);
            mergeReport(report, std::move(found));
            if (++streams == kMaxFound && report.verdict == Verdict::WouldRunCode) {
                return report;
            }
        }
    }
    return report;
}

} // namespace cairn::pickle
