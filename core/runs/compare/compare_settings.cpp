// SPDX-License-Identifier: Apache-2.0
#include "core/io/folder.h"
#include "core/model/names/metric_words.h"
#include "core/runs/compare/compare.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <map>
#include <set>
#include <unordered_map>

namespace cairn {
namespace {

struct NaturalOrder {
    bool operator()(const std::string& a, const std::string& b) const {
        return naturalLess(a, b) || (!naturalLess(b, a) && a < b);
    }
};
using Flat = std::vector<Setting>;

bool isKeyed(const Value& value) {
    return value.kind() == ValueKind::Dict || value.kind() == ValueKind::Object;
}

/// A pickled member of an Enum is its class and its value.
const Value* enumMember(const Value& value) {
    const Value* args = value.kind() == ValueKind::Object && value.items().size() == 1
                            ? value.find("args")
                            : nullptr;
    const bool isOne =
        args != nullptr && args->items().size() == 1 && !args->items().front().value.isContainer();
    return isOne ? &args->items().front().value : nullptr;
}

/// Every plain value and empty container of one source, by dotted key. Shared nodes are visited
/// again for each path, limited by kMaxSettings.
Flat flatten(const Value& root, bool& cut) {
    struct Open {
        std::string key;
        Value value;
    };
    Flat flat;
    std::vector<Open> open{{{}, root}};
    std::size_t steps = 0;
    while (!open.empty()) {
        const Open each = std::move(open.back());
        open.pop_back();
        if (flat.size() >= kMaxSettings || ++steps > 2 * kMaxSettings) {
            cut = true;
            return flat;
        }
        const auto& items = each.value.items();
        if (items.empty()) {
            flat.push_back({each.key, each.value});
            continue;
        }
        if (items.size() > kMaxSettings) {
            cut = true;
            continue;
        }
        if (const Value* leaf = enumMember(each.value)) {
            flat.push_back({each.key, *leaf});
            continue;
        }
        for (std::size_t i = 0; i < items.size(); ++i) {
            const std::string part =
                isKeyed(each.value) ? keyText(items[i].key) : std::to_string(i);
            if (!each.key.empty() || !names::namesResult(part)) {
                open.push_back({each.key.empty() ? part : each.key + "." + part, items[i].value});
            }
        }
    }
    return flat;
}

std::map<std::string, Flat> bySource(const Value& settings, bool& cut) {
    std::map<std::string, Flat> sources;
    for (const ValueItem& source : settings.items()) {
        if (!source.value.items().empty()) {
            sources.emplace(keyText(source.key), flatten(source.value, cut));
        }
    }
    return sources;
}

/// "1e-8" without a dot is text in YAML 1.1, but meant as a number.
std::optional<double> numberIn(const Value& value) {
    if (const auto number = numberOf(value)) {
        return number;
    }
    const std::string* text = value.asString();
    if (text == nullptr || text->empty() || text->size() > 40) {
        return std::nullopt;
    }
    double number = 0;
    const char* end = text->data() + text->size();
    const auto parsed = std::from_chars(text->data(), end, number);
    return parsed.ec == std::errc() && parsed.ptr == end ? std::optional(number) : std::nullopt;
}

std::string numberText(double number) {
    if (std::isnan(number)) {
        return "nan";
    }
    if (std::isinf(number)) {
        return number > 0 ? "inf" : "-inf";
    }
    const double size = std::abs(number);
    const bool plain = size == 0 || (size >= 1e-4 && size < 1e16); // as Python prints them
    std::array<char, 40> text{};
    const auto end = std::to_chars(text.data(), text.data() + text.size(), number,
                                   plain ? std::chars_format::fixed : std::chars_format::scientific)
                         .ptr;
    return {text.data(), end};
}

std::vector<std::string> sourcesWithSettings(const Value& settings) {
    std::vector<std::string> names;
    for (const ValueItem& source : settings.items()) {
        if (!source.value.items().empty()) {
            names.push_back(keyText(source.key));
        }
    }
    return names;
}

bool isIgnored(const std::string& key, const std::vector<Glob>& ignore) {
    const std::string lastPart = key.substr(key.rfind('.') + 1);
    return std::ranges::any_of(
        ignore, [&](const Glob& glob) { return glob.matches(key) || glob.matches(lastPart); });
}

} // namespace

bool sameSetting(const Value& left, const Value& right) {
    const bool anyNumber = numberOf(left) || numberOf(right);
    const bool anyText = left.asString() != nullptr || right.asString() != nullptr;
    if (anyNumber && anyText) { // the number as text
        const auto a = numberIn(left);
        const auto b = numberIn(right);
        return a && b && (*a == *b || (std::isnan(*a) && std::isnan(*b)));
    }
    if (left.isContainer() && right.isContainer()) { // empty ones; a tuple equals a list
        return isKeyed(left) == isKeyed(right) &&
               (!isKeyed(left) || left.asNode()->className == right.asNode()->className);
    }
    return sameLeaf(left, right);
}

std::string settingText(const Value& value) {
    switch (value.kind()) {
    case ValueKind::Null:
        return "null";
    case ValueKind::Bool:
        return *value.asBool() ? "true" : "false";
    case ValueKind::Int:
        return std::to_string(*value.asInt());
    case ValueKind::BigInt:
        return value.asBigInt()->digits;
    case ValueKind::Float:
        return numberText(*value.asFloat());
    case ValueKind::String:
        return *value.asString();
    case ValueKind::Bytes:
        return std::to_string(value.asBytes()->size()) + " bytes";
    case ValueKind::Tensor:
        return "a tensor";
    case ValueKind::Dict:
        return "{}";
    case ValueKind::Object:
        return value.asNode()->className.empty() ? "{}" : value.asNode()->className;
    default:
        return "[]";
    }
}

std::vector<std::string> disputedSettings(const Value& settings) {
    bool cut = false;
    std::unordered_map<std::string, Value> first;
    std::set<std::string> disputed;
    for (const auto& [source, flat] : bySource(settings, cut)) {
        for (const auto& [key, value, sources] : flat) {
            const auto [at, isNew] = first.emplace(key, value);
            if (!isNew && !sameSetting(at->second, value)) {
                disputed.insert(key);
            }
        }
    }
    return {disputed.begin(), disputed.end()};
}

std::vector<Setting> flatSettings(const Value& settings, std::span<const std::string> disputed,
                                  bool* cut) {
    bool tooMany = false;
    const std::set<std::string_view> split(disputed.begin(), disputed.end());
    std::unordered_map<std::string, std::size_t> seen;
    std::vector<Setting> result;
    for (auto& [source, flat] : bySource(settings, tooMany)) {
        for (Setting& each : flat) {
            std::string key =
                split.contains(each.key) ? source + ":" + each.key : std::move(each.key);
            const auto [place, isNew] = seen.emplace(key, result.size());
            if (isNew) {
                result.push_back({std::move(key), std::move(each.value)});
            }
            result[place->second].sources.push_back(source);
        }
    }
    std::ranges::sort(result, NaturalOrder(), &Setting::key);
    if (cut != nullptr) {
        *cut = tooMany;
    }
    return result;
}

std::vector<std::string> settingSources(const SettingsComparison& settings) {
    std::vector<std::string> names;
    for (const std::vector<std::string>* side : {&settings.leftSources, &settings.rightSources}) {
        for (const std::string& source : *side) {
            std::string name = source.substr(source.rfind('/') + 1);
            if (std::ranges::find(names, name) == names.end()) {
                names.push_back(std::move(name));
            }
        }
    }
    return names;
}

SettingsComparison compareSettings(const Value& left, const Value& right,
                                   const CompareOptions& options) {
    std::vector<std::string> disputed = disputedSettings(left);
    const auto more = disputedSettings(right);
    disputed.insert(disputed.end(), more.begin(), more.end());
    bool leftCut = false;
    bool rightCut = false;
    const auto leftFlat = flatSettings(left, disputed, &leftCut);
    const auto rightFlat = flatSettings(right, disputed, &rightCut);
    SettingsComparison result;
    result.cut = leftCut || rightCut;
    result.leftSources = sourcesWithSettings(left);
    result.rightSources = sourcesWithSettings(right);
    const NaturalOrder less;
    for (std::size_t l = 0, r = 0; l < leftFlat.size() || r < rightFlat.size();) {
        const bool noLeft = l == leftFlat.size();
        const bool noRight = r == rightFlat.size();
        const bool onlyLeft = noRight || (!noLeft && less(leftFlat[l].key, rightFlat[r].key));
        const bool onlyRight = !onlyLeft && (noLeft || less(rightFlat[r].key, leftFlat[l].key));
        const std::string& key = onlyRight ? rightFlat[r].key : leftFlat[l].key;
        if (isIgnored(key, options.ignore)) {
            ++result.ignored;
        } else if (onlyLeft) {
            result.onlyLeft.push_back(leftFlat[l]);
        } else if (onlyRight) {
            result.onlyRight.push_back(rightFlat[r]);
        } else if (sameSetting(leftFlat[l].value, rightFlat[r].value)) {
            ++result.same;
        } else {
            result.different.push_back({key, leftFlat[l].value, rightFlat[r].value,
                                        leftFlat[l].sources, rightFlat[r].sources});
        }
        l += onlyRight ? 0U : 1U;
        r += onlyLeft ? 0U : 1U;
    }
    return result;
}

} // namespace cairn
