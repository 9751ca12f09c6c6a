// SPDX-License-Identifier: Apache-2.0
#include "core/jobs/training/keras_groups.h"

#include <charconv>
#include <set>
#include <utility>

namespace cairn {
namespace {

constexpr std::string_view kVars = "vars";

} // namespace

KerasNames kerasNames(const Value& values) {
    KerasNames found;
    const Value* names = values.findPath({"object_graph", "names"});
    if (names == nullptr) {
        return found;
    }
    for (const ValueItem& item : names->items()) {
        if (const std::string* name = item.value.asString()) {
            found.emplace(keyText(item.key), *name);
        }
    }
    return found;
}

std::vector<KerasGroup> kerasGroups(const Checkpoint& keras, const KerasNames& names) {
    std::map<std::string, std::map<std::size_t, TensorIndex>, std::less<>> groups;
    std::set<std::string, std::less<>> unnumbered;
    for (std::size_t i = 0; i < keras.tensors().size(); ++i) {
        const std::string& name = keras.tensors()[i].name;
        if (!isKerasPlace(name)) {
            continue;
        }
        const std::string group(folderOf(folderOf(name)));
        if (const auto number = positionIn(lastOf(name))) {
            groups[group].emplace(*number, TensorIndex(i));
        } else {
            groups[group];
            unnumbered.insert(group);
        }
    }
    std::vector<KerasGroup> found;
    for (const auto& [place, numbered] : groups) {
        KerasGroup group{place, {}, {}, !unnumbered.contains(place), false};
        if (const auto name = names.find(place); name != names.end()) {
            group.name = name->second;
        }
        for (const auto& [number, tensor] : numbered) {
            group.isNumbered = group.isNumbered && number == group.places.size();
            group.places.push_back(tensor);
        }
        found.push_back(std::move(group));
    }
    return found;
}

bool isKerasPlace(std::string_view name) {
    return name.find('/') != std::string_view::npos && lastOf(folderOf(name)) == kVars;
}

std::string_view lastOf(std::string_view path) {
    const std::size_t slash = path.rfind('/');
    return slash == std::string_view::npos ? path : path.substr(slash + 1);
}

std::string_view folderOf(std::string_view path) {
    const std::size_t slash = path.rfind('/');
    return slash == std::string_view::npos ? std::string_view() : path.substr(0, slash);
}

std::string_view withoutNumber(std::string_view name) {
    const std::size_t mark = name.rfind('_');
    const bool isNumbered =
        mark != std::string_view::npos && mark > 0 && positionIn(name.substr(mark + 1));
    return isNumbered ? name.substr(0, mark) : name;
}

std::optional<std::size_t> positionIn(std::string_view text) {
    std::size_t number = 0;
    const auto read = std::from_chars(text.data(), text.data() + text.size(), number);
    return read.ec == std::errc() && read.ptr == text.data() + text.size() ? std::optional(number)
                                                                           : std::nullopt;
}

} // namespace cairn
