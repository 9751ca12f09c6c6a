// SPDX-License-Identifier: Apache-2.0
#include "core/formats/deepspeed/neox_settings.h"

#include "core/base/endian.h"
#include "core/base/visible_text.h"
#include "core/formats/yaml_value.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace cairn::formats::deepspeed {
namespace {

constexpr std::string_view kSettings = "configs";
constexpr std::uint64_t kMaxFile = std::uint64_t{4} << 20U;
constexpr std::size_t kMostFiles = 64;

/// The files in `configs`, in the order in which they count.
std::set<std::string> settingsFiles(const Folder& save, CheckpointData& data) {
    std::set<std::string> names;
    const auto folder = save.openFolder(kSettings);
    const Result<std::vector<FolderEntry>> entries = folder ? (*folder)->list() : folder.error();
    if (!entries) {
        data.notices.push_back({Severity::Warning, entries.error()});
        return names;
    }
    for (const FolderEntry& entry : *entries) {
        const bool isYaml = entry.name.ends_with(".yml") || entry.name.ends_with(".yaml");
        if (isYaml && names.size() < kMostFiles) {
            names.insert(std::string(kSettings) + "/" + entry.name);
        }
    }
    return names;
}

Result<std::string> contentOf(const Folder& save, const std::string& name) {
    CAIRN_TRY(const ByteSourcePtr file, save.openFile(name));
    if (file->size() > kMaxFile) {
        return fail(ErrorCode::LimitExceeded, "The file is too large for settings")
            .butFound(sentence("%1", amount(formatBytes(file->size()))));
    }
    CAIRN_TRY(const std::vector<std::byte> text, readRange(*file, {0, file->size()}));
    return std::string(asText(text));
}

} // namespace

std::optional<ValueItem> neoxSettings(const OpenRequest& request, CheckpointData& data) {
    if (std::ranges::find(request.entries, kSettings, &FolderEntry::name) ==
        request.entries.end()) {
        return std::nullopt;
    }
    std::map<std::string, Value> settings; // the later of two files counts
    for (const std::string& name : settingsFiles(*request.folder, data)) {
        const auto text = contentOf(*request.folder, name);
        if (!text) {
            data.notices.push_back({Severity::Warning, Error(text.error()).inFile(name)});
            continue;
        }
        YamlDocument document = parseYaml(*text, name);
        std::ranges::move(document.notices, std::back_inserter(data.notices));
        for (const ValueItem& item : document.value.items()) {
            std::string key = keyText(item.key);
            std::ranges::replace(key, '-', '_');
            settings.insert_or_assign(std::move(key), item.value);
        }
    }
    if (settings.empty()) {
        return std::nullopt;
    }
    std::vector<ValueItem> items;
    for (auto& [name, value] : settings) {
        items.push_back({Value(name), std::move(value)});
    }
    return ValueItem{Value(kSettings), Value::dict(std::move(items))};
}

} // namespace cairn::formats::deepspeed
