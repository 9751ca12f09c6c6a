// SPDX-License-Identifier: Apache-2.0
#include "core/formats/safetensors/header_entries.h"

#include "core/base/large_pages.h"
#include "core/model/names/tied_names.h"

#include <unordered_map>
#include <unordered_set>

namespace cairn::formats::safetensors {
namespace {

constexpr std::size_t kMaxScalars = 100'000;

/// Keys of `__metadata__` that do not refer to tied weights.
bool isBookkeeping(std::string_view key) {
    return key.starts_with("DCP_") || key == names::kTiesMark;
}

void addAliases(CheckpointData& data, const SafetensorsHeader& header, std::size_t first) {
    std::vector<Tie> texts;
    const std::vector<Tie> ties = tiesOf(header, &texts);
    for (const Tie& text : texts) {
        data.notices.push_back(
            {Severity::Info, fail(ErrorCode::SafetensorsBadMetadata,
                                  "A metadata value equals a tensor's name; it is not interpreted "
                                  "as an alias of that tensor")
                                 .inField(std::string(text.name))
                                 .inTensor(std::string(text.kept))});
    }
    std::unordered_map<std::string_view, std::size_t> places;
    for (std::size_t i = 0; !ties.empty() && i < header.tensors.size(); ++i) {
        places.emplace(header.tensors[i].name, first + i);
    }
    for (const Tie& tie : ties) {
        const std::size_t kept = places.at(tie.kept);
        TensorEntry alias = data.tensors[kept];
        alias.name = std::string(tie.name);
        alias.aliasOf = TensorIndex(kept);
        data.tensors.push_back(std::move(alias));
    }
}

} // namespace

std::vector<Tie> tiesOf(const SafetensorsHeader& header, std::vector<Tie>* texts) {
    // Most metadata has nothing to look up, and a set of a million names costs more than the rest.
    std::unordered_set<std::string_view> stored;
    std::unordered_set<std::string_view> aliases;
    const auto isStored = [&](std::string_view name) {
        if (stored.empty()) {
            stored.reserve(header.tensors.size());
            for (const SafetensorsTensor& tensor : header.tensors) {
                stored.insert(tensor.name);
            }
        }
        return stored.contains(name);
    };
    bool marked = false;
    bool allResolve = true;
    bool anyClear = false;
    std::vector<Tie> resolved;
    for (const auto& [name, kept] : header.metadata) {
        marked = marked || name == names::kTiesMark;
        if (name == "format" || isBookkeeping(name)) {
            continue;
        }
        if (kept.empty() || !isStored(kept) || isStored(name) || !aliases.insert(name).second) {
            allResolve = false;
            continue;
        }
        resolved.push_back({name, kept});
        anyClear = anyClear || names::areParameterNames(name, kept);
    }
    // save_model() adds an entry for each name that it omits; all other entries are the user's
    // text.
    std::vector<Tie> ties;
    for (const Tie& tie : resolved) {
        const bool inCompany = allResolve && anyClear && tie.kept.find('.') != tie.kept.npos;
        if (marked || inCompany || names::areParameterNames(tie.name, tie.kept)) {
            ties.push_back(tie);
        } else if (texts != nullptr) {
            texts->push_back(tie);
        }
    }
    return ties;
}

void addEntries(CheckpointData& data, const SafetensorsHeader& header, FileIndex file) {
    const std::size_t first = data.tensors.size();
    reserveInLargePages(data.tensors, first + header.tensors.size());
    for (const SafetensorsTensor& tensor : header.tensors) {
        TensorEntry& entry = data.tensors.emplace_back();
        entry.name = std::string(tensor.name);
        entry.dtype = tensor.dtype;
        entry.shape = tensor.shape;
        if (tensor.sound) {
            Piece& piece = entry.pieces.emplace_back();
            piece.box = Box::whole(tensor.shape);
            piece.file = file;
            piece.bytes = {header.dataStart + tensor.begin, tensor.end - tensor.begin};
        }
    }
    addAliases(data, header, first);
}

Value plainValues(const std::vector<std::pair<std::string, std::string>>& metadata,
                  const std::vector<TensorEntry>& tensors) {
    std::vector<ValueItem> texts;
    for (const auto& [key, value] : metadata) {
        if (!isBookkeeping(key)) {
            texts.push_back({Value(key), Value(value)});
        }
    }
    std::vector<ValueItem> root;
    if (!texts.empty()) {
        root.push_back({Value("__metadata__"), Value::dict(std::move(texts))});
    }
    for (std::size_t i = 0; i < tensors.size() && root.size() < kMaxScalars; ++i) {
        if (tensors[i].shape.empty() && !tensors[i].pieces.empty()) {
            root.push_back({Value(tensors[i].name), Value(TensorIndex(i))});
        }
    }
    return root.empty() ? Value() : Value::dict(std::move(root));
}

std::string frameworkName(std::string_view format) {
    return format == "pt" ? std::string("torch") : std::string(format.substr(0, 32));
}

} // namespace cairn::formats::safetensors
