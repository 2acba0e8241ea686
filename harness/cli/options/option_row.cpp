#include "cli/options/option_row.h"

#include <algorithm>
#include <iterator>
#include <stdexcept>
#include <string>
#include <utility>

namespace stepgate {

OptionRows joined(std::vector<OptionRows> lists) {
  OptionRows rows;
  for (OptionRows& list : lists) std::move(list.begin(), list.end(), std::back_inserter(rows));
  return rows;
}

void add_need(OptionRows& rows, const std::vector<std::string_view>& names, const std::function<void()>& need) {
  for (const std::string_view name : names) {
    const auto row = std::find_if(rows.begin(), rows.end(), [&](const OptionRow& one) { return one.name == name; });
    if (row == rows.end()) throw std::logic_error("no row of the option --" + std::string(name));
    row->needs.insert(row->needs.begin(), need);
  }
}

}  // namespace stepgate
