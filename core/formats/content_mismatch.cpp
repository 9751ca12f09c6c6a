// SPDX-License-Identifier: Apache-2.0
#include "core/formats/content_mismatch.h"

#include <algorithm>
#include <cctype>
#include <string_view>

namespace cairn::formats {
namespace {

bool allZero(std::span<const std::byte> bytes) {
    return std::ranges::all_of(bytes, [](std::byte b) { return b == std::byte{0}; });
}

bool startsWithText(std::span<const std::byte> head, std::string_view text) {
    std::size_t skip = 0;
    while (skip < head.size() && std::isspace(std::to_integer<int>(head[skip])) != 0) {
        ++skip;
    }
    if (head.size() - skip < text.size()) {
        return false;
    }
    return std::equal(text.begin(), text.end(), head.begin() + static_cast<std::ptrdiff_t>(skip),
                      [](char a, std::byte b) {
                          return std::tolower(static_cast<unsigned char>(a)) ==
                                 std::tolower(std::to_integer<int>(b));
                      });
}

} // namespace

std::optional<Error> contentMismatch(std::span<const std::byte> head,
                                     std::span<const std::byte> tail, std::uint64_t size,
                                     const std::string& file) {
    if (size == 0) {
        return fail(ErrorCode::EmptyFile, "The file is empty")
            .inFile(file)
            .at(0)
            .withHint("The save was probably interrupted; use an older checkpoint");
    }
    if (startsWithText(head, "version https://git-lfs")) {
        return fail(ErrorCode::LfsPointer, "A Git LFS pointer instead of the file")
            .inFile(file)
            .at(0)
            .butFound(sentence("%1 bytes of text", size))
            .withHint("Run `git lfs pull` in the repository");
    }
    if (startsWithText(head, "<!doctype html") || startsWithText(head, "<html")) {
        return fail(ErrorCode::HtmlPage, "A web page instead of a checkpoint")
            .inFile(file)
            .at(0)
            .withHint(
                "The download returned a page (a login or an error); download the file itself");
    }
    if (allZero(head) && allZero(tail)) {
        return fail(ErrorCode::ZeroFilled, "The file contains only zeros")
            .inFile(file)
            .at(0)
            .withHint("The data was never written to the disk; use an older checkpoint or copy the "
                      "file again");
    }
    return std::nullopt;
}

} // namespace cairn::formats
