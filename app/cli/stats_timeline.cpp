// SPDX-License-Identifier: Apache-2.0
#include "app/cli/stats_timeline.h"

#include "app/cli/json_output.h"
#include "app/cli/progress.h"
#include "app/cli/run_listing.h"
#include "app/cli/text_table.h"
#include "app/cli/value_text.h"
#include "core/jobs/timeline/weight_timeline.h"

#include <array>
#include <atomic>
#include <cmath>

namespace cairn::cli {
namespace {

constexpr std::array kShown{WeightMeasure::Min,   WeightMeasure::Max, WeightMeasure::Mean,
                            WeightMeasure::Std,   WeightMeasure::L1,  WeightMeasure::L2,
                            WeightMeasure::AbsMax};

void writeStop(JsonWriter& json, const WeightStop& stop, bool wantsChange) {
    json.beginObject();
    json.member("path", stop.path.string());
    json.member("name", stop.name);
    json.key("step");
    stop.step ? json.integer(*stop.step) : json.null();
    json.key("epoch");
    writeEpoch(json, stop.epoch);
    json.member("tensors", stop.tensors);
    const ElementStatistics sums = stop.sums.value_or(ElementStatistics());
    json.member("count", sums.count);
    for (const WeightMeasure measure : kShown) {
        json.key(weightMeasureName(measure));
        const double value = stop.value(measure);
        std::isnan(value) ? json.null() : json.number(value); // unknown
    }
    json.member("zeros", sums.zeros);
    json.member("nan", sums.nan);
    json.member("inf", sums.inf);
    if (wantsChange && stop.change) {
        json.member("change", *stop.change);
    } else if (wantsChange) {
        json.key("change");
        json.null();
    }
    if (stop.error) {
        json.key("error");
        writeError(json, *stop.error);
    }
    json.endObject();
}

void writeJson(const WeightTimeline& timeline, const WeightRequest& request,
               const std::string& path, Session& session) {
    JsonDocument document(session.out);
    document->member("path", path);
    document->key("tensor_globs");
    document->beginArray();
    for (const std::string& glob : request.tensors) {
        document->string(glob);
    }
    document->endArray();
    document->key("timeline");
    document->beginArray();
    for (const WeightStop& stop : timeline.stops) {
        writeStop(*document, stop, request.change);
    }
    document->endArray();
    document->member("from_cache", std::uint64_t{timeline.fromCache});
    document.finish();
}

void printText(const WeightTimeline& timeline, bool wantsChange, Session& session) {
    std::vector<Column> columns{{"CHECKPOINT"}, {"STEP", Align::Right}, {"EPOCH", Align::Right}};
    for (const char* name : {"MIN", "MAX", "MEAN", "STD", "L2", "ZEROS", "NAN+INF"}) {
        columns.push_back({name, Align::Right});
    }
    if (wantsChange) {
        columns.push_back({"CHANGE", Align::Right});
    }
    columns.push_back({""});
    TextTable table(columns);
    for (const WeightStop& stop : timeline.stops) {
        std::vector<std::string> row{stop.name, stop.step ? std::to_string(*stop.step) : "",
                                     stop.epoch ? figureText(*stop.epoch) : ""};
        for (const WeightMeasure measure :
             {WeightMeasure::Min, WeightMeasure::Max, WeightMeasure::Mean, WeightMeasure::Std,
              WeightMeasure::L2, WeightMeasure::Zeros, WeightMeasure::NonFinite}) {
            row.push_back(figureText(stop.value(measure)));
        }
        if (wantsChange) {
            row.push_back(figureText(stop.value(WeightMeasure::Change)));
        }
        row.push_back(stop.error ? stop.error->message.text() : "");
        table.add(row);
    }
    table.print(session);
}

} // namespace

Result<int> runStatsTimeline(const Arguments& arguments, Session& session) {
    if (arguments.has("sample") || arguments.has("histogram")) {
        return fail(ErrorCode::InvalidArgument,
                    "A timeline reads every element and has no histogram");
    }
    WeightRequest request;
    request.change = arguments.has("change");
    if (const auto glob = arguments.text("tensor")) {
        request.tensors.push_back(*glob);
    }
    CAIRN_TRY(const ScannedRun run, openRun(arguments.at(0), session));
    std::atomic<std::uint64_t> bytes{0};
    WeightTimelineOptions options;
    options.cancel = session.cancel;
    options.progress = &bytes;
    const ProgressPrinter progress(session, [&] {
        return ProgressState{"measuring", bytes.load(), 0};
    });
    CAIRN_TRY(const WeightTimeline timeline,
              weightTimeline(run, request, IndexCache::ofUser(), options));
    if (session.json) {
        writeJson(timeline, request, arguments.at(0), session);
    } else {
        printText(timeline, request.change, session);
    }
    return kExitOk;
}

} // namespace cairn::cli
