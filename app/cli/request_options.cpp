// SPDX-License-Identifier: Apache-2.0
#include "app/cli/request_options.h"

#include "app/cli/session.h"
#include "app/cli/transform_options.h"
#include "core/plan/request_fields.h"

#include <array>
#include <deque>
#include <string>
#include <utility>
#include <vector>

namespace cairn::cli {
namespace {

/// Options made of fields; owns their texts.
class OptionTable {
public:
    void add(const RequestField& field, bool required) {
        const std::string letter = field.letter == 0 ? "" : std::string{'-', field.letter, ','};
        m_options.push_back({.flags = m_flags.emplace_back(letter + "--" + std::string(field.name)),
                             .value = field.placeholder,
                             .help = field.help,
                             .join = field.join,
                             .required = required,
                             .choices = field.choices});
    }
    void add(const Option& option) { m_options.push_back(option); }
    [[nodiscard]] std::span<const Option> options() const { return m_options; }

private:
    std::deque<std::string> m_flags;
    std::vector<Option> m_options;
};

OptionTable tableOf(JobKind kind) {
    OptionTable table;
    for (const RequestField& field : requestFields()) {
        if (field.kinds.contains(kind)) {
            table.add(field, field.required.contains(kind));
        }
    }
    return table;
}

template <std::size_t... kIndex>
std::array<OptionTable, sizeof...(kIndex)> tables(std::index_sequence<kIndex...> /*kinds*/) {
    return {tableOf(static_cast<JobKind>(kIndex))...};
}

} // namespace

std::span<const Option> requestOptions(JobKind kind) {
    static const auto kTables = tables(std::make_index_sequence<kJobKinds>());
    return kTables.at(static_cast<std::size_t>(kind)).options();
}

std::span<const Option> planOptions() {
    static const OptionTable kTable = [] {
        OptionTable table;
        for (const RequestField& field : requestFields()) {
            table.add(field, false);
        }
        table.add({"--parts", "N",
                   "For `job run --part`: the number of parts into which the job is divided"});
        return table;
    }();
    return kTable.options();
}

Result<JobRequest> requestOf(JobKind kind, const Arguments& arguments, std::size_t first) {
    JobRequest request;
    request.kind = kind;
    std::vector<std::string> sources;
    for (std::size_t i = first; i < arguments.positionals.size(); ++i) {
        sources.push_back(arguments.at(i));
    }
    CAIRN_CHECK(setSources(request, sources));
    for (const RequestField& field : requestFields()) {
        const auto text = arguments.text(field.name);
        if (text && field.name == "rename") {
            CAIRN_TRY(request.rename, renameRules(arguments)); // which may be in a file
        } else if (text) {
            CAIRN_CHECK(setField(request, field.name, *text));
        }
    }
    return request;
}

} // namespace cairn::cli
