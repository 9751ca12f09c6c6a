// SPDX-License-Identifier: Apache-2.0
#include "app/cli/diff_output.h"
#include "app/cli/json_output.h"
#include "app/cli/quantised_output.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace cairn::cli {
namespace {

const std::string& nameOf(const DiffSide& side, TensorIndex index) {
    return side.checkpoint->tensor(index).name;
}

std::string_view reasonOf(const TensorPair& pair) {
    if (!pair.sameShape) {
        return "shape";
    }
    return pair.sameDtype ? "values" : "dtype";
}

void writeForm(JsonWriter& json, const TensorEntry& tensor) {
    json.member("dtype", dtypeName(tensor.dtype));
    json.key("shape");
    writeDims(json, tensor.shape);
}

void writeSide(JsonWriter& json, std::string_view key, const WeightValues& weights,
               TensorIndex index) {
    json.key(key);
    json.beginObject();
    writeForm(json, weights.checkpoint()->tensor(index));
    if (const QuantisedTensor* quantised = weights.find(index)) {
        json.key("quantised");
        writeQuantised(json, *quantised, weights.stored()->tensor(index));
    }
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
    const TensorPair& pair = diff.structure().pairs[i];
    const PairDiff* values = diff.hasValues ? &diff.values[i] : nullptr;
    json.beginObject();
    json.member("name", nameOf(diff.left(), pair.left));
    if (nameOf(diff.right(), pair.right) != nameOf(diff.left(), pair.left)) {
        json.member("right_name", nameOf(diff.right(), pair.right));
    }
    writeSide(json, "left", diff.sides.leftWeights, pair.left);
    writeSide(json, "right", diff.sides.rightWeights, pair.right);
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
    for (const TensorPair& pair : diff.structure().pairs) {
        if (pair.renamed) {
            json.beginObject();
            json.member("left", nameOf(diff.left(), pair.left));
            json.member("right", nameOf(diff.right(), pair.right));
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
    enum class Sides : std::uint8_t { Both, Left, Right };
    const auto list = [&](std::string_view key, std::span<const ValueChange> changes, Sides sides) {
        json.key(key);
        json.beginArray();
        for (const ValueChange& change : changes) {
            json.beginObject();
            json.member("key", change.key);
            if (sides != Sides::Right) {
                one("left", change.left, diff.left());
            }
            if (sides != Sides::Left) {
                one("right", change.right, diff.right());
            }
            json.endObject();
        }
        json.endArray();
    };
    list("changed", diff.plain->changed, Sides::Both);
    list("only_left", diff.plain->onlyLeft, Sides::Left);
    list("only_right", diff.plain->onlyRight, Sides::Right);
    json.member("same", diff.plain->same);
    if (diff.plain->truncated) {
        json.member("truncated", true);
    }
    json.endObject();
}

void writeSummary(JsonWriter& json, const Difference& diff) {
    const DiffSums sums = diff.sums();
    json.key("summary");
    json.beginObject();
    json.key("differ");
    json.boolean(diff.differs());
    json.member("answer", answerText(diff.answer()).text());
    json.key("values_compared");
    json.boolean(diff.hasValues);
    json.member("matched", std::uint64_t{diff.structure().pairs.size()});
    json.member("changed", std::uint64_t{diff.changedPairs()});
    json.member("only_left", std::uint64_t{diff.structure().onlyLeft.size()});
    json.member("only_right", std::uint64_t{diff.structure().onlyRight.size()});
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
    if (!diff.sides.leftWeights.tensors().empty() || !diff.sides.rightWeights.tensors().empty()) {
        json.member("quantised_as_numbers", std::uint64_t{diff.sides.comparedAsNumbers()});
        json.member("quantised_as_codes", std::uint64_t{diff.sides.comparedAsCodes()});
    }
    if (diff.hasNothingInCommon()) {
        json.member("message", kNothingInCommon);
    }
    json.endObject();
}

} // namespace

void writeDifference(const Difference& diff, Session& session) {
    JsonDocument document(session.out);
    JsonWriter& json = *document;
    json.member("left", diff.leftPath);
    json.member("right", diff.rightPath);
    json.member("left_complete", completenessName(diff.left().checkpoint->completeness()));
    json.member("right_complete", completenessName(diff.right().checkpoint->completeness()));
    writeNames(json, "only_left", diff.left(), diff.structure().onlyLeft);
    writeNames(json, "only_right", diff.right(), diff.structure().onlyRight);
    writeRenamed(json, diff);
    json.key("changed");
    json.beginArray();
    for (const std::size_t i : diff.order) {
        if (diff.pairDiffers(i)) {
            writePair(json, diff, i);
        }
    }
    json.endArray();
    json.member("same", std::uint64_t{diff.structure().pairs.size() - diff.changedPairs()});
    if (diff.layers) {
        writeSimilarity(json, *diff.layers);
    }
    if (diff.plain) {
        writePlain(json, diff, session);
    }
    writeSummary(json, diff);
    document.finish();
}

} // namespace cairn::cli
