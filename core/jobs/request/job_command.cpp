// SPDX-License-Identifier: Apache-2.0
#include "core/jobs/request/job_command.h"

#include <algorithm>
#include <array>
#include <charconv>

namespace cairn {
namespace {

/// The shortest text that reads back as the same number.
std::string numberText(double number) {
    std::array<char, 32> text{};
    const auto end = std::to_chars(text.data(), text.data() + text.size(), number);
    return {text.data(), end.ptr};
}

std::string sizeText(std::uint64_t bytes) {
    constexpr std::uint64_t kGigabyte = 1'000'000'000;
    constexpr std::uint64_t kMegabyte = 1'000'000;
    if (bytes % kGigabyte == 0) {
        return std::to_string(bytes / kGigabyte) + "GB";
    }
    return bytes % kMegabyte == 0 ? std::to_string(bytes / kMegabyte) + "MB"
                                  : std::to_string(bytes);
}

void addSources(std::vector<std::string>& words, const std::filesystem::path& source,
                const ConsolidateOptions& options) {
    const std::string member =
        options.only.subtree.empty() ? std::string() : "#" + options.only.subtree;
    if (options.average.empty()) {
        words.push_back(source.string() + member);
        return;
    }
    std::string weights;
    bool equal = true;
    for (const AverageMember& each : options.average) {
        words.push_back(each.checkpoint->path().string() + member);
        weights += (weights.empty() ? "" : ",") + numberText(each.weight);
        equal = equal && each.weight == options.average.front().weight;
    }
    if (!equal) {
        words.push_back("--weights=" + weights);
    }
}

void addSharding(std::vector<std::string>& words, const Sharding& sharding) {
    if (sharding.perLayer) {
        words.emplace_back("--per-layer");
    }
    if (sharding.axes.empty()) {
        return;
    }
    std::string numbers;
    std::string dims;
    for (const ShardAxis& axis : sharding.axes) {
        numbers += (numbers.empty() ? "" : "x") + std::to_string(axis.ranks);
        dims += (dims.empty() ? "" : ",") + std::to_string(axis.dim);
    }
    words.push_back((sharding.axes.size() == 1 ? "--ranks=" : "--grid=") + numbers);
    words.push_back("--dim=" + dims);
}

void addTransforms(std::vector<std::string>& words, const ConsolidateOptions& options) {
    if (options.dtype != "keep") {
        words.push_back("--dtype=" + options.dtype);
    }
    std::string patterns;
    for (const std::string& pattern : options.keepFp32) {
        patterns += (patterns.empty() ? "" : ";") + pattern;
    }
    if (!patterns.empty()) {
        words.push_back("--keep-fp32=" + patterns);
    }
    if (options.castAll) {
        words.emplace_back("--cast-all");
    }
    if (options.dequantize) {
        words.emplace_back("--dequantize");
    }
    if (!options.rename.empty()) {
        words.push_back("--rename=" + options.renameText);
    }
}

} // namespace

std::vector<std::string> jobCommand(const std::filesystem::path& source,
                                    const ConsolidateOptions& options) {
    const bool folds = options.job == "fold";
    std::vector<std::string> words{folds                       ? "fold"
                                   : !options.average.empty()  ? "average"
                                   : !options.sharding.empty() ? "reshard"
                                                               : "consolidate"};
    addSources(words, source, options);
    words.push_back("--output=" + options.output.string());
    if (!folds) {
        words.push_back("--to=" + options.to);
        words.push_back("--only=" + options.only.text());
    }
    if (!options.only.without.empty()) {
        words.push_back("--strip=" + rolesText(options.only.without));
    }
    addTransforms(words, options);
    addSharding(words, options.sharding);
    if (options.maxShardBytes > 0) {
        words.push_back("--max-shard-size=" + sizeText(options.maxShardBytes));
    }
    std::string adapters;
    for (const AdapterMember& each : options.adapters) {
        adapters += (adapters.empty() ? "" : "\n") + each.path + "=" + numberText(each.scale);
    }
    if (!adapters.empty()) {
        words.push_back("--adapter=" + adapters);
    }
    if (options.roundsChanges) {
        words.emplace_back("--round-changes");
    }
    if (options.bundle && !folds) {
        words.emplace_back("--bundle");
    }
    if (options.names != "auto") {
        words.push_back("--names=" + options.names);
    }
    if (!options.family.empty()) {
        words.push_back("--family=" + options.family);
    }
    if (!options.like.empty()) {
        std::error_code error;
        words.push_back("--like=" + std::filesystem::absolute(options.like, error).string());
    }
    if (options.mustLoad) {
        words.emplace_back("--require");
        words.emplace_back("loadable");
    }
    if (options.force) {
        words.emplace_back("--force");
    }
    if (options.device != "auto") {
        words.push_back("--device=" + options.device);
    }
    return words;
}

Result<std::vector<std::string>> editCommand(const std::filesystem::path& file,
                                             const HeaderChanges& changes,
                                             const HeaderEditOptions& options, EditRun run) {
    std::vector<std::string> words{"edit", file.string()};
    if (!changes.renameText.empty()) {
        words.push_back("--rename=" + changes.renameText);
    }
    const auto unsayable = [](const std::string& key) {
        return fail(ErrorCode::InvalidArgument, "The command line cannot express this key")
            .inField("__metadata__")
            .butFound(verbatim(key))
            .expecting("a key without `=`, and text without control characters");
    };
    const auto separates = [](const std::string& text) {
        return text.find('\x1f') != std::string::npos || text.find('\0') != std::string::npos;
    };
    for (const auto& [key, value] : changes.set) {
        if (key.empty() || key.find('=') != std::string::npos || separates(key + value)) {
            return unsayable(key);
        }
        words.push_back("--set=" + key + "=" + value);
    }
    for (const std::string& key : changes.unset) {
        if (key.empty() || separates(key)) {
            return unsayable(key);
        }
        words.push_back("--unset=" + key);
    }
    for (const auto& [wanted, option] :
         {std::pair(options.keepBackup, "--keep-backup"), std::pair(options.force, "--force"),
          std::pair(run == EditRun::Apply, "--apply")}) {
        if (wanted) {
            words.emplace_back(option);
        }
    }
    return words;
}

} // namespace cairn
