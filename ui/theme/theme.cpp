// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/theme/theme.h"

#include "ui/theme/appearance.h"

#include <QFontDatabase>
#include <QtGlobal>

#include <algorithm>
#include <array>
#include <cmath>

namespace cairn::ui::theme {
namespace {

constexpr double kTextContrast = 4.5;
constexpr std::size_t kSeriesColors = 8;

QColor mix(const QColor& over, const QColor& under, double share) {
    const auto channel = [share](float a, float b) {
        return static_cast<float>(share * a + (1.0 - share) * b);
    };
    return QColor::fromRgbF(channel(over.redF(), under.redF()),
                            channel(over.greenF(), under.greenF()),
                            channel(over.blueF(), under.blueF()));
}

double luminance(const QColor& color) {
    const auto linear = [](double c) {
        return c <= 0.03928 ? c / 12.92 : std::pow((c + 0.055) / 1.055, 2.4);
    };
    return 0.2126 * linear(color.redF()) + 0.7152 * linear(color.greenF()) +
           0.0722 * linear(color.blueF());
}

/// Moves `wanted` towards the text colour until it is readable on both backgrounds.
QColor readable(const QColor& wanted, const QPalette& palette) {
    const QColor base = palette.color(QPalette::Base);
    const QColor window = palette.color(QPalette::Window);
    const QColor end = isDark(palette) ? QColor(Qt::white) : QColor(Qt::black);
    QColor result = wanted;
    for (int step = 0; step < 20; ++step) {
        if (std::min(contrast(result, base), contrast(result, window)) >= kTextContrast) {
            break;
        }
        result = mix(end, result, 0.08);
    }
    return result;
}

QFont scaled(const QFont& base, double factor) {
    QFont font(base);
    if (base.pointSizeF() > 0) {
        font.setPointSizeF(base.pointSizeF() * factor);
    } else {
        font.setPixelSize(std::max(1, static_cast<int>(std::lround(base.pixelSize() * factor))));
    }
    return body(font);
}

} // namespace

double contrast(const QColor& a, const QColor& b) {
    const double la = luminance(a);
    const double lb = luminance(b);
    return (std::max(la, lb) + 0.05) / (std::min(la, lb) + 0.05);
}

bool isDark(const QPalette& palette) {
    return palette.color(QPalette::Window).lightness() <
           palette.color(QPalette::WindowText).lightness();
}

QColor color(Tone tone, const QPalette& palette) {
    const bool dark = isDark(palette);
    switch (tone) {
    case Tone::Plain:
        return palette.color(QPalette::Text);
    case Tone::Dim:
        return readable(mix(palette.color(QPalette::Text), palette.color(QPalette::Base), 0.58),
                        palette);
    case Tone::Good:
        return readable(dark ? QColor(0x55, 0xc4, 0x86) : QColor(0x1a, 0x7f, 0x37), palette);
    case Tone::Attention:
        return readable(dark ? QColor(0xe0, 0xb0, 0x4a) : QColor(0x9a, 0x67, 0x00), palette);
    case Tone::Broken:
        return readable(dark ? QColor(0xf4, 0x7c, 0x6c) : QColor(0xc4, 0x2b, 0x1f), palette);
    case Tone::Accent:
        return readable(palette.color(QPalette::Highlight), palette);
    }
    return palette.color(QPalette::Text);
}

QColor hairline(const QPalette& palette) {
    return mix(palette.color(QPalette::WindowText), palette.color(QPalette::Window),
               isDark(palette) ? 0.17 : 0.14);
}

QColor track(const QPalette& palette) {
    return mix(palette.color(QPalette::Text), palette.color(QPalette::Base),
               isDark(palette) ? 0.12 : 0.075);
}

QColor cardGround(const QPalette& palette) {
    return palette.color(QPalette::Base);
}

QColor accent(const QPalette& palette) {
    // White on the common mid blues misses 4.5:1 by a little; a slightly deeper tone of the same
    // hue reaches it.
    QColor ground = palette.color(QPalette::Highlight);
    for (int step = 0; step < 12 && contrast(ground, Qt::white) < kTextContrast &&
                       contrast(ground, Qt::black) < 7.0;
         ++step) {
        ground = mix(Qt::black, ground, 0.06);
    }
    return ground;
}

QColor onAccent(const QPalette& palette) {
    const QColor ground = accent(palette);
    return contrast(ground, Qt::white) >= kTextContrast ? QColor(Qt::white) : QColor(Qt::black);
}

void quietSelection(QPalette& palette) {
    const QColor full = palette.color(QPalette::Active, QPalette::Highlight);
    for (const QPalette::ColorGroup group :
         {QPalette::Active, QPalette::Inactive, QPalette::Disabled}) {
        const QColor base = palette.color(group, QPalette::Base);
        palette.setColor(group, QPalette::Highlight,
                         mix(full, base, isDark(palette) ? 0.30 : 0.16));
        palette.setColor(group, QPalette::HighlightedText, palette.color(group, QPalette::Text));
    }
}

QColor series(int index, const QPalette& palette) {
    // After Okabe and Ito; darker where the ground is white, lighter where it is dark.
    struct Pair {
        QRgb light;
        QRgb dark;
    };
    static constexpr std::array<Pair, kSeriesColors> kColors{{{0x0072b2, 0x56b4e9},
                                                              {0xd55e00, 0xf59a42},
                                                              {0x009e73, 0x47c9a2},
                                                              {0xb3508f, 0xe08cbf},
                                                              {0x8a6a00, 0xe6c229},
                                                              {0x3aa6e0, 0xa6dcff},
                                                              {0x6a4c93, 0xb79ced},
                                                              {0x555b61, 0xaab1b8}}};
    const Pair& pair = kColors[static_cast<std::size_t>(std::max(index, 0)) % kSeriesColors];
    return QColor(isDark(palette) ? pair.dark : pair.light);
}

Qt::PenStyle seriesDash(int index) {
    // Each round of colours starts one dash later.
    switch ((index + index / static_cast<int>(kSeriesColors)) % 4) {
    case 0:
        return Qt::SolidLine;
    case 1:
        return Qt::DashLine;
    case 2:
        return Qt::DotLine;
    default:
        return Qt::DashDotLine;
    }
}

QColor shade(double share, const QPalette& palette) {
    static constexpr std::array<QRgb, 9> kViridis{0x440154, 0x472d7b, 0x3b528b, 0x2c728e, 0x21918c,
                                                  0x28ae80, 0x5ec962, 0xaddc30, 0xfde725};
    const double low = isDark(palette) ? 0.28 : 0.0;
    const double high = isDark(palette) ? 1.0 : 0.8;
    const double place = (low + std::clamp(share, 0.0, 1.0) * (high - low)) *
                         static_cast<double>(kViridis.size() - 1);
    const auto before = std::min(static_cast<std::size_t>(place), kViridis.size() - 2);
    return mix(QColor(kViridis[before + 1]), QColor(kViridis[before]),
               place - static_cast<double>(before));
}

QFont body(const QFont& base) {
    QFont font(base);
#if QT_VERSION >= QT_VERSION_CHECK(6, 7, 0)
    font.setFeature("tnum", 1);
#endif
    return font;
}

QFont caption(const QFont& base) {
    QFont font = scaled(base, 0.86);
    font.setCapitalization(QFont::AllUppercase);
    font.setLetterSpacing(QFont::PercentageSpacing, 104);
    return font;
}

QFont small(const QFont& base) {
    return scaled(base, 0.9);
}

QFont headline(const QFont& base) {
    QFont font = scaled(base, 1.25);
    font.setWeight(QFont::DemiBold);
    return font;
}

QFont bigFigure(const QFont& base) {
    QFont font = scaled(base, 1.75);
    font.setWeight(QFont::DemiBold);
    return font;
}

QFont mono(const QFont& base) {
    QFont font = QFontDatabase::systemFont(QFontDatabase::FixedFont);
    if (const double chosen = monoPoints(base); chosen > 0) {
        font.setPointSizeF(chosen);
    } else if (base.pointSizeF() > 0) {
        font.setPointSizeF(base.pointSizeF() * 0.94);
    } else {
        font.setPixelSize(base.pixelSize());
    }
    return font;
}

} // namespace cairn::ui::theme
