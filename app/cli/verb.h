// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/cli/session.h"
#include "core/base/result.h"

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace cairn::cli {

/// One option of a verb, as data: "-o,--output" takes a value named "OUT"; without a value name it
/// is a switch.
struct Option {
    std::string_view flags;
    std::string_view value;
    std::string_view help;
    char join = 0; ///< may be repeated; the values are joined with this separator
    bool required = false;
    std::string_view choices = {}; ///< all values, separated by spaces; empty: any
};

/// The same option as a required one.
constexpr Option required(Option option) {
    option.required = true;
    return option;
}

/// Number of arguments that a positional accepts.
enum class Words : std::uint8_t {
    One,
    OneOrNone,
    OneOrMore, ///< only the last positional: all remaining arguments
    Any,       ///< the same, which may be none
};

struct Positional {
    std::string_view name;
    std::string_view help;
    Words words = Words::One;
    std::string_view choices = {}; ///< as in Option; only for completions
};

/// The arguments after the verb. Options are accessed by their long name without dashes.
class Arguments {
public:
    /// One for each Positional of the verb; for one with `many`, one for each value.
    std::vector<std::optional<std::string>> positionals;
    std::map<std::string, std::string, std::less<>> values;
    std::vector<std::string> rest; ///< what follows after `--`; see Verb::rest

    [[nodiscard]] const std::string& at(std::size_t i) const { return positionals.at(i).value(); }
    [[nodiscard]] bool has(std::string_view option) const { return values.contains(option); }
    [[nodiscard]] std::optional<std::string> text(std::string_view option) const {
        const auto found = values.find(option);
        return found == values.end() ? std::nullopt : std::optional(found->second);
    }
};

/// Where a verb runs whose paths are on another machine.
enum class Work : std::uint8_t {
    AtData, ///< there: it reads values
    Here,   ///< it reads little, which comes here
};

/// A verb is data and one function, in one file; app/CMakeLists.txt lists them. `run` writes to
/// session.out and returns the exit code, or an Error that main prints and converts to one (cli.md,
/// "Exit").
struct Verb {
    std::string_view name;
    std::string_view summary;
    std::span<const Positional> positionals;
    std::span<const Option> options;
    std::array<std::string_view, 3> examples;
    Result<int> (*run)(const Arguments& arguments, Session& session);
    std::string_view rest = {}; ///< help for arguments after `--`, which are for another program
    Work work = Work::AtData;
    bool hidden = false; ///< not for users: in no list of verbs
};

inline constexpr int kExitOk = 0;
inline constexpr int kExitDiffers = 1;
inline constexpr int kExitUsage = 2;

/// In the order of the help.
std::span<const Verb* const> allVerbs();

/// Those that help, completions and the manual page show.
std::vector<const Verb*> listedVerbs();

/// Runs the verb. Fails with its errors; after a cancellation with Cancelled, whatever the verb
/// reports; exceptions become OutOfMemory and Internal.
Result<int> runVerb(const Verb& verb, const Arguments& arguments, Session& session);

/// Arguments of callers that have them by name; options are (long name, value) pairs, with an empty
/// value for switches. Fails: InvalidArgument for what the verb does not have or cannot do without.
Result<Arguments> namedArguments(const Verb& verb, const std::vector<std::string>& positionals,
                                 const std::vector<std::pair<std::string, std::string>>& options);

/// The exit code for an error.
int exitCode(const Error& error);

} // namespace cairn::cli
