#include "diagnose/trace/trace_screens.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <string_view>

#include "core/text/number_format.h"

namespace stepgate {
namespace {

struct Screen {
  std::string_view part;
  double look;
  double severe;  ///< 1 for none
  std::string_view source;
};

constexpr Screen screens[] = {
    {"exposed-communication", 0.03, 0.15, "XProf, collectives"},
    {"exposed-copies", 0.03, 0.15, "XProf, other"},
    {"idle-data", 0.05, 0.20, "XProf, input"},
    {"idle-sync", 0.03, 0.15, "XProf, other"},
    {"idle-launch", 0.03, 0.15, "XProf, kernel launch"},
    {"idle-logging", 0.01, 1, "the default ignore margin"},
    {"data-wait", 0.05, 0.20, "XProf, input"},
    {"h2d", 0.03, 0.15, "XProf, other"},
    {"optimizer", 0.10, 1, "this project"},
    {"logging", 0.01, 1, "the default ignore margin"},
};

/// A device that does something this share of the time is the limit itself.
constexpr double busy_device = 0.9;

struct Meaning {
  std::string_view part;
  std::string_view says;
};

constexpr std::string_view code_of_the_host =
    "neither an operator nor a call ran: Python or other code of the host; give its pieces names with "
    "torch.profiler.record_function, \"data_wait\" for a wait for data";

/// What to do about parts that have no threshold, or lie below it.
constexpr Meaning meanings[] = {
    {"compute", "the device waits in between; begin with the costliest kernels below"},
    {"idle-event",
     "the work was queued and waited for another stream, for a copy or for a peer; see what the other streams run just "
     "before these gaps, and compare the ranks"},
    {"idle-kernel-gap", "short gaps between queued kernels; larger kernels or a CUDA graph have fewer of them"},
    {"idle-unknown",
     "the trace lacks the calls that started the work after these gaps; record it with ProfilerActivity.CPU too"},
    {"idle-host", code_of_the_host},
    {"host", code_of_the_host},
    {"forward", "begin with the costliest operators below"},
    {"backward", "begin with the costliest operators below"},
    {"operators", "begin with the costliest operators below"},
};

std::string evidence_of(const AccountPart& part, const TraceAccount& account) {
  if (part.part == "idle-launch") {
    std::string text;
    if (account.launch_delay_ns) {
      text +=
          fmt::format("; a kernel begins {} us after its call returned", figure_text(*account.launch_delay_ns / 1e3));
    }
    if (account.short_kernels)
      text += fmt::format("; {:.0f} % of the kernels are shorter than 10 us", *account.short_kernels * 100);
    return text;
  }
  if (part.part == "idle-sync")
    return fmt::format("; {} calls a step wait for the device", figure_text(account.host_syncs));
  if (part.part == "exposed-copies")
    return fmt::format("; {} pageable copies a step", figure_text(account.pageable_copies));
  return "";
}

std::string sentence(const AccountPart& part, const Screen& screen, const TraceAccount& account) {
  const bool severe = part.share >= screen.severe;
  return fmt::format("{}: {:.1f} % of the time, {} {:.0f} % ({}){}", part.label, part.share * 100,
                     severe ? "severe from" : "worth a look from", (severe ? screen.severe : screen.look) * 100,
                     screen.source, evidence_of(part, account));
}

bool device_is_busy(const TraceAccount& account) { return account.busy_share.value_or(0) >= busy_device; }

bool is_above(const AccountPart& part, const Screen& screen) {
  return screen.part == part.part && part.share >= screen.look && part.kind;
}

void add_busy_device(const TraceAccount& account, std::vector<BottleneckVerdict>& verdicts) {
  const auto compute = std::find_if(account.parts.begin(), account.parts.end(),
                                    [](const AccountPart& part) { return part.part == "compute"; });
  if (!device_is_busy(account) || compute == account.parts.end()) return;
  verdicts.push_back(
      {Bottleneck::compute, Proof::likely, compute->share,
       fmt::format("kernels run {:.1f} % of the time, and the device is busy for {:.1f} %: faster host code "
                   "wins nothing",
                   compute->share * 100, *account.busy_share * 100)});
}

}  // namespace

std::vector<BottleneckVerdict> screened_parts(const TraceAccount& account) {
  std::vector<BottleneckVerdict> verdicts;
  add_busy_device(account, verdicts);
  for (const AccountPart& part : account.parts) {
    for (const Screen& screen : screens) {
      if (!is_above(part, screen)) continue;
      verdicts.push_back({*part.kind, Proof::likely, part.share, sentence(part, screen, account)});
    }
  }
  std::stable_sort(verdicts.begin(), verdicts.end(),
                   [](const BottleneckVerdict& a, const BottleneckVerdict& b) { return a.worth > b.worth; });
  return verdicts;
}

std::string largest_part(const TraceAccount& account) {
  const auto largest = std::max_element(account.parts.begin(), account.parts.end(),
                                        [](const AccountPart& a, const AccountPart& b) { return a.share < b.share; });
  if (largest == account.parts.end()) return "";
  const bool claimed = std::any_of(std::begin(screens), std::end(screens),
                                   [&](const Screen& screen) { return is_above(*largest, screen); });
  if (claimed || (largest->part == "compute" && device_is_busy(account))) return "";
  const auto meaning = std::find_if(std::begin(meanings), std::end(meanings),
                                    [&](const Meaning& row) { return row.part == largest->part; });
  if (meaning == std::end(meanings)) return "";
  return fmt::format("{}: {:.1f} % of the time; {}", largest->label, largest->share * 100, meaning->says);
}

}  // namespace stepgate
