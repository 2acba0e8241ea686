#include "environment/facts/find_host_kind.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "environment/facts/power_saving.h"
#include "environment/fake_root.h"

namespace stepgate {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

FoundHostKind place_of(const FakeRoot& root) { return find_host_kind(SystemFiles(root.path())); }

void write_cpu(const FakeRoot& root, const std::string& flags) {
  root.write("proc/cpuinfo", "processor\t: 0\nmodel name\t: Fast CPU 9000\nflags\t\t: fpu " + flags + "\n");
}

void write_battery(const FakeRoot& root, const std::string& status) {
  root.write("sys/class/power_supply/BAT0/type", "Battery\n");
  root.write("sys/class/power_supply/BAT0/status", status + "\n");
}

TEST(FoundHostKind, AMachineWithoutMarksIsBareMetal) {
  const FakeRoot root;
  EXPECT_EQ(place_of(root).kind, HostKind::bare_metal);
  EXPECT_THAT(place_of(root).reasons, ElementsAre(HasSubstr("no container")));
  EXPECT_THAT(place_of(root).warnings, IsEmpty());
}

TEST(FoundHostKind, EveryMarkOfAContainerCounts) {
  struct Mark {
    const char* file;
    const char* text;
    const char* reason;
  };
  const Mark marks[] = {{".dockerenv", "", "/.dockerenv"},
                        {"run/.containerenv", "engine=\"podman-4.3.1\"\n", "/run/.containerenv"},
                        {"run/systemd/container", "lxc\n", "lxc"},
                        {"proc/1/cgroup", "12:pids:/docker/4be1c0ffee\n0::/\n", "docker"},
                        {"proc/1/cgroup", "0::/kubepods.slice/kubepods-burstable.slice\n", "kubepods"},
                        {"proc/mounts", "overlay / overlay rw,lowerdir=/a 0 0\nproc /proc proc rw 0 0\n", "overlay"}};
  for (const Mark& mark : marks) {
    const FakeRoot root;
    root.write(mark.file, mark.text);
    EXPECT_EQ(place_of(root).kind, HostKind::container) << mark.file;
    EXPECT_THAT(place_of(root).reasons, ElementsAre(HasSubstr(mark.reason)));
  }
}

TEST(FoundHostKind, SimilarFilesDoNotMakeAContainer) {
  const FakeRoot root;
  root.write("proc/1/cgroup", "0::/init.scope\n");
  root.write("proc/mounts", "/dev/sda1 / ext4 rw 0 0\noverlay /var/lib/docker/overlay2/x/merged overlay rw 0 0\n");
  EXPECT_EQ(place_of(root).kind, HostKind::bare_metal);
}

TEST(FoundHostKind, TheHypervisorFlagMakesAVirtualMachineAndTheFirmwareNamesIt) {
  const FakeRoot root;
  write_cpu(root, "hypervisor avx2");
  root.write("sys/class/dmi/id/sys_vendor", "Amazon EC2\n");
  root.write("sys/class/dmi/id/product_name", "c7i.2xlarge\n");
  EXPECT_EQ(place_of(root).kind, HostKind::virtual_machine);
  EXPECT_THAT(place_of(root).reasons, ElementsAre("the CPU says hypervisor, the firmware Amazon EC2 c7i.2xlarge"));
}

TEST(FoundHostKind, ABareMetalCloudMachineIsNoVirtualMachine) {
  const FakeRoot root;
  root.write("sys/class/dmi/id/sys_vendor", "Amazon EC2\n");
  root.write("sys/class/dmi/id/product_name", "c7g.metal\n");
  EXPECT_EQ(place_of(root).kind, HostKind::bare_metal) << "no flags: an ARM CPU";
  root.write("sys/class/dmi/id/product_name", "c7i.24xlarge\n");
  write_cpu(root, "avx2");
  EXPECT_EQ(place_of(root).kind, HostKind::bare_metal) << "the flags know better";
}

TEST(FoundHostKind, WithoutFlagsTheFirmwareDecides) {
  const FakeRoot root;
  root.write("proc/cpuinfo", "processor\t: 0\nFeatures\t: fp asimd\n");
  for (const char* vendor : {"QEMU", "VMware, Inc.", "Google Compute Engine", "Amazon EC2"}) {
    root.write("sys/class/dmi/id/sys_vendor", vendor);
    EXPECT_EQ(place_of(root).kind, HostKind::virtual_machine) << vendor;
  }
  root.write("sys/class/dmi/id/sys_vendor", "Google");
  EXPECT_EQ(place_of(root).kind, HostKind::bare_metal) << "a Chromebook";
}

TEST(FoundHostKind, ABatteryOrAPortableChassisMakesALaptop) {
  const FakeRoot with_battery;
  write_battery(with_battery, "Full");
  EXPECT_EQ(place_of(with_battery).kind, HostKind::laptop);
  EXPECT_THAT(place_of(with_battery).reasons, ElementsAre(HasSubstr("BAT0")));
  for (const char* type : {"8", "9", "10", "14", "31"}) {
    const FakeRoot portable;
    portable.write("sys/class/dmi/id/chassis_type", type);
    EXPECT_EQ(place_of(portable).kind, HostKind::laptop) << type;
  }
  const FakeRoot desktop;
  desktop.write("sys/class/dmi/id/chassis_type", "3\n");
  EXPECT_EQ(place_of(desktop).kind, HostKind::bare_metal);
}

TEST(FoundHostKind, TheBatteryOfAMouseMakesNoLaptop) {
  const FakeRoot root;
  root.write("sys/class/power_supply/hidpp_battery_0/type", "Battery\n");
  root.write("sys/class/power_supply/hidpp_battery_0/scope", "Device\n");
  root.write("sys/class/power_supply/hidpp_battery_0/status", "Discharging\n");
  EXPECT_EQ(place_of(root).kind, HostKind::bare_metal);
  EXPECT_THAT(place_of(root).warnings, IsEmpty());
}

TEST(FoundHostKind, AGpuShowsThroughTheDriverOrTheBus) {
  const FakeRoot driver;
  driver.write("proc/driver/nvidia/gpus/0000:3b:00.0/information", "Model: \t\t NVIDIA H200\nIRQ: 17\n");
  driver.write("proc/driver/nvidia/gpus/0000:5d:00.0/information", "Model: \t\t NVIDIA H200\n");
  EXPECT_EQ(place_of(driver).kind, HostKind::gpu_host);
  EXPECT_THAT(place_of(driver).reasons, ElementsAre("2 GPUs: NVIDIA H200"));
  const FakeRoot bus;
  bus.write("sys/bus/pci/devices/0000:3b:00.0/class", "0x030200\n");
  bus.write("sys/bus/pci/devices/0000:3b:00.0/vendor", "0x10de\n");
  EXPECT_EQ(place_of(bus).kind, HostKind::gpu_host);
  EXPECT_THAT(place_of(bus).reasons, ElementsAre(HasSubstr("without a driver")));
  bus.write("sys/bus/pci/devices/0000:3b:00.0/vendor", "0x1002\n");
  EXPECT_EQ(place_of(bus).kind, HostKind::bare_metal) << "another vendor's";
  bus.write("sys/bus/pci/devices/0000:3b:00.0/vendor", "0x10de\n");
  bus.write("sys/bus/pci/devices/0000:3b:00.0/class", "0x040300\n");
  EXPECT_EQ(place_of(bus).kind, HostKind::bare_metal) << "the sound of a GPU";
}

TEST(FoundHostKind, TheOutermostKindDecidesAndTheReasonsListTheRest) {
  const FakeRoot root;
  root.write(".dockerenv", "");
  write_cpu(root, "hypervisor");
  write_battery(root, "Full");
  root.write("proc/driver/nvidia/gpus/0000:3b:00.0/information", "Model: NVIDIA L4\n");
  EXPECT_EQ(place_of(root).kind, HostKind::container);
  EXPECT_THAT(place_of(root).reasons, ElementsAre(HasSubstr("dockerenv"), HasSubstr("hypervisor"), HasSubstr("battery"),
                                                  HasSubstr("1 GPU: NVIDIA L4")));
}

TEST(FoundHostKind, WarnsOnBatteryPowerOnly) {
  const FakeRoot root;
  write_battery(root, "Discharging");
  EXPECT_THAT(place_of(root).warnings, ElementsAre(HasSubstr("battery power")));
  root.write("sys/class/power_supply/ucsi-source-psy-1/type", "USB\n");
  root.write("sys/class/power_supply/ucsi-source-psy-1/online", "1\n");
  EXPECT_THAT(place_of(root).warnings, IsEmpty()) << "a dock feeds it";
  write_battery(root, "Charging");
  EXPECT_THAT(place_of(root).warnings, IsEmpty());
}

TEST(FoundHostKind, AnAdapterThatIsOffMeansBatteryPower) {
  const FakeRoot root;
  write_battery(root, "Unknown");
  EXPECT_THAT(place_of(root).warnings, IsEmpty());
  root.write("sys/class/power_supply/AC/type", "Mains\n");
  root.write("sys/class/power_supply/AC/online", "0\n");
  EXPECT_THAT(place_of(root).warnings, ElementsAre(HasSubstr("battery power")));
  root.write("sys/class/power_supply/AC/online", "1\n");
  EXPECT_THAT(place_of(root).warnings, IsEmpty());
}

TEST(FoundHostKind, WarnsOfPowerSaving) {
  const FakeRoot root;
  const std::string policy = "sys/devices/system/cpu/cpufreq/policy0/";
  root.write("sys/firmware/acpi/platform_profile", "low-power\n");
  EXPECT_THAT(place_of(root).warnings, ElementsAre(HasSubstr("platform profile is low-power")));
  root.write("sys/firmware/acpi/platform_profile", "balanced\n");
  root.write(policy + "scaling_governor", "powersave\n");
  root.write(policy + "scaling_driver", "intel_pstate\n");
  EXPECT_THAT(place_of(root).warnings, IsEmpty()) << "its ordinary governor";
  root.write(policy + "energy_performance_preference", "power\n");
  EXPECT_THAT(place_of(root).warnings, ElementsAre(HasSubstr("energy preference")));
  root.write(policy + "energy_performance_preference", "balance_performance\n");
  root.write(policy + "scaling_driver", "acpi-cpufreq\n");
  EXPECT_THAT(place_of(root).warnings, ElementsAre(HasSubstr("lowest clock")));
}

}  // namespace
}  // namespace stepgate
