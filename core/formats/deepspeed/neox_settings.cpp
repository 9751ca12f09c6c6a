// SPDX-License-Identifier: Apache-2.0
#include "core/formats/deepspeed/neox_settings.h"

#include "core/base/endian.h"
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

} // namespace

std::optional<ValueItem> neoxSettings(const Folder& save, CheckpointData& data) {
    const auto folder = save.openFolder(kSettings);
    const auto entries =
        folder ? (*folder)->list() : Result<std::vector<FolderEntry>>(std::vector<FolderEntry>());
    std::set<std::string> names;
    for (const FolderEntry& entry : entries ? *entries : std::vector<FolderEntry>()) {
        if (entry.name.ends_with(".yml") || entry.name.ends_with(".yaml")) {
            names.insert(entry.name);
        }
    }
    std::map<std::string, Value> settings; // the later of two files counts
    std::size_t count = 0;
    for (const std::string& name : names) {
        const auto file = (*folder)->openFile(name);
        if (!file || (*file)->size() > kMaxFile || ++count > kMostFiles) {
            continue;
        }
        const auto text = readRange(**file, {0, (*file)->size()});
        if (!text) {
            continue;
        }
        YamlDocument document =
            parseYaml(std::string(asText(*text)), std::string(kSettings) + "/" + name);
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
