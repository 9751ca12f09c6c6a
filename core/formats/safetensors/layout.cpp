// SPDX-License-Identifier: Apache-2.0
//
// A safetensors file is a length, a JSON header and the tensors' bytes. Free choices here:
// - the header is padded with spaces to the next multiple of 4096, so that data can be copied with
//   direct I/O and mapped by page; or, where the output can share blocks with its source, so that
//   most bytes are at the same place in a block as there, but never off a multiple of 8;
// - tensors are sorted by the alignment of their dtype, largest first, like the reference writer;
//   among equals the given order stays (the reference sorts by name), or where blocks can be shared
//   that of the source's files;
// - shards are filled greedily in the given order, as transformers does: a tensor larger than the
//   limit gets a shard of its own.
#include "core/formats/safetensors/layout.h"

#include "core/base/checked.h"
#include "core/base/endian.h"
#include "core/base/name_set.h"
#include "core/base/visible_text.h"
#include "core/formats/common/members/fill_shards.h"
#include "core/formats/common/safetensors/safetensors_header.h"
#include "core/formats/safetensors/json_text.h"
#include "core/model/names/shard_name.h"
#include "core/model/names/tied_names.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <functional>
#include <limits>
#include <map>
#include <unordered_map>

namespace cairn::formats::safetensors {
namespace {

constexpr std::uint64_t kDataAlignment = 4096;
constexpr std::uint64_t kLeastAlignment = 8; ///< guaranteed to readers that map the file

/// A tensor and its stored form.
struct Stored {
    const LayoutTensor* tensor = nullptr;
    std::uint64_t bytes = 0;
};

struct Shard {
    std::vector<Stored> tensors;
    std::uint64_t bytes = 0;
};

using Metadata = std::vector<std::pair<std::string, std::string>>;

Error notRepresentable(const LayoutTensor& tensor) {
    return fail(ErrorCode::DtypeNotRepresentable, "Safetensors cannot store this tensor's dtype")
        .inTensor(std::string(tensor.name))
        .butFound(sentence("%1 of shape %2", dtypeName(tensor.dtype), formatDims(tensor.shape)))
        .withHint("Leave out the tensor, cast it, or write a different format");
}

/// Dtypes of which torch counts the bytes in the last dimension, and safetensors the 4-bit
/// elements.
bool countsHalfBytes(const LayoutTensor& tensor) {
    return tensor.dtype == Dtype::Float4E2m1fnX2 && !tensor.shape.empty();
}

std::string_view dtypeText(const LayoutTensor& tensor) {
    return countsHalfBytes(tensor) ? "F4" : dtypeInfo(tensor.dtype).safetensors;
}

Result<Stored> store(const LayoutTensor& tensor) {
    const auto count = elementCount(tensor.shape);
    const auto bits = count ? checkedMul(*count, dtypeInfo(tensor.dtype).bits) : std::nullopt;
    const bool countable =
        !countsHalfBytes(tensor) ||
        *(tensor.shape.end() - 1) <= std::numeric_limits<std::int64_t>::max() / 2;
    if (dtypeText(tensor).empty() || !countable || !bits || *bits % 8 != 0) {
        return notRepresentable(tensor);
    }
    return Stored{&tensor, *bits / 8};
}

Result<void> checkName(std::string_view name, NameSet& seen) {
    Sentence why;
    if (name == "__metadata__") {
        why = "a name that is reserved by the format";
    } else if (!isValidUtf8(name)) {
        why = "bytes that are not UTF-8";
    } else if (!seen.insert(name)) {
        why = "the same name twice";
    } else {
        return {};
    }
    return fail(ErrorCode::NameNotRepresentable, "Safetensors cannot store this tensor's name")
        .inTensor(std::string(name))
        .butFound(std::move(why))
        .withHint("Rename the tensor");
}

void appendNumber(std::string& out, std::uint64_t number) {
    std::array<char, 20> digits{};
    const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), number).ptr;
    out.append(digits.data(), end);
}

/// `at`: offset of its first byte from the start of the data.
void appendEntry(std::string& text, const Stored& stored, std::uint64_t at) {
    const LayoutTensor& tensor = *stored.tensor;
    text += ',';
    appendQuoted(text, tensor.name);
    text += ":{\"dtype\":\"";
    text += dtypeText(tensor);
    text += "\",\"shape\":[";
    for (std::size_t d = 0; d < tensor.shape.size(); ++d) {
        const bool halves = countsHalfBytes(tensor) && d + 1 == tensor.shape.size();
        text += d == 0 ? "" : ",";
        appendNumber(text, static_cast<std::uint64_t>(tensor.shape[d]) * (halves ? 2 : 1));
    }
    text += "],\"data_offsets\":[";
    appendNumber(text, at);
    text += ',';
    appendNumber(text, at + stored.bytes);
    text += "]}";
}

/// A header under construction: its length and the JSON.
class Header {
public:
    explicit Header(std::size_t tensors) {
        constexpr std::size_t kUsual =
            128; // typical size of an entry; unused capacity takes no memory
        m_bytes.reserve(8 + kUsual * tensors);
        m_bytes.resize(8);
    }
    /// Size without the length field.
    [[nodiscard]] std::size_t size() const { return m_bytes.size() - 8; }
    /// Appends `text` and clears it.
    void take(std::string& text) {
        const auto bytes = asBytes(text);
        m_bytes.insert(m_bytes.end(), bytes.begin(), bytes.end());
        text.clear();
    }
    std::vector<std::byte> finish() && {
        storeLittle<std::uint64_t>(m_bytes, 0, size());
        return std::move(m_bytes);
    }

private:
    std::vector<std::byte> m_bytes;
};

Header headerOf(const std::vector<Stored>& tensors, const Metadata& metadata) {
    constexpr std::size_t kEnough = std::size_t{16} << 10U; // flush size: fits in the cache
    Header header(tensors.size());
    std::string text = "{\"__metadata__\":{";
    for (const auto& [key, value] : metadata) {
        text += text.back() == '{' ? "" : ",";
        appendQuoted(text, key);
        text += ':';
        appendQuoted(text, value);
    }
    text += '}';
    std::uint64_t offset = 0;
    for (const Stored& stored : tensors) {
        appendEntry(text, stored, offset);
        offset += stored.bytes;
        if (text.size() >= kEnough) {
            header.take(text);
        }
    }
    text += '}';
    header.take(text);
    return header;
}

/// The offset within a block at which the data must start so that most bytes have the same offset
/// within a block as in the source.
std::uint64_t bestDataStart(const std::vector<Stored>& tensors, std::uint64_t block) {
    std::map<std::uint64_t, std::uint64_t> bytesOf; // keyed by data start
    std::uint64_t offset = 0;
    for (const Stored& stored : tensors) {
        if (stored.tensor->origin) {
            const std::uint64_t start = (stored.tensor->origin->offset - offset) % block;
            bytesOf[start] += start % kLeastAlignment == 0 ? stored.tensor->origin->bytes : 0;
        }
        offset += stored.bytes;
    }
    const auto most =
        std::ranges::max_element(bytesOf, {}, [](const auto& item) { return item.second; });
    return most == bytesOf.end() || most->second == 0 ? 0 : most->first;
}

/// Pads the header so that the data starts at offset `start` of a block.
void padHeader(Header& header, std::uint64_t start, std::uint64_t block) {
    const std::uint64_t padding = (start + block - (8 + header.size()) % block) % block;
    std::string spaces(static_cast<std::size_t>(padding), ' ');
    header.take(spaces);
}

void sortTensors(std::vector<Stored>& tensors, bool likeSource) {
    const auto bits = [](const Stored& stored) { return dtypeInfo(stored.tensor->dtype).bits; };
    if (!likeSource && std::ranges::is_sorted(tensors, std::greater(), bits)) {
        return; // the usual case: one dtype
    }
    std::ranges::stable_sort(tensors, [&](const Stored& left, const Stored& right) {
        if (bits(left) != bits(right) || !likeSource) {
            return bits(left) > bits(right);
        }
        const auto& a = left.tensor->origin;
        const auto& b = right.tensor->origin;
        return a && b ? std::pair(a->file, a->offset) < std::pair(b->file, b->offset)
                      : a.has_value() > b.has_value();
    });
}

Result<OutputFile> layOutFile(std::string name, Shard& shard, const Metadata& metadata,
                              std::uint64_t shareBlock) {
    sortTensors(shard.tensors, shareBlock != 0);
    Header header = headerOf(shard.tensors, metadata);
    const std::uint64_t start = shareBlock == 0 ? 0 : bestDataStart(shard.tensors, shareBlock);
    padHeader(header, start, shareBlock == 0 ? kDataAlignment : shareBlock);
    if (header.size() > kMaxSafetensorsHeader) {
        return fail(ErrorCode::LimitExceeded, "Too many tensors for one safetensors file")
            .inFile(std::move(name))
            .butFound(sentence("%1 bytes of header", header.size()))
            .expecting(sentence("at most %1", kMaxSafetensorsHeader))
            .withHint("Write several shards");
    }
    OutputFile file;
    file.name = std::move(name);
    file.addLiteral(0, std::move(header).finish());
    std::uint64_t offset = file.contents.front().bytes.size();
    file.tensors.reserve(shard.tensors.size());
    for (const Stored& stored : shard.tensors) {
        const LayoutTensor& tensor = *stored.tensor;
        file.tensors.push_back({offset, stored.bytes, tensor.source, tensor.name,
                                Box::whole(tensor.shape), tensor.dtype});
        offset += stored.bytes;
    }
    file.size = offset;
    return file;
}

/// Distributes tensors to shards as requested. `tensors` are those of the request, without aliases.
std::vector<Shard> distribute(const std::vector<Stored>& tensors, const LayoutRequest& request) {
    std::vector<Shard> shards;
    for (const Stored& stored : tensors) {
        const auto position = static_cast<std::size_t>(stored.tensor - request.tensors.data());
        const std::size_t number = request.fileOf[position];
        shards.resize(std::max(shards.size(), number + 1));
        shards[number].bytes += stored.bytes;
        shards[number].tensors.push_back(stored);
    }
    std::erase_if(shards, [](const Shard& shard) { return shard.tensors.empty(); });
    shards.resize(std::max<std::size_t>(shards.size(), 1));
    return shards;
}

/// The index as transformers writes it: indented by two spaces, `metadata` before `weight_map`.
OutputFile indexFile(const LayoutRequest& request, const std::vector<Shard>& shards,
                     const std::vector<OutputFile>& files) {
    std::uint64_t total = 0;
    std::unordered_map<std::string_view, std::size_t> places;
    for (std::size_t i = 0; i < shards.size(); ++i) {
        total += shards[i].bytes;
        for (const Stored& stored : shards[i].tensors) {
            places[stored.tensor->name] = i;
        }
    }
    std::string text = "{\n  \"metadata\": {\n    \"total_size\": " + std::to_string(total) +
                       "\n  },\n  \"weight_map\": {";
    bool first = true;
    for (const LayoutTensor& tensor : request.tensors) {
        const auto place = places.find(tensor.name);
        if (place == places.end()) {
            continue; // an alias
        }
        text += first ? "\n    " : ",\n    ";
        first = false;
        appendQuoted(text, tensor.name);
        text += ": ";
        appendQuoted(text, files[place->second].name);
    }
    text += "\n  }\n}\n";
    OutputFile file;
    file.name = request.baseName + ".safetensors.index.json";
    file.size = text.size();
    const auto bytes = asBytes(text);
    file.addLiteral(0, {bytes.begin(), bytes.end()});
    return file;
}

Result<Metadata> metadataOf(const LayoutRequest& request) {
    Metadata metadata = request.metadata;
    const auto hasKey = [&](std::string_view key) {
        return std::ranges::any_of(metadata, [&](const auto& item) { return item.first == key; });
    };
    if (!hasKey("format")) {
        metadata.insert(metadata.begin(), {"format", "pt"});
    }
    for (const LayoutTensor& tensor : request.tensors) {
        if (tensor.aliasOf && !hasKey(tensor.name)) {
            const std::string_view kept = request.tensors[*tensor.aliasOf].name;
            metadata.emplace_back(tensor.name, kept);
            if (!names::areParameterNames(tensor.name, kept) && !hasKey(names::kTiesMark)) {
                metadata.emplace_back(names::kTiesMark, "all");
            }
        }
    }
    for (const auto& [key, value] : metadata) {
        if (!isValidUtf8(key) || !isValidUtf8(value)) {
            return fail(ErrorCode::NameNotRepresentable, "Safetensors metadata must be UTF-8 text")
                .inField("__metadata__." + key);
        }
    }
    return metadata;
}

} // namespace

Result<OutputLayout> layOut(const LayoutRequest& request) {
    std::vector<Stored> tensors;
    NameSet seen(request.tensors.size());
    tensors.reserve(request.tensors.size());
    std::uint64_t total = 0;
    for (const LayoutTensor& tensor : request.tensors) {
        CAIRN_CHECK(checkName(tensor.name, seen));
        if (tensor.aliasOf) {
            continue;
        }
        CAIRN_TRY(const Stored stored, store(tensor));
        const auto sum = checkedAdd(total, stored.bytes);
        if (!sum || *sum > (std::uint64_t{1} << 62U)) {
            return fail(ErrorCode::LimitExceeded, "The tensors' sizes overflow")
                .inTensor(std::string(tensor.name));
        }
        total = *sum;
        tensors.push_back(stored);
    }
    CAIRN_TRY(const Metadata metadata, metadataOf(request));
    const bool numbered = request.fileOf.size() == request.tensors.size() && !tensors.empty();
    std::vector<Shard> shards = numbered
                                    ? distribute(tensors, request)
                                    : fillShards<Shard>(std::move(tensors), request.maxShardBytes);
    OutputLayout layout;
    layout.folder = request.maxShardBytes != 0 || numbered;
    const auto count = static_cast<std::uint32_t>(shards.size());
    const ShardName like{request.baseName, 1, count, 5, ".safetensors"};
    for (std::uint32_t i = 0; i < count; ++i) {
        std::string name =
            count == 1 ? request.baseName + ".safetensors" : shardNameOf(like, i + 1);
        CAIRN_TRY(OutputFile file,
                  layOutFile(std::move(name), shards[i], metadata, request.shareBlock));
        layout.files.push_back(std::move(file));
    }
    if (count > 1) {
        layout.files.push_back(indexFile(request, shards, layout.files));
    }
    return layout;
}

} // namespace cairn::formats::safetensors
