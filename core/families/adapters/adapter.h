// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/result.h"
#include "core/families/adapters/adapter_config.h"
#include "core/families/adapters/adapter_operation.h"
#include "core/families/config/model_config.h"
#include "core/families/names/recipe.h"
#include "core/model/checkpoint.h"

#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

/// Adapters that PEFT saves beside a model: which tensors of the base they change, and how.
namespace cairn {

/// In front of the model's names in an adapter of PEFT.
inline constexpr std::string_view kPeftPrefix = "base_model.model.";

/// Whether a tensor of that name is part of an adapter ("….lora_A.weight"), not of a model.
bool isAdapterTensor(std::string_view name);

/// Whether a checkpoint has an adapter's tensors under the names that PEFT saves them by.
bool isAdapterOfPeft(const Checkpoint& checkpoint);

/// The model that an adapter changes.
struct AdapterBase {
    CheckpointPtr checkpoint;
    std::span<const NamedTensor> tensors; ///< by the names of the model's library
    const ModelConfig* config = nullptr;  ///< null: unknown
};

/// A language model's input embedding and its head, which may share their numbers.
struct TiedHead {
    TensorIndex embedding;
    std::optional<TensorIndex> head; ///< empty: not stored
    std::string headName;            ///< as it would be stored
};

/// Whether a tensor of that name has a row for each word: an input embedding or a head.
bool isVocabularyTensor(std::string_view name);

/// Which tensors of a base share their elements: by what is recorded of the class that its config
/// names (core/families/expected), otherwise by names and config. Borrows the base. Immutable.
class BaseTies {
public:
    /// Linear in tensors.
    explicit BaseTies(const AdapterBase& base);

    /// The only two tensors that are tied; nothing if there are none, or more.
    [[nodiscard]] const std::optional<TiedHead>& head() const { return m_head; }
    /// Whether a tensor of the base is, or may be, tied in a way that head() does not express.
    [[nodiscard]] bool isTiedElsewhere(std::string_view name, TensorIndex tensor) const;
    /// Whether a tensor, which need not be stored, is recorded as tied.
    [[nodiscard]] bool isTied(std::string_view name) const;
    /// What is wrong with changing one of these alone.
    [[nodiscard]] Error tiedElsewhere(std::string name) const;

private:
    AdapterBase m_base;
    bool m_known = false; ///< the class is recorded
    std::optional<TiedHead> m_head;
    std::set<std::string> m_tied; ///< names in the class
    std::pair<std::string, std::string> m_prefixes;
};

/// What an adapter does, in the order in which it is done to a tensor.
struct AdapterChanges {
    std::map<TensorIndex, std::vector<AdapterOperation>> tensors; ///< of the base
    std::vector<AdapterOperation> head; ///< to the tied head, if that is not stored
    /// Rows of an embedding that replaces one with another number: the new size of the vocabulary.
    std::optional<std::int64_t> vocabulary;
    /// Tensors of the adapter that the model has and the base lacks: a projector that was trained
    /// with the adapter. By their names in the model.
    std::vector<NamedTensor> added;
};

/// Finds the tensors that every tensor of an adapter changes. `scale` multiplies its low-rank
/// changes; `rounds`: see AdapterOperation. No element is read. Any thread. Fails, and names the
/// adapter's or the base's tensor: TensorNotFound if the base lacks what is changed, or the adapter
/// what its settings name; BadSlice if shapes do not fit; Unsupported for quantised bases and
/// unknown tensors; InvalidArgument if half of a pair of matrices is missing.
Result<AdapterChanges> adapterChanges(const Checkpoint& adapter, const AdapterConfig& config,
                                      const AdapterBase& base, double scale, bool rounds);

/// Whether an error of adapterChanges() says that the adapter was trained on another base: a tensor
/// that it changes does not exist or has another shape.
bool isOfOtherBase(const Error& error);

} // namespace cairn
