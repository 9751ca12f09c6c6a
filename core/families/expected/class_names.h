// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/families/config/model_config.h"
#include "core/families/config/name_pattern.h"
#include "core/families/expected/model_fit.h"

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

/// How the published names of a class's tensors begin, for every class of transformers that can be
/// built from a small config: less than expected.h, whose classes are fewer. It decides what is in
/// front of the names, and which of two tied names is written; it cannot tell whether a tensor is
/// missing.
namespace cairn {

class ClassNames {
public:
    /// Those of the class that `architectures` names. Nothing if the config names none, or if the
    /// class or its combination with `model_type` is not known.
    static std::optional<ClassNames> of(const ModelConfig& config);

    /// Whether the class may have a tensor of this name.
    [[nodiscard]] bool knows(std::string_view name) const;
    /// The tensor to which the class ties this one if its config ties them; empty: none.
    [[nodiscard]] std::string tiedTo(std::string_view name) const;
    /// Whether the tensors in memory have other names than the published ones.
    [[nodiscard]] bool differInMemory() const { return m_differ; }
    /// What all names have in front of those of the class ("net."; may be empty), if at least nine
    /// of ten names are the class's without it and fewer are with any other beginning. Linear in
    /// names.
    [[nodiscard]] std::optional<std::string>
    prefixOf(std::span<const std::string_view> names) const;

private:
    std::vector<NamePattern> m_beginnings;
    std::vector<std::pair<NamePattern, NamePattern>> m_ties; ///< the tied name, the kept one
    bool m_differ = false;
};

/// Whether tensors have the published names of the config's class.
enum class NamesFit : std::uint8_t {
    Unknown,  ///< the class is not known
    Other,    ///< at least one is not the class's, or one of its own is missing
    Begins,   ///< all begin as those of the class; the tensors of the class are not known
    Complete, ///< exactly those of the class
};
NamesFit namesFit(const ModelConfig& config, std::span<const OutputTensor> tensors);

/// What all names have in front of the published ones of the config's class. Nothing if the class
/// is not known, or if the names are not its own with any beginning.
std::optional<std::string> classPrefix(const ModelConfig& config,
                                       std::span<const OutputTensor> tensors);

} // namespace cairn
