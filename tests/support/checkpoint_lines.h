// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <string>
#include <string_view>
#include <vector>

/// What is decided about the checkpoints in tests/data/decisions/checkpoints: the same from every
/// face, a line each in expected_checkpoints.txt. decision_lines.py makes the lines of JSON
/// documents.
namespace cairn::test {

inline std::filesystem::path decisionsFolder(const std::filesystem::path& sources) {
    return sources / "tests/data/decisions";
}

/// In the order of the lines.
inline std::vector<std::filesystem::path> decidedCheckpoints(const std::filesystem::path& sources) {
    std::vector<std::filesystem::path> all;
    for (const auto& each :
         std::filesystem::directory_iterator(decisionsFolder(sources) / "checkpoints")) {
        all.push_back(each.path());
    }
    std::ranges::sort(all);
    return all;
}

inline std::string expectedCheckpoints(const std::filesystem::path& sources) {
    std::ifstream file(decisionsFolder(sources) / "expected_checkpoints.txt");
    return {std::istreambuf_iterator<char>(file), {}};
}

/// The text after "key=" in the checkpoint's line, up to the next key.
inline std::string expectedField(const std::string& lines, const std::string& name,
                                 std::string_view key) {
    const std::size_t line = ("\n" + lines).find("\n" + name + " ");
    const std::size_t end = line == std::string::npos ? line : lines.find('\n', line);
    const std::string fields = line == std::string::npos ? "" : lines.substr(line, end - line);
    const std::size_t at = fields.find(" " + std::string(key) + "=");
    if (at == std::string::npos) {
        return "no " + std::string(key) + " of " + name;
    }
    const std::string text = fields.substr(at + key.size() + 2);
    const std::size_t next = text.find('=');
    return next == std::string::npos ? text : text.substr(0, text.rfind(' ', next));
}

/// "optimizer:2,weight:1"; "-": none.
inline std::string countsOf(const std::vector<std::string>& names) {
    std::map<std::string, std::size_t> counts;
    for (const std::string& name : names) {
        ++counts[name];
    }
    std::string text;
    for (const auto& [name, count] : counts) {
        text += (text.empty() ? "" : ",") + name + ":" + std::to_string(count);
    }
    return text.empty() ? "-" : text;
}

} // namespace cairn::test
