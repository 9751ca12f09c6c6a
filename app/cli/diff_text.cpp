// SPDX-License-Identifier: Apache-2.0
#include "app/cli/diff_output.h"
#include "app/cli/quantised_output.h"
#include "app/cli/text_table.h"
#include "app/cli/value_text.h"
#include "core/base/counted.h"
#include "core/base/visible_text.h"
#include "core/model/element.h"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace cairn::cli {
namespace {

constexpr std::size_t kTextRows = 200;
constexpr std::size_t kTextValues = 20;
constexpr std::size_t kTextNames = 20;

std::string sideText(const WeightValues& side, TensorIndex index) {
    const TensorEntry& tensor = side.checkpoint()->tensor(index);
    const QuantisedTensor* quantised = side.find(index);
    return std::string(dtypeName(tensor.dtype)) + " " + formatDims(tensor.shape) +
           (quantised != nullptr ? " (" + quantisedText(*quantised).text() + ")" : std::string());
}

void printNames(const std::string& title, const WeightValues& side,
                std::span<const TensorIndex> tensors, Session& session) {
    if (tensors.empty()) {
        return;
    }
    session.out.line(title + " (" + std::to_string(tensors.size()) + "):");
    for (const TensorIndex index : tensors.first(std::min(tensors.size(), kTextNames))) {
        session.out.line("  " + visibleText(side.checkpoint()->tensor(index).name) + "  " +
                         sideText(side, index));
    }
    if (tensors.size() > kTextNames) {
        session.out.line("  … and " + std::to_string(tensors.size() - kTextNames) + " more");
    }
}

std::vector<std::string> textRow(const Difference& diff, std::size_t i) {
    const TensorPair& pair = diff.structure().pairs[i];
    std::string what = sideText(diff.sides.leftWeights, pair.left);
    if (const std::string right = sideText(diff.sides.rightWeights, pair.right); right != what) {
        what += " | " + right;
    }
    std::vector<std::string> row{diff.left().checkpoint->tensor(pair.left).name, what};
    const PairDiff* values = diff.hasValues ? &diff.values[i] : nullptr;
    if (values == nullptr || !values->compared()) {
        row.emplace_back(values != nullptr && values->error ? "unreadable" : "not compared");
        row.insert(row.end(), 5, "-");
        return row;
    }
    const ElementComparison& sums = values->values;
    row.push_back(std::to_string(sums.changed) + " of " + std::to_string(sums.count));
    const auto cell = [&](const std::optional<double>& number) {
        row.push_back(sums.numeric && number ? figureText(*number) : "-");
    };
    cell(sums.maxAbs);
    cell(sums.meanAbs());
    cell(sums.rms());
    cell(sums.relativeL2());
    cell(sums.cosine());
    return row;
}

void printChanged(const Difference& diff, Session& session) {
    TextTable table({{"CHANGED"},
                     {"DTYPE AND SHAPE"},
                     {"ELEMENTS", Align::Right},
                     {"MAX ABS", Align::Right},
                     {"MEAN ABS", Align::Right},
                     {"RMS", Align::Right},
                     {"REL L2", Align::Right},
                     {"COSINE", Align::Right}});
    std::size_t rows = 0;
    for (const std::size_t i : diff.order) {
        if (diff.pairDiffers(i) && ++rows <= kTextRows) {
            table.add(textRow(diff, i));
        }
    }
    if (rows == 0) {
        return;
    }
    table.print(session);
    if (rows > kTextRows) {
        session.out.line("… and " + std::to_string(rows - kTextRows) + " more; --json has all");
    }
}

/// At most kTextValues of one kind; `text` gives the part after the key.
template <class Text>
void printValues(const std::string& title, const std::vector<ValueChange>& changes,
                 const Text& text, Session& session) {
    if (changes.empty()) {
        return;
    }
    session.out.line(title + " (" + std::to_string(changes.size()) + "):");
    for (std::size_t i = 0; i < std::min(changes.size(), kTextValues); ++i) {
        session.out.line("  " + visibleText(changes[i].key) + ": " + text(changes[i]));
    }
    if (changes.size() > kTextValues) {
        session.out.line("  … and " + std::to_string(changes.size() - kTextValues) + " more");
    }
}

void printPlain(const PlainValuesDiff& plain, Session& session) {
    printValues(
        "Values that differ", plain.changed,
        [](const ValueChange& change) {
            return leafText(change.left) + " → " + leafText(change.right);
        },
        session);
    printValues(
        "Values only in A", plain.onlyLeft,
        [](const ValueChange& change) { return leafText(change.left); }, session);
    printValues(
        "Values only in B", plain.onlyRight,
        [](const ValueChange& change) { return leafText(change.right); }, session);
}

} // namespace

void printDifference(const Difference& diff, Session& session) {
    session.out.line(visibleText(answerText(diff.answer()).text()));
    if (diff.hasNothingInCommon()) {
        session.out.line("Map the names with --map FROM=TO");
    }
    printNames("Only in A", diff.sides.leftWeights, diff.structure().onlyLeft, session);
    printNames("Only in B", diff.sides.rightWeights, diff.structure().onlyRight, session);
    printChanged(diff, session);
    if (diff.plain) {
        printPlain(*diff.plain, session);
    }
    const std::size_t changed = diff.changedPairs();
    std::string line = counted(diff.structure().pairs.size(), "tensor") + " on both sides";
    line += diff.hasValues ? ", " + std::to_string(changed) + " differ"
                           : ", " + std::to_string(changed) + " with a different dtype or shape";
    const DiffSums sums = diff.sums();
    if (sums.unread > 0) {
        line += ", " + std::to_string(sums.unread) + " not compared";
    }
    session.out.line(line);
    if (const std::size_t numbers = diff.sides.comparedAsNumbers(); numbers > 0) {
        session.out.line(counted(numbers, "quantised weight") +
                         " compared as the numbers that codes and scales give");
    }
    if (const std::size_t codes = diff.sides.comparedAsCodes(); codes > 0) {
        session.out.line(counted(codes, "quantised weight") +
                         " compared by stored codes, bit by bit, not as numbers");
    }
    const auto equalAfterCast = std::ranges::count_if(diff.values, [](const PairDiff& pair) {
        return pair.compared() && pair.values.changedAfterCast == std::uint64_t{0};
    });
    if (equalAfterCast > 0) {
        session.out.line(std::to_string(equalAfterCast) +
                         " of them are equal after a cast to the narrower dtype");
    }
    session.out.line(diff.differs()   ? "The checkpoints differ"
                     : diff.hasValues ? "The checkpoints are equal"
                                      : "Names, dtypes and shapes are equal");
    if (!diff.hasValues && !diff.structure().pairs.empty()) {
        session.out.line("Values were not compared; use --values");
    }
    if (diff.layers) {
        printSimilarity(*diff.layers, session);
    }
}

} // namespace cairn::cli
