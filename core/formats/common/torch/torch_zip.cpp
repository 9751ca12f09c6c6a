// SPDX-License-Identifier: Apache-2.0
#include "core/formats/common/torch/torch_zip.h"

#include "core/base/endian.h"
#include "core/base/visible_text.h"
#include "core/formats/common/archives/deflate_codec.h"

#include <algorithm>
#include <memory>
#include <utility>

namespace cairn::formats {
namespace {

constexpr std::uint64_t kMaxPickle = std::uint64_t{8} << 30;
constexpr std::uint64_t kMaxDeflatedPickle =
    std::uint64_t{256} << 20; // real pickles compress to a tenth; a bomb to a thousandth
constexpr std::uint64_t kMaxSmallRecord = 64;

/// torch's rule: the text before the first slash of the first entry; all records are below it.
std::string prefixOf(const ZipArchive& zip) {
    for (const ZipEntry& entry : zip.entries()) {
        const std::size_t slash = entry.name.find('/');
        if (slash != std::string_view::npos) {
            return std::string(entry.name.substr(0, slash + 1));
        }
    }
    return {};
}

Result<bool> readByteOrder(const ZipArchive& zip, const ZipEntry* record) {
    if (record == nullptr) {
        return false; // torch before 2.1 wrote little-endian without this record
    }
    CAIRN_TRY(const auto bytes, zip.readEntry(*record, kMaxSmallRecord));
    const std::string_view text = asText(bytes);
    if (text != "little" && text != "big") {
        return fail(ErrorCode::TorchBadByteOrder,
                    "The record byteorder contains neither little nor big")
            .at(record->localHeaderOffset)
            .inField("byteorder")
            .butFound(verbatim(std::string(text)))
            .expecting("little or big");
    }
    return text == "big";
}

/// Reads the pickle; error offsets become offsets in the file if that is possible.
/// A pickle that does not match its checksum is damage of its values: a notice in `notices`, which
/// stops jobs.
Result<pickle::PickleGraph> readPickle(const ZipArchive& zip, const ZipEntry& record,
                                       std::optional<ByteRange> range,
                                       std::vector<Notice>& notices) {
    if (!record.stored() && record.size > kMaxDeflatedPickle) {
        return fail(ErrorCode::ZipBomb, "The compressed pickle declares an implausible size")
            .at(record.localHeaderOffset)
            .inField("data.pkl")
            .butFound(sentence("%1 bytes from %2", record.size, record.compressedSize))
            .expecting(sentence("at most %1", kMaxDeflatedPickle));
    }
    auto bytes = zip.readEntry(record, kMaxPickle);
    if (!bytes && bytes.error().code == ErrorCode::BadChecksum && record.stored()) {
        notices.push_back({Severity::Error, std::move(bytes).error()});
        CAIRN_TRY(const ByteSourcePtr content, zip.openEntry(record));
        bytes = readRange(*content, {0, content->size()});
    }
    CAIRN_CHECK(bytes);
    auto buffer = std::make_shared<const std::vector<std::byte>>(std::move(*bytes));
    auto graph = pickle::parsePickle(pickle::PickleBytes(std::move(buffer)));
    if (!graph) {
        Error error = std::move(graph).error();
        if (error.where.offset) {
            error.where.offset = *error.where.offset + (range ? range->offset : 0);
        }
        return std::move(error).inField("data.pkl");
    }
    return graph;
}

void noteStrays(TorchArchive& archive) {
    for (const ZipEntry& entry : archive.zip.entries()) {
        if (!entry.name.starts_with(archive.prefix)) {
            archive.notices.push_back(
                {Severity::Warning,
                 fail(ErrorCode::StrayFile, "A record is outside the archive's folder")
                     .at(entry.localHeaderOffset)
                     .butFound(verbatim(std::string(entry.name)))
                     .expecting(sentence("a name below %1", archive.prefix))});
            return;
        }
    }
}

} // namespace

Result<TorchArchive> openTorchArchive(const ByteSourcePtr& source) {
    CAIRN_TRY(ZipArchive zip, openZip(source));
    const std::string prefix = prefixOf(zip);
    const ZipEntry* record = zip.find(prefix + "data.pkl");
    if (record == nullptr) {
        Error error = fail(ErrorCode::TorchNoDataPickle, "The archive does not contain data.pkl")
                          .at(0)
                          .butFound(sentence("%1 records", zip.entries().size()))
                          .expecting(sentence("%1data.pkl", prefix));
        const ZipEntry* inner =
            nullptr; // stable-baselines3 and others put complete torch files into a zip
        for (const ZipEntry& entry : zip.entries()) {
            const bool file = entry.name.ends_with(".pth") || entry.name.ends_with(".pt");
            const bool state = entry.name.find("optim") != std::string::npos;
            inner =
                file && !state && (inner == nullptr || entry.size > inner->size) ? &entry : inner;
        }
        if (inner != nullptr) {
            error.hint = sentence("Unpack the archive: %1 in it is a separate file",
                                  visibleText(inner->name));
        }
        return error;
    }
    std::optional<ByteRange> range;
    if (record->stored()) {
        CAIRN_TRY(range, zip.dataRange(*record));
    }
    CAIRN_TRY(const bool bigEndian, readByteOrder(zip, zip.find(prefix + "byteorder")));
    std::vector<Notice> damage;
    CAIRN_TRY(auto graph, readPickle(zip, *record, range, damage));
    const bool script = zip.find(prefix + "constants.pkl") != nullptr;
    TorchArchive archive{std::move(zip), prefix, std::move(graph), range, bigEndian,
                         script,         {},     std::move(damage)};
    (!archive.notices.empty() ? archive.records.mismatched
     : record->crc32 != 0     ? archive.records.compared
                              : archive.records.unchecked) = 1;
    std::ranges::copy(archive.zip.notices(), std::back_inserter(archive.notices));
    noteStrays(archive);
    if (archive.record("version") == nullptr && archive.record(".data/version") == nullptr) {
        archive.notices.push_back(
            {Severity::Warning,
             fail(ErrorCode::TorchMissingRecord, "The archive has no record version")
                 .withHint("torch.load rejects such a file")});
    }
    return archive;
}

Result<pickle::PickleGraph> readArchivePickle(const TorchArchive& archive, const ZipEntry& record) {
    std::optional<ByteRange> range;
    if (record.stored()) {
        CAIRN_TRY(range, archive.zip.dataRange(record));
    }
    std::vector<Notice> damage;
    CAIRN_TRY(auto graph, readPickle(archive.zip, record, range, damage));
    if (!damage.empty()) {
        return std::move(damage.front().error);
    }
    return graph;
}

const ZipEntry* ZipStorages::entryOf(const std::string& name) {
    const auto entries = m_archive.zip.entries();
    // torch.save writes the records in the order in which the pickle names them.
    const bool follows = m_next < entries.size() && entries[m_next].name == name;
    const ZipEntry* entry = follows ? &entries[m_next] : m_archive.zip.find(name);
    m_next = entry == nullptr ? m_next : static_cast<std::size_t>(entry - entries.data()) + 1;
    return entry;
}

const ZipStorages::Record& ZipStorages::find(const TorchStorage& storage) {
    if (m_last != nullptr && m_lastKey == storage.key) { // usually requested twice in a row
        return *m_last;
    }
    m_lastKey = storage.key;
    const std::string name = m_folder + m_lastKey;
    const ZipEntry* entry = entryOf(name);
    if (entry == nullptr) {
        Record& record = m_missing[m_lastKey];
        record.error = std::make_unique<Error>(
            fail(ErrorCode::TorchMissingRecord, "The data of a tensor is not in the archive")
                .expecting(sentence("a record %1", name)));
        m_last = &record;
        return record;
    }
    Record& record = m_records[static_cast<std::size_t>(entry - m_archive.zip.entries().data())];
    if (record.entry == nullptr) {
        record.entry = entry;
        examine(storage, name.substr(m_archive.prefix.size()), record);
    }
    m_last = &record;
    return record;
}

/// Sets the range, or the error.
void ZipStorages::examine(const TorchStorage& storage, const std::string& name, Record& record) {
    const auto failed = [&](Error error) {
        record.error = std::make_unique<Error>(std::move(error));
    };
    if (!record.entry->stored() || record.entry->size != record.entry->compressedSize) {
        if (m_base != 0) {
            return failed(fail(ErrorCode::Unsupported,
                               "Compressed records of a nested archive are not supported")
                              .inField(name)
                              .withHint("Unpack the outer archive first"));
        }
        // Another compression, contradicting sizes, or an impossible size: the record is not
        // trusted.
        if (const auto opened = m_archive.zip.openEntry(*record.entry); !opened) {
            return failed(opened.error());
        }
    }
    auto range = m_archive.zip.dataRange(*record.entry, &m_headers);
    if (!range) {
        return failed(std::move(range).error());
    }
    record.range = *range;
    const std::uint64_t declared = storage.bytes().value_or(0);
    if (record.entry->size < declared) {
        m_data.notices.push_back(
            {Severity::Error,
             fail(ErrorCode::TorchStorageTooSmall, "A record is smaller than its storage")
                 .at(record.range.offset)
                 .inField(name)
                 .butFound(sentence("%1 bytes", record.entry->size))
                 .expecting(sentence("%1 bytes", declared))});
    }
}

Result<std::uint64_t> ZipStorages::sizeOf(const TorchStorage& storage) {
    const Record& record = find(storage);
    if (record.error) {
        return *record.error;
    }
    return std::min(record.entry->size, storage.bytes().value_or(0));
}

void ZipStorages::place(const TorchStorage& storage, ByteRange bytes, Dtype, Piece& piece) {
    const Record& record = find(storage);
    // torch swaps according to the storage's class, and leaves untyped storages unchanged.
    piece.flags.swapBytes =
        m_archive.bigEndian && storage.dtype && dtypeInfo(*storage.dtype).componentBits > 8;
    if (record.entry->stored()) {
        piece.bytes = {m_base + record.range.offset + bytes.offset, bytes.length};
        return;
    }
    piece.bytes = record.range;
    const auto [codec, isNew] = m_codecs.try_emplace(bytes.offset);
    if (isNew) {
        if (m_deflated == nullptr) {
            m_deflated = indexDeflated(m_archive.zip);
        }
        codec->second = m_data.addCodec(makeDeflateCodec(m_deflated, bytes.offset));
    }
    piece.codec = codec->second;
}

bool ZipStorages::placeInline(std::span<const std::byte> bytes, Piece& piece) {
    if (!m_archive.pickleRange || bytes.empty()) {
        return false;
    }
    const auto buffer = m_archive.graph.buffer();
    const auto offset = static_cast<std::uint64_t>(bytes.data() - buffer.data());
    piece.bytes = {m_base + m_archive.pickleRange->offset + offset, bytes.size()};
    return true;
}

} // namespace cairn::formats
