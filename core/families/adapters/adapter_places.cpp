// SPDX-License-Identifier: Apache-2.0
#include "core/families/adapters/adapter_places.h"

#include "core/families/adapters/adapter_errors.h"
#include "core/families/config/words.h"
#include "core/families/names/conversion.h"

#include <algorithm>
#include <set>
#include <utility>

/// Tensors that transformers 5 splits or renames when it saves are found by converting a stand-in
/// for the tensor in memory, with the recipe for its model: the boxes of the result tell which part
/// of it became which stored tensor.
namespace cairn {
namespace {

/// Models of transformers 5.23 with Conv1D, and what they call it.
constexpr std::string_view kConv1dModels =
    "gpt2 openai-gpt imagegpt decision_transformer clvp clvp_decoder";
constexpr std::string_view kConv1dModules = "c_attn c_proj c_fc q_attn";

std::string firstPart(std::string_view name) {
    const std::size_t dot = name.find('.');
    return dot == std::string_view::npos ? std::string() : std::string(name.substr(0, dot + 1));
}

/// A checkpoint with one tensor of 1-byte elements, whose offsets are the elements' numbers.
CheckpointPtr memoryCheckpoint(const MemoryTensor& tensor) {
    CheckpointData data;
    TensorEntry entry;
    entry.name = tensor.name;
    entry.dtype = Dtype::Uint8;
    entry.shape = tensor.shape;
    const std::uint64_t bytes = elementCount(tensor.shape).value_or(0);
    Piece piece;
    piece.box = Box::whole(tensor.shape);
    piece.bytes = {0, bytes};
    entry.pieces = {piece};
    CheckpointFile file;
    file.path = "memory";
    file.identity.size = bytes;
    data.files.push_back(std::move(file));
    data.tensors.push_back(std::move(entry));
    return Checkpoint::make(std::move(data));
}

Error unsuitable(const TensorEntry& converted) {
    return fail(ErrorCode::Unsupported, "The adapter's changes to this tensor cannot be divided as "
                                        "the stored tensors of this model are")
        .inTensor(converted.name)
        .withHint("Fold into a checkpoint with the names in memory (--names keep)");
}

/// Finds the box of a converted tensor in the one in memory.
Result<AdapterPlace> placeOf(const TensorEntry& converted, const Shape& memory) {
    const std::size_t rank = converted.shape.size();
    if (converted.pieces.size() != 1 || rank < 1 || rank > 3 || memory.size() > 3) {
        return unsuitable(converted);
    }
    const Piece& piece = converted.pieces.front();
    const Strides strides = piece.strides.empty() ? denseStrides(piece.box.extent) : piece.strides;
    const Strides dense = denseStrides(memory);
    std::vector<std::size_t> dims; // of the tensor in memory
    for (std::size_t d = 0; d < rank; ++d) {
        const auto* at = std::ranges::find(dense, strides[d]);
        if (at == dense.end()) {
            return unsuitable(converted);
        }
        dims.push_back(static_cast<std::size_t>(at - dense.begin()));
    }
    AdapterPlace place;
    place.whole = converted.shape == memory && piece.bytes.offset == 0;
    if (memory.size() < 2) {
        return place.whole ? Result<AdapterPlace>(place) : unsuitable(converted);
    }
    const std::size_t last = memory.size() - 1;
    const bool straight = rank >= 2 && dims[rank - 1] == last && dims[rank - 2] == last - 1;
    place.transposed = rank >= 2 && dims[rank - 1] == last - 1 && dims[rank - 2] == last;
    if (!straight && !place.transposed) {
        return unsuitable(converted);
    }
    auto offset = static_cast<std::int64_t>(piece.bytes.offset);
    if (memory.size() == 3) {
        place.firstExpert = offset / dense[0];
        offset %= dense[0];
    }
    place.firstOut = offset / dense[last - 1];
    place.firstIn = offset % dense[last - 1];
    return place;
}

} // namespace

AdapterPlaces::AdapterPlaces(const AdapterBase& base, std::span<const std::string> names)
    : m_base(base) {
    for (const NamedTensor& each : base.tensors) {
        m_stored.emplace(each.name, each.tensor);
    }
    std::set<std::string> starts;
    for (const NamedTensor& each : base.tensors) {
        starts.insert(firstPart(each.name));
    }
    std::size_t best = knownOf(names);
    const auto consider = [&](std::string dropped, std::string added) {
        std::swap(m_dropped, dropped);
        std::swap(m_added, added);
        const std::size_t known = knownOf(names);
        if (known > best) {
            best = known;
            return;
        }
        std::swap(m_dropped, dropped);
        std::swap(m_added, added);
    };
    if (best < names.size() && !names.empty()) {
        consider(firstPart(names.front()), "");
        for (const std::string& start : starts) {
            consider("", start);
        }
    }
}

std::size_t AdapterPlaces::knownOf(std::span<const std::string> names) const {
    return static_cast<std::size_t>(std::ranges::count_if(
        names, [this](const std::string& name) { return stored(name).has_value(); }));
}

std::string AdapterPlaces::storedName(std::string_view name) const {
    if (!m_dropped.empty() && name.starts_with(m_dropped)) {
        name.remove_prefix(m_dropped.size());
    }
    return m_added + std::string(name);
}

std::optional<TensorIndex> AdapterPlaces::stored(std::string_view name) const {
    auto found = m_stored.find(storedName(name));
    found = found == m_stored.end() ? m_stored.find(name) : found; // a head beside the model
    return found == m_stored.end() ? std::nullopt : std::optional(found->second);
}

Result<std::vector<AdapterPlace>> AdapterPlaces::find(const MemoryTensor& tensor) const {
    if (const auto found = stored(tensor.name)) {
        AdapterPlace place;
        place.tensor = *found;
        return std::vector{place};
    }
    std::vector<AdapterPlace> places;
    if (m_base.config == nullptr || elementCount(tensor.shape).value_or(0) == 0) {
        return places;
    }
    const CheckpointPtr memory = memoryCheckpoint(tensor);
    const std::vector<NamedTensor> named = {{TensorIndex(0), tensor.name}};
    CAIRN_TRY(const auto conversion, chooseConversion(named, m_base.config, publishedRecipes()));
    if (!conversion) {
        return places;
    }
    CAIRN_TRY(const Converted made,
              convertTensors(memory, conversion->tensors, conversion->recipe, *m_base.config));
    for (const TensorEntry& converted : made.checkpoint->tensors()) {
        const auto found = stored(conversion->prefix + converted.name);
        if (!found) {
            return std::vector<AdapterPlace>();
        }
        CAIRN_TRY(AdapterPlace place, placeOf(converted, tensor.shape));
        place.tensor = *found;
        const TensorEntry& entry = m_base.checkpoint->tensor(*found);
        if (entry.shape != converted.shape) {
            return adapterErrors::wrongShape(entry, converted.shape);
        }
        places.push_back(place);
    }
    return places;
}

ModuleOrientation::ModuleOrientation(const Checkpoint& adapter, const AdapterKeys& keys,
                                     const AdapterPlaces& places) {
    const ModelConfig* config = places.base().config;
    m_hasConv1d =
        config != nullptr && isWordOf(kConv1dModels, config->text("model_type").value_or(""));
    for (const AdapterModule& module : keys.modules) {
        const auto tensor =
            module.a && module.b ? places.stored(module.path + ".weight") : std::nullopt;
        if (!tensor || adapter.tensor(*module.a).shape.size() != 2 ||
            adapter.tensor(*module.b).shape.size() != 2) {
            continue;
        }
        const std::int64_t out = adapter.tensor(*module.b).shape[0];
        const std::int64_t in = adapter.tensor(*module.a).shape[1];
        const Shape& shape = places.base().checkpoint->tensor(*tensor).shape;
        if (out != in && shape.size() == 2) {
            m_transposed[module.leaf()] = shape == Shape{in, out};
        }
    }
}

bool ModuleOrientation::isTransposed(const AdapterModule& module,
                                     const AdapterConfig& config) const {
    const auto known = m_transposed.find(module.leaf());
    if (known != m_transposed.end()) {
        return known->second;
    }
    return m_hasConv1d ? isWordOf(kConv1dModules, module.leaf()) : config.fanInFanOut;
}

} // namespace cairn
