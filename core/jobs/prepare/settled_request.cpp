// SPDX-License-Identifier: Apache-2.0
#include "core/jobs/prepare/settled_request.h"

#include "core/base/absolute_path.h"
#include "core/base/other_machine.h"
#include "core/base/visible_text.h"
#include "core/families/adapters/adapter.h"
#include "core/families/adapters/pipeline_adapter.h"
#include "core/formats/format.h"
#include "core/io/path_kind.h"
#include "core/jobs/prepare/written_format.h"
#include "core/model/precision.h"
#include "core/model/role_decision.h"
#include "core/plan/trainers.h"
#include "core/runs/scan/nearby_adapters.h"

#include <algorithm>
#include <utility>

namespace cairn {
namespace {

constexpr std::string_view kDefaultFormat = "safetensors";
constexpr std::string_view kGgufFormat = "gguf";

/// Whether the dtype asks for quantised blocks, which GGUF alone stores.
bool hasBlocks(const JobRequest& request) {
    const Precision* precision = precisionOf(request.dtype);
    return precision != nullptr && precision->inBlocks();
}

/// "; found near it: lora-a, lora-b", relative to the checkpoint's folder.
std::string adaptersNear(const Checkpoint& source) {
    const std::filesystem::path path = absolutePlace(source.path());
    const std::filesystem::path around = path.parent_path();
    const auto adapters = nearbyAdapters(path, {});
    std::string text;
    for (const NearbyAdapter& each : adapters ? *adapters : std::vector<NearbyAdapter>()) {
        text += (text.empty() ? "; found near it: " : ", ") +
                visibleText(each.path.lexically_relative(around).string());
    }
    return text;
}

/// The default of `only`: everything unless the job is about weights.
void settleSelection(JobRequest& request, Selection::Kind byDefault) {
    if (request.only.kind == Selection::Kind::Auto) {
        request.only.kind = byDefault;
    }
}

void settleFormat(JobRequest& request, std::string_view byDefault) {
    if (request.to.empty()) {
        request.to = hasBlocks(request) ? kGgufFormat : byDefault;
    }
}

Result<void> settleFold(JobRequest& request, const Checkpoint& source) {
    if (request.adapters.empty()) {
        return fail(ErrorCode::InvalidArgument, "No adapter was specified")
            .withHint(sentence("Use --adapter PATH%1", adaptersNear(source)));
    }
    settleFormat(request,
                 request.output.path().extension() == ".gguf" ? kGgufFormat : kDefaultFormat);
    request.bundle = request.to != kGgufFormat; // which has config and tokenizer inside
    return {};
}

Result<void> settleReshard(JobRequest& request) {
    settleSelection(request, Selection::Kind::All);
    if (!request.like.empty() && !request.only.isWeights()) {
        return fail(ErrorCode::InvalidArgument, "A config and a tokenizer belong to weights")
            .inField("--like")
            .withHint("Use --only weights");
    }
    if (request.to.empty()) {
        request.to = request.sharding.axes.empty() ? kDefaultFormat : "dcp";
    }
    if (request.sharding.empty() && request.maxShardBytes == 0) {
        return fail(ErrorCode::InvalidArgument, "No number of parts was specified")
            .expecting("--ranks N, --grid RxC, --max-shard-size SIZE or --per-layer");
    }
    if (request.sharding.perLayer &&
        (!request.sharding.axes.empty() || request.maxShardBytes != 0)) {
        return fail(ErrorCode::InvalidArgument, "One file per layer excludes a number of parts")
            .butFound("--per-layer");
    }
    const FormatInfo* format = findFormat(request.to);
    if (format != nullptr && format->writes.splitsFiles && !request.sharding.axes.empty() &&
        request.maxShardBytes != 0) {
        return fail(ErrorCode::InvalidArgument, "A number of files excludes a maximum file size")
            .butFound("--max-shard-size");
    }
    return {};
}

/// `cast` and `rename`: everything is written, in the source's format if that is writable.
Result<void> settleChange(JobRequest& request, const Checkpoint& source) {
    const bool cast = request.kind == JobKind::Cast;
    if (cast ? request.dtype == "keep" && !request.dequantize : request.rename.empty()) {
        return fail(ErrorCode::InvalidArgument,
                    cast ? Sentence("No dtype was specified") : "No rename rules were specified")
            .withHint(cast ? Sentence("Use --dtype") : "Use --rename");
    }
    const bool quantises = cast && hasBlocks(request); // only weights
    settleSelection(request, quantises ? Selection::Kind::Weights : Selection::Kind::All);
    const FormatInfo* format = findFormat(source.format());
    const bool writable = format != nullptr && format->layout != nullptr;
    if (request.to.empty() && !quantises && writable) {
        request.to = format->id;
    }
    return {};
}

Result<void> settleUnpack(JobRequest& request, const Checkpoint& source) {
    const FormatInfo* format = findFormat(source.format());
    if (format == nullptr || !format->isPacked) {
        return fail(ErrorCode::InvalidArgument, "Not a Cairn archive")
            .inFile(source.path().string())
            .butFound(verbatim(source.format()))
            .withHint("`cairn-cli consolidate` converts other checkpoints");
    }
    settleSelection(request, Selection::Kind::All);
    if (request.to.empty()) {
        const FormatInfo* byEnding = formatForEnding(request.output.path());
        request.to = byEnding != nullptr ? byEnding->id : kDefaultFormat;
    }
    return {};
}

Result<void> settleExport(JobRequest& request) {
    const FormatInfo* format = formatForEnding(request.output.path());
    if (format == nullptr) {
        return fail(ErrorCode::Unsupported, "Unknown output extension")
            .inFile(request.output.path().string())
            .expecting(
                ".safetensors, .npy, .npz, .pt, or .csv for one tensor of up to two dimensions");
    }
    request.to = format->id;
    request.only = exportedTensors(request);
    return {};
}

/// A training state is written whole, under the names of its model and in the trainer's format.
Result<void> settleTrainer(JobRequest& request, const Checkpoint& source) {
    const Trainer& trainer = *findTrainer(request.trainer);
    const bool hasNames = request.names != "auto" || !request.family.empty();
    const bool hasFormat = !request.to.empty() && request.to != trainer.format;
    const bool relates = // by its names or its config
        trainer.keepsObjects || trainer.hasNames || source.framework() == "megatron";
    const bool hasLike = !request.like.empty() && !relates;
    if (hasNames || hasFormat || hasLike || request.mustLoad || request.maxShardBytes != 0) {
        return fail(ErrorCode::InvalidArgument,
                    "A training state keeps the names of its model and has the format of its "
                    "trainer: --for excludes --names, --family, --to, --max-shard-size, --require "
                    "loadable and, but for keras, tensorflow and megatron, --like")
            .inField("--for")
            .withHint("Convert the weights alone with --names");
    }
    if (!request.sharding.empty() && !trainer.cutsTensors) {
        return fail(ErrorCode::InvalidArgument,
                    "The state of this trainer is not divided over ranks")
            .inField("--ranks")
            .butFound(verbatim(request.trainer))
            .withHint("Use --for fsdp2, torchtitan, lightning-fsdp or megatron");
    }
    request.to = trainer.format;
    request.only.kind = Selection::Kind::All;
    request.bundle = request.bundle && request.like.empty(); // which implies it elsewhere
    return {};
}

Result<void> settleConvert(JobRequest& request, const Checkpoint& source) {
    if (!request.trainer.empty()) {
        return settleTrainer(request, source);
    }
    if (request.names == "auto") {
        return fail(ErrorCode::InvalidArgument, "No names were specified")
            .withHint("Use --names hf, or the names of a framework; --for TRAINER writes a "
                      "training state");
    }
    if (request.mustResume || !request.sharding.empty()) {
        return fail(ErrorCode::InvalidArgument, "This option needs a trainer")
            .inField(request.mustResume ? "--require" : "--ranks")
            .withHint("Use --for TRAINER");
    }
    request.bundle = true;
    return {};
}

Result<void> settleKind(JobRequest& request, const Checkpoint& source) {
    switch (request.kind) {
    case JobKind::Consolidate:
    case JobKind::Average:
        return {};
    case JobKind::Fold:
        return settleFold(request, source);
    case JobKind::Convert:
        return settleConvert(request, source);
    case JobKind::Reshard:
        return settleReshard(request);
    case JobKind::Cast:
    case JobKind::Rename:
        return settleChange(request, source);
    case JobKind::Unpack:
        return settleUnpack(request, source);
    case JobKind::Export:
        return settleExport(request);
    case JobKind::Pack:
        break;
    }
    return {};
}

/// Whether a checkpoint has no weights but those of an adapter, and no training state.
bool isAdapterAlone(const Checkpoint& source) {
    return std::ranges::all_of(source.tensors(), [](const TensorEntry& tensor) {
        return isModelRole(tensor.role) && tensor.name.starts_with(kPeftPrefix);
    });
}

/// Whether a job writes the tensors of its source under their names, as a checkpoint.
bool rewrites(JobKind kind) {
    switch (kind) {
    case JobKind::Consolidate:
    case JobKind::Average:
    case JobKind::Convert:
    case JobKind::Reshard:
    case JobKind::Cast:
    case JobKind::Rename:
        return true;
    case JobKind::Fold:
    case JobKind::Unpack:
    case JobKind::Export:
    case JobKind::Pack:
        break;
    }
    return false;
}

/// PEFT loads an adapter from a folder that has its settings, and diffusers from one file.
Result<void> settleAdapter(JobRequest& request, const Checkpoint& source) {
    const Selection::Kind only = request.only.kind;
    const bool complete =
        only == Selection::Kind::Auto || request.only.isWeights() ||
        (only == Selection::Kind::All && request.only.subtree.empty() && isAdapterAlone(source));
    if (!rewrites(request.kind) || !complete || request.force || !request.adapters.empty()) {
        return {};
    }
    const bool pipeline = isPipelineAdapter(source);
    if (pipeline && (request.bundle || request.kind == JobKind::Convert)) {
        return fail(ErrorCode::InvalidArgument,
                    "An adapter of diffusers or kohya is one file with its scales inside, which no "
                    "folder completes")
            .withHint("Leave out --bundle; or write the model with it: cairn-cli fold PIPELINE "
                      "--adapter FILE");
    }
    if (!isAdapterOfPeft(source)) {
        return {};
    }
    const bool toFile = !request.to.empty() && request.to != kDefaultFormat;
    const bool inParts = !request.sharding.empty() || request.maxShardBytes != 0;
    if (toFile || inParts || formatForEnding(request.output.path()) != nullptr) {
        return fail(ErrorCode::InvalidArgument,
                    "An adapter becomes a folder, in which its settings are beside its weights in "
                    "one file: PEFT loads no other adapter")
            .inField("output")
            .butFound(toFile    ? verbatim(request.to)
                      : inParts ? Sentence("several parts")
                                : verbatim(request.output.path().filename().string()))
            .withHint("Name a folder with -o, or write the model with it: cairn-cli fold BASE "
                      "--adapter FOLDER");
    }
    request.to = kDefaultFormat;
    request.bundle = true;
    settleSelection(request, Selection::Kind::Weights); // of a trainer's folder, too
    return {};
}

/// "." and "/" exist, whatever is written.
bool hasName(const std::filesystem::path& output) {
    const std::filesystem::path whole =
        output.has_filename() ? output : output.parent_path(); // "out/"
    const std::filesystem::path name = whole.filename();
    return !name.empty() && name != "." && name != "..";
}

} // namespace

Result<JobRequest> settledRequest(JobRequest request, const Checkpoint& source) {
    if (request.output.empty()) {
        return fail(ErrorCode::InvalidArgument, "No output was specified").withHint("Use -o OUT");
    }
    if (!hasName(request.output.path())) {
        return fail(ErrorCode::InvalidArgument, "The output needs a name that does not exist yet")
            .inField("output")
            .butFound(verbatim(request.output.path().string()))
            .withHint("Use -o FOLDER/NAME");
    }
    CAIRN_CHECK(checkOutputIsHere(request.output.path()));
    if (request.mustResume && request.kind != JobKind::Convert) {
        return fail(ErrorCode::InvalidArgument, "This option needs a trainer")
            .inField("--require")
            .withHint("Use convert --for TRAINER");
    }
    request.bundle = request.bundle || (!request.like.empty() && request.trainer.empty());
    if (request.only.kind == Selection::Kind::Auto && !request.only.without.empty()) {
        request.only.kind = Selection::Kind::All;
    }
    CAIRN_CHECK(settleAdapter(request, source));
    CAIRN_CHECK(settleKind(request, source));
    settleSelection(request, Selection::Kind::Weights);
    settleFormat(request, kDefaultFormat);
    return request;
}

Selection exportedTensors(const JobRequest& request) {
    Selection selection = request.only;
    if (selection.kind != Selection::Kind::Glob) {
        selection.kind = Selection::Kind::Glob;
        selection.glob = "*";
    }
    return selection;
}

} // namespace cairn
