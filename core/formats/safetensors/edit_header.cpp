// SPDX-License-Identifier: Apache-2.0
#include "core/formats/safetensors/edit_header.h"

#include "core/base/endian.h"
#include "core/base/visible_text.h"
#include "core/formats/common/safetensors/safetensors_header.h"
#include "core/formats/safetensors/header_entries.h"
#include "core/formats/safetensors/json_text.h"
#include "core/model/names/tied_names.h"

#include <simdjson.h>

#include <algorithm>
#include <unordered_set>

namespace cairn::formats::safetensors {
namespace {

namespace od = simdjson::ondemand;
using Metadata = std::vector<std::pair<std::string, std::string>>;

constexpr std::string_view kMetadata = "__metadata__";

std::string& valueOf(Metadata& metadata, const std::string& key) {
    const auto found =
        std::ranges::find_if(metadata, [&](const auto& item) { return item.first == key; });
    return found != metadata.end() ? found->second : metadata.emplace_back(key, "").second;
}

const std::string* find(const Metadata& metadata, const std::string& key) {
    const auto found =
        std::ranges::find_if(metadata, [&](const auto& item) { return item.first == key; });
    return found == metadata.end() ? nullptr : &found->second;
}

class Editor {
public:
    Editor(const ByteSource& source, const HeaderChanges& changes)
        : m_source(source), m_changes(changes) {}

    Result<EditedHeader> edit() {
        CAIRN_TRY(m_header, readSafetensorsHeader(m_source));
        for (const Notice& notice : m_header.notices) {
            // metadata other than text would be lost
            if (notice.severity == Severity::Error ||
                notice.error.code == ErrorCode::SafetensorsBadMetadata) {
                return notice.error;
            }
        }
        m_edited.dataStart = m_header.dataStart;
        m_edited.entries = m_header.metadata;
        m_edited.mostSize = 8 + kMaxSafetensorsHeader;
        CAIRN_CHECK(renameTensors());
        CAIRN_CHECK(changeMetadata());
        CAIRN_TRY(std::string text, newText());
        m_edited.leastSize = 8 + text.size();
        if (m_edited.leastSize > m_edited.mostSize) {
            return fail(ErrorCode::LimitExceeded, "The new header is too large for this format")
                .inFile(m_source.name())
                .butFound(sentence("%1 bytes", text.size()))
                .expecting(sentence("at most %1", kMaxSafetensorsHeader));
        }
        m_edited.bytes = [text = std::move(text)](std::uint64_t size) {
            std::vector<std::byte> bytes(static_cast<std::size_t>(size), std::byte{' '});
            storeLittle<std::uint64_t>(bytes, 0, size - 8);
            std::ranges::copy(asBytes(text), bytes.begin() + 8);
            return bytes;
        };
        return std::move(m_edited);
    }

private:
    Result<void> renameTensors() {
        for (const SafetensorsTensor& tensor : m_header.tensors) {
            std::string to = m_changes.rename.apply(tensor.name);
            CAIRN_CHECK(takeName(tensor.name, to));
            if (to != tensor.name) {
                m_edited.renamed.push_back({std::string(tensor.name), std::move(to)});
            }
        }
        for (const auto& [key, value] : m_header.metadata) {
            if (key.starts_with("DCP_") && !m_edited.renamed.empty()) {
                return fail(ErrorCode::NotInPlace, "The file is one rank's shard of a set, whose "
                                                   "tensors must keep the same names")
                    .inFile(m_source.name())
                    .inField(key)
                    .withHint(
                        "`cairn-cli rename SRC -o OUT` on the folder writes the complete set");
            }
        }
        return {};
    }

    /// The new name of a tensor, which none of the others may have.
    Result<void> takeName(std::string_view from, const std::string& to) {
        CAIRN_CHECK(checkName(from, to));
        if (!m_taken.insert(to).second) {
            return fail(ErrorCode::DuplicateTensor, "Two tensors would have the same name")
                .inFile(m_source.name())
                .inTensor(std::string(from))
                .butFound(verbatim(to))
                .withHint("Change the rules so that the names stay distinct");
        }
        return {};
    }

    Result<void> checkName(std::string_view from, const std::string& to) const {
        if (to != kMetadata && isValidUtf8(to) && to.empty() == from.empty()) {
            return {};
        }
        return fail(ErrorCode::NameNotRepresentable, "Safetensors cannot store this tensor's name")
            .inFile(m_source.name())
            .inTensor(std::string(from))
            .butFound(verbatim(to))
            .withHint("Use other rules");
    }

    /// A tie contains two names: the tensor that is not stored, and the one whose bytes it shares.
    Result<void> renameTies() {
        bool unclear = false;
        std::unordered_set<std::string_view> tied;
        for (const Tie& tie : tiesOf(m_header)) {
            tied.insert(tie.name);
        }
        for (std::size_t i = 0; i < m_metadata.size(); ++i) {
            auto& [name, kept] = m_metadata[i];
            if (tied.contains(m_header.metadata[i].first)) {
                std::string to = m_changes.rename.apply(name);
                CAIRN_CHECK(takeName(name, to));
                name = std::move(to);
                kept = m_changes.rename.apply(kept);
                unclear = unclear || !names::areParameterNames(name, kept);
            }
        }
        if (unclear && find(m_metadata, std::string(names::kTiesMark)) == nullptr) {
            m_metadata.emplace_back(names::kTiesMark, "all");
        }
        return {};
    }

    Result<void> changeMetadata() {
        m_metadata = m_header.metadata;
        if (!m_changes.rename.empty()) {
            CAIRN_CHECK(renameTies());
        }
        for (const std::string& key : m_changes.unset) {
            if (std::erase_if(m_metadata, [&](const auto& item) { return item.first == key; }) ==
                0) {
                return fail(ErrorCode::InvalidArgument, "No such metadata key")
                    .inFile(m_source.name())
                    .inField("__metadata__")
                    .butFound(verbatim(key))
                    .withHint("`cairn-cli info FILE` shows the keys");
            }
        }
        for (const auto& [key, value] : m_changes.set) {
            if (!isValidUtf8(key) || !isValidUtf8(value)) {
                return fail(ErrorCode::NameNotRepresentable,
                            "Safetensors metadata must be UTF-8 text")
                    .inField("__metadata__." + key);
            }
            valueOf(m_metadata, key) = value;
        }
        listChanges();
        return checkKeys();
    }

    void listChanges() {
        const auto text = [](const std::string* value) {
            return value == nullptr ? std::nullopt : std::optional(*value);
        };
        for (const auto& [key, value] : m_header.metadata) {
            const auto after = text(find(m_metadata, key));
            if (after != value) {
                m_edited.metadata.push_back({key, value, after});
            }
        }
        for (const auto& [key, value] : m_metadata) {
            if (find(m_header.metadata, key) == nullptr) {
                m_edited.metadata.push_back({key, std::nullopt, value});
            }
        }
    }

    Result<void> checkKeys() const {
        std::unordered_set<std::string_view> keys;
        for (const auto& [key, value] : m_metadata) {
            if (!keys.insert(key).second) {
                return fail(ErrorCode::DuplicateTensor,
                            "Two metadata entries would have the same key")
                    .inFile(m_source.name())
                    .inField("__metadata__")
                    .butFound(verbatim(key));
            }
        }
        return {};
    }

    void addMetadata(std::string& text) const {
        if (m_metadata.empty()) {
            return;
        }
        text += text.size() == 1 ? "" : ",";
        text += "\"__metadata__\":{";
        bool first = true;
        for (const auto& [key, value] : m_metadata) {
            text += first ? "" : ",";
            first = false;
            appendQuoted(text, key);
            text += ':';
            appendQuoted(text, value);
        }
        text += '}';
    }

    /// The entries as in the old text, with the new names.
    Result<std::string> newText() {
        const auto length = static_cast<std::size_t>(m_header.dataStart - 8);
        std::string old(length + simdjson::SIMDJSON_PADDING, ' ');
        CAIRN_CHECK(m_source.readAt(8, std::as_writable_bytes(std::span(old.data(), length))));
        od::parser parser;
        od::document document;
        od::object root;
        if (parser.iterate(old.data(), length, old.size()).get(document) != simdjson::SUCCESS ||
            document.get_object().get(root) != simdjson::SUCCESS) {
            return changed();
        }
        std::string text = "{";
        const bool hadAny = !m_header.metadata.empty();
        if (!hadAny) {
            addMetadata(text); // metadata comes first
        }
        for (auto member : root) {
            od::field field;
            od::object entry;
            std::string_view name;
            if (std::move(member).get(field) != simdjson::SUCCESS ||
                field.unescaped_key().get(name) != simdjson::SUCCESS) {
                return changed();
            }
            if (name == kMetadata) {
                if (hadAny) {
                    addMetadata(text);
                }
                continue;
            }
            std::string_view raw;
            if (field.value().get_object().get(entry) != simdjson::SUCCESS ||
                entry.raw_json().get(raw) != simdjson::SUCCESS) {
                return changed();
            }
            text += text.size() == 1 ? "" : ",";
            appendQuoted(text, m_changes.rename.apply(name));
            text += ':';
            text += raw.substr(0, raw.rfind('}') + 1);
        }
        return text + '}';
    }

    Error changed() const {
        return fail(ErrorCode::ChangedOnDisk, "The header changed while it was being read")
            .inFile(m_source.name());
    }

    const ByteSource& m_source;
    const HeaderChanges& m_changes;
    SafetensorsHeader m_header;
    Metadata m_metadata;
    EditedHeader m_edited;
    std::unordered_set<std::string> m_taken; ///< new names
};

} // namespace

Result<EditedHeader> editHeader(const ByteSource& source, const HeaderChanges& changes) {
    return Editor(source, changes).edit();
}

} // namespace cairn::formats::safetensors
