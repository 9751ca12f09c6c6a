// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/model/tensor_entry.h"
#include "core/model/value.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

/// The result of a format's layout function: which bytes are written where in which new files. Such
/// a function is pure: the same request gives the same layout, and no file is read or written. One
/// of them asks another process of its own (formats/keras/layout.h: HDF5's library places the
/// elements), which can fail and take time. The layout is a pure value; the engine in jobs/
/// executes it. In each file, literals and tensor segments cover [0, size) exactly once; checksum
/// slots are inside literals.
namespace cairn {

/// Bytes known in advance: headers, pickles, padding.
struct LiteralSegment {
    std::uint64_t offset = 0;
    std::uint32_t content = 0; ///< index into OutputFile::contents
};

/// The content of one literal, or of several (the headers of chunks of the same size).
struct LiteralContent {
    std::vector<std::byte> bytes;
    std::shared_ptr<const std::vector<std::byte>> shared =
        nullptr; ///< instead of `bytes`: shared by several files
    [[nodiscard]] std::span<const std::byte> view() const {
        return shared != nullptr ? *shared : bytes;
    }
};

/// Elements of one box of a source tensor, in dense C order, little-endian.
struct TensorSegment {
    std::uint64_t offset = 0;
    std::uint64_t length = 0; ///< bytes
    TensorIndex source;       ///< into the source checkpoint
    std::string_view name;    ///< name in the output; borrowed, see LayoutTensor::name
    Box box;                  ///< in the source tensor
    Dtype dtype{};            ///< of the output
    /// Initial CRC-32 for the file's checksum slots: that of the bytes before the elements in the
    /// same record (a .npy header).
    std::uint32_t crcStart = 0;
};

/// Four bytes, little-endian, for the CRC-32 (IEEE) of one tensor segment, filled in once it is
/// known.
struct ChecksumSlot {
    std::uint64_t offset = 0;
    std::uint32_t segment = 0; ///< index into OutputFile::tensors
};

/// Four bytes of an index, little-endian, for the masked CRC-32C (codec/crc32c) of one tensor
/// segment of another file, or of bytes of the index itself.
struct IndexSlot {
    std::uint64_t offset = 0;
    std::uint32_t file = 0;    ///< index into OutputLayout::files, of a file with `sumsSegments`
    std::uint32_t segment = 0; ///< index into OutputFile::tensors
};
struct BlockSlot {
    std::uint64_t offset = 0; ///< not in `bytes`
    ByteRange bytes;          ///< with the IndexSlots that are in them filled in
};

struct OutputFile {
    std::string name; ///< relative to the output
    std::uint64_t size = 0;
    std::vector<LiteralSegment> literals; ///< in ascending order of offsets
    std::vector<TensorSegment> tensors;   ///< in ascending order of offsets
    std::vector<ChecksumSlot> checksums;
    std::vector<LiteralContent> contents; ///< of the literals, in any order
    /// The CRC-32C of each tensor segment is needed for slots of an index. Such a file has no
    /// `checksums`.
    bool sumsSegments = false;
    /// Of an index, which has no tensors: both in ascending order of offsets, within one literal.
    std::vector<IndexSlot> indexSlots = {};
    std::vector<BlockSlot> blockSlots = {};

    /// REQUIRES: `offset` is not before existing literals.
    void addLiteral(std::uint64_t offset, std::vector<std::byte> bytes) {
        literals.push_back({offset, static_cast<std::uint32_t>(contents.size())});
        contents.push_back({std::move(bytes)});
    }
    [[nodiscard]] std::span<const std::byte> bytesOf(const LiteralSegment& literal) const {
        return contents[literal.content].view();
    }
    /// Whether its bytes must be read to write the output, although they are elsewhere on the disk.
    [[nodiscard]] bool needsChecksums() const { return sumsSegments || !checksums.empty(); }
};

/// The capabilities of a format's outputs, and their file extensions.
struct OutputTraits {
    std::span<const std::string_view> endings =
        {};                      ///< usual extensions of such files, ".pt"; the most common first
    bool sharesBytes = false;    ///< two names may refer to the same bytes
    bool hasValues = false;      ///< plain values (epoch, loss, …) can be written
    bool hasBlocks = false;      ///< quantised blocks are written unchanged
    bool describesModel = false; ///< the layout uses the model's description in the values
    bool cutsTensors =
        false; ///< supports LayoutRequest::axes: a tensor can be distributed over ranks
    bool splitsFiles = false; ///< supports LayoutRequest::fileOf: complete tensors in several files
    bool oneTensor = false;   ///< a file contains exactly one tensor
    std::string_view library =
        {}; ///< metadata "format", which from_pretrained requires; empty: none
    /// What reads a file or folder of it alone: "torch.load"; empty: see LoadVerdict.
    std::string_view reader = {};
    bool hasStrings = false; ///< tensors of strings can be written: LayoutRequest::strings
    /// Name of the tensor of strings that records which object has which tensor: written with the
    /// weights if the source has it. Empty: there is none in this format.
    std::string_view objectGraph = {};
};

struct OutputLayout {
    std::vector<OutputFile> files; ///< in the order in which they are published: index files last
    bool folder = false; ///< the output is a folder of these files, even if there is only one
    std::vector<std::string> stringTensors =
        {}; ///< names of tensors whose elements are in literals
};

/// One tensor to be written.
struct LayoutTensor {
    TensorIndex source;
    /// Borrowed from the source or from the renaming, which must outlive the plan: a copy for each
    /// of millions of chunks would be most of a plan.
    std::string_view name;
    Dtype dtype{};
    Shape shape;
    std::optional<std::size_t> aliasOf =
        std::nullopt; ///< position in LayoutRequest::tensors of the tensor with the same bytes
    /// Location of all or most of its bytes in the source's files, as they will be written: the
    /// offset that the first byte would have if all of them were there. Empty: they are computed,
    /// or are in too many places. Only set if LayoutRequest::shareBlock is.
    struct Origin {
        FileIndex file;
        std::uint64_t offset = 0; ///< modulo 2^64: it may be before the start of the file
        std::uint64_t bytes = 0;  ///< bytes that are there
        friend bool operator==(const Origin&, const Origin&) = default;
    };
    std::optional<Origin> origin = std::nullopt;
};

/// One axis of a grid of ranks: `ranks` of them divide dimension `dim` of each tensor.
struct ShardAxis {
    std::uint32_t ranks = 1;
    std::int32_t dim =
        0; ///< negative: from the end. A tensor without it is not cut along this axis
    friend bool operator==(const ShardAxis&, const ShardAxis&) = default;
};

/// A tensor of strings to be written.
struct StringTensor {
    std::string name;   ///< in the output
    std::string stored; ///< in the source
    Shape shape;
    std::shared_ptr<const std::vector<std::byte>>
        elements; ///< in the canonical form (string_elements.h)
};

class Checkpoint;

/// The input of a layout function; everything is borrowed for the call.
struct LayoutRequest {
    std::span<const LayoutTensor> tensors;
    const Checkpoint* source = nullptr; ///< of the tensors; null: their names are the stored ones
    std::span<const StringTensor> strings; ///< only for formats with OutputTraits::hasStrings
    const Value* values = nullptr;   ///< nested plain values whose tensor references are `source`
                                     ///< indices; null: only tensors
    std::string baseName = "model";  ///< stem of the files' names
    std::uint64_t maxShardBytes = 0; ///< 0: one file
    /// Formats that cut tensors: the grid of ranks, with the last axis varying fastest; empty: one
    /// rank.
    std::span<const ShardAxis> axes;
    /// Formats that put complete tensors into several files: the number of the file for each of
    /// `tensors`, ascending from 0 without gaps; empty: according to maxShardBytes.
    std::span<const std::uint32_t> fileOf;
    /// The block size with which the output's file system can share blocks with the source's files,
    /// if both have the bytes at the same offset within a block; 0: not supported. Layouts may pad
    /// to allow that for most bytes.
    std::uint32_t shareBlock = 0;
    std::vector<std::pair<std::string, std::string>>
        metadata; ///< written if the format can store text
};

} // namespace cairn
