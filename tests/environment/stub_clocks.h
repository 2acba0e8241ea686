// The rules of cpufreq files, beyond those of plain files.
#pragma once

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <optional>
#include <string>

#include "environment/stub_tree.h"
#include "system/files/pseudo_file.h"

namespace stepgate {

/// The rules of drivers/cpufreq: unknown values and crossed limits are EINVAL. With governor performance a preference
/// is EBUSY. Writing a governor switches turbo on again on Intel. While the global boost is off, the policies' own are
/// refused. While turbo is off, limits read no higher than the clock without it.
class StubClocks {
 public:
  explicit StubClocks(StubTree& tree) : tree_(tree) {}

  /// Writes the file and returns errno; absent if no rule is about it.
  std::optional<int> write(const std::string& path, const std::string& text) {
    const std::string name = StubTree::name_of_file(path);
    if (path == no_turbo || path == global_boost) return write_global(path, text);
    if (!path.starts_with(policies)) return std::nullopt;
    if (name == "scaling_governor") return write_governor(path, text);
    if (name == "energy_performance_preference") return write_preference(path, text);
    if (name == "scaling_min_freq" || name == "scaling_max_freq") return write_limit(path, text);
    if (name == "boost") return write_policy_boost(path, text);
    return std::nullopt;
  }

  /// What the file shows if that is not its content, else absent.
  std::optional<std::string> reading(const std::string& path) const {
    const std::string name = StubTree::name_of_file(path);
    if (!path.starts_with(policies) || (name != "scaling_min_freq" && name != "scaling_max_freq")) return std::nullopt;
    const auto khz = number_in(path);
    const auto ceiling = ceiling_khz(StubTree::parent_of(path));
    if (!khz || !ceiling) return std::nullopt;
    return std::to_string(std::min(*khz, *ceiling));
  }

 private:
  static constexpr const char* policies = "/sys/devices/system/cpu/cpufreq/policy";
  static constexpr const char* global_boost = "/sys/devices/system/cpu/cpufreq/boost";
  static constexpr const char* no_turbo = "/sys/devices/system/cpu/intel_pstate/no_turbo";

  std::optional<std::int64_t> number_in(const std::string& path) const {
    const auto text = tree_.read(path);
    return text ? integer_from(*text) : std::nullopt;
  }
  bool lists(const std::string& path, const std::string& word) const {
    const auto text = tree_.read(path);
    const auto words = words_of(text ? std::string_view(*text) : std::string_view());
    return std::find(words.begin(), words.end(), word) != words.end();
  }
  std::optional<std::int64_t> ceiling_khz(const std::string& folder) const {
    if (tree_.read(no_turbo) == "1") return number_in(folder + "/base_frequency");
    if (tree_.read(folder + "/boost") == "0" || tree_.read(global_boost) == "0") return nominal_khz(folder);
    return std::nullopt;
  }
  std::optional<std::int64_t> nominal_khz(const std::string& folder) const {
    const std::string cpu = folder.substr(std::string(policies).size());
    const auto mhz = number_in("/sys/devices/system/cpu/cpu" + cpu + "/acpi_cppc/nominal_freq");
    return mhz ? std::optional(*mhz * 1000) : std::nullopt;
  }

  int write_global(const std::string& path, const std::string& text) {
    if (text != "0" && text != "1") return EINVAL;
    tree_.put(path, text);
    if (path == no_turbo) return 0;
    for (const std::string& own : tree_.files_named("boost")) {
      if (own.starts_with(policies)) switch_boost(own, text);
    }
    return 0;
  }
  int write_policy_boost(const std::string& path, const std::string& text) {
    if (tree_.read(global_boost) == "0" || (text != "0" && text != "1")) return EINVAL;
    switch_boost(path, text);
    return 0;
  }
  /// The maximum moves with the switch, whatever it was before (cpufreq_boost_set_sw).
  void switch_boost(const std::string& path, const std::string& text) {
    tree_.put(path, text);
    const std::string folder = StubTree::parent_of(path);
    const auto highest = text == "1" ? number_in(folder + "/cpuinfo_max_freq") : nominal_khz(folder);
    if (highest) tree_.put(folder + "/scaling_max_freq", std::to_string(*highest));
  }
  int write_governor(const std::string& path, const std::string& text) {
    if (!lists(StubTree::parent_of(path) + "/scaling_available_governors", text)) return EINVAL;
    tree_.put(path, text);
    if (tree_.has(no_turbo)) tree_.put(no_turbo, "0");
    return 0;
  }
  int write_preference(const std::string& path, const std::string& text) {
    const std::string folder = StubTree::parent_of(path);
    if (!lists(folder + "/energy_performance_available_preferences", text)) return EINVAL;
    if (tree_.read(folder + "/scaling_governor") == "performance" && text != "performance") return EBUSY;
    tree_.put(path, text);
    return 0;
  }
  int write_limit(const std::string& path, const std::string& text) {
    const bool is_minimum = path.ends_with("scaling_min_freq");
    const auto khz = integer_from(text);
    const auto other = number_in(StubTree::parent_of(path) + (is_minimum ? "/scaling_max_freq" : "/scaling_min_freq"));
    if (!khz || (other && (is_minimum ? *khz > *other : *khz < *other))) return EINVAL;
    tree_.put(path, text);
    return 0;
  }

  StubTree& tree_;
};

}  // namespace stepgate
