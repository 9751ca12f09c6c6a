// SPDX-License-Identifier: Apache-2.0
#include "core/formats/gguf/layout_metadata.h"

#include "core/base/visible_text.h"

#include <algorithm>
#include <bit>
#include <limits>
#include <map>
#include <unordered_set>

namespace cairn::formats::gguf {
namespace {

/// A key of a Hugging Face config and the corresponding ggml key, which follows the architecture.
struct ConfigKey {
    std::string_view config;
    std::string_view ggml;
    bool real;
};

constexpr auto kConfigKeys = std::to_array<ConfigKey>({
    {"vocab_size", "vocab_size", false},
    {"max_position_embeddings", "context_length", false},
    {"hidden_size", "embedding_length", false},
    {"num_hidden_layers", "block_count", false},
    {"intermediate_size", "feed_forward_length", false},
    {"num_attention_heads", "attention.head_count", false},
    {"num_key_value_heads", "attention.head_count_kv", false},
    {"head_dim", "attention.key_length", false},
    {"rms_norm_eps", "attention.layer_norm_rms_epsilon", true},
    {"layer_norm_eps", "attention.layer_norm_epsilon", true},
    {"rope_theta", "rope.freq_base", true},
    {"num_local_experts", "expert_count", false},
    {"num_experts_per_tok", "expert_used_count", false},
});

bool describesContainer(std::string_view key) {
    return key == "general.alignment" || key == "general.file_type" || key.starts_with("split.") ||
           key.starts_with("GGUF.");
}

/// ggml's number of a file type whose tensors are mostly of this block dtype; nothing for those
/// that have several (q4_k_s, q4_k_m).
std::optional<std::uint32_t> fileTypeOf(Dtype blocks) {
    switch (blocks) {
    case Dtype::Q4_0:
        return 2;
    case Dtype::Q8_0:
        return 7;
    default:
        return std::nullopt;
    }
}

/// The block dtype of most tensors that have one; llama.cpp counts tensors, too.
std::optional<Dtype> usualBlocks(const LayoutRequest& request) {
    std::map<Dtype, std::size_t> counts;
    for (const LayoutTensor& tensor : request.tensors) {
        if (dtypeInfo(tensor.dtype).isBlock()) {
            ++counts[tensor.dtype];
        }
    }
    const auto most =
        std::ranges::max_element(counts, {}, [](const auto& each) { return each.second; });
    return most == counts.end() ? std::nullopt : std::optional(most->first);
}

/// general.file_type: ggml's number for the dtype of most tensors.
std::optional<std::uint32_t> fileType(const LayoutRequest& request) {
    std::uint64_t floats = 0;
    std::uint64_t halves = 0;
    std::uint64_t brains = 0;
    if (const auto blocks = usualBlocks(request)) {
        return fileTypeOf(*blocks);
    }
    for (const LayoutTensor& tensor : request.tensors) {
        const std::uint64_t count = elementCount(tensor.shape).value_or(0);
        floats += tensor.dtype == Dtype::Float32 ? count : 0;
        halves += tensor.dtype == Dtype::Float16 ? count : 0;
        brains += tensor.dtype == Dtype::Bfloat16 ? count : 0;
    }
    constexpr std::uint32_t kAllFloat32 = 0;
    constexpr std::uint32_t kMostlyFloat16 = 1;
    constexpr std::uint32_t kMostlyBfloat16 = 32;
    return brains > std::max(floats, halves) ? kMostlyBfloat16
           : halves > floats                 ? kMostlyFloat16
                                             : kAllFloat32;
}

const Value* configOf(const Value& values) {
    const Value* inner = values.find("config");
    const Value& config =
        inner != nullptr && inner->find("model_type") != nullptr ? *inner : values;
    const Value* type = config.find("model_type");
    return type != nullptr && type->asString() != nullptr ? &config : nullptr;
}

void describeConfig(MetadataWriter& out, const Value& config) {
    const std::string architecture = *config.find("model_type")->asString();
    out.text("general.architecture", architecture);
    for (const ConfigKey& key : kConfigKeys) {
        const Value* value = config.find(key.config);
        const auto number = value != nullptr ? numberOf(*value) : std::nullopt;
        if (!number) {
            continue;
        }
        const std::string name = architecture + "." + std::string(key.ggml);
        if (key.real) {
            out.float32(name, static_cast<float>(*number));
        } else if (*number >= 0 && *number <= std::numeric_limits<std::uint32_t>::max()) {
            out.uint32(name, static_cast<std::uint32_t>(*number));
        }
    }
}

void keepMetadata(MetadataWriter& out, const Value& values) {
    for (const ValueItem& item : values.items()) {
        const std::string* key = item.key.asString();
        if (key != nullptr && isValidUtf8(*key) && !describesContainer(*key)) {
            out.value(*key, item.value);
        }
    }
}

} // namespace

void appendText(std::string& out, std::string_view text) {
    appendNumber<std::uint64_t>(out, text.size());
    out += text;
}

void MetadataWriter::begin(std::string_view key, MetaType type) {
    appendText(m_bytes, key);
    appendNumber<std::uint32_t>(m_bytes, static_cast<std::uint32_t>(type));
    ++m_count;
}

void MetadataWriter::text(std::string_view key, std::string_view value) {
    begin(key, MetaType::String);
    appendText(m_bytes, value);
}

void MetadataWriter::uint16(std::string_view key, std::uint16_t value) {
    begin(key, MetaType::Uint16);
    appendNumber(m_bytes, value);
}

void MetadataWriter::uint32(std::string_view key, std::uint32_t value) {
    begin(key, MetaType::Uint32);
    appendNumber(m_bytes, value);
}

void MetadataWriter::int32(std::string_view key, std::int32_t value) {
    begin(key, MetaType::Int32);
    appendNumber(m_bytes, value);
}

void MetadataWriter::float32(std::string_view key, float value) {
    begin(key, MetaType::Float32);
    appendNumber(m_bytes, std::bit_cast<std::uint32_t>(value));
}

bool MetadataWriter::value(std::string_view key, const Value& value) {
    if (const bool* truth = value.asBool()) {
        begin(key, MetaType::Bool);
        m_bytes += *truth ? '\1' : '\0';
    } else if (const std::int64_t* integer = value.asInt()) {
        const bool isSigned = *integer < 0 || key.starts_with("general.sampling.");
        if (!isSigned && *integer <= std::numeric_limits<std::uint32_t>::max()) {
            uint32(key, static_cast<std::uint32_t>(*integer));
        } else if (isSigned && *integer == static_cast<std::int32_t>(*integer)) {
            int32(key, static_cast<std::int32_t>(*integer));
        } else {
            begin(key, MetaType::Int64);
            appendNumber(m_bytes, *integer);
        }
    } else if (const double* real = value.asFloat()) {
        const bool narrow =
            std::bit_cast<std::uint64_t>(static_cast<double>(static_cast<float>(*real))) ==
            std::bit_cast<std::uint64_t>(*real);
        begin(key, narrow ? MetaType::Float32 : MetaType::Float64);
        if (narrow) {
            appendNumber(m_bytes, std::bit_cast<std::uint32_t>(static_cast<float>(*real)));
        } else {
            appendNumber(m_bytes, std::bit_cast<std::uint64_t>(*real));
        }
    } else if (const std::string* words = value.asString()) {
        text(key, *words);
    } else {
        return list(key, value);
    }
    return true;
}

bool MetadataWriter::list(std::string_view key, const Value& value) {
    const ValueNode* node = value.asNode();
    if (node == nullptr || node->kind != ValueKind::List) {
        return false;
    }
    const auto all = [&](ValueKind kind) {
        return std::ranges::all_of(
            node->items, [&](const ValueItem& item) { return item.value.kind() == kind; });
    };
    const auto put = [&](MetaType type, auto append) {
        begin(key, MetaType::Array);
        appendNumber<std::uint32_t>(m_bytes, static_cast<std::uint32_t>(type));
        appendNumber<std::uint64_t>(m_bytes, node->items.size());
        for (const ValueItem& item : node->items) {
            append(item.value);
        }
        return true;
    };
    if (all(ValueKind::String)) {
        return put(MetaType::String,
                   [&](const Value& item) { appendText(m_bytes, *item.asString()); });
    }
    if (all(ValueKind::Bool)) {
        return put(MetaType::Bool,
                   [&](const Value& item) { m_bytes += *item.asBool() ? '\1' : '\0'; });
    }
    if (all(ValueKind::Float)) {
        return put(MetaType::Float32, [&](const Value& item) {
            appendNumber(m_bytes,
                         std::bit_cast<std::uint32_t>(static_cast<float>(*item.asFloat())));
        });
    }
    if (!all(ValueKind::Int)) {
        return false;
    }
    const bool narrow = std::ranges::all_of(node->items, [](const ValueItem& item) {
        const std::int64_t number = *item.value.asInt();
        return number == static_cast<std::int32_t>(number);
    });
    if (narrow) {
        return put(MetaType::Int32, [&](const Value& item) {
            appendNumber(m_bytes, static_cast<std::int32_t>(*item.asInt()));
        });
    }
    return put(MetaType::Int64, [&](const Value& item) { appendNumber(m_bytes, *item.asInt()); });
}

MetadataWriter describeModel(const LayoutRequest& request) {
    MetadataWriter out;
    const Value* values = request.values;
    const bool own = values != nullptr && values->find("general.architecture") != nullptr;
    const Value* config = values != nullptr && !own ? configOf(*values) : nullptr;
    if (own) {
        keepMetadata(out, *values);
    } else if (config != nullptr) {
        describeConfig(out, *config);
    } else {
        out.text("general.architecture", "unknown");
    }
    if (const auto type = fileType(request)) {
        out.uint32("general.file_type", *type);
    } else if (const Value* kept = own ? values->find("general.file_type") : nullptr) {
        out.value("general.file_type", *kept);
    }
    constexpr std::string_view kVersionKey = "general.quantization_version";
    if (usualBlocks(request) && (!own || values->find(kVersionKey) == nullptr)) {
        constexpr std::uint32_t kQuantizationVersion = 2; // GGML_QNT_VERSION
        out.uint32(kVersionKey, kQuantizationVersion);
    }
    std::unordered_set<std::string_view> seen;
    for (const auto& [key, value] : request.metadata) {
        const bool known = values != nullptr && values->find(key) != nullptr;
        if (!known && seen.insert(key).second && isValidUtf8(key) && isValidUtf8(value) &&
            !key.starts_with("general.") && !describesContainer(key)) {
            out.text(key, value);
        }
    }
    return out;
}

} // namespace cairn::formats::gguf
