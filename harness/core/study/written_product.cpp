#include "core/study/written_product.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <optional>
#include <string_view>

#include "core/boundary.h"

namespace stepgate {
namespace {

using Sizes = std::vector<std::int64_t>;

std::int64_t count_of(const Sizes& sizes) {
  std::int64_t count = 1;
  for (const std::int64_t size : sizes) count *= size;
  return count;
}

bool is_in_own_code(const OperatorSite& site) {
  return !site.for_forward && site.boundary != name_of(Boundary::backward);
}

/// With as many dimensions as `dimensions`: broadcasting adds them in front. 1 where the values repeat.
Sizes stored_sizes(const ObservedTensor& tensor, std::size_t dimensions) {
  Sizes sizes = tensor.sizes;
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    if (i < tensor.strides.size() && tensor.strides[i] == 0) sizes[i] = 1;
  }
  if (sizes.size() < dimensions) sizes.insert(sizes.begin(), dimensions - sizes.size(), 1);
  return sizes;
}

/// Operators that write out what their input repeats.
bool writes_out(std::string_view name) {
  constexpr std::array<std::string_view, 4> names = {"aten::repeat", "aten::tile", "aten::contiguous", "aten::clone"};
  return std::ranges::find(names, name) != names.end();
}

/// The sizes of what this copy repeats, with 1 where it does; absent if it repeats nothing, or not whole dimensions.
std::optional<Sizes> repeated_by(const OperatorSite& copy, const ObservedTensor& operand) {
  if (!writes_out(copy.name) || copy.name != operand.from || copy.inputs.empty() || copy.outputs.empty()) return {};
  if (copy.outputs[0].sizes != operand.sizes || copy.inputs[0].sizes.size() > operand.sizes.size()) return {};
  const Sizes from = stored_sizes(copy.inputs[0], operand.sizes.size());
  for (std::size_t i = 0; i < from.size(); ++i) {
    if (from[i] != 1 && from[i] != operand.sizes[i]) return {};
  }
  return count_of(from) < count_of(operand.sizes) ? std::optional(from) : std::nullopt;
}

class FactorReader {
 public:
  FactorReader(const ObservedWork& work, std::size_t product) : work_(work), product_(product) {}

  /// `copies` gets the site of the copy that brought the operand to full size.
  WrittenFactor read(const ObservedTensor& operand, std::size_t dimensions, std::vector<std::size_t>& copies) {
    WrittenFactor factor{stored_sizes(operand, dimensions), operand.dtype};
    const auto copy = last_copy(operand);
    if (!copy) return factor;
    const Sizes from = *repeated_by(work_.sites[*copy], operand);
    const std::size_t in_front = dimensions - from.size();
    for (std::size_t i = 0; i < from.size(); ++i) {
      factor.sizes[in_front + i] = std::min(factor.sizes[in_front + i], from[i]);
    }
    factor.copied = true;
    taken_.push_back(*copy);
    copies.push_back(*copy);
    return factor;
  }

 private:
  /// The last one before the product that is not yet the other operand's.
  std::optional<std::size_t> last_copy(const ObservedTensor& operand) const {
    for (std::size_t i = product_; i-- > 0;) {
      const OperatorSite& site = work_.sites[i];
      const bool taken = std::ranges::find(taken_, i) != taken_.end();
      if (taken || !is_in_own_code(site) || site.boundary != work_.sites[product_].boundary) continue;
      if (repeated_by(site, operand)) return i;
    }
    return std::nullopt;
  }

  const ObservedWork& work_;
  std::size_t product_;
  std::vector<std::size_t> taken_;
};

bool sums_up(const OperatorSite& sum, const OperatorSite& product) {
  return sum.name == "aten::sum" && is_in_own_code(sum) && sum.boundary == product.boundary && !sum.inputs.empty() &&
         sum.inputs[0].from == product.name && sum.inputs[0].sizes == product.outputs[0].sizes;
}

/// The first behind the product; else any.
std::optional<std::size_t> sum_of(const ObservedWork& work, std::size_t product) {
  std::optional<std::size_t> found;
  for (std::size_t i = 0; i < work.sites.size(); ++i) {
    if (!sums_up(work.sites[i], work.sites[product])) continue;
    if (!found || (*found < product && i > product)) found = i;
  }
  return found;
}

/// "[-1]" of four dimensions: {3}. All of them where the sum names none.
Sizes summed_dimensions(const OperatorSite& sum, std::size_t dimensions) {
  const std::string text = sum.arguments.empty() ? "" : sum.arguments.front();
  Sizes found;
  for (std::size_t at = 0; text.starts_with('[') && at < text.size();) {
    std::int64_t number = 0;
    const auto read = std::from_chars(text.data() + at, text.data() + text.size(), number);
    const bool is_number = read.ec == std::errc();
    const auto all = static_cast<std::int64_t>(dimensions);
    if (is_number && number >= -all && number < all) found.push_back(number < 0 ? number + all : number);
    at = is_number ? static_cast<std::size_t>(read.ptr - text.data()) : at + 1;
  }
  if (!found.empty()) return found;
  for (std::size_t i = 0; i < dimensions; ++i) found.push_back(static_cast<std::int64_t>(i));
  return found;
}

/// What runs in backward for one of these sites, without the operators that others call.
std::vector<std::size_t> gradients_of(const ObservedWork& work, const std::vector<std::size_t>& sites) {
  std::vector<std::size_t> found;
  for (std::size_t i = 0; i < work.sites.size(); ++i) {
    const OperatorSite& gradient = work.sites[i];
    if (!gradient.for_forward || !gradient.place || !gradient.parent.empty()) continue;
    if (std::ranges::any_of(sites, [&](std::size_t site) { return work.sites[site].place == gradient.place; })) {
      found.push_back(i);
    }
  }
  return found;
}

std::optional<WrittenProduct> product_at(const ObservedWork& work, std::size_t at) {
  const OperatorSite& site = work.sites[at];
  if (site.name != "aten::mul" || !is_in_own_code(site) || site.inputs.size() < 2 || site.outputs.empty()) return {};
  WrittenProduct found{.product = at, .sizes = site.outputs[0].sizes};
  const std::size_t dimensions = found.sizes.size();
  if (site.inputs[0].sizes.size() > dimensions || site.inputs[1].sizes.size() > dimensions) return {};
  FactorReader reader(work, at);
  found.right = reader.read(site.inputs[1], dimensions, found.copies);
  found.left = reader.read(site.inputs[0], dimensions, found.copies);
  const std::int64_t full = count_of(found.sizes);
  for (const WrittenFactor* factor : {&found.left, &found.right}) {
    if (factor->elements() <= 1 || factor->elements() >= full) return {};
  }
  const auto sum = sum_of(work, at);
  if (!sum) return {};
  found.sum = *sum;
  found.summed = summed_dimensions(work.sites[*sum], dimensions);
  std::vector<std::size_t> all = found.copies;
  all.push_back(found.product);
  all.push_back(found.sum);
  found.backward = gradients_of(work, all);
  return found;
}

}  // namespace

std::int64_t WrittenFactor::elements() const { return count_of(sizes); }

std::vector<WrittenProduct> written_products(const ObservedWork& work) {
  std::vector<WrittenProduct> found;
  for (std::size_t i = 0; i < work.sites.size(); ++i) {
    if (auto product = product_at(work, i)) found.push_back(std::move(*product));
  }
  return found;
}

std::string einsum_of(const WrittenProduct& product) {
  constexpr std::size_t letters = 26;
  if (product.sizes.size() > letters) return "";
  const auto letter = [](std::size_t dimension) { return static_cast<char>('a' + dimension); };
  std::string left;
  std::string right;
  std::string result;
  for (std::size_t i = 0; i < product.sizes.size(); ++i) {
    const bool in_left = product.left.sizes[i] != 1;
    const bool in_right = product.right.sizes[i] != 1;
    if (in_left) left += letter(i);
    if (in_right) right += letter(i);
    const bool is_summed = std::ranges::find(product.summed, static_cast<std::int64_t>(i)) != product.summed.end();
    if ((in_left || in_right) && !is_summed) result += letter(i);
  }
  return left + "," + right + "->" + result;
}

}  // namespace stepgate
