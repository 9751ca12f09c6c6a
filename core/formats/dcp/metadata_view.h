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

/// Reads the classes of `torch.distributed.checkpoint.metadata` from a pickle graph. Private to
/// this folder. Nothing here recurses or copies; all members are cheap enough to be called a few
/// times for each tensor.
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
    Unknown, ///< any other field
};

/// A view of one graph, which must outlive it. Not thread-safe: it caches the last class name, and
/// which strings are field names (a stream usually contains each string object once).
class MetadataView {
public:
    explicit MetadataView(const pickle::PickleGraph& graph) : m_graph(graph) {}
    const pickle::PickleGraph& graph() const { return m_graph; }

    /// Location of an object's fields.
    struct Record {
        pickle::PairView named = pickle::PairView({});
        std::span<const pickle::NodeId> positional;
    };

    /// A dataclass's fields, however the object was pickled: NEWOBJ and BUILD with a dict (the
    /// usual form), BUILD with (None, dict) (slots), keyword arguments, or positional arguments of
    /// a call. A plain dict works as well. Empty for everything else.
    [[nodiscard]] Record open(pickle::NodeId object) const;
    /// Absent if the field is missing.
    [[nodiscard]] pickle::NodeId field(const Record& record, Field field) const;
    [[nodiscard]] pickle::NodeId field(pickle::NodeId object, Field wanted) const {
        return field(open(object), wanted);
    }

    /// Name of an object's class without its module ("TensorStorageMetadata"); empty for everything
    /// else.
    [[nodiscard]] std::string_view className(pickle::NodeId object) const;

    /// A torch.Size, tuple or list of non-negative integers, at most kMaxRank of them.
    [[nodiscard]] std::optional<Dims> dims(pickle::NodeId node) const;

    /// The dtype in a TensorProperties of any version: state tuple, state dict, or first argument.
    [[nodiscard]] std::optional<Dtype> dtype(pickle::NodeId properties) const;
    /// The file's own name of that dtype, for messages.
    [[nodiscard]] std::string_view dtypeWord(pickle::NodeId properties) const;

    /// A non-negative integer.
    [[nodiscard]] std::optional<std::uint64_t> count(pickle::NodeId node) const;

private:
    struct KnownKey {
        pickle::NodeId key;
        Field field = Field::Unknown;
    };

    [[nodiscard]] pickle::NodeId dtypeNode(pickle::NodeId properties) const;
    [[nodiscard]] Field fieldOf(pickle::NodeId key) const;

    const pickle::PickleGraph& m_graph;
    mutable std::array<KnownKey, 64> m_keys; ///< indexed by the lowest bits of the node
    mutable pickle::NodeId m_lastClass;
    mutable std::string_view m_lastName;
};

} // namespace cairn::formats::dcp
