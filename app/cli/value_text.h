// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/cli/session.h"
#include "core/base/number.h"
#include "core/model/checkpoint.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace cairn::cli {

/// "2", "2.5", "nan".
std::string numberText(double number);

/// The same without loss: "9007199254740993".
std::string exactText(const Number& number);

/// A measured number for a table, five digits: "0.013248", "1.2e-07"; "-" for NaN.
std::string figureText(double number);

/// Prints the plain values as "name  value" lines with dotted names, at most `limit`: those of the
/// optimizer last, because they are many and rarely useful.
void printValues(Session& session, const Value& values, const Checkpoint& checkpoint,
                 std::size_t limit);

} // namespace cairn::cli
