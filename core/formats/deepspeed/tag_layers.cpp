// SPDX-License-Identifier: Apache-2.0
#include "core/formats/common/members/folder_notices.h"
#include "core/formats/deepspeed/name_pattern.h"
#include "core/formats/deepspeed/tag_folder.h"
#include "core/formats/deepspeed/zero_off.h"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

// Pipelines: decides which layers must have files. Layers without parameters have none, so a gap in
// the numbers proves nothing; the contents of the optimizers do.

namespace cairn::formats::deepspeed {
namespace {

constexpr std::size_t kMostNamed = 40;

std::string shapeText(const Shape& shape) {
    std::string text;
    for (std::size_t d = 0; d < shape.size(); ++d) {
        text += (d > 0 ? ", " : "") + std::to_string(shape[d]);
    }
    return "[" + text + "]";
}

/// "mp_rank_01." for a slice's weight; empty: the model is not cut.
std::string_view slicePrefixOf(std::string_view name) {
    return name.starts_with("mp_rank_") ? name.substr(0, name.find('.') + 1) : std::string_view();
}

} // namespace

/// Reports each layer without a file of which the optimizer has masters or another slice has a
/// file.
void TagFolder::noteMissingLayers() {
    if (m_files.layers.empty()) {
        return;
    }
    std::map<std::string, std::set<Rank>> there;
    bool sliced = false;
    for (const FileName& file : m_files.layers) {
        there[std::to_string(file.layer)].insert(file.mp);
        sliced |= file.name.find("-model_") != file.name.rfind("-model_");
    }
    for (const std::string& master : m_list.masters()) {
        const std::string name = master.substr(slicePrefixOf(master).size());
        const std::string first = name.substr(0, name.find('.'));
        const bool number = !first.empty() && first.size() <= 6 &&
                            first.find_first_not_of("0123456789") == std::string::npos;
        if (number) {
            there.try_emplace(first);
        } else if (name.starts_with(kTied)) {
            checkTied(master);
        }
    }
    std::size_t named = 0;
    const Rank count = std::max<Rank>(slices(), 1);
    for (const auto& [number, ranks] : there) {
        for (Rank slice = 0; slice < count && named < kMostNamed; ++slice) {
            if (!ranks.contains(slice)) {
                ++named;
                addMissingFile(
                    m_data, m_request.folder,
                    "layer_" + (number.size() < 2 ? "0" + number : number) +
                        (sliced ? "-model_" + twoDigits(slice) : "") + "-model_states.pt",
                    Role::Weight,
                    ranks.empty() ? Sentence("the optimizer has master weights of this layer")
                                  : "other slices of this layer have files");
            }
        }
    }
    checkLayersWithoutZero();
}

/// For tied layers, only the first has a file, under its number.
void TagFolder::checkTied(const std::string& master) {
    const TensorEntry* weight = m_list.find(master);
    const std::string_view prefix = slicePrefixOf(master);
    const std::string_view stored = nameInLayer(std::string_view(master).substr(prefix.size()));
    const bool there = std::ranges::any_of(m_loose, [&](const Loose& loose) {
        return loose.prefix == prefix &&
               std::ranges::any_of(loose.member.tensors, [&](const TensorEntry& tensor) {
                   const std::string own = std::to_string(loose.file.layer) + "." + tensor.name;
                   return tensor.name == stored && weight != nullptr &&
                          tensor.shape == weight->shape &&
                          std::ranges::find(m_list.masters(), loose.prefix + own) ==
                              m_list.masters().end();
               });
    });
    if (!there) {
        addDamage(m_data,
                  fail(ErrorCode::MissingShard,
                       "A layer's file is missing: no file contains this weight that layers share")
                      .inTensor(master)
                      .withHint("Copy the layers' files from where the checkpoint was saved"));
    }
}

/// Without ZeRO the optimizers contain no names, but each of their parameters belongs to a layer. A
/// parameter that layers share is in each of their stages.
void TagFolder::checkLayersWithoutZero() {
    struct Needed {
        std::size_t count = 0;
        std::set<Rank> parts;
    };
    std::map<std::pair<std::string, std::string>, Needed> needed; // by prefix and shape
    for (ModelPart& part : m_parts) {
        const auto optimizer = part.model() == nullptr || part.states().hasShapes
                                   ? std::nullopt
                                   : ZeroOffOptimizer::read(*part.model());
        if (!optimizer) {
            continue;
        }
        for (const Shape& shape : optimizer->shapes()) {
            Needed& own = needed[{prefixOf(part), shapeText(shape)}];
            ++own.count;
            own.parts.insert(part.rank());
        }
    }
    std::map<std::pair<std::string, std::string>, std::size_t> held;
    for (const Loose& loose : m_loose) {
        for (const TensorEntry& tensor : loose.member.tensors) {
            ++held[{loose.prefix, shapeText(tensor.shape)}];
        }
    }
    for (const auto& [key, own] : needed) {
        const std::size_t shared = own.parts.size() > 1 ? 1 : 0;
        if (own.count > held[key] + shared) {
            addDamage(m_data,
                      fail(ErrorCode::MissingShard, "A layer's file is missing: the optimizers "
                                                    "have more weights than the layers' files")
                          .butFound(sentence(
                              "%1 of shape %2 in the optimizers, %3 in the files of layers",
                              own.count, key.second, held[key]))
                          .withHint("Copy the layers' files from where the checkpoint was saved"));
            return;
        }
    }
}

} // namespace cairn::formats::deepspeed
