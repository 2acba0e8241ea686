#include "environment/facts/host_fingerprint.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <optional>
#include <set>
#include <string>
#include <string_view>

#include "system/files/pseudo_file.h"

namespace stepgate {
namespace {

namespace fs = std::filesystem;
using Fact = std::optional<std::string>;

void add(Fingerprint& facts, const std::string& key, const Fact& fact) {
  if (fact && !fact->empty()) facts[key] = *fact;
}

Fact cpu_count(std::string_view cpuinfo) {
  const auto lines = lines_of(cpuinfo);
  const auto count = std::count_if(lines.begin(), lines.end(), [](auto line) { return line.starts_with("processor"); });
  if (count == 0) return std::nullopt;
  return std::to_string(count);
}

Fact memory_total_bytes(const fs::path& sysroot) {
  const auto meminfo = read_pseudo_file(sysroot / "proc/meminfo");
  const auto total = meminfo ? value_after(*meminfo, "MemTotal") : std::nullopt;
  if (!total) return std::nullopt;
  const auto words = words_of(*total);
  const auto kib = words.empty() ? std::nullopt : integer_from(words.front());
  if (!kib) return std::nullopt;
  return std::to_string(*kib * 1024);
}

/// The name of the hypervisor, "present" if only the CPU flag shows it, missing on bare metal.
Fact hypervisor(const fs::path& sysroot, std::string_view cpuinfo) {
  if (auto type = read_pseudo_file(sysroot / "sys/hypervisor/type")) return type;
  const auto flags = value_after(cpuinfo, "flags");
  if (!flags) return std::nullopt;
  const auto words = words_of(*flags);
  if (std::find(words.begin(), words.end(), "hypervisor") == words.end()) return std::nullopt;
  if (auto vendor = read_pseudo_file(sysroot / "sys/class/dmi/id/sys_vendor")) return vendor;
  return "present";
}

/// Distinct governors over all policies, so that a half-tuned machine shows as "performance,powersave".
Fact governor(const fs::path& sysroot) {
  std::set<std::string> found;
  std::error_code ignored;
  for (const auto& entry : fs::directory_iterator(sysroot / "sys/devices/system/cpu/cpufreq", ignored)) {
    if (!entry.path().filename().string().starts_with("policy")) continue;
    if (auto name = read_pseudo_file(entry.path() / "scaling_governor")) found.insert(*name);
  }
  if (found.empty()) return std::nullopt;
  return fmt::format("{}", fmt::join(found, ","));
}

Fact turbo(const fs::path& sysroot) {
  const fs::path cpus = sysroot / "sys/devices/system/cpu";
  if (const auto disabled = read_pseudo_number(cpus / "intel_pstate/no_turbo")) return *disabled != 0 ? "off" : "on";
  if (const auto enabled = read_pseudo_number(cpus / "cpufreq/boost")) return *enabled != 0 ? "on" : "off";
  return std::nullopt;
}

/// "always [madvise] never" -> "madvise"
Fact transparent_huge_pages(const fs::path& sysroot) {
  const auto text = read_pseudo_file(sysroot / "sys/kernel/mm/transparent_hugepage/enabled");
  if (!text) return std::nullopt;
  const std::size_t open = text->find('[');
  const std::size_t close = text->find(']');
  if (open == std::string::npos || close == std::string::npos || close < open) return std::nullopt;
  return text->substr(open + 1, close - open - 1);
}

/// "NVRM version: NVIDIA UNIX x86_64 Kernel Module  580.65.06  Sun ..." -> "580.65.06": the first word that is digits
/// and dots with at least one dot. The open kernel modules word the line differently, the number looks the same.
Fact gpu_driver(const fs::path& sysroot) {
  const auto text = read_pseudo_file(sysroot / "proc/driver/nvidia/version");
  const auto line = text ? value_after(*text, "NVRM version") : std::nullopt;
  if (!line) return std::nullopt;
  for (std::string_view word : words_of(*line)) {
    const bool numeric = word.find_first_not_of("0123456789.") == std::string_view::npos;
    if (numeric && word.find('.') != std::string_view::npos) return std::string(word);
  }
  return std::nullopt;
}

}  // namespace

Fingerprint host_fingerprint(const std::filesystem::path& sysroot) {
  Fingerprint facts;
  const std::string cpuinfo = read_pseudo_file(sysroot / "proc/cpuinfo").value_or("");
  add(facts, "cpu_model", value_after(cpuinfo, "model name"));
  add(facts, "cpu_count", cpu_count(cpuinfo));
  add(facts, "memory_total_bytes", memory_total_bytes(sysroot));
  add(facts, "kernel", read_pseudo_file(sysroot / "proc/sys/kernel/osrelease"));
  add(facts, "aslr", read_pseudo_file(sysroot / "proc/sys/kernel/randomize_va_space"));
  add(facts, "hypervisor", hypervisor(sysroot, cpuinfo));
  add(facts, "governor", governor(sysroot));
  add(facts, "turbo", turbo(sysroot));
  add(facts, "thp", transparent_huge_pages(sysroot));
  add(facts, "gpu_driver", gpu_driver(sysroot));
  return facts;
}

}  // namespace stepgate
