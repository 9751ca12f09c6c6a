// SPDX-License-Identifier: Apache-2.0
#include "core/jobs/manifest.h"

#include "core/base/endian.h"
#include "core/codec/json/json_value.h"
#include "core/io/folder.h"
#include "core/jobs/job_context.h"
#include "core/jobs/staging.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <map>
#include <set>

namespace cairn {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::string_view kManifestInFolder = "MANIFEST.json";
constexpr std::uint64_t kMaxManifest = std::uint64_t{1} << 30U;

/// A checkpoint and its files that were read.
Json checkpointJson(const Checkpoint& checkpoint, const std::set<FileIndex>& used) {
    Json files = Json::array();
    for (const FileIndex index : used) {
        const CheckpointFile& file = checkpoint.files()[index.position()];
        files.push_back({{"path", file.path},
                         {"bytes", file.identity.size},
                         {"mtime_ns", file.identity.mtimeNs}});
    }
    std::error_code error;
    const auto path = std::filesystem::absolute(checkpoint.path(), error);
    return {{"path", path.string()}, {"format", checkpoint.format()}, {"files", std::move(files)}};
}

std::map<const Checkpoint*, std::set<FileIndex>> filesRead(const CopyPlan& plan) {
    std::map<const Checkpoint*, std::set<FileIndex>> used = {{plan.source.get(), {}}};
    for (const SourceTensor& tensor : sourceTensors(plan)) {
        for (const Piece& piece : tensor.checkpoint->tensor(tensor.index).pieces) {
            used[tensor.checkpoint].insert(piece.file);
        }
    }
    return used;
}

/// The members of an average, in order; empty for other jobs.
Json membersJson(const CopyPlan& plan) {
    const auto used = filesRead(plan);
    Json members = Json::array();
    const auto average = std::ranges::find_if(
        plan.recipes, [](const auto& item) { return !item.second.terms.empty(); });
    if (average == plan.recipes.end()) {
        return members;
    }
    for (const AverageTerm& term : average->second.terms) {
        Json member = checkpointJson(*term.checkpoint, used.at(term.checkpoint.get()));
        member["weight"] = term.weight;
        members.push_back(std::move(member));
    }
    return members;
}

Json castJson(const JobReport& report) {
    if (report.castTensors == 0) {
        return nullptr;
    }
    return {
        {"tensors", report.castTensors},        {"elements", report.cast.elements},
        {"max_abs", report.cast.maxAbs},        {"max_ulp", report.cast.maxUlp},
        {"overflowed", report.cast.overflowed}, {"became_subnormal", report.cast.becameSubnormal},
        {"became_zero", report.cast.becameZero}};
}

Json checklistJson(const CopyPlan& plan) {
    Json items = Json::array();
    for (const ChecklistItem& item : plan.checklist) {
        items.push_back({{"item", item.item}, {"ok", item.ok}, {"detail", item.detail}});
    }
    return items;
}

Json omittedJson(const CopyPlan& plan) {
    Json items = Json::array();
    for (const OmittedTensors& left : plan.omitted) {
        items.push_back({{"role", std::string(roleName(left.role))},
                         {"tensors", left.tensors},
                         {"bytes", left.bytes}});
    }
    return items;
}

void addQuoted(std::string& out, const std::string& text) {
    const bool plain = std::ranges::all_of(
        text, [](char c) { return c >= ' ' && c <= '~' && c != '"' && c != '\\'; });
    if (plain) {
        out += '"';
        out += text;
        out += '"';
    } else {
        out += Json(text).dump(-1, ' ', false, Json::error_handler_t::replace);
    }
}

/// One line for each tensor, because the list may be long.
std::string tensorLines(const JobReport& report) {
    constexpr std::size_t kUsual = 320; // typical length of a line
    std::string lines;
    lines.reserve(kUsual * report.written.size());
    for (const WrittenTensor& tensor : report.written) {
        const auto member = [&lines](std::string_view key, const std::string& text) {
            lines += key;
            addQuoted(lines, text);
        };
        member(lines.empty() ? "\n   {\"name\": " : ",\n   {\"name\": ", tensor.name);
        member(", \"source_name\": ", tensor.sourceName);
        member(", \"dtype\": ", tensor.dtype);
        lines += ", \"shape\": ";
        lines += tensor.shape; // formatted as "[4096, 1024]", which is valid JSON
        member(", \"file\": ", tensor.file);
        lines += ", \"offset\": ";
        lines += std::to_string(tensor.offset);
        lines += ", \"bytes\": ";
        lines += std::to_string(tensor.bytes);
        member(", \"sha256\": ", tensor.sha256);
        lines += "}";
    }
    return lines.empty() ? lines : lines + "\n  ";
}

Json outputJson(const CopyPlan& plan, const JobReport& report) {
    Json files = Json::array();
    for (const WrittenFile& file : report.files) {
        files.push_back({{"path", file.path}, {"bytes", file.bytes}, {"sha256", file.sha256}});
    }
    return {{"format", plan.format},
            {"bytes", report.bytes},
            {"files", std::move(files)},
            {"tensors", Json::array()}}; // see tensorLines()
}

Result<std::string> textOf(const JsonValue& object, std::string_view key) {
    const JsonValue* value = object.find(key);
    if (value == nullptr) {
        return fail(ErrorCode::JsonWrongType, "A field of the manifest is missing")
            .inField(std::string(key));
    }
    CAIRN_TRY(const std::string_view text, value->asString());
    return std::string(text);
}

Result<std::uint64_t> numberOf(const JsonValue& object, std::string_view key) {
    const JsonValue* value = object.find(key);
    if (value == nullptr) {
        return fail(ErrorCode::JsonWrongType, "A field of the manifest is missing")
            .inField(std::string(key));
    }
    return value->asUnsigned();
}

Result<std::vector<WrittenFile>> filesOf(const JsonValue& output) {
    const JsonValue* list = output.find("files");
    if (list == nullptr) {
        return fail(ErrorCode::JsonWrongType, "The manifest does not name any files")
            .inField("files");
    }
    CAIRN_TRY(const auto items, list->asArray());
    std::vector<WrittenFile> files;
    for (const JsonValue& item : items) {
        WrittenFile file;
        CAIRN_TRY(file.path, textOf(item, "path"));
        CAIRN_TRY(file.bytes, numberOf(item, "bytes"));
        CAIRN_TRY(file.sha256, textOf(item, "sha256"));
        files.push_back(std::move(file));
    }
    return files;
}

Result<std::vector<WrittenTensor>> tensorsOf(const JsonValue& output) {
    const JsonValue* list = output.find("tensors");
    if (list == nullptr) {
        return fail(ErrorCode::JsonWrongType, "The manifest does not name any tensors")
            .inField("tensors");
    }
    CAIRN_TRY(const auto items, list->asArray());
    std::vector<WrittenTensor> tensors;
    for (const JsonValue& item : items) {
        WrittenTensor tensor;
        CAIRN_TRY(tensor.name, textOf(item, "name"));
        CAIRN_TRY(tensor.sourceName, textOf(item, "source_name"));
        CAIRN_TRY(tensor.dtype, textOf(item, "dtype"));
        CAIRN_TRY(tensor.file, textOf(item, "file"));
        CAIRN_TRY(tensor.offset, numberOf(item, "offset"));
        CAIRN_TRY(tensor.bytes, numberOf(item, "bytes"));
        CAIRN_TRY(tensor.sha256, textOf(item, "sha256"));
        tensors.push_back(std::move(tensor));
    }
    return tensors;
}

Result<std::string> manifestBytes(const std::filesystem::path& path) {
    CAIRN_TRY(const FolderPtr folder,
              Folder::open(path.has_parent_path() ? path.parent_path() : "."));
    CAIRN_TRY(const ByteSourcePtr source, folder->openFile(path.filename().string()));
    if (source->size() > kMaxManifest) {
        return fail(ErrorCode::LimitExceeded, "The manifest is too large").inFile(path.string());
    }
    CAIRN_TRY(const auto bytes, readRange(*source, {0, source->size()}));
    return std::string(asText(bytes));
}

std::filesystem::path fileManifest(const std::filesystem::path& output) {
    return output.string() + ".cairn.json";
}

} // namespace

std::filesystem::path manifestPath(const CopyPlan& plan) {
    return plan.layout.folder ? plan.output / kManifestInFolder : fileManifest(plan.output);
}

std::filesystem::path manifestPath(const std::filesystem::path& output) {
    std::error_code error;
    return std::filesystem::is_directory(output, error) ? output / kManifestInFolder
                                                        : fileManifest(output);
}

std::string manifestText(const CopyPlan& plan, const JobReport& report) {
    Json options = Json::object();
    for (const auto& [key, value] : plan.options) {
        options[key] = value;
    }
    Json decisions = Json::array();
    for (const PlanDecision& decision : plan.decisions) {
        decisions.push_back(
            {{"what", decision.what}, {"value", decision.value}, {"why", decision.why}});
    }
    const Json manifest = {
        {"schema", kManifestSchema},
        {"tool", {{"name", "cairn"}, {"version", CAIRN_VERSION}}},
        {"job", plan.job},
        {"options", std::move(options)},
        {"decisions", std::move(decisions)},
        {"source", checkpointJson(*plan.source, filesRead(plan).at(plan.source.get()))},
        {"averaged", membersJson(plan)},
        {"output", outputJson(plan, report)},
        {"cast", castJson(report)},
        {"checklist", checklistJson(plan)},
        {"left_out", omittedJson(plan)},
        {"verified", report.verified}};
    std::string text = manifest.dump(1, ' ', false, Json::error_handler_t::replace) + "\n";
    constexpr std::string_view kPlace =
        "\"tensors\": ["; // cannot occur inside texts, where quotes are escaped
    const std::size_t place = text.find(std::string(kPlace) + "]");
    return text.insert(place + kPlace.size(), tensorLines(report));
}

Result<void> checkNoManifest(const CopyPlan& plan) {
    std::error_code error;
    const std::filesystem::path manifest = manifestPath(plan);
    if (!plan.layout.folder &&
        std::filesystem::exists(std::filesystem::symlink_status(manifest, error))) {
        return fail(ErrorCode::OutputExists,
                    "A manifest with that name already exists; existing files are never replaced")
            .inFile(manifest.string())
            .withHint("Choose a different name, or move the existing output");
    }
    return {};
}

Result<void> publishWithManifest(Staging& staging, const CopyPlan& plan, JobReport& report,
                                 JobContext& context, const EngineOptions& options) {
    context.setPhase(JobPhase::Publishing);
    if (options.manifest) {
        report.manifest = manifestPath(plan);
        CAIRN_CHECK(staging.addManifest(manifestText(plan, report), options.durability));
    }
    CAIRN_CHECK(context.proceed());
    return staging.publish(options.durability);
}

Result<Manifest> readManifest(const std::filesystem::path& path) {
    CAIRN_TRY(const std::string text, manifestBytes(path));
    CAIRN_TRY(const JsonValue root, parseJson(text, path.string()));
    CAIRN_TRY(const std::string schema, textOf(root, "schema"));
    if (schema != kManifestSchema) {
        return fail(ErrorCode::JsonWrongType, "Not a readable manifest")
            .inFile(path.string())
            .inField("schema")
            .butFound(schema)
            .expecting(std::string(kManifestSchema));
    }
    const JsonValue* output = root.find("output");
    const JsonValue* source = root.find("source");
    if (output == nullptr || source == nullptr) {
        return fail(ErrorCode::JsonWrongType, "The manifest does not name its output and source")
            .inFile(path.string());
    }
    Manifest manifest;
    CAIRN_TRY(manifest.files, filesOf(*output));
    CAIRN_TRY(manifest.tensors, tensorsOf(*output));
    CAIRN_TRY(manifest.format, textOf(*output, "format"));
    CAIRN_TRY(manifest.sourcePath, textOf(*source, "path"));
    return manifest;
}

} // namespace cairn
