#include "diagnose/profile/advice_lines.h"

#include <algorithm>
#include <map>
#include <string>
#include <utility>

#include "core/boundary.h"
#include "diagnose/patterns/pattern.h"
#include "diagnose/profile/step/call_price.h"
#include "diagnose/profile/step/device_timed_work.h"

namespace stepgate {
namespace {

/// The operator by which every reading of a value on the host ends.
constexpr std::string_view reads_a_value = "aten::_local_scalar_dense";

bool is_of_kind(Bottleneck kind, const OperatorRow& row, const MachinePeaks& peaks) {
  switch (kind) {
    case Bottleneck::launch:
      return is_price_of_calls(row, peaks);
    case Bottleneck::compute:
      return !row.below_ridge && !is_price_of_calls(row, peaks);
    case Bottleneck::bandwidth:
      return row.below_ridge && !is_price_of_calls(row, peaks);
    case Bottleneck::sync:
      return row.site.name == reads_a_value;
    case Bottleneck::copy:
      return row.site.boundary == name_of(Boundary::h2d);
    case Bottleneck::optimizer:
      return row.site.boundary == name_of(Boundary::optimizer);
    case Bottleneck::logging:
      return row.site.boundary == name_of(Boundary::logging);
    case Bottleneck::input:
    case Bottleneck::communication:
    case Bottleneck::operators:
      break;
  }
  return false;
}

/// Times by line.
class LineTimes {
 public:
  void add(const SourceFrame& frame, double ns) {
    if (frame.line <= 0) return;
    Line& line = lines_[{frame.file, frame.line}];
    line.frame = frame;
    line.ns += ns;
  }

  std::optional<SourceFrame> costliest() const {
    const auto at =
        std::ranges::max_element(lines_, [](const auto& a, const auto& b) { return a.second.ns < b.second.ns; });
    return at == lines_.end() ? std::nullopt : std::optional(at->second.frame);
  }

 private:
  struct Line {
    SourceFrame frame;
    double ns = 0;
  };
  std::map<std::pair<std::string, std::int64_t>, Line> lines_;
};

std::optional<SourceFrame> line_of_loader(const ObservedWork& work) {
  LineTimes times;
  for (std::size_t i = 0; i < work.sites.size(); ++i) {
    if (work.sites[i].boundary != name_of(Boundary::data_wait)) continue;
    const auto line = innermost_line(frames_of(work, i));
    if (line) times.add(*line, static_cast<double>(work.sites[i].self_ns));
  }
  return times.costliest();
}

}  // namespace

std::optional<SourceFrame> innermost_line(const std::vector<SourceFrame>& frames) {
  const auto at = std::ranges::find_if(frames, [](const SourceFrame& frame) { return frame.line > 0; });
  return at == frames.end() ? std::nullopt : std::optional(*at);
}

std::optional<SourceFrame> line_of_kind(Bottleneck kind, const Profile& profile, const ObservedWork* work) {
  if (kind == Bottleneck::input) return work == nullptr ? std::nullopt : line_of_loader(*work);
  const bool by_time = kind == Bottleneck::compute || kind == Bottleneck::bandwidth;
  if (by_time && (profile.operator_times == OperatorTimes::host || profile.operator_times == OperatorTimes::none))
    return std::nullopt;
  LineTimes times;
  const MachinePeaks roofs = roofs_of(profile);
  for (const OperatorRow& row : profile.operators) {
    if (row.at && is_of_kind(kind, row, roofs)) times.add(*row.at, row.self_ns);
  }
  return times.costliest();
}

std::optional<SourceFrame> line_of_operator(std::string_view name, std::string_view boundary, const Profile& profile) {
  for (const OperatorRow& row : profile.operators) {  // costliest first
    if (row.site.name == name && row.site.boundary == boundary && row.at && row.at->line > 0) return row.at;
  }
  return std::nullopt;
}

}  // namespace stepgate
