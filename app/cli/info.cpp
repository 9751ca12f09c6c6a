// SPDX-License-Identifier: Apache-2.0
#include "app/cli/json_output.h"
#include "app/cli/opened.h"
#include "app/cli/plain_value.h"
#include "app/cli/text_table.h"
#include "app/cli/value_text.h"
#include "app/cli/verbs.h"
#include "core/base/visible_text.h"
#include "core/formats/code_scan.h"
#include "core/formats/format.h"
#include "core/runs/experiment_scan.h"

#include <algorithm>
#include <cmath>

namespace cairn::cli {
namespace {

struct Facts {
    Opened opened;
    std::string chosenFrom; ///< the folder of several checkpoints that the user named, if so
    std::size_t candidates = 0;
    Value values;
    std::vector<Notice> notices;
    TrainingPosition position;
    formats::CodeScan scan; ///< a quick look; says nothing when there is no pickle
};

/// The newest checkpoint below a folder that is whole when looked into; failing that, the newest
/// that may be.
Result<Opened> openNewest(const std::string& folder, const Error& why, Session& session,
                          std::size_t& candidates) {
    CAIRN_TRY(Experiment experiment, scanExperiment(folder, session.cancel));
    candidates = experiment.checkpoints();
    const ScannedCheckpoint* fallback = experiment.newestWhole();
    if (fallback == nullptr) {
        return Error(why);
    }
    const std::filesystem::path fallbackPath = fallback->path;
    while (const ScannedCheckpoint* newest = experiment.newestWhole()) {
        CAIRN_TRY(const CheckpointFacts facts, examineCheckpoint(newest->path, session.cancel));
        if (facts.state == CheckpointState::Complete && !facts.noModel) {
            return openPath(newest->path.string(), session.cancel);
        }
        for (ScannedRun& run : experiment.runs) {
            for (ScannedCheckpoint& each : run.checkpoints) {
                each.state = &each == newest ? CheckpointState::Incomplete : each.state;
            }
        }
    }
    return openPath(fallbackPath.string(), session.cancel);
}

/// A format whose folders hold several checkpoints opens the newest whole one itself.
Result<void> tellChoice(Facts& facts, Session& session) {
    const std::filesystem::path& chosen = facts.opened.checkpoint->path();
    std::error_code error;
    if (chosen == std::filesystem::path(facts.opened.path) ||
        !std::filesystem::is_directory(facts.opened.path, error)) {
        return {};
    }
    CAIRN_TRY(const Experiment experiment, scanExperiment(facts.opened.path, session.cancel));
    facts.candidates = experiment.checkpoints();
    facts.chosenFrom = facts.opened.path;
    facts.opened.path = chosen.string();
    return {};
}

Result<Facts> gather(const std::string& text, Session& session) {
    Facts facts;
    auto opened = openPath(text, session.cancel);
    std::error_code error;
    if (!opened && opened.error().code == ErrorCode::NotACheckpoint &&
        std::filesystem::is_directory(text, error)) {
        CAIRN_TRY(facts.opened, openNewest(text, opened.error(), session, facts.candidates));
        facts.chosenFrom = text;
    } else if (!opened) {
        return std::move(opened).error();
    } else {
        facts.opened = std::move(*opened);
        CAIRN_CHECK(tellChoice(facts, session));
    }
    const Checkpoint& checkpoint = *facts.opened.checkpoint;
    facts.notices.assign(checkpoint.notices().begin(), checkpoint.notices().end());
    auto values = checkpoint.values(session.cancel);
    CAIRN_CHECK(session.cancel.check());
    if (!values) {
        facts.notices.push_back({Severity::Warning, std::move(values).error()});
    } else if (facts.opened.whole()) {
        facts.values = *values;
    } else if (const Value* part = valueAt(*values, facts.opened.member)) {
        facts.values = *part;
    }
    facts.position = trainingPosition(checkpoint, session.cancel);
    CAIRN_TRY(facts.scan, formats::scanForCode(checkpoint, session.cancel));
    return facts;
}

void writeEpoch(JsonWriter& json, double epoch) {
    if (std::floor(epoch) == epoch && std::abs(epoch) < 9e15) {
        json.member("epoch", static_cast<std::int64_t>(epoch));
    } else {
        json.member("epoch", epoch);
    }
}

void writeJson(const Facts& facts, Session& session) {
    const Checkpoint& checkpoint = *facts.opened.checkpoint;
    JsonDocument document(session.out);
    document->member("path", facts.opened.path);
    if (!facts.chosenFrom.empty()) {
        document->key("chosen_from");
        document->beginObject();
        document->member("path", facts.chosenFrom);
        document->member("checkpoints", facts.candidates);
        document->endObject();
    }
    document->member("format", checkpoint.format());
    if (!checkpoint.framework().empty()) {
        document->member("framework", checkpoint.framework());
    }
    document->member("complete", completenessName(checkpoint.completeness()));
    document->key("why");
    document->beginArray();
    for (const std::string& reason : checkpoint.why()) {
        document->string(reason);
    }
    document->endArray();
    if (facts.position.step) {
        document->member("step", *facts.position.step);
    }
    if (facts.position.epoch) {
        writeEpoch(*document, *facts.position.epoch);
    }
    if (checkpoint.data().worldSize) {
        document->member("world_size", *checkpoint.data().worldSize);
    }
    document->key("values");
    if (facts.values.kind() == ValueKind::Null) {
        document->beginObject();
        document->endObject();
    } else {
        writeValue(*document, facts.values, checkpoint, session.cancel);
    }
    if (!formats::describeScan(facts.scan).empty()) {
        document->member("pickle", pickle::verdictName(facts.scan.verdict));
        document->member("pickle_says", formats::describeScan(facts.scan));
    }
    writeTotals(*document, "totals", totalsOf(facts.opened));
    writeFiles(*document, "files", checkpoint);
    writeNotices(*document, "notices", facts.notices);
    document.finish();
}

void printText(const Facts& facts, Session& session) {
    const Checkpoint& checkpoint = *facts.opened.checkpoint;
    const Totals sums = totalsOf(facts.opened);
    printField(session, "path", facts.opened.path);
    if (!facts.chosenFrom.empty()) {
        printField(session, "",
                   "the newest whole one of " + std::to_string(facts.candidates) + " in " +
                       facts.chosenFrom);
    }
    const FormatInfo* format = findFormat(checkpoint.format());
    printField(session, "format",
               format != nullptr ? std::string(format->title) : checkpoint.format());
    if (!checkpoint.framework().empty()) {
        printField(session, "framework", checkpoint.framework());
    }
    printField(session, "complete", completenessName(checkpoint.completeness()));
    for (const std::string& reason : checkpoint.why()) {
        printField(session, "", reason);
    }
    if (const std::string says = formats::describeScan(facts.scan); !says.empty()) {
        printField(session, "pickle",
                   std::string(pickle::verdictName(facts.scan.verdict)) + ": " + says);
    }
    if (facts.position.step) {
        printField(session, "step", std::to_string(*facts.position.step));
    }
    if (facts.position.epoch) {
        printField(session, "epoch", numberText(*facts.position.epoch));
    }
    if (checkpoint.data().worldSize) {
        printField(session, "ranks", std::to_string(*checkpoint.data().worldSize));
    }
    printField(session, "tensors", std::to_string(sums.tensors) + ", " + formatBytes(sums.bytes));
    printField(session, "files",
               std::to_string(checkpoint.files().size()) + ", " + formatBytes(sums.storedBytes));
    for (const auto& [dtype, bytes] : sums.byDtype) {
        printField(session, "  " + std::string(dtypeName(dtype)), formatBytes(bytes));
    }
    printValues(session, facts.values, checkpoint, session.verbose ? 10'000 : 40);
    printNotices(session, facts.notices);
}

Result<int> run(const Arguments& arguments, Session& session) {
    CAIRN_TRY(const Facts facts, gather(arguments.at(0), session));
    if (session.json) {
        writeJson(facts, session);
    } else {
        printText(facts, session);
    }
    return kExitOk;
}

constexpr auto kPositionals =
    std::to_array<Positional>({{"PATH", "A checkpoint, a part of it (PATH#subtree), or a folder of "
                                        "several: then the newest whole one"}});

} // namespace

const Verb kInfoVerb{"info",
                     "Tell what a checkpoint is: format, completeness, step, values",
                     kPositionals,
                     {},
                     {"cairn-cli info step-400", "cairn-cli info 'ckpt.pt#args' --json",
                      "cairn-cli info runs/llama-a -v"},
                     run};

} // namespace cairn::cli
