// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/checked.h"
#include "core/base/sentence.h"
#include "core/codec/pickle/pickle.h"
#include "core/formats/common/numpy/npy_header.h"
#include "core/model/checkpoint.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

/// Converts the objects that torch.save writes from a pickle's graph: tensors become entries with
/// pieces, everything else becomes plain values; nothing is executed. Shared by every format whose
/// index is a torch pickle. Source: torch/_utils.py, torch/_tensor.py, torch/serialization.py,
/// numpy/core/multiarray; README.md of formats/torch.
namespace cairn::formats {

/// A persistent id ("storage", class, key, location, numel[, view]).
struct TorchStorage {
    std::string_view key;       ///< views are valid as long as the graph
    std::string_view location;  ///< "cpu", "cuda:0" …: informational
    std::optional<Dtype> dtype; ///< empty: untyped, numel counts bytes
    std::uint64_t numel = 0;
    struct View {
        std::string_view key;
        std::uint64_t offset = 0; ///< in elements
        std::uint64_t numel = 0;
    };
    std::optional<View> view; ///< legacy files only

    /// Elements of packed dtypes (quint4x2) are counted in bytes.
    [[nodiscard]] std::uint64_t elementBytes() const {
        return dtype && dtypeInfo(*dtype).bits > 8 ? dtypeInfo(*dtype).bits / 8 : 1;
    }
    [[nodiscard]] std::optional<std::uint64_t> bytes() const {
        return checkedMul(numel, elementBytes());
    }
};

/// `id` is the payload of a PersistentId. Fails with TorchBadPersistentId or TorchUnknownDtype.
Result<TorchStorage> readTorchStorage(const pickle::PickleGraph& graph, pickle::NodeId id);

/// True for the payload of a persistent id that refers to a storage, not to a module class.
bool isTorchStorage(const pickle::PickleGraph& graph, pickle::NodeId id);

/// "torch FloatStorage", "torch.cuda HalfStorage" -> dtype; outer empty: not a storage class; inner
/// empty: untyped.
std::optional<std::optional<Dtype>> torchStorageDtype(pickle::GlobalName name);

/// "torch float32" -> dtype.
std::optional<Dtype> torchDtype(pickle::GlobalName name);

/// A strided tensor as described by the pickle, before its storage is examined.
struct TorchTensor {
    std::optional<TorchStorage> storage;    ///< empty: see `inlineBytes`
    std::span<const std::byte> inlineBytes; ///< for NumPy arrays and separately pickled storages:
                                            ///< in the pickle's buffer, or in `decoded`
    std::string decoded; ///< owns the bytes that protocol 2 writes as Latin-1 text
    Dtype dtype{};
    Shape shape;
    Strides strides;          ///< in elements
    std::uint64_t offset = 0; ///< first element, in elements
    ElementFlags flags;
    bool meta = false;                 ///< on torch's meta device: without elements
    std::optional<NpyElement> element; ///< NumPy's type, if not a number: text, dates, records, …
    std::string descr;                 ///< its name, as NumPy writes it
    std::uint64_t decodedBytes =
        0; ///< bytes decoded to read it; several tensors may use one long text

    /// The elements if there is no storage.
    [[nodiscard]] std::span<const std::byte> content() const {
        return decoded.empty() ? inlineBytes : std::as_bytes(std::span(decoded));
    }
};

/// Reads an Object made by one of torch's rebuild functions (_rebuild_tensor, _v2, _v3,
/// _rebuild_qtensor, parameters and subclasses around them) or by NumPy. Empty: anything else.
/// Fails: TorchBadTensor, TorchUnknownDtype, TorchBadPersistentId. Pure.
std::optional<Result<TorchTensor>> readTorchTensor(const pickle::PickleGraph& graph,
                                                   pickle::NodeId id);

/// Locates the storages of a format. readTorchObjects() uses it only while it runs.
class TorchStorages {
public:
    TorchStorages() = default;
    TorchStorages(const TorchStorages&) = delete;
    TorchStorages& operator=(const TorchStorages&) = delete;
    virtual ~TorchStorages() = default;

    /// Number of bytes that exist for this storage. Fails if it is missing, with the code for the
    /// notice.
    virtual Result<std::uint64_t> sizeOf(const TorchStorage& storage) = 0;
    /// Sets the piece's file, bytes, codec and flags.swapBytes. REQUIRES: the range is within
    /// sizeOf().
    virtual void place(const TorchStorage& storage, ByteRange bytes, Dtype dtype, Piece& piece) = 0;
    /// The same for bytes inside the pickle's buffer. False: they are not stored in a file in this
    /// form.
    virtual bool placeInline(std::span<const std::byte> bytes, Piece& piece) = 0;
    /// The content of a bytes value; needed if the pickle was parsed without long byte strings.
    virtual Result<std::vector<std::byte>> contentOf(std::span<const std::byte> bytes) {
        return std::vector<std::byte>(bytes.begin(), bytes.end());
    }
    /// The tensor that a persistent id refers to directly, as in tar files of torch 0.1; empty: the
    /// id refers to a storage, a module, or something unknown.
    virtual std::optional<Result<TorchTensor>> tensorOf(const pickle::PickleGraph& /*graph*/,
                                                        pickle::NodeId /*payload*/) {
        return std::nullopt;
    }
};

/// Placeholder for TorchObjects::decoded in pieces until adoptDecoded().
inline const FileIndex kDecodedFile{std::size_t{0xFFFF'FFFF}};

struct TorchObjects {
    Value root;
    std::vector<TensorEntry> tensors;
    std::vector<Notice> notices;    ///< about unreadable tensors; the caller adds offsets and files
    std::vector<std::byte> decoded; ///< arrays that exist only in memory
    bool anyMissing = false;        ///< a tensor has no data
    bool anyUnread = false;         ///< a tensor needs a feature that is not supported
    bool anyPart = false;           ///< a tensor is one rank's part of a larger one
    std::vector<Sentence>
        unshown; ///< limits because of which tensors may be missing, one sentence each

    /// Why tensors are missing or incomplete, one sentence each.
    [[nodiscard]] std::vector<Sentence> why() const;
};

/// Walks the graph from its root. Names are paths of keys joined with dots; those of an nn.Module
/// are as in its state_dict(); a root tensor is called "tensor". A value that occurs twice in the
/// pickle is stored once, but a tensor gets an entry (with aliasOf) under each of its names, up to
/// a limit that stops memo bombs. Plain values are limited, too: beyond that only containers of
/// tensors are kept, and a list with skipped items becomes a dict by position. Depth is limited by
/// Value::kMaxDepth; time and memory are linear in the graph. A damaged tensor becomes a notice.
/// Fails only with Cancelled.
Result<TorchObjects> readTorchObjects(const pickle::PickleGraph& graph, TorchStorages& storages,
                                      const CancelToken& cancel = {});

/// Moves tensors and notices into `data`, and `decoded` into a memory file named `memoryName`.
/// Tensor references in objects.root stay valid if `data` had no tensors before.
void adoptObjects(CheckpointData& data, TorchObjects& objects, const std::string& memoryName);

/// Makes the checkpoint of a single file: adopts the objects, gives the reasons if data is missing,
/// and adds the file's name to notices. `records`: of the pickle. REQUIRES: `data` from fileData().
Result<CheckpointPtr> makeCheckpoint(CheckpointData data, TorchObjects objects,
                                     const ValueRecords& records = {.unchecked = 1});

} // namespace cairn::formats
