// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/cancel_token.h"
#include "core/jobs/fold/adapter_base.h"
#include "core/jobs/request/trainer_offers.h"
#include "core/plan/copy_plan.h"
#include "core/plan/load_verdict.h"
#include "ui/pages/consolidate/job_choices.h"
#include "ui/pages/consolidate/targets.h"

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

/// The plans of the page, made on a worker: they read the disk.
namespace cairn::ui {

/// A checkpoint that is an adapter, and what becomes of it.
struct ShownAdapter {
    AdapterFacts facts;
    std::filesystem::path base; ///< that it fits; empty: none was found
    bool folds = false;         ///< into the base; else it stays an adapter
};

struct PlannedDeployment {
    CopyPlan plan;           ///< without the contents of its files: a job makes them again
    JobRequest request;      ///< of the same plan
    std::string digest = {}; ///< the job writes this plan or nothing
    LoadVerdict verdict = {};
    std::optional<ShownAdapter> adapter = {};
    std::vector<CheckpointPtr> read = {}; ///< the source, and the adapters that are folded into it
    bool hasConfig = false;               ///< config.json is among the files
    bool sourceMissing = false;           ///< when the plan was made
    bool outputExists = false;
    bool scaled = false;                         ///< --dequantize applies to some weights
    std::filesystem::path place = {};            ///< canonicalOutput() of the plan's
    std::size_t shards = 0;                      ///< files that the plan reads
    std::uint64_t shardBytes = 0;                ///< their sizes
    std::optional<std::uint64_t> freeBytes = {}; ///< where the output is written
    std::size_t modelFiles = 0;                  ///< of the output: those with tensors
    std::uint64_t tensors = 0;                   ///< of the output
    std::uint64_t castTensors = 0;
    std::uint64_t bytesRead = 0;
    std::vector<TrainerOffer> offers = {}; ///< of the source; empty: they were not asked for

    /// A Hugging Face folder without it does not load: CheckId::Config, Tokenizer.
    [[nodiscard]] bool lacks(CheckId item) const;
};

/// The plan for the choices; finding the default output reads the disk. `known`: offers of this
/// checkpoint, which are not made again; may be empty. Fails with the errors of requestOf(),
/// openRequest() and planRequest().
Result<PlannedDeployment> planFor(const CheckpointPtr& shown, const JobChoices& choices,
                                  const std::filesystem::path& run,
                                  const std::vector<TrainerOffer>& known,
                                  const CancelToken& cancel);

/// What a target would give.
struct TargetFacts {
    std::uint64_t bytes = 0;
    LoadVerdict verdict;
    /// What a resumed training does not get; only of Target::Continue.
    std::optional<std::vector<TrainingLoss>> lost = {};
};
TargetFacts targetFacts(const CopyPlan& plan, const LoadVerdict& verdict);

/// What is worth knowing beside the plan, and takes longer.
struct Outlook {
    std::map<Target, TargetFacts> targets;
    std::optional<double> relativeError; ///< of the quantised weights, from a sample; RMS
    std::optional<double> worstError;    ///< of the tensor with the largest one
    std::string worstTensor;
    std::vector<TrainerOffer> offers; ///< for a training state: of the source
};

/// Plans each target, and measures what the chosen precision does to the weights. `known`: offers
/// of this checkpoint, which are not made again; may be empty. Fails with Cancelled.
Result<Outlook> outlookFor(const CheckpointPtr& shown, const JobChoices& choices,
                           const std::filesystem::path& run, const std::vector<TrainerOffer>& known,
                           const CancelToken& cancel);

} // namespace cairn::ui
