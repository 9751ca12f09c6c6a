// SPDX-License-Identifier: Apache-2.0
#include "core/formats/orbax/random_keys.h"

#include "core/base/endian.h"
#include "core/codec/json/json_value.h"
#include "core/formats/orbax/folder_facts.h"

#include <algorithm>

namespace cairn::formats::orbax {
namespace {

constexpr std::string_view kFolder = "array_metadatas";
constexpr std::string_view kField = "random_key_impl";
constexpr std::uint64_t kMaxFile = std::uint64_t{256} << 20U;

const JsonValue* member(const JsonValue* object, std::string_view key) {
    return object != nullptr ? object->find(key) : nullptr;
}

} // namespace

Result<std::set<std::string, std::less<>>> randomKeys(const Folder& folder,
                                                      std::span<const FolderEntry> entries) {
    std::set<std::string, std::less<>> names;
    if (!has(entries, kFolder, EntryKind::Folder)) {
        return names;
    }
    CAIRN_TRY(const FolderPtr inner, folder.openFolder(kFolder));
    CAIRN_TRY(const auto files, inner->list());
    const auto file = std::ranges::find(files, EntryKind::File, &FolderEntry::kind);
    if (file == files.end()) {
        return names;
    }
    // Every process writes the same list to a separate file.
    CAIRN_TRY(const ByteSourcePtr source, inner->openFile(file->name));
    if (source->size() > kMaxFile) {
        return fail(ErrorCode::LimitExceeded, "The file is too large to be read at once")
            .inFile(source->name())
            .butFound(sentence("%1 bytes", source->size()));
    }
    CAIRN_TRY(const auto bytes, readRange(*source, {0, source->size()}));
    const std::string_view text = asText(bytes);
    if (text.find(kField) == std::string_view::npos) {
        return names; // avoids parsing metadata of 1e5 arrays without a key
    }
    CAIRN_TRY(const JsonValue root, parseJson(text, source->name()));
    const JsonValue* list = root.find("array_metadatas");
    if (list == nullptr || list->kind() != JsonKind::Array) {
        return names;
    }
    for (const JsonValue& each : list->elements()) {
        const JsonValue* array = each.find("array_metadata");
        const JsonValue* kind = member(member(array, "ext_metadata"), kField);
        const JsonValue* name = member(array, "param_name");
        if (name == nullptr || kind == nullptr || !kind->asString()) {
            continue;
        }
        if (const auto called = name->asString()) {
            names.emplace(*called);
        }
    }
    return names;
}

} // namespace cairn::formats::orbax
