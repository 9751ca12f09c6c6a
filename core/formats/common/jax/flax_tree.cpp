// SPDX-License-Identifier: Apache-2.0
//
// One pass over the tokens. Open containers are on a stack of our own; the dotted name of what is
// read now grows and shrinks with it. When a map ends that is a chunked array, the arrays read
// inside it (they are the last ones) become one. A stream of (path, packed leaf) is read into the
// same stack: the maps that a path names are opened and closed as its next one asks for.
#include "core/formats/common/jax/flax_tree.h"

#include "core/base/visible_text.h"
#include "core/formats/common/jax/flax_arrays.h"
#include "core/formats/common/jax/jax_roles.h"
#include "core/model/saved_values.h"

#include <algorithm>
#include <utility>

namespace cairn {
namespace {

using msgpack::Kind;
using msgpack::Token;

constexpr std::size_t kMaxDepth = 256;
constexpr std::size_t kMaxNodes = 400'000;
constexpr std::uint64_t kMaxKey = 65536;
constexpr std::uint64_t kMaxAllText = std::uint64_t{48} << 20U;
constexpr std::size_t kMaxNotices = 20;
constexpr std::size_t kCancelEvery = 4096;

struct Frame {
    bool isMap = true;
    std::uint64_t left = 0; ///< values not read yet
    Value key;              ///< of the next value
    std::vector<ValueItem> items;
    std::size_t nameEnd = 0; ///< length of m_name up to this container's name
    std::size_t firstTensor = 0;
};

class TreeParser {
public:
    TreeParser(const ByteSourcePtr& source, FileIndex file, const CancelToken& cancel)
        : m_reader(source), m_file(file), m_cancel(cancel), m_source(source) {}

    Result<FlaxTree> parse() {
        CAIRN_TRY(const Token root, m_reader.next());
        if (root.kind == Kind::Array && root.items == 2 && isRecord()) {
            return parseStream();
        }
        const bool array = root.kind == Kind::Extension && root.extension == flax::kArray;
        if (root.kind != Kind::Map && root.kind != Kind::Array && !array) {
            return fail(ErrorCode::MsgpackBadData, "The file does not contain a tree")
                .inFile(m_source->name())
                .at(0)
                .expecting("a map");
        }
        if (auto read = readAll(root); !read) {
            CAIRN_CHECK(endEarly(std::move(read).error()));
        } else if (!m_reader.atEnd()) {
            damage(fail(ErrorCode::MsgpackBadData, "Trailing bytes after the tree")
                       .at(m_reader.position())
                       .butFound(sentence("%1 bytes", m_source->size() - m_reader.position())));
        }
        m_tree.values = std::move(m_root);
        return std::move(m_tree);
    }

private:
    Result<void> endEarly(Error error) {
        if (error.code == ErrorCode::Cancelled) {
            return error;
        }
        damage(std::move(error));
        closeAll();
        return {};
    }

    /// Whether a path and a packed leaf follow; does not move the cursor.
    bool isRecord() const {
        msgpack::Reader ahead(m_source);
        if (!ahead.next()) {
            return false;
        }
        const auto path = ahead.next();
        if (!path || path->kind != Kind::Array || path->items == 0 || path->items > kMaxDepth) {
            return false;
        }
        for (std::uint64_t i = 0; i < path->items; ++i) {
            const auto part = ahead.next();
            if (!part || part->kind != Kind::Text) {
                return false;
            }
        }
        const auto leaf = ahead.next();
        return leaf && leaf->kind == Kind::Binary;
    }

    Result<FlaxTree> parseStream() {
        m_tree.stream = true;
        CAIRN_CHECK(open(streamMap()));
        m_reader.enter(Token{}); // back to the first record
        auto read = readRecords();
        if (!read) {
            CAIRN_CHECK(endEarly(std::move(read).error()));
        }
        closeAll();
        m_tree.values = std::move(m_root);
        return std::move(m_tree);
    }

    static Token streamMap() {
        Token map;
        map.kind = Kind::Map;
        map.items = UINT64_MAX; // ends with the stream
        return map;
    }

    Result<void> readRecords() {
        while (!m_reader.atEnd()) {
            CAIRN_CHECK(m_cancel.check());
            CAIRN_TRY(const Token record, m_reader.next());
            if (record.kind != Kind::Array || record.items != 2) {
                return fail(ErrorCode::MsgpackBadData, "An entry is not a pair of path and leaf")
                    .at(record.at);
            }
            CAIRN_CHECK(path());
            CAIRN_CHECK(leaf());
        }
        return {};
    }

    /// Opens the maps that contain the next leaf, and closes those that do not.
    Result<void> path() {
        CAIRN_TRY(const Token list, m_reader.next());
        if (list.kind != Kind::Array || list.items == 0 || list.items >= kMaxDepth) {
            return fail(ErrorCode::MsgpackBadData, "A leaf has no path").at(list.at);
        }
        bool same = true;
        for (std::uint64_t i = 0; i < list.items; ++i) {
            CAIRN_CHECK(streamKey(i, i + 1 == list.items, same));
        }
        return {};
    }

    /// `same`: all previous components equal those of the previous leaf.
    Result<void> streamKey(std::uint64_t depth, bool last, bool& same) {
        CAIRN_TRY(const Token token, m_reader.next());
        if (token.kind != Kind::Text && token.kind != Kind::Int) {
            return fail(ErrorCode::MsgpackBadData, "A path component is not a string").at(token.at);
        }
        Value key(token.integer);
        if (token.kind == Kind::Text) {
            CAIRN_TRY(std::string name, text(token, kMaxKey));
            key = Value(isValidUtf8(name) ? std::move(name) : visibleText(name));
        }
        const bool isOpen = m_stack.size() > depth + 1;
        same = same && isOpen && !last && keyText(m_stack[depth].key) == keyText(key);
        if (same) {
            return {};
        }
        while (m_stack.size() > depth + 1) {
            close();
        }
        m_stack.back().key = std::move(key);
        pushName(m_stack.back().key);
        return last ? Result<void>() : open(streamMap());
    }

    /// A value packed by flax.serialization, as bytes within the stream.
    Result<void> leaf() {
        CAIRN_TRY(const Token bytes, m_reader.next());
        if (bytes.kind != Kind::Binary) {
            return fail(ErrorCode::MsgpackBadData, "A leaf is not a byte string").at(bytes.at);
        }
        m_reader.enter(bytes);
        CAIRN_TRY(const Token root, m_reader.next());
        CAIRN_CHECK(readAll(root));
        if (m_reader.position() != bytes.payload.end()) {
            return fail(ErrorCode::MsgpackBadData, "A leaf's length does not match its data")
                .at(bytes.at)
                .inTensor(m_name);
        }
        return {};
    }

    Result<void> readAll(const Token& root) {
        const std::size_t around = m_stack.size();
        CAIRN_CHECK(value(root));
        while (m_stack.size() > around) {
            if (++m_steps % kCancelEvery == 0) {
                CAIRN_CHECK(m_cancel.check());
            }
            if (m_stack.back().left == 0) {
                close();
                continue;
            }
            if (m_stack.back().isMap) {
                CAIRN_CHECK(key());
            } else {
                m_stack.back().key = Value(static_cast<std::int64_t>(m_stack.back().items.size()));
            }
            CAIRN_TRY(const Token token, m_reader.next());
            pushName(m_stack.back().key);
            CAIRN_CHECK(value(token));
        }
        return {};
    }

    void damage(Error error) {
        m_tree.damaged = true;
        if (error.where.file.empty()) {
            error.where.file = m_source->name();
        }
        if (m_tree.notices.size() < kMaxNotices) {
            m_tree.notices.push_back({Severity::Error, std::move(error)});
        }
    }

    Result<std::string> text(const Token& token, std::uint64_t limit) {
        m_text += token.payload.length;
        if (m_text > kMaxAllText) {
            return fail(ErrorCode::LimitExceeded, "The file contains too much text").at(token.at);
        }
        return m_reader.text(token, limit);
    }

    Result<void> key() {
        CAIRN_TRY(const Token token, m_reader.next());
        if (token.kind == Kind::Text || token.kind == Kind::Binary) {
            CAIRN_TRY(std::string name, text(token, kMaxKey));
            m_stack.back().key = Value(isValidUtf8(name) ? std::move(name) : visibleText(name));
            return {};
        }
        if (token.kind == Kind::Int) {
            m_stack.back().key = Value(token.integer);
            return {};
        }
        return fail(ErrorCode::MsgpackBadData, "A map key is not a string").at(token.at);
    }

    void pushName(const Value& key) {
        const Frame& frame = m_stack.back();
        m_name.resize(frame.nameEnd);
        if (frame.nameEnd > 0) {
            m_name += '.';
        }
        m_name += keyText(key);
    }

    Result<void> value(const Token& token) {
        if (++m_nodes > kMaxNodes || m_name.size() > kMaxKey) {
            return fail(ErrorCode::LimitExceeded, "The tree has too many names, or too long ones")
                .at(token.at);
        }
        switch (token.kind) {
        case Kind::Map:
        case Kind::Array:
            return open(token);
        case Kind::Extension:
            return extension(token);
        case Kind::Nil:
            put(Value());
            return {};
        case Kind::Bool:
            put(Value(token.flag));
            return {};
        case Kind::Int:
            put(Value(token.integer));
            return {};
        case Kind::Unsigned:
            put(Value(BigInt{std::to_string(token.wide)}));
            return {};
        case Kind::Float:
            put(Value(token.real));
            return {};
        case Kind::Text:
        case Kind::Binary:
            return textValue(token);
        }
        return {};
    }

    Result<void> textValue(const Token& token) {
        if (token.payload.length > kMaxAllText - std::min(m_text, kMaxAllText)) {
            put(unreadableValue(fail(ErrorCode::LimitExceeded, "The file contains too much text")
                                    .inFile(m_source->name())
                                    .at(token.at)
                                    .inField(m_name)
                                    .butFound(sentence("%1 bytes", m_text + token.payload.length))
                                    .expecting(sentence("at most %1", kMaxAllText))));
            return {};
        }
        CAIRN_TRY(std::string string, text(token, kMaxAllText));
        if (string.starts_with("PLACEHOLDER://") || string.starts_with("//GDAPlaceholder:")) {
            m_tree.placeholders = true;
            if (!m_stack.empty()) {
                --m_stack.back().left; // replaced by the array itself
            }
            return {};
        }
        if (token.kind == Kind::Binary) {
            const auto bytes = asBytesOf(string);
            put(Value::bytes({bytes.begin(), bytes.end()}));
        } else {
            put(Value(std::move(string)));
        }
        return {};
    }

    static std::span<const std::byte> asBytesOf(const std::string& text) {
        return std::as_bytes(std::span(text.data(), text.size()));
    }

    Result<void> open(const Token& token) {
        if (m_stack.size() >= kMaxDepth) {
            return fail(ErrorCode::LimitExceeded, "The tree is nested too deeply").at(token.at);
        }
        Frame frame;
        frame.isMap = token.kind == Kind::Map;
        frame.left = token.items;
        frame.nameEnd = m_name.size();
        frame.firstTensor = m_tree.tensors.size();
        m_stack.push_back(std::move(frame));
        return {};
    }

    Result<void> extension(const Token& token) {
        if (token.extension == flax::kComplex) {
            CAIRN_TRY(Value complex, flax::readComplex(m_reader, token));
            put(std::move(complex));
            return {};
        }
        if (token.extension != flax::kArray && token.extension != flax::kScalar) {
            damage(fail(ErrorCode::Unsupported, "Unknown MessagePack extension type")
                       .at(token.at)
                       .inTensor(m_name)
                       .butFound(sentence("type %1", token.extension)));
            put(Value());
            return {};
        }
        auto tensor = flax::readArray(m_reader, token, m_file);
        if (!tensor) { // the other tensors can still be read
            m_reader.leave(token);
            damage(Error(std::move(tensor).error()).inTensor(m_name));
            put(Value());
            return {};
        }
        putTensor(std::move(*tensor));
        return {};
    }

    void putTensor(TensorEntry tensor) {
        tensor.name = m_name.empty() ? "array" : m_name;
        m_tree.tensors.push_back(std::move(tensor));
        put(Value(TensorIndex(m_tree.tensors.size() - 1)));
    }

    void put(Value value) {
        if (m_stack.empty()) {
            m_root = std::move(value);
            return;
        }
        Frame& frame = m_stack.back();
        --frame.left;
        frame.items.push_back({frame.isMap ? std::move(frame.key) : Value(), std::move(value)});
    }

    void close() {
        Frame frame = std::move(m_stack.back());
        m_stack.pop_back();
        m_name.resize(frame.nameEnd);
        if (frame.isMap && flax::isChunkedArray(frame.items)) {
            auto whole = flax::joinChunks(frame.items, m_tree.tensors, frame.firstTensor);
            m_tree.tensors.resize(frame.firstTensor);
            if (whole) {
                putTensor(std::move(*whole));
            } else {
                damage(Error(std::move(whole).error()).inTensor(m_name));
                put(Value());
            }
            return;
        }
        put(frame.isMap ? Value::dict(std::move(frame.items)) : listOf(frame.items));
    }

    static Value listOf(std::vector<ValueItem>& items) {
        std::vector<Value> values;
        values.reserve(items.size());
        for (ValueItem& item : items) {
            values.push_back(std::move(item.value));
        }
        return Value::list(std::move(values));
    }

    /// After damage: closes the open containers with the items read so far.
    void closeAll() {
        while (!m_stack.empty()) {
            if (m_stack.size() > 1) {
                ++m_stack[m_stack.size() - 2].left;
            }
            m_stack.back().left = 0;
            close();
        }
    }

    msgpack::Reader m_reader;
    FileIndex m_file;
    const CancelToken& m_cancel;
    ByteSourcePtr m_source;
    FlaxTree m_tree;
    Value m_root;
    std::vector<Frame> m_stack;
    std::string m_name;
    std::size_t m_nodes = 0;
    std::size_t m_steps = 0;
    std::uint64_t m_text = 0;
};

} // namespace

Result<FlaxTree> readFlaxTree(const ByteSourcePtr& source, FileIndex file,
                              const CancelToken& cancel) {
    return TreeParser(source, file, cancel).parse();
}

Value addFlaxTree(CheckpointData& data, FlaxTree tree) {
    const auto shift = static_cast<std::uint32_t>(data.tensors.size());
    decideJaxRoles(tree.tensors);
    for (TensorEntry& tensor : tree.tensors) {
        data.tensors.push_back(std::move(tensor));
    }
    for (Notice& notice : tree.notices) {
        data.notices.push_back(std::move(notice));
    }
    if (tree.damaged) {
        data.completeness = Completeness::Incomplete;
        data.why.emplace_back("Parts of the file could not be read");
    }
    return shiftTensors(tree.values, shift);
}

} // namespace cairn
