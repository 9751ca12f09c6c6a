// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/consolidate/adapter_rows.h"

#include "ui/text/plain_text.h"
#include "ui/theme/theme.h"
#include "ui/widgets/button.h"
#include "ui/widgets/card.h"
#include "ui/widgets/check_box.h"
#include "ui/widgets/outlined.h"

#include <QCheckBox>
#include <QDoubleSpinBox>
#include <QHBoxLayout>
#include <QSignalBlocker>
#include <QVBoxLayout>

#include <algorithm>

namespace cairn::ui {
namespace {

RequestAdapter* chosenIn(JobChoices& choices, const std::filesystem::path& path) {
    std::vector<RequestAdapter>& adapters = choices.request.adapters;
    const auto at = std::ranges::find(adapters, Location(path), &RequestAdapter::place);
    return at == adapters.end() ? nullptr : &*at;
}

ChoiceChange folding(const std::filesystem::path& path, bool fold, double scale) {
    return [path, fold, scale](JobChoices& choices) {
        const RequestAdapter* chosen = chosenIn(choices, path);
        if (fold && chosen == nullptr) {
            choices.request.adapters.push_back({path, scale});
        } else if (!fold && chosen != nullptr) {
            std::erase_if(choices.request.adapters,
                          [&](const auto& each) { return each.place == Location(path); });
        }
    };
}

ChoiceChange scaling(const std::filesystem::path& path, double scale) {
    return [path, scale](JobChoices& choices) {
        if (RequestAdapter* chosen = chosenIn(choices, path)) {
            chosen->scale = scale;
        }
    };
}

/// "LORA for org/base"
QString about(const NearbyAdapter& adapter) {
    const QString base = text::fromCore(adapter.base);
    const QString method = text::fromCore(adapter.method);
    return base.isEmpty() ? method : AdapterRows::tr("%1 for %2").arg(method, base);
}

} // namespace

AdapterRows::AdapterRows(QWidget* parent)
    : QWidget(parent), m_layout(new QVBoxLayout(this)), m_more(new Button(QString())) {
    m_layout->setContentsMargins(0, 0, 0, 0);
    m_layout->setSpacing(theme::kGrid / 2);
    m_layout->addWidget(m_more, 0, Qt::AlignLeft);
    connect(m_more, &QPushButton::clicked, this, [this] {
        m_all = true;
        arrange(m_choices);
    });
    hide();
}

void AdapterRows::show(const JobChoices& choices, const std::vector<NearbyAdapter>& found) {
    std::vector<NearbyAdapter> wanted = found;
    for (const RequestAdapter& chosen : choices.request.adapters) {
        const std::filesystem::path& path = chosen.place.path();
        if (std::ranges::find(wanted, path, &NearbyAdapter::path) == wanted.end()) {
            wanted.push_back({path, {}, {}});
        }
    }
    const bool same = std::ranges::equal(wanted, m_rows, {}, &NearbyAdapter::path,
                                         [](const Row& row) { return row.adapter.path; });
    if (!same) {
        build(std::move(wanted));
    }
    arrange(choices);
}

void AdapterRows::build(std::vector<NearbyAdapter> adapters) {
    for (const Row& row : m_rows) {
        row.whole->hide();
        row.whole->deleteLater();
    }
    m_rows.clear();
    m_all = false;
    for (const NearbyAdapter& adapter : adapters) {
        const std::filesystem::path name = adapter.path.filename();
        const bool isOnly = std::ranges::count(adapters, name, [](const NearbyAdapter& each) {
                                return each.path.filename();
                            }) == 1;
        addRow(adapter,
               text::fromPath(isOnly ? name : adapter.path.parent_path().filename() / name));
    }
}

/// `name`: tells it from the others.
void AdapterRows::addRow(const NearbyAdapter& adapter, const QString& name) {
    const std::filesystem::path path = adapter.path;
    Row row{adapter, new QWidget, new CheckBox(tr("Fold in adapter %1").arg(name)),
            new Outlined<QDoubleSpinBox>};
    text::setToolTip(row.box, text::fromPath(path));
    row.scale->setRange(-kMostScale, kMostScale);
    row.scale->setSingleStep(0.1);
    row.scale->setDecimals(3);
    row.scale->setValue(1);
    row.scale->setKeyboardTracking(false); // 0.5 is not 0 first
    row.scale->setFocusPolicy(Qt::StrongFocus);
    row.scale->setMinimumHeight(theme::kControlHeight);
    row.scale->setPrefix(tr("scale "));
    row.scale->setAccessibleName(tr("Scale of the adapter %1").arg(name));
    text::setToolTip(row.scale,
                     tr("Multiplies the adapter's changes, in addition to its own scale"));
    auto* line = new QHBoxLayout(row.whole);
    line->setContentsMargins(0, 0, 0, 0);
    line->setSpacing(theme::kGrid);
    line->addWidget(row.box);
    auto* what = new TextLabel(about(adapter), theme::Tone::Dim);
    what->setElideMiddle(true);
    line->addWidget(what, 1);
    line->addWidget(row.scale);
    connect(row.box, &QCheckBox::clicked, this, [this, path, scale = row.scale](bool fold) {
        Q_EMIT changed(folding(path, fold, scale->value()));
    });
    connect(row.scale, &QDoubleSpinBox::valueChanged, this,
            [this, path](double value) { Q_EMIT changed(scaling(path, value)); });
    m_layout->insertWidget(static_cast<int>(m_rows.size()), row.whole);
    m_rows.push_back(row);
}

void AdapterRows::arrange(const JobChoices& choices) {
    m_choices = choices;
    std::size_t hidden = 0;
    for (std::size_t i = 0; i < m_rows.size(); ++i) {
        const Row& row = m_rows[i];
        const RequestAdapter* chosen = chosenIn(m_choices, row.adapter.path);
        const bool shown = m_all || i < kFewRows || chosen != nullptr;
        row.whole->setVisible(shown);
        hidden += shown ? 0 : 1;
        row.box->setChecked(chosen != nullptr);
        row.scale->setEnabled(chosen != nullptr);
        if (chosen != nullptr && row.scale->value() != chosen->scale) {
            const QSignalBlocker quiet(row.scale);
            row.scale->setValue(chosen->scale);
        }
    }
    m_more->setText(tr("Show %Ln More Adapters", nullptr, static_cast<int>(hidden)));
    m_more->setVisible(hidden > 0);
    setVisible(!m_rows.empty() && !averages(choices));
}

const AdapterRows::Row* AdapterRows::rowOf(const std::filesystem::path& adapter) const {
    const auto at =
        std::ranges::find_if(m_rows, [&](const Row& row) { return row.adapter.path == adapter; });
    return at == m_rows.end() ? nullptr : &*at;
}

QCheckBox* AdapterRows::box(const std::filesystem::path& adapter) const {
    const Row* row = rowOf(adapter);
    return row != nullptr ? row->box : nullptr;
}

QDoubleSpinBox* AdapterRows::scale(const std::filesystem::path& adapter) const {
    const Row* row = rowOf(adapter);
    return row != nullptr ? row->scale : nullptr;
}

} // namespace cairn::ui
