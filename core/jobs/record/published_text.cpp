// SPDX-License-Identifier: Apache-2.0
#include "core/jobs/record/published_text.h"

#include "core/base/other_machine.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <map>

namespace cairn {
namespace {

namespace fs = std::filesystem;

bool endsWord(char c) {
    return std::string_view(" \t\n,;:=@()[]{}'\"`<>|").find(c) != std::string_view::npos;
}

/// "/home/user/rules.txt" becomes "rules.txt".
std::string lastComponents(std::string_view text) {
    std::string out;
    for (std::size_t at = 0; at < text.size();) {
        const bool begins = text[at] == '/' && (at == 0 || endsWord(text[at - 1]));
        std::size_t end = at + 1;
        while (begins && end < text.size() && !endsWord(text[end])) {
            ++end;
        }
        const std::string_view word = text.substr(at, end - at);
        const std::size_t slash =
            word.find_last_of('/', word.size() - (word.ends_with('/') ? 2 : 1));
        out += begins && word.size() > 1 && slash != word.npos && slash > 0 ? word.substr(slash + 1)
                                                                            : word;
        at = end;
    }
    return out;
}

void replaceAll(std::string& text, std::string_view from, std::string_view to) {
    for (std::size_t at = text.find(from); at != std::string::npos;
         at = text.find(from, at + to.size())) {
        text.replace(at, from.size(), to);
    }
}

} // namespace

std::string sourceName(const CopyPlan& plan, const Checkpoint& checkpoint) {
    const fs::path source = absolutePlace(checkpoint.path());
    if (isOnOtherMachine(source)) {
        return source.filename().string();
    }
    const std::string relative =
        source.lexically_relative(absolutePlace(plan.output).parent_path()).generic_string();
    const bool within = !relative.empty() && relative != "." && !relative.starts_with("..");
    return within ? relative : source.filename().string();
}

std::string publishedText(const CopyPlan& plan, std::string_view text) {
    if (text.find('/') == std::string_view::npos) {
        return std::string(text);
    }
    std::map<std::string, std::string, std::greater<>> names; // longer paths first
    const auto add = [&](const Checkpoint& checkpoint) {
        names.emplace(absolutePlace(checkpoint.path()).string(), sourceName(plan, checkpoint));
    };
    add(*plan.source);
    for (const auto& [tensor, recipe] : plan.sums()) {
        for (const AverageTerm& term : recipe.terms) {
            add(*term.checkpoint);
        }
    }
    for (const FoldedAdapter& adapter : plan.adapters) {
        add(*adapter.checkpoint);
    }
    for (const JoinedMember& member : plan.joined) {
        add(*member.checkpoint);
    }
    std::string out(text);
    for (const auto& [path, name] : names) {
        replaceAll(out, path, name);
    }
    return lastComponents(out);
}

nlohmann::ordered_json publishedOptions(const CopyPlan& plan) {
    constexpr std::array<std::string_view, 3> kPlaces = {"adapter", "like", "delta"};
    auto options = nlohmann::ordered_json::object();
    for (const auto& [key, value] : plan.options) {
        // Rules and globs are about names of tensors, in which `/` may occur.
        const bool isPlace = std::ranges::find(kPlaces, key) != kPlaces.end();
        std::string text = isPlace ? publishedText(plan, value) : value;
        if (!options.contains(key)) {
            options[key] = std::move(text);
            continue;
        }
        if (options[key].is_string()) {
            options[key] = nlohmann::ordered_json::array({options[key]});
        }
        options[key].push_back(std::move(text));
    }
    return options;
}

} // namespace cairn
