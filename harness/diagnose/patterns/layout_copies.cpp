// Copies that a layout or a dtype causes where nobody asked for them.
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "diagnose/patterns/copy_reading.h"
#include "diagnose/patterns/find_patterns.h"
#include "diagnose/patterns/site_reading.h"

namespace stepgate {
namespace {

template <typename Wanted, typename Text>
std::vector<PatternMatch> copy_matches(const ObservedWork& work, Wanted wanted, Text text) {
  std::vector<PatternMatch> matches;
  for (std::size_t i = 0; i < work.sites.size(); ++i) {
    const OperatorSite& site = work.sites[i];
    if (is_copy(site) && wanted(site)) matches.push_back({i, calls_per_step(work, site), text(site)});
  }
  return matches;
}

/// The operator of the user's code: "aten::flatten" rather than the clone that it calls.
std::string outermost_of(const OperatorSite& copy) { return copy.callers.empty() ? copy.name : copy.callers.front(); }

bool loses_channels_last(const OperatorSite& copy) {
  return copy_kind(copy) == "layout" && is_computed_channels_last(copy.inputs[1]) &&
         layout_of(copy.inputs[0]) == "contiguous";
}

bool is_hidden_in_product(const OperatorSite& copy) {
  return copy_kind(copy) != "dtype" && !product_around(copy).empty() && !loses_channels_last(copy);
}

bool is_made_by_cast(const ObservedTensor& tensor) {
  constexpr std::array<std::string_view, 4> casts = {"aten::to", "aten::_to_copy", "aten::type_as", "aten::copy_"};
  return std::find(casts.begin(), casts.end(), tensor.from) != casts.end();
}

bool narrows(const OperatorSite& copy) {
  const std::string& to = copy.inputs[0].dtype;
  const std::string& from = copy.inputs[1].dtype;
  return is_floating(to) && is_floating(from) && bytes_of_dtype(to) < bytes_of_dtype(from);
}

/// A copy of a tensor of the same size in the other direction.
bool was_cast_down(const ObservedWork& work, const OperatorSite& up) {
  return std::any_of(work.sites.begin(), work.sites.end(), [&](const OperatorSite& down) {
    return is_copy(down) && narrows(down) && down.inputs[0].dtype == up.inputs[1].dtype &&
           down.inputs[1].dtype == up.inputs[0].dtype && down.inputs[0].sizes == up.inputs[1].sizes;
  });
}

}  // namespace

std::vector<PatternMatch> find_copies_in_products(const ObservedWork& work) {
  return copy_matches(work, is_hidden_in_product, [](const OperatorSite& site) {
    return fmt::format("{} copies an operand, {} ({})", product_around(site), tensor_text(site.inputs[1]),
                       layout_of(site.inputs[1]));
  });
}

std::vector<PatternMatch> find_lost_channels_last(const ObservedWork& work) {
  return copy_matches(work, loses_channels_last, [](const OperatorSite& site) {
    return fmt::format("{} copies {} from channels_last to row-major order", outermost_of(site),
                       tensor_text(site.inputs[1]));
  });
}

std::vector<PatternMatch> find_cast_round_trips(const ObservedWork& work) {
  const auto goes_back = [&](const OperatorSite& site) {
    const ObservedTensor& from = site.inputs[1];
    const bool widens = is_floating(from.dtype) && bytes_of_dtype(from.dtype) < bytes_of_dtype(site.inputs[0].dtype);
    return is_own_code(site) && widens && is_made_by_cast(from) && was_cast_down(work, site);
  };
  return copy_matches(work, goes_back, [](const OperatorSite& site) {
    return fmt::format("{} casts {} back to {}, from which it was cast in the same step", outermost_of(site),
                       tensor_text(site.inputs[1]), site.inputs[0].dtype);
  });
}

}  // namespace stepgate
