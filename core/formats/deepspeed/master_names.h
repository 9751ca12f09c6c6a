// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/formats/deepspeed/flat_parts.h"
#include "core/formats/deepspeed/rounding_check.h"

#include <cstddef>
#include <map>
#include <optional>
#include <set>
#include <string_view>
#include <vector>

namespace cairn::formats::deepspeed {

/// The parameters that an optimizer may have got, in module order, each with the tensor that the
/// module saved.
struct Trainable {
    std::vector<Parameter> parameters;
    std::vector<const TensorEntry*> copies;
};

/// Assigns fp32 masters to parameters when an optimizer identifies its parameters by number only.
/// Shapes decide if they match the module in only one way; a master must also round to its
/// parameter's 16-bit copy. Not thread-safe; its inputs must outlive it.
class MasterNames {
public:
    /// For each master the position of its parameter; empty: unknown.
    using Places = std::vector<std::optional<std::size_t>>;

    MasterNames(const CheckpointData& data, Trainable trainable);

    /// Assigns one group of the optimizer, in its order. `masters`: null where there is no master
    /// (training in fp32); then only shapes decide. Over all calls a parameter is assigned only
    /// once.
    Places name(const std::vector<const Shape*>& shapes,
                const std::vector<const TensorEntry*>& masters);

    [[nodiscard]] const std::vector<Parameter>& parameters() const {
        return m_trainable.parameters;
    }

    /// Whether a master from a flat vector does not round to the copy with its name.
    bool contradicts(const Logical& logical);

private:
    [[nodiscard]] std::optional<std::vector<std::size_t>>
    byShapes(const std::vector<const Shape*>& shapes) const;
    bool fits(const TensorEntry* master, std::size_t place);
    enum class Side : std::uint8_t { Front, Back };
    std::optional<std::vector<std::size_t>> inOrder(const std::vector<const TensorEntry*>& masters,
                                                    Side side);
    Places byCopies(const std::vector<const TensorEntry*>& masters);
    RoundingCheck::Verdict compare(const TensorEntry& master, std::size_t place);

    RoundingCheck m_check;
    Trainable m_trainable;
    std::map<std::string_view, std::size_t> m_places;
    std::set<std::size_t> m_taken;
};

} // namespace cairn::formats::deepspeed
