// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/codec/pickle/pickle.h"
#include "core/codec/tar/tar_index.h"
#include "core/formats/common/torch/torch_objects.h"
#include "core/io/byte_source.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>

/// torch.save of PyTorch up to 0.1.10: a tar archive of `sys_info`, `pickle`, `tensors`,
/// `storages`. Source: torch/serialization.py, `legacy_load` in `_legacy_load` (2.13). Private to
/// this folder. Not thread-safe.
namespace cairn::formats::torch_legacy {

/// True if `head` begins a tar archive with one of those members. `head`: at least the first blocks
/// of a file.
bool beginsTorchTar(std::span<const std::byte> head);

/// The storages and tensors of such a file; the persistent ids in its pickle contain their keys.
class TarFile : public TorchStorages {
public:
    explicit TarFile(const ByteSource& source) : m_source(source) {}

    /// Reads the archive's index, all descriptions, and `pickle`, but no elements. Damage to
    /// storages or tensors becomes a notice, and the following ones are lost. Fails: TorchBadHeader
    /// (a member is missing), Pickle*, BadIndex, Truncated, LimitExceeded, Io.
    Result<void> read(std::vector<Notice>& notices);
    /// The saved object. REQUIRES: read() succeeded.
    [[nodiscard]] const pickle::PickleGraph& object() const { return *m_object; }

    Result<std::uint64_t> sizeOf(const TorchStorage& storage) override;
    void place(const TorchStorage& storage, ByteRange bytes, Dtype dtype, Piece& piece) override;
    bool placeInline(std::span<const std::byte> bytes, Piece& piece) override;
    std::optional<Result<TorchTensor>> tensorOf(const pickle::PickleGraph& graph,
                                                pickle::NodeId payload) override;

private:
    struct Storage {
        ByteRange bytes; ///< in the file
        Dtype dtype{};
    };
    struct Tensor {
        std::string storage; ///< key of its storage; empty: none
        Shape shape;
        Strides strides;
        std::int64_t offset = 0;
    };

    Result<void> readStorages(ByteRange member);
    Result<void> readViews(const pickle::PickleGraph& views, std::uint64_t at);
    Result<void> readTensors(ByteRange member);
    Result<pickle::PickleGraph> readPickle(ByteRange left) const;
    Result<Dims> readDims(ByteRange left, std::uint64_t rank) const;

    const ByteSource& m_source;
    std::optional<pickle::PickleGraph> m_object;
    std::uint64_t m_objectOffset = 0;
    std::unordered_map<std::string, Storage> m_storages;
    std::unordered_map<std::string, Tensor> m_tensors;
};

} // namespace cairn::formats::torch_legacy
