// SPDX-License-Identifier: Apache-2.0
#include "app/cli/json_output.h"
#include "app/cli/opened.h"
#include "app/cli/quantised_output.h"
#include "app/cli/slice.h"
#include "app/cli/text_table.h"
#include "app/cli/verb.h"
#include "core/analysis/dequantized.h"
#include "core/base/visible_text.h"
#include "core/jobs/bundle/found_weights.h"
#include "core/model/element.h"
#include "core/model/string_elements.h"

#include <algorithm>
#include <optional>

namespace cairn::cli::verb_show {
namespace {

constexpr std::uint64_t kMaxShownBytes = std::uint64_t{64} << 20U;
constexpr std::int64_t kEdge = 8; // rows and columns of a large tensor that are printed

struct Shown {
    CheckpointPtr checkpoint; ///< with the weight's numbers, if it was named as a weight
    std::optional<TensorNumbers> numbers; ///< owns `tensor`
    const TensorEntry* tensor = nullptr;  ///< with numbers if the stored tensor is quantised
    std::optional<QuantisedTensor> quantised;
    const TensorEntry* entry = nullptr; ///< as it is stored
    Dtype stored{};
    Dims shape; ///< of the printed part
    std::vector<std::byte> bytes;
    std::vector<std::string> strings; ///< for Dtype::String, instead of bytes
    std::size_t elementBytes = 1;
    bool cut = false; ///< only a corner is printed
};

/// A corner that fits a terminal: the first rows and columns of the last two dimensions, the first
/// index of all others.
Slice corner(const Slice& whole) {
    Slice cut = whole;
    const std::size_t rank = whole.shape.size();
    std::size_t kept = 0;
    for (std::size_t d = 0; d < whole.ranges.size(); ++d) {
        if (kept < rank && whole.ranges[d].count == whole.shape[kept]) {
            const std::int64_t edge = kept + 2 >= rank ? kEdge : 2;
            cut.ranges[d].count = std::min(cut.ranges[d].count, edge);
            cut.shape[kept] = cut.ranges[d].count;
            ++kept;
        }
    }
    return cut;
}

void writeElement(JsonWriter& json, const Shown& shown, std::span<const std::byte> element) {
    const Dtype dtype = shown.tensor->dtype;
    switch (dtypeInfo(dtype).kind) {
    case DtypeKind::Bool:
        return json.boolean(elementAsDouble(dtype, element) != 0);
    case DtypeKind::Unsigned:
    case DtypeKind::Signed:
        return json.digits(elementText(dtype, element));
    case DtypeKind::Float:
        return json.number(elementAsDouble(dtype, element));
    case DtypeKind::Complex:
        json.beginArray();
        json.number(elementAsDouble(dtype, element));
        json.number(elementImaginary(dtype, element));
        return json.endArray();
    default:
        return hasNumericElements(dtype) ? json.number(elementAsDouble(dtype, element))
                                         : json.string(elementText(dtype, element));
    }
}

/// An element as a JSON string: invalid UTF-8 is escaped.
std::string jsonText(const std::string& text) {
    return isValidUtf8(text) ? text : visibleText(text);
}

/// Nested arrays; recursion is limited by kMaxRank. `at` is the next element.
void writeLevel(JsonWriter& json, const Shown& shown, std::size_t dim, std::size_t& at) {
    if (dim == shown.shape.size() && hasStrings(shown.tensor->dtype)) {
        json.string(jsonText(shown.strings[at]));
        ++at;
        return;
    }
    if (dim == shown.shape.size()) {
        writeElement(json, shown,
                     std::span(shown.bytes).subspan(at * shown.elementBytes, shown.elementBytes));
        ++at;
        return;
    }
    json.beginArray();
    for (std::int64_t i = 0; i < shown.shape[dim]; ++i) {
        writeLevel(json, shown, dim + 1, at);
    }
    json.endArray();
}

void printLevel(std::string& text, const Shown& shown, std::size_t dim, std::size_t& at) {
    if (dim == shown.shape.size() && hasStrings(shown.tensor->dtype)) {
        text += "\"" + visibleText(shown.strings[at]) + "\"";
        ++at;
        return;
    }
    if (dim == shown.shape.size()) {
        const auto element =
            std::span(shown.bytes).subspan(at * shown.elementBytes, shown.elementBytes);
        text += elementText(shown.tensor->dtype, element);
        ++at;
        return;
    }
    text += "[";
    for (std::int64_t i = 0; i < shown.shape[dim]; ++i) {
        const bool innermost = dim + 1 == shown.shape.size();
        text += i == 0 ? "" : innermost ? ", " : ",\n" + std::string(dim + 1, ' ');
        printLevel(text, shown, dim + 1, at);
    }
    text += "]";
}

/// A tensor by its stored name, as it is stored; a weight by its name, as the numbers that its
/// codes give. Where both names are one, the numbers.
Result<TensorIndex> findShown(const Opened& opened, const WeightValues& weights,
                              const Arguments& arguments) {
    Opened asWeights = opened;
    asWeights.checkpoint = weights.checkpoint();
    const auto found = findTensor(asWeights, arguments.text("tensor"));
    return found ? found : findTensor(opened, arguments.text("tensor"));
}

Result<Shown> readShown(const Opened& opened, const Arguments& arguments, const Session& session) {
    CAIRN_TRY(const WeightValues weights, findWeightValues(opened.checkpoint, session.cancel));
    CAIRN_TRY(const TensorIndex index, findShown(opened, weights, arguments));
    Shown shown;
    if (const QuantisedTensor* quantised = weights.find(index)) {
        shown.quantised = *quantised;
        const std::string asked = arguments.text("tensor").value_or(opened.member);
        const std::string& name = opened.checkpoint->tensor(index).name;
        const bool byCodes = name == asked || name == opened.member + "." + asked;
        if (weights.isWeight(index) && byCodes && quantised->weight != name) {
            shown.quantised->kind = QuantisedTensor::Kind::Codes;
        }
    }
    const bool asWeight = shown.quantised && shown.quantised->kind == QuantisedTensor::Kind::Weight;
    shown.checkpoint = asWeight ? weights.checkpoint() : opened.checkpoint;
    shown.entry = &opened.checkpoint->tensor(index);
    shown.stored = shown.entry->dtype;
    shown.numbers.emplace(*shown.checkpoint, shown.checkpoint->tensor(index));
    shown.tensor = &shown.numbers->tensor();
    CAIRN_TRY(Slice slice, parseSlice(arguments.text("slice").value_or(""), shown.tensor->shape));
    const bool packed = dtypeInfo(shown.tensor->dtype).bits % 8 != 0;
    if (packed) {
        CAIRN_TRY(slice, parseSlice("", shown.tensor->shape));
        slice.shape = Dims{static_cast<std::int64_t>(shown.tensor->bytes())};
    } else if (!session.json && !session.verbose && !arguments.has("slice")) {
        const Slice whole = slice;
        slice = corner(whole);
        shown.cut = !(slice.shape == whole.shape);
    }
    shown.elementBytes = packed ? 1 : dtypeInfo(shown.tensor->dtype).bits / 8;
    shown.shape = slice.shape;
    const std::uint64_t count = elementCount(slice.shape).value_or(0);
    const std::uint64_t bytes = count * shown.elementBytes;
    if (bytes > kMaxShownBytes) {
        return fail(ErrorCode::LimitExceeded, "The tensor is too large to be shown completely")
            .inTensor(shown.tensor->name)
            .butFound(sentence("%1", amount(formatBytes(bytes))))
            .expecting(sentence("at most %1", amount(formatBytes(kMaxShownBytes))))
            .withHint("Show a part with --slice, or write it with `cairn-cli export`");
    }
    if (bytes == 0) {
        return shown;
    }
    if (hasStrings(shown.tensor->dtype)) {
        CAIRN_TRY(shown.strings, readStridedStrings(*opened.checkpoint, *shown.tensor, slice.ranges,
                                                    session.cancel));
        return shown;
    }
    shown.bytes.resize(static_cast<std::size_t>(bytes));
    CAIRN_CHECK(readStrided(shown.numbers->checkpoint(), *shown.tensor, slice.ranges, shown.bytes,
                            session.cancel));
    return shown;
}

Result<int> run(const Arguments& arguments, Session& session) {
    CAIRN_TRY(const Opened opened, openPath(arguments.at(0), session.cancel));
    CAIRN_TRY(const Shown shown, readShown(opened, arguments, session));
    const TensorEntry& tensor = *shown.tensor;
    std::size_t at = 0;
    if (session.json) {
        JsonDocument document(session.out);
        document->member("path", opened.path);
        document->member("tensor", tensor.name);
        document->member("dtype", dtypeName(shown.stored));
        if (shown.stored != tensor.dtype) {
            document->member("shown_as", dtypeName(tensor.dtype));
        }
        if (shown.quantised) {
            document->key("quantised");
            writeQuantised(*document, *shown.quantised, *shown.entry);
        }
        document->key("shape");
        writeDims(*document, shown.shape);
        document->key("tensor_shape");
        writeDims(*document, tensor.shape);
        document->key("values");
        writeLevel(*document, shown, 0, at);
        document.finish();
        return kExitOk;
    }
    if (!session.quiet) {
        session.out.line(visibleText(tensor.name) + "  " + std::string(dtypeName(shown.stored)) +
                         " " + formatDims(tensor.shape) +
                         (shown.stored != tensor.dtype && !shown.quantised ? ", dequantised" : "") +
                         (shown.quantised ? " (" + quantisedText(*shown.quantised).text() + ")"
                                          : std::string()) +
                         (shown.cut ? ", first " + formatDims(shown.shape) : std::string()));
    }
    std::string text;
    printLevel(text, shown, 0, at);
    session.out.line(text);
    return kExitOk;
}

constexpr auto kPositionals =
    std::to_array<Positional>({{"PATH", "A checkpoint, or one tensor of it: PATH#name"}});
constexpr auto kOptions = std::to_array<Option>({
    {"-t,--tensor", "NAME", "The full name of the tensor"},
    {"-s,--slice", "SLICE", "A part of it, in Python's notation: 0:4,:8 or ::2"},
});

} // namespace

extern const Verb kVerb;
const Verb kVerb{"show",
                 "Show the values of a tensor",
                 kPositionals,
                 kOptions,
                 {"cairn-cli show model.safetensors --tensor lm_head.weight",
                  "cairn-cli show step-400 -t norm.weight -s :8",
                  "cairn-cli show 'ckpt.pt#model.bias' --json"},
                 run,
                 {},
                 Work::Here};

} // namespace cairn::cli::verb_show
