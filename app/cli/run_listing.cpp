// SPDX-License-Identifier: Apache-2.0
#include "app/cli/run_listing.h"

#include "app/cli/why_output.h"
#include "core/analysis/tensor_pass.h"
#include "core/runs/compare/compare.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace cairn::cli {

namespace {

ForEach inParallel(Session& session) {
    return [&session](std::size_t count, const std::function<void(std::size_t)>& work) {
        forEachParallel(count, 0, session.cancel, work);
    };
}

} // namespace

Result<void> examineCheckpoints(Experiment& experiment, Session& session) {
    return cairn::examineCheckpoints(experiment, session.cancel, inParallel(session));
}

Result<RunTable> examineAll(Experiment& experiment, Session& session) {
    return examineExperiment(experiment, session.cancel, inParallel(session));
}

Result<PrunableRun> examineForPruning(const Location& named, Session& session, const RankedBy& by) {
    return cairn::examineForPruning(named, {}, session.cancel, inParallel(session), by);
}

Result<ScannedRun> openRun(const Location& named, Session& session) {
    CAIRN_TRY(Experiment experiment, scanRun(named, session.cancel));
    CAIRN_TRY(const RunTable table, examineAll(experiment, session));
    return std::move(experiment.runs.front());
}

void dropRepeatedRuns(Experiment& experiment, std::set<std::filesystem::path>& seen) {
    std::erase_if(experiment.runs, [&](const ScannedRun& run) {
        std::error_code error;
        const auto real = std::filesystem::weakly_canonical(run.path, error);
        return !seen.insert(error ? run.path : real).second;
    });
}

void writeEpoch(JsonWriter& json, const std::optional<double>& epoch) {
    if (!epoch) {
        json.null();
    } else if (std::floor(*epoch) == *epoch && std::abs(*epoch) < 9e15) {
        json.integer(static_cast<std::int64_t>(*epoch));
    } else {
        json.number(*epoch);
    }
}

void writeDirection(JsonWriter& json, names::Direction better) {
    json.key("larger_is_better");
    better == names::Direction::Unknown ? json.null()
                                        : json.boolean(better == names::Direction::Larger);
}

void writeSetting(JsonWriter& json, std::string_view name, const Value& value) {
    json.key(name);
    writeSettingValue(json, value);
}

void writeSettingValue(JsonWriter& json, const Value& value) {
    if (value.asBool() != nullptr) {
        json.boolean(*value.asBool());
    } else if (value.asInt() != nullptr) {
        json.integer(*value.asInt());
    } else if (value.asBigInt() != nullptr) {
        json.digits(value.asBigInt()->digits);
    } else if (value.asFloat() != nullptr) {
        json.number(*value.asFloat());
    } else if (value.kind() == ValueKind::Null) {
        json.null();
    } else if (value.kind() == ValueKind::Dict) {
        json.beginObject();
        json.endObject();
    } else if (value.isContainer() && value.kind() != ValueKind::Object) {
        json.beginArray();
        json.endArray();
    } else {
        json.string(settingText(value));
    }
}

void writeCheckpoint(JsonWriter& json, const ScannedCheckpoint& checkpoint, const ScannedRun& run) {
    json.beginObject();
    json.member("path", checkpoint.path.string());
    json.member("name", checkpoint.name);
    json.key("step");
    checkpoint.step ? json.integer(*checkpoint.step) : json.null();
    json.key("epoch");
    writeEpoch(json, checkpoint.epoch);
    json.member("step_from", stepFromName(checkpoint));
    writeEvidence(json, "because", checkpoint.because);
    writeEvidence(json, "against", checkpoint.against);
    json.memberOrNull("format", checkpoint.format);
    json.member("bytes", checkpoint.bytes);
    json.member("files", checkpoint.files);
    json.member("state", stateName(checkpoint.state));
    json.memberOrNull("reason", checkpoint.reason);
    json.member("best", checkpoint.best);
    json.member("latest", checkpoint.latest);
    json.memberOrNull("link_to", checkpoint.linkTo);
    json.key("pointed_by");
    json.beginArray();
    for (const std::string& pointer : checkpoint.pointedBy) {
        json.string(pointer);
    }
    json.endArray();
    json.member("exported", !checkpoint.exports.empty());
    json.key("exports");
    json.beginArray();
    for (const ExportedTo& output : checkpoint.exports) {
        json.beginObject();
        json.member("path", output.path.string());
        json.member("verified", output.verified);
        json.endObject();
    }
    json.endArray();
    json.member("is_export", checkpoint.isExport);
    json.key("score_from");
    checkpoint.scoreFrom ? writePlace(json, *checkpoint.scoreFrom) : json.null();
    json.key("metrics");
    json.beginObject();
    for (const auto& [name, value] : checkpoint.metrics) {
        json.member(name, value);
    }
    const bool held = std::ranges::any_of(
        checkpoint.metrics, [&](const auto& metric) { return metric.first == run.scoreMetric(); });
    if (checkpoint.score && !held) {
        json.member(run.scoreMetric(), *checkpoint.score);
    }
    json.endObject();
    json.endObject();
}

} // namespace cairn::cli
