// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/checkpoint.h"

#include <QString>
#include <QStringList>

#include <optional>

/// Descriptions of plain values. Results are bounded in length and safe as plain text.
namespace cairn::ui::words {

/// One line: "0.0001", "openhermes-2.5", "[0.9, 0.95]", "40 items", "float32 [64, 64]", "5.1 kB".
/// `checkpoint` resolves tensor references; may be null.
QString value(const Value& value, const Checkpoint* checkpoint);

/// The same with all digits and more of long texts, for tooltips and copying.
QString fullValue(const Value& value, const Checkpoint* checkpoint);

/// Of a number or a boolean; nothing for everything else.
std::optional<double> number(const Value& value);

/// "float", "str", "list", "OrderedDict", "argparse.Namespace", "tensor".
QString valueType(const Value& value);

/// The name of an item in a container: its key, or its position in a list.
QString itemKey(const Value& container, std::size_t position);

/// Python's subscripts for a list of steps: ["args"]["betas"][0]. Empty when a step has no literal
/// (an object as a key).
struct ValueStep {
    const Value* container = nullptr;
    std::size_t position = 0;
};
QString subscripts(const std::vector<ValueStep>& steps);

/// 'text' as a Python literal: quoted and escaped.
QString pythonString(std::string_view text);

} // namespace cairn::ui::words
