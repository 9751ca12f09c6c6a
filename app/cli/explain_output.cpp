// SPDX-License-Identifier: Apache-2.0
#include "app/cli/explain_output.h"

#include "app/cli/text_table.h"
#include "app/cli/value_text.h"
#include "core/base/counted.h"

#include <array>
#include <cstdio>

namespace cairn::cli {
namespace {

std::string fixedText(double value) {
    std::array<char, 32> text{};
    std::snprintf(text.data(), text.size(), "%.2f", value);
    return text.data();
}

/// A p-value is no smaller than one permutation in all.
std::string pText(double p) {
    std::array<char, 32> text{};
    std::snprintf(text.data(), text.size(), p < 0.001 ? "%.1g" : "%.3f", p);
    return text.data();
}

} // namespace

void writeExplanation(JsonWriter& json, const RunGrid& grid, const MetricExplanation& explanation) {
    json.key("explain");
    json.beginObject();
    json.member("metric", grid.nameOf(explanation.column));
    json.member("runs", explanation.runs);
    json.member("missing", explanation.missing);
    json.key("settings");
    json.beginArray();
    for (const SettingEffect& each : explanation.settings) {
        json.beginObject();
        json.member("key", grid.settings()[each.setting].key);
        json.member("statistic", rankStatisticName(each.statistic));
        json.member("value", each.value);
        json.member("effect", each.effect);
        json.member("n", each.n);
        json.member("values", each.values);
        json.member("p", each.p);
        json.member("permutations", each.permutations);
        json.member("exact", each.exact);
        json.key("alike");
        json.beginArray();
        for (const std::size_t other : each.alike) {
            json.string(grid.settings()[other].key);
        }
        json.endArray();
        json.endObject();
    }
    json.endArray();
    json.endObject();
}

void printExplanation(const RunGrid& grid, const MetricExplanation& explanation, Session& session) {
    TextTable table({{"SETTING"},
                     {"EFFECT", Align::Right},
                     {"P", Align::Right},
                     {"N", Align::Right},
                     {"VALUES", Align::Right},
                     {"STATISTIC"}});
    for (const SettingEffect& each : explanation.settings) {
        const bool isRho = each.statistic == RankStatistic::Spearman;
        const std::string& key = grid.settings()[each.setting].key;
        const std::string others = each.alike.size() == 1
                                       ? grid.settings()[each.alike.front()].key
                                       : std::to_string(each.alike.size()) + " others";
        table.add({each.alike.empty() ? key : key + " with " + others, fixedText(each.effect),
                   pText(each.p), std::to_string(each.n), std::to_string(each.values),
                   (isRho ? "Spearman rho " : "Kruskal-Wallis epsilon² ") + fixedText(each.value)});
    }
    table.print(session);
    if (!session.quiet) {
        session.out.line(grid.nameOf(explanation.column) + " of " +
                         counted(explanation.runs, "run") + ", " +
                         std::to_string(explanation.missing) +
                         " without a value. Effect: share of the variance of ranks beyond chance.");
    }
}

} // namespace cairn::cli
