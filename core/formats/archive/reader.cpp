// SPDX-License-Identifier: Apache-2.0
#include "core/base/endian.h"
#include "core/codec/crc32c/crc32c.h"
#include "core/formats/archive/chunk_reader.h"
#include "core/formats/common/members/file_data.h"
#include "core/formats/format.h"
#include "core/model/value_bytes.h"

#include <array>

namespace cairn::formats::archive {
namespace {

using cairn::archive::TensorKind;
using cairn::archive::TensorRow;

constexpr auto kGlobs = std::to_array<std::string_view>({"*.cairnz"});

Match probe(const Candidate& candidate) {
    const bool marked =
        !candidate.isFolder &&
        asText(candidate.head).substr(0, cairn::archive::kMagic.size()) == cairn::archive::kMagic;
    return marked ? Match::Yes : Match::No;
}

Role roleFromText(std::string_view text) {
    for (int role = 0; role < static_cast<int>(Role::Other); ++role) {
        if (roleName(static_cast<Role>(role)) == text) {
            return static_cast<Role>(role);
        }
    }
    return Role::Other;
}

Error badRow(const TensorRow& row, const CheckpointData& data, Sentence message) {
    return fail(ErrorCode::BadEncoding, std::move(message))
        .inFile(data.files.front().path)
        .inTensor(row.name);
}

/// Fails if the row's size does not match its dtype and shape.
Result<void> place(const TensorRow& row, const cairn::archive::Opened& archive, CodecId codec,
                   const CheckpointData& data, TensorEntry& entry) {
    const auto elements = elementCount(entry.shape);
    const auto bytes = elements ? dtypeBytes(entry.dtype, *elements) : std::nullopt;
    const bool strings = entry.dtype == Dtype::String && row.kind == TensorKind::Own;
    if (!strings && (!bytes || *bytes != row.bytes)) {
        return badRow(row, data, "A tensor's byte count does not match its dtype and shape")
            .butFound(sentence("%1 bytes", row.bytes))
            .expecting(bytes ? verbatim(std::to_string(*bytes)) : "a size that does not overflow");
    }
    const auto first = static_cast<std::size_t>(row.firstChunk);
    const auto last = first + static_cast<std::size_t>(
                                  cairn::archive::chunksOf(row.bytes, archive.index.chunkBytes));
    Piece& piece = entry.pieces.emplace_back();
    piece.box = Box::whole(entry.shape);
    piece.file = FileIndex(0);
    piece.bytes = {archive.offsets[first], archive.offsets[last] - archive.offsets[first]};
    piece.codec = codec;
    return {};
}

Result<void> addTensors(CheckpointData& data, const cairn::archive::Opened& archive,
                        CodecId codec) {
    data.tensors.reserve(archive.index.tensors.size());
    for (const TensorRow& row : archive.index.tensors) {
        TensorEntry entry;
        const auto dtype = dtypeFromName(row.dtype);
        if (!dtype || row.shape.size() > kMaxRank) {
            return badRow(row, data, "Unknown dtype or shape of a tensor")
                .butFound(verbatim(row.dtype));
        }
        entry.name = row.name;
        entry.dtype = *dtype;
        entry.shape = Shape(row.shape);
        entry.role = roleFromText(row.role);
        if (row.kind == TensorKind::Alias) {
            const TensorEntry& shared = data.tensors[row.aliasOf];
            if (shared.dtype != entry.dtype || shared.shape != entry.shape) {
                return badRow(row, data,
                              "A tensor shares the data of a tensor with a different shape");
            }
            entry.aliasOf = TensorIndex(row.aliasOf);
            entry.pieces = shared.pieces;
        } else {
            CAIRN_CHECK(place(row, archive, codec, data, entry));
        }
        data.tensors.push_back(std::move(entry));
    }
    return {};
}

/// One checksum for each chunk, so that checking the file need not unpack anything.
void addChecksums(CheckpointData& data, const cairn::archive::Opened& archive) {
    for (const TensorRow& row : archive.index.tensors) {
        const auto count =
            static_cast<std::size_t>(cairn::archive::chunksOf(row.bytes, archive.index.chunkBytes));
        for (std::size_t i = 0; i < count; ++i) {
            const auto chunk = static_cast<std::size_t>(row.firstChunk) + i;
            data.checksums.push_back({FileIndex(0),
                                      {archive.offsets[chunk], archive.index.chunks[chunk].stored},
                                      archive.index.chunks[chunk].crc,
                                      row.name,
                                      {"CRC-32C", crc32c}});
        }
    }
}

void setValues(CheckpointData& data, const OpenRequest& request,
               const cairn::archive::Section& section) {
    data.loadValues = [folder = request.folder, name = request.name, section,
                       tensors = data.tensors.size()](const CancelToken&) -> Result<LoadedValues> {
        CAIRN_TRY(const ByteSourcePtr file, folder->openFile(name));
        CAIRN_TRY(const auto bytes, cairn::archive::readSection(*file, section));
        auto value = valueFromBytes(bytes, tensors);
        if (!value) {
            return std::move(value)
                .error()
                .inFile(name)
                .inField("plain values")
                .at(section.stored.offset);
        }
        return LoadedValues(std::move(*value), {.compared = 1}); // by readSection()
    };
}

/// The result is as complete as the packed source was.
void setState(CheckpointData& data, const std::optional<cairn::archive::SourceState>& source) {
    if (!source) {
        data.why.emplace_back("The archive does not record whether its source was complete");
        return;
    }
    for (const Completeness each : {Completeness::Complete, Completeness::Incomplete}) {
        if (source->completeness == completenessName(each)) {
            data.completeness = each;
        }
    }
    data.why = source->why;
    data.notices = source->notices;
}

std::shared_ptr<EarlierCheckpoint> findEarlier(CheckpointData& data, const OpenRequest& request,
                                               const cairn::archive::Index& index) {
    if (!index.earlier) {
        return nullptr;
    }
    auto earlier = std::make_shared<EarlierCheckpoint>(request, *index.earlier);
    if (const auto there = earlier->locate(); !there) {
        data.completeness = Completeness::Incomplete;
        data.why.push_back(sentence("The archive is a delta, and %1 is missing", *index.earlier));
        data.notices.push_back({Severity::Error, there.error()});
    } else {
        data.why.push_back(sentence("The archive is a delta on %1", *index.earlier));
    }
    return earlier;
}

Result<CheckpointPtr> open(const OpenRequest& request) {
    CAIRN_TRY(const ByteSourcePtr file, request.openSelf());
    CAIRN_TRY(cairn::archive::Opened archive, cairn::archive::openArchive(*file));
    if (archive.index.chain > cairn::archive::kMaxChain) {
        return fail(ErrorCode::LimitExceeded, "Too many deltas are chained")
            .inFile(request.name)
            .expecting(sentence("at most %1", cairn::archive::kMaxChain));
    }
    CheckpointData data = fileData("archive", request, *file);
    data.framework = archive.index.framework;
    data.step = archive.index.step;
    data.epoch = archive.index.epoch;
    data.worldSize = archive.index.worldSize;
    setState(data, archive.index.source);
    CAIRN_CHECK(addTensors(data, archive, CodecId{1}));
    addChecksums(data, archive);
    setValues(data, request, archive.directory.values);
    if (!data.tensors.empty()) {
        data.files.front().role = data.tensors.front().role;
    }
    auto earlier = findEarlier(data, request, archive.index);
    data.addCodec(makeChunkCodec(std::move(archive), std::move(earlier)));
    return Checkpoint::make(std::move(data));
}

} // namespace

extern const FormatInfo kFormat;
const FormatInfo kFormat{
    .id = "archive",
    .title = "Cairn archive",
    .globs = kGlobs,
    .probe = probe,
    .open = open,
    .isPacked = true,
};

} // namespace cairn::formats::archive
