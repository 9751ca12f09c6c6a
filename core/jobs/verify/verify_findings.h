// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/jobs/verify/verify.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

/// Internal to core/jobs: what a verification has compared and found different so far.
namespace cairn {

/// Collects the findings of several threads.
class Findings {
public:
    void compared(std::size_t position, std::uint64_t bytes) {
        const std::scoped_lock lock(m_mutex);
        m_compared.push_back(position);
        m_bytes += bytes;
    }
    void differs(std::string what, std::string name, Sentence message) {
        const std::scoped_lock lock(m_mutex);
        m_clean = false;
        if (m_mismatches.size() < VerifyResult::kMaxMismatches) {
            m_mismatches.push_back({std::move(what), std::move(name), std::move(message)});
        }
    }
    /// What a difference in is not reported.
    void leaves(Sentence phrase) {
        const std::scoped_lock lock(m_mutex);
        m_left.push_back(std::move(phrase));
    }
    /// `name` gives the names of what was compared; the result does not depend on the order of the
    /// threads.
    template <class Name> VerifyResult result(const Name& name) {
        std::ranges::sort(m_compared);
        std::ranges::sort(m_mismatches, {},
                          [](const Mismatch& m) { return std::pair(m.what, m.name); });
        VerifyResult all;
        for (const std::size_t position : m_compared) {
            all.compared.push_back(name(position));
        }
        all.mismatches = std::move(m_mismatches);
        all.notCompared = std::move(m_left);
        all.bytes = m_bytes;
        all.verified = m_clean && !all.compared.empty();
        return all;
    }

private:
    std::mutex m_mutex;
    std::vector<std::size_t> m_compared;
    std::vector<Mismatch> m_mismatches;
    std::vector<Sentence> m_left;
    std::uint64_t m_bytes = 0;
    bool m_clean = true;
};

} // namespace cairn
