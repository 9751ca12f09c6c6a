// SPDX-License-Identifier: Apache-2.0
#include "core/formats/huggingface/folder_documents.h"

#include "core/formats/common/members/folder_notices.h"
#include "core/formats/common/text/json_values.h"
#include "core/formats/huggingface/part_check.h"
#include "core/formats/huggingface/weight_names.h"

#include <span>
#include <string>
#include <utility>

namespace cairn::formats::huggingface {
namespace {

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

} // namespace

FolderDocuments readDocuments(MemberAdder& members, const Members& names) {
    FolderDocuments documents;
    CheckpointData& data = members.data();
    for (const std::string& name : names.documents) {
        const auto source = members.request().folder->openFile(name);
        auto json = readJsonFile(source, kMaxDocument);
        if (!json) {
            addNotice(data, Severity::Warning, std::move(json).error());
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

} // namespace cairn::formats::huggingface
