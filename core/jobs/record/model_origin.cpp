// SPDX-License-Identifier: Apache-2.0
#include "core/jobs/record/model_origin.h"

#include "core/base/endian.h"
#include "core/codec/json/json_value.h"
#include "core/jobs/context/record_folder.h"

#include <algorithm>
#include <array>
#include <optional>

namespace cairn {
namespace {

std::string_view literalText(const CopyPlan& plan, std::string_view name) {
    const auto file = std::ranges::find(plan.layout.files, name, &OutputFile::name);
    return file == plan.layout.files.end() || file->literals.empty()
               ? std::string_view()
               : asText(file->bytesOf(file->literals.front()));
}

/// A word that needs no quotes in YAML.
bool isPlainWord(std::string_view text) {
    return !text.empty() && text.size() <= 200 && text.front() != '.' && text.front() != '-' &&
           std::ranges::all_of(text, [](char c) {
               return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                      c == '-' || c == '_' || c == '.' || c == '/';
           });
}

/// "owner/name" or "name"; a path on somebody's disk is not a model's name.
bool isHubName(std::string_view text) {
    return isPlainWord(text) && text.front() != '/' && text.find("..") == text.npos &&
           std::ranges::count(text, '/') <= 1 && text.back() != '/';
}

std::string_view trimmed(std::string_view text) {
    constexpr std::string_view kSpace = " \t\r'\"";
    const std::size_t from = std::min(text.find_first_not_of(kSpace), text.size());
    text.remove_prefix(from);
    return text.substr(0, text.find_last_not_of(kSpace) + 1);
}

void addBase(ModelOrigin& origin, std::string_view name) {
    if (isHubName(name) && std::ranges::find(origin.baseModels, name) == origin.baseModels.end()) {
        origin.baseModels.emplace_back(name);
    }
}

/// The two fields that matter, without a parser of YAML: "key: value", or a list below the key.
void readFrontMatter(ModelOrigin& origin, std::string_view readme) {
    if (!readme.starts_with("---\n") && !readme.starts_with("---\r\n")) {
        return;
    }
    bool inBases = false;
    for (std::size_t at = readme.find('\n') + 1; at < readme.size();) {
        const std::size_t end = std::min(readme.find('\n', at), readme.size());
        const std::string_view line = readme.substr(at, end - at);
        at = end + 1;
        if (trimmed(line) == "---") {
            return;
        }
        const std::string_view item = trimmed(line);
        if (inBases && item.starts_with("- ")) {
            addBase(origin, trimmed(item.substr(2)));
            continue;
        }
        const std::size_t colon = line.find(':');
        const std::string_view key = line.substr(0, colon);
        const std::string_view value =
            colon == line.npos ? std::string_view() : trimmed(line.substr(colon + 1));
        inBases = key == "base_model";
        if (inBases) {
            addBase(origin, value);
        } else if (key == "license" && isPlainWord(value)) {
            origin.licence = value;
        }
    }
}

struct KnownLicence {
    std::string_view words;
    std::string_view id;
};
constexpr auto kLicences =
    std::to_array<KnownLicence>({{"Apache License", "apache-2.0"}, {"MIT License", "mit"}});

void readLicence(ModelOrigin& origin, const CopyPlan& plan) {
    for (const std::string_view name : {"LICENSE", "LICENSE.txt", "LICENSE.md"}) {
        const std::string_view text = literalText(plan, name);
        if (text.empty()) {
            continue;
        }
        origin.licenceFile = name;
        const std::string_view head = text.substr(0, 400);
        const auto known = std::ranges::find_if(kLicences, [&](const KnownLicence& each) {
            return head.find(each.words) != head.npos;
        });
        if (origin.licence.empty()) {
            origin.licence = known != kLicences.end() ? known->id : "other";
        }
        return;
    }
}

} // namespace

ModelOrigin modelOrigin(const CopyPlan& plan) {
    ModelOrigin origin;
    readFrontMatter(origin, literalText(plan, "README.md"));
    readLicence(origin, plan);
    if (const auto config = parseJson(literalText(plan, "config.json"), "config.json")) {
        origin.modelType = textIn(*config, "model_type");
        const JsonValue* classes = config->find("architectures");
        if (classes != nullptr && !classes->elements().empty()) {
            origin.architecture = classes->elements().front().asString().value_or("");
        }
        addBase(origin, textIn(*config, "_name_or_path"));
    }
    const auto adapter = parseJson(literalText(plan, "adapter_config.json"), "adapter_config.json");
    if (adapter) {
        addBase(origin, textIn(*adapter, "base_model_name_or_path"));
    }
    return origin;
}

std::string frontMatter(const ModelOrigin& origin) {
    std::string text;
    if (!origin.licence.empty()) {
        text += "license: " + origin.licence + "\n";
        if (origin.licence == "other" && !origin.licenceFile.empty()) {
            text += "license_link: " + origin.licenceFile + "\n";
        }
    }
    if (!origin.baseModels.empty()) {
        text += "base_model:\n";
        for (const std::string& base : origin.baseModels) {
            text += "- " + base + "\n";
        }
    }
    return text.empty() ? text : "---\n" + text + "---\n\n";
}

} // namespace cairn
