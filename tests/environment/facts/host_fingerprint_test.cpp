#include "environment/facts/host_fingerprint.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/utsname.h>

#include "environment/fake_root.h"

namespace stepgate {
namespace {

using testing::Contains;
using testing::Pair;

void write_bare_metal(const FakeRoot& root) {
  root.write("proc/cpuinfo",
             "processor\t: 0\nmodel name\t: Fast CPU 9000\nflags\t\t: fpu avx2\n\n"
             "processor\t: 1\nmodel name\t: Fast CPU 9000\nflags\t\t: fpu avx2\n");
  root.write("proc/meminfo", "MemTotal:       24684096 kB\nMemFree:        1 kB\n");
  root.write("proc/sys/kernel/osrelease", "6.1.0-18-amd64\n");
  root.write("proc/sys/kernel/randomize_va_space", "2\n");
  root.write("sys/devices/system/cpu/cpufreq/policy0/scaling_governor", "performance\n");
  root.write("sys/devices/system/cpu/cpufreq/policy1/scaling_governor", "performance\n");
  root.write("sys/devices/system/cpu/intel_pstate/no_turbo", "1\n");
  root.write("sys/kernel/mm/transparent_hugepage/enabled", "always [madvise] never\n");
  root.write("proc/driver/nvidia/version",
             "NVRM version: NVIDIA UNIX Open Kernel Module for x86_64  580.65.06  Release Build  (root)\n"
             "GCC version:  gcc version 12.2.0\n");
}

TEST(HostFingerprint, ReadsABareMachine) {
  const FakeRoot root;
  write_bare_metal(root);
  const Fingerprint expected = {{"cpu_model", "Fast CPU 9000"},
                                {"cpu_count", "2"},
                                {"kernel", "6.1.0-18-amd64"},
                                {"memory_total_bytes", "25276514304"},
                                {"gpu_driver", "580.65.06"},
                                {"governor", "performance"},
                                {"turbo", "off"},
                                {"thp", "madvise"},
                                {"aslr", "2"}};
  EXPECT_EQ(host_fingerprint(root.path()), expected);
}

TEST(HostFingerprint, LeavesOutWhatTheMachineDoesNotShow) {
  const FakeRoot root;
  EXPECT_EQ(host_fingerprint(root.path()), Fingerprint{});
}

TEST(HostFingerprint, ShowsAHalfTunedMachine) {
  const FakeRoot root;
  write_bare_metal(root);
  root.write("sys/devices/system/cpu/cpufreq/policy1/scaling_governor", "powersave\n");
  EXPECT_THAT(host_fingerprint(root.path()), Contains(Pair("governor", "performance,powersave")));
}

TEST(HostFingerprint, ReadsBoostWhereThereIsNoIntelDriver) {
  const FakeRoot root;
  root.write("sys/devices/system/cpu/cpufreq/boost", "1\n");
  EXPECT_THAT(host_fingerprint(root.path()), Contains(Pair("turbo", "on")));
  root.write("sys/devices/system/cpu/cpufreq/boost", "0\n");
  EXPECT_THAT(host_fingerprint(root.path()), Contains(Pair("turbo", "off")));
}

TEST(HostFingerprint, NamesTheHypervisorAsWellAsItShows) {
  const FakeRoot root;
  root.write("proc/cpuinfo", "processor : 0\nflags : fpu hypervisor avx2\n");
  EXPECT_THAT(host_fingerprint(root.path()), Contains(Pair("hypervisor", "present")));
  root.write("sys/class/dmi/id/sys_vendor", "QEMU\n");
  EXPECT_THAT(host_fingerprint(root.path()), Contains(Pair("hypervisor", "QEMU")));
  root.write("sys/hypervisor/type", "xen\n");
  EXPECT_THAT(host_fingerprint(root.path()), Contains(Pair("hypervisor", "xen")));
}

TEST(HostFingerprint, NamesTheKernelThatReallyRuns) {
  utsname name{};
  ASSERT_EQ(uname(&name), 0);
  EXPECT_THAT(host_fingerprint("/"), Contains(Pair("kernel", name.release)));
}

}  // namespace
}  // namespace stepgate
