#include "environment/process/process_knobs.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/personality.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <limits>

#include "system/files/pseudo_file.h"

namespace stepgate {
namespace {

constexpr int bits_per_word = std::numeric_limits<unsigned long>::digits;

// linux/mempolicy.h; libnuma would be a dependency for two calls.
constexpr int bind_memory = 2;  // MPOL_BIND
constexpr unsigned long query_personality = 0xffffffffUL;

std::vector<unsigned long> words_with(const std::vector<int>& bits) {
  std::vector<unsigned long> words;
  for (const int bit : bits) {
    const auto word = static_cast<std::size_t>(bit / bits_per_word);
    if (words.size() <= word) words.resize(word + 1);
    words[word] |= 1UL << (bit % bits_per_word);
  }
  return words;
}

KnobState state_of(const ProcessKnobOutcome& outcome, bool as_wanted) {
  if (outcome.error != 0) return outcome.error == ENOSYS ? KnobState::unsupported : KnobState::denied;
  if (!as_wanted) return KnobState::overridden;
  return outcome.before == outcome.after ? KnobState::already : KnobState::achieved;
}

KnobReport report_of(ProcessKnob knob, const ProcessKnobOutcome& outcome, bool as_wanted) {
  KnobReport report;
  report.name = name_of(knob);
  report.mode = row_of(knob).mode;
  report.state = state_of(outcome, as_wanted);
  report.error = outcome.error;
  if (outcome.error != 0) {
    report.reason = std::strerror(outcome.error);
    report.remedy = row_of(knob).remedy;
  }
  return report;
}

}  // namespace

ProcessKnobs::ProcessKnobs(const ProcessKnobRequest& request)
    : mask_(request.cpus.empty() ? request.unpinned_cpus : request.cpus),
      pin_(!request.cpus.empty()),
      unpin_(request.cpus.empty() && !request.unpinned_cpus.empty()),
      nodes_(words_with(request.memory_nodes)),
      nice_(request.nice),
      random_layout_(request.random_layout) {
  if (request.cgroup.empty()) return;
  const std::string entrance = request.cgroup + "/cgroup.procs";
  cgroup_ = Descriptor(uninterrupted([&] { return ::open(entrance.c_str(), O_WRONLY | O_CLOEXEC); }));
  if (!cgroup_.is_open()) cgroup_error_ = errno;
}

void ProcessKnobs::apply(ProcessKnobOutcomes& outcomes) const noexcept {
  const auto of = [&](ProcessKnob knob) -> ProcessKnobOutcome& { return outcomes[static_cast<std::size_t>(knob)]; };
  enter_cgroup(of(ProcessKnob::partition));
  set_affinity(of(ProcessKnob::affinity));
  set_memory_policy(of(ProcessKnob::memory_policy));
  set_priority(of(ProcessKnob::priority));
  set_address_layout(of(ProcessKnob::address_layout));
}

void ProcessKnobs::enter_cgroup(ProcessKnobOutcome& outcome) const noexcept {
  outcome.wanted = cgroup_.is_open() || cgroup_error_ != 0;
  outcome.error = cgroup_error_;
  if (!cgroup_.is_open()) return;
  // 0 means the writing process.
  if (uninterrupted([this] { return ::write(cgroup_.number(), "0", 1); }) != 1) outcome.error = errno;
  outcome.after = outcome.error == 0 ? 1 : 0;
}

void ProcessKnobs::set_affinity(ProcessKnobOutcome& outcome) const noexcept {
  outcome.wanted = pin_;
  if (unpin_) static_cast<void>(mask_.apply_to_calling_thread());
  if (!pin_) return;
  outcome.before = mask_.is_of_calling_thread() ? 1 : 0;
  outcome.error = mask_.apply_to_calling_thread();
  outcome.after = mask_.is_of_calling_thread() ? 1 : 0;
}

void ProcessKnobs::set_memory_policy(ProcessKnobOutcome& outcome) const noexcept {
  outcome.wanted = !nodes_.empty();
  if (nodes_.empty()) return;
  const auto bits = static_cast<unsigned long>(nodes_.size() * bits_per_word) + 1;  // the kernel drops one
  if (::syscall(SYS_set_mempolicy, bind_memory, nodes_.data(), bits) != 0) outcome.error = errno;
  int mode = -1;
  static_cast<void>(::syscall(SYS_get_mempolicy, &mode, nullptr, 0UL, nullptr, 0UL) != 0);
  outcome.after = mode == bind_memory ? 1 : 0;
}

void ProcessKnobs::set_priority(ProcessKnobOutcome& outcome) const noexcept {
  outcome.wanted = nice_ != 0;
  if (nice_ == 0) return;
  outcome.before = ::getpriority(PRIO_PROCESS, 0);
  if (::setpriority(PRIO_PROCESS, 0, nice_) != 0) outcome.error = errno;
  outcome.after = ::getpriority(PRIO_PROCESS, 0);  // a refusal without an error shows here
}

void ProcessKnobs::set_address_layout(ProcessKnobOutcome& outcome) const noexcept {
  outcome.wanted = random_layout_;
  if (!random_layout_) return;
  const int now = ::personality(query_personality);
  if (now < 0) {
    outcome.error = errno;
    return;
  }
  outcome.before = (now & ADDR_NO_RANDOMIZE) == 0 ? 1 : 0;
  outcome.after = outcome.before;
  if (outcome.before == 1) return;  // the usual case
  if (::personality(static_cast<unsigned long>(now) & ~static_cast<unsigned long>(ADDR_NO_RANDOMIZE)) < 0) {
    outcome.error = errno;
  }
  outcome.after = (::personality(query_personality) & ADDR_NO_RANDOMIZE) == 0 ? 1 : 0;
}

std::vector<KnobReport> process_knob_reports(const ProcessKnobRequest& request, const ProcessKnobOutcomes& outcomes) {
  const auto of = [&](ProcessKnob knob) { return outcomes[static_cast<std::size_t>(knob)]; };
  const auto yes_no = [](long value) { return std::string(value != 0 ? "yes" : "no"); };
  std::vector<KnobReport> reports;
  const auto add = [&](ProcessKnob knob, const std::string& wanted, const auto& text) {
    const ProcessKnobOutcome outcome = of(knob);
    if (!outcome.wanted) return;
    const bool as_wanted = knob == ProcessKnob::priority ? outcome.after == request.nice : outcome.after == 1;
    KnobReport report = report_of(knob, outcome, as_wanted);
    report.wanted = wanted;
    report.before = text(outcome.before, false);
    report.after = text(outcome.after, true);
    reports.push_back(std::move(report));
  };
  const auto list_or = [](const std::string& list) {
    return [list](long value, bool after) { return value == 1 ? list : std::string(after ? "other" : "wider"); };
  };
  add(ProcessKnob::partition, request.cgroup, list_or(request.cgroup));
  add(ProcessKnob::affinity, text_of(request.cpus), list_or(text_of(request.cpus)));
  add(ProcessKnob::memory_policy, fmt::format("node {}", fmt::join(request.memory_nodes, ",")),
      [&](long value, bool) { return value == 1 ? std::string("bound") : std::string("any node"); });
  add(ProcessKnob::priority, fmt::format("nice {}", request.nice),
      [](long value, bool) { return fmt::format("nice {}", value); });
  add(ProcessKnob::address_layout, "random", [&](long value, bool) { return "random: " + yes_no(value); });
  return reports;
}

std::vector<int> memory_nodes_of(const std::string& sysroot, const CpuList& cpus) {
  const std::filesystem::path root = std::filesystem::path(sysroot) / "sys/devices/system/node";
  const auto with_memory = read_pseudo_file(root / "has_memory");
  const auto nodes = with_memory ? cpu_list_from_text(*with_memory) : std::nullopt;
  std::vector<int> near;
  if (!nodes || nodes->size() < 2) return near;
  for (const int node : *nodes) {
    const auto list = read_pseudo_file(root / fmt::format("node{}", node) / "cpulist");
    const auto its = list ? cpu_list_from_text(*list) : std::nullopt;
    if (its && !intersection(*its, cpus).empty()) near.push_back(node);
  }
  return near;
}

}  // namespace stepgate
