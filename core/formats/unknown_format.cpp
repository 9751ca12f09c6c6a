// SPDX-License-Identifier: Apache-2.0
#include "core/formats/unknown_format.h"

#include "core/base/counted.h"
#include "core/base/endian.h"
#include "core/base/visible_text.h"
#include "core/codec/zip/zip_archive.h"
#include "core/formats/checkpoint_names.h"
#include "core/formats/foreign_files.h"
#include "core/model/names/file_names.h"

#include <algorithm>
#include <utility>

namespace cairn::formats {
namespace {

/// The error for a folder that is not a checkpoint.
Error unknownFolder(const Candidate& candidate) {
    const auto files = filesOfCheckpoints(candidate.entries);
    const std::size_t count = candidate.entries.size();
    Sentence found =
        sentence("%1%2 of a known format", counting(count, "entry", "entries"),
                 count == 1 ? Sentence(", which is not an index") : ", none of which is an index");
    Sentence hint = "`cairn-cli formats` lists what can be read";
    if (!files.empty()) {
        found = files.size() == 1 ? sentence("%1; %2 may be a separate checkpoint", found,
                                             visibleText(files.front()))
                                  : sentence("%1; %2 and %3 more may be separate checkpoints",
                                             found, visibleText(files.front()), files.size() - 1);
        hint = "Open one of its files; `cairn-cli runs` lists everything below a folder that can "
               "be opened";
    }
    return fail(ErrorCode::NotACheckpoint, "Not a checkpoint of a known format")
        .inFile(candidate.path.string())
        .at(0)
        .butFound(std::move(found))
        .withHint(std::move(hint));
}

} // namespace

std::vector<std::string> filesOfCheckpoints(std::span<const FolderEntry> entries) {
    std::vector<std::string> names;
    std::vector<std::string> archives;
    for (const FolderEntry& entry : entries) {
        if (entry.kind == EntryKind::File && !entry.name.starts_with('.') &&
            namesACheckpoint(entry.name) && !isArrayOfData(entry.name)) {
            (entry.name.ends_with(".zip") ? archives : names).push_back(entry.name);
        }
    }
    return names.empty() ? archives : names;
}

Error unknownFormat(const Candidate& candidate) {
    if (candidate.isFolder) {
        auto foreign = foreignFolder(candidate);
        return foreign ? std::move(*foreign) : unknownFolder(candidate);
    }
    if (auto foreign = foreignFile(candidate)) {
        return std::move(*foreign);
    }
    const auto head = candidate.head.first(std::min<std::size_t>(candidate.head.size(), 16));
    return fail(ErrorCode::NotACheckpoint, "Not a checkpoint of a known format")
        .inFile(candidate.path.string())
        .at(0)
        .butFound(sentence("the file begins with \"%1\"", visibleText(asText(head))))
        .withHint("`cairn-cli formats` lists what can be read");
}

std::optional<Error> cutArchive(const Candidate& candidate, const ByteSourcePtr& source) {
    if (!asText(candidate.head).starts_with("PK\3\4")) {
        return std::nullopt;
    }
    auto zip = openZip(source);
    const bool cut = !zip && zip.error().code == ErrorCode::ZipNoDirectory;
    return cut ? std::optional(std::move(zip).error()) : std::nullopt;
}

} // namespace cairn::formats
