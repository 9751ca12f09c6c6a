// SPDX-License-Identifier: Apache-2.0
#include "core/jobs/verify/recorded_inputs.h"

#include "core/base/other_machine.h"
#include "core/formats/format.h"
#include "core/io/location.h"
#include "core/jobs/record/manifest.h"

#include <algorithm>
#include <utility>

namespace cairn {
namespace {

namespace fs = std::filesystem;

constexpr const char kHint[] = "Name its place with --with PATH";

std::string nameOf(const std::string& recorded) {
    const fs::path path(recorded);
    return path.has_filename() ? path.filename().string() : path.parent_path().filename().string();
}

/// Whether it is a place below the folder that contains the output; a manifest may be from anybody.
bool isInside(const fs::path& recorded) {
    return recorded.is_relative() && std::ranges::find(recorded, fs::path("..")) == recorded.end();
}

Error notBeside(const std::string& recorded, const Sentence& what) {
    return fail(ErrorCode::NotFound,
                sentence("The %1 is not beside the output or the source", what))
        .inFile(recorded)
        .withHint(kHint);
}

/// Whether it names TensorFlow's files without their ends.
bool isPrefix(fs::path place) {
    std::error_code error;
    place += ".index";
    return fs::exists(place, error);
}

} // namespace

RecordedInputs::RecordedInputs(CheckpointPtr source, const fs::path& output,
                               std::span<const fs::path> named, JobContext& context)
    : m_source(std::move(source)), m_sourcePath(absolutePlace(m_source->path())),
      m_around({absolutePlace(output).parent_path(), m_sourcePath.parent_path()}),
      m_context(context) {
    for (const fs::path& each : named) {
        m_named.push_back(absolutePlace(each));
    }
}

std::vector<fs::path> RecordedInputs::places(const std::string& recorded) const {
    const std::string name = nameOf(recorded);
    std::vector<fs::path> places;
    for (const bool sameName : {true, false}) {
        std::ranges::copy_if(m_named, std::back_inserter(places), [&](const fs::path& each) {
            return (each.filename() == name) == sameName;
        });
    }
    for (const fs::path& around : m_around) {
        if (isInside(recorded)) {
            places.push_back(absolutePlace(around / recorded));
        }
        places.push_back(absolutePlace(around / name));
    }
    std::erase_if(places, [](const fs::path& each) {
        std::error_code error; // whether a place on another machine exists is seen by opening it
        return !isOnOtherMachine(each) && !fs::exists(each, error) && !isPrefix(each);
    });
    return places;
}

Result<std::optional<Sentence>> RecordedInputs::difference(const Checkpoint& found,
                                                           const RecordedInput& input) {
    for (const RecordedInput::File& file : input.files) {
        const auto known = std::ranges::find(found.files(), file.path, &CheckpointFile::path);
        if (known == found.files().end()) {
            return std::optional(sentence("%1 is missing", file.path));
        }
        if (known->identity.size != file.bytes) {
            return std::optional(sentence("%1: %2 bytes instead of %3", file.path,
                                          known->identity.size, file.bytes));
        }
        if (!file.sha256.empty()) {
            const FileIndex index(static_cast<std::size_t>(known - found.files().begin()));
            CAIRN_TRY(const std::string digest, sourceDigest(found, index, m_context));
            if (digest != file.sha256) {
                return std::optional(sentence("%1: SHA-256 mismatch", file.path));
            }
        }
    }
    return std::optional<Sentence>();
}

Result<CheckpointPtr> RecordedInputs::find(const RecordedInput& input, const Sentence& what,
                                           bool mayBeSource) {
    std::vector<fs::path> candidates = places(input.path);
    if (mayBeSource || m_sourcePath.filename() == nameOf(input.path)) {
        candidates.insert(candidates.begin(), m_sourcePath);
    }
    std::stable_partition(candidates.begin(), candidates.end(),
                          [&](const fs::path& each) { return !m_used.contains(each); });
    std::optional<Error> refused;
    for (const fs::path& path : candidates) {
        const bool isSource = path == m_sourcePath;
        auto opened = isSource ? Result<CheckpointPtr>(m_source)
                               : openCheckpoint(Location(path), m_context.token());
        CAIRN_CHECK(m_context.proceed());
        if (!opened) {
            const bool isGuess = std::ranges::find(m_named, path) == m_named.end();
            if (isGuess && isOnOtherMachine(path) && opened.error().code == ErrorCode::NotFound) {
                continue;
            }
            refused = refused ? refused : std::move(opened).error();
            continue;
        }
        CAIRN_TRY(const auto differs, difference(**opened, input));
        if (!differs) {
            m_used.insert(path);
            m_usedSource = m_usedSource || isSource;
            return *opened;
        }
        if (!refused) {
            refused = fail(ErrorCode::ChangedOnDisk,
                           sentence("The %1 is not the one of the manifest", what))
                          .inFile(path.string())
                          .butFound(*differs)
                          .withHint(kHint);
        }
    }
    if (refused) {
        return std::move(*refused);
    }
    return notBeside(input.path, what);
}

Result<fs::path> RecordedInputs::folder(const std::string& recorded, const Sentence& what) const {
    for (const fs::path& each : places(recorded)) {
        std::error_code error;
        if (each.filename() == nameOf(recorded) && fs::is_directory(each, error)) {
            return each;
        }
    }
    return notBeside(recorded, what);
}

Result<fs::path> RecordedInputs::checkpoint(const std::string& recorded,
                                            const Sentence& what) const {
    for (const fs::path& each : places(recorded)) {
        if (each.filename() == nameOf(recorded)) {
            return each;
        }
    }
    return notBeside(recorded, what);
}

} // namespace cairn
