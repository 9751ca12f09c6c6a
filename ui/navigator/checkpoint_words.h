// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/checkpoint.h"
#include "core/runs/experiment.h"
#include "core/runs/rank/why.h"
#include "ui/widgets/badge.h"

#include <QString>

#include <vector>

/// Words for states and roles, shared by the navigator and the pages.
namespace cairn::ui::words {

/// The badges of a checkpoint's row: problems first, then "best 1.702" (with the value of the run's
/// metric, if given), "latest" (not of a run's only checkpoint, of which it says nothing),
/// "exported".
std::vector<Badge> badges(const ScannedCheckpoint& checkpoint, const QString& bestText = {},
                          bool isOnly = false);
/// The first of them; empty text: none.
Badge badge(const ScannedCheckpoint& checkpoint);

/// "step-400 → Hugging Face folder"; only its own name if its source is not known.
QString exportName(const ScannedCheckpoint& output);

/// What the core decided and the evidence for and against it, a line each; empty without an answer.
QString explanation(const Explanation& why);

/// What was decided about a checkpoint, with the evidence, as the tooltip of whatever shows it: its
/// step, whether it is an export, its value, why it is the best or why none is. Files of the run
/// are named by their paths below it.
QString decisions(const ScannedRun& run, const ScannedCheckpoint& checkpoint);
/// The part about its step and epoch.
QString stepDecision(const ScannedRun& run, const ScannedCheckpoint& checkpoint);
/// The part about its value; empty if it has none.
QString valueDecision(const ScannedRun& run, const ScannedCheckpoint& checkpoint);
/// The part about the best one; empty if another one is.
QString bestDecision(const ScannedRun& run, const ScannedCheckpoint& checkpoint);
/// The state in a word or two: "shard 2 missing", "complete", "not examined".
QString state(const ScannedCheckpoint& checkpoint);
/// What explainValuesSaved() answers: "not checked".
QString valuesSaved(const Decided<bool>& decided);

/// "shard 2 missing" for "__2_0.distcp", "shard 2 of 3 missing" for
/// "model-00002-of-00003.safetensors"; else "file missing".
QString missingShard(const QString& file);

QString completeness(Completeness completeness); ///< "complete"
theme::Tone tone(Completeness completeness);
QString role(Role role); ///< "weights", "optimizer", "training state"
QString position(std::optional<std::int64_t> step, std::optional<double> epoch); ///< "step 12,000"

/// Roles as the window groups them: weights and buffers are one.
Role group(Role role);

} // namespace cairn::ui::words
