// SPDX-License-Identifier: Apache-2.0
#include "app/cli/json_output.h"
#include "app/cli/opened.h"
#include "app/cli/text_table.h"
#include "app/cli/verb.h"
#include "core/base/visible_text.h"
#include "core/model/module_tree.h"

#include <charconv>

namespace cairn::cli::verb_tree {
namespace {

/// Recursion is limited by kMaxModuleDepth.
void writeNode(JsonWriter& json, const ModuleTree& tree, const ModuleNode& node,
               const Checkpoint& checkpoint, std::size_t depth) {
    json.beginObject();
    json.member("name", node.name);
    json.member("bytes", node.bytes);
    json.member("tensors", node.tensors);
    if (node.tensor) {
        const TensorEntry& tensor = checkpoint.tensor(*node.tensor);
        json.member("dtype", dtypeName(tensor.dtype));
        json.key("shape");
        writeDims(json, tensor.shape);
    }
    json.key("children");
    json.beginArray();
    if (depth > 0) {
        for (const ModuleNode& child : tree.children(node)) {
            writeNode(json, tree, child, checkpoint, depth - 1);
        }
    }
    json.endArray();
    json.endObject();
}

void addRows(TextTable& table, const ModuleTree& tree, const ModuleNode& node,
             const Checkpoint& checkpoint, std::size_t indent, std::size_t depth) {
    std::string what;
    if (node.tensor) {
        const TensorEntry& tensor = checkpoint.tensor(*node.tensor);
        what = std::string(dtypeName(tensor.dtype)) + " " + formatDims(tensor.shape);
    }
    const std::string name = &node == &tree.root() ? "(all)" : std::string(node.name);
    table.add({std::string(2 * indent, ' ') + name, formatBytes(node.bytes),
               std::to_string(node.tensors), what});
    if (depth > 0) {
        for (const ModuleNode& child : tree.children(node)) {
            addRows(table, tree, child, checkpoint, indent + 1, depth - 1);
        }
    }
}

Result<std::size_t> depthOf(const Arguments& arguments) {
    const auto text = arguments.text("depth");
    std::size_t depth = kMaxModuleDepth + 1;
    if (text) {
        const auto end = std::from_chars(text->data(), text->data() + text->size(), depth);
        if (end.ec != std::errc() || end.ptr != text->data() + text->size()) {
            return fail(ErrorCode::InvalidArgument, "The depth is not a number")
                .butFound(verbatim(*text));
        }
    }
    return depth;
}

Result<int> run(const Arguments& arguments, Session& session) {
    CAIRN_TRY(const std::size_t depth, depthOf(arguments));
    CAIRN_TRY(const Opened opened, openSelected(arguments, session.cancel));
    const ModuleTree tree = buildModuleTree(*opened.checkpoint, opened.tensors);
    const ModuleNode* start = opened.whole() ? &tree.root() : tree.find(opened.member);
    start = start != nullptr ? start : &tree.root();
    if (session.json) {
        JsonDocument document(session.out);
        document->member("path", opened.path);
        document->member("format", opened.checkpoint->format());
        document->key("tree");
        writeNode(*document, tree, *start, *opened.checkpoint, depth);
        document.finish();
        return kExitOk;
    }
    TextTable table({{"MODULE"}, {"SIZE", Align::Right}, {"TENSORS", Align::Right}, {"TENSOR"}});
    addRows(table, tree, *start, *opened.checkpoint, 0, depth);
    table.print(session);
    return kExitOk;
}

constexpr auto kOptions = std::to_array<Option>({
    kTensorGlobOption,
    {"-d,--depth", "N", "Number of levels below the root to show; default: all"},
});

} // namespace

extern const Verb kVerb;
const Verb kVerb{"tree",
                 "Show the module tree with total sizes",
                 kTensorsPositionals,
                 kOptions,
                 {"cairn-cli tree step-400 --depth 2",
                  "cairn-cli tree 'ckpt.pt#model.layers' --json",
                  "cairn-cli tree model.safetensors --tensor '*.attn.*'"},
                 run,
                 {},
                 Work::Here};

} // namespace cairn::cli::verb_tree
