// What `profile` and `report --profile` print of a profile.
#pragma once

#include <cstdint>
#include <optional>

#include "cli/options/option_row.h"
#include "core/study/operator_view.h"

namespace stepgate {

struct ProfileTable {
  OperatorSort sort = OperatorSort::self;
  OperatorsBy by = OperatorsBy::call_site;
  std::optional<std::int64_t> rows;
  bool checklist = false;
  bool smoke = false;
};
/// --sort, --by and --rows.
OptionRows operator_rows(ProfileTable& o);
/// --checklist and --smoke.
OptionRows list_rows(ProfileTable& o);
/// Throws Error(usage) where lists are to be printed, and a document was asked for.
void need_page_of_lists(bool json);

OperatorView operator_view(const ProfileTable& o);

}  // namespace stepgate
