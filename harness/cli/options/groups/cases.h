// Which cases a command is about, and which half of them.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "cli/options/option_row.h"
#include "core/verdict/tier_choice.h"

namespace stepgate {

OptionRow filter_row(std::vector<std::string>& globs);
OptionRow tier_row(TierChoice& tier);

/// The case that is named. Throws Error(usage) unless one is; `example` is a command line that names one.
std::string one_case(const std::vector<std::string>& arguments, std::string_view command, const char* example);

/// Throws Error(usage) where a command that takes no argument has one.
void refuse_arguments(const std::vector<std::string>& arguments, std::string_view command, const std::string& remedy);

}  // namespace stepgate
