// SPDX-License-Identifier: Apache-2.0
#include "core/io/file_ops_fault.h"

#include <algorithm>

namespace cairn {
namespace {

bool isRemoval(FileCallKind kind) {
    return kind == FileCallKind::RemoveFile || kind == FileCallKind::RemoveFolder ||
           kind == FileCallKind::Close;
}

} // namespace

long FaultFileOps::perform(const FileCall& call) {
    bool faulty = false;
    if (!m_plan.only || *m_plan.only == call.kind) {
        const std::scoped_lock lock(m_mutex);
        const std::uint64_t position = m_calls++;
        faulty = (position == m_plan.at || (m_plan.fromThenOn && position > m_plan.at)) &&
                 !(m_plan.spareRemoval && isRemoval(call.kind));
        m_faults += faulty ? 1U : 0U;
    }
    if (!faulty) {
        return m_inner.perform(call);
    }
    if (m_plan.errnoValue != 0) {
        if (call.kind == FileCallKind::Close) {
            m_inner.perform(call); // a failed close still closes the descriptor
        }
        return -m_plan.errnoValue;
    }
    if (call.kind != FileCallKind::Write) {
        return m_inner.perform(call);
    }
    FileCall shorter = call;
    shorter.bytes = call.bytes.first(std::max<std::size_t>(call.bytes.size() / 2, 1));
    shorter.length = shorter.bytes.size();
    return m_inner.perform(shorter);
}

std::uint64_t FaultFileOps::calls() const {
    const std::scoped_lock lock(m_mutex);
    return m_calls;
}

std::uint64_t FaultFileOps::faults() const {
    const std::scoped_lock lock(m_mutex);
    return m_faults;
}

long RecordFileOps::perform(const FileCall& call) {
    const long result = m_inner.perform(call);
    const std::scoped_lock lock(m_mutex);
    m_calls.push_back(
        {call.kind, call.fd, call.name, call.toName, call.offset, call.length, result});
    return result;
}

std::vector<RecordedCall> RecordFileOps::calls() const {
    const std::scoped_lock lock(m_mutex);
    return m_calls;
}

} // namespace cairn
