#include "cli/options/groups/profile_table.h"

#include "core/error.h"

namespace stepgate {

OptionRows operator_rows(ProfileTable& o) {
  return {
      {Topic::profile, "sort", "self|total|calls|flops|bytes|allocated", "",
       "what the table of operators is sorted by (default self: time without the operators that it called)",
       choice_into(o.sort, "self|total|calls|flops|bytes|allocated", operator_sort_named)},
      {Topic::profile, "by", "operator|shape|line", "",
       "rows of that table: an operator at a line (default), each shape of it, or a line of the code",
       choice_into(o.by, "operator|shape|line", operators_by_named)},
      {Topic::profile, "rows", "N", "", "rows of that table (default 10)",
       count_into(o.rows, CountRange{.least = 1, .most = 10'000})},
  };
}

OptionRows list_rows(ProfileTable& o) {
  return {
      {Topic::profile, "checklist", "", "", "print every question of the checklists with its answer",
       switch_on(o.checklist)},
      {Topic::profile, "smoke", "", "", "print the five smoke tests only", switch_on(o.smoke)},
  };
}

void need_page_of_lists(bool json) {
  if (!json) return;
  throw Error(ErrorKind::usage, "--checklist and --smoke print lists, and --json asks for a document",
              "leave out --json; the answers as JSON are in profile.json, below checklist");
}

OperatorView operator_view(const ProfileTable& o) {
  return {.sort = o.sort, .by = o.by, .rows = static_cast<std::size_t>(o.rows.value_or(10))};
}

}  // namespace stepgate
