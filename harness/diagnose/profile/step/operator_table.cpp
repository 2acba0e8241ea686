#include "diagnose/profile/step/operator_table.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>

#include "core/boundary.h"
#include "core/text/number_format.h"
#include "diagnose/patterns/count_explained.h"
#include "diagnose/patterns/site_reading.h"
#include "diagnose/patterns/step_amounts.h"
#include "diagnose/profile/step/operator_callers.h"
#include "diagnose/profile/step/roofline.h"

namespace stepgate {
namespace {

/// An operator without formula that takes less cannot hide much work (the same limit as for MFU figures: 2 %).
constexpr double least_share_to_name = 0.02;

/// Far above what the shares of a thousand processes lose when they are added up, far below one call in a million
/// steps.
constexpr double rounding_of_calls = 1e-9;

/// One site over all processes.
struct JoinedSite {
  OperatorSite site;
  std::optional<SourceFrame> at;
  std::string line_key;  ///< line_key_of()
  std::string calls_are;
  double calls = 0;
  double leaf_calls = 0;
  double flops = 0;
  double bytes = 0;
  double allocated_bytes = 0;
  double self_ns = 0;   ///< without what the observer costs
  double total_ns = 0;  ///< likewise
  double work_ns = 0;   ///< likewise: with its parts, where it does the work itself
};

std::string operand_key(const std::vector<ObservedTensor>& tensors) {
  std::string key;
  for (const ObservedTensor& each : tensors) {
    key += fmt::format("{}[{}|{}]", each.dtype, fmt::join(each.sizes, ","), fmt::join(each.strides, ","));
  }
  return key;
}

/// Equal in each process, and in one that does not sort by shape.
std::string call_key_of(const OperatorSite& site, const ObservedWork& work) {
  std::string place;
  if (site.place && *site.place < work.places.size()) {
    place = fmt::format("{:x}", fmt::join(work.places[*site.place].offsets, " "));
  }
  return fmt::format("{} {} {} {} {}", site.boundary, site.name, site.parent, site.for_forward, place);
}

/// The same by its line: another pass reaches a line of the user's code by other frames of the harness.
std::string line_key_of(const OperatorSite& site, const ObservedWork& work) {
  if (!site.place || *site.place >= work.places.size() || work.places[*site.place].frames.empty())
    return call_key_of(site, work);
  const SourceFrame& line = work.places[*site.place].frames.front();
  return fmt::format("{} {} {} {} {}:{}", site.boundary, site.name, site.parent, site.for_forward, line.file,
                     line.line);
}

/// The innermost frame with a line; without lines the innermost function.
std::optional<SourceFrame> line_of(const OperatorSite& site, const ObservedWork& work) {
  if (!site.place || *site.place >= work.places.size()) return std::nullopt;
  const auto& frames = work.places[*site.place].frames;
  for (const SourceFrame& frame : frames) {
    if (frame.line > 0) return frame;
  }
  if (frames.empty()) return std::nullopt;
  return frames.front();
}

/// At most 1: an observer makes no step faster, noise does.
double observer_factor(const ProfileRun& run) {
  if (run.observed_wall_ns <= 0 || run.unobserved_wall_ns <= 0) return 1;
  return std::min(1.0, static_cast<double>(run.unobserved_wall_ns) / static_cast<double>(run.observed_wall_ns));
}

/// What the observer adds to one call, by how much longer all steps were.
double observer_ns_of_a_call(const ProfileRun& run) {
  if (observer_factor(run) >= 1) return 0;
  double calls = 0;
  for (const OperatorSite& site : run.observed->sites) calls += static_cast<double>(site.calls);
  return calls > 0 ? static_cast<double>(run.observed_wall_ns - run.unobserved_wall_ns) / calls : 0;
}

/// How much of an observed time is there without the observer. It costs each call alike, so a large product loses less
/// than the step does: scaled as the step it would be faster than this machine can be.
class ObserverCost {
 public:
  explicit ObserverCost(const ProfileRun& run) : factor_(observer_factor(run)), call_ns_(observer_ns_of_a_call(run)) {}

  double left_of(std::int64_t ns, std::int64_t calls) const {
    const auto observed_ns = static_cast<double>(ns);
    return std::max(observed_ns * factor_, observed_ns - call_ns_ * static_cast<double>(calls));
  }

 private:
  double factor_;
  double call_ns_;
};

bool has_steps(const ProfileRun& run) { return run.observed && run.observed->steps > 0; }

/// One process that observed steps.
struct ObservedRun {
  const ProfileRun& run;
  StepAmounts amounts;
  ObserverCost cost;
  double processes;  ///< that observed steps
};

/// One site of a process, with the FLOPs and allocations of its parts.
struct CountedSite {
  OperatorSite site;
  bool with_parts = false;
};

/// Without the loader's, and without parts of others.
std::vector<CountedSite> counted_sites(const ObservedWork& work) {
  const std::vector<SiteRole> roles = site_roles(work);
  std::vector<CountedSite> all;
  for (std::size_t i = 0; i < roles.size(); ++i) all.push_back({work.sites[i], roles[i].with_parts});
  std::vector<CountedSite> counted;
  for (std::size_t i = 0; i < roles.size(); ++i) {
    if (!roles[i].part_of) continue;
    OperatorSite& whole = all[*roles[i].part_of].site;
    whole.flops += work.sites[i].flops;  // an operator without formula may call one that has a formula
    whole.allocated_bytes += work.sites[i].allocated_bytes;
  }
  for (std::size_t i = 0; i < roles.size(); ++i) {
    if (roles[i].part_of || all[i].site.boundary == name_of(Boundary::data_wait)) continue;
    counted.push_back(std::move(all[i]));
  }
  return counted;
}

/// "once per token; 12.1 KiB = size of the logits each": a gradient as large as all logits is the cost of a loop over
/// them.
std::string calls_and_size_of(const OperatorSite& site, double steps, const StepAmounts& amounts) {
  std::string text = count_explained(static_cast<double>(site.calls) / steps, site.boundary, amounts).text;
  const bool computes = site.boundary == name_of(Boundary::backward) && !moves_only(site.name);
  if (!computes || site.outputs.empty() || amounts.logits.empty()) return text;
  const std::string size = size_explained(site.outputs.front(), amounts);
  if (!size.ends_with("logits")) return text;
  return text + (text.empty() ? "" : "; ") + size + " each";
}

/// The site that the user's code called, of which this one is a part. Of several that may have called it, the one with
/// the most calls.
std::size_t called_by_user(std::size_t site, const ObservedWork& work,
                           const std::vector<std::vector<std::size_t>>& callers) {
  constexpr int deepest = 32;  // operators that call one of their own name must not go round in a circle
  for (int depth = 0; depth < deepest && !work.sites[site].parent.empty(); ++depth) {
    std::optional<std::size_t> next;
    for (const std::size_t caller : callers[site]) {
      if (caller != site && (!next || work.sites[caller].calls > work.sites[*next].calls)) next = caller;
    }
    if (!next) break;
    site = *next;
  }
  return site;
}

/// The bytes that an operator and all that it called asked for, at the operator that the user's code called: the inner
/// ones are aten::empty nearly always. Among its rows of several shapes they are shared by what these write.
void share_out_allocations(const ObservedWork& counted, std::map<std::string, JoinedSite>& joined) {
  if (counted.steps <= 0) return;
  const auto callers = possible_callers(counted);
  std::map<std::string, double> allocated;
  for (std::size_t i = 0; i < counted.sites.size(); ++i) {
    const OperatorSite& outer = counted.sites[called_by_user(i, counted, callers)];
    allocated[line_key_of(outer, counted)] +=
        static_cast<double>(counted.sites[i].allocated_bytes) / static_cast<double>(counted.steps);
  }
  const auto weight_of = [](const JoinedSite& row) {
    double elements = 1;
    for (const ObservedTensor& output : row.site.outputs) elements += static_cast<double>(element_count(output));
    return row.calls * elements;
  };
  std::map<std::string, double> weights;
  for (const auto& [key, row] : joined) weights[row.line_key] += weight_of(row);
  for (auto& [key, row] : joined) {
    const auto at = allocated.find(row.line_key);
    const double weight = weights[row.line_key];
    row.allocated_bytes = at == allocated.end() || !(weight > 0) ? 0 : at->second * weight_of(row) / weight;
  }
}

void add_site(const CountedSite& counted, const ObservedRun& of, std::map<std::string, JoinedSite>& joined) {
  const OperatorSite& site = counted.site;
  const ObservedWork& work = *of.run.observed;
  const auto steps = static_cast<double>(work.steps);
  const std::string call_key = call_key_of(site, work);
  const auto [at, is_new] = joined.try_emplace(call_key + ' ' + operand_key(site.inputs));
  JoinedSite& into = at->second;
  if (is_new) {
    into.site = site;
    into.at = line_of(site, work);
    into.line_key = line_key_of(site, work);
    into.calls_are = calls_and_size_of(site, steps, of.amounts);
  }
  const double share = 1 / (steps * of.processes);
  into.calls += static_cast<double>(site.calls) * share;
  into.leaf_calls += static_cast<double>(site.leaf_calls) * share;
  into.flops += static_cast<double>(site.flops) * share;
  into.bytes += static_cast<double>(site.bytes) * share;
  into.allocated_bytes += static_cast<double>(site.allocated_bytes) * share;
  into.self_ns += of.cost.left_of(site.self_ns, site.calls) * share;
  into.total_ns += of.cost.left_of(site.total_ns, site.calls) * share;
  into.work_ns += of.cost.left_of(counted.with_parts ? site.total_ns : site.self_ns, site.calls) * share;
}

OperatorRow row_of(const JoinedSite& joined, const MachinePeaks& peaks) {
  OperatorRow row;
  row.site = joined.site;
  row.site.place = std::nullopt;  // an index into the places of one process
  row.site.calls = std::llround(joined.calls);
  if (std::abs(joined.calls - std::round(joined.calls)) > rounding_of_calls) row.fractional_calls = joined.calls;
  row.site.leaf_calls = std::llround(joined.leaf_calls);
  row.site.flops = std::llround(joined.flops);
  row.site.bytes = std::llround(joined.bytes);
  row.site.allocated_bytes = std::llround(joined.allocated_bytes);
  row.site.self_ns = std::llround(joined.self_ns);
  row.site.total_ns = std::llround(joined.total_ns);
  row.at = joined.at;
  row.calls_are = joined.calls_are;
  row.self_ns = joined.work_ns;
  const OperatorRoof roof = roof_of(row.site, peaks);
  row.roof_ns = roof.roof_ns();
  row.efficiency = row.self_ns > 0 ? row.roof_ns / row.self_ns : 0;
  row.overhead = roof.floor_ns > row.self_ns / 2;
  row.below_ridge = roof.below_ridge();
  return row;
}

std::vector<std::string> name_without_formula(const std::vector<OperatorRow>& rows, double step_ns) {
  std::map<std::string, double> self_ns;
  for (const OperatorRow& row : rows) {
    if (!row.site.has_formula) self_ns[row.site.name] += row.self_ns;
  }
  std::vector<std::pair<double, std::string>> large;
  for (const auto& [name, ns] : self_ns) {
    if (step_ns > 0 && ns / step_ns > least_share_to_name) large.emplace_back(ns / step_ns, name);
  }
  std::sort(large.rbegin(), large.rend());
  std::vector<std::string> names;
  for (const auto& [share, name] : large) names.push_back(fmt::format("{}, {} of the step", name, share_text(share)));
  return names;
}

}  // namespace

double observer_overhead(std::span<const ProfileRun* const> runs) {
  double observed = 0;
  double unobserved = 0;
  for (const ProfileRun* run : runs) {
    observed += static_cast<double>(run->observed_wall_ns);
    unobserved += static_cast<double>(run->unobserved_wall_ns);
  }
  return unobserved > 0 && observed > 0 ? observed / unobserved - 1 : 0;
}

OperatorTable operator_table(std::span<const ProfileRun* const> runs, const MachinePeaks& peaks, double step_ns,
                             const ObservedWork* counted) {
  const auto used =
      static_cast<double>(std::ranges::count_if(runs, [](const ProfileRun* run) { return has_steps(*run); }));
  std::map<std::string, JoinedSite> joined;
  for (const ProfileRun* run : runs) {
    if (!has_steps(*run)) continue;
    const ObservedRun of{*run, step_amounts(*run->observed), ObserverCost(*run), used};
    for (const CountedSite& site : counted_sites(*run->observed)) add_site(site, of, joined);
  }
  if (counted != nullptr) share_out_allocations(*counted, joined);
  OperatorTable table;
  for (const auto& [key, site] : joined) {
    table.flops += site.flops;
    table.rows.push_back(row_of(site, peaks));
  }
  std::stable_sort(table.rows.begin(), table.rows.end(),
                   [](const OperatorRow& a, const OperatorRow& b) { return a.self_ns > b.self_ns; });
  table.without_formula = name_without_formula(table.rows, step_ns);
  return table;
}

}  // namespace stepgate
