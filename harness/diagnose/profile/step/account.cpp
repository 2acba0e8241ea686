#include "diagnose/profile/step/account.h"

#include <algorithm>
#include <array>
#include <optional>

#include "core/text/number_format.h"
#include "core/units.h"
#include "diagnose/profile/step/roofline.h"
#include "stats/summary.h"

namespace stepgate {
namespace {

struct PartRow {
  std::string_view part;
  std::string_view label;
  std::optional<Bottleneck> kind;
};

constexpr std::array part_table = {
    PartRow{"data-wait", "data wait", Bottleneck::input},
    PartRow{"h2d", "host-to-device copy", Bottleneck::copy},
    PartRow{"compute-roof", "compute at roof", Bottleneck::compute},
    PartRow{"bandwidth-roof", "bandwidth at roof", Bottleneck::bandwidth},
    PartRow{"below-roof", "below the roof", Bottleneck::operators},
    PartRow{"operators", "operators", std::nullopt},
    PartRow{"dispatch", "dispatch", Bottleneck::launch},
    PartRow{"device-busy", "device busy", Bottleneck::compute},
    PartRow{"device-idle", "device idle", Bottleneck::launch},
    PartRow{"logging", "logging", Bottleneck::logging},
    PartRow{"other", "other", std::nullopt},
};

class Account {
 public:
  explicit Account(double step_ns) : step_ns_(step_ns), left_ns_(step_ns) {}

  /// Adds at most the time that is left.
  void add(std::string_view part, double ns) {
    const double taken = std::clamp(ns, 0.0, left_ns_);
    left_ns_ -= taken;
    ns_[index_of(part)] += taken;
  }
  double left_ns() const { return left_ns_; }

  std::vector<AccountPart> take() {
    add("other", left_ns_);
    std::vector<AccountPart> parts;
    for (std::size_t i = 0; i < part_table.size(); ++i) {
      const PartRow& row = part_table[i];
      if (ns_[i] <= 0 && row.part != "other") continue;
      parts.push_back({std::string(row.part), std::string(row.label), ns_[i], ns_[i] / step_ns_, row.kind});
    }
    return parts;
  }

 private:
  static std::size_t index_of(std::string_view part) {
    const auto at = std::ranges::find_if(part_table, [&](const PartRow& row) { return row.part == part; });
    return static_cast<std::size_t>(at - part_table.begin());
  }

  double step_ns_;
  double left_ns_;
  std::array<double, part_table.size()> ns_{};
};

/// Operators of these boundaries are part of their host time.
bool has_host_time_of_its_own(const std::string& boundary) {
  return boundary == name_of(Boundary::h2d) || boundary == name_of(Boundary::logging);
}

void add_operators(const AccountInput& input, Account& account) {
  double all_ns = 0;
  for (const OperatorRow& row : input.operators) {
    if (!has_host_time_of_its_own(row.site.boundary)) all_ns += row.self_ns;
  }
  const double fit = all_ns > account.left_ns() ? account.left_ns() / all_ns : 1;
  for (const OperatorRow& row : input.operators) {
    if (has_host_time_of_its_own(row.site.boundary)) continue;
    const OperatorRoof roof = roof_of(row.site, input.peaks);
    const double self_ns = row.self_ns * fit;
    if (!are_known(input.peaks)) {
      account.add("operators", self_ns);
      continue;
    }
    const double dispatch_ns = std::min(self_ns, roof.floor_ns);
    const double work_ns = std::min(self_ns - dispatch_ns, roof.work_ns());
    account.add("dispatch", dispatch_ns);
    account.add(roof.below_ridge() ? "bandwidth-roof" : "compute-roof", work_ns);
    account.add("below-roof", self_ns - dispatch_ns - work_ns);
  }
}

void name_calls(const std::vector<OperatorRow>& operators, std::vector<AccountPart>& parts) {
  std::int64_t calls = 0;
  for (const OperatorRow& row : operators) calls += row.site.calls;
  for (AccountPart& part : parts) {
    if (part.part == "dispatch") part.label += ", " + counted(calls, "operator");
  }
}

/// What lies in a cache from step to step is not read from memory. 0 without rates.
double rate_of_bytes(const MachinePeaks& peaks, std::int64_t working_set_bytes) {
  if (peaks.bandwidth.empty()) return 0;
  const auto holds = [&](const BandwidthLevel& level) { return level.working_set_bytes >= working_set_bytes; };
  const auto at = working_set_bytes > 0 ? std::ranges::find_if(peaks.bandwidth, holds) : peaks.bandwidth.end();
  if (at != peaks.bandwidth.end()) return at->bytes_per_s;
  return std::ranges::min(peaks.bandwidth, {}, &BandwidthLevel::bytes_per_s).bytes_per_s;
}

}  // namespace

std::vector<AccountPart> time_account(const AccountInput& input) {
  if (!(input.step_ns > 0)) return {};
  Account account(input.step_ns);
  const double wait_ns = host_time_ns(input.timed, Boundary::data_wait);
  if (input.gpu) {
    const auto idle = device_idle_shares(input.timed);
    if (idle.empty()) {
      account.add("data-wait", wait_ns);
      return account.take();
    }
    const double idle_ns = mean(idle) * input.step_ns;
    account.add("device-busy", input.step_ns - idle_ns);
    account.add("data-wait", std::min(wait_ns, idle_ns));
    account.add("device-idle", account.left_ns());
    return account.take();
  }
  account.add("data-wait", wait_ns);
  account.add("h2d", host_time_ns(input.timed, Boundary::h2d));
  account.add("logging", host_time_ns(input.timed, Boundary::logging));
  add_operators(input, account);
  auto parts = account.take();
  name_calls(input.operators, parts);
  return parts;
}

double share_of_part(const std::vector<AccountPart>& account, std::string_view part) {
  for (const AccountPart& each : account) {
    if (each.part == part) return each.share;
  }
  return 0;
}

SideShares side_shares(const std::vector<OperatorRow>& operators, double step_ns) {
  SideShares shares;
  if (!(step_ns > 0)) return shares;
  for (const OperatorRow& row : operators) {
    if (row.overhead || !(row.roof_ns > 0)) continue;
    (row.below_ridge ? shares.bandwidth : shares.compute) += row.self_ns / step_ns;
  }
  return shares;
}

double share_of_bytes(const std::vector<OperatorRow>& operators, const MachinePeaks& peaks, const StepSize& step) {
  const double rate = rate_of_bytes(peaks, step.working_set_bytes);
  if (!(step.step_ns > 0) || !(rate > 0)) return 0;
  double bytes_ns = 0;
  for (const OperatorRow& row : operators) {
    if (row.overhead || !row.below_ridge) continue;
    bytes_ns += std::min(row.self_ns, static_cast<double>(row.site.bytes) / rate * ns_per_s);
  }
  return bytes_ns / step.step_ns;
}

}  // namespace stepgate
