// SPDX-License-Identifier: Apache-2.0
#include "core/runs/history/mlflow/run_info.h"

#include <array>
#include <yaml-cpp/yaml.h>

namespace cairn::history::mlflow {
namespace {

/// Text for the numbers of mlflow.entities.RunStatus; older files contain the text.
std::string statusText(const std::string& stored) {
    constexpr std::array<std::string_view, 6> kNames{"",         "RUNNING", "SCHEDULED",
                                                     "FINISHED", "FAILED",  "KILLED"};
    const bool isNumber = stored.size() == 1 && stored[0] >= '1' && stored[0] <= '5';
    return isNumber ? std::string(kNames.at(static_cast<std::size_t>(stored[0] - '0'))) : stored;
}

std::string textOf(const YAML::Node& map, const char* key) {
    const YAML::Node value = map[key];
    return value.IsDefined() && value.IsScalar() ? value.Scalar() : std::string();
}

} // namespace

Result<RunInfo> parseRunInfo(const std::string& yaml, const std::string& file) {
    try {
        const YAML::Node map = YAML::Load(yaml);
        if (map.IsMap()) {
            RunInfo info{textOf(map, "run_id"), statusText(textOf(map, "status")),
                         textOf(map, "lifecycle_stage")};
            if (info.runId.empty()) {
                info.runId = textOf(map, "run_uuid"); // older name
            }
            if (!info.runId.empty()) {
                return info;
            }
        }
    } catch (const YAML::Exception& error) {
        return fail(ErrorCode::BadEncoding, "The run's metadata is not valid YAML")
            .inFile(file)
            .butFound(verbatim(error.what()));
    }
    return fail(ErrorCode::NotACheckpoint, "The metadata does not describe a run")
        .inFile(file)
        .expecting("run_id");
}

} // namespace cairn::history::mlflow
