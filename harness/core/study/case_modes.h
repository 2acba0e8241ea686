// Which mode of an emulated GPU each case needs (`stepgate doctor CASE --device emulated:MODEL`).
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace stepgate {

enum class NeededMode {
  counts,   ///< nothing shows that what is counted depends on numbers of the GPU
  values,   ///< it does
  unknown,  ///< the case could not be counted
};

struct NeededModeRow {
  NeededMode mode;
  std::string_view name;
  std::string_view text;
};
inline constexpr NeededModeRow needed_mode_rows[] = {{NeededMode::counts, "counts", "counts are enough"},
                                                     {NeededMode::values, "values", "needs values"},
                                                     {NeededMode::unknown, "unknown", "cannot tell"}};

constexpr std::string_view name_of(NeededMode mode) { return needed_mode_rows[static_cast<std::size_t>(mode)].name; }
constexpr std::string_view text_of(NeededMode mode) { return needed_mode_rows[static_cast<std::size_t>(mode)].text; }

struct CaseMode {
  std::string case_name;
  NeededMode mode = NeededMode::unknown;
  std::string reason = {};  ///< one sentence; "" where counts are enough

  bool operator==(const CaseMode&) const = default;
};

struct CaseModes {
  std::string device;  ///< "emulated:h100"
  std::vector<CaseMode> cases = {};

  bool operator==(const CaseModes&) const = default;
};

}  // namespace stepgate
