// SPDX-License-Identifier: Apache-2.0
#include "core/formats/format.h"
#include "core/jobs/prepare/prepare.h"
#include "core/jobs/queue/listed_run.h"

#include <nlohmann/json.hpp>

#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>

/// Runs one consolidation like the command line and prints the engine's own measurements and the
/// forecast (from rates that earlier calls stored under $XDG_STATE_HOME):
///   bench_job SOURCE OUTPUT [--to FORMAT] [--only weights|all|GLOB] [--threads N] [--chunk BYTES]
///   [--ranks N] [--dim D] [--dtype DTYPE] [--no-verify] [--buffered]
namespace {

cairn::Result<nlohmann::ordered_json> run(int count, char** arguments) {
    cairn::JobRequest options;
    cairn::EngineOptions engine;
    options.output = arguments[2];
    std::string ranks;
    std::string dims;
    for (int i = 3; i < count; ++i) {
        const std::string_view option = arguments[i];
        const char* value = i + 1 < count ? arguments[i + 1] : "";
        if (option == "--to") {
            options.to = value;
        } else if (option == "--only") {
            options.only = cairn::Selection::parse(value);
        } else if (option == "--ranks") {
            ranks = value;
        } else if (option == "--dim") {
            dims = value;
        } else if (option == "--dtype") {
            options.dtype = value;
        } else if (option == "--threads") {
            engine.threads = std::strtoull(value, nullptr, 10);
        } else if (option == "--chunk") {
            engine.chunkBytes = std::strtoull(value, nullptr, 10);
        } else if (option == "--no-verify") {
            engine.verify = false;
        } else if (option == "--buffered") {
            engine.directIo = false;
        }
    }
    if (!ranks.empty()) {
        CAIRN_TRY(options.sharding.axes, cairn::parseShardAxes(ranks, "", dims));
    }
    CAIRN_TRY(auto source, cairn::openCheckpoint(arguments[1]));
    CAIRN_TRY(const cairn::CopyPlan plan, cairn::prepareJob(source, options));
    cairn::RealFileOps fileOps;
    cairn::JobContext context;
    CAIRN_TRY(const cairn::JobReport report,
              cairn::runListed(plan, {{"bench_job"}, {}, engine}, fileOps, context));
    return nlohmann::ordered_json{{"bytes", report.bytes},
                                  {"tensors", report.tensors},
                                  {"seconds", report.seconds},
                                  {"write_seconds", report.writeSeconds},
                                  {"verify_seconds", report.verifySeconds},
                                  {"shared_bytes", report.sharedBytes},
                                  {"share_seconds", report.shareSeconds},
                                  {"forecast_seconds", plan.forecast.seconds},
                                  {"forecast_over_outcome", plan.forecast.seconds / report.seconds},
                                  {"rate", cairn::rateOriginName(plan.forecast.rate.origin)},
                                  {"work", cairn::workKindName(cairn::workKindOf(plan))},
                                  {"verified", report.verified},
                                  {"direct", report.directIo}};
}

} // namespace

int main(int count, char** arguments) {
    if (count < 3) {
        std::fputs("bench_job SOURCE OUTPUT [options]\n", stderr);
        return 2;
    }
    const auto report = run(count, arguments);
    if (!report) {
        std::fprintf(stderr, "%s\n", cairn::describe(report.error()).c_str());
        return 1;
    }
    std::printf("%s\n", report->dump().c_str());
    return 0;
}
