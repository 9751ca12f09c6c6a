// SPDX-License-Identifier: Apache-2.0
#include "app/cli/json_output.h"
#include "app/cli/text_table.h"
#include "app/cli/value_text.h"
#include "app/cli/verbs.h"
#include "core/analysis/tensor_pass.h"
#include "core/base/visible_text.h"
#include "core/runs/experiment_scan.h"

#include <algorithm>
#include <cmath>
#include <optional>

namespace cairn::cli {
namespace {

struct Listing {
    Experiment experiment;
    /// By run and checkpoint; nothing: not looked into.
    std::vector<std::vector<std::optional<CheckpointFacts>>> facts;
};

/// Opens every checkpoint's index, some at a time, and puts what they tell into the listing.
void examineAll(Listing& listing, Session& session) {
    std::vector<std::pair<std::size_t, std::size_t>> places;
    for (std::size_t r = 0; r < listing.experiment.runs.size(); ++r) {
        for (std::size_t c = 0; c < listing.experiment.runs[r].checkpoints.size(); ++c) {
            places.emplace_back(r, c);
        }
    }
    forEachParallel(places.size(), 0, session.cancel, [&](std::size_t i) {
        const auto [r, c] = places[i];
        auto facts =
            examineCheckpoint(listing.experiment.runs[r].checkpoints[c].path, session.cancel);
        if (facts) {
            listing.facts[r][c] = std::move(*facts);
        }
    });
}

/// Sorting moves checkpoints; their facts go with them by path.
void applyAll(Listing& listing) {
    for (std::size_t r = 0; r < listing.experiment.runs.size(); ++r) {
        ScannedRun& run = listing.experiment.runs[r];
        std::vector<std::pair<std::filesystem::path, std::optional<CheckpointFacts>>> byPath;
        for (std::size_t c = 0; c < run.checkpoints.size(); ++c) {
            if (listing.facts[r][c]) {
                applyFacts(run.checkpoints[c], *listing.facts[r][c]);
            }
            byPath.emplace_back(run.checkpoints[c].path, std::move(listing.facts[r][c]));
        }
        sortCheckpoints(run);
        std::ranges::sort(byPath, {}, [](const auto& entry) { return entry.first; });
        for (std::size_t c = 0; c < run.checkpoints.size(); ++c) {
            const ScannedCheckpoint& checkpoint = run.checkpoints[c];
            const auto found = std::ranges::lower_bound(
                byPath, checkpoint.path, {}, [](const auto& entry) { return entry.first; });
            listing.facts[r][c] = std::move(found->second);
        }
    }
}

void writeCheckpoint(JsonWriter& json, const ScannedCheckpoint& checkpoint,
                     const std::optional<CheckpointFacts>& facts) {
    json.beginObject();
    json.member("path", checkpoint.path.string());
    json.member("name", checkpoint.name);
    json.key("step");
    checkpoint.step ? json.integer(*checkpoint.step) : json.null();
    json.key("epoch");
    if (!checkpoint.epoch) {
        json.null();
    } else if (std::floor(*checkpoint.epoch) == *checkpoint.epoch &&
               std::abs(*checkpoint.epoch) < 9e15) {
        json.integer(static_cast<std::int64_t>(*checkpoint.epoch));
    } else {
        json.number(*checkpoint.epoch);
    }
    json.memberOrNull("format", checkpoint.format);
    json.member("bytes", checkpoint.bytes);
    json.member("files", checkpoint.files);
    json.member("state", stateName(checkpoint.state));
    json.memberOrNull("reason", checkpoint.reason);
    json.member("best", checkpoint.best);
    json.member("latest", checkpoint.latest);
    json.key("metrics");
    json.beginObject();
    if (facts) {
        for (const auto& [name, value] : facts->metrics) {
            json.member(name, value);
        }
    }
    json.endObject();
    json.endObject();
}

void writeJson(const Listing& listing, const std::string& path, Session& session) {
    JsonDocument document(session.out);
    document->member("path", path);
    document->key("runs");
    document->beginArray();
    for (std::size_t r = 0; r < listing.experiment.runs.size(); ++r) {
        const ScannedRun& run = listing.experiment.runs[r];
        document->beginObject();
        document->member("id", run.id);
        document->member("name", run.name);
        document->member("path", run.path.string());
        document->member("bytes", run.bytes());
        document->key("checkpoints");
        document->beginArray();
        for (std::size_t c = 0; c < run.checkpoints.size(); ++c) {
            writeCheckpoint(*document, run.checkpoints[c], listing.facts[r][c]);
        }
        document->endArray();
        document->key("histories");
        document->beginArray();
        document->endArray();
        document->endObject();
    }
    document->endArray();
    writeNotices(*document, "notices", listing.experiment.notices);
    document.finish();
}

void printText(const Listing& listing, Session& session) {
    TextTable table({{"RUN"},
                     {"CHECKPOINT"},
                     {"STEP", Align::Right},
                     {"EPOCH", Align::Right},
                     {"SIZE", Align::Right},
                     {"FORMAT"},
                     {"STATE"},
                     {""}});
    for (const ScannedRun& run : listing.experiment.runs) {
        for (const ScannedCheckpoint& checkpoint : run.checkpoints) {
            std::string remark = checkpoint.best ? "best " : "";
            remark += checkpoint.latest ? "latest " : "";
            remark += checkpoint.reason;
            table.add({run.name, checkpoint.name,
                       checkpoint.step ? std::to_string(*checkpoint.step) : "",
                       checkpoint.epoch ? numberText(*checkpoint.epoch) : "",
                       formatBytes(checkpoint.bytes), checkpoint.format,
                       std::string(stateName(checkpoint.state)), remark});
        }
    }
    table.print(session);
    printNotices(session, listing.experiment.notices);
    if (!session.quiet) {
        session.out.line("");
        session.out.line(std::to_string(listing.experiment.runs.size()) + " runs, " +
                         std::to_string(listing.experiment.checkpoints()) + " checkpoints");
    }
}

Result<int> run(const Arguments& arguments, Session& session) {
    Listing listing;
    CAIRN_TRY(listing.experiment, scanExperiment(arguments.at(0), session.cancel));
    for (const ScannedRun& each : listing.experiment.runs) {
        listing.facts.emplace_back(each.checkpoints.size());
    }
    if (!arguments.has("quick")) {
        examineAll(listing, session);
        CAIRN_CHECK(session.cancel.check());
        applyAll(listing);
    }
    if (session.json) {
        writeJson(listing, arguments.at(0), session);
    } else {
        printText(listing, session);
    }
    return kExitOk;
}

constexpr auto kPositionals =
    std::to_array<Positional>({{"FOLDER", "A folder of any depth, or one checkpoint"}});
constexpr auto kOptions = std::to_array<Option>(
    {{"--quick", "", "Names and sizes only; do not look into the checkpoints"}});

} // namespace

const Verb kRunsVerb{"runs",
                     "List the runs below a folder and their checkpoints",
                     kPositionals,
                     kOptions,
                     {"cairn-cli runs outputs", "cairn-cli runs outputs --json",
                      "cairn-cli runs /data/experiments --quick"},
                     run};

} // namespace cairn::cli
