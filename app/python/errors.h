// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/result.h"

#include <nanobind/nanobind.h>
#include <utility>

namespace cairn::python {

/// An error of the core on its way to Python, where it becomes a cairn.Error.
struct Failure {
    Error error;
};

/// The value of a result. Throws Failure. For code with or without the GIL.
template <class T> T unwrap(Result<T> result) {
    if (!result) {
        throw Failure{std::move(result).error()};
    }
    if constexpr (!std::is_void_v<T>) {
        return *std::move(result);
    }
}

/// The arguments of cairn.Error and cairn.Notice: code, message, file, offset, tensor, field,
/// found, expected, hint; None for unknown parts. REQUIRES: the GIL.
nanobind::dict errorFields(const Error& error);

/// Text from files: valid UTF-8 as it is, other bytes as surrogates, as os.fsdecode() does.
nanobind::object textOf(std::string_view text);

/// Makes Python see Failure as cairn.Error, and Cancelled as KeyboardInterrupt.
void registerErrors();

} // namespace cairn::python
