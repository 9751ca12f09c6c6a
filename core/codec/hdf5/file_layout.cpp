// SPDX-License-Identifier: Apache-2.0
//
// The process gets, for each dataset, "TYPE RANK EXTENT… LENGTH PATH" without a separator after the
// path, then for each name of a group "name 0 LENGTH PATH" and "LENGTH TEXT" likewise, and answers
// "dataset OFFSET" lines, "size BYTES", then "page OFFSET" lines with the 4096 bytes of a page
// each, and "end". Its answer is checked: it states places in a file that is written.
#include "core/codec/hdf5/file_layout.h"

#include "core/base/checked.h"
#include "core/base/endian.h"
#include "core/codec/hdf5/index_process.h"
#include "core/io/file_ops.h"

#include <sys/mman.h>

#include <algorithm>
#include <charconv>
#include <optional>
#include <unistd.h>

namespace cairn::hdf5 {
namespace {

constexpr std::uint64_t kMaxMetadata = std::uint64_t{256} << 20U;
constexpr std::size_t kPage = 4096;
constexpr std::string_view kNewFile = "a new file";

std::string textFor(std::span<const NewDataset> datasets, std::span<const NewGroupName> names) {
    std::string text;
    for (const NewDataset& dataset : datasets) {
        text += dataset.type;
        text += ' ' + std::to_string(dataset.shape.size());
        for (const std::uint64_t extent : dataset.shape) {
            text += ' ' + std::to_string(extent);
        }
        text += ' ' + std::to_string(dataset.path.size()) + ' ' + dataset.path;
    }
    for (const NewGroupName& name : names) {
        text += "name 0 " + std::to_string(name.path.size()) + ' ' + name.path;
        text += std::to_string(name.text.size()) + ' ' + name.text;
    }
    return text;
}

Error badAnswer(Sentence found) {
    return fail(ErrorCode::Hdf5Unreadable, "The HDF5 library did not lay out the file")
        .butFound(std::move(found));
}

/// The answer of the process.
class Answer {
public:
    explicit Answer(std::string_view text) : m_rest(text) {}

    /// The number in a line "WORD NUMBER"; empty: another line.
    std::optional<std::uint64_t> line(std::string_view word) {
        const std::size_t end = m_rest.find('\n');
        if (end == std::string_view::npos || !m_rest.starts_with(word) || end <= word.size()) {
            return std::nullopt;
        }
        const std::string_view digits = m_rest.substr(word.size() + 1, end - word.size() - 1);
        std::uint64_t value = 0;
        const auto parsed = std::from_chars(digits.data(), digits.data() + digits.size(), value);
        if (parsed.ec != std::errc() || parsed.ptr != digits.data() + digits.size()) {
            return std::nullopt;
        }
        m_rest.remove_prefix(end + 1);
        return value;
    }
    /// Empty: the text is shorter.
    std::optional<std::string_view> bytes(std::size_t count) {
        if (m_rest.size() < count) {
            return std::nullopt;
        }
        const std::string_view taken = m_rest.substr(0, count);
        m_rest.remove_prefix(count);
        return taken;
    }
    [[nodiscard]] std::string_view rest() const { return m_rest; }

private:
    std::string_view m_rest;
};

/// The ranges of the file outside the elements. Fails if those overlap or are outside.
Result<std::vector<ByteRange>> gapsOf(std::span<const NewDataset> datasets,
                                      const FileLayout& layout) {
    std::vector<ByteRange> taken;
    for (std::size_t i = 0; i < datasets.size(); ++i) {
        if (datasets[i].bytes > 0) {
            taken.push_back({layout.offsets[i], datasets[i].bytes});
        }
    }
    std::ranges::sort(taken, {}, &ByteRange::offset);
    std::vector<ByteRange> gaps;
    std::uint64_t at = 0;
    for (const ByteRange& range : taken) {
        if (!range.fitsInto(layout.size) || range.offset < at) {
            return badAnswer("elements outside the file or in two places");
        }
        gaps.push_back({at, range.offset - at});
        at = range.end();
    }
    gaps.push_back({at, layout.size - at});
    std::erase_if(gaps, [](const ByteRange& gap) { return gap.length == 0; });
    return gaps;
}

} // namespace

Result<FileLayout> readAnswer(std::string_view text, std::span<const NewDataset> datasets) {
    Answer answer(text);
    FileLayout layout;
    while (const auto offset = answer.line("dataset")) {
        layout.offsets.push_back(*offset);
    }
    const auto size = answer.line("size");
    if (!size || layout.offsets.size() != datasets.size()) {
        return badAnswer("an incomplete answer");
    }
    layout.size = *size;
    CAIRN_TRY(const std::vector<ByteRange> gaps, gapsOf(datasets, layout));
    std::uint64_t total = 0;
    for (const ByteRange& gap : gaps) {
        total += gap.length;
    }
    if (total > kMaxMetadata) {
        return fail(ErrorCode::LimitExceeded, "Too many datasets for one HDF5 file")
            .butFound(sentence("%1 bytes beside the elements", total))
            .expecting(sentence("at most %1", kMaxMetadata));
    }
    for (const ByteRange& gap : gaps) {
        layout.literals.emplace(gap.offset,
                                std::vector<std::byte>(static_cast<std::size_t>(gap.length)));
    }
    while (const auto page = answer.line("page")) {
        const auto bytes = answer.bytes(kPage);
        if (!bytes || *page % kPage != 0) {
            return badAnswer("an incomplete page");
        }
        auto gap = layout.literals.upper_bound(*page);
        gap = gap == layout.literals.begin() ? gap : std::prev(gap);
        for (; gap != layout.literals.end() && gap->first < *page + kPage; ++gap) {
            const std::uint64_t from = std::max(gap->first, *page);
            const std::uint64_t to = std::min(gap->first + gap->second.size(), *page + kPage);
            if (from < to) {
                std::ranges::copy(asBytes(bytes->substr(static_cast<std::size_t>(from - *page),
                                                        static_cast<std::size_t>(to - from))),
                                  gap->second.begin() +
                                      static_cast<std::ptrdiff_t>(from - gap->first));
            }
        }
    }
    return answer.rest() == "end\n" ? Result<FileLayout>(std::move(layout))
                                    : badAnswer("an answer without its end");
}

Result<FileLayout> layOutFile(std::span<const NewDataset> datasets,
                              std::span<const NewGroupName> names) {
    const std::string text = textFor(datasets, names);
    const FileHandle request(::memfd_create("cairn-hdf5", MFD_CLOEXEC), std::string(kNewFile));
    for (std::size_t done = 0; request.fd() >= 0 && done < text.size();) {
        const ssize_t written = ::write(request.fd(), text.data() + done, text.size() - done);
        if (written <= 0) {
            return badAnswer("no memory for the request");
        }
        done += static_cast<std::size_t>(written);
    }
    if (request.fd() < 0) {
        return badAnswer("no memory for the request");
    }
    const auto answer = runIndexProcess(request.fd(), {0, text.size()}, std::string(kNewFile), {},
                                        IndexRole::Layout);
    if (!answer) {
        Error error = answer.error();
        if (error.code == ErrorCode::Hdf5Unreadable) {
            error.message = "The HDF5 library did not lay out the file";
        }
        error.where.file.clear();
        return error;
    }
    return readAnswer(*answer, datasets);
}

} // namespace cairn::hdf5
