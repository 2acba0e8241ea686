#include "environment/facts/find_host_kind.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "core/text/number_format.h"
#include "environment/facts/power_saving.h"
#include "system/files/pseudo_file.h"

namespace stepgate {
namespace {

using Reasons = std::vector<std::string>;

std::string text_at(const HostFiles& files, const std::string& path) { return files.read(path).value_or(""); }

bool holds(std::string_view text, std::string_view part) { return text.find(part) != std::string_view::npos; }

/// Under cgroup v1 the cgroup of process 1 names the container engine. Under v2 a container usually sees "0::/".
void add_cgroup(const HostFiles& files, Reasons& reasons) {
  const std::string cgroup = text_at(files, "/proc/1/cgroup");
  for (const char* engine : {"docker", "kubepods", "containerd", "libpod", "lxc"}) {
    if (!holds(cgroup, engine)) continue;
    reasons.push_back(fmt::format("process 1 is in a cgroup of {}", engine));
    return;
  }
}

bool has_overlay_root(const HostFiles& files) {
  const std::string mounts = text_at(files, "/proc/mounts");
  const auto lines = lines_of(mounts);
  return std::any_of(lines.begin(), lines.end(), [](std::string_view line) {
    const auto words = words_of(line);
    return words.size() > 2 && words[1] == "/" && words[2] == "overlay";
  });
}

Reasons container_signs(const HostFiles& files) {
  Reasons reasons;
  for (const char* mark : {"/.dockerenv", "/run/.containerenv"}) {
    if (files.read(mark)) reasons.push_back(fmt::format("{} is there", mark));
  }
  if (const auto engine = files.read("/run/systemd/container")) {
    reasons.push_back(fmt::format("systemd says container ({})", *engine));
  }
  add_cgroup(files, reasons);
  if (has_overlay_root(files)) reasons.emplace_back("the root is an overlay file system");
  return reasons;
}

/// "Amazon EC2 m5.large", if the firmware says so.
std::string firmware_name(const HostFiles& files) {
  const std::string vendor = text_at(files, "/sys/class/dmi/id/sys_vendor");
  const std::string product = text_at(files, "/sys/class/dmi/id/product_name");
  return vendor.empty() || product.empty() ? vendor + product : vendor + " " + product;
}

/// Names that only virtual machines have; whole machines of Amazon end in ".metal" and are left out.
bool names_a_virtual_machine(std::string_view firmware) {
  constexpr std::string_view known[] = {
      "QEMU",       "KVM",       "VMware", "VirtualBox",          "innotek",
      "Bochs",      "OpenStack", "Xen",    "Virtual Machine",     "Google Compute Engine",
      "Amazon EC2", "Parallels", "BHYVE",  "Apple Virtualization"};
  if (firmware.ends_with(".metal")) return false;
  return std::any_of(std::begin(known), std::end(known), [&](std::string_view name) { return holds(firmware, name); });
}

Reasons virtual_machine_signs(const HostFiles& files) {
  const std::string cpuinfo = text_at(files, "/proc/cpuinfo");
  const auto flags = value_after(cpuinfo, "flags");
  const std::string firmware = firmware_name(files);
  if (flags) {
    const auto words = words_of(*flags);
    if (std::find(words.begin(), words.end(), "hypervisor") == words.end()) return {};
    const std::string named = firmware.empty() ? "" : fmt::format(", the firmware {}", firmware);
    return {"the CPU says hypervisor" + named};
  }
  if (names_a_virtual_machine(firmware)) return {fmt::format("the firmware says {}", firmware)};
  if (const auto type = files.read("/sys/hypervisor/type")) return {fmt::format("the kernel runs on {}", *type)};
  return {};
}

Reasons laptop_signs(const HostFiles& files) {
  Reasons reasons;
  for (const std::string& battery : batteries(files)) reasons.push_back(fmt::format("it has a battery ({})", battery));
  const auto chassis = integer_from(text_at(files, "/sys/class/dmi/id/chassis_type"));
  constexpr std::int64_t portable[] = {8, 9, 10, 14, 30, 31, 32};
  if (chassis && std::find(std::begin(portable), std::end(portable), *chassis) != std::end(portable)) {
    reasons.push_back(fmt::format("its chassis is a portable one (type {})", *chassis));
  }
  return reasons;
}

bool is_nvidia_gpu(const HostFiles& files, const std::string& device) {
  const std::string folder = "/sys/bus/pci/devices/" + device;
  const std::string kind = text_at(files, folder + "/class");
  const bool displays = kind.starts_with("0x0300") || kind.starts_with("0x0302");
  return displays && text_at(files, folder + "/vendor") == "0x10de";
}

/// From the driver's list, which alone has the model names. Without a driver the bus still shows the device.
Reasons gpu_signs(const HostFiles& files) {
  Reasons models;
  for (const std::string& gpu : files.names_in("/proc/driver/nvidia/gpus")) {
    const std::string information = text_at(files, "/proc/driver/nvidia/gpus/" + gpu + "/information");
    models.push_back(value_after(information, "Model").value_or(gpu));
  }
  if (!models.empty()) return {fmt::format("{}: {}", counted(models.size(), "GPU"), models[0])};
  for (const std::string& device : files.names_in("/sys/bus/pci/devices")) {
    if (is_nvidia_gpu(files, device)) return {fmt::format("an NVIDIA GPU at {}, without a driver", device)};
  }
  return {};
}

}  // namespace

FoundHostKind find_host_kind(const HostFiles& files) {
  struct Signs {
    HostKind kind;
    Reasons reasons;
  };
  const Signs all[] = {{HostKind::container, container_signs(files)},
                       {HostKind::virtual_machine, virtual_machine_signs(files)},
                       {HostKind::laptop, laptop_signs(files)},
                       {HostKind::gpu_host, gpu_signs(files)}};
  FoundHostKind place;
  for (const Signs& signs : all) {
    if (signs.reasons.empty()) continue;
    if (place.reasons.empty()) place.kind = signs.kind;
    place.reasons.insert(place.reasons.end(), signs.reasons.begin(), signs.reasons.end());
  }
  if (place.reasons.empty()) place.reasons.emplace_back("no container, hypervisor, battery or GPU was found");
  place.warnings = power_warnings(files);
  return place;
}

}  // namespace stepgate
