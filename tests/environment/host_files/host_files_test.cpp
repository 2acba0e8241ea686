#include "environment/host_files/host_files.h"

#include <gtest/gtest.h>

#include <cerrno>

#include "environment/fake_root.h"

namespace stepgate {
namespace {

namespace fs = std::filesystem;

TEST(SystemFiles, WritesBelowSysAndProc) {
  const FakeRoot root;
  root.write("sys/knob", "long value");
  root.write("proc/sys/switch", "1");
  SystemFiles files(root.path());
  EXPECT_EQ(files.write("/sys/knob", "0"), 0);
  EXPECT_EQ(files.read("/sys/knob"), "0");
  EXPECT_EQ(files.write("/proc/sys/switch", "0"), 0);
  EXPECT_EQ(files.make_folder("/sys/group"), 0);
  EXPECT_EQ(files.remove_folder("/sys/group"), 0);
  EXPECT_EQ(files.remove_folder("/sys/group"), ENOENT);
}

TEST(SystemFiles, NeverWritesElsewhere) {
  const FakeRoot root;
  root.write("etc/passwd", "root");
  root.write("sys/knob", "1");
  fs::create_directories(root.path() / "proc/self");
  fs::create_directory_symlink(root.path(), root.path() / "proc/self/root");
  SystemFiles files(root.path());
  for (const char* path : {"/etc/passwd", "/proc/self/root/etc/passwd", "/sys/../etc/passwd"}) {
    EXPECT_EQ(files.write(path, "mine"), EPERM) << path;
  }
  EXPECT_EQ(files.read("/etc/passwd"), "root");
  EXPECT_EQ(files.make_folder("/etc/new"), EPERM);
  EXPECT_EQ(files.make_folder("/proc/self/root/new"), EPERM);
  fs::create_directory(root.path() / "etc/empty");
  EXPECT_EQ(files.remove_folder("/proc/self/root/etc/empty"), EPERM);
  EXPECT_TRUE(fs::exists(root.path() / "etc/empty"));
}

TEST(SystemFiles, FollowsLinksThatStayBelowSys) {
  const FakeRoot root;
  root.write("sys/devices/policy0/governor", "powersave");
  fs::create_directory_symlink("devices/policy0", root.path() / "sys/cpufreq");
  SystemFiles files(root.path());
  EXPECT_EQ(files.write("/sys/cpufreq/governor", "performance"), 0);
  EXPECT_EQ(files.read("/sys/devices/policy0/governor"), "performance");
}

}  // namespace
}  // namespace stepgate
