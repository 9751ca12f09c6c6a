// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/consolidate/targets.h"

#include "core/model/precision.h"
#include "ui/pages/consolidate/written_formats.h"

#include <QCoreApplication>

namespace cairn::ui {
namespace {

struct TargetWords {
    Q_DECLARE_TR_FUNCTIONS(cairn::ui::TargetWords)
};

/// Its names need no order of parameters, which not every checkpoint records.
constexpr std::string_view kUsualTrainer = "fsdp2";

bool hasBlocks(std::string_view format) {
    const FormatInfo* found = findFormat(format);
    return found != nullptr && found->writes.hasBlocks;
}

bool isInBlocks(std::string_view dtype) {
    const Precision* precision = precisionOf(dtype);
    return precision != nullptr && precision->inBlocks();
}

/// Codes with scales in tensors of their own, which a config describes.
bool hasScales(std::string_view dtype) {
    return precisionOf(dtype) != nullptr && !isInBlocks(dtype);
}

} // namespace

QString targetName(Target target) {
    switch (target) {
    case Target::Serve:
        return TargetWords::tr("Serve");
    case Target::RunLocally:
        return TargetWords::tr("Run locally");
    case Target::Continue:
        return TargetWords::tr("Continue training");
    case Target::OneFile:
        break;
    }
    return TargetWords::tr("One file");
}

QString targetReaders(Target target) {
    switch (target) {
    case Target::Serve:
        return TargetWords::tr("transformers, vLLM, SGLang");
    case Target::RunLocally:
        return TargetWords::tr("llama.cpp, Ollama, LM Studio");
    case Target::Continue:
        return TargetWords::tr("FSDP2, Lightning, Trainer, DeepSpeed and others");
    case Target::OneFile:
        break;
    }
    return TargetWords::tr("safetensors or .pt");
}

std::optional<Target> targetOf(const JobRequest& request) {
    if (!request.trainer.empty()) {
        return Target::Continue;
    }
    if (request.bundle) {
        return Target::Serve;
    }
    if (hasBlocks(request.to)) {
        return Target::RunLocally;
    }
    const bool whole = request.sharding.empty() && request.maxShardBytes == 0;
    const bool isFile = request.to == usualFormat().id || request.to == "torch";
    return whole && isFile ? std::optional(Target::OneFile) : std::nullopt;
}

void chooseTarget(JobChoices& choices, Target target) {
    std::string& dtype = choices.request.dtype;
    switch (target) {
    case Target::Serve:
        chooseBundle(choices);
        dtype = isInBlocks(dtype) ? JobRequest().dtype : dtype;
        return;
    case Target::RunLocally:
        if (const FormatInfo* format = formatWithBlocks()) {
            chooseFormat(choices, format->id);
        }
        dtype = hasScales(dtype) ? JobRequest().dtype : dtype;
        break;
    case Target::OneFile:
        chooseFormat(choices, usualFormat().id);
        dtype = precisionOf(dtype) != nullptr ? JobRequest().dtype : dtype;
        break;
    case Target::Continue:
        dtype = precisionOf(dtype) != nullptr ? JobRequest().dtype : dtype;
        if (choices.request.trainer.empty()) {
            chooseTrainer(choices, kUsualTrainer);
            choices.anyTrainer = true;
        }
        return;
    }
    choices.request.maxShardBytes = 0;
    choices.request.sharding = Sharding();
}

void chooseDtype(JobChoices& choices, const std::string& dtype) {
    choices.request.dtype = dtype.empty() ? JobRequest().dtype : dtype;
    if (choices.automatic || !targetOf(choices.request)) {
        return; // the plan chooses the form for it, or the user has chosen one for another purpose
    }
    const bool blocks = hasBlocks(choices.request.to) && !choices.request.bundle;
    if (isInBlocks(dtype) && !blocks) {
        chooseTarget(choices, Target::RunLocally);
    } else if (hasScales(dtype) && (blocks || !choices.request.trainer.empty())) {
        chooseTarget(choices, Target::Serve);
    }
}

} // namespace cairn::ui
