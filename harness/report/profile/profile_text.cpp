#include "report/profile/profile_text.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>

#include "core/boundary.h"
#include "core/emulated_gpu_name.h"
#include "core/judged/emulated_result.h"
#include "core/metric.h"
#include "core/study/flop_peak.h"
#include "core/text/number_format.h"
#include "report/profile/operator_lines.h"

namespace stepgate {
namespace {

struct Unit {
  double ns;
  const char* name;
};

Unit unit_of(double ns) {
  if (ns >= 1e9) return {1e9, "s"};
  if (ns >= 1e6) return {1e6, "ms"};
  return ns >= 1e3 ? Unit{1e3, "us"} : Unit{1, "ns"};
}

/// Three significant digits, but never an exponent.
std::string three_digits(double value) {
  const double size = std::abs(value);
  return fmt::format("{:.{}f}", value, size >= 99.95 ? 0 : size >= 9.995 ? 1 : 2);
}

std::string percent(double share, bool signed_too) {
  const double value = share * 100;
  const int digits = std::abs(value) >= 9.95 ? 0 : 1;
  return signed_too ? fmt::format("{:+.{}f}", value, digits) : fmt::format("{:.{}f}", value, digits);
}

/// Wider than two steps, an interval shows only that there were too few processes: two of them often give thousands of
/// percent.
constexpr double widest_told = 2;

bool is_too_wide(const Interval& interval) { return interval.upper - interval.lower > widest_told; }

constexpr const char* too_few = " [too few processes]";

std::optional<Interval> mapped(const std::optional<Interval>& interval, double factor, double offset) {
  if (!interval) return std::nullopt;
  const double one = interval->lower * factor + offset;
  const double other = interval->upper * factor + offset;
  return Interval{std::min(one, other), std::max(one, other)};
}

std::string scaling_text(const ExperimentResult& result) {
  if (row_of(result.experiment).shown != ShownAs::ratio)
    return step_change_text(*result.effect - 1, mapped(result.interval, 1, -1));
  std::string text = fmt::format("x {:.2f}", *result.effect);
  if (result.interval) text += fmt::format(" [{:.2f}, {:.2f}]", result.interval->lower, result.interval->upper);
  return text;
}

std::string criticality_text(const ExperimentResult& result) {
  if (row_of(result.experiment).shown == ShownAs::change) return step_change_text(*result.effect, result.interval);
  std::string text = fmt::format("passes {:.0f} %", *result.effect * 100);
  if (!result.interval) return text;
  if (is_too_wide(*result.interval)) return text + too_few;
  return text + fmt::format(" [{:.0f}, {:.0f}]", result.interval->lower * 100, result.interval->upper * 100);
}

std::string flop_text(const Profile& profile) {
  if (!(profile.flops > 0) || !(profile.step.median_ns > 0)) return "";
  const double rate = profile.flops / profile.step.median_ns;  // GFLOP/s
  std::string text = three_digits(rate) + " GFLOP/s";
  if (const auto peak = flop_peak(profile)) {
    text += fmt::format(" = {} of this machine's {} peak", short_share(rate * 1e9 / peak->flops_per_s), peak->dtype);
    const std::string low = fmt::format("the measured {} peak is too low", peak->dtype);
    if (std::ranges::any_of(profile.low_roofs, [&](const std::string& one) { return one.starts_with(low); })) {
      text += ", which is too low";
    }
  }
  return text;
}

/// Keys that name boundaries: those of a step in its order, then those with names of their own.
template <typename Value>
std::vector<std::string> keys_in_step_order(const std::map<std::string, Value>& by_boundary) {
  std::vector<std::string> order;
  for (const Boundary boundary : all_boundaries) {
    if (by_boundary.contains(std::string(name_of(boundary)))) order.emplace_back(name_of(boundary));
  }
  for (const auto& [boundary, value] : by_boundary) {
    if (std::find(order.begin(), order.end(), boundary) == order.end()) order.push_back(boundary);
  }
  return order;
}

std::string rate_text(const std::string& metric, double value) {
  std::string noun = metric.substr(0, metric.size() - std::string_view("_per_s").size());
  std::replace(noun.begin(), noun.end(), '_', ' ');
  const bool thousands = value >= 10'000;
  return fmt::format("{}{} {}/s", three_digits(thousands ? value / 1000 : value), thousands ? " k" : "", noun);
}

/// The boundary that takes most of the phase pass, and the largest part of the account.
std::string largest_text(const Profile& profile) {
  std::vector<std::string> texts;
  double whole = 0;
  for (const auto& [boundary, ns] : profile.components) whole += ns;
  if (whole > 0) {
    const auto most =
        std::ranges::max_element(profile.components, std::ranges::less(), [](const auto& one) { return one.second; });
    texts.push_back(fmt::format("{} takes {} of the step", most->first, short_share(most->second / whole)));
  }
  const auto part = std::ranges::max_element(profile.account, std::ranges::less(), &AccountPart::share);
  if (part != profile.account.end())
    texts.push_back(fmt::format("{} {}", part->label.substr(0, part->label.find(',')), short_share(part->share)));
  return fmt::format("{}", fmt::join(texts, ", "));
}

/// "compute 31 % (proven), bandwidth 3.0 % (undecided)"
std::string limits_text(const Profile& profile) {
  std::vector<std::string> texts;
  for (const BottleneckVerdict& verdict : profile.bottlenecks) {
    if (verdict.proof == Proof::refuted) continue;
    const std::string worth = verdict.worth > 0 ? " " + short_share(verdict.worth) : "";
    texts.push_back(fmt::format("{}{} ({})", name_of(verdict.kind), worth, name_of(verdict.proof)));
  }
  return fmt::format("{}", fmt::join(texts, ", "));
}

}  // namespace

std::string observer_text(const Profile& profile) {
  if (profile.operator_times == OperatorTimes::none) return "Sorted by calls, since there are no times";
  if (profile.operator_times == OperatorTimes::device) return "Times are those of kernels, copies and memsets";
  if (!(profile.observer_overhead > 0)) return "Steps were no longer with the observer than without it";
  return fmt::format("The observer made steps {} longer; times are scaled back",
                     short_share(profile.observer_overhead));
}

std::string self_time_text(const Profile& profile, double ns) {
  return profile.operator_times == OperatorTimes::none ? "-" : ms_text(ns);
}

std::string emulated_text(const Profile& profile) {
  return emulated_sentence(emulated_gpu_of_class(profile.runner_class));
}

OperatorView view_of(const Profile& profile, OperatorView view) {
  const bool by_time = view.sort == OperatorSort::self || view.sort == OperatorSort::total;
  if (profile.operator_times == OperatorTimes::none && by_time) view.sort = OperatorSort::calls;
  return view;
}

std::string ms_text(double ns) { return fmt::format("{:.2f}", ns / 1e6); }

std::string short_share(double share) { return percent(share, false) + " %"; }

std::string params_text(const Profile& profile) {
  std::string text;
  for (const auto& [name, value] : profile.params)
    text += fmt::format("{}{}={}", text.empty() ? "" : ", ", name, value);
  return text;
}

std::vector<std::string> step_texts(const Profile& profile) {
  const StepStatistics& step = profile.step;
  if (step.steps == 0) return {};
  const Unit unit = unit_of(step.mean_ns);
  std::vector<std::string> texts = {fmt::format("step {} {}", three_digits(step.mean_ns / unit.ns), unit.name)};
  struct Figure {
    const char* name;
    double ns;
  };
  for (const Figure& figure : {Figure{"median", step.median_ns}, Figure{"sd", step.sd_ns}, Figure{"p95", step.p95_ns},
                               Figure{"p99", step.p99_ns}, Figure{"min", step.min_ns}, Figure{"max", step.max_ns}}) {
    texts.push_back(fmt::format("{} {}", figure.name, three_digits(figure.ns / unit.ns)));
  }
  texts.push_back(fmt::format("({}, steady after {})", counted(step.steps, "step"), step.steady_after));
  return texts;
}

std::vector<std::string> rate_texts(const Profile& profile) {
  std::vector<std::string> texts;
  for (const char* metric : {"samples_per_s", "tokens_per_s", "effective_tokens_per_s"}) {
    const auto found = profile.throughput.find(metric);
    if (found != profile.throughput.end()) texts.push_back(rate_text(metric, found->second));
  }
  if (const std::string text = flop_text(profile); !text.empty()) texts.push_back(text);
  return texts;
}

std::string step_change_text(double effect, const std::optional<Interval>& interval) {
  std::string text = percent(effect, true) + " %";
  if (!interval) return text;
  if (is_too_wide(*interval)) return text + too_few;
  return text + fmt::format(" [{}, {}]", percent(interval->lower, true), percent(interval->upper, true));
}

std::string effect_text(const ExperimentResult& result) {
  if (!result.effect) return "";
  switch (row_of(result.experiment).effect) {
    case Effect::gain:
    case Effect::predicted:
      return step_change_text(-*result.effect, mapped(result.interval, -1, 0));
    case Effect::criticality:
      return criticality_text(result);
    case Effect::scaling:
      break;
  }
  return scaling_text(result);
}

std::string proof_text(const ExperimentResult& result) {
  std::string text(name_of(result.proof));
  if (result.proof == Proof::undecided && result.more_processes) {
    text += fmt::format(" ({} more)", *result.more_processes);
  }
  return text;
}

std::vector<std::string> not_run_texts(const Profile& profile) {
  std::vector<std::pair<std::string, std::string>> by_reason;
  for (const ExperimentResult& result : profile.experiments) {
    if (result.effect) continue;
    const std::string& reason = result.absent.empty() ? "fewer than two clean processes" : result.absent;
    const auto known =
        std::find_if(by_reason.begin(), by_reason.end(), [&](const auto& one) { return one.first == reason; });
    if (known == by_reason.end()) {
      by_reason.emplace_back(reason, name_of(result.experiment));
    } else {
      known->second += fmt::format(", {}", name_of(result.experiment));
    }
  }
  std::vector<std::string> texts;
  for (const auto& [reason, names] : by_reason) texts.push_back(names + ": " + reason);
  return texts;
}

std::string headline_text(const Profile& profile) {
  const std::string largest = largest_text(profile);
  const std::string limits = limits_text(profile);
  if (limits.empty()) return largest;
  return (largest.empty() ? "" : largest + "; ") + "limits: " + limits;
}

std::string refuted_text(const Profile& profile) {
  std::string text;
  for (const BottleneckVerdict& verdict : profile.bottlenecks) {
    if (verdict.proof == Proof::refuted) text += fmt::format("{}{}", text.empty() ? "" : ", ", name_of(verdict.kind));
  }
  return text;
}

std::string evidence_text(const Advice& advice) {
  if (!advice.at) return advice.evidence;
  return advice.evidence + (advice.evidence.empty() ? "" : "; ") + short_place(*advice.at);
}

std::string ledger_text(const MemoryLedger& ledger) {
  std::vector<std::pair<std::int64_t, std::string>> kinds;
  for (const auto& [kind, bytes] : ledger.bytes) kinds.emplace_back(-bytes, kind);
  std::sort(kinds.begin(), kinds.end());
  std::string text =
      fmt::format("memory peak {} in {}:", bytes_text(static_cast<double>(ledger.peak_bytes)), ledger.boundary);
  std::string separator = " ";
  for (const auto& [negative, kind] : kinds) {
    if (negative == 0 || ledger.peak_bytes <= 0) continue;
    const double share = -static_cast<double>(negative) / static_cast<double>(ledger.peak_bytes);
    text += fmt::format("{}{} {}", separator, kind, short_share(share));
    separator = ", ";
  }
  return text;
}

std::string checklist_text(const std::vector<ChecklistEntry>& checklist) {
  if (checklist.empty()) return "";
  std::map<Answer, std::int64_t> counts;
  for (const ChecklistEntry& entry : checklist) ++counts[entry.answer];
  std::vector<std::string> parts;
  for (const auto& [answer, count] : counts) parts.push_back(fmt::format("{} {}", count, name_of(answer)));
  return fmt::format("{}: {}", counted(checklist.size(), "question"), fmt::join(parts, ", "));
}

std::vector<std::string> boundaries_in_order(const Profile& profile) { return keys_in_step_order(profile.components); }

std::vector<BoundaryMemoryLine> boundary_memory_lines(const Profile& profile) {
  std::vector<BoundaryMemoryLine> lines;
  for (const std::string& boundary : keys_in_step_order(profile.boundary_memory)) {
    const BoundaryMemory& memory = profile.boundary_memory.at(boundary);
    lines.push_back({.boundary = boundary,
                     .after = bytes_text(static_cast<double>(memory.allocated_bytes)),
                     .peak = bytes_text(static_cast<double>(memory.peak_allocated_bytes)),
                     .reserved = memory.reserved_bytes ? bytes_text(static_cast<double>(*memory.reserved_bytes)) : ""});
  }
  return lines;
}

}  // namespace stepgate
