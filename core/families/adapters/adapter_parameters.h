// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/families/adapters/adapter_places.h"

#include <cstdint>
#include <optional>
#include <string>

/// Tensors that have no module of their own: stacks of experts. Internal to core/families.
namespace cairn {

/// The matrices A [experts × rank, in] and B [out, experts × rank] of an adapter.
struct StackedMatrices {
    std::int64_t experts = 1;
    std::int64_t out = 0;
    std::int64_t in = 0;
};

struct FittingParameter {
    MemoryTensor memory;
    bool transposed = false; ///< [expert, in, out]
};

/// The tensor of that name in memory, if the base has one for which such matrices are made.
std::optional<FittingParameter> fitParameter(const AdapterPlaces& places, const std::string& name,
                                             const StackedMatrices& matrices);

} // namespace cairn
