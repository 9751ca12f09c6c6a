// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/pages/consolidate/job_choices.h"

#include <QString>

#include <array>
#include <cstdint>
#include <optional>

/// What an output is for. Which format serves a purpose is asked of the formats.
namespace cairn::ui {

enum class Target : std::uint8_t {
    Serve,      ///< a Hugging Face folder
    RunLocally, ///< one file in a format with quantised blocks
    OneFile,    ///< the tensors alone
    Continue    ///< the complete training state, as a trainer keeps it
};
inline constexpr std::array kTargets = {Target::Serve, Target::RunLocally, Target::OneFile,
                                        Target::Continue};

QString targetName(Target target);    ///< "Serve"
QString targetReaders(Target target); ///< "transformers, vLLM, SGLang"

/// The purpose that a form serves; nothing for others: ranks, archives of arrays.
std::optional<Target> targetOf(const JobRequest& request);
/// The form for a purpose. A dtype that the form does not have becomes that of the source.
void chooseTarget(JobChoices& choices, Target target);
/// A dtype or precision, and a form that can have it.
void chooseDtype(JobChoices& choices, const std::string& dtype);

} // namespace cairn::ui
