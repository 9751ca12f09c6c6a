// SPDX-License-Identifier: Apache-2.0
#include "app/cli/transform_options.h"

#include "app/cli/opened.h"
#include "core/base/counted.h"
#include "core/base/split_text.h"
#include "core/plan/load_verdict.h"

#include <array>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>

namespace cairn::cli {
namespace {

constexpr std::uintmax_t kMaxRules = std::uintmax_t{1} << 20U;

/// The lines of a rules file, or the rule itself.
Result<std::string> rulesOf(const std::string& text) {
    std::error_code error;
    const std::filesystem::path path(text.starts_with('@') ? text.substr(1) : text);
    if (!std::filesystem::is_regular_file(path, error)) {
        if (text.starts_with('@')) {
            return fail(ErrorCode::NotFound, "No such rules file").inFile(path.string());
        }
        return text;
    }
    if (std::filesystem::file_size(path, error) > kMaxRules) {
        return fail(ErrorCode::LimitExceeded, "The rules file is too large").inFile(path.string());
    }
    std::ifstream in(path, std::ios::binary);
    std::string lines((std::istreambuf_iterator<char>(in)), {});
    if (!in) {
        return fail(ErrorCode::Io, "The rules file cannot be read").inFile(path.string());
    }
    return lines;
}

} // namespace

Result<NameRules> renameRules(const Arguments& arguments) {
    std::string rules;
    for (const std::string& each : splitText(arguments.text("rename").value_or(""), '\n')) {
        CAIRN_TRY(const std::string lines, rulesOf(each));
        rules += lines + "\n";
    }
    return NameRules::parse(rules);
}

Result<std::vector<AdapterMember>> adapterMembers(const Arguments& arguments,
                                                  std::string_view option) {
    std::vector<AdapterMember> members;
    for (const std::string& each : splitText(arguments.text(option).value_or(""), '\n')) {
        const RequestAdapter adapter = adapterOf(each);
        const std::string path = adapter.place.path().string();
        CAIRN_TRY(const Opened opened, openPath(path, {}));
        if (!opened.whole()) {
            return fail(ErrorCode::InvalidArgument, "An adapter must be a complete checkpoint")
                .butFound(verbatim(path));
        }
        members.push_back({opened.checkpoint, path, adapter.scale});
    }
    return members;
}

void writeAdapters(JsonWriter& json, std::span<const FoldedAdapter> adapters) {
    json.key("adapters");
    json.beginArray();
    for (const FoldedAdapter& adapter : adapters) {
        json.beginObject();
        json.member("path", adapter.path);
        json.member("scale", adapter.scale);
        json.member("tensors", adapter.tensors);
        json.endObject();
    }
    json.endArray();
}

void writeCast(JsonWriter& json, const JobReport& report) {
    json.key("cast");
    if (report.castTensors == 0) {
        json.null();
        return;
    }
    json.beginObject();
    json.member("tensors", report.castTensors);
    json.member("elements", report.cast.elements);
    json.member("max_abs", report.cast.maxAbs);
    json.member("max_ulp", report.cast.maxUlp);
    json.member("overflowed", report.cast.overflowed);
    json.member("became_subnormal", report.cast.becameSubnormal);
    json.member("became_zero", report.cast.becameZero);
    json.endObject();
}

std::string castText(const JobReport& report) {
    if (report.castTensors == 0) {
        return {};
    }
    std::array<char, 32> error{};
    std::snprintf(error.data(), error.size(), "%.3g", report.cast.maxAbs);
    return "cast " + counted(report.castTensors, "tensor") + ": largest error " + error.data() +
           ", " + std::to_string(report.cast.overflowed) + " overflowed, " +
           std::to_string(report.cast.becameSubnormal) + " became subnormal, " +
           std::to_string(report.cast.becameZero) + " became zero";
}

void writeOmitted(JsonWriter& json, const CopyPlan& plan) {
    json.key("left_out");
    json.beginArray();
    for (const OmittedTensors& left : plan.omitted) {
        json.beginObject();
        json.member("role", roleName(left.role));
        json.member("tensors", left.tensors);
        json.member("bytes", left.bytes);
        json.member("by_name", left.byName);
        json.endObject();
    }
    json.endArray();
}

void writeVerdict(JsonWriter& json, const CopyPlan& plan) {
    const LoadVerdict verdict = loadVerdict(plan);
    json.key("loads");
    json.beginObject();
    json.member("state", loadStateName(verdict.state));
    json.member("text", verdict.text);
    if (!plan.loader.program.empty()) {
        json.member("program", plan.loader.program);
        json.member("model", plan.loader.model);
        json.member("found", plan.loader.found);
        json.member("expected", plan.loader.expected);
    }
    json.endObject();
}

void writeChecklist(JsonWriter& json, const CopyPlan& plan) {
    json.key("checklist");
    json.beginArray();
    for (const ChecklistItem& item : plan.checklist) {
        json.beginObject();
        json.member("id", idName(item.id));
        json.member("item", item.item());
        json.member("ok", item.ok);
        json.member("state", item.state());
        json.member("detail", item.detail);
        json.endObject();
    }
    json.endArray();
}

} // namespace cairn::cli
