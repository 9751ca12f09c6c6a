// SPDX-License-Identifier: Apache-2.0
#include "core/plan/option_texts.h"

#include <array>
#include <charconv>

namespace cairn {
namespace {

std::string scaleText(double scale) {
    std::array<char, 32> text{};
    const auto written = std::to_chars(text.data(), text.data() + text.size(), scale);
    return {text.data(), written.ptr};
}

} // namespace

std::vector<std::pair<std::string, std::string>> optionsText(const ConsolidateOptions& options) {
    std::vector<std::pair<std::string, std::string>> text = {
        {"to", options.to}, {"only", options.only.text()}, {"dtype", options.dtype}};
    if (!options.only.subtree.empty()) {
        text.emplace_back("subtree", options.only.subtree);
    }
    std::string patterns;
    for (const std::string& pattern : options.keepFp32) {
        patterns += (patterns.empty() ? "" : ";") + pattern;
    }
    if (!patterns.empty()) {
        text.emplace_back("keep-fp32", patterns);
    }
    if (!options.only.without.empty()) {
        text.emplace_back("strip", rolesText(options.only.without));
    }
    if (options.force) {
        text.emplace_back("force", "true");
    }
    if (options.mustLoad) {
        text.emplace_back("require", "loadable");
    }
    if (options.bundle) {
        text.emplace_back("bundle", "true");
    }
    if (options.castAll) {
        text.emplace_back("cast-all", "true");
    }
    if (options.dequantize) {
        text.emplace_back("dequantize", "true");
    }
    if (!options.rename.empty()) {
        text.emplace_back("rename", options.renameText);
    }
    for (const AdapterMember& adapter : options.adapters) {
        text.emplace_back("adapter", adapter.path + "=" + scaleText(adapter.scale));
    }
    if (options.roundsChanges) {
        text.emplace_back("round-changes", "true");
    }
    if (options.names != "auto") {
        text.emplace_back("names", options.names);
    }
    if (!options.like.empty()) {
        text.emplace_back("like", options.like.string());
    }
    if (!options.family.empty()) {
        text.emplace_back("family", options.family);
    }
    return text;
}

} // namespace cairn
