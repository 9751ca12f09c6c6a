// SPDX-License-Identifier: Apache-2.0
#include "core/jobs/record/manifest.h"

#include "core/base/endian.h"
#include "core/io/hash.h"
#include "core/jobs/context/job_context.h"
#include "core/jobs/context/worker_threads.h"
#include "core/jobs/record/late_names.h"
#include "core/jobs/record/layout_digest.h"
#include "core/jobs/record/published_text.h"
#include "core/jobs/record/read_manifest.h"
#include "core/plan/engine_memory.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <atomic>
#include <map>
#include <set>
#include <utility>

namespace cairn {
namespace {

using Json = nlohmann::ordered_json;

/// A checkpoint and its files that were read: those with elements in the output, and those whose
/// digest is known.
Json checkpointJson(const CopyPlan& plan, const Checkpoint& checkpoint,
                    const std::set<FileIndex>& used, const SourceDigests& digests) {
    const auto known = digests.find(&checkpoint);
    Json files = Json::array();
    for (std::size_t i = 0; i < checkpoint.files().size(); ++i) {
        const CheckpointFile& file = checkpoint.files()[i];
        const std::string digest = known != digests.end() ? known->second[i] : std::string();
        if (digest.empty() && !used.contains(FileIndex(i))) {
            continue;
        }
        Json row = {{"path", file.path},
                    {"bytes", file.identity.size},
                    {"mtime_ns", file.identity.mtimeNs}};
        if (!digest.empty()) {
            row["sha256"] = digest;
        }
        files.push_back(std::move(row));
    }
    return {{"path", sourceName(plan, checkpoint)},
            {"format", checkpoint.format()},
            {"files", std::move(files)}};
}

std::map<const Checkpoint*, std::set<FileIndex>> filesRead(const CopyPlan& plan) {
    std::map<const Checkpoint*, std::set<FileIndex>> used = {{plan.source.get(), {}}};
    for (const SourceTensor& tensor : sourceTensors(plan)) {
        for (const Piece& piece : tensor.checkpoint->tensor(tensor.index).pieces) {
            used[tensor.checkpoint].insert(piece.file);
        }
    }
    for (const JoinedMember& member : plan.joined) {
        for (const TensorEntry& tensor : member.checkpoint->tensors()) {
            for (const Piece& piece : tensor.pieces) {
                used[member.checkpoint.get()].insert(piece.file);
            }
        }
    }
    return used;
}

/// Small ones are few MiB, and together not worth the mention.
std::vector<FileIndex> filesToDigest(const Checkpoint& checkpoint, SourceFiles which) {
    constexpr std::uint64_t kSmall = std::uint64_t{4} << 20U;
    std::uint64_t budget = std::uint64_t{64} << 20U;
    std::vector<FileIndex> chosen;
    for (std::size_t i = 0; i < checkpoint.files().size(); ++i) {
        const CheckpointFile& file = checkpoint.files()[i];
        const std::uint64_t size = file.identity.size;
        const bool cheap = size <= std::min(kSmall, budget);
        if (!file.missing && file.source == nullptr && (which == SourceFiles::All || cheap)) {
            budget -= std::min(budget, size);
            chosen.emplace_back(i);
        }
    }
    return chosen;
}

/// The members of an average, in order; empty for other jobs.
Json membersJson(const CopyPlan& plan, const SourceDigests& digests) {
    const auto used = filesRead(plan);
    Json members = Json::array();
    const auto add = [&](const Checkpoint& checkpoint, double weight) {
        Json member = checkpointJson(plan, checkpoint, used.at(&checkpoint), digests);
        member["weight"] = weight;
        members.push_back(std::move(member));
    };
    for (const JoinedMember& member : plan.joined) {
        add(*member.checkpoint, member.weight);
    }
    const auto& sums = plan.sums();
    const auto average =
        std::ranges::find_if(sums, [](const auto& item) { return !item.second.terms.empty(); });
    if (average != sums.end()) {
        for (const AverageTerm& term : average->second.terms) {
            add(*term.checkpoint, term.weight);
        }
    }
    return members;
}

/// The adapters that are folded in, in order.
Json adaptersJson(const CopyPlan& plan, const SourceDigests& digests) {
    const auto used = filesRead(plan);
    Json adapters = Json::array();
    for (const FoldedAdapter& each : plan.adapters) {
        const auto files = used.find(each.checkpoint.get());
        Json adapter =
            checkpointJson(plan, *each.checkpoint,
                           files != used.end() ? files->second : std::set<FileIndex>(), digests);
        adapter["scale"] = each.scale;
        adapter["tensors"] = each.tensors;
        adapters.push_back(std::move(adapter));
    }
    return adapters;
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
        items.push_back({{"item", item.item().text()},
                         {"ok", item.ok},
                         {"state", item.state()},
                         {"detail", publishedText(plan, item.detail)}});
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
void addTensorLines(std::string& lines, const JobReport& report) {
    std::string_view separator = "\n   {\"name\": ";
    for (const WrittenTensor& tensor : report.written) {
        const auto member = [&lines](std::string_view key, const std::string& text) {
            lines += key;
            addQuoted(lines, text);
        };
        member(std::exchange(separator, ",\n   {\"name\": "), tensor.name);
        member(", \"source_name\": ", tensor.sourceName);
        member(", \"dtype\": ", tensor.dtype);
        lines += ", \"shape\": ";
        lines += tensor.shape; // formatted as "[4096, 1024]", which is valid JSON
        member(", \"file\": ", tensor.file);
        lines += ", \"offset\": ";
        lines += std::to_string(tensor.offset);
        lines += ", \"bytes\": ";
        lines += std::to_string(tensor.bytes);
        if (!tensor.digest.empty()) {
            lines += ", \"";
            lines += digestKey(tensor.digestKind);
            member("\": ", tensor.digest);
        }
        lines += "}";
    }
    lines += report.written.empty() ? "" : "\n  ";
}

/// The length of its line, if nothing in it is escaped.
std::size_t lineLength(const WrittenTensor& tensor) {
    constexpr std::size_t kKeys = 160; // and the numbers
    return kKeys + tensor.name.size() + tensor.sourceName.size() + tensor.dtype.size() +
           tensor.shape.size() + tensor.file.size() + tensor.digest.size();
}

Json outputJson(const CopyPlan& plan, const JobReport& report) {
    Json files = Json::array();
    for (const WrittenFile& file : report.files) {
        files.push_back({{"path", file.path}, {"bytes", file.bytes}, {"sha256", file.sha256}});
    }
    return {{"format", plan.format},
            {"bytes", report.bytes},
            {"files", std::move(files)},
            {"tensors", Json::array()}}; // see addTensorLines()
}

std::filesystem::path fileManifest(const std::filesystem::path& output) {
    return output.string() + std::string(kManifestLate.suffix);
}

} // namespace

std::filesystem::path manifestPath(const CopyPlan& plan) {
    return plan.layout.folder ? plan.output / kManifestLate.inFolder : fileManifest(plan.output);
}

std::filesystem::path manifestPath(const std::filesystem::path& output) {
    std::error_code error;
    return std::filesystem::is_directory(output, error) ? output / kManifestLate.inFolder
                                                        : fileManifest(output);
}

Result<std::string> sourceDigest(const Checkpoint& checkpoint, FileIndex index,
                                 JobContext& context) {
    constexpr std::uint64_t kStep = std::uint64_t{1} << 20U;
    CAIRN_TRY(const ByteSourcePtr source, checkpoint.openFile(index));
    Sha256 hash;
    std::vector<std::byte> buffer(static_cast<std::size_t>(std::min(kStep, source->size())));
    for (std::uint64_t at = 0; at < source->size();) {
        CAIRN_CHECK(context.proceed());
        const auto bytes =
            std::span(buffer).first(static_cast<std::size_t>(std::min(kStep, source->size() - at)));
        CAIRN_CHECK(source->readAt(at, bytes));
        hash.add(bytes);
        at += bytes.size();
    }
    CAIRN_CHECK(source->checkUnchanged());
    return hexText(hash.finish());
}

Result<SourceDigests> digestSources(const CopyPlan& plan, SourceFiles which, JobContext& context) {
    SourceDigests digests;
    const auto all = filesRead(plan);
    for (const auto& read : all) {
        const Checkpoint& checkpoint = *read.first;
        std::vector<std::string>& own = digests[&checkpoint];
        own.resize(checkpoint.files().size());
        const std::vector<FileIndex> chosen = filesToDigest(checkpoint, which);
        std::atomic<std::size_t> next{0};
        const auto work = [&](std::size_t, const std::atomic<bool>& stop) -> Result<void> {
            for (std::size_t i = next++; i < chosen.size() && !stop.load(); i = next++) {
                auto digest = sourceDigest(checkpoint, chosen[i], context);
                if (digest) {
                    own[chosen[i].position()] = std::move(*digest);
                } else if (read.second.contains(chosen[i]) ||
                           digest.error().code == ErrorCode::Cancelled) {
                    return std::move(digest).error();
                }
            }
            return {};
        };
        CAIRN_CHECK(runOnThreads(std::clamp<std::size_t>(chosen.size(), 1, engineWorkers()), work));
    }
    return digests;
}

std::string manifestText(const CopyPlan& plan, const JobReport& report,
                         const SourceDigests& digests) {
    Json decisions = Json::array();
    for (const PlanDecision& decision : plan.decisions) {
        decisions.push_back({{"what", decision.what().text()},
                             {"value", publishedText(plan, decision.value)},
                             {"why", publishedText(plan, decision.why)}});
    }
    const Json manifest = {
        {"schema", kManifestSchema},
        {"tool", {{"name", "cairn"}, {"version", CAIRN_VERSION}}},
        {"job", plan.job},
        {"options", publishedOptions(plan)},
        {"decisions", std::move(decisions)},
        {"plan", layoutDigest(plan)},
        {"source",
         checkpointJson(plan, *plan.source, filesRead(plan).at(plan.source.get()), digests)},
        {"averaged", membersJson(plan, digests)},
        {"adapters", adaptersJson(plan, digests)},
        {"output", outputJson(plan, report)},
        {"cast", castJson(report)},
        {"checklist", checklistJson(plan)},
        {"left_out", omittedJson(plan)},
        {"verified", report.verified}};
    const std::string text = manifest.dump(1, ' ', false, Json::error_handler_t::replace) + "\n";
    constexpr std::string_view kPlace =
        "\"tensors\": ["; // cannot occur inside texts, where quotes are escaped
    const std::size_t place = text.find(std::string(kPlace) + "]") + kPlace.size();
    std::size_t length = text.size();
    for (const WrittenTensor& tensor : report.written) {
        length += lineLength(tensor);
    }
    std::string whole; // of many tensors, it is most of what a job holds: there is one, not three
    whole.reserve(length);
    whole.append(text, 0, place);
    addTensorLines(whole, report);
    whole.append(text, place);
    return whole;
}

} // namespace cairn
