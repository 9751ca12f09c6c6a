// SPDX-License-Identifier: Apache-2.0
#include "core/formats/tensorflow/state_file.h"

#include <algorithm>
#include <cctype>

namespace cairn::formats::tensorflow {
namespace {

constexpr std::size_t kMaxPaths = 100'000;

std::string_view trimmed(std::string_view text) {
    const auto isSpace = [](char c) { return std::isspace(static_cast<unsigned char>(c)) != 0; };
    while (!text.empty() && isSpace(text.front())) {
        text.remove_prefix(1);
    }
    while (!text.empty() && isSpace(text.back())) {
        text.remove_suffix(1);
    }
    return text;
}

bool isOctal(char c) {
    return c >= '0' && c <= '7';
}

/// A quoted string of protobuf's text format; empty: invalid or unterminated.
std::optional<std::string> unquoted(std::string_view text) {
    if (text.size() < 2 || (text.front() != '"' && text.front() != '\'') ||
        text.back() != text.front()) {
        return std::nullopt;
    }
    text = text.substr(1, text.size() - 2);
    std::string out;
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (text[i] != '\\') {
            out += text[i];
            continue;
        }
        if (++i == text.size()) {
            return std::nullopt;
        }
        if (!isOctal(text[i])) {
            constexpr std::string_view kLetters = "ntr";
            constexpr std::string_view kUnescaped = "\n\t\r";
            const std::size_t at = kLetters.find(text[i]);
            out += at == std::string_view::npos ? text[i] : kUnescaped[at];
            continue;
        }
        unsigned value = 0;
        const std::size_t end = std::min(text.size(), i + 3);
        for (; i < end && isOctal(text[i]); ++i) {
            value = value * 8 + static_cast<unsigned>(text[i] - '0');
        }
        --i;
        out += static_cast<char>(value & 0xFFU);
    }
    return out;
}

/// The last component of a path; empty if it does not name a file.
std::string lastPart(std::string path) {
    while (path.ends_with('/')) {
        path.pop_back();
    }
    const std::size_t slash = path.rfind('/');
    path = slash == std::string::npos ? path : path.substr(slash + 1);
    const bool plain =
        path.size() <= 255 && path != "." && path != ".." && path.find('\0') == std::string::npos;
    return plain ? path : std::string();
}

} // namespace

std::optional<StateFile> parseStateFile(std::string_view text) {
    StateFile state;
    bool known = false;
    while (!text.empty()) {
        const std::size_t end = std::min(text.find('\n'), text.size());
        const std::string_view line = trimmed(text.substr(0, end));
        text.remove_prefix(std::min(text.size(), end + 1));
        const std::size_t colon = line.find(':');
        if (colon == std::string_view::npos) {
            continue;
        }
        const std::string_view field = trimmed(line.substr(0, colon));
        const bool isNewest = field == "model_checkpoint_path";
        if (!isNewest && field != "all_model_checkpoint_paths") {
            continue;
        }
        const auto path = unquoted(trimmed(line.substr(colon + 1)));
        if (!path) {
            return std::nullopt;
        }
        known = true;
        const std::string name = lastPart(*path);
        if (isNewest) {
            state.newest = name;
        } else if (!name.empty() && state.all.size() < kMaxPaths) {
            state.all.push_back(name);
        }
    }
    return known ? std::optional(std::move(state)) : std::nullopt;
}

std::string stateFileText(std::string_view prefix) {
    constexpr unsigned char kDelete = 127;
    std::string quoted;
    for (const char c : prefix) {
        const auto byte = static_cast<unsigned char>(c);
        if (c == '"' || c == '\\' || c == '\'') {
            quoted += '\\';
            quoted += c;
        } else if (byte < ' ' || byte >= kDelete) {
            quoted += '\\';
            quoted += static_cast<char>('0' + (byte >> 6U));
            quoted += static_cast<char>('0' + ((byte >> 3U) & 7U));
            quoted += static_cast<char>('0' + (byte & 7U));
        } else {
            quoted += c;
        }
    }
    return "model_checkpoint_path: \"" + quoted + "\"\nall_model_checkpoint_paths: \"" + quoted +
           "\"\n";
}

} // namespace cairn::formats::tensorflow
