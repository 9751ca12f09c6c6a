// SPDX-License-Identifier: Apache-2.0
#include "core/families/slices/rank_slices.h"

#include "core/families/expected/model_fit.h"
#include "core/families/names/view.h"
#include "core/families/quantised/scale_blocks.h"
#include "core/families/slices/fused_slices.h"
#include "core/families/slices/slice_join.h"
#include "core/families/slices/slice_names.h"
#include "core/families/slices/slice_naming.h"
#include "core/families/slices/slice_shape.h"
#include "core/model/names/part_name.h"
#include "core/model/role_decision.h"

#include <algorithm>
#include <map>
#include <set>
#include <span>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace cairn {
namespace {

struct RankTensor {
    std::size_t rank = 0;
    TensorIndex tensor;
};

constexpr std::string_view kScaleEnding = "_scale_inv"; ///< after the name of a weight

/// The file names of vLLM's sharded_state: "model-rank-0-part-0.safetensors".
bool isShardedState(const Checkpoint& source) {
    return std::ranges::any_of(source.files(), [](const CheckpointFile& file) {
        const auto part =
            names::splitPartName(std::string_view(file.path).substr(0, file.path.rfind('.')));
        return part && part->piece && part->word == "rank";
    });
}

class Joiner {
public:
    Joiner(const CheckpointPtr& source, const ModelConfig& config)
        : m_source(source), m_config(config), m_data(source->data()) {}

    Result<JoinedRanks> join() {
        group();
        CAIRN_CHECK(checkSource());
        CAIRN_CHECK(findClass());
        m_data.tensors.clear();
        for (const auto& [name, tensor] : m_wholes) {
            CAIRN_CHECK(addEqual(name, tensor));
        }
        for (const auto& [name, parts] : m_parts) {
            CAIRN_CHECK(add(name, parts));
        }
        nameTied();
        CAIRN_CHECK(checkModel());
        linkAliases();
        m_data.completeness = Completeness::Complete;
        m_data.why.clear();
        std::erase_if(m_data.notices, [](const Notice& notice) {
            return notice.error.code == ErrorCode::ShardsNotJoined;
        });
        m_data.loadValues = nullptr; // they refer to the tensors of the ranks
        m_made.model = m_fit->model->name;
        m_made.checkpoint = Checkpoint::make(std::move(m_data));
        return std::move(m_made);
    }

private:
    /// The ranks are those of the files: a tensor may be named like one of a rank that there is
    /// not.
    void group() {
        m_ranks = static_cast<std::size_t>(
            std::max<std::int64_t>(m_source->data().worldSize.value_or(1), 1));
        for (std::size_t i = 0; i < m_source->tensors().size(); ++i) {
            const TensorEntry& tensor = m_source->tensors()[i];
            const auto split =
                isModelRole(tensor.role) ? splitRankTensor(tensor.name) : std::nullopt;
            if (split && split->rank < m_ranks) {
                m_parts[std::string(split->name)].push_back({split->rank, TensorIndex(i)});
            } else {
                m_wholes.emplace(tensor.name, TensorIndex(i));
            }
        }
        m_made.ranks = m_ranks;
        findNaming();
    }

    /// Renames the tensors of which each is one of the class's.
    void findNaming() {
        std::vector<std::string_view> names;
        for (const auto& [name, tensor] : m_wholes) {
            names.push_back(name);
        }
        for (const auto& [name, parts] : m_parts) {
            names.push_back(name);
        }
        m_naming = SliceNaming::of(names, isShardedState(*m_source));
        const auto rename = [&](auto& tensors) {
            std::remove_reference_t<decltype(tensors)> renamed;
            for (auto& [name, content] : tensors) {
                const std::vector<std::string> published = m_naming.published(name);
                const bool isOne = published.size() == 1 && !tensors.contains(published.front());
                renamed.emplace(isOne ? published.front() : name, std::move(content));
            }
            tensors = std::move(renamed);
        };
        rename(m_wholes);
        rename(m_parts);
    }

    /// Only that the ranks' tensors are not joined may be wrong with it.
    Result<void> checkSource() const {
        for (const Notice& notice : m_source->notices()) {
            if (notice.severity == Severity::Error &&
                notice.error.code != ErrorCode::ShardsNotJoined) {
                return notice.error;
            }
        }
        if (!m_naming.keeps(m_config.text("model_type").value_or(""))) {
            return fail(ErrorCode::Unsupported,
                        "What the converter that wrote these files changes in the tensors of the "
                        "config's model is unknown")
                .butFound(verbatim(m_config.text("model_type").value_or("")))
                .withHint(
                    "Name the folder of the same model with --like, or convert the model again");
        }
        if (m_config.has("quantization_config.quant_method") && !hasBlockScales()) {
            return fail(ErrorCode::Unsupported,
                        "Tensor-parallel slices of a quantised model are not joined")
                .inField("quantization_config")
                .withHint(
                    "Load the files in the program that wrote them, and save the complete model");
        }
        return {};
    }

    /// DeepSeek's converter cuts 8-bit weights and their scales as they are.
    bool hasBlockScales() const {
        const auto isScale = [](const auto& tensor) {
            return tensor.first.ends_with(kScaleEnding);
        };
        return m_naming.program() == SliceNaming::Program::DeepSeek &&
               m_config.text("quantization_config.quant_method") == "fp8" &&
               recordedBlock(m_config) && std::ranges::any_of(m_parts, isScale);
    }

    Result<void> findClass() {
        std::vector<OutputTensor> all;
        const auto take = [&](const std::string& name, TensorIndex tensor) {
            const TensorEntry& entry = m_source->tensor(tensor);
            all.push_back({name, entry.shape, entry.dtype});
        };
        for (const auto& [name, tensor] : m_wholes) {
            take(name, tensor);
        }
        for (const auto& [name, parts] : m_parts) {
            take(name, parts.front().tensor);
        }
        CAIRN_TRY(m_fit, fitModel(m_config, all));
        if (!m_fit) {
            return fail(ErrorCode::Unsupported,
                        "The ranks' files contain slices of tensors, and the tensors of the "
                        "config's class are unknown")
                .butFound(modelClass(m_config).empty() ? Sentence("no architectures in config.json")
                                                       : verbatim(modelClass(m_config)))
                .withHint("Name a folder with the config.json of transformers by --like, or load "
                          "the files in the program that wrote them and save the complete model");
        }
        return {};
    }

    static std::vector<OutputTensor> outputs(std::span<const TensorEntry> tensors) {
        std::vector<OutputTensor> made;
        for (const TensorEntry& tensor : tensors) {
            made.push_back({tensor.name, tensor.shape, tensor.dtype});
        }
        return made;
    }

    /// The shape of a tensor that the class has, or of the scales of one.
    std::optional<Shape> wholeShape(const std::string& name) const {
        if (const ExpectedTensors::Entry* entry = expected(name)) {
            return entry->shape;
        }
        const ExpectedTensors::Entry* weight =
            name.ends_with(kScaleEnding)
                ? expected(name.substr(0, name.size() - kScaleEnding.size()))
                : nullptr;
        const auto block = recordedBlock(m_config);
        return weight != nullptr && block ? blockCounts(weight->shape, *block) : std::nullopt;
    }

    const ExpectedTensors::Entry* expected(const std::string& name) const {
        return name.starts_with(m_fit->prefix)
                   ? m_fit->expected.find(name.substr(m_fit->prefix.size()))
                   : nullptr;
    }

    /// A tensor with the same elements in all ranks: a copy, or equal slices such as those of a
    /// bias of zeros.
    Result<void> addEqual(const std::string& name, TensorIndex tensor) {
        const std::optional<Shape> whole = wholeShape(name);
        const bool isFused = !whole && isModelRole(m_source->tensor(tensor).role) &&
                             (m_naming.published(name).size() > 1 || !expertsIn(name).empty());
        const bool isWhole = !isFused && (!whole || !isModelRole(m_source->tensor(tensor).role) ||
                                          m_source->tensor(tensor).shape == *whole);
        if (isWhole) {
            return put(name, TensorView::of(*m_source, tensor), {0, tensor});
        }
        // Larger ones may have been found equal by samples of their bytes.
        constexpr std::uint64_t kCompared = std::uint64_t{128} << 10U;
        const auto bytes = dtypeBytes(m_source->tensor(tensor).dtype,
                                      elementCount(m_source->tensor(tensor).shape).value_or(0));
        if (m_ranks > 1 && bytes.value_or(kCompared + 1) > kCompared) {
            return fail(ErrorCode::BadSlice,
                        "All ranks have the same elements of this tensor, but in a shape that is "
                        "not that of the config's class")
                .inTensor(name)
                .butFound(verbatim(formatDims(m_source->tensor(tensor).shape)))
                .expecting(whole ? verbatim(formatDims(*whole))
                                 : sentence("the tensors of %1", m_fit->model->name))
                .withHint("Name the folder of the same model with --like");
        }
        std::vector<RankTensor> parts;
        for (std::size_t rank = 0; rank < m_ranks; ++rank) {
            parts.push_back({rank, tensor});
        }
        return add(name, parts);
    }

    Result<void> add(const std::string& name, const std::vector<RankTensor>& parts) {
        if (const std::optional<Shape> whole = wholeShape(name)) {
            if (parts.size() == 1 && m_source->tensor(parts.front().tensor).shape == *whole) {
                ++m_made.taken;
                return put(name, viewOf(parts.front()), parts.front());
            }
            CAIRN_TRY(const std::vector<TensorView> views, viewsOf(name, parts));
            CAIRN_TRY(const TensorView joined, concatenated(name, views, *whole));
            ++m_made.joined;
            return put(name, joined, parts.front());
        }
        if (const std::vector<std::string> fused = m_naming.published(name); fused.size() > 1) {
            return addFused(name, parts, fused);
        }
        if (const auto layers = expertsIn(name); !layers.empty()) {
            return addExperts(name, parts, layers);
        }
        return fail(ErrorCode::Unsupported,
                    "The ranks have different tensors with this name, which the config's class "
                    "does not have; how to join them is unknown")
            .inTensor(name)
            .expecting(sentence("the tensors of %1", m_fit->model->name))
            .withHint("Name the folder of the same model with --like, or load the files in the "
                      "program that wrote them");
    }

    /// The layers of each expert that vLLM stores in one tensor; empty: it is no such tensor.
    std::vector<std::vector<std::string>> expertsIn(const std::string& name) const {
        const ExpertLayer* layer = expertLayer(name);
        return layer != nullptr && m_naming.program() == SliceNaming::Program::Vllm
                   ? fusedSlices().experts(name, *layer)
                   : std::vector<std::vector<std::string>>();
    }

    TensorView viewOf(const RankTensor& part) const {
        return TensorView::of(*m_source, part.tensor);
    }

    /// Of every rank, in their order.
    Result<std::vector<TensorView>> viewsOf(const std::string& name,
                                            const std::vector<RankTensor>& parts) const {
        std::map<std::size_t, TensorIndex> byRank;
        for (const RankTensor& part : parts) {
            byRank.emplace(part.rank, part.tensor);
        }
        std::vector<TensorView> views;
        const Dtype dtype = m_source->tensor(parts.front().tensor).dtype;
        for (std::size_t rank = 0; rank < m_ranks; ++rank) {
            const auto found = byRank.find(rank);
            if (found == byRank.end()) {
                return fail(ErrorCode::NotFound, "A rank lacks its slice of this tensor")
                    .inTensor(name)
                    .butFound(sentence("nothing in rank %1 of %2", rank, m_ranks))
                    .withHint("Copy the files of all ranks into the folder");
            }
            if (m_source->tensor(found->second).dtype != dtype) {
                return fail(ErrorCode::BadSlice, "The ranks' slices have different dtypes")
                    .inTensor(name);
            }
            views.push_back(TensorView::of(*m_source, found->second));
        }
        return views;
    }

    Result<TensorView> concatenated(const std::string& name, std::span<const TensorView> views,
                                    const Shape& whole) {
        CAIRN_TRY(const JoinedTensor joined, joinSlices(name, views, whole, m_fit->model->name));
        m_made.padded += joined.padded ? 1 : 0;
        return joined.view;
    }

    FusedSlices fusedSlices() const {
        return {[this](const std::string& name) {
                    const ExpectedTensors::Entry* entry = expected(name);
                    return entry != nullptr ? &entry->shape : nullptr;
                },
                m_fit->model->name, m_config.integer("num_key_value_heads").value_or(0)};
    }

    Result<void> putParts(std::vector<FusedSlices::Part> joined, const RankTensor& first) {
        for (const FusedSlices::Part& part : joined) {
            CAIRN_CHECK(put(part.name, part.tensor.view, first));
            m_made.padded += part.tensor.padded ? 1 : 0;
            ++m_made.joined;
        }
        return {};
    }

    Result<void> addFused(const std::string& name, const std::vector<RankTensor>& parts,
                          std::span<const std::string> fused) {
        CAIRN_TRY(const std::vector<TensorView> views, viewsOf(name, parts));
        FusedSlices slices = fusedSlices();
        CAIRN_TRY(std::vector<FusedSlices::Part> joined, slices.rows(name, views, fused));
        for (const FusedSlices::Copy& each : slices.copies()) {
            CAIRN_TRY(TensorEntry used, each.used.entry(each.name, m_data, m_source));
            CAIRN_TRY(TensorEntry copy, each.copy.entry(each.name, m_data, m_source));
            m_made.copies.emplace_back(std::move(used), std::move(copy));
        }
        return putParts(std::move(joined), parts.front());
    }

    Result<void> addExperts(const std::string& name, const std::vector<RankTensor>& parts,
                            std::span<const std::vector<std::string>> experts) {
        CAIRN_TRY(const std::vector<TensorView> views, viewsOf(name, parts));
        CAIRN_TRY(std::vector<FusedSlices::Part> joined,
                  fusedSlices().expertRows(name, views, experts));
        ++m_made.experts;
        return putParts(std::move(joined), parts.front());
    }

    Result<void> put(const std::string& name, const TensorView& view, const RankTensor& first) {
        CAIRN_TRY(TensorEntry entry, view.entry(name, m_data, m_source));
        m_aliases.emplace_back(m_data.tensors.size(), first.tensor);
        m_data.tensors.push_back(std::move(entry));
        return {};
    }

    /// Tensors that are one in every rank's file are one.
    void linkAliases() {
        std::map<TensorIndex, std::size_t> made;
        for (const auto& [position, tensor] : m_aliases) {
            made.emplace(tensor, position);
        }
        for (const auto& [position, tensor] : m_aliases) {
            const auto alias = m_source->tensor(tensor).aliasOf;
            const auto target = alias ? made.find(*alias) : made.end();
            if (target != made.end() &&
                m_data.tensors[target->second].shape == m_data.tensors[position].shape &&
                target->second != position) {
                m_data.tensors[position].aliasOf = TensorIndex(target->second);
            }
        }
    }

    /// vLLM leaves out all but the first name of a tensor that has several: the head of a tied pair
    /// remains.
    void nameTied() {
        for (TensorEntry& tensor : m_data.tensors) {
            const ExpectedTensors::Entry* entry = expected(tensor.name);
            if (entry == nullptr || entry->tiedTo.empty()) {
                continue;
            }
            const std::string target = m_fit->prefix + entry->tiedTo;
            if (std::ranges::find(m_data.tensors, target, &TensorEntry::name) ==
                m_data.tensors.end()) {
                tensor.name = target;
            }
        }
    }

    /// The joined tensors are those of the class, and all of them.
    Result<void> checkModel() const {
        CAIRN_TRY(const auto fit, fitModel(m_config, outputs(m_data.tensors)));
        const TensorDifference difference = fit ? fit->difference : TensorDifference();
        if (!difference.misshapen.empty() || !difference.missing.empty()) {
            const std::string& first = difference.misshapen.empty() ? difference.missing.front()
                                                                    : difference.misshapen.front();
            return fail(difference.misshapen.empty() ? ErrorCode::NotFound : ErrorCode::BadSlice,
                        "The ranks' files do not contain all tensors of the config's class in its "
                        "shapes")
                .inTensor(first.substr(0, first.find(' ')))
                .butFound(sentence("%1 missing, %2 of a different shape", difference.missing.size(),
                                   difference.misshapen.size()))
                .expecting(sentence("the tensors of %1", m_fit->model->name))
                .withHint("Name the folder of the same model with --like, and copy all files of "
                          "the ranks");
        }
        return {};
    }

    const CheckpointPtr& m_source;
    const ModelConfig& m_config;
    CheckpointData m_data;
    std::optional<ModelFit> m_fit;
    SliceNaming m_naming;
    std::size_t m_ranks = 0;
    std::map<std::string, TensorIndex> m_wholes; ///< equal in all ranks
    std::map<std::string, std::vector<RankTensor>> m_parts;
    std::vector<std::pair<std::size_t, TensorIndex>> m_aliases; ///< position, first rank's tensor
    JoinedRanks m_made;
};

} // namespace

bool hasRankTensors(const Checkpoint& checkpoint) {
    const bool apart = std::ranges::any_of(checkpoint.notices(), [](const Notice& notice) {
        return notice.severity == Severity::Error &&
               notice.error.code == ErrorCode::ShardsNotJoined;
    });
    return apart && std::ranges::any_of(checkpoint.tensors(), [](const TensorEntry& tensor) {
               return isModelRole(tensor.role) && splitRankTensor(tensor.name).has_value();
           });
}

bool hasFusedLayers(const Checkpoint& checkpoint) {
    return checkpoint.data().worldSize.value_or(1) <= 1 && isShardedState(checkpoint) &&
           std::ranges::any_of(checkpoint.tensors(), [](const TensorEntry& tensor) {
               return fusedLayer(tensor.name) != nullptr || expertLayer(tensor.name) != nullptr;
           });
}

Result<JoinedRanks> joinRankSlices(const CheckpointPtr& source, const ModelConfig& config) {
    return Joiner(source, config).join();
}

} // namespace cairn
