// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/families/names/framework.h"

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

/// Internal to core/families: which framework's names a checkpoint has, and where they are.
namespace cairn {

/// Whether one of the names matches a pattern behind a prefix.
bool anyMatches(std::span<const NamedTensor> tensors, std::string_view pattern,
                std::string_view prefix = {});

/// The framework, and what is before its names.
struct Recognised {
    const Framework* framework = nullptr;
    std::string prefix;
};
std::optional<Recognised> recognise(std::span<const NamedTensor> tensors);

/// The tensors of a model under the names that its framework has in each slice.
struct FrameworkNames {
    std::vector<NamedTensor> plain;  ///< of the first slice
    std::vector<NamedTensor> sliced; ///< all, with "slice.0." before their names
    std::vector<std::string> dropped;
    std::size_t slices = 1;
};

/// The names without the prefix. A prefix may contain the rank of a slice ("mp_rank_00."), which
/// differs between the slices. Fails with Unsupported if a tensor is elsewhere, so that it is of
/// another model, and with NotFound if a slice lacks a tensor.
Result<FrameworkNames> namesBelow(std::span<const NamedTensor> tensors,
                                  const Recognised& recognised);

} // namespace cairn
