#include "report/profile/roofline_plot.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <sstream>
#include <vector>

#include "core/text/number_format.h"
#include "report/plot/plot_scale.h"
#include "report/plot/svg_shapes.h"
#include "report/profile/operator_lines.h"
#include "report/text/clean_text.h"

namespace stepgate {
namespace {

constexpr Place roofline_size{980, 540};
constexpr double frame_left = 84;
constexpr double frame_right = 600;
constexpr double frame_top = 84;
constexpr double frame_bottom = 462;
constexpr double names_at = 622;
constexpr std::size_t named_operators = 12;

/// An operator with FLOPs.
struct RooflinePoint {
  const OperatorRow* row;
  double intensity;  ///< FLOPs per byte touched
  double rate;       ///< FLOPs per second
};

/// Peak over bandwidth: to the left of it bandwidth makes the roof.
struct Ridge {
  double intensity;
  double rate;
};

struct Roofline {
  pugi::xml_node root;
  PixelScale x;  ///< scale of the decimal logarithm
  PixelScale y;
};

std::vector<RooflinePoint> points_of(const Profile& profile) {
  std::vector<RooflinePoint> points;
  for (const OperatorRow& row : profile.operators) {
    if (row.site.flops <= 0 || row.site.bytes <= 0 || !(row.self_ns > 0)) continue;
    const double flops = static_cast<double>(row.site.flops);
    points.push_back({&row, flops / static_cast<double>(row.site.bytes), flops / row.self_ns * 1e9});
  }
  std::stable_sort(points.begin(), points.end(),
                   [](const RooflinePoint& a, const RooflinePoint& b) { return a.row->self_ns > b.row->self_ns; });
  return points;
}

/// The fastest level is a cache; the largest working set is in memory.
std::vector<BandwidthLevel> slanted_roofs(const MachinePeaks& peaks) {
  if (peaks.bandwidth.empty()) return {};
  const auto fastest =
      std::max_element(peaks.bandwidth.begin(), peaks.bandwidth.end(),
                       [](const BandwidthLevel& a, const BandwidthLevel& b) { return a.bytes_per_s < b.bytes_per_s; });
  std::vector<BandwidthLevel> roofs = {*fastest};
  if (peaks.bandwidth.back().bytes_per_s < fastest->bytes_per_s) roofs.push_back(peaks.bandwidth.back());
  return roofs;
}

std::vector<Ridge> ridges_of(const MachinePeaks& peaks) {
  std::vector<Ridge> ridges;
  for (const auto& [dtype, peak] : peaks.flops_per_s) {
    for (const BandwidthLevel& level : slanted_roofs(peaks)) {
      if (peak > 0 && level.bytes_per_s > 0) ridges.push_back({peak / level.bytes_per_s, peak});
    }
  }
  return ridges;
}

/// Whole decades around all values.
AxisRange decades(const std::vector<double>& values) {
  AxisRange range{0, 1};
  for (std::size_t i = 0; i < values.size(); ++i) {
    const double decade = std::log10(values[i]);
    range.lower = i == 0 ? std::floor(decade) : std::min(range.lower, std::floor(decade));
    range.upper = i == 0 ? std::ceil(decade) : std::max(range.upper, std::ceil(decade));
  }
  if (range.upper <= range.lower) range.upper = range.lower + 1;
  return range;
}

Place place_of(const Roofline& plot, double intensity, double rate) {
  return {plot.x.at(std::log10(intensity)), plot.y.at(std::log10(rate))};
}

/// "10 GFLOP/s"
std::string rate_tick(double decade) {
  struct Prefix {
    double decade;
    const char* name;
  };
  for (const Prefix& prefix : {Prefix{12, "T"}, Prefix{9, "G"}, Prefix{6, "M"}, Prefix{3, "k"}}) {
    if (decade >= prefix.decade)
      return fmt::format("{:.0f} {}FLOP/s", std::pow(10, decade - prefix.decade), prefix.name);
  }
  return fmt::format("{:g} FLOP/s", std::pow(10, decade));
}

void draw_frame(const Roofline& plot) {
  for (double decade = plot.y.range.lower; decade <= plot.y.range.upper + 1e-9; ++decade) {
    const double at = plot.y.at(decade);
    add_line(plot.root, {frame_left, at}, {frame_right, at}, "grid");
    add_text(plot.root, {frame_left - 8, at + 4}, "tick end", rate_tick(decade));
  }
  for (double decade = plot.x.range.lower; decade <= plot.x.range.upper + 1e-9; ++decade) {
    const double at = plot.x.at(decade);
    add_line(plot.root, {at, frame_bottom}, {at, frame_bottom + 5}, "axis");
    add_text(plot.root, {at, frame_bottom + 20}, "tick middle", fmt::format("{:g}", std::pow(10, decade)));
  }
  add_line(plot.root, {frame_left, frame_bottom}, {frame_right, frame_bottom}, "axis");
  add_text(plot.root, {(frame_left + frame_right) / 2, frame_bottom + 44}, "label middle", "FLOPs per byte touched");
}

void draw_flat_roofs(const Roofline& plot, const MachinePeaks& peaks) {
  for (const auto& [dtype, peak] : peaks.flops_per_s) {
    if (!(peak > 0)) continue;
    const double at = plot.y.at(std::log10(peak));
    add_line(plot.root, {frame_left, at}, {frame_right, at}, "axis");
    add_text(plot.root, {frame_left + 6, at - 5}, "tick halo",
             fmt::format("{} {:.0f} GFLOP/s", terminal_text(dtype, false), peak / 1e9));
  }
}

/// From the left edge up to the highest flat roof.
void draw_slanted_roofs(const Roofline& plot, const MachinePeaks& peaks) {
  double highest = 0;
  for (const auto& [dtype, peak] : peaks.flops_per_s) highest = std::max(highest, peak);
  for (const BandwidthLevel& level : slanted_roofs(peaks)) {
    if (!(level.bytes_per_s > 0) || !(highest > 0)) continue;
    const double first =
        std::max(std::pow(10, plot.x.range.lower), std::pow(10, plot.y.range.lower) / level.bytes_per_s);
    const double last = std::min(std::pow(10, plot.x.range.upper), highest / level.bytes_per_s);
    if (last <= first) continue;
    const Place begin = place_of(plot, first, first * level.bytes_per_s);
    add_line(plot.root, begin, place_of(plot, last, last * level.bytes_per_s), "axis");
    add_text(plot.root, {begin.x + 6, begin.y - 6}, "tick halo",
             fmt::format("{:.0f} GB/s at {}", level.bytes_per_s / 1e9,
                         bytes_text(static_cast<double>(level.working_set_bytes))));
  }
}

void draw_ridges(const Roofline& plot, const MachinePeaks& peaks) {
  for (const Ridge& ridge : ridges_of(peaks)) {
    const Place at = place_of(plot, ridge.intensity, ridge.rate);
    add_ring(plot.root, at, 4);
    add_text(plot.root, {at.x + 6, at.y + 15}, "tick halo", fmt::format("{:.1f}", ridge.intensity));
  }
}

/// Boundaries that have a point, in the order of their costliest operator.
std::vector<std::string> boundaries_of(const std::vector<RooflinePoint>& points) {
  std::vector<std::string> names;
  for (const RooflinePoint& point : points) {
    if (std::find(names.begin(), names.end(), point.row->site.boundary) == names.end()) {
      names.push_back(point.row->site.boundary);
    }
  }
  return names;
}

std::string described(const RooflinePoint& point) {
  return fmt::format("{} {} in {}: {:.1f} GFLOP/s at {} FLOPs per byte, {} of a step", point.row->site.name,
                     operands_text(point.row->site), point.row->site.boundary, point.rate / 1e9,
                     figure_text(point.intensity), duration_text(point.row->self_ns));
}

struct RooflineMarker {
  Place at;
  double radius = 0;
  bool moved = false;  ///< beside its own place
};

constexpr double widest_number = 14;  ///< pixels: two digits of a marker
constexpr double spread_by = 6;       ///< pixels between two distances that are tried
constexpr int spread_steps = 16;
constexpr int spread_angles = 12;

bool is_free(const RooflineMarker& marker, const std::vector<RooflineMarker>& others) {
  return std::none_of(others.begin(), others.end(), [&](const RooflineMarker& other) {
    const double needed = std::max(widest_number, 0.8 * (marker.radius + other.radius));
    return std::hypot(marker.at.x - other.at.x, marker.at.y - other.at.y) < needed;
  });
}

/// The nearest free place around its own, which it keeps if that is free or none is.
RooflineMarker beside_others(const RooflineMarker& marker, const std::vector<RooflineMarker>& others) {
  for (int step = 0; step <= spread_steps; ++step) {
    for (int angle = 0; angle < (step == 0 ? 1 : spread_angles); ++angle) {
      const double turn = 2 * std::numbers::pi * angle / spread_angles;
      const Place at{marker.at.x + spread_by * step * std::cos(turn), marker.at.y + spread_by * step * std::sin(turn)};
      const bool inside = at.x >= frame_left && at.x <= frame_right && at.y >= frame_top && at.y <= frame_bottom;
      if ((inside || step == 0) && is_free({at, marker.radius}, others)) return {at, marker.radius, step > 0};
    }
  }
  return marker;
}

/// The named ones first, which keep clear of each other; the others lie at their places.
std::vector<RooflineMarker> markers_of(const Roofline& plot, const std::vector<RooflinePoint>& points) {
  constexpr double largest = 17;
  constexpr double dot = 2;
  std::vector<RooflineMarker> markers;
  for (const RooflinePoint& point : points) {
    const Place at = place_of(plot, point.intensity, point.rate);
    if (markers.size() >= named_operators) {
      markers.push_back({at, dot});
      continue;
    }
    const double share = point.row->self_ns / points.front().row->self_ns;
    markers.push_back(beside_others({at, std::max(dot, largest * std::sqrt(share))}, markers));
  }
  return markers;
}

void draw_point(const Roofline& plot, const RooflinePoint& point, const std::string& colour,
                const RooflineMarker& marker) {
  if (marker.moved) {
    const Place own = place_of(plot, point.intensity, point.rate);
    add_line(plot.root, own, marker.at, "axis");
    add_disc(add_group(plot.root, colour), own, 2);
  }
  const pugi::xml_node group = add_group(plot.root, colour);
  add_title(group, described(point));
  add_disc(group, marker.at, marker.radius);
}

void draw_points(const Roofline& plot, const std::vector<RooflinePoint>& points) {
  const auto boundaries = boundaries_of(points);
  const auto markers = markers_of(plot, points);
  for (std::size_t i = points.size(); i-- > 0;) {  // the costliest last, on top
    const std::size_t boundary = static_cast<std::size_t>(
        std::find(boundaries.begin(), boundaries.end(), points[i].row->site.boundary) - boundaries.begin());
    const bool is_named = i < named_operators;
    draw_point(plot, points[i], is_named ? series_class(boundary) : "s5", markers[i]);
    if (!is_named) continue;
    const Place at = markers[i].at;
    add_text(plot.root, {at.x, at.y + 4}, "tick halo middle", fmt::format("{}", i + 1));
  }
}

void draw_legend(const Roofline& plot, const std::vector<RooflinePoint>& points) {
  constexpr double line_height = 19;
  constexpr std::size_t name_width = 46;
  double y = frame_top;
  const auto boundaries = boundaries_of(points);
  for (std::size_t i = 0; i < boundaries.size(); ++i) {
    add_disc(add_group(plot.root, series_class(i)), {names_at + 5, y - 4}, 5);
    add_text(plot.root, {names_at + 18, y}, "label", shortened(boundaries[i], name_width, false));
    y += line_height;
  }
  y += line_height / 2;
  for (std::size_t i = 0; i < std::min(points.size(), named_operators); ++i) {
    const OperatorSite& site = points[i].row->site;
    const std::string name = fmt::format("{}  {} {}", i + 1, site.name, operands_text(site));
    add_text(plot.root, {names_at, y}, "tick", shortened(name, name_width, false));
    y += line_height;
  }
}

std::string left_out(const Profile& profile, std::size_t shown) {
  const std::size_t others = profile.operators.size() - shown;
  if (others == 0) return "marker area: self time";
  return fmt::format("marker area: self time; {} without FLOPs left out", counted(others, "row"));
}

Roofline frame_of(pugi::xml_node root, const Profile& profile, const std::vector<RooflinePoint>& points) {
  std::vector<double> intensities;
  std::vector<double> rates;
  for (const RooflinePoint& point : points) {
    intensities.push_back(point.intensity);
    rates.push_back(point.rate);
  }
  for (const Ridge& ridge : ridges_of(profile.peaks)) {
    intensities.push_back(ridge.intensity);
    rates.push_back(ridge.rate);
  }
  return {root, {decades(intensities), frame_left, frame_right}, {decades(rates), frame_bottom, frame_top}};
}

}  // namespace

std::string render_roofline(const Profile& profile) {
  if (profile.peaks.flops_per_s.empty() || profile.peaks.bandwidth.empty()) return "";
  if (profile.operator_times == OperatorTimes::host) return "";
  pugi::xml_document document;
  const pugi::xml_node root = open_svg(document, roofline_size, "Roofline of " + profile.case_name);
  add_text(root, {24, 30}, "title", profile.case_name);
  const auto points = points_of(profile);
  if (points.empty()) {
    add_text(root, {24, 56}, "label", "no operator with FLOPs was observed: profile.json says why");
  } else {
    add_text(root, {24, 50}, "label",
             fmt::format("roofline, {}, peaks measured here with {}{}", name_of(profile.device),
                         counted(profile.threads, "thread"),
                         profile.low_roofs.empty() ? "" : "; an operator is faster, so a roof is too low"));
    const Roofline plot = frame_of(root, profile, points);
    draw_frame(plot);
    draw_flat_roofs(plot, profile.peaks);
    draw_slanted_roofs(plot, profile.peaks);
    draw_points(plot, points);
    draw_ridges(plot, profile.peaks);
    draw_legend(plot, points);
    add_text(root, {frame_left, frame_bottom + 66}, "tick", left_out(profile, points.size()));
  }
  std::ostringstream text;
  document.save(text, "  ");
  return text.str();
}

}  // namespace stepgate
