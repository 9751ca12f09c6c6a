// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/result.h"
#include "core/families/config/model_config.h"
#include "core/model/dims.h"

#include <array>
#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

/// The tensors that a published model of a known class has, as its library's save_pretrained writes
/// and its from_pretrained requires them.
namespace cairn {

/// A class and its tensors as text, one statement a line:
///
///     let FIELD = EXPRESSION          if the config lacks the field, or has null
///     default FIELD = EXPRESSION      if it lacks the field
///     null FIELD = EXPRESSION         if it has null
///     require EXPRESSION              else nothing is known of such a model
///     only FIELD = VALUE              nor if it has another value in this field
///     without PATTERN                 a tensor of the base that this class lacks
///     PATTERN [EXPRESSION, ...] for LETTER < EXPRESSION, ... when EXPRESSION
///         tied PATTERN if EXPRESSION  all in one line; all but the shape may be absent
///     optional PATTERN [...] ...      one that its loader does not miss
///
/// The tensors of `base` count too, with `prefix` in front of their names. Views of literals, from
/// resources/families/expected_tensors.txt.
struct KnownModel {
    std::string_view name; ///< as in `architectures`
    std::string_view type; ///< as `model_type`
    std::string_view base; ///< another class of this type; may be empty
    std::string_view prefix;
    std::string_view ignored; ///< globs of names that its loader passes over; words
    std::string_view text;
};

/// All of them; made at the first call. Any thread.
std::span<const KnownModel> knownModels();

/// The tensors of one model. Immutable; any thread.
class ExpectedTensors {
public:
    struct Entry {
        Shape shape;
        std::string tiedTo;    ///< not empty: may be absent, because it is that tensor
        bool optional = false; ///< may be absent, because the model computes it
        /// In the order of the model's modules: the first statement of its list of modules, the
        /// number in that list, the statement.
        std::array<std::size_t, 3> order{};

        [[nodiscard]] bool mayBeAbsent() const { return optional || !tiedTo.empty(); }
    };

    /// Fails if the config does not fit the class: NotFound (a field is missing), InvalidArgument,
    /// LimitExceeded (more than `most` tensors); Unsupported if a requirement is not met.
    static Result<ExpectedTensors> of(const KnownModel& model, const ModelConfig& config,
                                      std::size_t most);

    [[nodiscard]] const std::unordered_map<std::string, Entry>& all() const { return m_entries; }
    [[nodiscard]] const Entry* find(const std::string& name) const;
    /// As named_parameters() lists them, buffers among them, of models with one list of modules.
    /// Lists inside another one (experts of layers) are not in that order: the entries record one
    /// number only.
    [[nodiscard]] std::vector<std::string> inOrder() const;
    [[nodiscard]] bool ignores(std::string_view name) const;

private:
    std::unordered_map<std::string, Entry> m_entries;
    std::vector<std::string> m_ignored;
};

} // namespace cairn
