// SPDX-License-Identifier: Apache-2.0
#include "core/base/endian.h"
#include "core/codec/json/json_value.h"
#include "core/codec/zip/zip_archive.h"
#include "core/formats/common/members/file_data.h"
#include "core/formats/common/torch/torch_zip.h"
#include "core/formats/format.h"
#include "core/formats/torch_export/weights_config.h"
#include "core/model/role_decision.h"

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <string>
#include <utility>

// Archives of torch.export.save and of AOTInductor. README.md has the byte map.

namespace cairn::formats::torch_export {
namespace {

constexpr auto kGlobs = std::to_array<std::string_view>({"*.pt2"});
constexpr std::string_view kZipMagic = "PK\x03\x04";
constexpr std::string_view kConfigEnd = "_weights_config.json";
constexpr std::string_view kConstantsEnd = "_constants_config.json";
/// A model that AOTInductor compiled: its library, and maybe its weights.
constexpr std::string_view kCompiled = "/data/aotinductor/";
constexpr std::string_view kCompiledWeights = "/weights_config.json";
constexpr std::string_view kOldProgram = "serialized_exported_program.json"; // before 2.8
/// Torch zips, whatever their suffix: 2.1 and 2.2 named them ".json".
constexpr auto kOldParts =
    std::to_array<std::string_view>({"serialized_state_dict.pt", "serialized_state_dict.json",
                                     "serialized_constants.pt", "serialized_constants.json"});
constexpr std::uint64_t kMaxConfig = std::uint64_t{256} << 20U;
constexpr std::size_t kMostNotices = 20;

Match probe(const Candidate& candidate) {
    if (candidate.isFolder || !asText(candidate.head).starts_with(kZipMagic)) {
        return Match::No;
    }
    const auto holds = [&](std::string_view name) {
        return asText(candidate.tail).find(name) != std::string_view::npos;
    };
    return holds(kConfigEnd) || holds(kOldProgram) || holds(kCompiled) ? Match::Yes : Match::No;
}

class ExportReader {
public:
    ExportReader(const OpenRequest& request, ByteSourcePtr source, ZipArchive zip)
        : m_request(request), m_source(std::move(source)), m_zip(std::move(zip)),
          m_data(fileData("torch_export", request, *m_source)) {}

    Result<CheckpointPtr> read() {
        m_data.framework = "torch";
        m_data.completeness = Completeness::Complete;
        m_data.notices.assign(m_zip.notices().begin(), m_zip.notices().end());
        CAIRN_CHECK(findByteOrder());
        bool any = false;
        const bool several = severalPrograms();
        for (const ZipEntry& entry : m_zip.entries()) {
            m_program = several ? programOf(entry.name) + "." : "";
            if (entry.name.find(kCompiled) != std::string_view::npos) {
                m_compiled = true;
                if (entry.name.ends_with(kCompiledWeights)) {
                    CAIRN_CHECK(readCompiled(entry));
                    any = true;
                    m_compiledWeights = true;
                }
                continue;
            }
            if (entry.name.ends_with(kConfigEnd) || entry.name.ends_with(kConstantsEnd)) {
                CAIRN_CHECK(readConfig(entry));
                any = any || entry.name.ends_with(kConfigEnd);
            }
        }
        if (m_compiled) {
            CAIRN_CHECK(noteCompiled(any));
        } else if (!any) {
            CAIRN_CHECK(readOld());
        }
        for (Notice& notice : m_data.notices) {
            notice.error.where.file = m_request.name;
        }
        m_data.loadValues = [](const CancelToken&) -> Result<LoadedValues> {
            return LoadedValues(Value::dict({}), {});
        };
        return Checkpoint::make(std::move(m_data));
    }

private:
    /// "enc" of "two/data/weights/enc_weights_config.json"; empty: another entry.
    static std::string programOf(std::string_view entry) {
        const std::size_t at = entry.find(kCompiled);
        if (at != std::string_view::npos && entry.ends_with(kCompiledWeights)) {
            const std::string_view rest = entry.substr(at + kCompiled.size());
            return std::string(rest.substr(0, rest.find('/')));
        }
        const std::string_view name = entry.substr(entry.rfind('/') + 1);
        for (const std::string_view end : {kConfigEnd, kConstantsEnd}) {
            if (name.ends_with(end)) {
                return std::string(name.substr(0, name.size() - end.size()));
            }
        }
        return {};
    }

    /// Their tensors may have the same names, so that each gets its program's in front.
    bool severalPrograms() const {
        std::set<std::string> programs;
        for (const ZipEntry& entry : m_zip.entries()) {
            programs.insert(programOf(entry.name));
        }
        programs.erase("");
        return programs.size() > 1;
    }

    Result<void> findByteOrder() {
        for (const ZipEntry& entry : m_zip.entries()) {
            if (entry.name.ends_with("/byteorder")) {
                CAIRN_TRY(const auto text, m_zip.readEntry(entry, 64));
                m_swap = asText(text) == "big";
            }
        }
        return {};
    }

    Result<void> readConfig(const ZipEntry& entry) {
        CAIRN_TRY(const auto bytes, m_zip.readEntry(entry, kMaxConfig));
        auto json = parseJson(asText(bytes), entry.name);
        if (!json) {
            return std::move(json).error().inFile(m_request.name);
        }
        const std::string folder(entry.name.substr(0, entry.name.rfind('/') + 1));
        const JsonValue* config = json->find("config");
        for (const JsonMember& row :
             config == nullptr ? std::span<const JsonMember>() : config->members()) {
            CAIRN_CHECK(m_request.cancel.check());
            if (auto added = addWeight(folder, row); !added) {
                if (added.error().code == ErrorCode::Cancelled) {
                    return added;
                }
                damage(m_program + row.key, std::move(added).error());
            }
        }
        return {};
    }

    /// {name: [record, sizes, strides, offset]}; each record is a torch zip of one tensor, of which
    /// the weight is a view (load_pt2).
    Result<void> readCompiled(const ZipEntry& entry) {
        CAIRN_TRY(const auto bytes, m_zip.readEntry(entry, kMaxConfig));
        auto json = parseJson(asText(bytes), entry.name);
        if (!json) {
            return std::move(json).error().inFile(m_request.name);
        }
        const std::string folder(entry.name.substr(0, entry.name.find(kCompiled)));
        for (const JsonMember& row : json->members()) {
            CAIRN_CHECK(m_request.cancel.check());
            auto added = addView(folder + "/data/weights/", row);
            if (!added && added.error().code == ErrorCode::Cancelled) {
                return added;
            }
            if (!added) {
                damage(m_program + row.key, std::move(added).error());
            }
        }
        return {};
    }

    Result<void> addView(const std::string& folder, const JsonMember& row) {
        CAIRN_TRY(Payload view, readView(row.value));
        CAIRN_TRY(TensorEntry entry, storedTensor(folder + view.record));
        view.dtype = entry.dtype;
        const bool raw = entry.pieces.size() == 1 && entry.pieces.front().codec == kRawCodec &&
                         entry.pieces.front().strides.empty();
        const auto bytes = raw ? bytesOf(view) : std::nullopt;
        if (elementCount(view.shape).value_or(0) == 0) {
            entry.pieces.clear();
        } else if (!bytes || !bytes->fitsInto(entry.pieces.front().bytes.length)) {
            return fail(ErrorCode::TorchStorageTooSmall, "A record is smaller than its weight")
                .inField(folder + view.record)
                .expecting(sentence("%1 with strides %2", formatDims(view.shape),
                                    formatDims(view.strides)));
        } else {
            Piece& piece = entry.pieces.front();
            piece.box = Box::whole(view.shape);
            piece.bytes = {piece.bytes.offset + bytes->offset, bytes->length};
            piece.strides = view.strides == denseStrides(view.shape) ? Strides() : view.strides;
        }
        entry.name = m_program + row.key;
        entry.shape = view.shape;
        entry.role = modelRole(entry.name);
        m_data.tensors.push_back(std::move(entry));
        return {};
    }

    /// The tensor in a record, which several weights may share.
    Result<TensorEntry> storedTensor(const std::string& name) {
        if (const auto known = m_stored.find(name); known != m_stored.end()) {
            return known->second;
        }
        const ZipEntry* record = m_zip.find(name);
        if (record == nullptr || !record->stored()) {
            return fail(ErrorCode::TorchMissingRecord, "The data of a weight is not in the archive")
                .expecting(verbatim(name));
        }
        CAIRN_TRY(const ByteRange range, m_zip.dataRange(*record, &m_headers));
        const std::size_t before = m_data.tensors.size();
        CAIRN_CHECK(addArchive(range, name, [](const std::string& inner) { return inner; }));
        if (m_data.tensors.size() != before + 1) {
            m_data.tensors.resize(before);
            return fail(ErrorCode::TorchBadTensor, "The record of a weight is not one tensor")
                .inField(name);
        }
        TensorEntry entry = std::move(m_data.tensors.back());
        m_data.tensors.pop_back();
        if (record->crc32 != 0) {
            m_data.checksums.push_back({FileIndex(0), range, record->crc32, name});
        }
        return m_stored.emplace(name, std::move(entry)).first->second;
    }

    /// What the compiler did not write as weights is in the library, which is native code.
    Result<void> noteCompiled(bool any) {
        if (!any) {
            return fail(ErrorCode::Unsupported,
                        "A package of AOTInductor that does not store its weights as tensors")
                .inFile(m_request.name)
                .withHint("Save the exported program with torch.export.save, or compile it with "
                          "aot_inductor.package_constants_on_disk_format=\"pickle_weights\"");
        }
        if (m_compiledWeights && m_data.completeness == Completeness::Complete) {
            m_data.completeness = Completeness::Unknown;
            m_data.why.emplace_back("Constants that the compiler folded are in the compiled "
                                    "library, which is not read");
        }
        return {};
    }

    /// The format before 2.8: state and constants as torch zips inside the zip.
    Result<void> readOld() {
        if (m_zip.find(kOldProgram) == nullptr) {
            return fail(ErrorCode::NotACheckpoint, "The archive does not contain known weights")
                .inFile(m_request.name)
                .expecting(sentence("weights/model%1", kConfigEnd));
        }
        bool any = false;
        for (const std::string_view part : kOldParts) {
            const ZipEntry* record = m_zip.find(part);
            if (record == nullptr) {
                continue;
            }
            any = any || part.starts_with("serialized_state_dict");
            if (record->size == 0) {
                continue; // nothing was saved
            }
            if (auto added = addOldPart(*record); !added) {
                return std::move(added).error().inFile(m_request.name).inField(std::string(part));
            }
        }
        if (!any) {
            damage("", fail(ErrorCode::TorchMissingRecord, "The program's state is missing")
                           .expecting(verbatim(std::string(kOldParts[0]))));
        }
        return {};
    }

    Result<void> addOldPart(const ZipEntry& record) {
        if (!record.stored()) {
            return fail(ErrorCode::Unsupported,
                        "Compressed records of a nested archive are not supported")
                .withHint("Unpack the outer archive first");
        }
        CAIRN_TRY(const ByteRange range, m_zip.dataRange(record, &m_headers));
        if (record.crc32 != 0) {
            m_data.checksums.push_back(
                {FileIndex(0), range, record.crc32, std::string(record.name)});
        }
        return addArchive(range, std::string(record.name), [](std::string name) { return name; });
    }

    void damage(const std::string& name, Error error) {
        m_data.completeness = Completeness::Incomplete;
        if (m_damages++ == 0) {
            m_data.why.push_back(error.message);
        }
        if (m_damages <= kMostNotices) {
            m_data.notices.push_back({Severity::Error, std::move(error).inTensor(name)});
        }
    }

    Result<void> addWeight(const std::string& folder, const JsonMember& row) {
        CAIRN_TRY(const Payload payload, readPayload(row.value));
        const ZipEntry* record = m_zip.find(folder + payload.record);
        if (record == nullptr) {
            return fail(ErrorCode::TorchMissingRecord, "The data of a weight is not in the archive")
                .expecting(sentence("%1%2", folder, payload.record));
        }
        if (!record->stored()) {
            return fail(ErrorCode::Unsupported, "Compressed weights of a .pt2 are not supported")
                .inField(folder + payload.record);
        }
        CAIRN_TRY(const ByteRange range, m_zip.dataRange(*record, &m_headers));
        const std::string name = m_program + row.key;
        return payload.pickled ? addPickled(name, range) : addPlain(name, payload, *record, range);
    }

    Result<void> addPlain(const std::string& name, const Payload& payload, const ZipEntry& record,
                          ByteRange range) {
        const auto bytes = bytesOf(payload);
        if (!bytes || bytes->offset > range.length ||
            bytes->length > range.length - bytes->offset) {
            return fail(ErrorCode::TorchStorageTooSmall, "A record is smaller than its weight")
                .at(range.offset)
                .butFound(sentence("%1 bytes", range.length))
                .expecting(sentence("%1 with strides %2", formatDims(payload.shape),
                                    formatDims(payload.strides)));
        }
        TensorEntry entry;
        entry.name = name;
        entry.dtype = payload.dtype;
        entry.shape = payload.shape;
        entry.role = payload.parameter ? Role::Weight : Role::Buffer;
        if (bytes->length > 0) {
            Piece piece;
            piece.box = Box::whole(payload.shape);
            piece.file = FileIndex(0);
            piece.bytes = {range.offset + bytes->offset, bytes->length};
            piece.strides = payload.strides;
            piece.flags.swapBytes = m_swap && dtypeInfo(payload.dtype).componentBits > 8;
            entry.pieces.push_back(std::move(piece));
            const std::string key = std::to_string(range.offset) + "/" +
                                    std::to_string(bytes->offset) +
                                    std::string(dtypeName(payload.dtype)) +
                                    formatDims(payload.shape) + formatDims(payload.strides);
            const auto [known, isNew] =
                m_places.try_emplace(key, TensorIndex(m_data.tensors.size()));
            if (!isNew) {
                entry.aliasOf = known->second;
            } else if (record.crc32 != 0 && m_checked.emplace(range.offset, true).second) {
                m_data.checksums.push_back(
                    {FileIndex(0), range, record.crc32, std::string(record.name)});
            }
        }
        m_data.tensors.push_back(std::move(entry));
        return {};
    }

    /// Adds a tensor that torch could not write as plain bytes (a subclass, or a sparse tensor).
    Result<void> addPickled(const std::string& name, ByteRange range) {
        return addArchive(range, name, [&](const std::string& inner) {
            return inner == "tensor" ? name : name + "." + inner;
        });
    }

    /// Adds the tensors of a torch zip inside this one. `what`: for messages.
    Result<void> addArchive(ByteRange range, const std::string& what, const auto& rename) {
        auto archive = openTorchArchive(makeSliceSource(m_source, range));
        if (!archive) {
            Error error = std::move(archive).error();
            if (error.where.offset) {
                error.where.offset = *error.where.offset + range.offset;
            }
            return error;
        }
        ZipStorages storages(*archive, m_data, range.offset);
        CAIRN_TRY(TorchObjects objects,
                  readTorchObjects(archive->graph, storages, m_request.cancel));
        const auto shift = static_cast<std::uint32_t>(m_data.tensors.size());
        for (TensorEntry& entry : objects.tensors) {
            entry.name = rename(entry.name);
            if (entry.aliasOf) {
                entry.aliasOf = TensorIndex(entry.aliasOf->position() + shift);
            }
        }
        for (const Sentence& why : objects.why()) {
            m_data.completeness = Completeness::Incomplete;
            m_data.why.push_back(why);
        }
        std::ranges::move(archive->notices, std::back_inserter(m_data.notices));
        adoptObjects(m_data, objects, what + " (decoded)");
        return {};
    }

    const OpenRequest& m_request;
    ByteSourcePtr m_source;
    ZipArchive m_zip;
    ZipHeaderWindow m_headers;
    CheckpointData m_data;
    std::string m_program; ///< in front of the names that are being read
    bool m_swap = false;
    bool m_compiled = false;
    bool m_compiledWeights = false;
    std::size_t m_damages = 0;
    std::map<std::string, TensorEntry> m_stored;
    std::map<std::string, TensorIndex> m_places; ///< by location and layout
    std::map<std::uint64_t, bool> m_checked;     ///< records whose checksum has been added
};

Result<CheckpointPtr> open(const OpenRequest& request) {
    CAIRN_TRY(ByteSourcePtr source, request.openSelf());
    auto zip = openZip(source);
    if (!zip) {
        return std::move(zip).error().inFile(request.name);
    }
    return ExportReader(request, std::move(source), std::move(*zip)).read();
}

} // namespace

extern const FormatInfo kFormat;
const FormatInfo kFormat{.id = "torch_export",
                         .title = "PyTorch exported program",
                         .globs = kGlobs,
                         .probe = probe,
                         .open = open};

} // namespace cairn::formats::torch_export
