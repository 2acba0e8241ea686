#include "environment/knobs/interrupt_knob.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "environment/cpus/cpu_mask.h"
#include "environment/knobs/occupied_cpus.h"
#include "environment/knobs/settled_knob.h"
#include "environment/process/paused_process.h"
#include "system/files/pseudo_file.h"

namespace stepgate {
namespace {

const std::string interrupt_name = "interrupts";
const std::string irq_folder = "/proc/irq";
const std::string default_mask_file = irq_folder + "/default_smp_affinity";

/// Restore rank of the daemon that would move the interrupts again.
constexpr int after_interrupts = 10;

/// The numbered entries of a folder, in the order of their numbers.
std::vector<int> numbers_in(const HostFiles& files, const std::string& folder) {
  std::vector<int> numbers;
  for (const std::string& name : files.names_in(folder)) {
    const auto number = integer_from(name);
    if (number && *number >= 0) numbers.push_back(static_cast<int>(*number));
  }
  std::sort(numbers.begin(), numbers.end());
  return numbers;
}

std::vector<KnobChange> pauses_of_daemons(const HostFiles& files) {
  std::vector<KnobChange> changes;
  for (const int pid : numbers_in(files, "/proc")) {
    if (files.read(fmt::format("/proc/{}/comm", pid)) != "irqbalance") continue;
    const auto daemon = process_identity(files, pid);
    if (!daemon || daemon->state == 'T' || daemon->state == 't' || daemon->state == 'Z') continue;
    changes.push_back({interrupt_name, ChangeKind::paused_process, fmt::format("{} {}", pid, daemon->start_ticks),
                       "running", "stopped", after_interrupts});
  }
  return changes;
}

/// Decides where interrupts move, and counts those that have no other CPU.
class Eviction {
 public:
  Eviction(const HostFiles& files, const HostWishes& wishes)
      : occupied_(occupied_cpus(wishes)), refuge_(difference(wishes.housekeeping, occupied_)) {
    const auto online = files.read("/sys/devices/system/cpu/online");
    if (online) online_ = cpu_list_from_text(*online);
  }

  /// The new CPUs of an interrupt that `current` may handle now; absent if it stays as it is.
  std::optional<CpuList> new_place(const CpuList& current) {
    if (intersection(current, occupied_).empty()) return std::nullopt;
    CpuList rest = difference(current, occupied_);
    // Lists may name CPUs that are not online. The kernel refuses a list without any online CPU (EINVAL).
    if (rest.empty() || (online_ && intersection(rest, *online_).empty())) rest = refuge_;
    if (!rest.empty()) return rest;
    ++stuck_;
    return std::nullopt;
  }

  const CpuList& occupied() const { return occupied_; }
  int stuck() const { return stuck_; }

 private:
  CpuList occupied_;
  CpuList refuge_;
  std::optional<CpuList> online_;
  int stuck_ = 0;
};

void add_default_mask(const HostFiles& files, Eviction& eviction, std::vector<KnobChange>& changes) {
  const auto mask = files.read(default_mask_file);
  const auto cpus = mask ? cpu_list_from_mask(*mask) : std::nullopt;
  const auto place = cpus ? eviction.new_place(*cpus) : std::nullopt;
  if (!place) return;
  changes.push_back({interrupt_name, ChangeKind::file, default_mask_file, *mask, mask_of(*place, *mask)});
}

void add_interrupts(const HostFiles& files, Eviction& eviction, std::vector<KnobChange>& changes) {
  for (const int number : numbers_in(files, irq_folder)) {
    const std::string file = fmt::format("{}/{}/smp_affinity_list", irq_folder, number);
    const auto text = files.read(file);
    const auto cpus = text ? cpu_list_from_text(*text) : std::nullopt;
    const auto place = cpus ? eviction.new_place(*cpus) : std::nullopt;
    if (place) changes.push_back({interrupt_name, ChangeKind::file, file, *text, text_of(*place)});
  }
}

}  // namespace

KnobPlan plan_interrupts(const HostFiles& files, const HostWishes& wishes) {
  if (files.names_in(irq_folder).empty()) {
    return settled_plan(unsupported_knob(interrupt_name, "this kernel shows no interrupts: there is no /proc/irq"));
  }
  Eviction eviction(files, wishes);
  std::vector<KnobChange> moves;
  // The mask comes before the interrupts, so that it holds for one that appears meanwhile.
  add_default_mask(files, eviction, moves);
  add_interrupts(files, eviction, moves);
  if (moves.empty() && eviction.stuck() > 0) {
    return settled_plan(unsupported_knob(interrupt_name, "no CPU is left over that could take the interrupts",
                                         "leave a core free: measure with fewer threads or processes"));
  }
  std::vector<KnobChange> changes = pauses_of_daemons(files);
  changes.insert(changes.end(), std::make_move_iterator(moves.begin()), std::make_move_iterator(moves.end()));
  return changes_or_settled(
      files, std::move(changes),
      already_knob(interrupt_name, "", fmt::format("no interrupt may come to CPU {}", text_of(eviction.occupied()))));
}

}  // namespace stepgate
