// SPDX-License-Identifier: Apache-2.0
#include "core/runs/retention/space.h"

#include "app/cli/json_output.h"
#include "app/cli/run_listing.h"
#include "app/cli/text_table.h"
#include "app/cli/verb.h"
#include "core/base/visible_text.h"
#include "core/runs/scan/experiment_scan.h"

#include <charconv>

namespace cairn::cli::verb_space {
namespace {

constexpr std::size_t kLargest = 10;
constexpr std::size_t kWholeDepth = 100; ///< deeper than measureSpace() goes

Result<std::size_t> depthOf(const Arguments& arguments, std::size_t otherwise) {
    const auto text = arguments.text("depth");
    std::size_t depth = otherwise;
    if (text) {
        const char* end = text->data() + text->size();
        const auto parsed = std::from_chars(text->data(), end, depth);
        if (parsed.ec != std::errc() || parsed.ptr != end) {
            return fail(ErrorCode::InvalidArgument, "The depth is not a number")
                .butFound(verbatim(*text));
        }
    }
    return std::min(depth, kWholeDepth);
}

/// Recursion is limited by `depth`.
void writeNode(JsonWriter& json, const SpaceTree& tree, std::uint32_t at, std::size_t depth) {
    const SpaceNode& node = tree.nodes[at];
    json.beginObject();
    json.member("name", node.name);
    json.member("kind", spaceKindName(node.kind));
    json.member("path", tree.pathOf(at).string());
    json.member("bytes", node.bytes);
    json.member("shared_bytes", node.shared);
    json.member("files", node.files);
    json.key("children");
    json.beginArray();
    for (std::uint32_t k = 0; depth > 0 && k < node.childCount; ++k) {
        writeNode(json, tree, node.firstChild + k, depth - 1);
    }
    json.endArray();
    json.endObject();
}

void addRows(TextTable& table, const SpaceTree& tree, std::uint32_t at, std::size_t indent,
             std::size_t depth) {
    const SpaceNode& node = tree.nodes[at];
    table.add({std::string(2 * indent, ' ') + node.name, formatBytes(node.bytes),
               node.shared > 0 ? formatBytes(node.shared) : std::string(),
               std::to_string(node.files), std::string(spaceKindName(node.kind))});
    for (std::uint32_t k = 0; depth > 0 && k < node.childCount; ++k) {
        addRows(table, tree, node.firstChild + k, indent + 1, depth - 1);
    }
}

void printText(const SpaceTree& tree, std::size_t depth, Session& session) {
    TextTable table({{"NAME"},
                     {"SIZE", Align::Right},
                     {"COUNTED ELSEWHERE", Align::Right},
                     {"FILES", Align::Right},
                     {"KIND"}});
    addRows(table, tree, 0, 0, depth);
    table.print(session);
    session.out.line("");
    TextTable largest({{"LARGEST"}, {"SIZE", Align::Right}, {"KIND"}});
    for (const std::uint32_t at : largestOf(tree, 0, kLargest)) {
        largest.add({tree.pathOf(at).string(), formatBytes(tree.nodes[at].bytes),
                     std::string(spaceKindName(tree.nodes[at].kind))});
    }
    largest.print(session);
}

Result<int> run(const Arguments& arguments, Session& session) {
    CAIRN_TRY(const std::size_t depth, depthOf(arguments, session.json ? kWholeDepth : 2));
    CAIRN_TRY(const Experiment experiment, scanExperiment(arguments.at(0), session.cancel));
    CAIRN_TRY(const SpaceTree tree, measureSpace(experiment, session.cancel));
    std::vector<Notice> notices = experiment.notices;
    notices.insert(notices.end(), tree.notices.begin(), tree.notices.end());
    if (!session.json) {
        printText(tree, depth, session);
        printNotices(session, notices);
        return kExitOk;
    }
    JsonDocument document(session.out);
    document->member("path", arguments.at(0));
    document->key("tree");
    writeNode(*document, tree, 0, depth);
    document->key("largest");
    document->beginArray();
    for (const std::uint32_t at : largestOf(tree, 0, kLargest)) {
        document->beginObject();
        document->member("path", tree.pathOf(at).string());
        document->member("kind", spaceKindName(tree.nodes[at].kind));
        document->member("bytes", tree.nodes[at].bytes);
        document->endObject();
    }
    document->endArray();
    writeNotices(*document, "notices", notices);
    document.finish();
    return kExitOk;
}

constexpr auto kPositionals =
    std::to_array<Positional>({{"FOLDER", "A folder of runs, a run or a checkpoint"}});
constexpr auto kOptions = std::to_array<Option>({
    {"-d,--depth", "N", "Number of levels below the folder to show; default: 2, with --json all"},
});

} // namespace

extern const Verb kVerb;
const Verb kVerb{"space",
                 "Show what takes the disk, each file counted once",
                 kPositionals,
                 kOptions,
                 {"cairn-cli space outputs", "cairn-cli space outputs/run-1 --depth 1",
                  "cairn-cli space outputs --json"},
                 run};

} // namespace cairn::cli::verb_space
