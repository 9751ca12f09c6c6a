// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/result.h"
#include "core/families/model_config.h"
#include "core/model/dims.h"
#include "core/model/dtype.h"

#include <cstddef>
#include <optional>
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
/// The tensors of `base` count too, with `prefix` in front of their names. Generated; see
/// expected_tensors.inc.
struct KnownModel {
    std::string_view name; ///< as in `architectures`
    std::string_view type; ///< as `model_type`
    std::string_view base; ///< another class of this type; may be empty
    std::string_view prefix;
    std::string_view ignored; ///< globs of names that its loader passes over; words
    std::string_view text;
};

std::span<const KnownModel> knownModels();

/// A tensor of an output.
struct OutputTensor {
    std::string name;
    Shape shape;
    Dtype dtype = Dtype::Float32;
};

/// The tensors of one model. Immutable; any thread.
class ExpectedTensors {
public:
    struct Entry {
        Shape shape;
        std::string tiedTo;    ///< not empty: may be absent, because it is that tensor
        bool optional = false; ///< may be absent, because the model computes it

        [[nodiscard]] bool mayBeAbsent() const { return optional || !tiedTo.empty(); }
    };

    /// Fails if the config does not fit the class: NotFound (a field is missing), InvalidArgument,
    /// LimitExceeded (more than `most` tensors); Unsupported if a requirement is not met.
    static Result<ExpectedTensors> of(const KnownModel& model, const ModelConfig& config,
                                      std::size_t most);

    [[nodiscard]] const std::unordered_map<std::string, Entry>& all() const { return m_entries; }
    [[nodiscard]] const Entry* find(const std::string& name) const;
    [[nodiscard]] bool ignores(std::string_view name) const;

private:
    std::unordered_map<std::string, Entry> m_entries;
    std::vector<std::string> m_ignored;
};

/// What distinguishes the tensors of an output from those of a model.
struct TensorDifference {
    std::vector<std::string> missing; ///< sorted, like the others
    std::vector<std::string> unexpected;
    /// "NAME [2, 3] instead of [2, 4]", "NAME int32 instead of floats".
    std::vector<std::string> misshapen;
    std::size_t required = 0;  ///< tensors that the model cannot do without
    std::size_t quantised = 0; ///< of these, in a quantised layout: their shapes are not compared

    [[nodiscard]] std::size_t count() const {
        return missing.size() + unexpected.size() + misshapen.size();
    }
};

/// A class, and how an output fits it.
struct ModelFit {
    const KnownModel* model = nullptr;
    ExpectedTensors expected;
    std::string prefix;          ///< without it, the names fit best; empty: as they are
    TensorDifference difference; ///< of the names without the prefix
    bool underBase = false;      ///< complete, under the base's names, which its loader accepts
    std::vector<std::string_view> alsoFits; ///< other classes that fit completely

    /// Whether it is a model without a head, which others of its type have in front of theirs.
    [[nodiscard]] bool isBase() const;
};

/// The class that `architectures` names or, if the config has none, the class of `model_type` that
/// fits best. Nothing if it is not known. Fails with the errors of ExpectedTensors::of(). Linear in
/// names.
Result<std::optional<ModelFit>> fitModel(const ModelConfig& config,
                                         std::span<const OutputTensor> tensors);

/// The same, whatever `architectures` names.
Result<std::optional<ModelFit>> inferModel(const ModelConfig& config,
                                           std::span<const OutputTensor> tensors);

/// The class that the config names, without a look at its type; empty: none.
std::string modelClass(const ModelConfig& config);

} // namespace cairn
