// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/error_codes.h"
#include "core/base/sentence.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace cairn {

enum class ErrorCode : std::uint8_t {
#define CAIRN_ENUM(value, name, exitClass) value,
    CAIRN_ERROR_CODES(CAIRN_ENUM)
#undef CAIRN_ENUM
};

/// What an error means to a script; see error_codes.h.
enum class ExitClass : std::uint8_t { Failed, Usage, Input, Output, Refused, Interrupted };

std::string_view errorName(ErrorCode code);
ExitClass exitClass(ErrorCode code);

/// The location that an error or notice refers to. Empty parts are unknown.
struct Where {
    std::string file; ///< path as the user would type it, or relative to the checkpoint
    std::optional<std::uint64_t> offset; ///< from the start of the file
    std::string tensor;
    std::string field; ///< in the format's own terms, such as "data_offsets"
};

/// A failure caused by input, files or the system. `message` is one sentence without a path and a
/// final full stop; `found`, `expected` and `hint` (what to do) may be empty. A value type, cheap
/// to move.
struct Error {
    ErrorCode code = ErrorCode::Internal;
    Sentence message;
    Where where;
    Sentence found;
    Sentence expected;
    Sentence hint;

    // Builders, so that an error is written where it is found:
    //   return fail(ErrorCode::Truncated, "The header is truncated")
    //       .at(8).expecting("100 bytes").butFound("12 bytes");
    Error&& inFile(std::string file) &&;
    Error&& at(std::uint64_t offset) &&;
    Error&& inTensor(std::string tensor) &&;
    Error&& inField(std::string field) &&;
    Error&& butFound(Sentence found) &&;
    Error&& expecting(Sentence expected) &&;
    Error&& withHint(Sentence hint) &&;
};

/// Starts an Error; converts into any failed Result (see result.h).
Error fail(ErrorCode code, Sentence message);

/// One line for logs and terminals: message, where, found, expected, hint. Text from files is made
/// safe to print.
std::string describe(const Error& error);

/// How serious a notice about an otherwise usable checkpoint is.
enum class Severity : std::uint8_t { Info, Warning, Error };
std::string_view severityName(Severity severity);
struct Notice {
    Severity severity = Severity::Warning;
    Error error;
};

} // namespace cairn
