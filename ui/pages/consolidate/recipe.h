// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/plan/consolidate.h"

#include <QString>

#include <cstdint>
#include <filesystem>

namespace cairn::ui {

/// What the user asked to be written. A plain value.
struct Recipe {
    /// Auto: a Hugging Face folder when config.json is found beside the run, else one safetensors
    /// file.
    enum class Target { Auto, HuggingFace, Safetensors, Torch };
    Target target = Target::Auto;
    bool everything = false; ///< optimizer, scheduler and the like too; else what inference needs
    std::uint64_t maxShardBytes = 0; ///< 0: one file
    std::filesystem::path output;    ///< empty: <run>/deploy/<name>

    friend bool operator==(const Recipe&, const Recipe&) = default;
};

/// Where the deployed checkpoint goes when the user names nothing: <run>/deploy/<run>-<checkpoint>,
/// with the target's ending, and a number behind it when that is taken. Looks at the disk: not on
/// the GUI thread.
std::filesystem::path defaultOutput(const std::filesystem::path& run,
                                    const std::filesystem::path& checkpoint, Recipe::Target target);

/// `recipe.target` must not be Auto.
ConsolidateOptions consolidateOptions(const Recipe& recipe, const std::filesystem::path& output);

/// The shell line that does the same. With `from` paths below that folder are written relative to
/// it, for reading.
QString consolidateCommand(const std::filesystem::path& source, const ConsolidateOptions& options,
                           const std::filesystem::path& from = {});

/// Quoted for a POSIX shell when it has to be.
QString shellQuoted(const QString& word);

/// Loads what was written, in Python.
QString pythonSnippet(const std::filesystem::path& output, Recipe::Target target, bool sharded);

} // namespace cairn::ui
