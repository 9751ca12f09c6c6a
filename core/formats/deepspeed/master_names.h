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

/// What an optimizer may have been given: parameters in the module's order, and of each the tensor
/// that the module itself saved.
struct Trainable {
    std::vector<Parameter> parameters;
    std::vector<const TensorEntry*> copies;
};

/// Which parameter each fp32 master belongs to, where an optimizer knows its parameters by number
/// only. Shapes show it when there is one way to lay them upon the module; a master must also round
/// to its parameter's 16-bit copy. One thread; what it is made of must outlive it.
class MasterNames {
public:
    /// Of each master the position of its parameter; nothing: not known.
    using Places = std::vector<std::optional<std::size_t>>;

    MasterNames(const CheckpointData& data, Trainable trainable);

    /// One group of the optimizer, in its order. `masters`: null where there is none (training in
    /// fp32), then shapes alone count. A parameter is given to one master only, over all calls.
    Places name(const std::vector<const Shape*>& shapes,
                const std::vector<const TensorEntry*>& masters);

    [[nodiscard]] const std::vector<Parameter>& parameters() const {
        return m_trainable.parameters;
    }

    /// Whether a master that was cut out of a flat vector does not round to the copy of its name.
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
