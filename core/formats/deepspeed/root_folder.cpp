// SPDX-License-Identifier: Apache-2.0
#include "core/base/endian.h"
#include "core/base/visible_text.h"
#include "core/formats/deepspeed/file_names.h"
#include "core/formats/deepspeed/folder_reader.h"
#include "core/formats/deepspeed/notices.h"
#include "core/formats/deepspeed/tag_folder.h"

#include <algorithm>
#include <string_view>
#include <utility>

namespace cairn::formats::deepspeed {
namespace {

constexpr std::uint64_t kMaxPointer = 4096;

std::string_view trimmed(std::string_view text) {
    constexpr std::string_view kSpace = " \t\r\n";
    const std::size_t first = text.find_first_not_of(kSpace);
    return first == std::string_view::npos
               ? std::string_view()
               : text.substr(first, text.find_last_not_of(kSpace) - first + 1);
}

/// The tag that a pointer file names; nothing: there is none to be read.
std::optional<std::string> readPointer(const OpenRequest& request, const std::string& name) {
    const auto source = request.folder->openFile(name);
    if (!source || (*source)->size() > kMaxPointer) {
        return std::nullopt;
    }
    const auto bytes = readRange(**source, {0, (*source)->size()});
    if (!bytes) {
        return std::nullopt;
    }
    std::string tag(trimmed(asText(*bytes)));
    return tag.empty() ? std::nullopt : std::optional(std::move(tag));
}

class RootReader {
public:
    explicit RootReader(const OpenRequest& request) : m_request(request) {}

    Result<CheckpointPtr> read() {
        m_latest = readPointer(m_request, "latest");
        collect();
        CheckpointPtr chosen;
        std::string chosenTag;
        for (const std::string& tag : m_tags) {
            CAIRN_CHECK(m_request.cancel.check());
            auto opened = m_request.openNested(tag);
            if (!opened) {
                CAIRN_CHECK(pass(tag, std::move(opened).error()));
                continue;
            }
            const bool whole = (*opened)->completeness() != Completeness::Incomplete;
            if (chosen == nullptr || whole) {
                if (chosen != nullptr) {
                    noteIncomplete(chosenTag, *chosen);
                }
                chosen = std::move(*opened);
                chosenTag = tag;
            } else {
                noteIncomplete(tag, **opened);
            }
            if (whole) {
                break;
            }
        }
        if (chosen == nullptr) {
            return noSave();
        }
        return present(std::move(chosen), chosenTag);
    }

private:
    /// The pointer's tag first, then the others, newest first.
    void collect() {
        std::vector<std::pair<std::int64_t, std::string>> steps;
        for (const FolderEntry& entry : m_request.entries) {
            const auto step = stepOfTag(entry.name);
            if (entry.kind != EntryKind::File && step) {
                steps.emplace_back(*step, entry.name);
            }
        }
        std::ranges::sort(steps, std::ranges::greater());
        const auto add = [&](const std::optional<std::string>& tag) {
            if (tag && std::ranges::find(m_tags, *tag) == m_tags.end()) {
                m_tags.push_back(*tag);
            }
        };
        add(m_latest);
        if (!m_latest) {
            add(readPointer(m_request, "latest_universal"));
        }
        const auto latestStep = m_latest ? stepOfTag(*m_latest) : std::nullopt;
        for (auto& [step, name] : steps) {
            if (latestStep && step > *latestStep) {
                m_newer.push_back(name);
            }
            add(name);
        }
        add(readPointer(m_request, "latest_universal"));
    }

    Result<void> pass(const std::string& tag, Error error) {
        if (error.code == ErrorCode::Cancelled ||
            (error.code == ErrorCode::OutsideFolder && m_latest != tag)) {
            return error;
        }
        if (m_latest == tag) {
            const bool nowhere = error.code == ErrorCode::NotFound;
            m_notices.push_back(
                fail(ErrorCode::BadIndex, nowhere ? "The file latest points nowhere"
                                                  : "What the file latest names cannot be opened")
                    .inFile("latest")
                    .butFound(visibleText(tag))
                    .expecting("the name of a folder beside it")
                    .withHint(error.message));
        } else {
            Error note = error;
            note.where.file = note.where.file.empty() ? tag : note.where.file;
            m_notices.push_back(std::move(note));
        }
        if (!m_firstError) {
            m_firstError = std::move(error);
        }
        return {};
    }

    void noteIncomplete(const std::string& tag, const Checkpoint& checkpoint) {
        m_notices.push_back(
            fail(ErrorCode::BeingWritten, "This save is not whole and was passed over")
                .inFile(tag)
                .butFound(checkpoint.why().empty() ? std::string() : checkpoint.why().front()));
    }

    Error noSave() {
        if (m_latest) {
            Error error = fail(ErrorCode::NotACheckpoint,
                               "The file latest points to no save that can be read")
                              .inFile("latest")
                              .butFound(visibleText(*m_latest))
                              .expecting("the name of a folder beside it");
            error.hint = m_firstError ? m_firstError->message : std::string();
            if (m_firstError && m_firstError->code == ErrorCode::OutsideFolder) {
                error.code = ErrorCode::OutsideFolder;
            }
            return error;
        }
        return m_firstError ? std::move(*m_firstError)
                            : fail(ErrorCode::NotACheckpoint, "There is no save in this folder")
                                  .expecting("a folder global_step… or the one that latest names");
    }

    Result<CheckpointPtr> present(CheckpointPtr chosen, const std::string& tag) {
        CheckpointData data;
        data.format = chosen->format();
        data.framework = chosen->framework();
        data.path = m_request.path;
        append(data, *chosen, {}, tag + "/");
        data.completeness = chosen->completeness();
        data.why.assign(chosen->why().begin(), chosen->why().end());
        data.worldSize = chosen->data().worldSize;
        data.step = chosen->data().step;
        data.epoch = chosen->data().epoch;
        data.loadValues = [chosen](const CancelToken& cancel) { return chosen->values(cancel); };
        for (Error& error : m_notices) {
            addNotice(data, Severity::Warning, std::move(error));
        }
        for (const std::string& name : m_newer) {
            if (name != tag) {
                addNotice(data, Severity::Warning,
                          fail(ErrorCode::BeingWritten,
                               "A newer save lies beside the one that latest names")
                              .inFile(name)
                              .butFound("latest names " + visibleText(m_latest.value_or("")))
                              .withHint("DeepSpeed writes latest when all ranks have saved: this "
                                        "one may not be whole"));
            }
        }
        return Checkpoint::make(std::move(data));
    }

    const OpenRequest& m_request;
    std::optional<std::string> m_latest;
    std::vector<std::string> m_tags;
    std::vector<std::string> m_newer;
    std::vector<Error> m_notices;
    std::optional<Error> m_firstError;
};

} // namespace

Result<CheckpointPtr> readTagFolder(const OpenRequest& request) {
    return TagFolder(request).read();
}

Result<CheckpointPtr> readRootFolder(const OpenRequest& request) {
    return RootReader(request).read();
}

} // namespace cairn::formats::deepspeed
