// SPDX-License-Identifier: Apache-2.0
#include "core/formats/common/members/save_series.h"

#include "core/base/endian.h"
#include "core/base/visible_text.h"
#include "core/formats/common/members/folder_notices.h"

#include <algorithm>
#include <charconv>
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

/// The tag that a pointer file names; empty: it cannot be read.
std::optional<std::string> readPointer(const OpenRequest& request, const SaveSeries& series,
                                       std::string_view name) {
    auto tag = name.empty() ? std::nullopt : readSavePointer(*request.folder, name);
    if (tag && series.folderOf != nullptr) {
        tag = series.folderOf(*tag);
    }
    return !tag || tag->empty() ? std::nullopt : std::move(tag);
}

/// A name's trailing number, and the text before it.
struct NumberedName {
    std::string stem;
    std::optional<std::int64_t> number;

    [[nodiscard]] bool isLike(const NumberedName& other) const {
        return number && other.number && stem == other.stem;
    }
};

NumberedName numberedName(const std::string& name, const SaveSeries& series) {
    if (const auto step = series.stepOf(name)) {
        return {{}, step};
    }
    const std::size_t start = name.find_last_not_of("0123456789") + 1; // 0: only digits
    std::int64_t number = 0;
    const auto result = std::from_chars(name.data() + start, name.data() + name.size(), number);
    return {name.substr(0, start), result.ec == std::errc() ? std::optional(number) : std::nullopt};
}

struct Save {
    std::string folder;
    NumberedName name;
    std::int64_t modifiedNs = 0; ///< the newest modification time of its files
};

constexpr std::size_t kMaxPeeks = 4096; ///< folders whose content is examined, whatever their names

std::vector<Save> findSaves(const OpenRequest& request, const SaveSeries& series) {
    std::vector<Save> saves;
    std::size_t peeks = 0;
    // From the end: if there are more folders than are examined, those with the highest numbers
    // are.
    for (auto entry = request.entries.rbegin(); entry != request.entries.rend(); ++entry) {
        const bool known = series.stepOf(entry->name).has_value();
        if (entry->kind == EntryKind::File || (!known && series.isSave == nullptr) ||
            (!known && (entry->kind != EntryKind::Folder || ++peeks > kMaxPeeks))) {
            continue;
        }
        Save save{entry->name, numberedName(entry->name, series), 0};
        if (series.isSave != nullptr) {
            const auto listed = entriesOf(request.folder->openFolder(entry->name));
            if (!known && (!listed || !series.isSave(*listed))) {
                continue; // an unreadable folder is not a save
            }
            for (std::size_t i = 0; listed && i < listed->size(); ++i) {
                save.modifiedNs = std::max(save.modifiedNs, (*listed)[i].identity.mtimeNs);
            }
        }
        saves.push_back(std::move(save));
    }
    return saves;
}

class RootReader {
public:
    RootReader(const OpenRequest& request, const SaveSeries& series)
        : m_request(request), m_series(series), m_pointer(series.pointer) {}

    Result<CheckpointPtr> read() {
        m_latest = readPointer(m_request, m_series, m_series.pointer);
        notePointer();
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
    /// Reports a pointer file that does not name a save.
    void notePointer() {
        if (m_latest || m_pointer.empty() ||
            std::ranges::find(m_request.entries, m_pointer, &FolderEntry::name) ==
                m_request.entries.end()) {
            return;
        }
        const auto text = readSavePointer(*m_request.folder, m_pointer);
        m_notices.push_back({Severity::Error,
                             fail(ErrorCode::DanglingPointer,
                                  sentence("The file %1 does not name a save", m_pointer))
                                 .inFile(m_pointer)
                                 .butFound(text ? verbatim(visibleText(*text)) : "no readable name")
                                 .expecting("the name of a folder beside it")});
    }

    /// Collects the pointer's tag first, then the others, newest first.
    void collect() {
        std::vector<Save> saves = findSaves(m_request, m_series);
        m_saves = saves.size();
        const bool alike = std::ranges::all_of(
            saves, [&](const Save& each) { return each.name.isLike(saves.front().name); });
        std::ranges::stable_sort(saves, [&](const Save& a, const Save& b) {
            return alike ? *a.name.number > *b.name.number : a.modifiedNs > b.modifiedNs;
        });
        const auto add = [&](const std::optional<std::string>& tag) {
            if (tag && std::ranges::find(m_tags, *tag) == m_tags.end()) {
                m_tags.push_back(*tag);
            }
        };
        add(m_latest);
        if (!m_latest) {
            add(readPointer(m_request, m_series, m_series.second));
        }
        const NumberedName latest = m_latest ? numberedName(*m_latest, m_series) : NumberedName();
        for (const Save& save : saves) {
            if (save.name.isLike(latest) && *save.name.number > *latest.number) {
                m_newer.push_back(save.folder);
            }
            add(save.folder);
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
            m_notices.push_back(
                {Severity::Error,
                 fail(ErrorCode::DanglingPointer,
                      nowhere ? sentence("The file %1 names a missing folder", m_pointer)
                              : sentence("What the file %1 names cannot be opened", m_pointer))
                     .inFile(m_pointer)
                     .butFound(verbatim(visibleText(tag)))
                     .expecting("the name of a folder beside it")
                     .withHint(nowhere ? "No such folder" : error.message)});
        } else {
            Error note = error;
            note.where.file = note.where.file.empty() ? tag : note.where.file;
            m_notices.push_back({Severity::Warning, std::move(note)});
        }
        if (!m_firstError) {
            m_firstError = std::move(error);
        }
        return {};
    }

    void noteIncomplete(const std::string& tag, const Checkpoint& checkpoint) {
        m_notices.push_back(
            {m_latest == tag ? Severity::Error
                             : Severity::Warning, // an error if the pointer names it
             fail(ErrorCode::BeingWritten, "The save is incomplete and was skipped")
                 .inFile(tag)
                 .butFound(checkpoint.why().empty() ? Sentence() : checkpoint.why().front())});
    }

    Error noSave() {
        if (m_latest) {
            Error error = fail(ErrorCode::NotACheckpoint,
                               sentence("The file %1 does not name a readable save", m_pointer))
                              .inFile(m_pointer)
                              .butFound(verbatim(visibleText(*m_latest)))
                              .expecting("the name of a folder beside it");
            const bool nowhere = m_firstError && m_firstError->code == ErrorCode::NotFound;
            error.hint = nowhere        ? Sentence("No such folder, and no other save beside it")
                         : m_firstError ? m_firstError->message
                                        : Sentence();
            if (m_firstError && m_firstError->code == ErrorCode::OutsideFolder) {
                error.code = ErrorCode::OutsideFolder;
            }
            return error;
        }
        return m_firstError ? std::move(*m_firstError)
                            : fail(ErrorCode::NotACheckpoint, "No save in this folder")
                                  .expecting(verbatim(std::string(m_series.expected)));
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
        data.loadValues = [chosen](const CancelToken& cancel) {
            return chosen->valuesWithRecords(cancel);
        };
        if (m_saves > 1) {
            addNotice(
                data, Severity::Info,
                fail(ErrorCode::StrayFile, sentence("The folder contains %1 saves; opened: %2",
                                                    m_saves, visibleText(tag)))
                    .inFile(tag)
                    .withHint("Specify one of the folders to open another save"));
        }
        for (Notice& notice : m_notices) {
            addNotice(data, notice.severity, std::move(notice.error));
        }
        for (const std::string& name : m_newer) {
            if (name != tag) {
                addNotice(
                    data, Severity::Warning,
                    fail(ErrorCode::BeingWritten,
                         sentence("There is a newer save than the one that %1 names", m_pointer))
                        .inFile(name)
                        .butFound(
                            sentence("%1 names %2", m_pointer, visibleText(m_latest.value_or(""))))
                        .withHint(fixedText(m_series.newerHint)));
            }
        }
        return Checkpoint::make(std::move(data));
    }

    const OpenRequest& m_request;
    const SaveSeries& m_series;
    std::string m_pointer;
    std::optional<std::string> m_latest;
    std::vector<std::string> m_tags;
    std::size_t m_saves = 0;
    std::vector<std::string> m_newer;
    std::vector<Notice> m_notices;
    std::optional<Error> m_firstError;
};

} // namespace

std::optional<std::string> readSavePointer(const Folder& folder, std::string_view name) {
    const auto source = folder.openFile(name);
    if (!source || (*source)->size() > kMaxPointer) {
        return std::nullopt;
    }
    const auto bytes = readRange(**source, {0, (*source)->size()});
    const std::string_view tag = bytes ? trimmed(asText(*bytes)) : std::string_view();
    return tag.empty() ? std::nullopt : std::optional<std::string>(tag);
}

Result<CheckpointPtr> readNewestSave(const OpenRequest& request, const SaveSeries& series) {
    return RootReader(request, series).read();
}

} // namespace cairn::formats
