// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/families/adapters/adapter.h"
#include "core/families/adapters/adapter_keys.h"

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

/// Where the tensors of a model in memory are in its checkpoint. Internal to core/families.
namespace cairn {

/// A tensor of the base that is a tensor in memory, or a box of one.
struct AdapterPlace {
    TensorIndex tensor;
    bool whole = true;            ///< the tensor itself
    std::int64_t firstExpert = 0; ///< of the tensor in memory; see AdapterOperation
    std::int64_t firstOut = 0;
    std::int64_t firstIn = 0;
    bool transposed = false; ///< its last two dimensions are exchanged
};

/// A tensor that the model has in memory.
struct MemoryTensor {
    std::string name;
    Shape shape;
};

/// Finds tensors under the names that an adapter uses: as they are stored, with one leading part
/// more or less (a model without its head has none), or as transformers 5 converts them when it
/// loads a model (conversion.h). Borrows the base.
class AdapterPlaces {
public:
    /// `names`: those that are going to be sought.
    AdapterPlaces(const AdapterBase& base, std::span<const std::string> names);

    [[nodiscard]] const AdapterBase& base() const { return m_base; }
    /// Under its stored name; empty: there is none.
    [[nodiscard]] std::optional<TensorIndex> stored(std::string_view name) const;
    /// The places that together are the tensor; empty: the base has none of that name. Fails if the
    /// shapes do not fit, or if conversion joins the tensor with others.
    [[nodiscard]] Result<std::vector<AdapterPlace>> find(const MemoryTensor& tensor) const;

private:
    [[nodiscard]] std::string storedName(std::string_view name) const;
    [[nodiscard]] std::size_t knownOf(std::span<const std::string> names) const;

    AdapterBase m_base;
    std::map<std::string_view, TensorIndex> m_stored;
    std::string m_dropped; ///< in front of the adapter's names, but not of the stored ones
    std::string m_added;
};

/// Which modules store [in, out] (transformers' Conv1D) instead of [out, in]: known from those of
/// the same name that are not square, otherwise from the model's type, otherwise from the adapter's
/// settings, which for several kinds of modules contain that of the last one.
class ModuleOrientation {
public:
    ModuleOrientation(const Checkpoint& adapter, const AdapterKeys& keys,
                      const AdapterPlaces& places);
    [[nodiscard]] bool isTransposed(const AdapterModule& module, const AdapterConfig& config) const;

private:
    std::map<std::string, bool> m_transposed; ///< by a module's last part
    bool m_hasConv1d = false;                 ///< the model's type is one that has such modules
};

} // namespace cairn
