// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/checked.h"
#include "core/codec/pickle/pickle.h"
#include "core/model/checkpoint.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

/// The objects that torch.save writes, out of a pickle's graph: tensors become entries with pieces,
/// everything else becomes plain values; nothing is run. Shared by every format whose index is a
/// torch pickle. Source: torch/_utils.py, torch/_tensor.py, torch/serialization.py,
/// numpy/core/multiarray; README.md of formats/torch.
namespace cairn::formats {

/// A persistent id ("storage", class, key, location, numel[, view]).
struct TorchStorage {
    std::string_view key;       ///< views live as long as the graph
    std::string_view location;  ///< "cpu", "cuda:0" …: informational
    std::optional<Dtype> dtype; ///< nothing: untyped, numel counts bytes
    std::uint64_t numel = 0;
    struct View {
        std::string_view key;
        std::uint64_t offset = 0; ///< in elements
        std::uint64_t numel = 0;
    };
    std::optional<View> view; ///< legacy files only

    /// Elements of packed dtypes (quint4x2) are counted by the byte.
    [[nodiscard]] std::uint64_t elementBytes() const {
        return dtype && dtypeInfo(*dtype).bits > 8 ? dtypeInfo(*dtype).bits / 8 : 1;
    }
    [[nodiscard]] std::optional<std::uint64_t> bytes() const {
        return checkedMul(numel, elementBytes());
    }
};

/// Fails with TorchBadPersistentId or TorchUnknownDtype; `id` is the payload of a PersistentId.
Result<TorchStorage> readTorchStorage(const pickle::PickleGraph& graph, pickle::NodeId id);

/// True for the payload of a persistent id that means a storage, not a module class.
bool isTorchStorage(const pickle::PickleGraph& graph, pickle::NodeId id);

/// "torch FloatStorage", "torch.cuda HalfStorage" -> dtype; outer nothing: no storage class; inner
/// nothing: untyped.
std::optional<std::optional<Dtype>> torchStorageDtype(pickle::GlobalName name);

/// "torch float32" -> dtype.
std::optional<Dtype> torchDtype(pickle::GlobalName name);

/// What a pickle states about one strided tensor, before anybody has examined its storage.
struct TorchTensor {
    std::optional<TorchStorage> storage;    ///< nothing: `inlineBytes`
    std::span<const std::byte> inlineBytes; ///< NumPy, and storages pickled by themselves: in the
                                            ///< pickle's buffer, or in `decoded`
    std::string decoded; ///< the same in protocol 2: bytes that were written as Latin-1 text
    Dtype dtype{};
    Shape shape;
    Strides strides;          ///< in elements
    std::uint64_t offset = 0; ///< first element, in elements
    ElementFlags flags;
    bool meta = false;              ///< on torch's meta device: it has no elements anywhere
    std::uint64_t decodedBytes = 0; ///< what it took to read it: several may name one long text

    /// What stands for the storage where there is none.
    [[nodiscard]] std::span<const std::byte> content() const {
        return decoded.empty() ? inlineBytes : std::as_bytes(std::span(decoded));
    }
};

/// Reads an Object node made by one of torch's rebuild functions (_rebuild_tensor, _v2, _v3,
/// _rebuild_qtensor, parameters and subclasses around them) or by NumPy. Nothing: it is none of
/// these. Fails: TorchBadTensor, TorchUnknownDtype, TorchBadPersistentId. Pure.
std::optional<Result<TorchTensor>> readTorchTensor(const pickle::PickleGraph& graph,
                                                   pickle::NodeId id);

/// Where a format keeps the storages. Used by readTorchObjects() only while it runs.
class TorchStorages {
public:
    TorchStorages() = default;
    TorchStorages(const TorchStorages&) = delete;
    TorchStorages& operator=(const TorchStorages&) = delete;
    virtual ~TorchStorages() = default;

    /// Bytes that exist for this storage. Fails when it is missing, with the code that the
    /// notice shall carry.
    virtual Result<std::uint64_t> sizeOf(const TorchStorage& storage) = 0;
    /// Sets the piece's file, bytes, codec and flags.swapBytes. REQUIRES: the range is inside
    /// sizeOf().
    virtual void place(const TorchStorage& storage, ByteRange bytes, Dtype dtype, Piece& piece) = 0;
    /// The same for bytes inside the pickle's own buffer. False: they are not in a file as they
    /// are.
    virtual bool placeInline(std::span<const std::byte> bytes, Piece& piece) = 0;
    /// The content of bytes that are a value by themselves, for those who parse without it.
    virtual Result<std::vector<std::byte>> contentOf(std::span<const std::byte> bytes) {
        return std::vector<std::byte>(bytes.begin(), bytes.end());
    }
    /// The tensor that a persistent id means by itself, as in tar files of torch 0.1; nothing: it
    /// means a storage, a module or nothing that is known.
    virtual std::optional<Result<TorchTensor>> tensorOf(const pickle::PickleGraph& /*graph*/,
                                                        pickle::NodeId /*payload*/) {
        return std::nullopt;
    }
};

/// Stands for TorchObjects::decoded in pieces until adoptDecoded().
inline const FileIndex kDecodedFile{std::size_t{0xFFFF'FFFF}};

/// A DTensor's local part: `entry` has the local shape, under the DTensor's own name.
struct TorchDTensor {
    TensorIndex entry;
    Shape globalShape;
    pickle::NodeId spec; ///< DTensorSpec, in the graph
};

struct TorchObjects {
    Value root;
    std::vector<TensorEntry> tensors;
    std::vector<TorchDTensor> dtensors;
    std::vector<Notice>
        notices; ///< of tensors that cannot be read; offsets and files are the caller's to add
    std::vector<std::byte> decoded; ///< arrays that exist only in memory
    bool anyMissing = false;        ///< a tensor has no bytes
    bool anyPart = false;           ///< a tensor is one rank's part of a larger one
    std::vector<std::string>
        unshown; ///< limits that may have kept tensors out of `tensors`, one sentence each

    /// Why the tensors are not complete, one sentence each.
    [[nodiscard]] std::vector<std::string> why() const;
};

/// Walks the graph from its root. Names are paths of keys joined with dots, an nn.Module's folded
/// as its state_dict would be; a root tensor is called "tensor". Values that the pickle mentions
/// twice are held once, but a tensor gets an entry (with aliasOf) under each of its names, up to a
/// bound that keeps memo bombs small. Plain values are bounded, too: past that only what holds
/// tensors is in the values, a list of which something is left out as a dict by position. Depth is
/// bounded by Value::kMaxDepth; time and memory are linear in the graph. Damage to one tensor is a
/// notice. Fails only with Cancelled.
Result<TorchObjects> readTorchObjects(const pickle::PickleGraph& graph, TorchStorages& storages,
                                      const CancelToken& cancel = {});

/// Moves tensors and notices into `data`, and `decoded` into a memory file named `memoryName`.
/// Tensor references in objects.root stay right if data had no tensors before.
void adoptObjects(CheckpointData& data, TorchObjects& objects, const std::string& memoryName);

/// The checkpoint of one file that is an object: adopts the objects, states why where something is
/// missing, and gives notices the file's name. REQUIRES: data as fileData() made it.
Result<CheckpointPtr> makeCheckpoint(CheckpointData data, TorchObjects objects);

} // namespace cairn::formats
