// SPDX-License-Identifier: Apache-2.0
#include "core/jobs/cluster/array_job.h"

#include "core/base/visible_text.h"
#include "core/codec/json/json_value.h"
#include "core/jobs/context/record_folder.h"
#include "core/jobs/engine/output_runs.h"
#include "core/plan/engine_memory.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>

namespace cairn {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t kMostParts = 100'000;

Result<ArrayJob::Item> itemOf(const JsonValue& json, const std::string& name) {
    ArrayJob::Item item;
    item.command = textsIn(json, "command");
    item.digest = textIn(json, "digest");
    if (item.command.empty() || json.find("digest") == nullptr) {
        return fail(ErrorCode::InvalidArgument, "Not a job plan")
            .inFile(name)
            .withHint("`cairn-cli plan consolidate … --json > plan.json` writes one");
    }
    return item;
}

} // namespace

ArrayTask taskOf(const ArrayJob& job, std::size_t task) {
    const std::size_t position = task - 1;
    return {position / job.parts,
            {position % job.parts + 1, job.parts, job.leavesLastStep && job.parts > 1}};
}

Result<std::string> arrayDocument(const ArrayJob& job) {
    Json items = Json::array();
    for (const ArrayJob::Item& item : job.items) {
        for (const std::string& word : item.command) {
            if (!isValidUtf8(word)) {
                return fail(ErrorCode::BadEncoding, "A path of the job is not UTF-8")
                    .butFound(verbatim(word))
                    .withHint("Use a link or a mount point whose name is UTF-8");
            }
        }
        items.push_back({{"command", item.command}, {"digest", item.digest}});
    }
    const Json json = {{"schema", "cairn/1"},
                       {"jobs", std::move(items)},
                       {"parts", job.parts},
                       {"last_step", job.leavesLastStep}};
    return json.dump(1, ' ', true); // ASCII: every locale and every editor keeps it
}

Result<ArrayJob> parseArrayJob(std::string_view text, const std::string& name) {
    ArrayJob job;
    const auto json = parseJson(text, name);
    if (!json) {
        return itemOf(JsonValue(), name).error();
    }
    if (const JsonValue* jobs = json->find("jobs"); jobs && !jobs->elements().empty()) {
        for (const JsonValue& each : jobs->elements()) {
            CAIRN_TRY(job.items.emplace_back(), itemOf(each, name));
        }
    } else {
        CAIRN_TRY(job.items.emplace_back(), itemOf(*json, name));
    }
    const JsonValue* parts = json->find("parts");
    const auto count = parts != nullptr ? parts->asUnsigned().value_or(0) : 1;
    if (count < 1 || count > kMostParts) {
        return fail(ErrorCode::InvalidArgument, "Invalid number of parts")
            .inFile(name)
            .expecting(sentence("1 to %1", kMostParts));
    }
    job.parts = static_cast<std::size_t>(count);
    const JsonValue* last = json->find("last_step");
    job.leavesLastStep = last != nullptr && last->asBool().value_or(false);
    return job;
}

ArrayNeeds needsOf(const CopyPlan& plan, std::size_t parts) {
    constexpr std::uint64_t kIndexOfTensor = 4096; // entries of source and output, names, recipes
    constexpr std::uint64_t kLeast = std::uint64_t{256} << 20U; // program, plan, page tables
    constexpr double kBegin = 300; // to open the source and plan, on a busy file system
    const Forecast& forecast = plan.forecast;
    const PartSizes sizes = partSizes(plan, parts);
    const auto total = static_cast<double>(std::max<std::uint64_t>(plan.outputBytes(), 1));
    const auto share = [&](std::uint64_t bytes) { return static_cast<double>(bytes) / total; };
    const double margin = forecast.rate.origin == RateOrigin::Measured ? 3 : 6;
    const auto seconds = [&](double part) {
        return static_cast<std::uint64_t>(std::ceil(kBegin + margin * forecast.seconds * part));
    };
    const std::uint64_t largest = *std::ranges::max_element(sizes.bytes);
    const std::uint64_t tensors = plan.source->tensors().size() + plan.outputTensors();
    const std::uint64_t workers = forecast.memoryBytes / engineWorkers() * kMostEngineWorkers;
    return {kLeast + workers + workers / 4 + tensors * kIndexOfTensor, seconds(share(largest)),
            seconds(share(sizes.verifiedLast))};
}

ArrayNeeds most(const ArrayNeeds& left, const ArrayNeeds& right) {
    return {std::max(left.memoryBytes, right.memoryBytes),
            std::max(left.taskSeconds, right.taskSeconds),
            left.lastSeconds + right.lastSeconds}; // the last step does all jobs
}

} // namespace cairn
