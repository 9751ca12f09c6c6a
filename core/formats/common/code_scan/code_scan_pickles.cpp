// SPDX-License-Identifier: Apache-2.0
#include "core/base/endian.h"
#include "core/formats/common/code_scan/code_scanner.h"
#include "core/formats/common/numpy/npy_header.h"
#include "core/formats/common/torch/pickle_image.h"
#include "core/io/prefetch.h"

#include <algorithm>

// The pickles themselves: in sequence from the first byte on, after other data, and after the
// header of an object array.

namespace cairn::formats {
namespace {

using pickle::PickleReport;
using pickle::Verdict;

constexpr std::uint64_t kWhole = std::uint64_t{1} << 20U;
constexpr std::uint64_t kWholeFetched = std::uint64_t{4} << 10U;
constexpr std::uint64_t kMostInline = std::uint64_t{512}
                                      << 20U; ///< limit for joblib pickles, including their arrays
constexpr std::uint64_t kMostInlineExpanded = std::uint64_t{32} << 20U;
constexpr std::uint64_t kMostText = std::uint64_t{1}
                                    << 30U; ///< limit for opcodes and texts of one pickle
constexpr std::uint64_t kMostTextExpanded = std::uint64_t{16} << 20U;
constexpr std::uint64_t kMostStreams = 200'000;
constexpr std::uint64_t kSearchStep = std::uint64_t{4} << 20U;
constexpr std::uint64_t kSearchOverlap = std::uint64_t{256} << 10U;

/// A JSON header that is preceded by its length: not a pickle, although the length may begin like
/// one.
bool isSafetensors(const ByteSource& source) {
    const auto head = source.size() < 10 ? std::nullopt : std::optional(readRange(source, {0, 9}));
    return head && *head && loadLittle<std::uint64_t>(**head) <= source.size() - 8 &&
           (**head)[8] == std::byte{'{'};
}

/// Begins with PROTO and is not torch's legacy format, in which numbers follow the pickles.
bool continuesAsPickles(const ByteSource& source) {
    constexpr std::string_view kLegacyMagic = "l\xfc\x9c\x46\xf9 j\xa8P\x19.";
    constexpr std::uint64_t kLength = 32;
    const auto head = readRange(source, {0, std::min(source.size(), kLength)});
    return head && asText(*head).starts_with('\x80') &&
           asText(*head).find(kLegacyMagic) == std::string_view::npos;
}

bool hasInlineArrays(const PickleReport& report) {
    return std::ranges::any_of(report.globals, [](const pickle::ScannedGlobal& global) {
        return global.module == "joblib.numpy_pickle";
    });
}

} // namespace

/// Decompressed data can be large at no cost to its writer, so less of it is kept.
pickle::ScanOptions CodeScanner::optionsFor(const CodePlace& place) const {
    pickle::ScanOptions options;
    options.limits.maxNodes = std::uint64_t{1} << (place.expanded ? 21U : 25U);
    options.limits.maxStack = std::uint64_t{1} << (place.expanded ? 21U : 25U);
    return options;
}

Result<void> CodeScanner::scanStreams(const ByteSourcePtr& source, const CodePlace& place,
                                      Certainty certainty) {
    // Of what is on another machine, only the bytes that a pickle would have come here.
    if (source->size() <= (isFetched(*source) ? kWholeFetched : kWhole)) {
        return scanComplete(source, place, certainty);
    }
    return scanLargeStreams(source, place, certainty);
}

Result<void> CodeScanner::scanComplete(const ByteSourcePtr& source, const CodePlace& place,
                                       Certainty certainty) {
    const bool expected = certainty == Certainty::Sure;
    const auto bytes = readRange(*source, {0, source->size()});
    if (!bytes) {
        notExamined(place, bytes.error().message);
        return {};
    }
    pickle::ScanOptions options = optionsFor(place);
    options.maybe = !expected;
    PickleReport report = pickle::scanPickle(*bytes, options);
    const bool other = place.numbers || isSafetensors(*source);
    if (!expected && other && report.verdict == Verdict::Malformed) {
        return {};
    }
    return add(std::move(report), place);
}

/// Skips long byte strings while following the stream, so that gigabytes of arrays cost nothing.
Result<void> CodeScanner::scanLargeStreams(const ByteSourcePtr& source, const CodePlace& place,
                                           Certainty certainty) {
    const bool expected = certainty == Certainty::Sure;
    const std::uint64_t size =
        place.expanded ? std::min(source->size(), m_bounds.expanded) : source->size();
    std::uint64_t at = 0;
    for (std::uint64_t streams = 0; at < size; ++streams) {
        CAIRN_CHECK(m_cancel.check());
        if (streams == kMostStreams) {
            notExamined(place, sentence("more than %1 pickles in one file", kMostStreams));
            return {};
        }
        const auto image = PickleImage::readPart(
            source, {at, size - at}, place.expanded ? kMostTextExpanded : kMostText, m_cancel);
        CAIRN_CHECK(m_cancel.check());
        if (!image.image) {
            notExamined(place, image.error->message);
            return {};
        }
        pickle::ScanOptions options = optionsFor(place);
        options.follow = false;
        options.maybe = streams > 0 || !expected;
        options.contentOf = [&](std::span<const std::byte> part) {
            return image.image->contentOf(part);
        };
        PickleReport report = pickle::scanPickle(image.image->bytes(), options);
        if (report.consumed == 0 && hasInlineArrays(report)) {
            if (source->size() <= (place.expanded ? kMostInlineExpanded : kMostInline)) {
                return scanComplete(source, place, Certainty::Sure);
            }
            notExamined(place,
                        "arrays are embedded between its opcodes, and it is too large for memory");
        }
        // Numbers that begin like a pickle may exceed the limit, which is no finding.
        if (image.error && (isReadFailure(*image.error) || streams > 0 || report.streams > 0 ||
                            image.image->bytesRead() > kWhole)) {
            notExamined(place.at(at), image.error->message);
        }
        const bool other = place.numbers || isSafetensors(*source);
        if (streams == 0 && !expected && other && report.verdict == Verdict::Malformed) {
            return {};
        }
        const std::uint64_t consumed = report.consumed;
        if (consumed == 0 && report.streams > 0 && size < source->size()) {
            notExamined(place, "its decompressed size exceeds the limit");
        }
        CAIRN_CHECK(add(std::move(report), place.at(at)));
        at += consumed;
        if (consumed == 0) {
            break;
        }
    }
    return at > 0 && at < size ? searchAfter(source, at, place) : Result<void>();
}

/// Searches the data after the last stream. In torch's legacy format these are numbers, which are
/// never unpickled; a reader that continues directly after the last pickle is covered by the stream
/// scan.
Result<void> CodeScanner::searchAfter(const ByteSourcePtr& source, std::uint64_t begin,
                                      const CodePlace& place) {
    const std::uint64_t end = begin + std::min(source->size() - begin, m_bounds.searched);
    for (std::uint64_t at = begin; at < end; at += kSearchStep) {
        CAIRN_CHECK(m_cancel.check());
        const std::uint64_t length =
            std::min(source->size() - at, std::min(end - at, kSearchStep) + kSearchOverlap);
        const auto bytes = readRange(*source, {at, length});
        if (!bytes) {
            notExamined(place, bytes.error().message);
            return {};
        }
        CAIRN_CHECK(add(pickle::searchPickles(*bytes, optionsFor(place)), place.at(at)));
    }
    if (end < source->size() && continuesAsPickles(*source)) {
        notExamined(place, "more data after the last pickle than is searched");
    }
    return {};
}

/// Arrays in sequence, as repeated numpy.save writes them to one file. An object array is a pickle
/// after the header.
Result<void> CodeScanner::scanNpy(const ByteSourcePtr& source, const CodePlace& place) {
    std::uint64_t at = 0;
    while (at < source->size()) {
        CAIRN_CHECK(m_cancel.check());
        const auto rest = makeSliceSource(source, {at, source->size() - at});
        const auto head = readRange(*rest, {0, std::min<std::uint64_t>(rest->size(), 12)});
        if (!head) {
            notExamined(place, head.error().message);
            return {};
        }
        if (!asText(*head).starts_with(kNpyMagic)) {
            return scanStreams(rest, place.at(at), Certainty::Possible);
        }
        const auto header = readNpyHeader(*rest);
        const bool numbers = header && header->element.kind != NpyKind::Objects &&
                             header->descr.find('O') == std::string::npos;
        if (numbers) {
            const auto end = checkedAdd(header->dataOffset, header->dataBytes);
            at = end && *end <= rest->size() ? at + *end : source->size();
            continue;
        }
        const auto length =
            header ? Result<std::uint64_t>(header->dataOffset) : npyHeaderLength(*head);
        if (!length) {
            notExamined(place, length.error().message);
            return {};
        }
        if (*length >= rest->size()) {
            return {};
        }
        const CodePlace data = place.at(at + *length);
        return scanStreams(makeSliceSource(rest, {*length, rest->size() - *length}), data,
                           header ? Certainty::Sure : Certainty::Possible);
    }
    return {};
}

} // namespace cairn::formats
