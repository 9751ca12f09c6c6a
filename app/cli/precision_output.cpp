// SPDX-License-Identifier: Apache-2.0
#include "app/cli/precision_output.h"

#include "app/cli/text_table.h"
#include "core/base/counted.h"
#include "core/base/visible_text.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <string>
#include <vector>

namespace cairn::cli {
namespace {

constexpr std::size_t kShownRows = 12;

std::string_view groupName(ScaleGroup scales) {
    static constexpr std::array<std::string_view, 4> kNames = {"in blocks", "row", "tensor",
                                                               "128x128"};
    return kNames.at(static_cast<std::size_t>(scales));
}

/// The error relative to the elements' own size.
double relative(const QuantizationError& error) {
    return error.before > 0 ? std::sqrt(error.squares / error.before) : 0;
}

std::string figure(const char* format, double value) {
    std::array<char, 32> text{};
    std::snprintf(text.data(), text.size(), format, value);
    return text.data();
}

void writeFigures(JsonWriter& json, const QuantizationError& error, bool isKnown) {
    for (const auto& [name, value] :
         {std::pair("rmse", error.rmse()), std::pair("relative_rmse", relative(error)),
          std::pair("cosine", error.cosine())}) {
        if (isKnown) {
            json.member(name, value);
        } else {
            json.key(name);
            json.null();
        }
    }
}

void writeTensor(JsonWriter& json, const TensorPrecision& tensor) {
    const bool isKnown = tensor.error.elements > 0;
    json.beginObject();
    json.member("name", tensor.name);
    json.member("dtype", dtypeName(tensor.dtype));
    writeFigures(json, tensor.error, isKnown);
    json.key("worst_row");
    if (isKnown) {
        json.beginObject();
        json.member("index", tensor.worstRow);
        json.member("rmse", tensor.worstRmse);
        json.endObject();
    } else {
        json.null();
    }
    json.member("rows", tensor.rows);
    json.member("rows_sampled", tensor.rowsSampled);
    json.member("columns_sampled", tensor.columnsSampled);
    json.member("bytes", tensor.bytes);
    json.member("source_bytes", tensor.sourceBytes);
    json.member("not_finite", tensor.error.notFinite);
    json.member("lost", tensor.error.lost);
    json.memberOrNull("error", tensor.failure);
    json.endObject();
}

std::int64_t sumOf(const PrecisionPreview& preview, std::int64_t TensorPrecision::*count) {
    std::int64_t sum = 0;
    for (const TensorPrecision& tensor : preview.tensors) {
        sum += tensor.*count;
    }
    return sum;
}

/// By their errors, the largest first; unreadable ones before all.
std::vector<const TensorPrecision*> ranked(const PrecisionPreview& preview) {
    std::vector<const TensorPrecision*> order;
    for (const TensorPrecision& tensor : preview.tensors) {
        order.push_back(&tensor);
    }
    std::ranges::stable_sort(order, [](const TensorPrecision* a, const TensorPrecision* b) {
        if (a->failure.empty() != b->failure.empty()) {
            return !a->failure.empty();
        }
        return std::pair(a->error.lost, relative(a->error)) >
               std::pair(b->error.lost, relative(b->error));
    });
    return order;
}

} // namespace

void writePrecision(JsonWriter& json, const PlannedPrecision& planned,
                    const PrecisionPreview& preview) {
    json.key("precision");
    json.beginObject();
    json.member("dtype", planned.precision->name);
    json.member("scales", groupName(planned.precision->scales));
    json.member("writable", planned.precision->isWritten);
    json.member("bytes", planned.bytes);
    json.member("source_bytes", planned.sourceBytes);
    writeFigures(json, preview.error, preview.error.elements > 0);
    json.key("sample");
    json.beginObject();
    json.member("rows", sumOf(preview, &TensorPrecision::rowsSampled));
    json.member("of_rows", sumOf(preview, &TensorPrecision::rows));
    json.member("elements", preview.error.elements + preview.error.notFinite + preview.error.lost);
    json.member("method", "at equal distances, the same at every call");
    json.endObject();
    json.key("tensors");
    json.beginArray();
    for (const TensorPrecision& tensor : preview.tensors) {
        writeTensor(json, tensor);
    }
    json.endArray();
    json.key("kept");
    json.beginArray();
    for (const PlannedPrecision::Kept& kept : planned.kept) {
        json.beginObject();
        json.member("id", idName(kept.id));
        json.member("what", titleOf(kept.id));
        json.member("why", kept.why);
        json.key("tensors");
        json.beginArray();
        for (const std::string& name : kept.names) {
            json.string(name);
        }
        json.endArray();
        json.endObject();
    }
    json.endArray();
    json.endObject();
}

void printPrecision(Session& session, const PlannedPrecision& planned,
                    const PrecisionPreview& preview) {
    printField(session, "precision",
               std::string(planned.precision->name) + ": " + formatBytes(planned.sourceBytes) +
                   " become " + formatBytes(planned.bytes) + "; relative error " +
                   figure("%.3g", relative(preview.error)) + ", cosine " +
                   figure("%.6f", preview.error.cosine()));
    printField(
        session, "sample",
        std::to_string(sumOf(preview, &TensorPrecision::rowsSampled)) + " of " +
            counted(static_cast<std::uint64_t>(sumOf(preview, &TensorPrecision::rows)), "row") +
            ", at equal distances");
    if (preview.tensors.empty()) {
        return;
    }
    TextTable table({{"rmse", Align::Right},
                     {"relative", Align::Right},
                     {"cosine", Align::Right},
                     {"worst row", Align::Right},
                     {"bytes", Align::Right},
                     {"tensor"}});
    const std::vector<const TensorPrecision*> order = ranked(preview);
    const std::size_t shown = session.verbose ? order.size() : std::min(kShownRows, order.size());
    for (std::size_t i = 0; i < shown; ++i) {
        const TensorPrecision& tensor = *order[i];
        const bool isKnown = tensor.error.elements > 0;
        std::string note;
        note += tensor.failure.empty() ? "" : " (" + tensor.failure + ")";
        note += tensor.error.notFinite == 0
                    ? ""
                    : " (" + std::to_string(tensor.error.notFinite) + " not finite)";
        note += tensor.error.lost == 0
                    ? ""
                    : " (" + std::to_string(tensor.error.lost) + " become NaN or infinite)";
        table.add({isKnown ? figure("%.3g", tensor.error.rmse()) : "-",
                   isKnown ? figure("%.3g", relative(tensor.error)) : "-",
                   isKnown ? figure("%.6f", tensor.error.cosine()) : "-",
                   isKnown
                       ? std::to_string(tensor.worstRow) + ": " + figure("%.3g", tensor.worstRmse)
                       : "-",
                   formatBytes(tensor.bytes), tensor.name + note});
    }
    table.print(session);
    if (shown < order.size()) {
        session.out.line("and " + counted(order.size() - shown, "tensor") +
                         " with smaller errors; -v shows all");
    }
}

} // namespace cairn::cli
