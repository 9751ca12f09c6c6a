// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/position_table.h"
#include "core/formats/common/torch/torch_notes.h"
#include "core/formats/common/torch/torch_objects.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace cairn::formats {

/// Makes the entries of a checkpoint's tensors: named by the path at which they are found, with the
/// place of their elements, and as aliases if an earlier tensor has the same elements. What cannot
/// be read becomes a notice. Numbers and texts are limited by the size of the pickle. The arguments
/// must outlive it.
class TorchEntries {
public:
    TorchEntries(const pickle::PickleGraph& graph, TorchStorages& storages, const TorchPath& path,
                 TorchNotes& notes, TorchObjects& out);

    /// Reads the tensor that an object is. Empty: not a tensor. Reading a tensor that is stored as
    /// text costs the text's length each time, and many tensors may use one long text: their sum is
    /// limited.
    std::optional<Result<TorchTensor>> read(pickle::NodeId id);
    /// Adds a tensor under the path's name: a reference to its entry, or nothing beyond the limits.
    Value add(pickle::NodeId id, const TorchTensor& tensor);
    /// Notes what is wrong with a tensor, and gives the value that stands for it.
    Value addDamaged(Error error);
    /// Marks a rank's part of a DTensor, so that it is not mistaken for the complete tensor.
    void checkPart(TensorIndex local, const Shape& whole);

    [[nodiscard]] std::size_t size() const { return m_out.tensors.size(); }
    /// Sets the role of the entries from a position on.
    void setRoles(std::size_t from, Role role);
    /// Keys may contain dots, so two positions can have the same name: {"a.b": …, "a": {"b": …}}.
    /// Python distinguishes them, and here every tensor needs a unique name.
    void makeNamesUnique();

private:
    /// Identifies a tensor's elements. Tensors with equal Content are aliases of each other.
    struct Content {
        std::uint32_t node = 0; ///< of a tensor without a storage: its node + 1
        std::string_view storage;
        std::string_view view;
        std::uint64_t viewOffset = 0;
        std::uint64_t offset = 0;
        Dtype dtype{};
        Shape shape;
        Strides strides;
        ElementFlags flags;
        TensorIndex first; ///< the first tensor with this content; not compared
        [[nodiscard]] std::uint64_t hash() const;
        [[nodiscard]] bool sameAs(const Content& other) const;
    };
    static Content contentOf(pickle::NodeId id, const TorchTensor& tensor, TensorIndex index);

    bool takeName();
    void place(const TorchTensor& tensor, TensorEntry& entry);
    void placeText(const TorchTensor& tensor, TensorEntry& entry);
    void noteType(const TorchTensor& tensor, const TensorEntry& entry);
    void placeInline(const TorchTensor& tensor, ByteRange bytes, Piece& piece);

    const pickle::PickleGraph& m_graph;
    TorchStorages& m_storages;
    const TorchPath& m_path;
    TorchNotes& m_notes;
    TorchObjects& m_out;
    PositionTable m_sameBytes; ///< positions in m_contents by their hash
    std::vector<Content> m_contents;
    std::size_t m_rawTypes = 0;
    std::uint64_t m_tensorsLeft;
    std::uint64_t m_nameBytesLeft;
    std::uint64_t m_decodingLeft; ///< bytes of tensors stored as text
};

} // namespace cairn::formats
