// SPDX-License-Identifier: Apache-2.0
#include "core/jobs/fold/fold_source.h"

#include "core/base/counted.h"
#include "core/base/endian.h"
#include "core/base/other_machine.h"
#include "core/families/adapters/adapter.h"
#include "core/families/adapters/adapter_matrices.h"
#include "core/jobs/bundle/sidecars.h"
#include "core/jobs/fold/adapter_settings.h"
#include "core/jobs/names/name_conversion.h"
#include "core/model/tensor_reader.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <utility>

namespace cairn {
namespace {

using Json = nlohmann::ordered_json;

Error inAdapter(Error error, const AdapterMember& member) {
    // An absolute path replaces the adapter's.
    error.where.file = error.where.file.empty()
                           ? member.path
                           : (std::filesystem::path(member.path) / error.where.file).string();
    return error;
}

/// Whether any element of a tensor is not zero.
Result<bool> hasNumbers(const Checkpoint& checkpoint, TensorIndex index,
                        const CancelToken& cancel) {
    constexpr std::size_t kStep = std::size_t{1} << 20U;
    const TensorEntry& tensor = checkpoint.tensor(index);
    CAIRN_TRY(const TensorReader reader, TensorReader::open(checkpoint, tensor));
    TensorReader::Scratch scratch;
    std::vector<std::byte> bytes;
    const std::uint64_t element = reader.elementBytes();
    for (std::uint64_t at = 0; at < tensor.bytes(); at += bytes.size()) {
        CAIRN_CHECK(cancel.check());
        bytes.resize(static_cast<std::size_t>(std::min<std::uint64_t>(tensor.bytes() - at, kStep)));
        CAIRN_CHECK(reader.readBytes(Box::whole(tensor.shape), at, bytes, scratch));
        for (std::size_t i = 0; i < bytes.size(); ++i) { // -0 is zero, too
            const bool last = i % element == element - 1;
            if ((bytes[i] & (last ? std::byte{0x7F} : std::byte{0xFF})) != std::byte{0}) {
                return true;
            }
        }
    }
    return false;
}

Result<bool> changesSomething(const Checkpoint& adapter, const AdapterOperation& operation,
                              const CancelToken& cancel) {
    if (operation.kind == AdapterOperation::Kind::Replace ||
        operation.kind == AdapterOperation::Kind::Rows || operation.magnitude) {
        return true;
    }
    if (operation.scale == 0) {
        return false;
    }
    CAIRN_TRY(const bool values, hasNumbers(adapter, operation.values, cancel));
    if (!values || operation.kind == AdapterOperation::Kind::Vector) {
        return values;
    }
    return hasNumbers(adapter, operation.factor, cancel);
}

/// Sets a field wherever the config has it: at the top or in the config of a part.
bool setField(Json& config, const std::string& field, const Json& value) {
    bool found = false;
    for (auto& [key, each] : config.items()) {
        if (key == field) {
            found = true;
            each = value;
        } else if (each.is_object() && key.ends_with("_config")) {
            found = setField(each, field, value) || found;
        }
    }
    return found;
}

class AdapterFold {
public:
    AdapterFold(const CheckpointPtr& source, const JobRequest& request,
                const std::vector<AdapterMember>& adapters, std::vector<Sidecar>& sidecars,
                const CancelToken& cancel)
        : m_source(source), m_request(request), m_adapters(adapters), m_sidecars(sidecars),
          m_cancel(cancel), m_data(source->data()) {
        m_data.loadValues = [source](const CancelToken& token) {
            return source->valuesWithRecords(token);
        };
    }

    Result<std::shared_ptr<const FoldedSource>> run(const Value* values) {
        CAIRN_TRY(const auto chosen, selectTensors(*m_source, m_request.only));
        CAIRN_TRY(m_names, modelNames(*m_source, chosen, values));
        m_config = sidecarFields(m_sidecars, "config.json");
        m_base = {m_source, m_names, m_config ? &*m_config : nullptr};
        m_ties.emplace(m_base);
        m_tied = m_ties->head();
        for (const AdapterMember& member : m_adapters) {
            if (auto added = add(member); !added) {
                return inAdapter(std::move(added).error(), member);
            }
        }
        CAIRN_CHECK(untie());
        CAIRN_CHECK(checkVocabulary());
        decide(chosen.size());
        m_data.tensors.resize(m_kept);
        for (TensorEntry& added : m_added) {
            m_data.tensors.push_back(std::move(added));
        }
        std::ranges::move(m_beside, std::back_inserter(m_data.tensors));
        m_folded->tied = m_tied;
        m_folded->checkpoint = Checkpoint::make(std::move(m_data));
        return std::shared_ptr<const FoldedSource>(std::move(m_folded));
    }

private:
    Result<void> add(const AdapterMember& member) {
        CAIRN_TRY(const PeftAdapter read, readAdapter(member.checkpoint, &m_base));
        const AdapterConfig& config = read.config;
        CAIRN_TRY(const AdapterChanges changes,
                  adapterChanges(*read.checkpoint, config, m_base, member.scale,
                                 m_request.roundsChanges));
        CAIRN_TRY(const CheckpointPtr matrices, withMatrices(read.checkpoint));
        const Checkpoint& adapter = *matrices;
        bool effective = false;
        for (const auto& [tensor, operations] : changes.tensors) {
            for (std::size_t i = 0; i < operations.size() && !effective; ++i) {
                CAIRN_TRY(effective, changesSomething(adapter, operations[i], m_cancel));
            }
        }
        for (std::size_t i = 0; i < changes.head.size() && !effective; ++i) {
            CAIRN_TRY(effective, changesSomething(adapter, changes.head[i], m_cancel));
        }
        if (!effective && changes.added.empty()) {
            return fail(ErrorCode::Unsupported, "The adapter changes nothing")
                .butFound(changes.tensors.empty() ? Sentence("no tensors")
                                                  : "only zeros in its matrices, or a scale of 0")
                .withHint("It may be the state before training, or a save that lost its weights");
        }
        m_tiesWeights = m_tiesWeights || config.tiesWeights;
        m_vocabulary = changes.vocabulary ? changes.vocabulary : m_vocabulary;
        FoldedAdapter folded{member.checkpoint, member.path, member.scale, 0};
        m_shift = append(m_data, *read.checkpoint,
                         "adapter " + std::to_string(m_folded->adapters.size()) + ": ", "");
        for (const auto& [tensor, operations] : changes.tensors) {
            apply(matrices, operations, m_data.tensors[tensor.position()],
                  m_folded->recipes[tensor], tensor);
            ++folded.tensors;
            m_folded->changed.insert(tensor);
            CAIRN_CHECK(noteTied(tensor, operations, config.tiesWeights));
        }
        if (!changes.head.empty()) {
            TensorEntry& head = unstoredHead();
            apply(matrices, changes.head, head, m_headRecipe, std::nullopt);
            m_headChanges = true;
            ++folded.tensors;
        }
        CAIRN_CHECK(addBeside(changes.added, member));
        folded.tensors += changes.added.size();
        m_folded->adapters.push_back(std::move(folded));
        return {};
    }

    /// Tensors of the model that the base lacks, under the names that they have in it.
    Result<void> addBeside(const std::vector<NamedTensor>& added, const AdapterMember& member) {
        if (added.empty()) {
            return {};
        }
        CAIRN_TRY(const std::string prefix, prefixOfBase());
        for (const NamedTensor& each : added) {
            TensorEntry tensor = m_data.tensors[m_shift + each.tensor.position()];
            const std::string source = tensor.name;
            tensor.name = prefix + each.name;
            tensor.aliasOf.reset();
            if (std::ranges::find(m_beside, tensor.name, &TensorEntry::name) != m_beside.end()) {
                return fail(ErrorCode::Unsupported, "Two adapters add the same tensor to the model")
                    .inTensor(tensor.name);
            }
            m_beside.push_back(std::move(tensor));
        }
        m_folded->decisions.push_back(
            {DecisionId::TensorsAdded,
             sentence("%1: %2", absolutePlace(member.path).string(),
                      counting(added.size(), "tensor")),
             sentence("Trained beside the adapter; the base has none of %1",
                      m_beside.back().name.substr(0, m_beside.back().name.rfind('.')))});
        return {};
    }

    /// What all stored names of the base have in front of the model's.
    [[nodiscard]] Result<std::string> prefixOfBase() const {
        std::optional<std::string> prefix;
        for (const NamedTensor& each : m_names) {
            const std::string& stored = m_source->tensor(each.tensor).name;
            const bool ends = stored.ends_with(each.name);
            const std::string own =
                ends ? stored.substr(0, stored.size() - each.name.size()) : std::string();
            if (!ends || (prefix && *prefix != own)) {
                return fail(ErrorCode::Unsupported,
                            "The adapter adds tensors to the model, and the base's names are not "
                            "those of one model")
                    .inTensor(stored)
                    .expecting(verbatim(each.name));
            }
            prefix = own;
        }
        return prefix.value_or(std::string());
    }

    /// Adds operations to the recipe of a tensor.
    void apply(const CheckpointPtr& adapter, const std::vector<AdapterOperation>& operations,
               TensorEntry& tensor, ElementRecipe& recipe, std::optional<TensorIndex> index) {
        Dtype& stored =
            index ? m_stored.try_emplace(*index, tensor.dtype).first->second : m_headDtype;
        recipe.folded = stored;
        for (const AdapterOperation& operation : operations) {
            if (operation.kind == AdapterOperation::Kind::Replace) {
                const TensorEntry& values = m_data.tensors[m_shift + operation.values.position()];
                tensor.dtype = values.dtype;
                tensor.shape = values.shape;
                tensor.pieces = values.pieces;
                tensor.aliasOf.reset();
                recipe.steps.clear();
            } else {
                m_longChains = m_longChains || operation.rank > kLongestChain;
                recipe.steps.push_back({adapter, operation});
            }
        }
    }

    /// The head of a tied model as a tensor of its own: until now, the embedding.
    TensorEntry& unstoredHead() {
        if (m_added.empty()) {
            m_added.push_back(m_source->tensor(m_tied->embedding));
            m_added.back().name = storedHeadName();
            m_added.back().aliasOf.reset();
            m_headDtype = m_added.back().dtype;
        }
        return m_added.front();
    }

    /// The head's name with the prefix that the embedding's has in the checkpoint.
    [[nodiscard]] std::string storedHeadName() const {
        const std::string& stored = m_source->tensor(m_tied->embedding).name;
        for (const NamedTensor& each : m_names) {
            if (each.tensor == m_tied->embedding && stored.ends_with(each.name)) {
                return stored.substr(0, stored.size() - each.name.size()) + m_tied->headName;
            }
        }
        return m_tied->headName;
    }

    Result<void> noteTied(TensorIndex tensor, const std::vector<AdapterOperation>& operations,
                          bool changesBoth) {
        const bool rowsOnly = std::ranges::all_of(operations, [](const AdapterOperation& each) {
            return each.kind == AdapterOperation::Kind::Rows;
        });
        const auto named = std::ranges::find(m_names, tensor, &NamedTensor::tensor);
        if (!rowsOnly && !changesBoth && named != m_names.end() &&
            m_ties->isTiedElsewhere(named->name, tensor)) {
            return m_ties->tiedElsewhere(named->name);
        }
        const bool isTied = m_tied && (tensor == m_tied->embedding || tensor == m_tied->head);
        m_touchesTied = m_touchesTied || (isTied && !rowsOnly);
        return {};
    }

    /// If one of two tied tensors changes, the other one stays as it was: in training, too, the
    /// adapter's part was added to the output of the one.
    Result<void> untie() {
        if (m_tiesWeights && m_touchesTied) { // trained as one: the head's change is the same
            m_added.clear();
            m_headRecipe = {};
            return {};
        }
        const bool headAlone = !m_added.empty();
        if (!m_tied || (!m_touchesTied && !headAlone)) {
            return {};
        }
        if (!m_tied->head) {
            unstoredHead();
        } else {
            m_data.tensors[m_tied->head->position()].aliasOf.reset();
        }
        m_data.tensors[m_tied->embedding.position()].aliasOf.reset();
        const Sentence changed = headAlone ? Sentence("head") : "embedding";
        m_folded->decisions.push_back(
            {DecisionId::TiedSeparated,
             sentence("untied: %1 is written on its own", m_tied->headName),
             sentence(
                 "The adapter changes the %1 alone, while the config ties it to the other; the "
                 "model with the adapter computes with both, which one tensor cannot express",
                 changed)});
        return setConfig("tie_word_embeddings", false);
    }

    Result<void> checkVocabulary() {
        if (!m_vocabulary) {
            return {};
        }
        const auto check = [&](const TensorEntry& entry) -> Result<void> {
            if (entry.shape.size() == 2 && entry.shape[0] != *m_vocabulary) {
                return fail(ErrorCode::Unsupported,
                            "The embedding and the head would have different numbers of rows")
                    .inTensor(entry.name)
                    .butFound(verbatim(formatDims(entry.shape)))
                    .expecting(sentence("%1 rows", *m_vocabulary));
            }
            return {};
        };
        for (const NamedTensor& each : m_names) {
            if (isVocabularyTensor(each.name)) {
                CAIRN_CHECK(check(m_data.tensors[each.tensor.position()]));
            }
        }
        for (const TensorEntry& added : m_added) {
            CAIRN_CHECK(check(added));
        }
        return setConfig("vocab_size", *m_vocabulary);
    }

    Result<void> setConfig(const std::string& field, const Json& value) {
        const auto found = std::ranges::find(m_sidecars, "config.json", &Sidecar::name);
        if (found == m_sidecars.end()) {
            return {};
        }
        Json config = Json::parse(asText(found->bytes), nullptr, false);
        if (!config.is_object()) {
            return {};
        }
        if (!setField(config, field, value)) {
            config[field] = value;
        }
        const std::string text = config.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
        const auto bytes = asBytes(text);
        found->bytes.assign(bytes.begin(), bytes.end());
        m_folded->decisions.push_back({DecisionId::ConfigFollowsAdapter,
                                       sentence("%1: %2", field, value.dump()),
                                       "Follows from the adapter"});
        return {};
    }

    void decide(std::size_t all) {
        std::erase_if(m_folded->recipes,
                      [](const auto& each) { return each.second.steps.empty(); });
        for (const auto& [tensor, dtype] : m_stored) {
            if (m_data.tensors[tensor.position()].dtype != dtype) {
                m_folded->dtypes.emplace(tensor, dtype);
            }
        }
        if (!m_added.empty()) {
            const TensorIndex head(m_kept);
            if (!m_headRecipe.steps.empty()) {
                m_headRecipe.folded = m_headDtype;
                m_folded->recipes.emplace(head, m_headRecipe);
            }
            if (m_added.front().dtype != m_headDtype) {
                m_folded->dtypes.emplace(head, m_headDtype);
            }
        }
        for (const FoldedAdapter& each : m_folded->adapters) {
            Sentence value = sentence("%1: %2 changed", absolutePlace(each.path).string(),
                                      counting(each.tensors, "tensor"));
            value = sentence("%1%2", value,
                             each.scale == 1 ? Sentence()
                                             : sentence(", times %1", Json(each.scale).dump()));
            m_folded->decisions.push_back({DecisionId::AdapterFolded, value, ""});
        }
        m_folded->decisions.push_back(
            {DecisionId::Folded,
             sentence("%1 of %2 tensors changed, none lost", m_folded->changed.size(), all),
             m_request.roundsChanges
                 ? Sentence(
                       "Each change is rounded to the weight's dtype before it is added, as with "
                       "PEFT's safe_merge")
                 : "Computed in float32 in the order of PEFT's merge on a processor, rounded once; "
                   "all other tensors are copied"});
        if (!m_added.empty() && m_headChanges) {
            m_folded->changed.insert(TensorIndex(m_kept));
        }
        if (m_longChains) {
            m_folded->decisions.push_back(
                {DecisionId::LongChains, "added in blocks",
                 "PEFT's order of additions then depends on the processor, and with it the last "
                 "bit of some elements"});
        }
    }

    const CheckpointPtr& m_source;
    const JobRequest& m_request;
    const std::vector<AdapterMember>& m_adapters;
    std::vector<Sidecar>& m_sidecars;
    const CancelToken& m_cancel;
    CheckpointData m_data; ///< the source's, then what the adapters append
    std::size_t m_kept = m_data.tensors.size();
    std::vector<NamedTensor> m_names;
    std::optional<ModelConfig> m_config;
    AdapterBase m_base;
    std::optional<BaseTies> m_ties;
    std::optional<TiedHead> m_tied;
    std::shared_ptr<FoldedSource> m_folded = std::make_shared<FoldedSource>();
    std::map<TensorIndex, Dtype> m_stored; ///< before the adapters
    std::uint32_t m_shift = 0;             ///< of the current adapter's tensors in m_data
    std::vector<TensorEntry> m_added;      ///< the head of a tied model
    std::vector<TensorEntry> m_beside;     ///< those that only adapters' folders have
    ElementRecipe m_headRecipe;
    Dtype m_headDtype{};
    bool m_headChanges = false;
    bool m_touchesTied = false;
    bool m_tiesWeights = false;
    bool m_longChains = false;
    std::optional<std::int64_t> m_vocabulary;
};

} // namespace

Result<std::shared_ptr<const FoldedSource>>
foldAdapters(const CheckpointPtr& source, const JobRequest& request,
             const std::vector<AdapterMember>& adapters, std::vector<Sidecar>& sidecars,
             const Value* values, const CancelToken& cancel) {
    return AdapterFold(source, request, adapters, sidecars, cancel).run(values);
}

} // namespace cairn
