// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/sentence.h"
#include "core/formats/common/torch/torch_objects.h"

#include <bitset>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

/// Where a walk over a pickle's graph is, and the notices that it gives at most once.
namespace cairn::formats {

/// The keys from the root to the value that is being converted, joined with dots: the name of a
/// tensor there.
class TorchPath {
public:
    /// Appends a key during its lifetime.
    class Step {
    public:
        Step(TorchPath& path, std::string_view part) : m_path(path), m_length(path.m_text.size()) {
            path.m_text += path.m_text.empty() ? "" : ".";
            path.m_text += part;
            ++path.m_steps;
        }
        Step(const Step&) = delete;
        Step& operator=(const Step&) = delete;
        ~Step() {
            m_path.m_text.resize(m_length);
            --m_path.m_steps;
        }

    private:
        TorchPath& m_path;
        std::size_t m_length;
    };

    [[nodiscard]] const std::string& text() const { return m_text; }
    /// A key may be empty text; only the root has no key at all.
    [[nodiscard]] std::string tensorName() const { return m_steps == 0 ? "tensor" : m_text; }

private:
    std::string m_text;
    std::size_t m_steps = 0; ///< components of m_text, including empty ones
};

/// What is noted at most once, at the first place where it occurs.
enum class TorchNote : std::uint8_t {
    Items,
    Tensors,
    Names,
    Text,
    Members,
    Keys,
    Depth,
    Repeats,
    Count
};

/// Adds these notices to the result, which must outlive it, as must the path.
class TorchNotes {
public:
    TorchNotes(const TorchPath& path, TorchObjects& out) : m_path(path), m_out(out) {}

    void once(TorchNote note, ErrorCode code, Sentence message,
              Severity severity = Severity::Warning) {
        if (!m_noted[static_cast<std::size_t>(note)]) {
            m_noted.set(static_cast<std::size_t>(note));
            m_out.notices.push_back(
                {severity, fail(code, std::move(message)).inField(m_path.text())});
        }
    }
    /// A limit because of which tensors may be missing.
    void unshown(TorchNote note, const Sentence& message) {
        if (!m_noted[static_cast<std::size_t>(note)]) {
            m_out.unshown.push_back(message);
            once(note, ErrorCode::LimitExceeded, message);
        }
    }

private:
    const TorchPath& m_path;
    TorchObjects& m_out;
    std::bitset<static_cast<std::size_t>(TorchNote::Count)> m_noted;
};

} // namespace cairn::formats
