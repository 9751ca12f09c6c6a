// SPDX-License-Identifier: Apache-2.0
#include "core/formats/common/jax/flax_tree.h"
#include "core/formats/common/members/file_data.h"
#include "core/formats/flax/layout.h"
#include "core/formats/format.h"

#include <array>
#include <charconv>

namespace cairn::formats::flax {
namespace {

constexpr auto kGlobs = std::to_array<std::string_view>(
    {"*.msgpack", "checkpoint_*", "ema_*", "streaming_params*", "streaming_train_state*"});

constexpr auto kEndings = std::to_array<std::string_view>({".msgpack"});

Match probe(const Candidate& candidate) {
    if (candidate.isFolder) {
        return Match::No;
    }
    bool sure = false;
    if (!beginsFlaxTree(candidate.head, sure)) {
        return Match::No;
    }
    return sure || candidate.path.extension() == ".msgpack" ? Match::Yes : Match::Maybe;
}

/// "checkpoint_100", "ema_7.5": the number at the end, as in folders that Flax rotates.
std::optional<std::int64_t> stepOf(std::string_view name) {
    const std::size_t bar = name.rfind('_');
    const std::string_view digits =
        bar == std::string_view::npos ? std::string_view() : name.substr(bar + 1);
    double step = 0;
    const auto result = std::from_chars(digits.data(), digits.data() + digits.size(), step);
    const bool whole = result.ec == std::errc() && result.ptr == digits.data() + digits.size();
    return whole && step >= 0 && step < 9e15 ? std::optional(static_cast<std::int64_t>(step))
                                             : std::nullopt;
}

/// Arrays of several hosts are in a folder beside the file: "checkpoint_5_gda".
void addBeside(CheckpointData& data, const OpenRequest& request) {
    const std::string folder = request.name + "_gda";
    auto nested = request.openNested
                      ? request.openNested(folder)
                      : Result<CheckpointPtr>(fail(ErrorCode::NotFound, "No such folder"));
    if (nested) {
        append(data, **nested, "", folder + "/");
        if ((*nested)->completeness() != Completeness::Incomplete) {
            return;
        }
    }
    data.completeness = Completeness::Incomplete;
    data.why.emplace_back("Array files beside the file are missing");
    data.notices.push_back(
        {Severity::Error, fail(ErrorCode::MissingShard, "Array files beside the file are missing")
                              .inFile(folder)
                              .withHint("Copy the folder from where the checkpoint was saved")});
}

Result<CheckpointPtr> open(const OpenRequest& request) {
    CAIRN_TRY(const ByteSourcePtr source, request.openSelf());
    CheckpointData data = fileData("flax", request, *source);
    data.framework = "flax";
    data.completeness = Completeness::Complete;
    CAIRN_TRY(FlaxTree tree, readFlaxTree(source, FileIndex(0), request.cancel));
    const bool beside = tree.placeholders;
    if (tree.stream) { // a truncation between two leaves is not detectable
        data.completeness = Completeness::Unknown;
        data.why.emplace_back("The file does not record the number of leaves");
    }
    Value values = addFlaxTree(data, std::move(tree));
    if (beside) {
        addBeside(data, request);
    }
    if (values.find("step") == nullptr) {
        data.step = stepOf(request.name);
    }
    data.files.front().role = data.tensors.empty() ? Role::Other : data.tensors.front().role;
    data.loadValues = [values = std::move(values)](const CancelToken&) {
        return Result<LoadedValues>(values);
    };
    return Checkpoint::make(std::move(data));
}

} // namespace

extern const FormatInfo kFormat;
const FormatInfo kFormat{
    .id = "flax",
    .title = "Flax MessagePack (JAX)",
    .globs = kGlobs,
    .probe = probe,
    .open = open,
    .layout = layOut,
    .writes = {.endings = kEndings, .hasValues = true, .reader = "flax.serialization"},
};

} // namespace cairn::formats::flax
