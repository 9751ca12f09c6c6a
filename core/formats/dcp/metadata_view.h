// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/codec/pickle/pickle.h"
#include "core/model/dims.h"
#include "core/model/dtype.h"

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

/// The classes of `torch.distributed.checkpoint.metadata`, seen in a pickle graph. Private to this
/// folder. Nothing here recurses or copies; all members are cheap enough to be called a few times
/// for each tensor.
namespace cairn::formats::dcp {

/// The fields that are read.
enum class Field : std::uint8_t {
    StateDictMetadata,
    PlannerData,
    StorageData,
    Properties,
    Size,
    Chunks,
    Offsets,
    Sizes,
    Dtype,
    Fqn,
    Offset,
    RelativePath,
    Length,
    TransformDescriptors,
    McoreData,
    OriginalShape,
    Unknown, ///< every other one
};

/// Looks into one graph, which must outlive the view. One thread at a time (it remembers the last
/// class it named, and which strings name fields: a stream mentions one string object each time).
class MetadataView {
public:
    explicit MetadataView(const pickle::PickleGraph& graph) : m_graph(graph) {}
    const pickle::PickleGraph& graph() const { return m_graph; }

    /// Where an object keeps its fields.
    struct Record {
        pickle::PairView named = pickle::PairView({});
        std::span<const pickle::NodeId> positional;
    };

    /// A dataclass's fields, whichever way the object came about: NEWOBJ and BUILD of a dict (what
    /// pickle writes), BUILD of (None, dict) (slots), keyword arguments, or positional arguments of
    /// a call. A plain dict serves as well. Empty for everything else.
    [[nodiscard]] Record open(pickle::NodeId object) const;
    /// Absent if it is missing.
    [[nodiscard]] pickle::NodeId field(const Record& record, Field field) const;
    [[nodiscard]] pickle::NodeId field(pickle::NodeId object, Field wanted) const {
        return field(open(object), wanted);
    }

    /// Name of an object's class without its module ("TensorStorageMetadata"); empty for everything
    /// else.
    [[nodiscard]] std::string_view className(pickle::NodeId object) const;

    /// A torch.Size, tuple or list of non-negative integers, at most kMaxRank of them.
    [[nodiscard]] std::optional<Dims> dims(pickle::NodeId node) const;

    /// The dtype out of a TensorProperties of any era: state tuple, state dict, or first argument.
    [[nodiscard]] std::optional<Dtype> dtype(pickle::NodeId properties) const;
    /// How the file itself names that dtype, for messages.
    [[nodiscard]] std::string_view dtypeWord(pickle::NodeId properties) const;

    /// A count: an integer that is not negative.
    [[nodiscard]] std::optional<std::uint64_t> count(pickle::NodeId node) const;

private:
    struct KnownKey {
        pickle::NodeId key;
        Field field = Field::Unknown;
    };

    [[nodiscard]] pickle::NodeId dtypeNode(pickle::NodeId properties) const;
    [[nodiscard]] Field fieldOf(pickle::NodeId key) const;

    const pickle::PickleGraph& m_graph;
    mutable std::array<KnownKey, 64> m_keys; ///< by the last bits of the node
    mutable pickle::NodeId m_lastClass;
    mutable std::string_view m_lastName;
};

} // namespace cairn::formats::dcp
