// SPDX-License-Identifier: Apache-2.0
#include "core/formats/keras/attributes.h"

#include "core/codec/json/json_value.h"
#include "core/formats/common/text/json_values.h"
#include "core/model/saved_values.h"

#include <algorithm>
#include <iterator>
#include <set>
#include <string_view>
#include <utility>

namespace cairn::formats::keras {
namespace {

/// `model_config` and `training_config` are JSON.
Value attributeValue(const hdf5::Attribute& attribute, const std::string& file) {
    const std::string& text = attribute.texts.front();
    if (!attribute.name.ends_with("_config")) {
        return {std::string_view(text)};
    }
    const auto json = parseJson(text, file);
    return json ? valueFromJson(*json)
                : unreadableValue(Error(json.error()).inFile(file).inField(attribute.name));
}

void addObjectNames(const hdf5::Index& index, std::vector<ValueItem>& values) {
    constexpr std::string_view kVars = "vars";
    std::vector<ValueItem> names;
    for (const hdf5::Attribute& each : index.attributes) {
        const std::string_view path = each.path;
        const bool isGroup = path == kVars || path.ends_with("/vars");
        if (each.name == "name" && isGroup && each.texts.size() == 1) {
            const std::string_view place =
                path.substr(0, path.size() - std::min(path.size(), kVars.size() + 1));
            names.push_back({Value(place), Value(each.texts.front())});
        }
    }
    if (names.empty()) {
        return;
    }
    constexpr std::string_view kGraph = "object_graph";
    const auto shards = std::ranges::find_if(
        values, [&](const ValueItem& item) { return keyText(item.key) == kGraph; });
    if (shards == values.end()) {
        values.push_back(
            {Value(kGraph), Value::dict({{Value("names"), Value::dict(std::move(names))}})});
    } else if (const Value* known = shards->value.find("names")) {
        std::vector<ValueItem> all = known->items();
        std::ranges::move(names, std::back_inserter(all));
        shards->value = Value::dict({{Value("names"), Value::dict(std::move(all))}});
    }
}

/// Adds attributes of the root that describe the model.
void addRootAttributes(const hdf5::Index& index, const std::string& file,
                       std::vector<ValueItem>& values) {
    static const std::set<std::string, std::less<>> kWanted = {
        "keras_version", "backend", "model_config", "training_config", "layer_names"};
    for (const hdf5::Attribute& each : index.attributes) {
        const bool top = each.path.empty() || each.path == "model_weights";
        const bool known = std::ranges::any_of(
            values, [&](const ValueItem& item) { return keyText(item.key) == each.name; });
        if (!top || known || !kWanted.contains(each.name)) {
            continue;
        }
        if (each.texts.size() == 1 && each.name != "layer_names") {
            values.push_back({Value(each.name), attributeValue(each, file)});
        } else if (!each.texts.empty()) {
            values.push_back(
                {Value(each.name), Value::list({each.texts.begin(), each.texts.end()})});
        }
    }
}

} // namespace

void addAttributes(const hdf5::Index& index, const std::string& file,
                   std::vector<ValueItem>& values) {
    addRootAttributes(index, file, values);
    addObjectNames(index, values);
}

} // namespace cairn::formats::keras
