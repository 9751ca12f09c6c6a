// SPDX-License-Identifier: Apache-2.0
#include "core/jobs/bundle/sidecar_code.h"

#include "core/codec/json/json_value.h"

#include <algorithm>
#include <cctype>
#include <optional>

/// Sources: transformers/dynamic_module_utils.py (get_class_from_dynamic_module,
/// get_relative_imports).
namespace cairn {
namespace {

bool isWordCharacter(char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
}

/// "foo.bar" as "foo/bar"; empty if it is not a dotted name.
std::string modulePath(std::string_view name) {
    std::string path;
    for (const char c : name) {
        if (!isWordCharacter(c) && c != '.') {
            return {};
        }
        path += c == '.' ? '/' : c;
    }
    const bool whole = !path.empty() && path.front() != '/' && path.back() != '/' &&
                       path.find("//") == std::string::npos;
    return whole ? path : std::string();
}

/// "modeling_foo.FooModel" names a class in a file.
void addReference(AutoMap& found, std::string_view text) {
    if (text.find("--") != text.npos) {
        found.remote.emplace(text.substr(0, text.rfind('.')));
        return;
    }
    if (const std::string path = modulePath(text.substr(0, text.rfind('.'))); !path.empty()) {
        found.modules.insert(path);
    }
}

void addReferences(AutoMap& found, const JsonValue& value) {
    if (const auto text = value.asString()) {
        addReference(found, *text);
    }
    for (const JsonValue& each : value.elements()) { // [slow tokenizer, fast tokenizer]
        if (const auto text = each.asString()) {
            addReference(found, *text);
        }
    }
}

std::string_view withoutSpace(std::string_view text) {
    while (!text.empty() && std::isspace(static_cast<unsigned char>(text.front())) != 0) {
        text.remove_prefix(1);
    }
    while (!text.empty() && std::isspace(static_cast<unsigned char>(text.back())) != 0) {
        text.remove_suffix(1);
    }
    return text;
}

/// What follows a word and white space at the start; empty: it does not start with that word.
std::optional<std::string_view> after(std::string_view line, std::string_view word) {
    if (!line.starts_with(word) || line.size() == word.size() ||
        isWordCharacter(line[word.size()])) {
        return std::nullopt;
    }
    return withoutSpace(line.substr(word.size()));
}

/// "foo as f, bar" of `from . import`.
void addNames(std::set<std::string>& modules, std::string_view names) {
    while (!names.empty()) {
        const std::size_t end = std::min(names.find(','), names.size());
        std::string_view name = withoutSpace(names.substr(0, end));
        name = name.substr(0, std::min(name.find_first_of(" \t#()\\"), name.size()));
        if (const std::string path = modulePath(name); !path.empty()) {
            modules.insert(path);
        }
        names.remove_prefix(std::min(names.size(), end + 1));
    }
}

void addImport(std::set<std::string>& modules, std::string_view line) {
    const auto from = after(line, "from");
    const auto import = after(line, "import");
    const std::string_view rest = from ? *from : import.value_or("");
    if (!rest.starts_with('.') || rest.starts_with("..")) {
        return;
    }
    const std::string_view dotted = rest.substr(1);
    const std::size_t end = std::min(dotted.find_first_of(" \t"), dotted.size());
    if (end == 0) {
        const auto names = after(withoutSpace(dotted), "import");
        addNames(modules, names.value_or(""));
    } else if (const std::string path = modulePath(dotted.substr(0, end)); !path.empty()) {
        modules.insert(path);
    }
}

} // namespace

AutoMap autoMapOf(std::string_view json) {
    AutoMap found;
    const auto document = parseJson(json, "auto_map");
    const JsonValue* map = document ? document->find("auto_map") : nullptr;
    if (map != nullptr) {
        addReferences(found, *map); // a tokenizer's of old versions
        for (const JsonMember& member : map->members()) {
            addReferences(found, member.value);
        }
    }
    return found;
}

std::set<std::string> relativeImports(std::string_view code) {
    std::set<std::string> modules;
    while (!code.empty()) {
        const std::size_t end = std::min(code.find('\n'), code.size());
        addImport(modules, withoutSpace(code.substr(0, end)));
        code.remove_prefix(std::min(code.size(), end + 1));
    }
    return modules;
}

} // namespace cairn
