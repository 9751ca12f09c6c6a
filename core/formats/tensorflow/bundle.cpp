// SPDX-License-Identifier: Apache-2.0
#include "core/formats/tensorflow/bundle.h"

#include "core/base/endian.h"
#include "core/codec/crc32c/crc32c.h"
#include "core/formats/common/members/file_data.h"
#include "core/formats/common/members/folder_notices.h"
#include "core/formats/tensorflow/scalar_values.h"
#include "core/model/element.h"
#include "core/model/string_elements.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <tuple>

namespace cairn::formats::tensorflow {
namespace {

/// Stored size of a box of elements; empty for strings, whose size is only known from the data.
std::optional<std::uint64_t> requestedBytes(Dtype dtype, const Shape& extent) {
    const auto count = elementCount(extent);
    return count && !hasStrings(dtype) ? dtypeBytes(dtype, *count) : std::nullopt;
}

std::string folderOf(std::string_view path) {
    const std::size_t slash = path.rfind('/');
    return slash == std::string_view::npos ? std::string() : std::string(path.substr(0, slash));
}

std::string_view nameOf(std::string_view path) {
    const std::size_t slash = path.rfind('/');
    return slash == std::string_view::npos ? path : path.substr(slash + 1);
}

} // namespace

BundleReader::BundleReader(CheckpointData& data, FolderPtr folder, CancelToken cancel,
                           bool severalParts)
    : m_data(data), m_folder(std::move(folder)), m_cancel(std::move(cancel)),
      m_severalParts(severalParts) {}

void BundleReader::note(Severity severity, Error error) {
    addNotice(m_data, severity, std::move(error));
}

void BundleReader::incomplete(Sentence why) {
    markIncomplete(m_data, std::move(why));
}

Result<void> BundleReader::add(const std::string& prefix) {
    const std::string path = prefix + ".index";
    CAIRN_TRY(const ByteSourcePtr source, m_folder->openFile(path));
    m_data.addFile(fileIn(m_folder, path, source->identity()));
    Part part;
    part.prefix = prefix;
    CAIRN_TRY(part.table, readBundleTable(*source, m_cancel));
    if (!part.table.notices.empty()) {
        incomplete(sentence("The index is damaged: %1", path));
    }
    for (Notice& notice : part.table.notices) {
        note(notice.severity, std::move(notice.error));
    }
    part.shards.resize(static_cast<std::size_t>(part.table.header.shards));
    part.ends.resize(part.shards.size());
    m_data.tensors.reserve(m_data.tensors.size() + part.table.entries.size());
    m_data.checksums.reserve(m_data.checksums.size() + part.table.entries.size());
    for (std::size_t i = 0; i < part.table.entries.size(); ++i) {
        if (i % 4096 == 0) {
            CAIRN_CHECK(m_cancel.check());
        }
        addEntry(part, part.table.entries[i]);
    }
    findStrayFiles(part);
    checkShards(part);
    return {};
}

CodecId BundleReader::codecFor(Part& part, Dtype dtype) {
    if (!hasStrings(dtype)) {
        return kRawCodec;
    }
    if (!part.strings) {
        part.strings = std::make_shared<StringCodec>(part.table.header.bigEndian);
        part.stringCodec = m_data.addCodec(part.strings);
    }
    return part.stringCodec;
}

FileIndex BundleReader::shardFile(Part& part, std::uint64_t shard) {
    auto& known = part.shards[static_cast<std::size_t>(shard)];
    if (known) {
        return *known;
    }
    CheckpointFile file;
    file.path = shardFileName(part.prefix, shard, part.table.header.shards);
    file.folder = m_folder;
    const auto source = m_folder->openFile(file.path);
    if (source) {
        file.identity = (*source)->identity();
    } else {
        file.missing = true;
        const bool gone = source.error().code == ErrorCode::NotFound;
        Error error = gone ? missingShard(file.path) : source.error();
        incomplete(sentence("The shard %1%2", file.path,
                            gone ? Sentence(" is missing") : " cannot be opened"));
        note(Severity::Error, std::move(error));
    }
    known = m_data.addFile(std::move(file));
    return *known;
}

void BundleReader::noteOpaque(const std::string& name, std::uint32_t dataType) {
    if (++m_opaque > 20) {
        return;
    }
    note(Severity::Warning, fail(ErrorCode::Unsupported, "The elements are shown as raw bytes")
                                .inTensor(name)
                                .butFound(verbatim(dataTypeName(dataType))));
}

void BundleReader::addEntry(Part& part, BundleTable::Named& named) {
    const BundleEntry& entry = named.entry;
    TensorEntry tensor;
    tensor.name = std::move(named.name);
    const auto dtype = dtypeOf(entry.dataType);
    tensor.dtype = dtype.value_or(Dtype::Opaque);
    tensor.shape = entry.shape;
    if (entry.shapeIsBad || !elementCount(entry.shape)) {
        incomplete(sentence("A tensor has an invalid shape: %1", tensor.name));
        note(Severity::Error,
             fail(ErrorCode::BadIndex, "Invalid shape of this tensor")
                 .inFile(part.prefix + ".index")
                 .inTensor(tensor.name)
                 .butFound(entry.shapeIsBad ? Sentence("unknown or negative extents")
                                            : verbatim(formatDims(entry.shape))));
        tensor.shape = Shape{0};
    } else if (!entry.slices.empty()) {
        addSlices(part, entry, tensor);
    } else {
        if (!dtype) {
            noteOpaque(tensor.name, entry.dataType);
            tensor.shape =
                Shape{static_cast<std::int64_t>(std::min<std::uint64_t>(entry.size, INT64_MAX))};
        }
        addPiece(part, entry, Box::whole(tensor.shape), tensor);
    }
    addTensor(std::move(tensor));
}

/// Slices have their own keys; the variable's entry lists the slices that must exist.
void BundleReader::addSlices(Part& part, const BundleEntry& whole, TensorEntry& tensor) {
    const auto& slices = part.table.slices; // in name order
    auto next = std::ranges::lower_bound(
        slices, tensor.name, {},
        [](const BundleTable::Sliced& sliced) -> const std::string& { return sliced.key.name; });
    std::size_t found = 0;
    for (; next != slices.end() && next->key.name == tensor.name; ++next) {
        const BundleTable::Sliced& sliced = *next;
        auto box = boxOf(sliced.key.slice, tensor.shape);
        if (!box || sliced.entry.dataType != whole.dataType) {
            incomplete(sentence("A slice does not match its variable: %1", tensor.name));
            note(Severity::Error,
                 fail(ErrorCode::BadIndex, "A slice does not match its variable")
                     .inFile(part.prefix + ".index")
                     .inTensor(tensor.name)
                     .expecting(sentence("inside %1 and of its dtype", formatDims(tensor.shape))));
            continue;
        }
        ++found;
        addPiece(part, sliced.entry, std::move(*box), tensor);
    }
    if (found < whole.slices.size()) {
        incomplete(sentence("Slices are missing in the index: %1", tensor.name));
        note(Severity::Error,
             fail(ErrorCode::BadIndex, "Slices of this variable are missing in the index")
                 .inFile(part.prefix + ".index")
                 .inTensor(tensor.name)
                 .butFound(verbatim(std::to_string(found)))
                 .expecting(verbatim(std::to_string(whole.slices.size()))));
    }
}

void BundleReader::addPiece(Part& part, const BundleEntry& entry, Box box, TensorEntry& tensor) {
    const auto bad = [&](Sentence message, Sentence found, Sentence expected) {
        incomplete(sentence("An entry of the index contradicts itself: %1", tensor.name));
        note(Severity::Error, fail(ErrorCode::BadIndex, std::move(message))
                                  .inFile(part.prefix + ".index")
                                  .inTensor(tensor.name)
                                  .butFound(std::move(found))
                                  .expecting(std::move(expected)));
    };
    if (entry.shard >= part.shards.size()) {
        return bad("The entry's shard number is out of range",
                   verbatim(std::to_string(entry.shard)), sentence("below %1", part.shards.size()));
    }
    const auto wanted = requestedBytes(tensor.dtype, box.extent);
    const bool isString = hasStrings(tensor.dtype);
    const auto count = elementCount(box.extent);
    if (!count || (!isString && wanted != entry.size) || (isString && *count > entry.size)) {
        return bad("The entry's size does not match its shape and dtype",
                   sentence("%1 bytes", entry.size),
                   verbatim(wanted ? std::to_string(*wanted) : formatDims(box.extent)));
    }
    const auto end = checkedAdd(entry.offset, entry.size);
    if (!end) {
        return bad("The entry's location overflows", verbatim(std::to_string(entry.offset)),
                   "a location in a file");
    }
    Piece piece;
    piece.box = std::move(box);
    piece.file = shardFile(part, entry.shard);
    piece.bytes = {entry.offset, entry.size};
    piece.codec = codecFor(part, tensor.dtype);
    piece.flags.swapBytes =
        part.table.header.bigEndian && !isString && dtypeInfo(tensor.dtype).componentBits > 8;
    auto& last = part.ends[static_cast<std::size_t>(entry.shard)];
    last = std::max(last, *end);
    if (isString && entry.crc32c) {
        part.strings->expect(piece.file, entry.offset, *entry.crc32c);
    } else if (entry.crc32c && entry.size > 0 && tensor.dtype != Dtype::Opaque) {
        m_data.checksums.push_back(
            {piece.file, piece.bytes, *entry.crc32c, tensor.name, {"CRC-32C", crc32c}});
    }
    tensor.pieces.push_back(std::move(piece));
}

/// Unmerged parts may each contain slices of one variable.
void BundleReader::addTensor(TensorEntry tensor) {
    if (m_severalParts) {
        const auto [known, fresh] = m_joined.try_emplace(tensor.name, m_data.tensors.size());
        TensorEntry* whole = fresh ? nullptr : &m_data.tensors[known->second];
        if (whole != nullptr && whole->dtype == tensor.dtype && whole->shape == tensor.shape) {
            std::ranges::move(tensor.pieces, std::back_inserter(whole->pieces));
            return;
        }
    }
    m_data.tensors.push_back(std::move(tensor));
}

void BundleReader::checkShards(Part& part) {
    for (std::size_t i = 0; i < part.shards.size(); ++i) {
        if (!part.shards[i]) {
            continue; // a worker without variables
        }
        const CheckpointFile& file = m_data.files[part.shards[i]->position()];
        if (!file.missing && part.ends[i] > file.identity.size) {
            incomplete(sentence("The shard %1 is truncated", file.path));
            note(Severity::Error,
                 fail(ErrorCode::Truncated, "The shard ends before the end of its tensors")
                     .inFile(file.path)
                     .at(file.identity.size)
                     .butFound(sentence("%1 bytes", file.identity.size))
                     .expecting(verbatim(std::to_string(part.ends[i]))));
        }
    }
}

/// Reports shards without variables, shards of the same prefix from a save with a different shard
/// count, and leftovers of an interrupted save.
void BundleReader::findStrayFiles(Part& part) {
    const std::string inner = folderOf(part.prefix);
    const auto entries =
        entriesOf(inner.empty() ? Result<FolderPtr>(m_folder) : m_folder->openFolder(inner));
    if (!entries) {
        return;
    }
    const std::string_view own = nameOf(part.prefix);
    for (const FolderEntry& entry : *entries) {
        const auto shard = parseShardFile(entry.name);
        const bool ours = shard && shard->prefix == own;
        const bool begun = entry.name.starts_with(std::string(own) + ".") &&
                           entry.name.find(".tempstate", own.size()) != std::string::npos;
        if (ours && shard->count == part.shards.size()) {
            shardFile(part, shard->index);
        } else if (ours) {
            note(Severity::Warning,
                 fail(ErrorCode::StaleShard, "The shard is left over from another save")
                     .inFile(entry.name)
                     .expecting(sentence("a set of %1", part.shards.size())));
        } else if (begun) {
            note(Severity::Warning,
                 fail(ErrorCode::StrayFile, "A save of this checkpoint was interrupted")
                     .inFile(entry.name));
        }
    }
}

/// Entries of the same dtype and shape at the same bytes: tied tensors, which Cairn writes once.
void BundleReader::joinTied() {
    struct Located {
        FileIndex file;
        ByteRange bytes;
        std::size_t tensor = 0;
        [[nodiscard]] auto key() const {
            return std::tuple(file, bytes.offset, bytes.length, tensor);
        }
    };
    std::vector<Located> all;
    for (std::size_t i = 0; i < m_data.tensors.size(); ++i) {
        const TensorEntry& tensor = m_data.tensors[i];
        if (tensor.pieces.size() == 1 && tensor.pieces.front().bytes.length > 0 &&
            !hasStrings(tensor.dtype)) {
            all.push_back({tensor.pieces.front().file, tensor.pieces.front().bytes, i});
        }
    }
    std::ranges::sort(all, {}, &Located::key);
    for (std::size_t i = 1, first = 0; i < all.size(); ++i) {
        if (all[i].file != all[first].file || all[i].bytes != all[first].bytes) {
            first = i;
            continue;
        }
        const TensorEntry& stored = m_data.tensors[all[first].tensor];
        TensorEntry& tensor = m_data.tensors[all[i].tensor];
        if (tensor.dtype == stored.dtype && tensor.shape == stored.shape) {
            tensor.aliasOf = TensorIndex(all[first].tensor);
        }
    }
}

void BundleReader::takeRoles() {
    OptimizerPlaces optimizers;
    for (const TensorEntry& tensor : m_data.tensors) {
        optimizers.see(tensor.name);
    }
    for (TensorEntry& tensor : m_data.tensors) {
        tensor.role = roleOf(tensor.name, tensor.dtype, optimizers);
    }
}

/// Reads one number from a shard; empty if that fails.
std::optional<double> BundleReader::scalarAt(const TensorEntry& tensor) const {
    const std::uint32_t bits = dtypeInfo(tensor.dtype).bits;
    if (!tensor.shape.empty() || tensor.pieces.size() != 1 || !hasNumericElements(tensor.dtype)) {
        return std::nullopt;
    }
    const Piece& piece = tensor.pieces.front();
    const CheckpointFile& file = m_data.files[piece.file.position()];
    const auto source = file.missing ? Result<ByteSourcePtr>(fail(ErrorCode::MissingShard, ""))
                                     : m_folder->openFile(file.path);
    std::array<std::byte, 8> bytes{};
    const auto element = std::span(bytes).first(std::min<std::size_t>(bits / 8, bytes.size()));
    if (!source || !(*source)->readAt(piece.bytes.offset, element)) {
        return std::nullopt;
    }
    const auto known = std::ranges::find_if(m_data.checksums, [&](const StoredChecksum& stored) {
        return stored.file == piece.file && stored.bytes == piece.bytes;
    });
    if (known != m_data.checksums.end() && known->kind.update(0, element) != known->crc32) {
        return std::nullopt; // `check` reports it
    }
    if (piece.flags.swapBytes) {
        std::ranges::reverse(element);
    }
    const double value = elementAsDouble(tensor.dtype, element);
    return std::isfinite(value) && std::abs(value) < 9e15 ? std::optional(value) : std::nullopt;
}

void BundleReader::takePosition() {
    int stepBest = 0;
    int epochBest = 0;
    for (const TensorEntry& tensor : m_data.tensors) {
        if (!tensor.shape.empty()) {
            continue;
        }
        const int step = stepRank(tensor.name);
        const int epoch = epochRank(tensor.name);
        if (step != 0 && (stepBest == 0 || step < stepBest)) {
            if (const auto value = scalarAt(tensor)) {
                m_data.step = static_cast<std::int64_t>(*value);
                stepBest = step;
            }
        }
        if (epoch != 0 && (epochBest == 0 || epoch < epochBest)) {
            if (const auto value = scalarAt(tensor)) {
                m_data.epoch = value;
                epochBest = epoch;
            }
        }
    }
}

void BundleReader::takeValues() {
    std::vector<ScalarValue> scalars;
    std::optional<GraphPlace> graph;
    for (std::size_t i = 0; i < m_data.tensors.size(); ++i) {
        const TensorEntry& tensor = m_data.tensors[i];
        if (tensor.name == kObjectGraphKey && tensor.pieces.size() == 1) {
            const Piece& piece = tensor.pieces.front();
            if (const auto& codec = m_data.codecs[piece.codec]) { // null: not a string
                graph =
                    GraphPlace{m_folder, m_data.files[piece.file.position()].path, tensor, codec};
            }
        } else if (tensor.shape.empty() && hasNumericElements(tensor.dtype) &&
                   scalars.size() < kMaxScalars) {
            scalars.push_back({std::string(withoutValueSuffix(tensor.name)), TensorIndex(i)});
        }
    }
    m_data.loadValues = [scalars = std::move(scalars), graph](const CancelToken& cancel) {
        return valuesOf(scalars, graph, cancel);
    };
}

void BundleReader::finish() {
    joinTied();
    takeRoles();
    takePosition();
    takeValues();
    for (CheckpointFile& file : m_data.files) {
        file.role = file.path.ends_with(".index") ? Role::Other : Role::Weight;
    }
    if (m_data.completeness == Completeness::Unknown) {
        m_data.completeness = Completeness::Complete;
    }
}

} // namespace cairn::formats::tensorflow
