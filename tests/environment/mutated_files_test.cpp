// Damaged files of /proc and /sys: what cannot be read is absent with a reason. Nothing throws, and no read goes out of
// bounds (the sanitizers watch).
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

#include "environment/evidence/host_counters.h"
#include "environment/facts/find_host_kind.h"
#include "environment/facts/gpu_hindrances.h"
#include "environment/facts/host_fingerprint.h"
#include "environment/golden_trees.h"
#include "environment/knobs/host_knobs.h"
#include "environment/stub_host.h"
#include "support/text_mutator.h"
#include "system/files/pseudo_file.h"

namespace stepgate {
namespace {

namespace fs = std::filesystem;

constexpr int damaged_machines = 12;  // each writes and reads some 150 files

void write_counters(const FakeRoot& root) {
  root.write("proc/stat", "cpu  9 9 9 9 9 9 9 9 0 0\ncpu0 100 0 0 900 0 0 0 0 0 0\ncpu2 10 1 20 500 7 3 4 5 9 0\n");
  root.write("proc/vmstat", "nr_free_pages 1\npswpin 3\npswpout 4\nnuma_pages_migrated 8\n");
  root.write("proc/pressure/memory", "some avg10=0.00 total=1500\nfull avg10=0.00 total=3\n");
  root.write("proc/loadavg", "0.75 0.5 0.25 1/100 4711\n");
  root.write("proc/self/cgroup", "0::/ci/job\n");
  root.write("proc/self/status", "Name:\tstepgate\nCapEff:\t00000000a80425fb\n");
  root.write("proc/driver/nvidia/params", "RmProfilingAdminOnly: 1\n");
  root.write("sys/fs/cgroup/ci/job/cpu.stat", "usage_usec 1\nnr_periods 10\nnr_throttled 2\n");
}

std::vector<fs::path> files_below(const fs::path& root) {
  std::vector<fs::path> files;
  for (const auto& entry : fs::recursive_directory_iterator(root)) {
    if (entry.is_regular_file() && !entry.is_symlink()) files.push_back(fs::relative(entry.path(), root));
  }
  std::sort(files.begin(), files.end());
  return files;
}

/// Damages about every third file.
void damage(const FakeRoot& root, TextMutator& mutator, int machine) {
  int number = machine;
  for (const fs::path& file : files_below(root.path())) {
    if (++number % 3 != 0) continue;
    root.write(file.string(), mutator.mutated(read_pseudo_file(root.path() / file).value_or("")));
  }
}

void read_everything(const FakeRoot& root) {
  read_host_counters({root.path(), {2}, {3}});
  gpu_hindrances(read_gpu_surroundings(root.path(), host_fingerprint(root.path())));
  const StubHost host(root.path());
  find_host_kind(host);
  plan_host_knobs(host, {{2}, {3}, {0, 1}});
}

void attack_machine(void (*write_machine)(const FakeRoot&), std::uint64_t seed) {
  TextMutator mutator(seed);
  for (int machine = 0; machine < damaged_machines; ++machine) {
    const FakeRoot root;
    write_machine(root);
    write_counters(root);
    damage(root, mutator, machine);
    EXPECT_NO_THROW(read_everything(root)) << "machine " << machine;
  }
}

TEST(MutatedFiles, OfALaptop) { attack_machine(write_intel_laptop, 1); }
TEST(MutatedFiles, OfAnAmdDesktop) { attack_machine(write_amd_per_policy_boost, 2); }
TEST(MutatedFiles, OfAVirtualMachine) { attack_machine(write_virtual_machine, 3); }
TEST(MutatedFiles, OfTwoSocketsWithAGpu) { attack_machine(write_two_socket_gpu_host, 4); }

}  // namespace
}  // namespace stepgate
