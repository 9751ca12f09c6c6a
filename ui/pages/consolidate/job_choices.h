// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/plan/request.h"

#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <string>
#include <string_view>

namespace cairn {
struct RequestField;
}

namespace cairn::ui {

/// The request of a job for the weights, with nothing else chosen.
JobRequest plainRequest();

/// What becomes of a shown checkpoint that is an adapter. Auto: folded, if its base is found.
enum class AdapterUse : std::uint8_t { Auto, Fold, Alone };

/// What the user has chosen on the page: a request, and what only the window needs to know. A plain
/// value. The output's name is empty unless it was chosen: <run>/deploy/<name>.
struct JobChoices {
    /// Its kind and what does not fit the chosen format are decided by requestOf().
    JobRequest request = plainRequest();
    /// A Hugging Face folder if there is a config.json in the run, otherwise one file; then the
    /// request's `to` and `bundle` mean nothing.
    bool automatic = true;
    AdapterUse adapterUse = AdapterUse::Auto;
    std::filesystem::path base; ///< of a shown adapter, as the user chose it; empty: it is searched
    double ownScale = 1;        ///< of a shown adapter that is folded
    /// The user wants a training state, of the request's trainer or of another that can continue.
    bool anyTrainer = false;
    /// Texts of options as typed, valid or not, by the name of the request's field.
    std::map<std::string, std::string, std::less<>> typed;

    friend bool operator==(const JobChoices&, const JobChoices&) = default;
};

/// A change of the choices. Not the changed ones, because another change may be pending.
using ChoiceChange = std::function<void(JobChoices&)>;

/// The range of an adapter's scale that the window offers.
inline constexpr double kMostScale = 1000;

void chooseBundle(JobChoices& choices); ///< a Hugging Face folder
void chooseFormat(JobChoices& choices, std::string_view id);
/// The complete training state, as this trainer keeps it.
void chooseTrainer(JobChoices& choices, std::string_view id);
/// Whether the job has the option: its kind does, and a training state does not exclude it.
bool hasOption(const JobChoices& choices, const RequestField& field);
void chooseEverything(JobChoices& choices, bool everything); ///< or the weights
/// The text of an option; empty: none.
void chooseText(JobChoices& choices, std::string_view field, std::string text);
std::string textOf(const JobChoices& choices, std::string_view field);
bool averages(const JobChoices& choices);

/// True if the choices would take this role but strip it.
bool strips(const JobChoices& choices, Role role);
/// True if the choices take tensors of this role before stripping.
bool takes(const JobChoices& choices, Role role);

/// How the output is divided: the chosen grid and files, as far as the format has them.
Sharding shardingOf(const JobChoices& choices);
/// Average: of several checkpoints; Convert: for a trainer; Reshard: into ranks or layers; else
/// Consolidate.
JobKind kindOf(const JobChoices& choices);

/// Whether the text of an option is valid. Fails: InvalidArgument.
Result<void> checkText(const JobChoices& choices, std::string_view field);

/// The request for the choices, whose form is not automatic: options that jobs of its kind do not
/// have are left out. Fails: InvalidArgument for invalid texts, and for adapters of a job that
/// folds none.
Result<JobRequest> requestOf(const JobChoices& choices, const std::filesystem::path& output);

/// The path that was chosen, or the default one: <run>/deploy/<run>-<checkpoint>, with the names of
/// the folded adapters, the ending of the format, and a number if that exists; for a trainer
/// <run>/resume/<run>-<checkpoint>-<trainer>. Reads the disk: not
/// on the GUI thread.
std::filesystem::path outputOf(const JobChoices& choices, const std::filesystem::path& run);

/// The same path, or the first free one with a number after its stem. Reads the disk.
std::filesystem::path freeOutput(const std::filesystem::path& output);

} // namespace cairn::ui
