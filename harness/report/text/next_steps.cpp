#include "report/text/next_steps.h"

#include <fmt/format.h>

#include <algorithm>

namespace stepgate {
namespace {

constexpr std::size_t most_steps = 3;

/// Knobs that mode host sets by itself. An available knob with a remedy needs its own option.
std::vector<std::string> host_knobs_at_hand(const DoctorReport& report) {
  std::vector<std::string> names;
  for (const KnobReport& knob : report.knobs) {
    const bool available = knob.mode == GuardMode::host && knob.state == KnobState::available;
    if (available && knob.remedy.empty()) names.push_back(knob.name);
  }
  return names;
}

/// "governor, turbo and interrupts"; names after the third are only counted.
std::string listed(const std::vector<std::string>& names) {
  constexpr std::size_t named = 3;
  std::string text;
  for (std::size_t i = 0; i < std::min(names.size(), named); ++i) {
    const bool last = i + 1 == names.size();
    text += (i == 0 ? "" : last ? " and " : ", ") + names[i];
  }
  return names.size() > named ? fmt::format("{} and {} more", text, names.size() - named) : text;
}

bool can_be_allowed(const DoctorReport& report) {
  return std::any_of(report.knobs.begin(), report.knobs.end(), [](const KnobReport& knob) {
    return knob.mode == GuardMode::host && knob.state == KnobState::denied && !knob.remedy.empty();
  });
}

/// The next step for host knobs: use them, get permission for them, or nothing.
void add_host(const DoctorReport& report, std::vector<NextStep>& steps) {
  const auto at_hand = host_knobs_at_hand(report);
  if (!at_hand.empty()) {
    steps.push_back({fmt::format("set {} for the length of a run, restored afterwards:", listed(at_hand)),
                     "stepgate gate CASE --guard host"});
    steps.push_back({"measure which knobs are worth setting for one of your cases:", "stepgate ablate CASE"});
  } else if (can_be_allowed(report)) {
    steps.push_back({"no host knob can be set yet: see the remedy below each knob", ""});
  } else {
    steps.push_back({"nothing more can be set here: process mode, the default, sets all there is", ""});
  }
}

/// If clocks and neighbours are out of control, only pairs give reliable timings.
void add_place(const DoctorReport& report, std::vector<NextStep>& steps) {
  const char* command = "stepgate ab CASE --base-build DIR --head-build DIR";
  switch (report.place.kind) {
    case HostKind::container:
      steps.push_back({"run the doctor on the machine itself, outside the container, to see all that it allows:",
                       "stepgate doctor"});
      break;
    case HostKind::virtual_machine:
      steps.push_back({"the hypervisor controls clock and neighbours, so judge timings in pairs:", command});
      break;
    case HostKind::laptop:
      steps.push_back({"heat and battery move a laptop's clock, so judge timings in pairs:", command});
      break;
    case HostKind::gpu_host:
    case HostKind::bare_metal:
      break;
  }
}

}  // namespace

std::vector<NextStep> next_steps(const DoctorReport& report) {
  std::vector<NextStep> steps;
  if (report.stale_journal) steps.push_back({"restore what a killed run left changed:", "stepgate recover"});
  add_host(report, steps);
  add_place(report, steps);
  if (steps.size() > most_steps) steps.resize(most_steps);
  return steps;
}

}  // namespace stepgate
