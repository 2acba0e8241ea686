// The files of a case's baselines:
//   <root>/portable/<case name>.json              scope portable: the exact half on any CPU
//   <root>/<runner class>/<case name>.json        scope runner: sessions of the timed half
//   <root>/<runner class>/<case name>.exact.json  scope device: the exact half on one kind of GPU
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "core/stored/baseline.h"

namespace stepgate {

inline constexpr std::string_view portable_class = "portable";

/// Which file of which case.
struct BaselineName {
  Scope scope = Scope::portable;
  std::string runner_class;  ///< ignored for scope portable
  std::string case_name;
};

/// Throws Error(usage) unless `runner_class` and `case_name` have their form (core/text/path_text.h).
std::filesystem::path baseline_path(const std::filesystem::path& root, const BaselineName& name);

/// The name that this baseline belongs under.
BaselineName name_of(const Baseline& baseline);

/// Every file that a case may have for that class, in the order of Scope.
std::vector<BaselineName> baseline_names(const std::string& runner_class, const std::string& case_name);

}  // namespace stepgate
