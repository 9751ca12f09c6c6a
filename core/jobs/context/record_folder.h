// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/result.h"
#include "core/codec/json/json_value.h"
#include "core/io/file_ops.h"

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

/// Small JSON documents in one of the user's folders, one file each: a document is complete or
/// missing, also after a kill.
namespace cairn {

/// Any thread; other processes may use the folder at the same time. An empty path is a folder that
/// the user does not have: nothing is stored.
class RecordFolder {
public:
    explicit RecordFolder(std::filesystem::path folder) : m_folder(std::move(folder)) {}

    /// Replaces the document of that name ("<name>.json"); creates the folder. Fails with the
    /// errors of FileOps.
    Result<void> put(FileOps& fileOps, const std::string& name, std::string_view document) const;
    void remove(FileOps& fileOps, const std::string& name) const; ///< may not exist

    struct Record {
        std::string name; ///< without its extension
        JsonValue json;
    };
    /// In natural order of the names. Other files, and those that are not JSON, are ignored.
    [[nodiscard]] std::vector<Record> list() const;

    [[nodiscard]] const std::filesystem::path& path() const { return m_folder; }

private:
    std::filesystem::path m_folder;
};

// Members of an object; empty or 0 if missing or of another type.
std::string textIn(const JsonValue& json, std::string_view key);
std::int64_t numberIn(const JsonValue& json, std::string_view key);
std::vector<std::string> textsIn(const JsonValue& json, std::string_view key);

} // namespace cairn
