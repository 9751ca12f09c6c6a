// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/compare/weight_distance.h"

#include "ui/text/plain_text.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace cairn::ui {
namespace {

constexpr int kTickMs = 100;
constexpr std::size_t kMaxKnown = 256;

} // namespace

WeightDistance::WeightDistance(QObject* parent) : QObject(parent) {
    m_tick.setInterval(kTickMs);
    connect(&m_tick, &QTimer::timeout, this, &WeightDistance::progressed);
}

WeightDistance::~WeightDistance() = default;

const WeightDistance::Known* WeightDistance::find(const WeightPair& pair) const {
    const auto at = std::ranges::find_if(
        m_known, [&](const Known& known) { return known.pair.sameFiles(pair); });
    return at != m_known.end() ? &*at : nullptr;
}

const WeightChange* WeightDistance::change(std::size_t pair) const {
    const auto at = std::ranges::find(m_pairs, pair, &WeightPair::pair);
    const Known* known = at != m_pairs.end() ? find(*at) : nullptr;
    return known != nullptr ? known->change.get() : nullptr;
}

std::size_t WeightDistance::knownPairs() const {
    return static_cast<std::size_t>(std::ranges::count_if(
        m_pairs, [this](const WeightPair& pair) { return find(pair) != nullptr; }));
}

/// The last pair, the first, then the others from late to early.
std::vector<WeightPair> WeightDistance::unknownPairs() const {
    std::vector<WeightPair> open;
    std::copy_if(m_pairs.rbegin(), m_pairs.rend(), std::back_inserter(open),
                 [this](const WeightPair& pair) { return find(pair) == nullptr; });
    if (open.size() > 2) {
        std::rotate(open.begin() + 1, open.end() - 1, open.end());
    }
    return open;
}

void WeightDistance::setPairs(std::vector<WeightPair> pairs) {
    const bool same = std::ranges::equal(m_pairs, pairs, [](const auto& a, const auto& b) {
        return a.pair == b.pair && a.sameFiles(b);
    });
    if (same) {
        return;
    }
    m_pairs = std::move(pairs);
    m_runner.cancel();
    m_tick.stop();
    m_bytes = 0;
    m_asked = false;
    m_done.reset();
    if (m_known.size() > kMaxKnown) {
        std::erase_if(m_known, [this](const Known& known) {
            return std::ranges::none_of(
                m_pairs, [&](const WeightPair& pair) { return pair.sameFiles(known.pair); });
        });
    }
    if (m_pairs.empty()) {
        setState(State::Empty);
    } else if (unknownPairs().empty()) {
        setState(State::Done);
    } else {
        estimate();
    }
}

void WeightDistance::estimate() {
    setState(State::Estimating);
    m_runner.start(
        [pairs = unknownPairs()](const CancelToken& cancel) { return weightBytes(pairs, cancel); },
        [this](const Result<std::uint64_t>& bytes) {
            if (!bytes) {
                setState(State::Stopped);
                return;
            }
            m_bytes = *bytes;
            if (m_asked || m_bytes <= kAutoReadLimit) {
                read();
            } else {
                setState(State::Waiting);
            }
        });
}

void WeightDistance::start() {
    m_asked = true;
    if (m_state == State::Waiting) {
        read();
    } else if (m_state == State::Stopped) {
        estimate(); // less is left than there was
    }
}

void WeightDistance::stop() {
    if (m_state == State::Reading || m_state == State::Estimating) {
        m_runner.cancel();
        m_tick.stop();
        setState(State::Stopped);
    }
}

void WeightDistance::read() {
    m_done = std::make_shared<std::atomic<std::uint64_t>>(0);
    m_tick.start();
    m_runner.start(
        [this, pairs = unknownPairs(),
         done = m_done](const CancelToken& cancel, const AsyncRunner::Post& post) -> Result<bool> {
            for (const WeightPair& pair : pairs) {
                CAIRN_TRY(WeightChange change, weightChange(pair, *done, cancel));
                auto known = std::make_shared<const WeightChange>(std::move(change));
                post([this, pair, known] { // on the GUI thread, while this runner is still there
                    m_known.push_back({pair, known});
                    Q_EMIT changed();
                });
            }
            return true;
        },
        [this](const Result<bool>& finished) {
            m_tick.stop();
            setState(finished ? State::Done : State::Stopped);
        });
    setState(State::Reading);
}

void WeightDistance::setState(State state) {
    m_state = state;
    Q_EMIT changed();
}

QString distanceText(const WeightChange& change) {
    if (change.error) {
        return WeightDistance::tr("unreadable");
    }
    if (!change.known()) {
        return WeightDistance::tr("not comparable");
    }
    return change.equal()                ? WeightDistance::tr("equal")
           : std::isinf(change.relative) ? QStringLiteral("∞")
                                         : text::inLocale(QString::number(change.relative, 'g', 3));
}

} // namespace cairn::ui
