// SPDX-License-Identifier: Apache-2.0
#include "app/cli/request_options.h"

#include "app/cli/session.h"
#include "app/cli/transform_options.h"
#include "core/plan/request_fields.h"

#include <array>
#include <charconv>
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

/// The options of all jobs, none required, and `more`.
OptionTable tableWith(std::span<const Option> more) {
    OptionTable table;
    for (const RequestField& field : requestFields()) {
        table.add(field, false);
    }
    for (const Option& option : more) {
        table.add(option);
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
    static constexpr auto kOwn = std::to_array<Option>({
        {"--parts", "N", "For `job run --part`: the number of parts into which the job is divided"},
    });
    static const OptionTable kTable = tableWith(kOwn);
    return kTable.options();
}

std::span<const Option> submitOptions() {
    static constexpr auto kOwn = std::to_array<Option>({
        {"--parts", "N", "The number of parts into which the job is divided; 1 without it"},
        {"--each-checkpoint", "RUN",
         "Do the job for each complete checkpoint of this run, instead of SRC; -o is a folder for "
         "the outputs, or contains {name} or {step}. What is done already is skipped"},
        {"--dry-run", "", "Print the commands and the scripts or manifest; submit nothing"},
        {"--logs", "FOLDER",
         "slurm: where the nodes write a log for each task; otherwise a new folder in the user's "
         "state folder"},
        {"--program", "PATH",
         "cairn-cli as the nodes name it; otherwise this program (slurm), or cairn-cli "
         "(kubernetes)"},
        {"--image", "IMAGE", "kubernetes: an image with cairn-cli, by its digest: NAME@sha256:…"},
        {"--volume", "CLAIM=/path",
         "kubernetes: a PersistentVolumeClaim, mounted at the path where this machine has the same "
         "data; may be given several times",
         '\n'},
    });
    static const OptionTable kTable = tableWith(kOwn);
    return kTable.options();
}

Result<JobKind> jobKindNamed(const std::string& name) {
    if (const auto kind = jobKindOf(name)) {
        return *kind;
    }
    return fail(ErrorCode::InvalidArgument, "No such job")
        .butFound(verbatim(name))
        .expecting("consolidate, fold, convert, reshard, export, cast, rename, average, pack or "
                   "unpack");
}

Result<std::size_t> partsOption(const Arguments& arguments) {
    constexpr std::size_t kMost = 100'000;
    const std::string text = arguments.text("parts").value_or("1");
    std::size_t count = 0;
    const auto parsed = std::from_chars(text.data(), text.data() + text.size(), count);
    if (parsed.ec != std::errc() || parsed.ptr != text.data() + text.size() || count < 1 ||
        count > kMost) {
        return fail(ErrorCode::InvalidArgument, "Invalid number of parts")
            .inField("--parts")
            .butFound(verbatim(text))
            .expecting(sentence("1 to %1", kMost));
    }
    return count;
}

Result<JobRequest> requestOf(JobKind kind, const Arguments& arguments, std::size_t first) {
    CAIRN_TRY(JobRequest request, requestWithoutSources(kind, arguments));
    std::vector<std::string> sources;
    for (std::size_t i = first; i < arguments.positionals.size(); ++i) {
        sources.push_back(arguments.at(i));
    }
    CAIRN_CHECK(setSources(request, sources));
    return request;
}

Result<JobRequest> requestWithoutSources(JobKind kind, const Arguments& arguments) {
    JobRequest request;
    request.kind = kind;
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
