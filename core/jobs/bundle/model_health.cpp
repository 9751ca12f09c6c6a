// SPDX-License-Identifier: Apache-2.0
#include "core/jobs/bundle/model_health.h"

#include "core/jobs/bundle/sidecars.h"

#include <system_error>

#include <algorithm>
#include <filesystem>
#include <optional>
#include <string>

namespace cairn {
namespace {

namespace fs = std::filesystem;

/// Whether from_pretrained of the config's folder reads these files.
bool isReadBeside(const Checkpoint& checkpoint, const fs::path& config) {
    const auto isRead = [](const std::string& name) {
        return (name.starts_with("model") && name.ends_with(".safetensors")) ||
               (name.starts_with("pytorch_model") && name.ends_with(".bin"));
    };
    const auto normal = [](const fs::path& each) {
        std::error_code ignored;
        const fs::path whole = fs::absolute(each, ignored).lexically_normal();
        return whole.has_filename() ? whole : whole.parent_path();
    };
    const fs::path path = normal(checkpoint.path());
    const fs::path folder = normal(config).parent_path();
    const bool isFile = isRead(path.filename().string());
    const bool beside = (isFile ? path.parent_path() : path) == folder;
    return beside && std::ranges::any_of(checkpoint.files(), [&](const CheckpointFile& file) {
               return isRead(fs::path(file.path).filename().string()) &&
                      (isFile || !fs::path(file.path).has_parent_path());
           });
}

} // namespace

Result<HealthReport> checkWithConfig(const Checkpoint& checkpoint, HealthOptions options) {
    const std::optional<FoundConfig> config = findModelConfig(checkpoint);
    if (config) {
        options.model = {&config->fields, isReadBeside(checkpoint, config->origin)};
    }
    return checkHealth(checkpoint, options);
}

Result<std::array<Ability, kAbilities>> abilitiesWithConfig(const Checkpoint& checkpoint,
                                                            const CancelToken& cancel) {
    HealthOptions options;
    options.cancel = cancel;
    options.readData = false;
    CAIRN_TRY(const HealthReport health, checkWithConfig(checkpoint, options));
    return abilitiesOf(checkpoint, health, cancel);
}

} // namespace cairn
