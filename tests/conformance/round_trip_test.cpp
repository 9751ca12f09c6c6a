// SPDX-License-Identifier: Apache-2.0
#include "core/io/file_ops.h"
#include "core/jobs/engine/engine.h"
#include "core/jobs/prepare/prepare.h"
#include "core/jobs/prepare/written_format.h"
#include "tests/conformance/samples.h"

#include <algorithm>
#include <optional>

// Every sample is written in every format by the engine, and the output is read back.

namespace cairn::conformance {
namespace fs = std::filesystem;
namespace {

/// The tensors that the format can hold, each tested by itself.
std::vector<LayoutTensor> representable(const FormatInfo& format, const Checkpoint& source) {
    std::vector<LayoutTensor> tensors;
    std::vector<std::optional<std::size_t>> placeOf(source.tensors().size());
    for (std::uint32_t i = 0; i < source.tensors().size(); ++i) {
        const TensorEntry& entry = source.tensors()[i];
        LayoutTensor tensor{TensorIndex(i), entry.name, entry.dtype, entry.shape, std::nullopt};
        LayoutRequest request;
        request.tensors = std::span(&tensor, 1);
        const auto alone = format.layout(request);
        if (!alone) {
            EXPECT_TRUE(alone.error().code == ErrorCode::DtypeNotRepresentable ||
                        alone.error().code == ErrorCode::NameNotRepresentable)
                << describe(alone.error());
            continue;
        }
        if (entry.aliasOf) {
            tensor.aliasOf = placeOf[entry.aliasOf->position()];
        }
        placeOf[i] = tensors.size();
        tensors.push_back(std::move(tensor));
    }
    return tensors;
}

struct Draft {
    std::vector<LayoutTensor> tensors;
    bool withValues = false;
    CopyPlan plan;
};

/// Formats whose files are trees of arrays, texts and numbers: other plain values are refused, and
/// tensors of a source without a tree get places by their names.
bool storesTrees(std::string_view format) {
    return format == "orbax" || format == "flax";
}

Result<Draft> draft(const FormatInfo& format, const CheckpointPtr& source, const fs::path& output) {
    Draft made;
    made.tensors = representable(format, *source);
    const LayoutTarget target = layoutTarget(format);
    // A tree of values may only refer to tensors that are written.
    made.withValues = target.can.hasValues && made.tensors.size() == source->tensors().size();
    CAIRN_TRY(const Value values, source->values());
    LayoutRequest request;
    request.tensors = made.tensors;
    request.values = made.withValues ? &values : nullptr;
    made.plan.job = "consolidate";
    made.plan.source = source;
    made.plan.format = format.id;
    made.plan.output = output;
    auto layout = format.layout(request);
    if (!layout && layout.error().code == ErrorCode::InvalidArgument && made.tensors.size() > 1) {
        made.tensors.resize(1); // a file of one array
        request.tensors = made.tensors;
        layout = format.layout(request);
    }
    if (!layout && layout.error().code == ErrorCode::InvalidArgument && made.tensors.empty()) {
        made.withValues = false; // a file of one array has no place for values
        return made;
    }
    if (!layout && layout.error().code == ErrorCode::Unsupported && storesTrees(format.id)) {
        made.withValues = false;
        request.values = nullptr;
        if (made.tensors.empty()) {
            return made;
        }
        layout = format.layout(request);
    }
    CAIRN_TRY(made.plan.layout, std::move(layout));
    if (!made.plan.layout.folder && made.plan.layout.files.size() == 1) {
        made.plan.layout.files.front().name = output.filename().string();
    }
    return made;
}

/// The values as a .pt file stores them (core/formats/torch/layout.h): objects become dicts with
/// their class under "$class", a tensor of a subclass becomes a plain tensor.
Value asWritten(const Checkpoint& source, const Value& value, const std::string& path) {
    const ValueNode* node = value.asNode();
    if (node == nullptr) {
        return value;
    }
    const bool ordered =
        node->className ==
        "collections.OrderedDict"; // the only dict subclass that weights_only accepts
    ValueNode written{node->kind, ordered ? node->className : std::string(), {}};
    if (node->kind == ValueKind::Object) {
        written = {ValueKind::Dict, {}, {{"$class", node->className}}};
    }
    std::size_t index = 0;
    for (const ValueItem& item : node->items) {
        const TensorIndex* tensor = item.value.asTensor();
        if (node->kind == ValueKind::Object && tensor != nullptr &&
            source.tensor(*tensor).name == path) {
            return item.value;
        }
        const bool keyed = node->kind == ValueKind::Dict || node->kind == ValueKind::Object;
        const std::string name = keyed ? keyText(item.key) : std::to_string(index++);
        written.items.push_back(
            {item.key, asWritten(source, item.value, path.empty() ? name : path + "." + name)});
    }
    return Value::container(std::move(written));
}

bool hasTensors(const Value& value) {
    return value.kind() == ValueKind::Tensor ||
           std::ranges::any_of(value.items(),
                               [](const ValueItem& item) { return hasTensors(item.value); });
}

bool isTerminal(const Value& list) {
    return std::ranges::none_of(list.items(), [](const ValueItem& item) {
        const Value& value = item.value;
        return value.kind() == ValueKind::Tensor || value.kind() == ValueKind::Dict ||
               (value.kind() == ValueKind::List && !isTerminal(value)) ||
               (value.kind() == ValueKind::Object && hasTensors(value));
    });
}

/// The values as a distributed checkpoint stores them (core/formats/dcp/flatten.h): the flattened
/// levels are plain dicts with text keys and lists, everything below is as in a .pt file.
Value asFlattened(const Checkpoint& source, const Value& value, const std::string& path,
                  bool isRoot) {
    const ValueNode* node = value.asNode();
    if (isRoot && node == nullptr) {
        return value.kind() == ValueKind::Null ? value : Value::dict({{"value", value}});
    }
    const Value plain = asWritten(source, value, path);
    const bool list = value.kind() == ValueKind::List && (isRoot || !isTerminal(value));
    const bool dict = value.kind() == ValueKind::Dict && (isRoot || !value.items().empty());
    const bool object = value.kind() == ValueKind::Object && (isRoot || hasTensors(value));
    if (plain.asTensor() != nullptr || !(isRoot || list || dict || object)) {
        return plain;
    }
    ValueNode written{list && !isRoot ? ValueKind::List : ValueKind::Dict, {}, {}};
    if (object) {
        written.items.push_back({"$class", node->className});
    }
    std::size_t index = 0;
    for (const ValueItem& item : node->items) {
        const std::string key = dict || object ? keyText(item.key) : std::to_string(index++);
        const std::string name = path.empty() ? key : path + "." + key;
        written.items.push_back({written.kind == ValueKind::List ? Value() : Value(key),
                                 asFlattened(source, item.value, name, false)});
    }
    return Value::container(std::move(written));
}

/// Removes the tensors that were added to the root because the source's values do not mention them.
Value withoutAdded(const Value& after, const Value& before) {
    if (after.kind() != ValueKind::Dict) {
        return after;
    }
    ValueNode kept{ValueKind::Dict, after.asNode()->className, {}};
    for (const ValueItem& item : after.items()) {
        if (item.value.asTensor() == nullptr || before.find(keyText(item.key)) != nullptr) {
            kept.items.push_back(item);
        }
    }
    return Value::container(std::move(kept));
}

/// What a tree must keep of the source's values: every text and number, at its place. Orbax stores
/// numbers as arrays.
bool keepsLeaves(const Value& before, const Value& after) {
    switch (before.kind()) {
    case ValueKind::Tensor:
        return after.kind() == ValueKind::Tensor;
    case ValueKind::Dict:
    case ValueKind::List:
    case ValueKind::Tuple: {
        std::size_t index = 0;
        return std::ranges::all_of(before.items(), [&](const ValueItem& item) {
            const std::string key =
                before.kind() == ValueKind::Dict ? keyText(item.key) : std::to_string(index);
            const std::size_t place = index++;
            if (after.kind() == ValueKind::Dict) {
                const Value* found = after.find(key);
                return found != nullptr && keepsLeaves(item.value, *found);
            }
            return place < after.items().size() &&
                   keepsLeaves(item.value, after.items()[place].value);
        });
    }
    case ValueKind::Int:
    case ValueKind::Float:
    case ValueKind::Bool:
    case ValueKind::Object: // a complex number; others are refused
        return after.kind() == before.kind() || after.kind() == ValueKind::Tensor;
    default:
        return after.kind() == before.kind();
    }
}

void expectSame(const Checkpoint& source, const Draft& made, const Checkpoint& written) {
    const bool flattened = made.plan.format == "dcp";
    EXPECT_NE(written.completeness(), Completeness::Incomplete) << noticesText(written);
    EXPECT_EQ(noticesText(written), "");
    for (const LayoutTensor& tensor : made.tensors) {
        const bool alone = made.tensors.size() == 1 && written.tensors().size() == 1;
        const auto index = alone ? std::optional(TensorIndex(0)) : written.find(tensor.name);
        ASSERT_TRUE(index) << tensor.name;
        const auto before = describeTensor(source, source.tensor(tensor.source));
        const auto after = describeTensor(written, written.tensor(*index));
        ASSERT_TRUE(before && after) << tensor.name;
        EXPECT_EQ(*after, *before) << tensor.name;
    }
    if (made.withValues && storesTrees(made.plan.format)) {
        const auto before = source.values();
        const auto after = written.values();
        ASSERT_TRUE(before && after);
        EXPECT_TRUE(before->kind() == ValueKind::Null || keepsLeaves(*before, *after))
            << describeValue(source, *before) << "\n"
            << describeValue(written, *after);
    } else if (made.withValues) {
        EXPECT_EQ(written.tensors().size(), source.tensors().size());
        const auto before = source.values();
        const auto after = written.values();
        ASSERT_TRUE(before && after);
        const Value expected =
            flattened ? asFlattened(source, *before, {}, true) : asWritten(source, *before, {});
        // The root consists of tensors only. DCP assigns a name to a root without a key.
        const bool none =
            expected.kind() == ValueKind::Null || (flattened && made.tensors.size() == 1);
        EXPECT_EQ(none ? "" : describeValue(written, withoutAdded(*after, expected)),
                  none ? "" : describeValue(source, expected));
    }
}

class RoundTrip {
public:
    RoundTrip(const FormatInfo& format, const CheckpointPtr& source)
        : m_format(format), m_source(source), m_output(m_temp.path() / "written") {
        m_output += layoutTarget(format).extension();
    }

    void run() {
        auto made = draft(m_format, m_source, m_output);
        ASSERT_TRUE(made) << describe(made.error());
        if (made->tensors.empty() && !made->withValues) {
            return;
        }
        ASSERT_NO_FATAL_FAILURE(expectCancelLeavesNothing(made->plan));
        RealFileOps files;
        JobContext context;
        const auto report = runPlan(made->plan, files, context, options());
        ASSERT_TRUE(report) << describe(report.error());
        EXPECT_TRUE(report->verified);
        const auto written = openCheckpoint(m_output);
        ASSERT_TRUE(written) << describe(written.error());
        EXPECT_EQ((*written)->format(), m_format.id);
        expectSame(*m_source, *made, **written);
    }

private:
    static EngineOptions options() {
        EngineOptions small;
        small.threads = 2;
        small.chunkBytes = std::size_t{64} << 10U;
        small.durability = Durability::Cached;
        return small;
    }

    void expectCancelLeavesNothing(const CopyPlan& plan) {
        const CancelToken cancelled;
        cancelled.cancel();
        RealFileOps files;
        JobContext context(cancelled);
        const auto report = runPlan(plan, files, context, options());
        ASSERT_FALSE(report);
        EXPECT_EQ(report.error().code, ErrorCode::Cancelled) << describe(report.error());
        EXPECT_TRUE(fs::is_empty(m_temp.path()));
    }

    const FormatInfo& m_format;
    CheckpointPtr m_source;
    TemporaryFolder m_temp;
    fs::path m_output;
};

TEST_P(WholeConformance, WritingAndReadingAgainKeepsEverything) {
    const auto source = open();
    ASSERT_TRUE(source);
    for (const FormatInfo* format : builtinFormats()) {
        if (format->layout != nullptr) {
            SCOPED_TRACE(format->id);
            RoundTrip(*format, source).run();
        }
    }
}

TEST_P(Conformance, WhatIsIncompleteIsNotConsolidated) {
    const auto source = open();
    ASSERT_TRUE(source);
    const TemporaryFolder temp;
    JobRequest options;
    // an adapter is written as a folder, with its settings
    options.output =
        temp.path() / (GetParam().label == "huggingface/adapter" ? "out" : "out.safetensors");
    options.only.kind = Selection::Kind::All;
    const auto plan = prepareJob(source, options);
    ASSERT_TRUE(plan) << describe(plan.error());
    EXPECT_TRUE(GetParam().whole || !plan->runnable());
    EXPECT_TRUE(fs::is_empty(temp.path())); // planning writes nothing
    if (!plan->runnable()) {
        RealFileOps files;
        JobContext context;
        EXPECT_FALSE(runPlan(*plan, files, context));
        EXPECT_TRUE(fs::is_empty(temp.path()));
    }
}

} // namespace
} // namespace cairn::conformance
