// SPDX-License-Identifier: Apache-2.0
#include "core/codec/pickle/known_names.h"

#include "core/codec/pickle/known_table.h"

#include <algorithm>
#include <array>
#include <string>

namespace cairn::pickle {
namespace {

constexpr auto kClassPackages = std::to_array<std::string_view>(
    {"torch.nn.", "torch.optim.", "torch.distributions.", "torch.ao.", "torch.quantization.",
     "torch.utils.data.", "torch.distributed.", "torch.amp.", "torch.cuda.amp.", "torch.fx.",
     "torch.export.", "torch.sparse.", "torch.nested."});

/// An identifier that Python's name mangling and protocols do not use.
bool isPlainIdentifier(std::string_view name) {
    return !name.empty() && name[0] != '_' && name.find('.') == std::string_view::npos;
}

bool isStorageClass(GlobalName name) {
    const bool module = name.module == "torch" || name.module == "torch.cuda" ||
                        name.module == "torch.sparse" || name.module == "torch.cuda.sparse";
    constexpr auto kTypes = std::to_array<std::string_view>(
        {"Double", "Float",    "Half",     "Long",          "Int",          "Short", "Char",
         "Byte",   "Bool",     "BFloat16", "ComplexDouble", "ComplexFloat", "QInt8", "QInt32",
         "QUInt8", "QUInt4x2", "QUInt2x4", "Untyped",       "Typed",        ""});
    for (const std::string_view end : {"Storage", "Tensor"}) {
        if (module && name.name.ends_with(end)) {
            return std::ranges::find(kTypes, name.name.substr(0, name.name.size() - end.size())) !=
                   kTypes.end();
        }
    }
    return false;
}

/// Families of names that are all of one kind.
std::optional<Known> knownFamily(GlobalName name) {
    const bool dtype = name.module == "numpy.dtypes" && name.name.ends_with("DType") &&
                       isPlainIdentifier(name.name);
    const bool result = name.module == "torch.return_types" && isPlainIdentifier(name.name);
    if (dtype || result || isStorageClass(name)) {
        return Known::Maker;
    }
    return std::nullopt;
}

std::optional<Known> knownMember(GlobalName name) {
    const std::size_t dot = name.name.rfind('.');
    if (dot == std::string_view::npos) {
        return std::nullopt;
    }
    const std::string_view member = name.name.substr(dot + 1);
    const std::string_view owner = name.name.substr(0, dot);
    if (name.module == "torch._C" &&
        (owner == "_VariableFunctionsClass" || owner == "_VariableFunctions")) {
        return listed(known::kTensorFunctions, member) ? std::optional(Known::Maker) : std::nullopt;
    }
    const bool isEnum = knownName({name.module, owner}) == Known::Enum;
    return isEnum && isPlainIdentifier(member) ? std::optional(Known::Value) : std::nullopt;
}

} // namespace

bool listed(std::string_view list, std::string_view word) {
    if (word.empty() || word.find(' ') != std::string_view::npos) {
        return false;
    }
    for (std::size_t at = list.find(word); at != std::string_view::npos;
         at = list.find(word, at + 1)) {
        const bool begins = at == 0 || list[at - 1] == ' ';
        const std::size_t end = at + word.size();
        if (begins && (end == list.size() || list[end] == ' ')) {
            return true;
        }
    }
    return false;
}

std::optional<Known> knownName(GlobalName name) {
    for (const known::Row& row : known::kRows) {
        if (row.module == name.module && listed(row.names, name.name)) {
            return row.how;
        }
    }
    if (name.module == "torch" && listed(known::kTensorFunctions, name.name)) {
        return Known::Maker;
    }
    const auto family = knownFamily(name);
    return family ? family : knownMember(name);
}

std::array<Role, kRoles> rolesOf(GlobalName name) {
    for (const known::RoleRow& row : known::kRoleRows) {
        if (row.module == name.module && listed(row.names, name.name)) {
            return row.roles;
        }
    }
    return {};
}

bool appliesArguments(const std::array<Role, kRoles>& roles) {
    return std::ranges::any_of(roles, [](Role role) {
        return role == Role::Kept || role == Role::Applied || role == Role::Arguments ||
               role == Role::New || role == Role::Loaded;
    });
}

bool isUnreadClass(GlobalName name) {
    const std::size_t dot = name.name.rfind('.');
    return listed(known::kUnreadClasses,
                  name.name.substr(dot == std::string_view::npos ? 0 : dot + 1));
}

bool inClassPackage(std::string_view module) {
    return std::ranges::any_of(kClassPackages, [&](std::string_view package) {
        return (std::string(module) + ".").starts_with(package);
    });
}

} // namespace cairn::pickle
