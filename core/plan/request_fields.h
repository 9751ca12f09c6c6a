// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/result.h"
#include "core/plan/request.h"

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

/// The one table of a request's options. The words of a recorded command, the options that a
/// manifest records, help, completions and manual page, Python's keyword arguments and the window's
/// controls are made from it: a new option is one row here and its use. Pure; any thread.
namespace cairn {

/// What a value is, for those who let the user enter it.
enum class FieldValue : std::uint8_t {
    Switch, ///< given or not
    Text,
    Choice, ///< one of `choices`, or further texts
    Place,  ///< a path or another Location
    Format, ///< id of a format that can be written; those that FormatInfo::layout has
    Dtype   ///< "keep", a dtype, or a precision with scales
};

/// Whether a manifest records the option: as it is given, always, or never, because the bytes of
/// the output do not depend on it or are described otherwise.
enum class FieldRecord : std::uint8_t { Given, Always, Never };

struct RequestField {
    std::string_view name; ///< "max-shard-size": --max-shard-size SIZE; with `_` in Python
    char letter = 0;       ///< the short form: 'o' for -o; 0: none
    FieldValue value = FieldValue::Text;
    std::string_view placeholder = {}; ///< "SIZE"; empty for switches
    std::string_view help = {};
    std::string_view choices = {};   ///< usual values, separated by spaces
    std::string_view byDefault = {}; ///< what is recorded always if nothing was given
    char join = 0; ///< may be given several times; the values are joined with this separator
    FieldRecord record = FieldRecord::Given;
    JobKinds kinds = {};    ///< that have it
    JobKinds required = {}; ///< that cannot do without
    /// The value as text, which set() reads back; empty: it is the default. Switches: "true".
    std::string (*get)(const JobRequest& request) = nullptr;
    /// Fails with InvalidArgument for a value that it cannot have. Switches ignore the text.
    Result<void> (*set)(JobRequest& request, std::string_view text) = nullptr;

    [[nodiscard]] bool isSwitch() const { return value == FieldValue::Switch; }
    /// The values of a repeatable one.
    [[nodiscard]] std::vector<std::string> values(const JobRequest& request) const;
};

/// In the order of help and records.
std::span<const RequestField> requestFields();
/// Null: there is none of that name.
const RequestField* findRequestField(std::string_view name);

/// Sets the option by its name. Fails with InvalidArgument for unknown names, for options that jobs
/// of this kind do not have, and for invalid values.
Result<void> setField(JobRequest& request, std::string_view name, std::string_view text);

} // namespace cairn
