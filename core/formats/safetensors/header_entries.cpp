// SPDX-License-Identifier: Apache-2.0
#include "core/formats/safetensors/header_entries.h"

#include "core/model/names/tied_names.h"

#include <algorithm>
#include <unordered_map>

namespace cairn::formats::safetensors {
namespace {

constexpr std::size_t kMaxScalars = 100'000;

/// Keys of `__metadata__` that are not about tied weights.
bool isBookkeeping(std::string_view key) {
    return key.starts_with("DCP_") || key == names::kTiesMark;
}

struct Tie {
    std::string_view name; ///< that is not stored
    std::string_view kept; ///< the tensor that holds its bytes
};

std::vector<Tie> tieCandidates(const SafetensorsHeader& header) {
    std::vector<Tie> ties;
    for (const auto& [key, value] : header.metadata) {
        if (key != "format" && !isBookkeeping(key)) {
            ties.push_back({key, value});
        }
    }
    return ties;
}

void addAliases(CheckpointData& data, const SafetensorsHeader& header, std::size_t first) {
    const std::vector<Tie> ties = tieCandidates(header);
    if (ties.empty()) {
        return;
    }
    std::unordered_map<std::string_view, std::optional<std::size_t>> wanted;
    for (const Tie& tie : ties) {
        wanted.try_emplace(tie.name);
        wanted.try_emplace(tie.kept);
    }
    for (std::size_t i = first; i < data.tensors.size(); ++i) {
        if (const auto found = wanted.find(data.tensors[i].name); found != wanted.end()) {
            found->second = i;
        }
    }
    // save_model() adds an entry for each name that it leaves out; all others are the user's text.
    const auto resolves = [&](const Tie& tie) {
        return !tie.kept.empty() && wanted.at(tie.kept) && !wanted.at(tie.name);
    };
    const bool marked = std::ranges::any_of(
        header.metadata, [](const auto& item) { return item.first == names::kTiesMark; });
    const bool allResolve = std::ranges::all_of(ties, resolves);
    const bool anyClear = std::ranges::any_of(ties, [&](const Tie& tie) {
        return resolves(tie) && names::areParameterNames(tie.name, tie.kept);
    });
    for (const Tie& tie : ties) {
        if (!resolves(tie)) {
            continue;
        }
        const bool inCompany = allResolve && anyClear && tie.kept.find('.') != tie.kept.npos;
        if (!marked && !inCompany && !names::areParameterNames(tie.name, tie.kept)) {
            data.notices.push_back(
                {Severity::Info,
                 fail(ErrorCode::SafetensorsBadMetadata,
                      "The metadata has a tensor's name as its text; it is not taken for a second "
                      "name of that tensor")
                     .inField(std::string(tie.name))
                     .inTensor(std::string(tie.kept))});
            continue;
        }
        const std::size_t kept = *wanted.at(tie.kept);
        TensorEntry alias = data.tensors[kept];
        alias.name = std::string(tie.name);
        alias.aliasOf = TensorIndex(kept);
        wanted.at(tie.name) = data.tensors.size();
        data.tensors.push_back(std::move(alias));
    }
}

} // namespace

void addEntries(CheckpointData& data, const SafetensorsHeader& header, FileIndex file) {
    const std::size_t first = data.tensors.size();
    data.tensors.reserve(first + header.tensors.size());
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
