// SPDX-License-Identifier: Apache-2.0
//
// The walk: a stack of nodes to be read, the next one on top; interior nodes put their children on
// it in reverse. Heights fall strictly and a place is read once only, so that neither a cycle nor a
// node that many parents share can make it long.
#include "core/codec/ocdbt/ocdbt.h"

#include "core/codec/ocdbt/node.h"

#include <algorithm>
#include <set>
#include <unordered_map>
#include <utility>

namespace cairn::ocdbt {
namespace {

constexpr std::string_view kManifestName = "manifest.ocdbt";
constexpr std::string_view kNumberedStart = "manifest.";
constexpr std::size_t kHexDigits = 16;
constexpr std::uint64_t kMaxManifest = std::uint64_t{16} << 20U;
constexpr std::size_t kMaxPending = 1'100'000;
constexpr std::uint64_t kMaxPendingBytes = std::uint64_t{64} << 20U;

bool isNumberedManifest(std::string_view name) {
    if (name.size() != kNumberedStart.size() + kHexDigits || !name.starts_with(kNumberedStart)) {
        return false;
    }
    return name.find_first_not_of("0123456789abcdef", kNumberedStart.size()) ==
           std::string_view::npos;
}

Error inFile(Error error, const std::string& path, std::uint64_t base) {
    error.where.file = path;
    if (error.where.offset) {
        error.where.offset = *error.where.offset + base;
    }
    return error;
}

class Walk {
public:
    Walk(const Folder& folder, std::string_view base, Store& store, const Visitor& visitor,
         const CancelToken& cancel, const Limits& limits)
        : m_folder(folder), m_base(base), m_store(store), m_visitor(visitor), m_cancel(cancel),
          m_limits(limits) {}

    Result<void> run() {
        CAIRN_TRY(Manifest manifest, readManifest(m_base + std::string(kManifestName)));
        if (manifest.numbered) {
            CAIRN_TRY(const std::string newest, newestManifest());
            CAIRN_TRY(manifest, readManifest(newest));
        }
        m_store.generation = manifest.generation;
        if (!manifest.root) {
            return {};
        }
        const std::uint64_t announced = manifest.root->keys;
        CAIRN_CHECK(push(std::move(*manifest.root)));
        while (!m_pending.empty()) {
            CAIRN_CHECK(m_cancel.check());
            const NodeRef node = std::move(m_pending.back());
            m_pending.pop_back();
            m_pendingBytes -= cost(node);
            CAIRN_CHECK(readNode(node));
        }
        if (m_store.keys != announced) {
            return fail(ErrorCode::OcdbtBadNode,
                        "The B-tree's key count does not match the manifest")
                .inFile(m_base + std::string(kManifestName))
                .butFound(verbatim(std::to_string(m_store.keys)))
                .expecting(verbatim(std::to_string(announced)));
        }
        return {};
    }

private:
    Result<Manifest> readManifest(const std::string& path) {
        CAIRN_TRY(const ByteSourcePtr source, m_folder.openFile(path));
        m_store.files[fileIndex(path)] = {path, source->identity(), true};
        if (source->size() > kMaxManifest) {
            return fail(ErrorCode::LimitExceeded, "The manifest is too large")
                .inFile(path)
                .butFound(sentence("%1 bytes", source->size()));
        }
        CAIRN_TRY(const auto stored, readRange(*source, {0, source->size()}));
        auto body = openEnvelope(stored, kManifestMagic, m_limits);
        if (!body) {
            return inFile(std::move(body).error(), path, 0);
        }
        auto manifest = parseManifest(*body, m_base);
        if (!manifest) {
            return inFile(std::move(manifest).error(), path, 0);
        }
        return manifest;
    }

    Result<std::string> newestManifest() {
        std::vector<FolderEntry> entries;
        if (m_base.empty()) {
            CAIRN_TRY(entries, m_folder.list());
        } else {
            CAIRN_TRY(const FolderPtr inner, m_folder.openFolder(m_base));
            CAIRN_TRY(entries, inner->list());
        }
        std::string newest; // hexadecimal numbers of equal length sort as numbers
        for (const FolderEntry& entry : entries) {
            if (isNumberedManifest(entry.name)) {
                newest = std::max(newest, entry.name);
            }
        }
        if (newest.empty()) {
            return fail(ErrorCode::OcdbtBadManifest, "The numbered manifests are missing")
                .inFile(m_base + std::string(kManifestName))
                .expecting("files such as manifest.0000000000000001");
        }
        return m_base + newest;
    }

    static std::uint64_t cost(const NodeRef& node) {
        return node.prefix.size() + node.file.path.size() + node.file.base.size();
    }

    Result<void> push(NodeRef node) {
        m_pendingBytes += cost(node);
        if (m_pending.size() >= kMaxPending || m_pendingBytes > kMaxPendingBytes) {
            return fail(ErrorCode::LimitExceeded, "The B-tree has too many nodes")
                .inFile(node.file.path);
        }
        m_pending.push_back(std::move(node));
        return {};
    }

    std::uint32_t fileIndex(const std::string& path) {
        const auto [known, fresh] =
            m_files.try_emplace(path, static_cast<std::uint32_t>(m_store.files.size()));
        if (fresh) {
            m_store.files.push_back({path, {}, false});
        }
        return known->second;
    }

    Result<ByteSourcePtr> open(const std::string& path) {
        if (m_open && m_openPath == path) {
            return m_open;
        }
        auto source = m_folder.openFile(path);
        if (!source) {
            if (source.error().code == ErrorCode::NotFound) {
                return fail(ErrorCode::MissingShard, "A file of the B-tree is missing")
                    .inFile(path)
                    .withHint("Copy it from where the checkpoint was saved");
            }
            return std::move(source).error();
        }
        m_store.files[fileIndex(path)] = {path, (*source)->identity(), true};
        m_open = *source;
        m_openPath = path;
        return m_open;
    }

    Result<void> readNode(const NodeRef& node) {
        const std::string& path = node.file.path;
        const bool fresh = m_seen.emplace(fileIndex(path), node.range.offset).second;
        if (!fresh || m_seen.size() > m_limits.maxNodes) {
            return fail(fresh ? ErrorCode::LimitExceeded : ErrorCode::OcdbtBadNode,
                        fresh ? Sentence("The B-tree has too many nodes")
                              : "A B-tree node is referenced twice")
                .inFile(path)
                .at(node.range.offset);
        }
        CAIRN_TRY(const ByteSourcePtr source, open(path));
        if (!node.range.fitsInto(source->size())) {
            return fail(ErrorCode::Truncated, "The file ends before the end of a B-tree node")
                .inFile(path)
                .at(node.range.offset)
                .butFound(sentence("%1 bytes in the file", source->size()))
                .expecting(sentence("%1 bytes from that offset", node.range.length));
        }
        if (node.range.length > m_limits.maxNodeBytes) {
            return fail(ErrorCode::LimitExceeded, "A B-tree node is too large")
                .inFile(path)
                .at(node.range.offset);
        }
        CAIRN_TRY(const auto stored, readRange(*source, node.range));
        auto body = openEnvelope(stored, kNodeMagic, m_limits);
        if (!body) {
            return inFile(std::move(body).error(), path, node.range.offset);
        }
        std::vector<NodeRef> children;
        std::uint64_t childBytes = 0;
        const NodeSink sink{[&](std::string_view key, const TableFile* file,
                                const ValueRef& value) { return onValue(key, file, value); },
                            [&](NodeRef child) -> Result<void> {
                                childBytes += cost(child);
                                if (childBytes > kMaxPendingBytes) {
                                    return fail(ErrorCode::LimitExceeded,
                                                "The B-tree has too many nodes");
                                }
                                children.push_back(std::move(child));
                                return {};
                            }};
        if (auto parsed = parseNode(*body, node, sink); !parsed) {
            Error error = std::move(parsed).error();
            if (error.where.file.empty()) {
                error.where.file = path;
                error.where.offset = node.range.offset;
            }
            return error;
        }
        for (auto child = children.rbegin(); child != children.rend(); ++child) {
            CAIRN_CHECK(push(std::move(*child)));
        }
        return {};
    }

    Result<void> onValue(std::string_view key, const TableFile* file, ValueRef value) {
        m_keyBytes += key.size();
        if (++m_store.keys > m_limits.maxKeys || m_keyBytes > m_limits.maxKeyBytes) {
            return fail(ErrorCode::LimitExceeded, "The store has too many keys");
        }
        if (m_store.keys > 1 && key <= m_lastKey) {
            return fail(ErrorCode::OcdbtBadNode, "The B-tree keys are not in ascending order");
        }
        m_lastKey = key;
        if (file != nullptr) {
            if (m_lastFile == nullptr || *m_lastFile != file->path) {
                const auto index = fileIndex(file->path);
                m_lastIndex = index;
                m_lastFile = &m_files.find(file->path)->first;
            }
            value.file = m_lastIndex;
        }
        return m_visitor(key, value);
    }

    const Folder& m_folder;
    std::string m_base;
    Store& m_store;
    const Visitor& m_visitor;
    const CancelToken& m_cancel;
    const Limits& m_limits;
    std::vector<NodeRef> m_pending;
    std::uint64_t m_pendingBytes = 0;
    std::set<std::pair<std::uint32_t, std::uint64_t>> m_seen;
    std::unordered_map<std::string, std::uint32_t> m_files;
    const std::string* m_lastFile = nullptr; ///< points to a key in m_files, whose nodes are stable
    std::uint32_t m_lastIndex = 0;
    ByteSourcePtr m_open;
    std::string m_openPath;
    std::string m_lastKey;
    std::uint64_t m_keyBytes = 0;
};

} // namespace

Result<void> readStore(const Folder& folder, std::string_view base, Store& store,
                       const Visitor& visitor, const CancelToken& cancel, const Limits& limits) {
    return Walk(folder, base, store, visitor, cancel, limits).run();
}

} // namespace cairn::ocdbt
