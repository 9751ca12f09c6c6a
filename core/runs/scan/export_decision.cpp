// SPDX-License-Identifier: Apache-2.0
#include "core/runs/scan/export_decision.h"

#include "core/codec/json/json_value.h"
#include "core/runs/scan/scan_relations.h"

#include <sys/stat.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <string_view>
#include <utility>

namespace cairn {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kManifestEnding = ".cairn.json";
/// Jobs whose outputs are never a state from which training resumes.
constexpr auto kJobsOfModels =
    std::to_array<std::string_view>({"average", "cast", "export", "fold"});

std::string memberText(const JsonValue* object, std::string_view key) {
    const JsonValue* value = object != nullptr ? object->find(key) : nullptr;
    const auto text = value != nullptr ? value->asString() : Result<std::string_view>("");
    return text ? std::string(*text) : std::string();
}

Decided<bool> lacksStateIn(const JsonValue& root, const fs::path& manifest) {
    const std::string job = memberText(&root, "job");
    const JsonValue* options = root.find("options");
    std::vector<Claim<bool>> claims;
    const auto claim = [&](bool lacks, std::string_view id, std::string_view field, Sentence says) {
        claims.push_back({lacks,
                          {Strength::Recorded,
                           id,
                           std::move(says),
                           {.file = manifest, .field = std::string(field)}}});
    };
    const JsonValue* leftOut = root.find("left_out");
    if (leftOut != nullptr && !leftOut->elements().empty()) {
        claim(true, "job-left-out", "left_out", "the job left tensors out");
    }
    if (const std::string only = memberText(options, "only"); !only.empty() && only != "all") {
        claim(true, "job-selected", "options.only", sentence("the job selected %1", only));
    }
    if (std::ranges::find(kJobsOfModels, job) != kJobsOfModels.end()) {
        claim(true, "job-of-models", "job", sentence("the job is %1", job));
    }
    if (const std::string dtype = memberText(options, "dtype"); !dtype.empty() && dtype != "keep") {
        claim(true, "job-cast", "options.dtype", sentence("the job wrote the dtype %1", dtype));
    }
    if (memberText(options, "bundle") == "true" || memberText(options, "to") == "gguf") {
        claim(true, "job-bundle", "options", "the job wrote a model for inference");
    }
    // Without the lists in which a job states what it leaves out, nothing shows that it wrote all.
    if (claims.empty() && !job.empty() && options != nullptr && leftOut != nullptr) {
        claim(false, "job-wrote-all", "job", sentence("the job %1 wrote everything", job));
    }
    return decide(std::move(claims));
}

std::optional<FoundExport::Source> sourceIn(const JsonValue* object) {
    FoundExport::Source source{memberText(object, "path"), {}};
    if (source.path.empty()) {
        return std::nullopt;
    }
    const JsonValue* files = object->find("files");
    for (const JsonValue& each :
         files != nullptr ? files->elements() : std::span<const JsonValue>()) {
        const JsonValue* bytes = each.find("bytes");
        const JsonValue* time = each.find("mtime_ns");
        source.files.push_back({memberText(&each, "path"),
                                bytes != nullptr ? bytes->asUnsigned().value_or(0) : 0,
                                time != nullptr ? time->asInteger().value_or(0) : 0});
    }
    return source;
}

bool endsWith(const fs::path& path, const fs::path& end) {
    auto at = path.end();
    for (auto part = end.end(); part != end.begin();) {
        if (at == path.begin() || *--at != *--part) {
            return false;
        }
    }
    return true;
}

bool isSameFile(const fs::path& path, const FoundExport::Source::File& file) {
    constexpr std::int64_t kSecond = 1'000'000'000;
    struct stat status {};
    return ::stat(path.c_str(), &status) == 0 &&
           static_cast<std::uint64_t>(status.st_size) == file.bytes &&
           std::int64_t{status.st_mtim.tv_sec} * kSecond + status.st_mtim.tv_nsec ==
               file.modifiedNs;
}

/// A file is recorded relative to the checkpoint's folder, or beside it for a checkpoint that is a
/// file or has several files with a common name.
bool hasFile(const fs::path& checkpoint, const FoundExport::Source::File& file) {
    return isSameFile(checkpoint / file.path, file) ||
           isSameFile(checkpoint.parent_path() / file.path, file);
}

} // namespace

std::optional<FoundExport> readExport(const fs::path& path, std::uint64_t& budget) {
    const auto text = smallText(path, budget);
    if (!text) {
        return std::nullopt;
    }
    budget -= text->size();
    const auto root = parseJson(*text, path.string());
    if (!root || !memberText(&*root, "schema").starts_with("cairn/manifest/")) {
        return std::nullopt; // a MANIFEST.json of another program
    }
    const std::string file = path.string();
    FoundExport found;
    found.manifest = path;
    found.output.path = file.ends_with(kManifestEnding)
                            ? fs::path(file.substr(0, file.size() - kManifestEnding.size()))
                            : path.parent_path();
    const JsonValue* verified = root->find("verified");
    found.output.verified = verified != nullptr && verified->asBool().value_or(false);
    const JsonValue* averaged = root->find("averaged");
    if (auto source = sourceIn(root->find("source"))) {
        found.sources.push_back(*std::move(source));
    }
    for (const JsonValue& member :
         averaged != nullptr ? averaged->elements() : std::span<const JsonValue>()) {
        auto source = sourceIn(&member);
        const bool isNew =
            source && std::ranges::none_of(found.sources, [&](const FoundExport::Source& each) {
                return each.path == source->path;
            });
        if (isNew) {
            found.sources.push_back(*std::move(source));
        }
    }
    found.earlier = memberText(root->find("options"), "delta");
    found.lacksState = lacksStateIn(*root, path);
    return found;
}

std::optional<Evidence> isSource(const fs::path& checkpoint, const FoundExport::Source& source,
                                 const fs::path& manifest) {
    const cairn::Place where{.file = manifest, .field = "source.path"};
    const fs::path named = source.path.has_filename() ? source.path : source.path.parent_path();
    if (named.is_absolute()) {
        std::error_code error;
        const fs::path real = fs::weakly_canonical(named, error);
        if (error || real.lexically_normal() != checkpoint.lexically_normal()) {
            return std::nullopt;
        }
        return Evidence{Strength::Recorded, "manifest-names-path",
                        "the manifest of the output has its path", where};
    }
    if (!endsWith(checkpoint, named) || source.files.empty() ||
        !std::ranges::all_of(source.files, [&](const FoundExport::Source::File& file) {
            return hasFile(checkpoint, file);
        })) {
        return std::nullopt;
    }
    return Evidence{Strength::Proven, "manifest-names-files",
                    "its files have the sizes and times in the manifest of the output", where};
}

} // namespace cairn
