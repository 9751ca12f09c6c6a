// SPDX-License-Identifier: Apache-2.0
#include "app/cli/json_output.h"
#include "app/cli/progress.h"
#include "app/cli/text_table.h"
#include "app/cli/verb.h"
#include "core/analysis/duplicates.h"
#include "core/base/counted.h"
#include "core/base/quantity.h"
#include "core/base/visible_text.h"
#include "core/runs/facts/shared_open.h"
#include "core/runs/retention/space.h"
#include "core/runs/scan/experiment_scan.h"
#include "core/runs/scan/within_checkpoint.h"

namespace cairn::cli::verb_dupes {
namespace {

constexpr std::size_t kShownGroups = 20;
constexpr std::size_t kShownPlaces = 6;

/// Adds a checkpoint and those in its folder that its reader does not use.
void addCheckpoint(DuplicateInput& input, const std::filesystem::path& path, Session& session) {
    input.checkpoints.push_back(path);
    if (!std::filesystem::is_directory(path)) {
        return;
    }
    if (const auto opened = openShared(path, session.cancel)) {
        for (const auto& inner : checkpointsWithin(**opened, session.cancel)) {
            input.checkpoints.push_back(inner);
        }
    }
}

/// All files below the folder, and all checkpoints of it that are not links.
DuplicateInput inputOf(const Experiment& experiment, const SpaceTree& tree, Session& session) {
    DuplicateInput input;
    for (std::uint32_t i = 0; i < tree.nodes.size(); ++i) {
        const SpaceNode& node = tree.nodes[i];
        const bool isFile = node.kind == SpaceKind::File ||
                            (node.kind == SpaceKind::Checkpoint && node.childCount == 0 &&
                             !std::filesystem::is_directory(tree.pathOf(i)));
        if (isFile) {
            input.files.push_back(tree.pathOf(i));
        }
    }
    for (const ScannedRun& run : experiment.runs) {
        for (const ScannedCheckpoint& each : run.checkpoints) {
            if (!each.isLink()) {
                addCheckpoint(input, each.path, session);
            }
        }
    }
    input.open = [cancel = session.cancel](const std::filesystem::path& path) {
        return openShared(path, cancel);
    };
    return input;
}

void writePlace(JsonWriter& json, const DuplicatePlace& place) {
    json.beginObject();
    json.member("path", place.path.string());
    if (!place.tensor.empty()) {
        json.member("tensor", place.tensor);
    }
    if (place.shared) {
        json.member("shared", true);
    }
    json.endObject();
}

void writeJson(const std::string& path, const Duplicates& found, const std::vector<Notice>& notices,
               Session& session) {
    JsonDocument document(session.out);
    document->member("path", path);
    document->key("groups");
    document->beginArray();
    for (const DuplicateGroup& group : found.groups) {
        document->beginObject();
        document->member("sha256", hexText(group.sha256));
        document->member("bytes", group.bytes);
        document->member("kind", group.isFile ? "file" : "tensor");
        document->member("reclaimable_bytes", group.reclaimable);
        if (group.zeros) {
            document->member("zeros", true);
        }
        document->key("places");
        document->beginArray();
        for (const DuplicatePlace& place : group.places) {
            writePlace(*document, place);
        }
        document->endArray();
        document->endObject();
    }
    document->endArray();
    document->member("more_groups", found.moreGroups);
    document->member("reclaimable_bytes", found.reclaimable);
    document->key("examined");
    document->beginObject();
    document->member("files", found.files);
    document->member("checkpoints", found.checkpoints);
    document->member("tensors", found.tensors);
    document->member("bytes_hashed", found.bytesRead);
    document->endObject();
    writeNotices(*document, "notices", notices);
    document.finish();
}

void printGroup(const DuplicateGroup& group, const std::string& root, Session& session) {
    std::string head = formatBytes(group.bytes) + " x " + std::to_string(group.places.size());
    head += group.zeros             ? ", all zero"
            : group.reclaimable > 0 ? ", " + formatBytes(group.reclaimable) + " reclaimable"
                                    : ", stored once";
    session.out.line(head + "  " + hexText(group.sha256).substr(0, 16));
    const std::size_t shown = session.verbose ? group.places.size() : kShownPlaces;
    for (std::size_t i = 0; i < std::min(shown, group.places.size()); ++i) {
        const DuplicatePlace& place = group.places[i];
        const std::string below = place.path.lexically_relative(root).string();
        std::string line =
            "  " +
            visibleText(below.empty() || below == "." ? place.path.filename().string() : below);
        line += place.tensor.empty() ? "" : "#" + visibleText(place.tensor);
        session.out.line(line + (place.shared ? "  (same bytes on the disk)" : ""));
    }
    if (shown < group.places.size()) {
        session.out.line("  and " + counted(group.places.size() - shown, "more place") +
                         " (-v shows all)");
    }
}

void printText(const std::string& path, const Duplicates& found, Session& session) {
    std::size_t shown = 0;
    for (const DuplicateGroup& group : found.groups) {
        if (session.verbose || (shown < kShownGroups && !group.zeros)) {
            printGroup(group, path, session);
            ++shown;
        }
    }
    if (const std::uint64_t more = found.groups.size() - shown + found.moreGroups; more > 0) {
        session.out.line("and " + counted(more, "more group") + " (-v shows all)");
    }
    session.out.line(formatBytes(found.reclaimable) + " reclaimable in " +
                     counted(found.groups.size() + found.moreGroups, "group") + "; " +
                     counted(found.files, "file") + ", " +
                     counted(found.checkpoints, "checkpoint") + " and " +
                     counted(found.tensors, "tensor") + " compared, " +
                     formatBytes(found.bytesRead) + " hashed");
}

Result<int> run(const Arguments& arguments, Session& session) {
    std::atomic<std::uint64_t> done{0};
    std::atomic<std::uint64_t> total{0};
    DuplicateOptions options{session.cancel, 1, &done, &total};
    if (const auto text = arguments.text("min-size")) {
        CAIRN_TRY(options.smallest, parseSize(*text));
    }
    CAIRN_TRY(const Experiment experiment, scanExperiment(arguments.at(0), session.cancel));
    CAIRN_TRY(const SpaceTree tree, measureSpace(experiment, session.cancel));
    const DuplicateInput input = inputOf(experiment, tree, session);
    Result<Duplicates> found = [&] {
        const ProgressPrinter progress(session, [&] {
            return ProgressState{"comparing", done.load(), total.load()};
        });
        return findDuplicates(input, options);
    }();
    CAIRN_CHECK(found);
    std::vector<Notice> notices = experiment.notices;
    notices.insert(notices.end(), tree.notices.begin(), tree.notices.end());
    notices.insert(notices.end(), found->notices.begin(), found->notices.end());
    if (session.json) {
        writeJson(arguments.at(0), *found, notices, session);
    } else {
        printText(experiment.path.string(), *found, session);
        printNotices(session, notices);
    }
    return kExitOk;
}

constexpr auto kPositionals =
    std::to_array<Positional>({{"FOLDER", "A folder of runs, a run or a checkpoint"}});
constexpr auto kOptions = std::to_array<Option>({
    {"--min-size", "SIZE", "Ignore files and tensors that are smaller, such as 1MB"},
});

} // namespace

extern const Verb kVerb;
const Verb kVerb{"dupes",
                 "Find files and tensors with the same content, in any format",
                 kPositionals,
                 kOptions,
                 {"cairn-cli dupes outputs", "cairn-cli dupes outputs --min-size 1MB",
                  "cairn-cli dupes outputs --json"},
                 run};

} // namespace cairn::cli::verb_dupes
