// SPDX-License-Identifier: Apache-2.0
#include "core/formats/tensorflow/saver_v1.h"

#include "core/base/endian.h"
#include "core/codec/protobuf/wire.h"
#include "core/codec/sstable/sstable.h"
#include "core/formats/common/members/file_data.h"
#include "core/formats/common/members/folder_notices.h"
#include "core/formats/tensorflow/names.h"
#include "core/formats/tensorflow/proto.h"
#include "core/formats/tensorflow/scalar_values.h"
#include "core/formats/tensorflow/tensor_proto.h"
#include "core/model/element.h"
#include "core/model/tensor_reader.h"

#include <algorithm>
#include <array>
#include <unordered_map>

namespace cairn::formats::tensorflow {
namespace {

using protobuf::Input;
using protobuf::tag;
using protobuf::Wire;

constexpr std::uint64_t kMaxBlock = std::uint64_t{1} << 31U; // a message is at most 2 GiB

/// SavedSliceMeta.
struct Meta {
    std::string name;
    ParsedShape shape;
    std::uint32_t dataType = 0;
};

/// The bytes of a length-delimited field inside `message`.
bool readSpan(Input& input, std::span<const std::byte> message, std::span<const std::byte>& out) {
    int length = 0;
    if (!protobuf::readLength(input, length)) {
        return false;
    }
    const auto at = static_cast<std::size_t>(input.CurrentPosition());
    out = message.subspan(at, static_cast<std::size_t>(length));
    return input.Skip(length);
}

std::optional<Meta> parseMeta(std::span<const std::byte> message) {
    Meta meta;
    Input input(reinterpret_cast<const std::uint8_t*>(message.data()),
                static_cast<int>(message.size()));
    bool bad = false;
    const bool sound = protobuf::walkFields(input, [&](std::uint32_t field) {
        std::span<const std::byte> inner;
        switch (field) {
        case tag(1, Wire::Length):
            return protobuf::readName(input, meta.name, 65536);
        case tag(2, Wire::Length): {
            const bool read = readSpan(input, message, inner);
            const auto shape = read ? parseShape(inner) : std::nullopt;
            bad = !shape;
            meta.shape = shape.value_or(ParsedShape{});
            return read && !bad;
        }
        case tag(3, Wire::Varint):
            return input.ReadVarint32(&meta.dataType);
        default:
            return protobuf::skipField(input, field);
        }
    });
    return sound ? std::optional(std::move(meta)) : std::nullopt;
}

/// Parses SavedTensorSlices.meta, the value of the empty key; empty: invalid.
std::optional<std::vector<Meta>> parseMetas(std::span<const std::byte> message) {
    std::vector<Meta> metas;
    bool isMeta = false;
    Input input(reinterpret_cast<const std::uint8_t*>(message.data()),
                static_cast<int>(message.size()));
    const auto metaField = [&](std::uint32_t field) {
        std::span<const std::byte> inner;
        if (field != tag(1, Wire::Length)) {
            return protobuf::skipField(input, field);
        }
        auto meta = readSpan(input, message, inner) ? parseMeta(inner) : std::nullopt;
        if (meta) {
            metas.push_back(std::move(*meta));
        }
        return meta.has_value();
    };
    const bool sound = protobuf::walkFields(input, [&](std::uint32_t field) {
        if (field != tag(1, Wire::Length)) {
            return protobuf::skipField(input, field);
        }
        isMeta = true;
        return protobuf::walkMessage(input, metaField);
    });
    return sound && isMeta ? std::optional(std::move(metas)) : std::nullopt;
}

class V1Reader {
public:
    explicit V1Reader(const OpenRequest& request) : m_request(request) {
        m_data.format = "tensorflow";
        m_data.framework = "tensorflow";
        m_data.path = request.path;
        m_codec = m_data.addCodec(std::make_shared<TensorProtoCodec>());
    }

    Result<CheckpointData> read() {
        const auto set = parseV1Shard(m_request.name);
        if (!set) {
            CAIRN_CHECK(add(m_request.name));
            return finish();
        }
        for (std::uint32_t i = 0; i < set->count; ++i) {
            const std::string name = v1ShardName(set->prefix, i, set->count);
            auto added = m_request.folder->hasFile(name) ? add(name) : missing(name);
            if (!added) {
                CAIRN_CHECK(m_request.cancel.check());
                if (name == m_request.name) {
                    return std::move(added).error();
                }
                markIncomplete(m_data,
                               sentence("A file of this checkpoint cannot be read: %1", name));
                addNotice(m_data, Severity::Error, std::move(added).error());
            }
        }
        return finish();
    }

private:
    Result<void> missing(const std::string& name) {
        m_data.addFile(missingFile(m_request.folder, name));
        return missingShard(name);
    }

    Result<void> add(const std::string& name) {
        CAIRN_TRY(const ByteSourcePtr source, m_request.folder->openFile(name));
        m_file = m_data.addFile(fileIn(m_request.folder, name, source->identity(), Role::Weight));
        m_hasMeta = false;
        std::vector<Error> lost;
        const auto visit = [&](const sstable::Entry& entry) { return take(entry, *source); };
        const auto damaged = [&](Error error) { lost.push_back(std::move(error)); };
        CAIRN_CHECK(sstable::walk(*source, visit, damaged, m_request.cancel, kMaxBlock));
        if (!m_hasMeta) {
            return lost.empty() ? notACheckpoint(*source) : lost.front();
        }
        for (Error& error : lost) {
            markIncomplete(m_data, sentence("A part of the file is damaged: %1", name));
            addNotice(m_data, Severity::Error, std::move(error));
        }
        return {};
    }

    static Error notACheckpoint(const ByteSource& source) {
        return fail(ErrorCode::NotACheckpoint, "Not a TensorFlow checkpoint").inFile(source.name());
    }

    Result<void> take(const sstable::Entry& entry, const ByteSource& source) {
        if (!m_hasMeta) {
            auto metas = entry.key.empty() ? parseMetas(entry.value) : std::nullopt;
            if (!metas) {
                return notACheckpoint(source);
            }
            m_hasMeta = true;
            for (Meta& meta : *metas) {
                addTensor(std::move(meta));
            }
            return {};
        }
        const auto key = parseSliceKey(entry.key);
        const auto known = key ? m_places.find(key->name) : m_places.end();
        if (known == m_places.end() || !entry.offset) {
            markIncomplete(m_data, "A slice cannot be read");
            addNotice(m_data, Severity::Error,
                      fail(ErrorCode::BadIndex, !entry.offset
                                                    ? Sentence("A slice is compressed")
                                                    : "A slice does not belong to any variable")
                          .inFile(source.name()));
            return {};
        }
        TensorEntry& tensor = m_data.tensors[known->second];
        auto box = boxOf(key->slice, tensor.shape);
        if (!box) {
            markIncomplete(m_data,
                           sentence("A slice does not match its variable: %1", tensor.name));
            addNotice(m_data, Severity::Error,
                      fail(ErrorCode::BadIndex, "A slice does not match its variable")
                          .inFile(source.name())
                          .inTensor(tensor.name));
            return {};
        }
        Piece piece;
        piece.box = std::move(*box);
        piece.file = m_file;
        piece.bytes = {*entry.offset, entry.value.size()};
        piece.codec = m_codec;
        tensor.pieces.push_back(std::move(piece));
        return {};
    }

    /// Every file of a set describes the variables of which it contains slices.
    void addTensor(Meta meta) {
        const auto dtype = dtypeOf(meta.dataType);
        const auto count = elementCount(meta.shape.shape);
        if (!dtype || meta.shape.bad || !count) {
            markIncomplete(m_data, sentence("A variable cannot be read: %1", meta.name));
            addNotice(m_data, Severity::Error,
                      fail(ErrorCode::BadIndex, "Invalid dtype or shape of this variable")
                          .inTensor(meta.name)
                          .butFound(sentence("%1 %2", dataTypeName(meta.dataType),
                                             formatDims(meta.shape.shape))));
            return;
        }
        const auto [known, fresh] = m_places.try_emplace(meta.name, m_data.tensors.size());
        if (!fresh) {
            return;
        }
        TensorEntry tensor;
        tensor.name = std::move(meta.name);
        tensor.dtype = *dtype;
        tensor.shape = meta.shape.shape;
        tensor.role = roleOf(tensor.name, tensor.dtype, {});
        m_data.tensors.push_back(std::move(tensor));
    }

    CheckpointData finish() {
        std::vector<ScalarValue> scalars;
        for (std::size_t i = 0; i < m_data.tensors.size(); ++i) {
            const TensorEntry& tensor = m_data.tensors[i];
            if (tensor.shape.empty() && hasNumericElements(tensor.dtype) &&
                scalars.size() < kMaxScalars) {
                scalars.push_back({tensor.name, TensorIndex(i)});
            }
        }
        takeStep();
        m_data.loadValues = [scalars = std::move(scalars)](const CancelToken& cancel) {
            return valuesOf(scalars, std::nullopt, cancel);
        };
        if (m_data.completeness == Completeness::Unknown) {
            m_data.completeness = Completeness::Complete;
        }
        return std::move(m_data);
    }

    void takeStep() {
        for (const TensorEntry& tensor : m_data.tensors) {
            if (stepRank(tensor.name) != 1 || !tensor.shape.empty() || tensor.pieces.size() != 1 ||
                !hasNumericElements(tensor.dtype)) {
                continue;
            }
            const Piece& piece = tensor.pieces.front();
            const auto source =
                m_request.folder->openFile(m_data.files[piece.file.position()].path);
            const auto located = source ? TensorProtoCodec().locate(*source, tensor, piece)
                                        : Result<LocatedPiece>(fail(ErrorCode::MissingShard, ""));
            std::array<std::byte, 8> bytes{};
            const auto element = std::span(bytes).first(dtypeInfo(tensor.dtype).bits / 8);
            if (located && located->bytes.length == element.size() &&
                located->source->readAt(located->bytes.offset, element)) {
                const double value = elementAsDouble(tensor.dtype, element);
                m_data.step = value > -9e15 && value < 9e15
                                  ? std::optional(static_cast<std::int64_t>(value))
                                  : std::nullopt;
                return;
            }
        }
    }

    const OpenRequest& m_request;
    CheckpointData m_data;
    CodecId m_codec = kRawCodec;
    FileIndex m_file;
    bool m_hasMeta = false;
    std::unordered_map<std::string, std::size_t> m_places;
};

} // namespace

Result<CheckpointData> readSaverV1(const OpenRequest& request) {
    return V1Reader(request).read();
}

} // namespace cairn::formats::tensorflow
