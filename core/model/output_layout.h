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

/// The result of a format's layout function: which bytes are written where in which new files. A
/// pure value; the engine in jobs/ fills it. Per file, literals and tensor segments tile [0, size)
/// exactly once; checksum slots are inside literals.
namespace cairn {

/// Bytes known in advance: headers, pickles, padding.
struct LiteralSegment {
    std::uint64_t offset = 0;
    std::uint32_t content = 0; ///< index into OutputFile::contents
};

/// The content of one literal, or of many (the headers of equally large chunks).
struct LiteralContent {
    std::vector<std::byte> bytes;
    std::shared_ptr<const std::vector<std::byte>> shared =
        nullptr; ///< instead of `bytes`: held by several files
    [[nodiscard]] std::span<const std::byte> view() const {
        return shared != nullptr ? *shared : bytes;
    }
};

/// Elements of one box of one source tensor, dense C order, little-endian.
struct TensorSegment {
    std::uint64_t offset = 0;
    std::uint64_t length = 0; ///< bytes
    TensorIndex source;       ///< into the source checkpoint
    std::string_view name;    ///< in the output; borrowed, see LayoutTensor::name
    Box box;                  ///< of the source tensor
    Dtype dtype{};            ///< of the output
    /// The CRC-32 that the file's checksum slots count from: of what stands before the elements in
    /// the same record (a .npy header).
    std::uint32_t crcStart = 0;
};

/// Four bytes, little-endian, that hold the CRC-32 (IEEE) of one tensor segment once it is known.
struct ChecksumSlot {
    std::uint64_t offset = 0;
    std::uint32_t segment = 0; ///< index into OutputFile::tensors
};

struct OutputFile {
    std::string name; ///< relative to the output
    std::uint64_t size = 0;
    std::vector<LiteralSegment> literals; ///< ascending offsets
    std::vector<TensorSegment> tensors;   ///< ascending offsets
    std::vector<ChecksumSlot> checksums;
    std::vector<LiteralContent> contents; ///< of the literals, in any order

    /// REQUIRES: `offset` is not before the literals that exist.
    void addLiteral(std::uint64_t offset, std::vector<std::byte> bytes) {
        literals.push_back({offset, static_cast<std::uint32_t>(contents.size())});
        contents.push_back({std::move(bytes)});
    }
    [[nodiscard]] std::span<const std::byte> bytesOf(const LiteralSegment& literal) const {
        return contents[literal.content].view();
    }
};

/// The capabilities of a format's outputs, and their file extensions.
struct OutputTraits {
    std::span<const std::string_view> endings =
        {};                      ///< of a file that is written so: ".pt"; the usual one first
    bool sharesBytes = false;    ///< two names may refer to the same bytes
    bool hasValues = false;      ///< plain values (epoch, loss, …) can be written
    bool hasBlocks = false;      ///< quantised blocks are written as they are stored
    bool describesModel = false; ///< the layout takes what it records of the model from the values
    bool cutsTensors = false;    ///< LayoutRequest::axes: one tensor can be on several ranks
    bool splitsFiles = false;    ///< LayoutRequest::fileOf: complete tensors in several files
    std::string_view library =
        {}; ///< metadata "format", which from_pretrained asks for; empty: none
};

struct OutputLayout {
    std::vector<OutputFile> files; ///< in the order in which they are published: index files last
    bool folder = false; ///< the output is a folder of these files, even if there is only one
};

/// One tensor to be written.
struct LayoutTensor {
    TensorIndex source;
    /// Borrowed from the source, or from whoever renamed it: what is planned lives no longer than
    /// either. A name for each of millions of chunks would be most of a plan.
    std::string_view name;
    Dtype dtype{};
    Shape shape;
    std::optional<std::size_t> aliasOf =
        std::nullopt; ///< position in LayoutRequest::tensors that holds the same bytes
    /// Where in the source's files all of its bytes, or most of them, are as they are to be
    /// written: counted as if all of them were there. Nothing: they are made, or are in too many
    /// places. Only when LayoutRequest::shareBlock is set.
    struct Origin {
        FileIndex file;
        std::uint64_t offset =
            0; ///< modulo 2^64: most of the bytes may be far after the first one's place
        std::uint64_t bytes = 0; ///< that exist
        friend bool operator==(const Origin&, const Origin&) = default;
    };
    std::optional<Origin> origin = std::nullopt;
};

/// One axis of a grid of ranks: `ranks` of them share each tensor's dimension `dim`.
struct ShardAxis {
    std::uint32_t ranks = 1;
    std::int32_t dim =
        0; ///< negative: counted from the end. A tensor that lacks it is not cut along this axis
};

/// The input of a layout function; everything is borrowed for the call.
struct LayoutRequest {
    std::span<const LayoutTensor> tensors;
    const Value* values = nullptr;   ///< nested plain values whose tensor references are `source`
                                     ///< indices; null: tensors only
    std::string baseName = "model";  ///< stem of the files' names
    std::uint64_t maxShardBytes = 0; ///< 0: one file
    /// Formats that cut tensors: the grid of ranks, the last axis counting fastest; empty: one
    /// rank.
    std::span<const ShardAxis> axes;
    /// Formats that put complete tensors into several files: the number of the file for each of
    /// `tensors`, ascending from 0 without gaps; empty: according to maxShardBytes.
    std::span<const std::uint32_t> fileOf;
    /// The output's file system lets files share complete blocks of so many bytes with the
    /// source's, where both are at the same place in a block; 0: it does not. Layouts are free to
    /// pad so that most bytes do.
    std::uint32_t shareBlock = 0;
    std::vector<std::pair<std::string, std::string>>
        metadata; ///< written where the format has room for text
};

} // namespace cairn
