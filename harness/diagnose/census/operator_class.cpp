#include "diagnose/census/operator_class.h"

#include <algorithm>
#include <array>

#include "core/boundary.h"
#include "diagnose/patterns/site_reading.h"

namespace stepgate {
namespace {

struct ClassRow {
  std::string_view name;
  std::array<std::string_view, 3> parts;  ///< parts of the names of its operators; "": none
};

constexpr std::array class_rows = {ClassRow{"products", {}},
                                   ClassRow{"norm", {"norm", "", ""}},
                                   ClassRow{"softmax", {"softmax", "", ""}},
                                   ClassRow{"loss", {"loss", "cross_entropy", ""}},
                                   ClassRow{"elementwise", {}},
                                   ClassRow{"optimizer", {}}};

bool has_part(const ClassRow& row, std::string_view operator_name) {
  return std::any_of(row.parts.begin(), row.parts.end(), [&](std::string_view part) {
    return !part.empty() && operator_name.find(part) != std::string_view::npos;
  });
}

}  // namespace

std::string_view class_of(const OperatorSite& site) {
  if (moves_only(site.name) || (site.flops == 0 && site.leaf_calls == 0)) return "";
  if (site.flops > 0) return "products";
  if (site.bytes == 0) return "";
  if (site.boundary == name_of(Boundary::optimizer)) return "optimizer";
  const auto row = std::find_if(class_rows.begin(), class_rows.end(),
                                [&](const ClassRow& each) { return has_part(each, site.name); });
  return row == class_rows.end() ? "elementwise" : row->name;
}

std::size_t rank_of_class(std::string_view name) {
  const auto row =
      std::find_if(class_rows.begin(), class_rows.end(), [&](const ClassRow& each) { return each.name == name; });
  return static_cast<std::size_t>(row - class_rows.begin());
}

}  // namespace stepgate
