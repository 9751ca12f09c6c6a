// SPDX-License-Identifier: Apache-2.0
#include "core/codec/json/json_value.h"
#include "core/formats/yaml_value.h"
#include "core/runs/history/common/json_settings.h"
#include "core/runs/history/common/whole_file.h"

#include <algorithm>
#include <array>

namespace cairn::history::hparams {
namespace {

constexpr std::uint64_t kMaxBytes = 8U << 20U;
constexpr auto kStems = std::to_array<std::string_view>(
    {"hparams", "config", "args", "params", "train_config", "training_config", "train_args",
     "training_args", "experiment_config", "run_config", "settings", "hyperparameters"});
constexpr auto kEndings = std::to_array<std::string_view>({".yaml", ".yml", ".json"});

bool mayBe(std::string_view name) {
    return std::any_of(kEndings.begin(), kEndings.end(), [&](std::string_view ending) {
        return name.ends_with(ending) &&
               std::find(kStems.begin(), kStems.end(),
                         name.substr(0, name.size() - ending.size())) != kStems.end();
    });
}

bool recognises(const HistoryCandidate& candidate) {
    return !candidate.isFolder && candidate.size > 0 && mayBe(candidate.name);
}

Result<HistoryPart> read(const HistoryCandidate& candidate, const CancelToken& cancel) {
    CAIRN_TRY(const std::string text,
              readCompleteFile(*candidate.folder, candidate.name, kMaxBytes, cancel));
    HistoryPart part;
    part.bytes = text.size();
    const std::string name = candidate.path.string();
    if (candidate.name.ends_with(".json")) {
        JsonOptions options;
        options.maxDepth = kMaxYamlDepth;
        options.maxValues = kMaxYamlValues;
        CAIRN_TRY(const JsonValue json, parseJson(text, name, options));
        part.settings = valueOf(json);
    } else {
        YamlDocument document = parseYaml(text, name);
        part.settings = std::move(document.value);
        part.warnings = std::move(document.notices);
    }
    const ValueKind kind = part.settings.kind();
    if (kind != ValueKind::Dict && kind != ValueKind::Object) {
        part.settings = Value();
        part.warnings.push_back(
            {Severity::Info, fail(ErrorCode::HistoryBadRow, "No named settings in the file")});
    }
    return part;
}

} // namespace

extern const HistoryReader kReader;
const HistoryReader kReader{.id = "hparams",
                            .title = "Settings",
                            .mayBe = mayBe,
                            .recognises = recognises,
                            .read = read,
                            .settingsOnly = true};

} // namespace cairn::history::hparams
