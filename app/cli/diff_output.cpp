// SPDX-License-Identifier: Apache-2.0
#include "app/cli/diff_output.h"

#include "app/cli/json_output.h"
#include "app/cli/text_table.h"
#include "app/cli/value_text.h"
#include "core/analysis/diff_rollup.h"
#include "core/base/counted.h"
#include "core/base/visible_text.h"
#include "core/model/element.h"

#include <algorithm>
#include <span>

namespace cairn::cli {
namespace {

constexpr std::size_t kTextRows = 200;
constexpr std::size_t kTextValues = 20;
constexpr std::size_t kTextNames = 20;
constexpr std::size_t kMaxValueText = 60;

DiffSums sumsOf(const Difference& diff) {
    return rollUp(diff.left, diff.right, diff.structure, diff.values).root().sums;
}

const std::string& nameOf(const DiffSide& side, TensorIndex index) {
    return side.checkpoint->tensor(index).name;
}

std::size_t changedPairs(const Difference& diff) {
    return static_cast<std::size_t>(std::ranges::count_if(
        diff.order, [&](std::size_t pair) { return diff.pairDiffers(pair); }));
}

bool nothingInCommon(const Difference& diff) {
    return diff.structure.pairs.empty() &&
           (!diff.structure.onlyLeft.empty() || !diff.structure.onlyRight.empty());
}

constexpr std::string_view kNothingInCommon = "The two checkpoints have no tensor in common";

std::string_view reasonOf(const TensorPair& pair) {
    if (!pair.sameShape) {
        return "shape";
    }
    return pair.sameDtype ? "values" : "dtype";
}

void writeSide(JsonWriter& json, std::string_view key, const TensorEntry& tensor) {
    json.key(key);
    json.beginObject();
    json.member("dtype", dtypeName(tensor.dtype));
    json.key("shape");
    writeDims(json, tensor.shape);
    json.endObject();
}

void writeNumber(JsonWriter& json, std::string_view key, const std::optional<double>& number) {
    json.key(key);
    if (number) {
        json.number(*number);
    } else {
        json.null();
    }
}

/// The measures; null where nothing was compared.
void writeMeasures(JsonWriter& json, const PairDiff* pair) {
    const bool measured = pair != nullptr && pair->by == DiffBy::Values && pair->values.numeric;
    const bool counted = pair != nullptr && pair->compared();
    const ElementComparison values = pair != nullptr ? pair->values : ElementComparison{};
    const auto when = [&](double number) {
        return measured ? std::optional(number) : std::nullopt;
    };
    json.key("count_changed");
    if (counted) {
        json.natural(values.changed);
    } else {
        json.null();
    }
    writeNumber(json, "max_abs", when(values.maxAbs));
    writeNumber(json, "mean_abs", when(values.meanAbs()));
    writeNumber(json, "rms", when(values.rms()));
    writeNumber(json, "rel_l2", measured ? values.relativeL2() : std::nullopt);
    writeNumber(json, "cosine", measured ? values.cosine() : std::nullopt);
    if (measured) {
        json.member("count", values.count);
        json.member("nonfinite_pairs", values.nonfinite);
        json.member("beyond_tolerance", values.beyond);
    }
    if (measured && values.changedAfterCast) {
        json.member("changed_after_cast", *values.changedAfterCast);
    }
}

void writePair(JsonWriter& json, const Difference& diff, std::size_t i) {
    const TensorPair& pair = diff.structure.pairs[i];
    const PairDiff* values = diff.hasValues ? &diff.values[i] : nullptr;
    json.beginObject();
    json.member("name", nameOf(diff.left, pair.left));
    if (nameOf(diff.right, pair.right) != nameOf(diff.left, pair.left)) {
        json.member("right_name", nameOf(diff.right, pair.right));
    }
    writeSide(json, "left", diff.left.checkpoint->tensor(pair.left));
    writeSide(json, "right", diff.right.checkpoint->tensor(pair.right));
    json.member("differs", reasonOf(pair));
    json.key("identical");
    json.boolean(values != nullptr && values->compared() && values->values.identical);
    writeMeasures(json, values);
    if (values != nullptr) {
        json.member("by", diffByName(values->by));
    }
    if (values != nullptr && values->error) {
        json.key("error");
        writeError(json, *values->error);
    }
    json.endObject();
}

void writeNames(JsonWriter& json, std::string_view key, const DiffSide& side,
                std::span<const TensorIndex> tensors) {
    json.key(key);
    json.beginArray();
    for (const TensorIndex index : tensors) {
        json.string(nameOf(side, index));
    }
    json.endArray();
}

void writeRenamed(JsonWriter& json, const Difference& diff) {
    json.key("renamed");
    json.beginArray();
    for (const TensorPair& pair : diff.structure.pairs) {
        if (pair.renamed) {
            json.beginObject();
            json.member("left", nameOf(diff.left, pair.left));
            json.member("right", nameOf(diff.right, pair.right));
            json.endObject();
        }
    }
    json.endArray();
}

void writePlain(JsonWriter& json, const Difference& diff, Session& session) {
    json.key("values");
    json.beginObject();
    const auto one = [&](std::string_view key, const Value& value, const DiffSide& side) {
        json.key(key);
        writeValue(json, value, *side.checkpoint, session.cancel);
    };
    const auto list = [&](std::string_view key, std::span<const ValueChange> changes, bool left,
                          bool right) {
        json.key(key);
        json.beginArray();
        for (const ValueChange& change : changes) {
            json.beginObject();
            json.member("key", change.key);
            if (left) {
                one("left", change.left, diff.left);
            }
            if (right) {
                one("right", change.right, diff.right);
            }
            json.endObject();
        }
        json.endArray();
    };
    list("changed", diff.plain->changed, true, true);
    list("only_left", diff.plain->onlyLeft, true, false);
    list("only_right", diff.plain->onlyRight, false, true);
    json.member("same", diff.plain->same);
    if (diff.plain->truncated) {
        json.member("truncated", true);
    }
    json.endObject();
}

void writeSummary(JsonWriter& json, const Difference& diff) {
    const DiffSums sums = sumsOf(diff);
    json.key("summary");
    json.beginObject();
    json.key("differ");
    json.boolean(diff.differs());
    json.key("values_compared");
    json.boolean(diff.hasValues);
    json.member("matched", std::uint64_t{diff.structure.pairs.size()});
    json.member("changed", std::uint64_t{changedPairs(diff)});
    json.member("only_left", std::uint64_t{diff.structure.onlyLeft.size()});
    json.member("only_right", std::uint64_t{diff.structure.onlyRight.size()});
    if (diff.hasValues) {
        json.member("same_file", sums.sameFile);
        json.member("not_compared", sums.unread);
        json.member("count", sums.values.count);
        json.member("count_changed", sums.values.changed);
        json.key("max_abs");
        json.number(sums.values.maxAbs);
        writeNumber(json, "rel_l2", sums.values.relativeL2());
        writeNumber(json, "cosine", sums.values.cosine());
    }
    if (nothingInCommon(diff)) {
        json.member("message", kNothingInCommon);
    }
    json.endObject();
}

std::string sideText(const TensorEntry& tensor) {
    return std::string(dtypeName(tensor.dtype)) + " " + formatDims(tensor.shape);
}

std::string valueText(const Value& value) {
    std::string text;
    switch (value.kind()) {
    case ValueKind::Null:
        text = "None";
        break;
    case ValueKind::Bool:
        text = *value.asBool() ? "True" : "False";
        break;
    case ValueKind::Int:
        text = std::to_string(*value.asInt());
        break;
    case ValueKind::BigInt:
        text = value.asBigInt()->digits;
        break;
    case ValueKind::Float:
        text = numberText(*value.asFloat());
        break;
    case ValueKind::String:
        text = *value.asString();
        break;
    case ValueKind::Bytes:
        text = std::to_string(value.asBytes()->size()) + " bytes";
        break;
    default:
        text = "(empty)";
        break;
    }
    if (text.size() > kMaxValueText) {
        text = text.substr(0, kMaxValueText) + "…";
    }
    return visibleText(text);
}

void printNames(const std::string& title, const DiffSide& side,
                std::span<const TensorIndex> tensors, Session& session) {
    if (tensors.empty()) {
        return;
    }
    session.out.line(title + " (" + std::to_string(tensors.size()) + "):");
    for (const TensorIndex index : tensors.first(std::min(tensors.size(), kTextNames))) {
        const TensorEntry& tensor = side.checkpoint->tensor(index);
        session.out.line("  " + visibleText(tensor.name) + "  " + sideText(tensor));
    }
    if (tensors.size() > kTextNames) {
        session.out.line("  … and " + std::to_string(tensors.size() - kTextNames) + " more");
    }
}

std::vector<std::string> textRow(const Difference& diff, std::size_t i) {
    const TensorPair& pair = diff.structure.pairs[i];
    const TensorEntry& left = diff.left.checkpoint->tensor(pair.left);
    const TensorEntry& right = diff.right.checkpoint->tensor(pair.right);
    std::string what = sideText(left);
    if (sideText(right) != what) {
        what += " | " + sideText(right);
    }
    std::vector<std::string> row{left.name, what};
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

void printPlain(const PlainValuesDiff& plain, Session& session) {
    if (plain.changed.empty()) {
        return;
    }
    session.out.line("Values that differ (" + std::to_string(plain.changed.size()) + "):");
    std::size_t rows = 0;
    for (const ValueChange& change : plain.changed) {
        if (++rows > kTextValues) {
            session.out.line("  … and " + std::to_string(plain.changed.size() - kTextValues) +
                             " more");
            break;
        }
        session.out.line("  " + visibleText(change.key) + "  " + valueText(change.left) + " | " +
                         valueText(change.right));
    }
}

} // namespace

bool Difference::pairDiffers(std::size_t pair) const {
    const TensorPair& which = structure.pairs[pair];
    if (!which.sameDtype || !which.sameShape) {
        return true;
    }
    if (!hasValues) {
        return false;
    }
    const PairDiff& diff = values[pair];
    if (!diff.compared()) {
        return true;
    }
    return tolerant ? diff.values.beyond > 0 : !diff.values.identical;
}

bool Difference::differs() const {
    const bool names = !structure.onlyLeft.empty() || !structure.onlyRight.empty();
    return names || (plain && !plain->changed.empty()) ||
           std::ranges::any_of(order, [&](std::size_t pair) { return pairDiffers(pair); });
}

void writeDifference(const Difference& diff, Session& session) {
    JsonDocument document(session.out);
    JsonWriter& json = *document;
    json.member("left", diff.leftPath);
    json.member("right", diff.rightPath);
    json.member("left_complete", completenessName(diff.left.checkpoint->completeness()));
    json.member("right_complete", completenessName(diff.right.checkpoint->completeness()));
    writeNames(json, "only_left", diff.left, diff.structure.onlyLeft);
    writeNames(json, "only_right", diff.right, diff.structure.onlyRight);
    writeRenamed(json, diff);
    json.key("changed");
    json.beginArray();
    for (const std::size_t i : diff.order) {
        if (diff.pairDiffers(i)) {
            writePair(json, diff, i);
        }
    }
    json.endArray();
    json.member("same", std::uint64_t{diff.structure.pairs.size() - changedPairs(diff)});
    if (diff.layers) {
        writeSimilarity(json, *diff.layers);
    }
    if (diff.plain) {
        writePlain(json, diff, session);
    }
    writeSummary(json, diff);
    document.finish();
}

void printDifference(const Difference& diff, Session& session) {
    if (nothingInCommon(diff)) {
        session.out.line(kNothingInCommon);
        session.out.line("Map the names with --map FROM=TO");
    }
    printNames("Only in A", diff.left, diff.structure.onlyLeft, session);
    printNames("Only in B", diff.right, diff.structure.onlyRight, session);
    printChanged(diff, session);
    if (diff.plain) {
        printPlain(*diff.plain, session);
    }
    const std::size_t changed = changedPairs(diff);
    std::string line = counted(diff.structure.pairs.size(), "tensor") + " on both sides";
    line += diff.hasValues ? ", " + std::to_string(changed) + " differ"
                           : ", " + std::to_string(changed) + " with a different dtype or shape";
    const DiffSums sums = sumsOf(diff);
    if (sums.unread > 0) {
        line += ", " + std::to_string(sums.unread) + " not compared";
    }
    session.out.line(line);
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
    if (!diff.hasValues && !diff.structure.pairs.empty()) {
        session.out.line("Values were not compared; use --values");
    }
    if (diff.layers) {
        printSimilarity(*diff.layers, session);
    }
}

} // namespace cairn::cli
