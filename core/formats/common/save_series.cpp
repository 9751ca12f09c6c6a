// SPDX-License-Identifier: Apache-2.0
#include "core/formats/common/save_series.h"

#include "core/base/endian.h"
#include "core/base/visible_text.h"
#include "core/formats/common/folder_notices.h"

#include <algorithm>
#include <string_view>
#include <utility>

namespace cairn::formats {
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
std::optional<std::string> readPointer(const OpenRequest& request, const SaveSeries& series,
                                       std::string_view name) {
    if (name.empty()) {
        return std::nullopt;
    }
    const auto source = request.folder->openFile(name);
    if (!source || (*source)->size() > kMaxPointer) {
        return std::nullopt;
    }
    const auto bytes = readRange(**source, {0, (*source)->size()});
    if (!bytes) {
        return std::nullopt;
    }
    std::string tag(trimmed(asText(*bytes)));
    tag = tag.empty() || series.folderOf == nullptr ? tag : series.folderOf(tag);
    return tag.empty() ? std::nullopt : std::optional(std::move(tag));
}

class RootReader {
public:
    RootReader(const OpenRequest& request, const SaveSeries& series)
        : m_request(request), m_series(series), m_pointer(series.pointer) {}

    Result<CheckpointPtr> read() {
        m_latest = readPointer(m_request, m_series, m_series.pointer);
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
            const auto step = m_series.stepOf(entry.name);
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
            add(readPointer(m_request, m_series, m_series.second));
        }
        const auto latestStep = m_latest ? m_series.stepOf(*m_latest) : std::nullopt;
        for (auto& [step, name] : steps) {
            if (latestStep && step > *latestStep) {
                m_newer.push_back(name);
            }
            add(name);
        }
        add(readPointer(m_request, m_series, m_series.second));
    }

    Result<void> pass(const std::string& tag, Error error) {
        if (error.code == ErrorCode::Cancelled ||
            (error.code == ErrorCode::OutsideFolder && m_latest != tag)) {
            return error;
        }
        if (m_latest == tag) {
            const bool nowhere = error.code == ErrorCode::NotFound;
            m_notices.push_back(fail(ErrorCode::BadIndex,
                                     nowhere
                                         ? "The file " + m_pointer + " points nowhere"
                                         : "What the file " + m_pointer + " names cannot be opened")
                                    .inFile(m_pointer)
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
                               "The file " + m_pointer + " points to no save that can be read")
                              .inFile(m_pointer)
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
                                  .expecting(std::string(m_series.expected));
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
                               "A newer save lies beside the one that " + m_pointer + " names")
                              .inFile(name)
                              .butFound(m_pointer + " names " + visibleText(m_latest.value_or("")))
                              .withHint(std::string(m_series.newerHint)));
            }
        }
        return Checkpoint::make(std::move(data));
    }

    const OpenRequest& m_request;
    const SaveSeries& m_series;
    std::string m_pointer;
    std::optional<std::string> m_latest;
    std::vector<std::string> m_tags;
    std::vector<std::string> m_newer;
    std::vector<Error> m_notices;
    std::optional<Error> m_firstError;
};

} // namespace

Result<CheckpointPtr> readNewestSave(const OpenRequest& request, const SaveSeries& series) {
    return RootReader(request, series).read();
}

} // namespace cairn::formats
