#include "environment/knobs/refusal_remedy.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cerrno>

#include "environment/stub_host.h"

namespace stepgate {
namespace {

using testing::HasSubstr;

constexpr const char* root_status = "Name:\tstepgate\nUid:\t0\t0\t0\t0";
constexpr const char* refused_file = "/sys/devices/system/cpu/cpufreq/boost";

TEST(RefusalRemedy, FitsTheHostKind) {
  StubHost host;
  EXPECT_EQ(remedy_for_refusal(host, refused_file, EACCES), "run as root: sudo stepgate ... --guard host");
  host.put("/proc/self/status", "Uid:\t1000\t1000\t1000\t1000");
  EXPECT_EQ(remedy_for_refusal(host, refused_file, EPERM), "run as root: sudo stepgate ... --guard host");
  host.put("/proc/self/status", "Uid:\t1000\t0\t0\t0");  // setuid: the effective user counts
  EXPECT_THAT(remedy_for_refusal(host, refused_file, EPERM), HasSubstr("refuses even root"));
  host.put("/run/.containerenv", "");
  EXPECT_EQ(remedy_for_refusal(host, refused_file, EPERM),
            "needs the host: run the container with --privileged, or configure the host");
}

TEST(RefusalRemedy, NamesTheReadOnlyMount) {
  StubHost host;
  host.put("/proc/self/status", root_status);
  EXPECT_EQ(remedy_for_refusal(host, refused_file, EROFS), "make it writable: sudo mount -o remount,rw /sys");
  EXPECT_THAT(remedy_for_refusal(host, "/sys/fs/cgroup/cgroup.procs", EROFS), HasSubstr("remount,rw /sys/fs/cgroup"));
  EXPECT_THAT(remedy_for_refusal(host, "/proc/irq/1/smp_affinity_list", EROFS), HasSubstr("remount,rw /proc"));
}

TEST(RefusalRemedy, IsEmptyIfPermissionsAreNotTheCause) {
  const StubHost host;
  EXPECT_EQ(remedy_for_refusal(host, refused_file, EIO), "");
  EXPECT_EQ(remedy_for_refusal(host, refused_file, EINVAL), "");
}

}  // namespace
}  // namespace stepgate
