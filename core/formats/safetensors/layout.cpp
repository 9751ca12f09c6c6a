// SPDX-License-Identifier: Apache-2.0
//
// A safetensors file is a length, a JSON header and the tensors' bytes. Free choices here:
// - the header is padded with spaces to the next multiple of 4096, so that data can be copied with
//   direct I/O and mapped by page; or, where the output can share blocks with its source, so that
//   most bytes lie at the same place in a block as there, but never off a multiple of 8;
// - tensors are sorted by the alignment of their dtype, largest first, like the reference writer;
//   among equals the given order stays (the reference sorts by name), or where blocks can be shared
//   that of the source's files;
// - shards are filled greedily in the given order, as transformers does: a tensor larger than the
//   limit gets a shard of its own.
#include "core/formats/safetensors/layout.h"

#include "core/base/checked.h"
#include "core/base/endian.h"
#include "core/base/visible_text.h"
#include "core/formats/common/fill_shards.h"
#include "core/formats/common/safetensors_header.h"
#include "core/formats/common/shard_name.h"

#include <algorithm>
#include <array>
#include <functional>
#include <map>
#include <unordered_map>
#include <unordered_set>

namespace cairn::formats::safetensors {
namespace {

constexpr std::uint64_t kDataAlignment = 4096;
constexpr std::uint64_t kLeastAlignment = 8; ///< what readers that map the file may count on

/// One tensor as it is stored.
struct Stored {
    const LayoutTensor* tensor = nullptr;
    std::string_view dtype;
    Shape shape; ///< as the header shows it
    std::uint64_t bytes = 0;
};

struct Shard {
    std::vector<Stored> tensors;
    std::uint64_t bytes = 0;
};

using Metadata = std::vector<std::pair<std::string, std::string>>;

void appendQuoted(std::string& out, std::string_view text) {
    constexpr std::string_view kHex = "0123456789abcdef";
    out += '"';
    const auto isPlain = [](char c) {
        return c != '"' && c != '\\' && static_cast<unsigned char>(c) >= 0x20;
    };
    if (std::ranges::all_of(text, isPlain)) {
        out += text;
        out += '"';
        return;
    }
    for (const char c : text) {
        const auto byte = static_cast<unsigned char>(c);
        if (c == '"' || c == '\\') {
            out += '\\';
            out += c;
        } else if (byte < 0x20) {
            out += "\\u00";
            out += kHex[byte >> 4U];
            out += kHex[byte & 15U];
        } else {
            out += c;
        }
    }
    out += '"';
}

Error notRepresentable(const LayoutTensor& tensor) {
    return fail(ErrorCode::DtypeNotRepresentable, "Safetensors cannot hold this tensor's dtype")
        .inTensor(tensor.name)
        .butFound(std::string(dtypeName(tensor.dtype)) + " of shape " + formatDims(tensor.shape))
        .withHint("Leave the tensor out, cast it, or write another format");
}

Result<Stored> store(const LayoutTensor& tensor) {
    Stored stored{&tensor, dtypeInfo(tensor.dtype).safetensors, tensor.shape, 0};
    const auto count = elementCount(tensor.shape);
    if (tensor.dtype == Dtype::Float4E2m1fnX2 && !tensor.shape.empty()) {
        // torch counts the bytes of the last dimension, safetensors its 4-bit elements
        stored.dtype = "F4";
        std::int64_t& last = stored.shape[stored.shape.size() - 1];
        if (__builtin_mul_overflow(last, std::int64_t{2}, &last)) {
            return notRepresentable(tensor);
        }
    }
    const auto bits = count ? checkedMul(*count, dtypeInfo(tensor.dtype).bits) : std::nullopt;
    if (stored.dtype.empty() || !bits || *bits % 8 != 0) {
        return notRepresentable(tensor);
    }
    stored.bytes = *bits / 8;
    return stored;
}

Result<void> checkName(const std::string& name, std::unordered_set<std::string_view>& seen) {
    std::string why;
    if (name == "__metadata__") {
        why = "a name that the format keeps for itself";
    } else if (!isValidUtf8(name)) {
        why = "bytes that are not UTF-8";
    } else if (!seen.insert(name).second) {
        why = "the same name twice";
    } else {
        return {};
    }
    return fail(ErrorCode::NameNotRepresentable, "Safetensors cannot hold this tensor's name")
        .inTensor(name)
        .butFound(std::move(why))
        .withHint("Rename the tensor");
}

std::string headerText(const std::vector<Stored>& tensors, const Metadata& metadata) {
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
        text += ',';
        appendQuoted(text, stored.tensor->name);
        text += ":{\"dtype\":\"";
        text += stored.dtype;
        text += "\",\"shape\":[";
        for (std::size_t d = 0; d < stored.shape.size(); ++d) {
            text += (d == 0 ? "" : ",") + std::to_string(stored.shape[d]);
        }
        text += "],\"data_offsets\":[" + std::to_string(offset) + ",";
        offset += stored.bytes;
        text += std::to_string(offset) + "]}";
    }
    text += '}';
    return text;
}

/// Where in a block the data have to begin for most bytes to lie as they do in the source's blocks.
std::uint64_t bestDataStart(const std::vector<Stored>& tensors, std::uint64_t block) {
    std::map<std::uint64_t, std::uint64_t> bytesOf; // by data start
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

/// So that the data begin at `start` of a block.
void padHeader(std::string& text, std::uint64_t start, std::uint64_t block) {
    const std::uint64_t padding = (start + block - (8 + text.size()) % block) % block;
    text.append(static_cast<std::size_t>(padding), ' ');
}

void sortTensors(std::vector<Stored>& tensors, bool likeSource) {
    const auto bits = [](const Stored& stored) { return dtypeInfo(stored.tensor->dtype).bits; };
    if (!likeSource && std::ranges::is_sorted(tensors, std::greater(), bits)) {
        return; // most checkpoints have one dtype
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

Result<OutputFile> layOutFile(std::string name, Shard shard, const Metadata& metadata,
                              std::uint64_t shareBlock) {
    sortTensors(shard.tensors, shareBlock != 0);
    std::string text = headerText(shard.tensors, metadata);
    const std::uint64_t start = shareBlock == 0 ? 0 : bestDataStart(shard.tensors, shareBlock);
    padHeader(text, start, shareBlock == 0 ? kDataAlignment : shareBlock);
    if (text.size() > kMaxSafetensorsHeader) {
        return fail(ErrorCode::LimitExceeded, "There are too many tensors for one safetensors file")
            .inFile(std::move(name))
            .butFound(std::to_string(text.size()) + " bytes of header")
            .expecting("at most " + std::to_string(kMaxSafetensorsHeader))
            .withHint("Write several shards");
    }
    OutputFile file;
    file.name = std::move(name);
    LiteralSegment& header = file.literals.emplace_back();
    header.bytes.resize(8 + text.size());
    storeLittle<std::uint64_t>(header.bytes, 0, text.size());
    std::ranges::copy(asBytes(text), header.bytes.begin() + 8);
    std::uint64_t offset = header.bytes.size();
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

/// Fills shards as the request numbers them. `tensors` are the request's, without aliases.
std::vector<Shard> distribute(std::vector<Stored> tensors, const LayoutRequest& request) {
    std::vector<Shard> shards;
    for (Stored& stored : tensors) {
        const auto position = static_cast<std::size_t>(stored.tensor - request.tensors.data());
        const std::size_t number = request.fileOf[position];
        shards.resize(std::max(shards.size(), number + 1));
        shards[number].bytes += stored.bytes;
        shards[number].tensors.push_back(std::move(stored));
    }
    std::erase_if(shards, [](const Shard& shard) { return shard.tensors.empty(); });
    shards.resize(std::max<std::size_t>(shards.size(), 1));
    return shards;
}

/// The index in transformers' own form: two spaces, `metadata` before `weight_map`.
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
    file.literals.push_back({0, {bytes.begin(), bytes.end()}});
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
            metadata.emplace_back(tensor.name, request.tensors[*tensor.aliasOf].name);
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
    std::unordered_set<std::string_view> seen;
    seen.reserve(request.tensors.size());
    tensors.reserve(request.tensors.size());
    std::uint64_t total = 0;
    for (const LayoutTensor& tensor : request.tensors) {
        CAIRN_CHECK(checkName(tensor.name, seen));
        if (tensor.aliasOf) {
            continue;
        }
        CAIRN_TRY(Stored stored, store(tensor));
        const auto sum = checkedAdd(total, stored.bytes);
        if (!sum || *sum > (std::uint64_t{1} << 62U)) {
            return fail(ErrorCode::LimitExceeded, "The tensors' sizes overflow")
                .inTensor(tensor.name);
        }
        total = *sum;
        tensors.push_back(std::move(stored));
    }
    CAIRN_TRY(const Metadata metadata, metadataOf(request));
    const bool numbered = request.fileOf.size() == request.tensors.size() && !tensors.empty();
    const std::vector<Shard> shards =
        numbered ? distribute(std::move(tensors), request)
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
