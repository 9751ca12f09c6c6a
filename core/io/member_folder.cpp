// SPDX-License-Identifier: Apache-2.0
#include "core/io/member_folder.h"

#include "core/io/prefetch.h"
#include "core/io/system_error.h"

#include <algorithm>
#include <cerrno>
#include <map>
#include <utility>

namespace cairn {
namespace {

/// "./a//b" -> "a/b"; empty: the folder itself; nullopt for names that leave it.
std::optional<std::string> normalized(std::string_view name) {
    std::string plain;
    while (!name.empty()) {
        const std::size_t slash = std::min(name.find('/'), name.size());
        const std::string_view part = name.substr(0, slash);
        name.remove_prefix(std::min(slash + 1, name.size()));
        if (part == "..") {
            return std::nullopt;
        }
        if (!part.empty() && part != ".") {
            plain += (plain.empty() ? "" : "/") + std::string(part);
        }
    }
    return plain;
}

/// The error that the kernel would give for this name if the members were unpacked.
Error notThere(std::string_view relative, const std::filesystem::path& path,
               std::string_view what) {
    const bool outside = !normalized(relative) || relative.starts_with('/');
    return systemError(outside ? EXDEV : ENOENT,
                       outside ? "The name points outside the checkpoint's folder"
                               : sentence("Cannot open the %1", what))
        .inFile((path / relative).string());
}

FileIdentity identityOf(const ByteSource& whole, const ByteRange& bytes) {
    FileIdentity identity = whole.identity();
    identity.size = bytes.length;
    identity.inode ^=
        (bytes.offset + 1) *
        0x9E37'79B9'7F4A'7C15U; // an odd factor: different offsets give different inodes
    return identity;
}

struct Members {
    ByteSourcePtr whole;
    std::map<std::string, ByteRange, std::less<>> files; ///< by full name
};
using MembersPtr = std::shared_ptr<const Members>;

class MemberSource final : public ByteSource, public PartOfSource {
public:
    MemberSource(ByteSourcePtr whole, ByteRange bytes, std::string name)
        : m_whole(std::move(whole)), m_bytes(bytes), m_name(std::move(name)) {}
    std::uint64_t size() const override { return m_bytes.length; }
    const std::string& name() const override { return m_name; }
    FileIdentity identity() const override { return identityOf(*m_whole, m_bytes); }
    Result<void> checkUnchanged() const override { return m_whole->checkUnchanged(); }
    Result<void> readAt(std::uint64_t offset, std::span<std::byte> out) const override {
        if (!ByteRange{offset, out.size()}.fitsInto(size())) {
            return fail(ErrorCode::Truncated, "The read extends beyond the end of the file")
                .inFile(m_name)
                .at(offset)
                .butFound(sentence("%1 bytes in the file", size()));
        }
        return m_whole->readAt(m_bytes.offset + offset, out);
    }
    const ByteSource& whole() const override { return *m_whole; }
    std::uint64_t beginInWhole() const override { return m_bytes.offset; }

private:
    ByteSourcePtr m_whole;
    ByteRange m_bytes;
    std::string m_name;
};

class MembersBelow final : public MemberFolder {
public:
    /// `prefix`: empty, or a folder's full name with a trailing '/'.
    MembersBelow(MembersPtr members, std::string prefix, std::filesystem::path path)
        : MemberFolder(std::move(path)), m_members(std::move(members)),
          m_prefix(std::move(prefix)) {}

    Result<ByteSourcePtr> openFile(std::string_view relative) const override {
        const auto bytes = placeOf(relative);
        if (!bytes) {
            return notThere(relative, path(), "file");
        }
        return makeMemberSource(m_members->whole, *bytes, (path() / relative).string());
    }

    Result<FolderPtr> openFolder(std::string_view relative) const override {
        const auto name = normalized(relative);
        const std::string prefix = name && !name->empty() ? m_prefix + *name + "/" : m_prefix;
        const auto first = m_members->files.lower_bound(prefix);
        if (!name || relative.starts_with('/') || first == m_members->files.end() ||
            !first->first.starts_with(prefix)) {
            return notThere(relative, path(), "folder");
        }
        return FolderPtr(
            std::make_shared<const MembersBelow>(m_members, prefix, path() / relative));
    }

    Result<std::vector<FolderEntry>> list(std::size_t limit) const override {
        std::vector<FolderEntry> entries;
        auto file = m_members->files.lower_bound(m_prefix);
        while (file != m_members->files.end() && file->first.starts_with(m_prefix)) {
            if (entries.size() == limit) {
                return fail(ErrorCode::LimitExceeded, "The folder has too many entries")
                    .inFile(path().string())
                    .expecting(sentence("at most %1", limit));
            }
            const std::string_view rest = std::string_view(file->first).substr(m_prefix.size());
            const std::size_t slash = rest.find('/');
            if (slash == std::string_view::npos) {
                entries.push_back({std::string(rest), EntryKind::File,
                                   identityOf(*m_members->whole, file->second)});
                ++file;
                continue;
            }
            std::string below(rest.substr(0, slash));
            // The first name after all that begin with `below` + '/': '0' is the character after
            // '/'.
            file = m_members->files.lower_bound(m_prefix + below + "0");
            entries.push_back(
                {std::move(below), EntryKind::Folder, identityOf(*m_members->whole, {})});
        }
        std::ranges::stable_sort(
            entries, [](const auto& a, const auto& b) { return naturalLess(a.name, b.name); });
        return entries;
    }

    bool hasFile(std::string_view relative) const override { return placeOf(relative).has_value(); }

    std::optional<ByteRange> placeOf(std::string_view relative) const override {
        const auto name = relative.starts_with('/') ? std::nullopt : normalized(relative);
        const auto file = name ? m_members->files.find(m_prefix + *name) : m_members->files.end();
        return file == m_members->files.end() ? std::nullopt : std::optional(file->second);
    }

private:
    MembersPtr m_members;
    std::string m_prefix;
};

} // namespace

ByteSourcePtr makeMemberSource(ByteSourcePtr whole, ByteRange bytes, std::string name) {
    return std::make_shared<MemberSource>(std::move(whole), bytes, std::move(name));
}

FolderPtr makeMemberFolder(ByteSourcePtr whole, std::span<const FolderMember> members,
                           std::filesystem::path path) {
    auto kept = std::make_shared<Members>();
    kept->whole = std::move(whole);
    for (const FolderMember& member : members) {
        if (auto name = normalized(member.name); name && !name->empty()) {
            kept->files.insert_or_assign(std::move(*name), member.bytes);
        }
    }
    return std::make_shared<const MembersBelow>(std::move(kept), "", std::move(path));
}

} // namespace cairn
