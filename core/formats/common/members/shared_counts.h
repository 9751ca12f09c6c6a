// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/formats/common/members/step_agreement.h"
#include "core/model/checkpoint.h"
#include "core/model/value.h"

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

/// Counts of training that are equal on all ranks of one save, wherever a trainer keeps them:
/// "step", "train_progress.epoch", "trainer.progress.global_step". Pure but for single numbers that
/// are stored as tensors, which are read.
///
/// Ranks step together, so that steps, iterations, updates and epochs of the training loop are
/// equal. What one rank counts for itself may differ: positions of data loaders, samplers and
/// datasets (their shards have other lengths), environments and replay buffers, the best or the
/// last evaluation, states of optimizers (parameters may be frozen on one rank) and generators. Of
/// such state, only numbers that name themselves global are compared ("global_step",
/// "consumed_samples"). The file of a rank's own state may be named so, too: "dataloader_rank0.pt".
namespace cairn::formats {

/// What the last part of a dotted path counts; empty: nothing that all ranks share.
std::optional<Counter> sharedCounter(std::span<const std::string_view> path);

/// Whether files of this kind ("model", "dataloader"; may be empty) are state that a rank counts
/// for itself.
bool isOwnKind(std::string_view kind);

struct SharedCount {
    std::string field; ///< dotted
    std::int64_t count = 0;
    Counter counter = Counter::Step;
};

/// Whole numbers only, of dicts and objects a few levels deep, in the order of the values.
/// Fractions of epochs are rounded differently by ranks of other lengths.
std::vector<SharedCount> sharedCounts(const Checkpoint& rank, const Value& values);

/// The counts of all ranks of one kind of file.
class RankCounts {
public:
    void add(const std::string& member, const Checkpoint& rank, const Value& values);
    /// As StepAgreement::report(), for the first field in which ranks differ.
    bool report(CheckpointData& data) const;

private:
    std::vector<std::string> m_order; ///< fields
    std::map<std::string, StepAgreement> m_fields;
};

} // namespace cairn::formats
