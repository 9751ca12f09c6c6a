// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string_view>

/// The data of this house that is text: the files of resources/families, which are part of the
/// program (cmake/embedded_records.cmake). A file consists of records between blank lines; a record
/// of fields ("key: value", in a fixed order, any of which may be absent) and a text after them.
/// The first record is a comment. Views of literals; any thread.
namespace cairn {

std::span<const std::string_view> classNameRecords();       ///< expected/class_names.h
std::span<const std::string_view> expectedTensorRecords();  ///< expected/expected.h
std::span<const std::string_view> float32ModuleRecords();   ///< expected/float32.h
std::span<const std::string_view> publishedRecipeRecords(); ///< names/conversion.h

/// Takes the next field off a record if it has this key; else empty.
inline std::string_view takeField(std::string_view& record, std::string_view key) {
    if (!record.starts_with(key) || !record.substr(key.size()).starts_with(": ")) {
        return {};
    }
    record.remove_prefix(key.size() + 2);
    const auto end = record.find('\n');
    const std::string_view value = record.substr(0, end);
    record.remove_prefix(end == record.npos ? record.size() : end + 1);
    return value;
}

inline bool isComment(std::string_view record) {
    return record.starts_with('#');
}

} // namespace cairn
