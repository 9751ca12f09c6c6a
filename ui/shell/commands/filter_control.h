// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QString>

namespace cairn::ui {

class SearchField;
class ShownSubject;
class WindowParts;

/// The filter field: passes its text to the pages, shows what they say of it, and is set by the
/// roles of the navigator.
class FilterControl : public QObject {
    Q_OBJECT

public:
    /// Both outlive this.
    FilterControl(WindowParts& parts, const ShownSubject& subject);

private:
    void connectPages();
    void setFilter(const QString& text);
    void setRole(const QString& filter);
    void updateActions();

    WindowParts& m_parts;
    const ShownSubject& m_subject;
    SearchField& m_field;
    QString m_role; ///< the filter that choosing a role put into the field
};

} // namespace cairn::ui
