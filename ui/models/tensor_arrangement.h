// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/models/tensor_table.h"

#include <QString>

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

namespace cairn::ui {

enum class TensorColumn : std::uint8_t { Name, Dtype, Shape, Bytes, Role, Shards, Pieces };
inline constexpr int kTensorColumns = 7;

/// Options for a list of tensors.
struct ArrangementRequest {
    bool tree = true;
    QString filter;                               ///< see tensor_filter.h
    TensorColumn sortColumn = TensorColumn::Name; ///< Name: natural order of the full names
    bool descending = false;
    friend bool operator==(const ArrangementRequest&, const ArrangementRequest&) = default;
};

class TensorArrangement;
using TensorArrangementPtr = std::shared_ptr<const TensorArrangement>;

/// A filtered, sorted list or module tree of tensors, complete and immutable, as shown by a
/// TensorModel. Built in a worker and published with one model reset. A tree's chains of single
/// children are folded into one row ("layers.0.self_attn"), and every group has the sums of what is
/// below it.
class TensorArrangement {
public:
    static constexpr std::uint32_t kNone = 0xffffffffU;

    /// One row. Children of a node are contiguous.
    struct Node {
        std::uint32_t parent = kNone;
        std::uint32_t firstChild = 0;
        std::uint32_t childCount = 0;
        std::uint32_t row = 0;        ///< among its siblings
        std::uint32_t tensor = kNone; ///< position in Checkpoint::tensors(); kNone: a group
        std::uint32_t nameOf = 0;     ///< the tensor whose name contains the label
        std::uint32_t labelBegin = 0;
        std::uint32_t labelEnd = 0; ///< name up to here is the row's full name
        std::uint32_t tensors = 1;  ///< below, or itself
        std::uint32_t pieces = 0;
        std::uint64_t bytes = 0;    ///< tied tensors count once
        std::optional<Dtype> dtype; ///< nothing: different ones
        std::optional<Role> role;
        bool incomplete = false;
    };

    /// `previous` (may be null): of the same table, as shown before; where its tensors are the
    /// same, its rows are sorted, and where the new filter narrows its filter, only its tensors are
    /// searched. Fails: Cancelled, and as filterTensors().
    static Result<TensorArrangementPtr> make(TensorTablePtr table, ArrangementRequest request,
                                             const CancelToken& cancel,
                                             const TensorArrangementPtr& previous = {});

    const TensorTable& table() const { return *m_table; }
    const TensorTablePtr& tablePtr() const { return m_table; }
    const ArrangementRequest& request() const { return m_request; }
    bool isTree() const { return m_request.tree; }

    const std::vector<Node>& nodes() const { return m_nodes; }
    std::uint32_t topLevelCount() const { return m_topLevel; } ///< nodes [0, topLevelCount())

    /// Row of a tensor; kNone when it is filtered out.
    std::uint32_t nodeOf(std::uint32_t tensor) const { return m_nodeOf[tensor]; }

    std::string_view label(const Node& node) const {
        return m_table->name(node.nameOf).substr(node.labelBegin, node.labelEnd - node.labelBegin);
    }
    std::string_view fullName(const Node& node) const {
        return m_table->name(node.nameOf).substr(0, node.labelEnd);
    }

    std::uint64_t tensorCount() const { return m_tensorCount; } ///< after filtering
    std::uint64_t bytes() const { return m_bytes; } ///< after filtering, tied tensors once

private:
    TensorArrangement() = default;

    TensorTablePtr m_table;
    ArrangementRequest m_request;
    std::vector<Node> m_nodes;
    std::vector<std::uint32_t> m_nodeOf; ///< by tensor position
    std::vector<std::uint32_t> m_ranks;  ///< of the tensors that the filter left, if there is one
    std::uint32_t m_topLevel = 0;
    std::uint64_t m_tensorCount = 0;
    std::uint64_t m_bytes = 0;
};

} // namespace cairn::ui
