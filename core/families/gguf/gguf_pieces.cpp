// SPDX-License-Identifier: Apache-2.0
#include "core/codec/protobuf/wire.h"
#include "core/families/gguf/gguf_vocabulary.h"

#include <bit>
#include <limits>

/// SentencePiece's ModelProto: 1 pieces {1 text, 2 score, 3 type}, 2 trainer {3 kind of model}.
/// Source: sentencepiece_model.proto.
namespace cairn {
namespace {

using protobuf::Input;
using protobuf::tag;
using protobuf::Wire;

constexpr int kLongestPiece = 1 << 16;
constexpr std::uint64_t kMergedByScore = 2; ///< model_type BPE

bool readPiece(Input& input, std::vector<GgufToken>& pieces) {
    GgufToken piece;
    std::uint64_t type = 1;
    const bool sound = protobuf::walkMessage(input, [&](std::uint32_t field) {
        std::uint32_t bits = 0;
        switch (field) {
        case tag(1, Wire::Length):
            return protobuf::readText(input, piece.text, kLongestPiece);
        case tag(2, Wire::Fixed32):
            if (!input.ReadLittleEndian32(&bits)) {
                return false;
            }
            piece.score = std::bit_cast<float>(bits);
            return true;
        case tag(3, Wire::Varint):
            return input.ReadVarint64(&type);
        default:
            return protobuf::skipField(input, field);
        }
    });
    if (!sound || type < 1 || type > 6) {
        return false;
    }
    // The converter takes pieces that users defined for normal ones.
    piece.type = type == 4 ? TokenType::Normal : static_cast<TokenType>(type);
    pieces.push_back(std::move(piece));
    return true;
}

} // namespace

Result<std::vector<GgufToken>> readSentencePieces(std::string_view bytes) {
    std::vector<GgufToken> pieces;
    std::uint64_t kind = 1;
    const bool fits = bytes.size() < static_cast<std::size_t>(std::numeric_limits<int>::max());
    Input input(reinterpret_cast<const std::uint8_t*>(bytes.data()),
                fits ? static_cast<int>(bytes.size()) : 0);
    const bool sound = fits && protobuf::walkFields(input, [&](std::uint32_t field) {
                           switch (field) {
                           case tag(1, Wire::Length):
                               return readPiece(input, pieces);
                           case tag(2, Wire::Length):
                               return protobuf::walkMessage(input, [&](std::uint32_t inner) {
                                   return inner == tag(3, Wire::Varint)
                                              ? input.ReadVarint64(&kind)
                                              : protobuf::skipField(input, inner);
                               });
                           default:
                               return protobuf::skipField(input, field);
                           }
                       });
    if (!sound || pieces.empty()) {
        return fail(ErrorCode::Unsupported, "The tokenizer is not a valid SentencePiece model")
            .inFile("tokenizer.model");
    }
    if (kind != kMergedByScore) {
        return fail(ErrorCode::Unsupported,
                    "llama.cpp merges pieces by their score, which this tokenizer does not")
            .inFile("tokenizer.model")
            .inField("model_type")
            .butFound(verbatim(std::to_string(kind)))
            .expecting("2 (BPE)");
    }
    return pieces;
}

} // namespace cairn
