// SPDX-License-Identifier: Apache-2.0
//
// A GGUF file is a header, the metadata, one info a tensor and the tensors' bytes, each at a
// multiple of the alignment. The alignment stays the default 32, which every reader knows. Splits
// follow llama.cpp's gguf-split: the metadata in the first file, split.* in all of them, and no
// index file.
#include "core/formats/gguf/layout.h"

#include "core/base/checked.h"
#include "core/base/visible_text.h"
#include "core/formats/common/members/fill_shards.h"
#include "core/formats/gguf/ggml_types.h"
#include "core/formats/gguf/layout_metadata.h"
#include "core/model/names/shard_name.h"

#include <algorithm>
#include <unordered_set>

namespace cairn::formats::gguf {
namespace {

constexpr std::uint64_t kAlignment = 32;
constexpr std::size_t kMaxGgmlName = 63; // ggml's limit is 64 bytes with the terminating zero
constexpr std::size_t kMaxDims = 4;
constexpr std::uint32_t kVersion = 3;
constexpr std::size_t kMaxWrittenSplits = 65535; // split.count is a uint16

struct Stored {
    const LayoutTensor* tensor = nullptr;
    std::uint32_t type = 0;
    std::uint64_t bytes = 0;
};

struct Split {
    std::vector<Stored> tensors;
    std::uint64_t bytes = 0;
};

std::uint64_t aligned(std::uint64_t bytes) {
    return (bytes + kAlignment - 1) / kAlignment * kAlignment;
}

Result<Stored> store(const LayoutTensor& tensor) {
    const auto type = ggmlOfDtype(tensor.dtype);
    const DtypeInfo& info = dtypeInfo(tensor.dtype);
    const std::int64_t row = tensor.shape.empty() ? 1 : tensor.shape[tensor.shape.size() - 1];
    const auto count = elementCount(tensor.shape);
    const auto bytes = count ? dtypeBytes(tensor.dtype, *count) : std::nullopt;
    if (!type || !bytes || row % info.blockElements != 0 || tensor.shape.size() > kMaxDims) {
        return fail(ErrorCode::DtypeNotRepresentable,
                    tensor.shape.size() > kMaxDims
                        ? Sentence("GGUF tensors have at most four dimensions")
                        : "GGUF cannot store this tensor's dtype")
            .inTensor(std::string(tensor.name))
            .butFound(sentence("%1 of shape %2", dtypeName(tensor.dtype), formatDims(tensor.shape)))
            .withHint("Leave out the tensor, cast it, or write a different format");
    }
    return Stored{&tensor, *type, *bytes};
}

Result<void> checkName(std::string_view name, std::unordered_set<std::string_view>& seen) {
    Sentence why;
    if (name.empty() || name.size() > kMaxGgmlName) {
        why = sentence("%1 bytes; ggml allows 1 to %2", name.size(), kMaxGgmlName);
    } else if (!isValidUtf8(name) || name.find('\0') != std::string_view::npos) {
        why = "bytes that are not UTF-8";
    } else if (!seen.insert(name).second) {
        why = "the same name twice";
    } else {
        return {};
    }
    return fail(ErrorCode::NameNotRepresentable, "GGUF cannot store this tensor's name")
        .inTensor(std::string(name))
        .butFound(std::move(why))
        .withHint("Rename the tensor, or write a different format");
}

/// Everything before the data, padded to its start.
std::string headerText(const Split& split, const MetadataWriter& metadata) {
    std::string text = "GGUF";
    appendNumber<std::uint32_t>(text, kVersion);
    appendNumber<std::uint64_t>(text, split.tensors.size());
    appendNumber<std::uint64_t>(text, metadata.count());
    text += metadata.bytes();
    std::uint64_t offset = 0;
    for (const Stored& stored : split.tensors) {
        const Shape& shape = stored.tensor->shape;
        appendText(text, stored.tensor->name);
        appendNumber<std::uint32_t>(text, static_cast<std::uint32_t>(shape.size()));
        for (std::size_t d = shape.size(); d > 0; --d) {
            appendNumber<std::uint64_t>(text, static_cast<std::uint64_t>(shape[d - 1]));
        }
        appendNumber<std::uint32_t>(text, stored.type);
        appendNumber<std::uint64_t>(text, offset);
        offset += aligned(stored.bytes);
    }
    text.append(static_cast<std::size_t>(aligned(text.size()) - text.size()), '\0');
    return text;
}

OutputFile layOutFile(std::string name, const Split& split, const MetadataWriter& metadata) {
    const std::string text = headerText(split, metadata);
    OutputFile file;
    file.name = std::move(name);
    const auto header = asBytes(text);
    file.addLiteral(0, {header.begin(), header.end()});
    std::uint64_t offset = text.size();
    file.tensors.reserve(split.tensors.size());
    for (const Stored& stored : split.tensors) {
        const LayoutTensor& tensor = *stored.tensor;
        file.tensors.push_back({offset, stored.bytes, tensor.source, tensor.name,
                                Box::whole(tensor.shape), tensor.dtype});
        offset += stored.bytes;
        if (const std::uint64_t padding = aligned(stored.bytes) - stored.bytes; padding > 0) {
            file.addLiteral(offset, std::vector<std::byte>(static_cast<std::size_t>(padding)));
            offset += padding;
        }
    }
    file.size = offset;
    return file;
}

void addSplitKeys(MetadataWriter& metadata, std::size_t number, std::size_t count,
                  std::size_t tensors) {
    metadata.uint16("split.no", static_cast<std::uint16_t>(number));
    metadata.uint16("split.count", static_cast<std::uint16_t>(count));
    metadata.int32("split.tensors.count", static_cast<std::int32_t>(tensors));
}

} // namespace

Result<OutputLayout> layOut(const LayoutRequest& request) {
    std::vector<Stored> tensors;
    std::unordered_set<std::string_view> seen;
    std::uint64_t total = 0;
    for (const LayoutTensor& tensor : request.tensors) {
        CAIRN_CHECK(checkName(tensor.name, seen));
        CAIRN_TRY(const Stored stored, store(tensor));
        const auto sum = checkedAdd(total, stored.bytes);
        if (!sum || *sum > (std::uint64_t{1} << 62U)) {
            return fail(ErrorCode::LimitExceeded, "The tensors' sizes overflow")
                .inTensor(std::string(tensor.name));
        }
        total = *sum;
        tensors.push_back(stored);
    }
    const std::size_t tensorCount = tensors.size();
    const std::vector<Split> splits = fillShards<Split>(std::move(tensors), request.maxShardBytes);
    if (splits.size() > kMaxWrittenSplits) {
        return fail(ErrorCode::LimitExceeded, "A GGUF split has at most 65535 files")
            .butFound(verbatim(std::to_string(splits.size())))
            .withHint("Use larger files");
    }
    OutputLayout layout;
    layout.folder = request.maxShardBytes != 0;
    const MetadataWriter model = describeModel(request);
    const auto count = static_cast<std::uint32_t>(splits.size());
    const ShardName like{request.baseName, 1, count, 5, ".gguf"};
    for (std::uint32_t i = 0; i < count; ++i) {
        MetadataWriter metadata = i == 0 ? model : MetadataWriter();
        if (count > 1) {
            addSplitKeys(metadata, i, count, tensorCount);
        }
        std::string name = count == 1 ? request.baseName + ".gguf" : shardNameOf(like, i + 1);
        layout.files.push_back(layOutFile(std::move(name), splits[i], metadata));
    }
    return layout;
}

} // namespace cairn::formats::gguf
