// SPDX-License-Identifier: Apache-2.0
#include "core/base/error.h"

#include "core/base/visible_text.h"

#include <array>
#include <utility>

namespace cairn {
namespace {

struct CodeRow {
    std::string_view name;
    ExitClass exitClass;
};

constexpr auto kCodes = std::to_array<CodeRow>({
#define CAIRN_ROW(value, name, exitClass) {name, ExitClass::exitClass},
    CAIRN_ERROR_CODES(CAIRN_ROW)
#undef CAIRN_ROW
});

} // namespace

std::string_view errorName(ErrorCode code) {
    return kCodes.at(static_cast<std::size_t>(code)).name;
}

ExitClass exitClass(ErrorCode code) {
    return kCodes.at(static_cast<std::size_t>(code)).exitClass;
}

std::string_view severityName(Severity severity) {
    switch (severity) {
    case Severity::Info:
        return "info";
    case Severity::Warning:
        return "warning";
    case Severity::Error:
        return "error";
    }
    return "error";
}

Error fail(ErrorCode code, Sentence message) {
    Error error;
    error.code = code;
    error.message = std::move(message);
    return error;
}

Error&& Error::inFile(std::string file) && {
    where.file = std::move(file);
    return std::move(*this);
}
Error&& Error::at(std::uint64_t offset) && {
    where.offset = offset;
    return std::move(*this);
}
Error&& Error::inTensor(std::string tensor) && {
    where.tensor = std::move(tensor);
    return std::move(*this);
}
Error&& Error::inField(std::string field) && {
    where.field = std::move(field);
    return std::move(*this);
}
Error&& Error::butFound(Sentence text) && {
    found = std::move(text);
    return std::move(*this);
}
Error&& Error::expecting(Sentence text) && {
    expected = std::move(text);
    return std::move(*this);
}
Error&& Error::withHint(Sentence text) && {
    hint = std::move(text);
    return std::move(*this);
}

std::string describe(const Error& error) {
    std::string text = visibleText(error.message.text());
    const auto add = [&text](std::string_view label, const std::string& value) {
        if (!value.empty()) {
            text += "; ";
            text += label;
            text += visibleText(value);
        }
    };
    add("file ", error.where.file);
    if (error.where.offset) {
        add("offset ", std::to_string(*error.where.offset));
    }
    add("tensor ", error.where.tensor);
    add("field ", error.where.field);
    add("found ", error.found.text());
    add("expected ", error.expected.text());
    add("", error.hint.text());
    return text;
}

} // namespace cairn
