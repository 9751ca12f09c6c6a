// SPDX-License-Identifier: Apache-2.0
#include "core/jobs/context/record_folder.h"

#include "core/base/endian.h"
#include "core/io/folder.h"
#include "core/io/user_folder.h"

#include <unistd.h>

namespace cairn {
namespace {

constexpr std::string_view kEnding = ".json";
constexpr std::uint64_t kMaxRecord = std::uint64_t{1} << 20U;

} // namespace

Result<void> RecordFolder::put(FileOps& fileOps, const std::string& name,
                               std::string_view document) const {
    CAIRN_TRY(const FileHandle folder, openUserFolder(fileOps, m_folder));
    const std::string final = name + std::string(kEnding);
    const std::string begun = final + ".new-" + std::to_string(::getpid());
    (void)fileOps.removeFile(folder, begun); // of a killed process with the same id
    CAIRN_TRY(FileHandle file, fileOps.createFile(folder, begun));
    auto written = fileOps.writeAt(file, 0, asBytes(document));
    written = written ? fileOps.close(std::move(file)) : written;
    written = written ? fileOps.replaceOwn(folder, begun, final) : written;
    if (!written) {
        (void)fileOps.removeFile(folder, begun); // the first error is reported
    }
    return written;
}

void RecordFolder::remove(FileOps& fileOps, const std::string& name) const {
    if (const auto folder = fileOps.openFolder(m_folder)) {
        (void)fileOps.removeFile(*folder, name + std::string(kEnding));
    }
}

std::vector<RecordFolder::Record> RecordFolder::list() const {
    std::vector<Record> records;
    const auto folder = Folder::open(m_folder);
    const auto entries = entriesOf(folder);
    if (!entries) {
        return records; // nothing was ever stored
    }
    for (const FolderEntry& entry : *entries) {
        const auto file = entry.name.ends_with(kEnding) ? (*folder)->openFile(entry.name)
                                                        : Result<ByteSourcePtr>(Error());
        if (!file || (*file)->size() > kMaxRecord) {
            continue;
        }
        std::vector<std::byte> bytes(static_cast<std::size_t>((*file)->size()));
        auto json = (*file)->readAt(0, bytes) ? parseJson(asText(bytes), entry.name)
                                              : Result<JsonValue>(Error());
        if (json) {
            records.push_back(
                {entry.name.substr(0, entry.name.size() - kEnding.size()), std::move(*json)});
        }
    }
    return records;
}

std::string textIn(const JsonValue& json, std::string_view key) {
    const JsonValue* value = json.find(key);
    return std::string(value != nullptr ? value->asString().value_or("") : "");
}

std::int64_t numberIn(const JsonValue& json, std::string_view key) {
    const JsonValue* value = json.find(key);
    return value != nullptr ? value->asInteger().value_or(0) : 0;
}

std::vector<std::string> textsIn(const JsonValue& json, std::string_view key) {
    std::vector<std::string> texts;
    if (const JsonValue* list = json.find(key)) {
        for (const JsonValue& text : list->elements()) {
            texts.emplace_back(text.asString().value_or(""));
        }
    }
    return texts;
}

} // namespace cairn
