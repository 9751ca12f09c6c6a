// SPDX-License-Identifier: Apache-2.0
#include "core/formats/yaml_value.h"
#include "core/runs/history/common/whole_file.h"
#include "core/runs/history/swanlab/log.h"

#include <algorithm>
#include <array>
#include <iterator>

namespace cairn::history::swanlab {
namespace {

constexpr std::string_view kEnding = ".swanlab";
constexpr std::string_view kConfig = "files/config.yaml";
constexpr std::uint64_t kMaxConfig = std::uint64_t{8} << 20U;
/// Folders beside the log that repeat its scalars and have its settings, console and media.
constexpr auto kCovers =
    std::to_array<std::string_view>({"files", "logs", "console", "media", "debug"});

bool mayBe(std::string_view name) {
    return name.ends_with(kEnding);
}

bool recognises(const HistoryCandidate& candidate) {
    return !candidate.isFolder && mayBe(candidate.name) && isLogHead(candidate.head);
}

/// Each setting is a dict of its description, position and value.
Value settingsOf(const Value& config) {
    std::vector<ValueItem> settings;
    for (const ValueItem& item : config.items()) {
        const Value* value = item.value.find("value");
        settings.push_back({item.key, value != nullptr ? *value : item.value});
    }
    return settings.empty() ? Value() : Value::dict(std::move(settings));
}

Result<HistoryPart> read(const HistoryCandidate& candidate, const CancelToken& cancel) {
    CAIRN_TRY(const ByteSourcePtr source, candidate.folder->openFile(candidate.name));
    CAIRN_TRY(HistoryPart part, readLog(source, cancel));
    auto text = readCompleteFile(*candidate.folder, kConfig, kMaxConfig, cancel);
    if (text) {
        YamlDocument document = parseYaml(*text, (candidate.path.parent_path() / kConfig).string());
        std::ranges::move(document.notices, std::back_inserter(part.warnings));
        part.settings = settingsOf(document.value);
    } else if (text.error().code != ErrorCode::NotFound) {
        part.warnings.push_back({Severity::Warning, std::move(text).error()});
    }
    return part;
}

std::string runName(const Folder& folder, std::span<const FolderEntry> entries) {
    for (const FolderEntry& entry : entries) {
        const auto source =
            mayBe(entry.name) ? folder.openFile(entry.name) : Result<ByteSourcePtr>(Error());
        if (source) {
            return runNameIn(*source);
        }
    }
    return {};
}

} // namespace

extern const HistoryReader kReader;
const HistoryReader kReader{.id = "swanlab",
                            .title = "SwanLab log",
                            .mayBe = mayBe,
                            .recognises = recognises,
                            .read = read,
                            .runName = runName,
                            .covers = kCovers,
                            .namesRun = true};

} // namespace cairn::history::swanlab
