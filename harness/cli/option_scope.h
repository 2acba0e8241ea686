// Which commands an option belongs to: one that a command would not heed is refused, not passed over.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace stepgate {

/// True where `command` heeds the option ("vary", without dashes). Options that are not listed anywhere go with all.
bool goes_with(std::string_view option, std::string_view command);

/// Throws Error(usage) naming the first of `options` that `command` would not heed, and the commands that do.
void refuse_foreign_options(const std::vector<std::string>& options, std::string_view command);

}  // namespace stepgate
