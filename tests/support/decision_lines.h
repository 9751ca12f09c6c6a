// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/runs/experiment.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <optional>
#include <string>
#include <vector>

/// What is decided about the runs of a folder, with the evidence, a line each: the same text from
/// every face. decision_lines.py makes it of the JSON document.
namespace cairn::test {

inline std::string evidenceIds(const std::vector<Evidence>& all) {
    std::string ids;
    for (const Evidence& each : all) {
        ids += (ids.empty() ? "" : ",") + std::string(strengthName(each.strength)) + ":" +
               std::string(each.id);
    }
    return ids.empty() ? "-" : ids;
}

inline std::string reasonIds(const std::vector<Evidence>& because,
                             const std::vector<Evidence>& against) {
    return " because=" + evidenceIds(because) + " against=" + evidenceIds(against) + "\n";
}

template <class Number> std::string shownNumber(const std::optional<Number>& number) {
    std::array<char, 32> digits{};
    const int length = std::snprintf(digits.data(), digits.size(), "%.9g",
                                     number ? static_cast<double>(*number) : 0.0);
    return number ? std::string(digits.data(), static_cast<std::size_t>(length)) : "-";
}

inline std::string decisionLines(const ScannedRun& run) {
    std::string text = "run " + run.id + " best=" + run.bestIs.value.value_or("-") +
                       reasonIds(run.bestIs.because, run.bestIs.against);
    text += "  headline=" + run.headline.value.value_or("-") +
            reasonIds(run.headline.because, run.headline.against);
    text += std::string("  direction=") +
            (!run.direction         ? "-"
             : run.largerIsBetter() ? "larger"
                                    : "smaller") +
            reasonIds(run.direction.because, run.direction.against);
    text += "  undecided=" + (run.undecidedMetric.empty() ? "-" : run.undecidedMetric) +
            reasonIds(run.rowsBecause, run.rowsAgainst);
    for (const ScannedCheckpoint& each : run.checkpoints) {
        text += "  " + each.name + " step=" + shownNumber(each.step) +
                " epoch=" + shownNumber(each.epoch) + " score=" + shownNumber(each.score) +
                (each.best ? " best" : "") + (each.latest ? " latest" : "") +
                reasonIds(each.because, each.against);
        if (each.exportOf) {
            text += "    export of=" + (each.exportOf.value->empty() ? "-" : *each.exportOf.value) +
                    " because=" + evidenceIds(each.exportOf.because) + "\n";
        }
    }
    return text;
}

inline std::string decisionLines(const Experiment& experiment) {
    std::vector<std::string> runs;
    for (const ScannedRun& run : experiment.runs) {
        runs.push_back(decisionLines(run));
    }
    std::ranges::sort(runs);
    std::string text;
    for (const std::string& run : runs) {
        text += run;
    }
    return text;
}

/// Whether the plain values of a checkpoint are what was saved.
inline std::string savedLine(const std::string& name, const Decided<bool>& saved) {
    return name + " saved=" +
           (!saved         ? "-"
            : *saved.value ? "true"
                           : "false") +
           reasonIds(saved.because, saved.against);
}

/// The files of tests/data/decisions/values.
inline constexpr auto kSavedValues = std::to_array<const char*>(
    {"compared.pt", "damaged.pt", "none.safetensors", "not_checked.safetensors"});

inline std::string expectedSaved(const std::filesystem::path& sources) {
    std::ifstream file(sources / "tests/data/decisions/expected_values.txt");
    return {std::istreambuf_iterator<char>(file), {}};
}

inline std::string expectedDecisions(const std::filesystem::path& sources) {
    std::ifstream file(sources / "tests/data/decisions/expected.txt");
    return {std::istreambuf_iterator<char>(file), {}};
}

} // namespace cairn::test
