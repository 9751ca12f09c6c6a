// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/runs/scan/nearby_adapters.h"
#include "ui/pages/consolidate/job_choices.h"

#include <QWidget>

#include <filesystem>
#include <vector>

class QCheckBox;
class QDoubleSpinBox;
class QVBoxLayout;

namespace cairn::ui {

class Button;

/// "Fold in adapter …" with its scale, a row for each adapter around the checkpoint and each that
/// was chosen from elsewhere. Hidden while there is none, and for an average.
class AdapterRows : public QWidget {
    Q_OBJECT

public:
    explicit AdapterRows(QWidget* parent = nullptr);

    void show(const JobChoices& choices, const std::vector<NearbyAdapter>& found);
    static constexpr std::size_t kFewRows = 4; ///< more are shown on request, chosen ones always
    /// Of an adapter's row; null: there is none.
    QCheckBox* box(const std::filesystem::path& adapter) const;
    QDoubleSpinBox* scale(const std::filesystem::path& adapter) const;

Q_SIGNALS:
    void changed(const cairn::ui::ChoiceChange& change);

private:
    struct Row {
        NearbyAdapter adapter;
        QWidget* whole = nullptr;
        QCheckBox* box = nullptr;
        QDoubleSpinBox* scale = nullptr;
    };
    void build(std::vector<NearbyAdapter> adapters);
    void addRow(const NearbyAdapter& adapter, const QString& name);
    void arrange(const JobChoices& choices);
    const Row* rowOf(const std::filesystem::path& adapter) const;

    QVBoxLayout* m_layout;
    Button* m_more;
    std::vector<Row> m_rows;
    JobChoices m_choices;
    bool m_all = false; ///< also those beyond kFewRows
};

} // namespace cairn::ui
