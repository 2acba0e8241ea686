#include "environment/process/process_knobs.h"

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>

#include "environment/fake_root.h"

namespace stepgate {
namespace {

/// The outcomes of apply() in a child process.
ProcessKnobOutcomes outcomes_in_child(const ProcessKnobRequest& request) {
  int ends[2];
  EXPECT_EQ(::pipe(ends), 0);
  const ProcessKnobs knobs(request);
  const pid_t pid = ::fork();
  if (pid == 0) {
    ProcessKnobOutcomes outcomes{};
    knobs.apply(outcomes);
    ::_exit(::write(ends[1], &outcomes, sizeof outcomes) == sizeof outcomes ? 0 : 1);
  }
  ProcessKnobOutcomes outcomes{};
  EXPECT_EQ(::read(ends[0], &outcomes, sizeof outcomes), static_cast<ssize_t>(sizeof outcomes));
  ::waitpid(pid, nullptr, 0);
  ::close(ends[0]);
  ::close(ends[1]);
  return outcomes;
}

KnobReport report_named(const std::vector<KnobReport>& reports, const std::string& name) {
  for (const KnobReport& report : reports) {
    if (report.name == name) return report;
  }
  ADD_FAILURE() << "no report of " << name;
  return {};
}

TEST(ProcessKnobs, SetsNothingUnasked) {
  const ProcessKnobRequest nothing;
  EXPECT_TRUE(process_knob_reports(nothing, outcomes_in_child(nothing)).empty());
}

TEST(ProcessKnobs, PinsAndReadsBack) {
  ProcessKnobRequest request;
  request.cpus = {allowed_cpus().back()};
  const KnobReport report = report_named(process_knob_reports(request, outcomes_in_child(request)), "affinity");
  EXPECT_TRUE(report.state == KnobState::achieved || report.state == KnobState::already);
  EXPECT_EQ(report.after, text_of(request.cpus));
}

TEST(ProcessKnobs, AnUnpinnedProcessMayLeaveTheLaunchersCpus) {
  const CpuList everywhere = allowed_cpus();
  ProcessKnobRequest request;
  request.unpinned_cpus = everywhere;
  const ProcessKnobs knobs(request);
  const pid_t pid = ::fork();
  if (pid == 0) {
    const bool moved = AffinityMask({everywhere.front()}).apply_to_calling_thread() == 0;  // as the launcher does
    ProcessKnobOutcomes outcomes{};
    knobs.apply(outcomes);
    const bool reported = outcomes[static_cast<std::size_t>(ProcessKnob::affinity)].wanted;
    ::_exit(moved && !reported && allowed_cpus() == everywhere ? 0 : 1);
  }
  int status = -1;
  ::waitpid(pid, &status, 0);
  EXPECT_EQ(status, 0);
}

TEST(ProcessKnobs, ReportsARefusal) {
  ProcessKnobRequest request;
  request.cpus = {60000};
  const KnobReport report = report_named(process_knob_reports(request, outcomes_in_child(request)), "affinity");
  EXPECT_EQ(report.state, KnobState::denied);
  EXPECT_EQ(report.error, EINVAL);
  EXPECT_FALSE(report.remedy.empty());
}

TEST(ProcessKnobs, LowersPriorityWithoutAnyPrivilege) {
  ProcessKnobRequest request;
  request.nice = ::getpriority(PRIO_PROCESS, 0) + 1;
  const KnobReport report = report_named(process_knob_reports(request, outcomes_in_child(request)), "priority");
  EXPECT_EQ(report.state, KnobState::achieved);
  EXPECT_EQ(report.after, "nice " + std::to_string(request.nice));
}

TEST(ProcessKnobs, APriorityThatDoesNotMoveIsOverridden) {
  ProcessKnobRequest request;
  request.nice = -5;
  ProcessKnobOutcomes outcomes{};
  outcomes[static_cast<std::size_t>(ProcessKnob::priority)] = {.wanted = true, .error = 0, .before = 0, .after = 0};
  EXPECT_EQ(report_named(process_knob_reports(request, outcomes), "priority").state, KnobState::overridden);
}

TEST(ProcessKnobs, LeavesARandomLayoutAlone) {
  ProcessKnobRequest request;
  request.random_layout = true;
  const KnobReport report = report_named(process_knob_reports(request, outcomes_in_child(request)), "address_layout");
  EXPECT_TRUE(report.state == KnobState::already || report.state == KnobState::achieved);
}

TEST(ProcessKnobs, AMissingCgroupIsDenied) {
  ProcessKnobRequest request;
  request.cgroup = "/nonexistent/stepgate";
  const KnobReport report = report_named(process_knob_reports(request, outcomes_in_child(request)), "cpu_set");
  EXPECT_EQ(report.state, KnobState::denied);
  EXPECT_EQ(report.error, ENOENT);
}

TEST(MemoryNodes, AreThoseOfTheCpus) {
  const FakeRoot root;
  root.write("sys/devices/system/node/has_memory", "0-1\n");
  root.write("sys/devices/system/node/node0/cpulist", "0-15\n");
  root.write("sys/devices/system/node/node1/cpulist", "16-31\n");
  EXPECT_EQ(memory_nodes_of(root.path().string(), {17}), std::vector<int>{1});
  EXPECT_EQ(memory_nodes_of(root.path().string(), {3, 17}), (std::vector<int>{0, 1}));
}

TEST(MemoryNodes, OneNodeNeedsNoPolicy) {
  const FakeRoot root;
  root.write("sys/devices/system/node/has_memory", "0\n");
  root.write("sys/devices/system/node/node0/cpulist", "0-15\n");
  EXPECT_TRUE(memory_nodes_of(root.path().string(), {3}).empty());
  EXPECT_TRUE(memory_nodes_of("/nonexistent", {3}).empty());
}

}  // namespace
}  // namespace stepgate
