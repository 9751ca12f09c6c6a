// SPDX-License-Identifier: Apache-2.0
#include "core/families/config/words.h"
#include "core/families/gguf/gguf_settings.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <numbers>

/// Rotary embeddings whose frequencies are scaled by factors in tensors.
namespace cairn {
namespace {

constexpr std::int64_t kMostFactors = 1 << 16;

/// Factors by which Llama 3 slows the rotary frequencies down, as the converter computes them: in
/// float32, but for the powers, whose last bit its library rounds differently for few sizes.
std::vector<float> llama3Factors(const ModelConfig& config) {
    const auto base = static_cast<float>(ggufNumber("rope_theta 10000", config).value_or(0));
    const std::int64_t width = config.integer("hidden_size").value_or(0);
    const std::int64_t heads =
        std::max<std::int64_t>(config.integer("num_attention_heads").value_or(1), 1);
    const std::int64_t dim = config.integer("head_dim").value_or(width / heads);
    const double factor = ggufNumber("factor 8", config).value_or(0);
    const double low = ggufNumber("low_freq_factor 1", config).value_or(0);
    const double high = ggufNumber("high_freq_factor 4", config).value_or(0);
    const double context = ggufNumber("original_max_position_embeddings 8192", config).value_or(0);
    std::vector<float> factors;
    for (std::int64_t i = 0; i < std::min(dim, 2 * kMostFactors); i += 2) {
        const float exponent = static_cast<float>(i) / static_cast<float>(dim);
        const auto power = static_cast<float>(std::pow(double{base}, double{exponent}));
        const float wavelength = static_cast<float>(2 * std::numbers::pi) / (1.0F / power);
        if (double{wavelength} < context / high) {
            factors.push_back(1);
        } else if (double{wavelength} > context / low) {
            factors.push_back(static_cast<float>(factor));
        } else {
            const float smooth =
                (static_cast<float>(context) / wavelength - static_cast<float>(low)) /
                static_cast<float>(high - low);
            factors.push_back(1.0F / ((1.0F - smooth) / static_cast<float>(factor) + smooth));
        }
    }
    return factors;
}

/// Phi-3's factors for texts beyond the original context, and before.
Result<void> addLongFactors(const ModelConfig& config, GgufDescription& description) {
    const std::int64_t heads = config.integer("num_attention_heads").value_or(1);
    const double part = ggufNumber("partial_rotary_factor 1", config).value_or(1);
    const double width = ggufNumber("hidden_size", config).value_or(0);
    const std::int64_t rotated =
        heads > 0 ? static_cast<std::int64_t>(part * width) / heads : std::int64_t{0};
    description.metadata.push_back({Value("phi3.rope.dimension_count"), Value(rotated)});
    const auto factors = [&](const std::string& field) {
        std::vector<float> all;
        const std::int64_t count = config.integer(field + ".#").value_or(0);
        for (std::int64_t i = 0; i < std::min(count, kMostFactors); ++i) {
            const auto factor = config.number(field + "." + std::to_string(i));
            all.push_back(static_cast<float>(factor.value_or(0)));
        }
        return all;
    };
    if (ggufRopeType(config) == "default") {
        return {};
    }
    std::vector<float> longer = factors("long_factor");
    std::vector<float> shorter = factors("short_factor");
    const auto count = static_cast<std::int64_t>(longer.size());
    if (longer.size() != shorter.size() || 2 * count != rotated) {
        return fail(ErrorCode::Unsupported, "The rotary factors do not match the size of a head")
            .inFile("config.json")
            .inField("long_factor, short_factor")
            .butFound(sentence("%1 and %2", longer.size(), shorter.size()))
            .expecting(verbatim(std::to_string(rotated / 2)));
    }
    const double original = ggufNumber("original_max_position_embeddings", config).value_or(1);
    const double scale = ggufNumber("max_position_embeddings", config).value_or(1) / original;
    const double factor = scale > 1 ? std::sqrt(1 + std::log(scale) / std::log(original)) : 1.0;
    description.metadata.push_back({Value("phi3.rope.scaling.attn_factor"),
                                    Value(static_cast<double>(static_cast<float>(factor)))});
    description.tensors.push_back({"rope_factors_long.weight", std::move(longer)});
    description.tensors.push_back({"rope_factors_short.weight", std::move(shorter)});
    return {};
}

} // namespace

std::string ggufRopeType(const ModelConfig& config) {
    return config.text("rope_type").value_or(config.text("type").value_or("default"));
}

/// The first of the words that is a field, or a number.
std::optional<double> ggufNumber(std::string_view words, const ModelConfig& config) {
    for (const std::string_view word : wordsOf(words)) {
        if (const auto field = config.number(word)) {
            return field;
        }
        double literal = 0;
        const auto parsed = std::from_chars(word.data(), word.data() + word.size(), literal);
        if (parsed.ec == std::errc() && parsed.ptr == word.data() + word.size()) {
            return literal;
        }
    }
    return std::nullopt;
}

Result<void> describeGgufRope(const GgufFamily& family, const ModelConfig& settings,
                              GgufDescription& description) {
    if (ggufRopeType(settings) == "llama3") {
        description.tensors.push_back({"rope_freqs.weight", llama3Factors(settings)});
    }
    return family.type == "phi3" ? addLongFactors(settings, description) : Result<void>();
}

} // namespace cairn
