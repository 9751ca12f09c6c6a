// SPDX-License-Identifier: Apache-2.0
#include "core/codec/hdf5/hdf5_index.h"

#include "core/codec/buffers/buffers.h"
#include "core/codec/hdf5/index_process.h"
#include "core/codec/hdf5/lzf.h"
#include "core/codec/json/json_value.h"
#include "core/io/file_ops.h"
#include "core/io/hash.h"
#include "core/io/system_error.h"

#include <sys/mman.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <map>
#include <string_view>
#include <unistd.h>
#include <utility>

namespace cairn::hdf5 {
namespace {

constexpr std::size_t kMaxRank = 32; // H5S_MAX_RANK
constexpr std::array kKnownFilters{1, 2, 3, 32000};

/// By the index's words; a dataset without one of them is contiguous.
constexpr auto kLayouts = std::to_array<std::pair<std::string_view, Layout>>({
    {"strings", Layout::Strings},
    {"compact", Layout::Compact},
    {"chunked", Layout::Chunked},
    {"virtual", Layout::Virtual},
    {"external", Layout::External},
    {"heap", Layout::Heap},
});

Layout layoutOf(std::string_view word) {
    const auto* found =
        std::ranges::find(kLayouts, word, &std::pair<std::string_view, Layout>::first);
    return found == kLayouts.end() ? Layout::Contiguous : found->second;
}

/// Inverse of the index's encoding of byte strings: one code point up to U+00FF for each byte.
std::string bytesOfText(const JsonValue* value) {
    const std::string_view text = value == nullptr ? "" : value->asString().value_or("");
    std::string bytes;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const auto byte = static_cast<unsigned char>(text[i]);
        if (byte >= 0xc0 && i + 1 < text.size()) {
            const auto next = static_cast<unsigned char>(text[++i]);
            bytes += static_cast<char>(((byte & 3U) << 6U) | (next & 0x3fU));
        } else {
            bytes += text[i];
        }
    }
    return bytes;
}

std::vector<std::string> textsOf(const JsonValue* list) {
    std::vector<std::string> texts;
    if (list != nullptr) {
        for (const JsonValue& each : list->elements()) {
            const std::vector<std::byte> bytes = hexBytes(each.asString().value_or(""));
            texts.emplace_back(reinterpret_cast<const char*>(bytes.data()), bytes.size());
        }
    }
    return texts;
}

std::uint64_t numberIn(const JsonValue& json, std::string_view key) {
    const JsonValue* value = json.find(key);
    return value == nullptr ? 0 : value->asUnsigned().value_or(0);
}

/// Empty: an extent is invalid, or there are too many.
std::optional<std::vector<std::int64_t>> extentsOf(const JsonValue* list) {
    std::vector<std::int64_t> extents;
    if (list == nullptr || list->elements().size() > kMaxRank) {
        return std::nullopt;
    }
    for (const JsonValue& each : list->elements()) {
        const auto value = each.asInteger();
        if (!value || *value < 0) {
            return std::nullopt;
        }
        extents.push_back(*value);
    }
    return extents;
}

/// Size of an array of these extents; empty if it overflows.
std::optional<std::uint64_t> bytesOf(const std::vector<std::int64_t>& extents,
                                     const Dataset& dataset) {
    std::optional<std::uint64_t> bytes = std::max<std::uint64_t>(dataset.elementBytes, 1);
    for (const std::int64_t extent : extents) {
        bytes = bytes ? checkedMul(*bytes, static_cast<std::uint64_t>(extent)) : std::nullopt;
    }
    return bytes;
}

class Parser {
public:
    Parser(ByteRange range, Index& index) : m_range(range), m_index(index) {}

    void take(const JsonValue& line) {
        if (line.find("dataset") != nullptr) {
            Dataset dataset;
            dataset.path = bytesOfText(line.find("dataset"));
            if (const char* wrong = readDataset(line, dataset)) {
                m_index.problems.push_back({dataset.path, wrong});
            } else {
                m_index.datasets.push_back(std::move(dataset));
            }
        } else if (line.find("attribute") != nullptr) {
            takeAttribute(line);
        } else if (line.find("link") != nullptr) {
            m_index.links.push_back({bytesOfText(line.find("path")), bytesOfText(line.find("link")),
                                     bytesOfText(line.find("target"))});
        } else if (line.find("problem") != nullptr) {
            const JsonValue* version = line.find("version");
            m_index.problems.push_back({bytesOfText(line.find("path")),
                                        bytesOfText(line.find("problem")),
                                        version != nullptr && version->asBool().value_or(false)});
        }
        m_ended = m_ended || line.find("end") != nullptr;
    }

    [[nodiscard]] bool ended() const { return m_ended; }

private:
    void takeAttribute(const JsonValue& line) {
        Attribute attribute;
        attribute.path = bytesOfText(line.find("path"));
        attribute.name = bytesOfText(line.find("attribute"));
        attribute.texts = textsOf(line.find("texts"));
        if (const JsonValue* numbers = line.find("numbers")) {
            for (const JsonValue& each : numbers->elements()) {
                const std::string text(each.asString().value_or("nan"));
                attribute.numbers.push_back(std::strtod(text.c_str(), nullptr));
            }
        }
        m_index.attributes.push_back(std::move(attribute));
    }

    /// Fills `dataset`. Returns what is wrong with the line, or null.
    const char* readDataset(const JsonValue& line, Dataset& dataset) {
        dataset.type = bytesOfText(line.find("type"));
        dataset.elementBytes = numberIn(line, "size");
        dataset.bigEndian = line.find("big_endian") != nullptr;
        dataset.fill = hexBytes(bytesOfText(line.find("fill")));
        auto shape = extentsOf(line.find("shape"));
        std::uint64_t count = 1;
        for (const std::int64_t extent : shape.value_or(std::vector<std::int64_t>())) {
            const auto product = checkedMul(count, static_cast<std::uint64_t>(extent));
            count = product.value_or(0);
            shape = product ? shape : std::nullopt;
        }
        const auto bytes = checkedMul(count, dataset.elementBytes);
        if (!shape || !bytes) {
            return "Invalid shape";
        }
        dataset.shape = std::move(*shape);
        dataset.layout = layoutOf(bytesOfText(line.find("layout")));
        switch (dataset.layout) {
        case Layout::Strings:
            dataset.texts = textsOf(line.find("texts"));
            return dataset.texts.size() == count ? nullptr
                                                 : "The string count does not match the header";
        case Layout::Compact:
            dataset.data = hexBytes(bytesOfText(line.find("data")));
            return dataset.data.size() == *bytes ? nullptr
                                                 : "The element count does not match the header";
        case Layout::Chunked:
            return readChunks(line, dataset);
        case Layout::Contiguous:
            return line.find("address") == nullptr ||
                           place(numberIn(line, "address"), *bytes, dataset.bytes)
                       ? nullptr
                       : "The elements are located beyond the end of the file";
        case Layout::Virtual:
        case Layout::External:
        case Layout::Heap:
            break;
        }
        return nullptr;
    }

    const char* readChunks(const JsonValue& line, Dataset& dataset) {
        auto chunk = extentsOf(line.find("chunk"));
        const bool fits = chunk && chunk->size() == dataset.shape.size() &&
                          std::ranges::count(*chunk, 0) == 0 && bytesOf(*chunk, dataset);
        if (!fits) {
            return "Invalid chunk size";
        }
        dataset.chunk = std::move(*chunk);
        if (const JsonValue* filters = line.find("filters")) {
            for (const JsonValue& each : filters->elements()) {
                Filter filter;
                for (const JsonValue& number : each.elements()) {
                    filter.values.push_back(
                        static_cast<std::uint32_t>(number.asUnsigned().value_or(0)));
                }
                if (!filter.values.empty()) {
                    filter.id = static_cast<int>(filter.values.front());
                    filter.values.erase(filter.values.begin());
                }
                dataset.filters.push_back(std::move(filter));
            }
        }
        const JsonValue* chunks = line.find("chunks");
        for (const JsonValue& each :
             chunks == nullptr ? std::span<const JsonValue>() : chunks->elements()) {
            const auto numbers = each.elements();
            std::optional<ByteRange> range;
            if (numbers.size() != 3 + dataset.shape.size() ||
                !place(numbers[0].asUnsigned().value_or(~0ULL), numbers[1].asUnsigned().value_or(0),
                       range)) {
                return "A chunk is located beyond the end of the file";
            }
            Chunk one{{}, *range, static_cast<std::uint32_t>(numbers[2].asUnsigned().value_or(0))};
            for (std::size_t d = 0; d < dataset.shape.size(); ++d) {
                const std::int64_t at = numbers[3 + d].asInteger().value_or(-1);
                if (at < 0 || at >= dataset.shape[d] || at % dataset.chunk[d] != 0) {
                    return "A chunk is outside the array";
                }
                one.origin.push_back(at);
            }
            dataset.chunks.push_back(std::move(one));
        }
        return nullptr;
    }

    bool place(std::uint64_t address, std::uint64_t bytes, std::optional<ByteRange>& range) const {
        if (!ByteRange{address, bytes}.fitsInto(m_range.length)) {
            return false;
        }
        range = ByteRange{m_range.offset + address, bytes};
        return true;
    }

    ByteRange m_range;
    Index& m_index;
    bool m_ended = false;
};

/// Undoes the shuffle filter: stored is byte 0 of every element, then byte 1 of every element, …;
/// bytes after the last complete element were not moved.
std::vector<std::byte> unshuffled(std::vector<std::byte> bytes, std::size_t element) {
    const std::size_t count = element == 0 ? 0 : bytes.size() / element;
    if (count == 0) { // the file may declare any element size
        return bytes;
    }
    std::vector<std::byte> out(bytes.size());
    for (std::size_t byte = 0; byte < element; ++byte) {
        for (std::size_t i = 0; i < count; ++i) {
            out[i * element + byte] = bytes[byte * count + i];
        }
    }
    std::copy(bytes.begin() + static_cast<std::ptrdiff_t>(count * element), bytes.end(),
              out.begin() + static_cast<std::ptrdiff_t>(count * element));
    return out;
}

/// H5_checksum_fletcher32: big-endian 16-bit words; an odd last byte is the high byte of a word.
std::uint32_t fletcher32(std::span<const std::byte> bytes) {
    std::uint32_t low = 0;
    std::uint32_t high = 0;
    for (std::size_t i = 0; i < bytes.size(); i += 2) {
        const auto first = std::to_integer<std::uint32_t>(bytes[i]);
        const auto second =
            i + 1 < bytes.size() ? std::to_integer<std::uint32_t>(bytes[i + 1]) : 0U;
        low = (low + ((first << 8U) | second)) % 65535U;
        high = (high + low) % 65535U;
    }
    return (high << 16U) | low;
}

} // namespace

Result<Index> parseIndex(std::string_view lines, ByteRange range, const std::string& name) {
    Index index;
    Parser parser(range, index);
    for (std::size_t at = 0; at < lines.size();) {
        const std::size_t end = std::min(lines.find('\n', at), lines.size());
        CAIRN_TRY(const JsonValue line,
                  parseJson(lines.substr(at, end - at), name, {.maxValues = 64'000'000}));
        parser.take(line);
        at = end + 1;
    }
    if (!parser.ended()) {
        return fail(ErrorCode::Hdf5Unreadable, "Reading the HDF5 index did not finish in time")
            .inFile(name);
    }
    return index;
}

/// The process reads a descriptor: a file without one is copied, with holes outside of `range`.
Result<FileHandle> copyInMemory(const ByteSource& source, ByteRange range,
                                const CancelToken& cancel) {
    constexpr std::uint64_t kMostCopied = std::uint64_t{1} << 30U;
    constexpr std::uint64_t kPart = std::uint64_t{16} << 20U;
    if (range.length > kMostCopied) {
        return fail(ErrorCode::Unsupported, "HDF5 of this size can only be read from local files")
            .inFile(source.name())
            .butFound(sentence("%1 bytes", range.length))
            .expecting(sentence("at most %1", kMostCopied))
            .withHint("Copy the file to this machine, or run cairn-cli where it is");
    }
    FileHandle copy(::memfd_create("hdf5", MFD_CLOEXEC));
    for (std::uint64_t done = 0; copy.valid() && done < range.length;) {
        CAIRN_CHECK(cancel.check());
        const std::uint64_t at = range.offset + done;
        CAIRN_TRY(const auto part, readRange(source, {at, std::min(kPart, range.length - done)}));
        if (::pwrite(copy.fd(), part.data(), part.size(), static_cast<off_t>(at)) !=
            static_cast<ssize_t>(part.size())) {
            return systemError(errno, "The file could not be copied into memory")
                .inFile(source.name());
        }
        done += part.size();
    }
    if (!copy.valid()) {
        return systemError(errno, "The file could not be copied into memory").inFile(source.name());
    }
    return copy;
}

Result<Index> readIndex(const ByteSourcePtr& source, ByteRange range, const CancelToken& cancel) {
    if (source->descriptor() >= 0) {
        CAIRN_TRY(const std::string lines,
                  runIndexProcess(source->descriptor(), range, source->name(), cancel));
        return parseIndex(lines, range, source->name());
    }
    CAIRN_TRY(const FileHandle copy, copyInMemory(*source, range, cancel));
    CAIRN_TRY(const std::string lines, runIndexProcess(copy.fd(), range, source->name(), cancel));
    return parseIndex(lines, range, source->name());
}

const Filter* unknownFilter(const std::vector<Filter>& filters) {
    const auto found = std::ranges::find_if(filters, [](const Filter& filter) {
        return std::ranges::find(kKnownFilters, filter.id) == kKnownFilters.end();
    });
    return found == filters.end() ? nullptr : &*found;
}

Error unknownFilterError(const Filter& filter) {
    struct Name {
        int id;
        std::string_view name;
    };
    constexpr auto kNames = std::to_array<Name>({{4, "szip"},
                                                 {5, "n-bit"},
                                                 {6, "scale-offset"},
                                                 {307, "bzip2"},
                                                 {32001, "Blosc"},
                                                 {32004, "LZ4"},
                                                 {32008, "bitshuffle"},
                                                 {32013, "ZFP"},
                                                 {32015, "Zstandard"},
                                                 {32026, "Blosc2"}});
    const auto* known = std::ranges::find(kNames, filter.id, &Name::id);
    return fail(ErrorCode::Unsupported, "Unsupported HDF5 filter")
        .butFound(known == kNames.end() ? sentence("HDF5 filter %1", filter.id)
                                        : sentence("%1 (HDF5 filter %2)", known->name, filter.id))
        .expecting("deflate, lzf, shuffle, fletcher32")
        .withHint("Where the filter is installed, run h5repack -f GZIP=1 FILE NEW");
}

bool comparesChecksum(const Filter& filter) {
    constexpr int kDeflate = 1;
    constexpr int kFletcher32 = 3;
    return filter.id == kDeflate || filter.id == kFletcher32;
}

Result<std::vector<std::byte>> undoFilters(std::vector<std::byte> bytes,
                                           const std::vector<Filter>& filters,
                                           std::uint32_t skipped, std::uint64_t decodedSize) {
    constexpr std::uint64_t kChecksum = 4;
    for (std::size_t i = filters.size(); i-- > 0;) { // undo in reverse order
        const Filter& filter = filters[i];
        if (i < 32 && (skipped >> i & 1U) != 0) {
            continue;
        }
        switch (filter.id) {
        case 1: {
            CAIRN_TRY(bytes, decodeBuffer(Compression::Gzip, bytes, decodedSize + kChecksum));
            break;
        }
        case 2:
            bytes = unshuffled(std::move(bytes), filter.values.empty() ? 1 : filter.values.front());
            break;
        case 3: {
            if (bytes.size() < kChecksum) {
                return fail(ErrorCode::Truncated, "A chunk is shorter than its checksum");
            }
            std::uint32_t stored = 0;
            for (std::size_t b = kChecksum; b-- > 0;) {
                stored = stored << 8U |
                         std::to_integer<std::uint32_t>(bytes[bytes.size() - kChecksum + b]);
            }
            bytes.resize(bytes.size() - kChecksum);
            const std::uint32_t found = fletcher32(bytes);
            // Library versions before 1.6.3 swapped the bytes of each half.
            const std::uint32_t swapped = (found & 0x00ff00ffU) << 8U | (found >> 8U & 0x00ff00ffU);
            if (stored != found && stored != swapped) {
                return fail(ErrorCode::BadChecksum, "Chunk checksum mismatch");
            }
            break;
        }
        case 32000: {
            CAIRN_TRY(bytes, lzfDecoded(bytes, static_cast<std::size_t>(decodedSize + kChecksum)));
            break;
        }
        default:
            return unknownFilterError(filter);
        }
    }
    if (bytes.size() != decodedSize) {
        return fail(ErrorCode::BadEncoding, "A chunk's size does not match its shape and dtype")
            .butFound(sentence("%1 bytes", bytes.size()))
            .expecting(sentence("%1 bytes", decodedSize));
    }
    return bytes;
}

} // namespace cairn::hdf5
