// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/plan/consolidate.h"

#include <QString>

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace cairn::ui {

/// The user's choices for the output. A plain value; texts as typed.
struct Recipe {
    /// Auto: a Hugging Face folder if there is a config.json in the run, otherwise one safetensors
    /// file.
    enum class Target { Auto, HuggingFace, Safetensors, Torch, Dcp, Npz };
    Target target = Target::Auto;
    bool everything = false; ///< optimizer, scheduler and the like too; else what inference needs
    std::string only;        ///< a glob of full names in place of both; empty: none
    std::vector<Role> strip; ///< these are left out; in the order of Role, each once
    std::uint64_t maxShardBytes = 0; ///< 0: one file
    bool perLayer = false;           ///< one file for each layer
    std::string dtype = "keep";      ///< or the dtype to which floats are cast
    std::string keepFp32;            ///< globs with `;` between
    bool castAll = false;            ///< norms and buffers too
    bool dequantize = false;         ///< 8-bit weights times their scales
    std::string device = "auto";     ///< where floats are cast and the like; or cpu, cuda:0
    std::string rename;              ///< rules with `;` between; see NameRules
    /// Dcp: the grid of ranks; 1: not cut along it.
    struct Axis {
        int ranks = 1;
        int dim = 0;
        friend bool operator==(const Axis&, const Axis&) = default;
    };
    Axis rows;
    Axis columns{1, 1};
    /// An adapter to fold into the weights, and what its changes are multiplied by.
    struct Adapter {
        std::filesystem::path path;
        double scale = 1; ///< of its changes, in addition to its own scale
        friend bool operator==(const Adapter&, const Adapter&) = default;
    };
    static constexpr double kMostScale = 1000; ///< that the window offers
    std::vector<Adapter> adapters;             ///< in order
    std::filesystem::path like; ///< HuggingFace: config and tokenizer from there; empty: found
    std::vector<std::filesystem::path> average; ///< in order; empty: the shown checkpoint alone
    std::string averageWeights;                 ///< of each, with `,` between; empty: all the same
    std::filesystem::path output;               ///< empty: <run>/deploy/<name>

    friend bool operator==(const Recipe&, const Recipe&) = default;
};

/// True if the recipe would take this role but strips it.
bool strips(const Recipe& recipe, Role role);
/// True if the recipe takes tensors of this role before stripping.
bool takes(const Recipe& recipe, Role role);

/// The default path of the output: <run>/deploy/<run>-<checkpoint>, with the target's extension,
/// and a number if that exists. Reads the disk: not on the GUI thread.
std::filesystem::path defaultOutput(const std::filesystem::path& run,
                                    const std::filesystem::path& checkpoint, Recipe::Target target);

/// The same path, or the first free one with a number after its stem. Reads the disk.
std::filesystem::path freeOutput(const std::filesystem::path& output);

/// `recipe.target` must not be Auto. The caller opens the members of an average, and the adapters.
/// Fails: InvalidArgument for invalid texts, and for adapters where `cairn-cli` folds none.
Result<ConsolidateOptions> consolidateOptions(const Recipe& recipe,
                                              const std::filesystem::path& output);

/// The shell command of cairn-cli arguments (see jobCommand()). With `from` paths below that folder
/// are written relative to it, for reading.
QString commandText(const std::vector<std::string>& words, const std::filesystem::path& from = {});

/// Quoted for a POSIX shell when it has to be.
QString shellQuoted(const QString& word);

/// Python code that loads the output.
QString pythonSnippet(const std::filesystem::path& output, Recipe::Target target, bool folder);

} // namespace cairn::ui
