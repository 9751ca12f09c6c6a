// SPDX-License-Identifier: Apache-2.0
#include "core/formats/huggingface/folder_joiner.h"

#include "core/formats/common/members/folder_notices.h"
#include "core/formats/common/text/json_values.h"
#include "core/formats/huggingface/deepspeed_save.h"
#include "core/formats/huggingface/folder_kind.h"
#include "core/formats/huggingface/loose_weights.h"
#include "core/formats/huggingface/member_adder.h"
#include "core/formats/huggingface/members.h"
#include "core/formats/huggingface/part_check.h"
#include "core/formats/huggingface/parts.h"
#include "core/formats/huggingface/weight_members.h"
#include "core/formats/huggingface/weight_names.h"
#include "core/model/saved_values.h"
#include "core/model/value.h"

#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace cairn::formats::huggingface {
namespace {

/// The contents of a folder's small JSON files.
struct FolderDocuments {
    std::vector<ValueItem> values;        ///< each under its stem
    std::vector<ModelPart> parts;         ///< listed in the model's own document
    std::map<std::int64_t, double> rates; ///< learning rates that the Trainer logged, by step
};

constexpr std::uint64_t kMaxDocument = std::uint64_t{64} << 20U;

void readPosition(const JsonValue& state, CheckpointData& data) {
    if (const JsonValue* step = state.find("global_step")) {
        if (const auto value = step->asInteger()) {
            data.step = *value;
        }
    }
    if (const JsonValue* epoch = state.find("epoch")) {
        if (const auto value = epoch->asReal(); value && *value >= 0 && *value < 1e15) {
            data.epoch = *value;
        }
    }
}

/// The learning rates that the Trainer logged, by step.
std::map<std::int64_t, double> loggedRates(const JsonValue& state) {
    std::map<std::int64_t, double> rates;
    const JsonValue* log = state.find("log_history");
    for (const JsonValue& row : log != nullptr ? log->elements() : std::span<const JsonValue>()) {
        const JsonValue* step = row.find("step");
        const JsonValue* rate = row.find("learning_rate");
        if (step == nullptr || rate == nullptr) {
            continue;
        }
        const auto at = step->asInteger();
        const auto value = rate->asReal();
        if (at && value) {
            rates[*at] = *value;
        }
    }
    return rates;
}

/// Reads them; sets the checkpoint's step and epoch from trainer_state.json. In place of one that
/// cannot be read is an unreadableValue().
FolderDocuments readDocuments(MemberAdder& members, const Members& names) {
    FolderDocuments documents;
    CheckpointData& data = members.data();
    for (const std::string& name : names.documents) {
        const auto source = members.request().folder->openFile(name);
        auto json = readJsonFile(source, kMaxDocument);
        if (!json && json.error().code == ErrorCode::LimitExceeded) {
            addNotice(data, Severity::Warning, std::move(json).error());
            continue;
        }
        if (!json) {
            Error error = std::move(json).error();
            error.where.file = name;
            documents.values.push_back({Value(stemOf(name)), unreadableValue(error)});
            addNotice(data, Severity::Warning, std::move(error));
            continue;
        }
        const Role role = name == "trainer_state.json" ? Role::TrainingState : Role::Other;
        members.addFile(name, source->get(), role);
        if (name == "trainer_state.json") {
            readPosition(*json, data);
            documents.rates = loggedRates(*json);
        } else if (name == "model_index.json") {
            documents.parts = partsOfPipeline(*json);
        }
        documents.values.push_back({Value(stemOf(name)), valueFromJson(*json)});
    }
    if (names.modules && !names.pipeline) {
        documents.parts = readModules(data, members.request());
    }
    return documents;
}

/// The framework that wrote the folder, judged by its files and documents (each under its stem);
/// `adapters`: PEFT adapters are in sub-folders. Empty: unknown.
std::string frameworkOf(const Members& members, std::span<const ValueItem> documents,
                        bool adapters) {
    const auto document = [&](std::string_view stem) -> const Value* {
        for (const ValueItem& item : documents) {
            if (*item.key.asString() == stem) {
                return &item.value;
            }
        }
        return nullptr;
    };
    const Value* config = document("config");
    if (members.pipeline) {
        return "diffusers";
    }
    if (document("adapter_config") != nullptr || adapters) {
        return "peft";
    }
    if (config != nullptr && config->find("_diffusers_version") != nullptr) {
        return "diffusers";
    }
    const bool transformers =
        config != nullptr &&
        (config->find("transformers_version") != nullptr || config->find("model_type") != nullptr);
    return members.trainer || transformers ? "transformers" : "";
}

class FolderJoiner {
public:
    explicit FolderJoiner(const OpenRequest& request)
        : m_request(request), m_names(sortMembers(request.entries)), m_members(request),
          m_data(m_members.data()) {}

    Result<CheckpointPtr> join() {
        m_documents = readDocuments(m_members, m_names);
        CAIRN_CHECK(addWeights());
        CAIRN_CHECK(addLoose());
        CAIRN_CHECK(addAdapters());
        CAIRN_CHECK(addStates());
        CAIRN_CHECK(checkDeepspeedSave());
        MemberJoiner& joiner = m_members.joiner();
        if (joiner.members().empty() && m_documents.values.empty() && joiner.firstError()) {
            return *joiner.firstError();
        }
        noteLeftovers();
        compareSteps();
        if (std::string known = frameworkOf(m_names, m_documents.values, m_adapters);
            !known.empty()) {
            m_data.framework = std::move(known);
        }
        if (m_names.ranks > 1) {
            m_data.worldSize = m_names.ranks;
        }
        for (ValueItem& document : m_documents.values) {
            joiner.addDocument(std::move(document.key), std::move(document.value));
        }
        return Checkpoint::make(std::move(joiner).finish());
    }

private:
    Result<void> addWeights() {
        if (m_names.weights) {
            m_haveWeights = true;
            CAIRN_CHECK(addWeightSource(m_members, *m_names.weights));
            return m_names.adapter ? addWeightSource(m_members, *m_names.adapter) : Result<void>();
        }
        if (m_names.pipeline || m_names.unread.empty()) {
            return {}; // the components may have some
        }
        // ZeRO 3: the weights are in DeepSpeed's own save.
        const std::string save = newestSave(m_data, m_request, m_names.unread);
        std::erase(m_names.unread, save);
        m_haveWeights = true;
        m_weightsOfDeepSpeed = true;
        return m_members.add(save);
    }

    /// Adds weight files other than the chosen ones if they contain further weights, such as a
    /// value head.
    Result<void> addLoose() {
        const auto used = m_members.paths();
        std::erase_if(m_names.loose, [&](const auto& name) { return used.contains(name); });
        // Averages come last, because the model that they belong to may be a loose file, too.
        std::stable_partition(m_names.loose.begin(), m_names.loose.end(), [](const auto& name) {
            return weightNameOf(name) != WeightName::Average;
        });
        ChosenWeights chosen;
        std::size_t seen = 0;
        for (const std::string& name : m_names.loose) {
            CAIRN_CHECK(m_request.cancel.check());
            const auto opened = m_request.openNested(name);
            if (!opened) {
                CAIRN_CHECK(takeLooseFailure(name, opened.error()));
                continue;
            }
            chosen.add(std::span(m_data.tensors).subspan(seen));
            seen = m_data.tensors.size();
            CAIRN_TRY(const Taken taken, takeLoose(name, *opened, chosen));
            if (taken == Taken::UnderStem) {
                seen = m_data.tensors.size(); // nothing is a copy of these
            }
        }
        return {};
    }

    enum class Taken { No, UnderOwnNames, UnderStem };

    /// `chosen`: all weights that were added before.
    Result<Taken> takeLoose(const std::string& name, const CheckpointPtr& opened,
                            const ChosenWeights& chosen) {
        const Comparison found = chosen.compare(*opened);
        const WeightName kind = weightNameOf(name);
        if (kind == WeightName::Average && m_haveWeights) {
            CAIRN_CHECK(
                m_members.take(name, opened, {.key = ownStem(name, chosen), .role = Role::Ema}));
            return Taken::UnderStem;
        }
        if (found.likeness == Likeness::Others) {
            CAIRN_CHECK(m_members.take(name, opened));
            m_haveWeights = true;
            return Taken::UnderOwnNames;
        }
        if (kind == WeightName::Own && found.likeness != Likeness::CopyAndMore) {
            const std::string stem = ownStem(name, chosen);
            CAIRN_CHECK(m_members.take(name, opened, {.key = stem}));
            addNotice(m_data, Severity::Info,
                      fail(ErrorCode::StrayFile,
                           sentence("Weights with duplicate names: shown under %1", stem))
                          .inFile(name)
                          .withHint("Leave them out if they are a copy"));
            return Taken::UnderStem;
        }
        if (kind == WeightName::Same) {
            m_names.copies.push_back(name); // compared later
        }
        if (kind != WeightName::Same || found.likeness == Likeness::CopyAndMore) {
            addNotice(m_data, Severity::Warning, unreadWeights(name, found));
        }
        return Taken::No;
    }

    /// Prefix for the tensors of a file that is not part of the model.
    std::string ownStem(const std::string& name, const ChosenWeights& chosen) {
        std::string stem = stemOf(name);
        return !chosen.anyBelow(stem + ".") && m_stems.insert(stem).second ? stem : name;
    }

    /// Errors of files that would not be used anyway do not matter: copies, links to somewhere
    /// else.
    Result<void> takeLooseFailure(const std::string& name, Error error) {
        const bool copy = isModelName(name) && m_haveWeights;
        if (error.code == ErrorCode::Cancelled ||
            (!copy && error.code != ErrorCode::OutsideFolder)) {
            return m_members.takeFailure(name, std::move(error));
        }
        addNotice(
            m_data, Severity::Warning,
            fail(ErrorCode::StrayFile, "Weights that cannot be read, possibly a copy of others")
                .inFile(name)
                .butFound(std::move(error.message)));
        return {};
    }

    /// Adds PEFT's adapters other than the default one, each with its name as prefix.
    Result<void> addAdapters() {
        std::vector<std::string> names;
        for (const std::string& name : m_names.folders) {
            const auto entries = entriesOf(m_request.folder->openFolder(name));
            if (entries && isAdapterFolder(*entries)) {
                names.push_back(name);
            }
        }
        const bool only = names.size() == 1 && !m_haveWeights; // then with PEFT's names
        for (const std::string& name : names) {
            m_stems.insert(name);
            CAIRN_CHECK(m_members.add(name, {.key = only ? std::string() : name}));
        }
        m_haveWeights = m_haveWeights || !names.empty();
        m_adapters = !names.empty();
        return {};
    }

    /// The folders of a pipeline without weights contain tokenizers and settings.
    [[nodiscard]] bool isComponent(const std::string& name) const {
        const auto entries = entriesOf(m_request.folder->openFolder(name));
        return entries && isHuggingFaceFolder(*entries);
    }

    Result<void> addStates() {
        std::size_t components = 0;
        for (const StateMember& state : m_names.states) {
            CAIRN_CHECK(m_request.cancel.check());
            if (state.component && !isComponent(state.name)) {
                if (m_names.savedState && m_request.folder->hasFile(state.name + "/config.json")) {
                    notePart(m_data, {.folder = state.name, .className = {}},
                             PartState::WithoutWeights);
                }
                continue;
            }
            components += state.component ? 1 : 0;
            // optimizer.pt and optimizer.bin in one folder: the second uses its complete file name.
            const bool fresh = m_stems.insert(state.stem).second;
            const auto role = state.role == Role::Weight ? std::nullopt : std::optional(state.role);
            CAIRN_CHECK(m_members.add(
                state.name,
                {.key = fresh ? state.stem : state.name, .role = role, .needed = state.known}));
        }
        if (!m_haveWeights && !m_names.pipeline && components == 0) {
            markIncomplete(m_data, "No weights in this folder");
        }
        return noteParts(m_data, m_request, m_documents.parts);
    }

    /// Checks DeepSpeed's own save, from which the Trainer would resume although the weights are
    /// here.
    Result<void> checkDeepspeedSave() {
        if (m_weightsOfDeepSpeed) {
            return {};
        }
        const std::string save = newestSave(m_data, m_request, m_names.unread);
        return save.empty() ? Result<void>() : noteSave(m_data, m_request, save);
    }

    void compareSteps() {
        SavedSteps saved;
        saved.trainer = m_names.trainer ? m_data.step : std::nullopt;
        saved.rates = std::move(m_documents.rates);
        saved.ranks = m_names.ranks;
        saved.deepSpeed = !m_names.unread.empty();
        checkSteps(m_data, m_request, saved, m_members.states());
    }

    void noteLeftovers() {
        const auto used = m_members.paths();
        std::erase_if(m_names.copies, [&](const auto& name) { return used.contains(name); });
        noteSecondSaves(m_data, m_request, m_members.weights(), m_names.copies);
        const bool base =
            m_request.folder->hasFile("config.json"); // otherwise it may be a value head
        if (m_names.weights && m_names.adapter && base) {
            noteAdapter(m_data, m_names.adapter->files);
        }
        for (const std::string& name : m_names.unread) {
            addNotice(m_data, Severity::Info,
                      fail(ErrorCode::StrayFile, "Training state that is not shown here")
                          .inFile(name)
                          .withHint("Open that folder separately"));
        }
    }

    const OpenRequest& m_request;
    Members m_names;
    MemberAdder m_members;
    CheckpointData& m_data; ///< the same as in m_members
    FolderDocuments m_documents;
    std::set<std::string> m_stems;
    bool m_haveWeights = false;
    bool m_weightsOfDeepSpeed = false;
    bool m_adapters = false; ///< in sub-folders
};

} // namespace

Result<CheckpointPtr> joinFolder(const OpenRequest& request) {
    return FolderJoiner(request).join();
}

} // namespace cairn::formats::huggingface
