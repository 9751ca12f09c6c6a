// SPDX-License-Identifier: Apache-2.0
#include "core/report/report_chart.h"

#include "core/base/visible_text.h"
#include "core/runs/compare/compare_summary.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <limits>
#include <utility>

namespace cairn {
namespace {

constexpr double kWidth = 720;
constexpr double kHeight = 260;
constexpr double kLeft = 64;
constexpr double kTop = 22;
constexpr double kBottom = 28;
constexpr std::size_t kMostPoints = 1'000;

/// After Okabe and Ito, each with a dash of its own.
struct Stroke {
    std::string_view color;
    std::string_view dash;
};
constexpr auto kStrokes = std::to_array<Stroke>({{"#0072b2", ""},
                                                 {"#d55e00", "6 4"},
                                                 {"#009e73", "2 3"},
                                                 {"#b3508f", "8 3 2 3"},
                                                 {"#8a6a00", ""},
                                                 {"#3aa6e0", "6 4"}});

using Point = std::pair<double, double>;

std::vector<Point> finitePoints(const ReportCurve& curve) {
    std::vector<Point> points;
    for (std::size_t i = 0; i < std::min(curve.x.size(), curve.y.size()); ++i) {
        if (std::isfinite(curve.x[i]) && std::isfinite(curve.y[i])) {
            points.emplace_back(curve.x[i], curve.y[i]);
        }
    }
    return points;
}

/// Of each part of equally many points the lowest and the highest, in their order.
std::vector<Point> thinned(const std::vector<Point>& points) {
    if (points.size() <= kMostPoints) {
        return points;
    }
    constexpr std::size_t kParts = kMostPoints / 2;
    std::vector<Point> thin;
    for (std::size_t part = 0; part < kParts; ++part) {
        const auto begin =
            points.begin() + static_cast<std::ptrdiff_t>(part * points.size() / kParts);
        const auto end =
            points.begin() + static_cast<std::ptrdiff_t>((part + 1) * points.size() / kParts);
        const auto [low, high] = std::minmax_element(
            begin, end, [](const Point& a, const Point& b) { return a.second < b.second; });
        thin.push_back(*std::min(low, high));
        if (low != high) {
            thin.push_back(*std::max(low, high));
        }
    }
    return thin;
}

struct Extent {
    double low = std::numeric_limits<double>::infinity();
    double high = -std::numeric_limits<double>::infinity();
    void add(double value) {
        low = std::min(low, value);
        high = std::max(high, value);
    }
    [[nodiscard]] double share(double value) const {
        return high > low ? (value - low) / (high - low) : 0.5;
    }
};

std::string coordinate(double value) {
    std::array<char, 32> digits{};
    (void)std::snprintf(digits.data(), digits.size(), "%.1f", value);
    return digits.data();
}

std::string label(double x, double y, std::string_view anchor, const std::string& text) {
    return "<text x=\"" + coordinate(x) + "\" y=\"" + coordinate(y) + "\" text-anchor=\"" +
           std::string(anchor) + "\">" + escapedHtml(text) + "</text>";
}

} // namespace

std::string escapedHtml(std::string_view text) {
    std::string escaped;
    for (const char c : visibleText(text)) {
        switch (c) {
        case '&':
            escaped += "&amp;";
            break;
        case '<':
            escaped += "&lt;";
            break;
        case '>':
            escaped += "&gt;";
            break;
        case '"':
            escaped += "&quot;";
            break;
        default:
            escaped += c;
        }
    }
    return escaped;
}

std::string chartSvg(const ReportBlock& chart) {
    std::vector<std::vector<Point>> curves;
    Extent across;
    Extent up;
    for (const ReportCurve& curve : chart.curves) {
        curves.push_back(thinned(finitePoints(curve)));
        for (const auto& [x, y] : curves.back()) {
            across.add(x);
            up.add(y);
        }
    }
    std::string svg = "<svg viewBox=\"0 0 " + coordinate(kWidth) + " " + coordinate(kHeight) +
                      "\" role=\"img\" aria-label=\"" + escapedHtml(chart.text) + "\">";
    if (!(across.low <= across.high)) {
        return svg + label(kWidth / 2, kHeight / 2, "middle", "no finite values") + "</svg>";
    }
    const double plotHeight = kHeight - kTop - kBottom;
    double legend = kLeft;
    for (std::size_t i = 0; i < curves.size(); ++i) {
        const Stroke& stroke = kStrokes[i % kStrokes.size()];
        std::string points;
        for (const auto& [x, y] : curves[i]) {
            points += coordinate(kLeft + across.share(x) * (kWidth - kLeft)) + "," +
                      coordinate(kTop + (1 - up.share(y)) * plotHeight) + " ";
        }
        const std::string look = "fill=\"none\" stroke=\"" + std::string(stroke.color) +
                                 "\" stroke-width=\"1.6\" stroke-dasharray=\"" +
                                 std::string(stroke.dash) + "\"";
        svg += "<polyline " + look + " points=\"" + points + "\"/>";
        if (curves[i].size() == 1) {
            const auto [x, y] = curves[i].front();
            svg += "<circle r=\"3\" fill=\"" + std::string(stroke.color) + "\" cx=\"" +
                   coordinate(kLeft + across.share(x) * (kWidth - kLeft)) + "\" cy=\"" +
                   coordinate(kTop + (1 - up.share(y)) * plotHeight) + "\"/>";
        }
        svg += "<line " + look + " x1=\"" + coordinate(legend) + "\" y1=\"8\" x2=\"" +
               coordinate(legend + 24) + "\" y2=\"8\"/>" +
               label(legend + 30, 12, "start", chart.curves[i].name);
        legend += 48 + 7.0 * static_cast<double>(chart.curves[i].name.size());
    }
    svg += label(kLeft - 6, kTop + 8, "end", summaryNumber(up.high)) +
           label(kLeft - 6, kTop + plotHeight, "end", summaryNumber(up.low)) +
           label(kLeft, kHeight - 8, "start", summaryNumber(across.low)) +
           label(kWidth, kHeight - 8, "end", summaryNumber(across.high)) +
           label((kLeft + kWidth) / 2, kHeight - 8, "middle", chart.axis);
    return svg + "</svg>";
}

} // namespace cairn
