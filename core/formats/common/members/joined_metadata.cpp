// SPDX-License-Identifier: Apache-2.0
#include "core/formats/common/members/joined_metadata.h"

#include <algorithm>
#include <map>

namespace cairn::formats {
namespace {

struct Texts {
    std::size_t place = 0;        ///< of the key among all
    std::vector<ValueItem> files; ///< which have it, with their text
    bool equal = true;
};

bool isSameText(const Value& one, const Value& other) {
    const std::string* left = one.asString();
    const std::string* right = other.asString();
    return left != nullptr && right != nullptr && *left == *right;
}

} // namespace

Value joinedMetadata(const std::vector<FileMetadata>& files) {
    std::map<std::string, Texts> keys;
    for (const auto& [file, texts] : files) {
        for (const auto& [key, text] : texts) {
            Texts& known = keys.try_emplace(key, Texts{keys.size(), {}, true}).first->second;
            known.equal =
                known.equal && (known.files.empty() || isSameText(known.files.front().value, text));
            known.files.push_back({Value(file), text});
        }
    }
    std::vector<ValueItem> items(keys.size());
    for (auto& [key, texts] : keys) {
        const bool whole = key == "format" || (texts.equal && texts.files.size() == files.size());
        items[texts.place] = {Value(key), whole ? texts.files.front().value
                                                : Value::dict(std::move(texts.files))};
    }
    return items.empty() ? Value() : Value::dict(std::move(items));
}

} // namespace cairn::formats
