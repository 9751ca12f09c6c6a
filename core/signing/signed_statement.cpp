// SPDX-License-Identifier: Apache-2.0
#include "core/signing/signed_statement.h"

#include "core/codec/json/json_value.h"
#include "core/io/hash.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <charconv>
#include <optional>
#include <set>
#include <tuple>

namespace cairn::signing {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::string_view kStatement = "https://in-toto.io/Statement/v1";
constexpr std::string_view kPredicate = "https://model_signing/signature/v1.0";
constexpr std::string_view kEarlyPredicate = "https://model_signing/Digests/v0.1";

std::strong_ordering comparePaths(std::string_view left, std::string_view right) {
    // Component by component: a slash sorts before every other character.
    return std::lexicographical_compare_three_way(
        left.begin(), left.end(), right.begin(), right.end(), [](char a, char b) {
            const auto rank = [](char c) { return c == '/' ? -1 : static_cast<unsigned char>(c); };
            return rank(a) <=> rank(b);
        });
}

class StatementParser {
public:
    explicit StatementParser(const std::string& name) : m_name(name) {}

    Result<SignedManifest> parse(std::string_view text) {
        const auto root = parseJson(text, m_name, {.allowNonFinite = false});
        if (!root) {
            return bad("The signed statement is not valid JSON", "payload");
        }
        CAIRN_CHECK(
            expectText(*root, "_type", kStatement, "The payload is not an in-toto statement"));
        CAIRN_TRY(const std::string_view predicate, textOf(*root, "predicateType"));
        if (predicate == kEarlyPredicate) {
            return parseEarly(*root);
        }
        CAIRN_CHECK(expectText(*root, "predicateType", kPredicate,
                               "The statement is not a model signature"));
        return parseCurrent(*root);
    }

private:
    [[nodiscard]] Error bad(Sentence message, std::string_view field) const {
        return fail(ErrorCode::BadSignature, std::move(message))
            .inFile(m_name)
            .inField(std::string(field));
    }

    [[nodiscard]] Result<std::string_view> textOf(const JsonValue& object,
                                                  std::string_view key) const {
        const JsonValue* value = object.find(key);
        auto text = value != nullptr ? value->asString() : Result<std::string_view>(bad("", key));
        return text ? std::move(text) : bad("A text field of the signed statement is missing", key);
    }

    [[nodiscard]] Result<void> expectText(const JsonValue& object, std::string_view key,
                                          std::string_view expected, Sentence message) const {
        CAIRN_TRY(const std::string_view found, textOf(object, key));
        return found == expected ? Result<void>()
                                 : bad(std::move(message), key)
                                       .butFound(verbatim(std::string(found)))
                                       .expecting(verbatim(std::string(expected)));
    }

    [[nodiscard]] Result<std::span<const JsonValue>> listOf(const JsonValue& object,
                                                            std::string_view key) const {
        const JsonValue* value = object.find(key);
        if (value == nullptr || value->elements().empty()) {
            return bad("The signed statement does not list any files", key);
        }
        return value->elements();
    }

    Result<HashType> hashOf(std::string_view name) const {
        if (name == "sha256") {
            return HashType::Sha256;
        }
        if (name == "blake2b" || name == "blake2") {
            return HashType::Blake2b;
        }
        return fail(ErrorCode::Unsupported,
                    "The digest algorithm of the signature is not supported")
            .inFile(m_name)
            .butFound(verbatim(std::string(name)))
            .expecting("sha256 or blake2b");
    }

    Result<SignedManifest> parseCurrent(const JsonValue& root) {
        CAIRN_TRY(const auto subjects, listOf(root, "subject"));
        const JsonValue* predicate = root.find("predicate");
        const JsonValue* serialization =
            predicate != nullptr ? predicate->find("serialization") : nullptr;
        const JsonValue* digests = subjects.front().find("digest");
        if (subjects.size() != 1 || serialization == nullptr || digests == nullptr) {
            return bad("The signed statement is incomplete",
                       subjects.size() != 1 || digests == nullptr ? "subject" : "predicate");
        }
        SignedManifest manifest;
        CAIRN_TRY(manifest.model, textOf(subjects.front(), "name"));
        CAIRN_TRY(const std::string_view wanted, textOf(*digests, "sha256"));
        CAIRN_CHECK(readSerialization(*serialization, manifest));
        CAIRN_TRY(const auto resources, listOf(*predicate, "resources"));
        Sha256 root256;
        for (const JsonValue& resource : resources) {
            CAIRN_TRY(const std::string_view name, textOf(resource, "name"));
            CAIRN_TRY(const std::string_view algorithm, textOf(resource, "algorithm"));
            CAIRN_TRY(const std::string_view digest, textOf(resource, "digest"));
            CAIRN_CHECK(checkAlgorithm(algorithm, manifest));
            CAIRN_CHECK(addFile(manifest, name, digest));
            root256.add(hexBytes(manifest.files.back().digest));
        }
        if (hexText(root256.finish()) != wanted) {
            return bad("The digests of the signed statement do not match its summary", "subject");
        }
        return manifest;
    }

    Result<void> readSerialization(const JsonValue& fields, SignedManifest& manifest) {
        CAIRN_TRY(const std::string_view method, textOf(fields, "method"));
        CAIRN_TRY(const std::string_view hash, textOf(fields, "hash_type"));
        CAIRN_TRY(manifest.hash, hashOf(hash));
        if (const JsonValue* links = fields.find("allow_symlinks")) {
            manifest.allowSymlinks = links->asBool().value_or(false);
        }
        if (method == "shards") {
            const JsonValue* size = fields.find("shard_size");
            // A number of protobuf's Struct is a double: "1000000000.0".
            const double bytes = size != nullptr ? size->asReal().value_or(0) : 0;
            if (!(bytes >= 1 && bytes <= 9e15)) {
                return bad("The shard size of the signature is invalid", "shard_size");
            }
            manifest.shardBytes = static_cast<std::uint64_t>(bytes);
        } else if (method != "files") {
            return bad("The signature divides the model in an unknown way", "method")
                .butFound(verbatim(std::string(method)))
                .expecting("files or shards");
        }
        if (const JsonValue* ignored = fields.find("ignore_paths")) {
            for (const JsonValue& path : ignored->elements()) {
                const auto text = path.asString();
                if (text && isInside(*text) && *text != ".") { // others cannot be in the model
                    manifest.ignored.emplace_back(*text);
                }
            }
        }
        return {};
    }

    Result<void> checkAlgorithm(std::string_view name, const SignedManifest& manifest) const {
        const std::string suffix = "-sharded-" + std::to_string(manifest.shardBytes);
        const bool shards = manifest.shardBytes > 0 && name.ends_with(suffix);
        CAIRN_TRY(const HashType hash,
                  hashOf(shards ? name.substr(0, name.size() - suffix.size()) : name));
        if (hash != manifest.hash || shards != (manifest.shardBytes > 0)) {
            return bad("A file's digest algorithm differs from that of the signature", "algorithm")
                .butFound(verbatim(std::string(name)));
        }
        return {};
    }

    /// No empty component, no "..", no absolute path.
    static bool isInside(std::string_view path) {
        if (path == ".") {
            return true;
        }
        if (path.empty() || path.find('\0') != std::string_view::npos) {
            return false;
        }
        for (std::size_t at = 0; at <= path.size();) {
            const std::size_t end = std::min(path.find('/', at), path.size());
            const std::string_view part = path.substr(at, end - at);
            if (part.empty() || part == "." || part == "..") {
                return false;
            }
            at = end + 1;
        }
        return true;
    }

    Result<void> addFile(SignedManifest& manifest, std::string_view name, std::string_view digest) {
        SignedFile file;
        std::string_view path = name;
        if (manifest.shardBytes > 0 && !splitRange(path, file)) {
            return bad("A range of the signature is invalid", "name")
                .butFound(verbatim(std::string(name)));
        }
        if (!isInside(path)) {
            return fail(ErrorCode::OutsideFolder, "The signature names a file outside the model")
                .inFile(m_name)
                .butFound(verbatim(std::string(path)));
        }
        const std::size_t digits = manifest.hash == HashType::Sha256 ? 64 : 128;
        file.path = path;
        for (const char c : digest) {
            file.digest += c >= 'A' && c <= 'F' ? static_cast<char>(c - 'A' + 'a') : c;
        }
        if (digest.size() != digits ||
            file.digest.find_first_not_of("0123456789abcdef") != std::string::npos) {
            return bad("A digest of the signature is invalid", "digest")
                .butFound(verbatim(std::string(digest)));
        }
        if (!m_names.emplace(name).second) {
            return bad("The signature names a file twice", "name")
                .butFound(verbatim(std::string(name)));
        }
        manifest.files.push_back(std::move(file));
        return {};
    }

    /// "path:start:end"
    static bool splitRange(std::string_view& path, SignedFile& file) {
        const auto number = [&path](std::uint64_t& value) {
            const std::size_t colon = path.rfind(':');
            if (colon == std::string_view::npos) {
                return false;
            }
            const char* end = path.data() + path.size();
            const auto parsed = std::from_chars(path.data() + colon + 1, end, value);
            path = path.substr(0, colon);
            return parsed.ec == std::errc() && parsed.ptr == end;
        };
        return number(file.end) && number(file.begin) && file.begin < file.end;
    }

    /// Before 1.0 every file was a subject, and there was no summary.
    Result<SignedManifest> parseEarly(const JsonValue& root) {
        SignedManifest manifest;
        CAIRN_TRY(const auto subjects, listOf(root, "subject"));
        for (const JsonValue& subject : subjects) {
            CAIRN_TRY(const std::string_view name, textOf(subject, "name"));
            const JsonValue* digests = subject.find("digest");
            if (digests == nullptr) {
                return bad("A file of the signature has no digest", "subject");
            }
            CAIRN_TRY(const std::string_view digest, textOf(*digests, "sha256"));
            CAIRN_CHECK(addFile(manifest, name, digest));
        }
        return manifest;
    }

    const std::string& m_name;
    std::set<std::string, std::less<>> m_names;
};

} // namespace

void sortFiles(std::vector<SignedFile>& files) {
    std::ranges::sort(files, [](const SignedFile& left, const SignedFile& right) {
        const auto order = comparePaths(left.path, right.path);
        return order != 0 ? order < 0 : left.begin < right.begin;
    });
}

Result<std::string> statementText(const SignedManifest& manifest) {
    Sha256 root;
    Json resources = Json::array();
    for (const SignedFile& file : manifest.files) {
        root.add(hexBytes(file.digest));
        resources.push_back(
            {{"algorithm", "sha256"}, {"digest", file.digest}, {"name", file.path}});
    }
    Json serialization = {
        {"method", "files"}, {"hash_type", "sha256"}, {"allow_symlinks", manifest.allowSymlinks}};
    if (!manifest.ignored.empty()) {
        serialization["ignore_paths"] = manifest.ignored;
    }
    const Json subject = {{"name", manifest.model},
                          {"digest", {{"sha256", hexText(root.finish())}}}};
    const Json statement = {
        {"_type", kStatement},
        {"subject", Json::array({subject})},
        {"predicateType", kPredicate},
        {"predicate",
         {{"resources", std::move(resources)}, {"serialization", std::move(serialization)}}}};
    try {
        return statement.dump(2, ' ', true);
    } catch (const Json::type_error&) {
        return fail(ErrorCode::NameNotRepresentable,
                    "A file name is not UTF-8, so that a signature cannot contain it")
            .inFile(manifest.model)
            .withHint("Rename the file, or leave it out with --ignore");
    }
}

Result<SignedManifest> parseStatement(std::string_view text, const std::string& name) {
    return StatementParser(name).parse(text);
}

} // namespace cairn::signing
