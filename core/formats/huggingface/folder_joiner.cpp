// SPDX-License-Identifier: Apache-2.0
#include "core/formats/huggingface/folder_joiner.h"

#include "core/formats/common/folder_notices.h"
#include "core/formats/common/json_values.h"
#include "core/formats/common/member_joiner.h"
#include "core/formats/huggingface/deepspeed_save.h"
#include "core/formats/huggingface/folder_kind.h"
#include "core/formats/huggingface/framework.h"
#include "core/formats/huggingface/index_check.h"
#include "core/formats/huggingface/loose_weights.h"
#include "core/formats/huggingface/members.h"
#include "core/formats/huggingface/part_check.h"
#include "core/formats/huggingface/parts.h"
#include "core/formats/huggingface/second_saves.h"
#include "core/formats/huggingface/step_check.h"
#include "core/formats/huggingface/weight_index.h"
#include "core/formats/huggingface/weight_names.h"
#include "core/formats/huggingface/weight_source.h"
#include "core/model/names/shard_name.h"
#include "core/model/role_decision.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>

namespace cairn::formats::huggingface {
namespace {

constexpr std::uint64_t kMaxDocument = std::uint64_t{64} << 20U;
constexpr std::uint64_t kMaxIndex = std::uint64_t{512} << 20U;
class FolderJoiner {
public:
    explicit FolderJoiner(const OpenRequest& request)
        : m_request(request), m_members(sortMembers(request.entries)),
          m_joiner(request, "huggingface"), m_data(m_joiner.data()) {}

    Result<CheckpointPtr> join() {
        readDocuments();
        CAIRN_CHECK(addWeights());
        CAIRN_CHECK(addLoose());
        CAIRN_CHECK(addAdapters());
        CAIRN_CHECK(addStates());
        CAIRN_CHECK(checkDeepspeedSave());
        if (m_joiner.members().empty() && m_documents.empty() && m_joiner.firstError()) {
            return *m_joiner.firstError();
        }
        noteLeftovers();
        compareSteps();
        if (std::string known = frameworkOf(m_members, m_documents, m_adapters); !known.empty()) {
            m_data.framework = std::move(known);
        }
        if (m_members.ranks > 1) {
            m_data.worldSize = m_members.ranks;
        }
        for (ValueItem& document : m_documents) {
            m_joiner.addDocument(std::move(document.key), std::move(document.value));
        }
        return Checkpoint::make(std::move(m_joiner).finish());
    }

private:
    using Documents = std::vector<ValueItem>;

    FileIndex addFile(const std::string& name, const ByteSource* source, Role role) {
        CheckpointFile file;
        file.path = name;
        file.folder = m_request.folder;
        file.role = role;
        file.missing = source == nullptr;
        if (source != nullptr) {
            file.identity = source->identity();
        }
        return m_data.addFile(std::move(file));
    }

    void readDocuments() {
        for (const std::string& name : m_members.documents) {
            auto source = m_request.folder->openFile(name);
            auto json = source ? readJsonFile(**source, kMaxDocument)
                               : Result<JsonValue>(std::move(source).error());
            if (!json) {
                addNotice(m_data, Severity::Warning, std::move(json).error());
                continue;
            }
            const Role role = name == "trainer_state.json" ? Role::TrainingState : Role::Other;
            addFile(name, source->get(), role);
            if (name == "trainer_state.json") {
                readPosition(*json);
            } else if (name == "model_index.json") {
                m_parts = partsOfPipeline(*json);
            }
            m_documents.push_back({Value(stemOf(name)), valueFromJson(*json)});
        }
        if (m_members.modules && !m_members.pipeline) {
            m_parts = readModules(m_data, m_request);
        }
    }

    void readPosition(const JsonValue& state) {
        if (const JsonValue* step = state.find("global_step")) {
            if (const auto value = step->asInteger()) {
                m_data.step = *value;
            }
        }
        readRates(state);
        if (const JsonValue* epoch = state.find("epoch")) {
            if (const auto value = epoch->asReal(); value && *value >= 0 && *value < 1e15) {
                m_data.epoch = *value;
            }
        }
    }

    void readRates(const JsonValue& state) {
        const JsonValue* log = state.find("log_history");
        for (const JsonValue& row :
             log != nullptr ? log->elements() : std::span<const JsonValue>()) {
            const JsonValue* step = row.find("step");
            const JsonValue* rate = row.find("learning_rate");
            if (step == nullptr || rate == nullptr) {
                continue;
            }
            const auto at = step->asInteger();
            const auto value = rate->asReal();
            if (at && value) {
                m_rates[*at] = *value;
            }
        }
    }

    Result<void> addWeights() {
        if (!m_members.weights) {
            if (m_members.pipeline) {
                return {};
            }
            if (!m_members.unread.empty()) { // ZeRO 3: the weights are in DeepSpeed's own save
                const std::string save = newestSave(m_data, m_request, m_members.unread);
                std::erase(m_members.unread, save);
                m_haveWeights = true;
                m_weightsOfDeepSpeed = true;
                return addMember(save, {}, std::nullopt, true);
            }
            return {}; // unless a component has them
        }
        m_haveWeights = true;
        CAIRN_CHECK(addSource(*m_members.weights));
        return m_members.adapter ? addSource(*m_members.adapter) : Result<void>();
    }

    Result<void> addSource(const WeightSource& weights) {
        if (!weights.index.empty()) {
            return addIndexed(weights.index);
        }
        if (!weights.expectedIndex.empty()) {
            addNotice(m_data, Severity::Error,
                      fail(ErrorCode::MissingIndex, "The index of these shards is missing")
                          .inFile(weights.expectedIndex)
                          .withHint("All existing shards were read"));
            return addShardsWithoutIndex(weights.files);
        }
        for (const std::string& name : weights.files) {
            CAIRN_CHECK(addMember(name, {}, std::nullopt, true));
        }
        return {};
    }

    /// Files of weights beside the chosen ones: read when they hold others, such as a value head.
    Result<void> addLoose() {
        std::set<std::string> used;
        for (const CheckpointFile& file : m_data.files) {
            used.insert(file.path);
        }
        std::erase_if(m_members.loose, [&](const auto& name) { return used.contains(name); });
        // An average is that of a model, which may be loose, too.
        std::stable_partition(m_members.loose.begin(), m_members.loose.end(), [](const auto& name) {
            return weightNameOf(name) != WeightName::Average;
        });
        ChosenWeights chosen;
        std::size_t seen = 0;
        for (const std::string& name : m_members.loose) {
            CAIRN_CHECK(m_request.cancel.check());
            auto opened = m_request.openNested(name);
            if (!opened) {
                CAIRN_CHECK(takeLooseFailure(name, std::move(opened).error()));
                continue;
            }
            chosen.add(std::span(m_data.tensors).subspan(seen));
            seen = m_data.tensors.size();
            const Comparison found = chosen.compare(**opened);
            const WeightName kind = weightNameOf(name);
            if (kind == WeightName::Average && m_haveWeights) {
                CAIRN_CHECK(takeMember(name, ownStem(name, chosen), Role::Ema, true, *opened));
                seen = m_data.tensors.size(); // nothing is a copy of these
            } else if (found.likeness == Likeness::Others) {
                CAIRN_CHECK(takeMember(name, {}, std::nullopt, true, *opened));
                m_haveWeights = true;
            } else if (kind == WeightName::Own && found.likeness != Likeness::CopyAndMore) {
                const std::string stem = ownStem(name, chosen);
                CAIRN_CHECK(takeMember(name, stem, std::nullopt, true, *opened));
                seen = m_data.tensors.size();
                addNotice(
                    m_data, Severity::Info,
                    fail(ErrorCode::StrayFile, "Weights with duplicate names: shown under " + stem)
                        .inFile(name)
                        .withHint("Leave them out if they are a copy"));
            } else {
                if (kind == WeightName::Same) {
                    m_members.copies.push_back(name); // to be compared
                }
                if (kind != WeightName::Same || found.likeness == Likeness::CopyAndMore) {
                    addNotice(m_data, Severity::Warning, unreadWeights(name, found));
                }
            }
        }
        return {};
    }

    /// What goes in front of the tensors of a file that is something of its own.
    std::string ownStem(const std::string& name, const ChosenWeights& chosen) {
        std::string stem = stemOf(name);
        return !chosen.anyBelow(stem + ".") && m_stems.insert(stem).second ? stem : name;
    }

    /// What would not be read if it could be stops nobody: a copy, a link to somewhere else.
    Result<void> takeLooseFailure(const std::string& name, Error error) {
        const bool copy = isModelName(name) && m_haveWeights;
        if (error.code == ErrorCode::Cancelled ||
            (!copy && error.code != ErrorCode::OutsideFolder)) {
            return takeFailure(name, std::move(error), true);
        }
        addNotice(
            m_data, Severity::Warning,
            fail(ErrorCode::StrayFile, "Weights that cannot be read, possibly a copy of others")
                .inFile(name)
                .butFound(std::move(error.message)));
        return {};
    }

    /// What PEFT saved beside (or instead of) the default adapter, each under its own name.
    Result<void> addAdapters() {
        std::vector<std::string> names;
        for (const std::string& name : m_members.folders) {
            const auto folder = m_request.folder->openFolder(name);
            const auto entries = folder ? (*folder)->list() : Result<std::vector<FolderEntry>>();
            if (folder && entries && isAdapterFolder(*entries)) {
                names.push_back(name);
            }
        }
        const bool only = names.size() == 1 && !m_haveWeights; // then under PEFT's own names
        for (const std::string& name : names) {
            m_stems.insert(name);
            CAIRN_CHECK(addMember(name, only ? std::string() : name, std::nullopt, true));
        }
        m_haveWeights = m_haveWeights || !names.empty();
        m_adapters = !names.empty();
        return {};
    }

    /// The weights are here; DeepSpeed's own save is what the Trainer would continue from.
    Result<void> checkDeepspeedSave() {
        if (m_weightsOfDeepSpeed) {
            return {};
        }
        const std::string save = newestSave(m_data, m_request, m_members.unread);
        return save.empty() ? Result<void>() : noteSave(m_data, m_request, save);
    }

    /// Without an index only the names record whether a shard is missing.
    Result<void> addShardsWithoutIndex(const std::vector<std::string>& files) {
        std::set<std::uint32_t> seen;
        std::optional<ShardName> like;
        for (const std::string& name : files) {
            like = splitShardName(name);
            if (like) {
                seen.insert(like->index);
            }
            CAIRN_CHECK(addMember(name, {}, std::nullopt, true));
        }
        const std::uint32_t first = seen.contains(0) ? 0 : 1; // some count from 0
        for (std::uint32_t i = first; like && i < first + like->count; ++i) {
            if (!seen.contains(i)) {
                addMissing(shardNameOf(*like, i), 0);
            }
        }
        return {};
    }

    void addMissing(const std::string& name, std::size_t tensors) {
        Error error = fail(ErrorCode::MissingShard, "A shard of this checkpoint is missing")
                          .inFile(name)
                          .withHint("Copy it from where the checkpoint was saved");
        if (tensors != 0) {
            error.found = std::to_string(tensors) + " tensors, according to the index";
        }
        addNotice(m_data, Severity::Error, std::move(error));
        markIncomplete(m_data, "The shard " + name + " is missing");
        addFile(name, nullptr, Role::Weight);
    }

    Result<void> addIndexed(const std::string& indexName) {
        auto source = m_request.folder->openFile(indexName);
        auto json = source ? readJsonFile(**source, kMaxIndex)
                           : Result<JsonValue>(std::move(source).error());
        auto index = json ? parseWeightIndex(*json, indexName)
                          : Result<WeightIndex>(std::move(json).error());
        if (!index) {
            if (index.error().code == ErrorCode::OutsideFolder) {
                return std::move(index).error();
            }
            return addWithBrokenIndex(indexName, std::move(index).error());
        }
        addFile(indexName, source->get(), Role::Other);
        for (Notice& notice : index->notices) {
            markIncomplete(m_data, "The index contradicts itself");
            addNotice(m_data, notice.severity, std::move(notice.error));
        }
        std::vector<std::size_t> named(index->files.size());
        for (const auto& [tensor, place] : index->places) {
            ++named[place];
        }
        std::vector<std::uint32_t> shardOf; // for each tensor, its position in the index's files
        for (std::uint32_t i = 0; i < index->files.size(); ++i) {
            const std::string& name = index->files[i];
            if (m_request.folder->hasFile(name)) {
                CAIRN_CHECK(addMember(name, {}, std::nullopt, true));
            } else if (auto opened = m_request.folder->openFile(name);
                       !opened && opened.error().code != ErrorCode::NotFound) {
                // a link that leads outside, a pipe, no permission
                CAIRN_CHECK(takeFailure(name, std::move(opened).error(), true));
            } else {
                addMissing(name, named[i]);
            }
            shardOf.resize(m_data.tensors.size(), i);
        }
        compareWithIndex(m_data, *index, indexName, std::move(shardOf));
        return {};
    }

    /// An index that cannot be used does not hide the shards.
    Result<void> addWithBrokenIndex(const std::string& indexName, Error error) {
        CAIRN_CHECK(takeFailure(indexName, std::move(error), true));
        const bool safetensors = indexName.find(".safetensors.") != std::string::npos;
        std::vector<std::string> shards;
        for (const FolderEntry& entry : m_request.entries) {
            const auto parts = splitShardName(entry.name);
            if (parts && (parts->suffix == ".safetensors") == safetensors) {
                shards.push_back(entry.name);
            }
        }
        return addShardsWithoutIndex(shards);
    }

    /// A pipeline's folders without weights hold tokenizers and settings.
    bool isComponent(const std::string& name) const {
        const auto folder = m_request.folder->openFolder(name);
        const auto entries = folder ? (*folder)->list() : Result<std::vector<FolderEntry>>();
        return folder && entries && isHuggingFaceFolder(*entries);
    }

    Result<void> addStates() {
        std::size_t components = 0;
        for (const StateMember& state : m_members.states) {
            CAIRN_CHECK(m_request.cancel.check());
            const auto role = state.role == Role::Weight ? std::nullopt : std::optional(state.role);
            if (state.component && !isComponent(state.name)) {
                if (m_members.savedState &&
                    m_request.folder->hasFile(state.name + "/config.json")) {
                    notePart(m_data, {state.name, {}, true}, true);
                }
                continue;
            }
            components += state.component ? 1 : 0;
            // optimizer.pt and optimizer.bin in one folder: the second goes by its complete name
            const bool fresh = m_stems.insert(state.stem).second;
            CAIRN_CHECK(addMember(state.name, fresh ? state.stem : state.name, role, state.known));
        }
        if (!m_haveWeights && !m_members.pipeline && components == 0) {
            markIncomplete(m_data, "No weights in this folder");
        }
        return noteParts(m_data, m_request, m_parts);
    }

    /// Opens a member as a checkpoint of its own and adds it under `stem`; a failure is a notice.
    Result<void> addMember(const std::string& name, const std::string& stem,
                           std::optional<Role> role, bool needed) {
        CAIRN_CHECK(m_request.cancel.check());
        auto nested = m_request.openNested(name);
        if (!nested) {
            return takeFailure(name, std::move(nested).error(), needed);
        }
        return takeMember(name, stem, role, needed, *nested);
    }

    /// A file of weights is a model's state dict: words for training's state are its modules.
    void keepModelRoles(std::size_t first) {
        for (std::size_t i = first; i < m_data.tensors.size(); ++i) {
            TensorEntry& tensor = m_data.tensors[i];
            if (tensor.roleBasis == RoleBasis::Name) {
                tensor.role = modelRole(tensor.name);
                tensor.roleBasis = RoleBasis::Structure;
            }
        }
    }

    Result<void> takeMember(const std::string& name, const std::string& stem,
                            std::optional<Role> role, bool needed, const CheckpointPtr& opened) {
        CAIRN_TRY(const auto* member, m_joiner.take(name, opened,
                                                    {.key = stem,
                                                     .role = role,
                                                     .isFolder = !m_request.folder->hasFile(name),
                                                     .needed = needed}));
        if (stem.empty()) {
            keepModelRoles(member->firstTensor);
            for (std::size_t i = member->firstFile; i < m_data.files.size(); ++i) {
                m_data.files[i].role = Role::Weight;
            }
        }
        if (role) {
            m_states.push_back({name, stem, opened});
        } else if (stem.empty()) {
            m_taken.push_back({name, opened});
        }
        return {};
    }

    void compareSteps() {
        SavedSteps saved;
        saved.trainer = m_members.trainer ? m_data.step : std::nullopt;
        saved.rates = std::move(m_rates);
        saved.ranks = m_members.ranks;
        saved.deepSpeed = !m_members.unread.empty();
        checkSteps(m_data, m_request, saved, m_states);
    }

    /// A name that leads out of the folder is refused: the index or the user asked for it.
    Result<void> takeFailure(const std::string& name, Error error, bool needed) {
        return error.code == ErrorCode::OutsideFolder
                   ? std::move(error)
                   : m_joiner.takeFailure(name, std::move(error), needed);
    }

    void noteLeftovers() {
        std::set<std::string_view> used;
        for (const CheckpointFile& file : m_data.files) {
            used.insert(file.path);
        }
        std::erase_if(m_members.copies,
                      [&](const std::string& name) { return used.contains(name); });
        noteSecondSaves(m_data, m_request, m_taken, m_members.copies);
        const bool base = m_request.folder->hasFile("config.json"); // else it may be a value head
        if (m_members.weights && m_members.adapter && base) {
            noteAdapter(m_data, m_members.adapter->files);
        }
        for (const std::string& name : m_members.unread) {
            addNotice(m_data, Severity::Info,
                      fail(ErrorCode::StrayFile, "Training state that is not shown here")
                          .inFile(name)
                          .withHint("Open that folder separately"));
        }
    }

    const OpenRequest& m_request;
    Members m_members;
    MemberJoiner m_joiner;
    CheckpointData& m_data; ///< the joiner's
    Documents m_documents;
    std::vector<ModelPart> m_parts;
    std::vector<OpenedState> m_states;
    std::vector<SelectedWeights> m_taken; ///< under their own names
    std::set<std::string> m_stems;
    std::map<std::int64_t, double> m_rates; ///< logged learning rates, by step
    bool m_haveWeights = false;
    bool m_weightsOfDeepSpeed = false;
    bool m_adapters = false; ///< in sub-folders
};

} // namespace

Result<CheckpointPtr> joinFolder(const OpenRequest& request) {
    return FolderJoiner(request).join();
}

} // namespace cairn::formats::huggingface
