#include "emulator/nccl/nccl_reduce.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <type_traits>

#include "emulator/nccl/nccl_small_floats.h"

namespace stepgate::emulator {
namespace {

template <typename Stored>
Stored load(const std::byte* from, std::uint64_t index) {
  Stored stored;
  std::memcpy(&stored, from + index * sizeof(Stored), sizeof(Stored));
  return stored;
}

/// The type that arithmetic is done in.
template <typename Stored>
auto number(Stored stored) {
  if constexpr (std::is_class_v<Stored>) {
    return stored.number();
  } else {
    return stored;
  }
}

/// Sums and products of integers wrap, so they are those of unsigned numbers.
template <typename Number>
Number added(Number left, Number right) {
  if constexpr (std::is_integral_v<Number>) {
    using Unsigned = std::make_unsigned_t<Number>;
    return static_cast<Number>(static_cast<std::uint64_t>(static_cast<Unsigned>(left)) + static_cast<Unsigned>(right));
  } else {
    return left + right;
  }
}

template <typename Number>
Number multiplied(Number left, Number right) {
  if constexpr (std::is_integral_v<Number>) {
    using Unsigned = std::make_unsigned_t<Number>;
    return static_cast<Number>(static_cast<std::uint64_t>(static_cast<Unsigned>(left)) * static_cast<Unsigned>(right));
  } else {
    return left * right;
  }
}

template <typename Number>
Number smaller(Number left, Number right) {
  if constexpr (std::is_integral_v<Number>)
    return std::min(left, right);
  else
    return std::fmin(left, right);
}

template <typename Number>
Number larger(Number left, Number right) {
  if constexpr (std::is_integral_v<Number>)
    return std::max(left, right);
  else
    return std::fmax(left, right);
}

template <typename Stored>
Stored stored_of(decltype(number(Stored{})) value) {
  if constexpr (std::is_class_v<Stored>) {
    return Stored::of(value);
  } else {
    return value;
  }
}

using Sources = std::vector<const std::byte*>;

struct NoScale {
  template <typename Stored>
  Stored operator()(Stored stored, std::size_t /*rank*/) const {
    return stored;
  }
};

/// Factors are rounded to the element's type first, as NCCL keeps them in it.
template <typename Stored>
class ByFactors {
 public:
  explicit ByFactors(const std::vector<double>& factors) {
    using Number = decltype(number(Stored{}));
    for (const double factor : factors) {
      factors_.push_back(number(stored_of<Stored>(static_cast<Number>(factor))));
    }
  }
  Stored operator()(Stored stored, std::size_t rank) const {
    return stored_of<Stored>(multiplied(number(stored), factors_[rank]));
  }

 private:
  std::vector<decltype(number(Stored{}))> factors_;
};

template <typename Stored, typename Combine, typename Scale>
void fold(const Sources& from, std::byte* to, std::uint64_t count, Combine combine, const Scale& scale) {
  for (std::uint64_t index = 0; index < count; ++index) {
    Stored total = scale(load<Stored>(from[0], index), 0);
    for (std::size_t rank = 1; rank < from.size(); ++rank) {
      const Stored next = scale(load<Stored>(from[rank], index), rank);
      total = stored_of<Stored>(combine(number(total), number(next)));
    }
    std::memcpy(to + index * sizeof(Stored), &total, sizeof(Stored));
  }
}

template <typename Stored>
void divide(std::byte* at, std::uint64_t count, std::size_t ranks) {
  for (std::uint64_t index = 0; index < count; ++index) {
    const auto quotient = static_cast<Stored>(load<Stored>(at, index) / static_cast<Stored>(ranks));
    std::memcpy(at + index * sizeof(Stored), &quotient, sizeof(Stored));
  }
}

template <typename Stored>
void reduce_as(const NcclReduction& reduction, const Sources& from, std::byte* to, std::uint64_t count) {
  using Number = decltype(number(Stored{}));
  switch (reduction.kind) {
    case NcclReductionKind::sum:
      return fold<Stored>(from, to, count, added<Number>, NoScale{});
    case NcclReductionKind::product:
      return fold<Stored>(from, to, count, multiplied<Number>, NoScale{});
    case NcclReductionKind::max:
      return fold<Stored>(from, to, count, larger<Number>, NoScale{});
    case NcclReductionKind::min:
      return fold<Stored>(from, to, count, smaller<Number>, NoScale{});
    case NcclReductionKind::premultiplied_sum:
      return fold<Stored>(from, to, count, added<Number>, ByFactors<Stored>(reduction.factors));
    case NcclReductionKind::average:
      break;
  }
  if constexpr (std::is_integral_v<Stored>) {
    fold<Stored>(from, to, count, added<Number>, NoScale{});
    divide<Stored>(to, count, from.size());
  } else {
    const std::vector<double> shares(from.size(), 1.0 / static_cast<double>(from.size()));
    fold<Stored>(from, to, count, added<Number>, ByFactors<Stored>(shares));
  }
}

template <typename Stored>
double value_as(const void* address) {
  return static_cast<double>(number(load<Stored>(static_cast<const std::byte*>(address), 0)));
}

struct ReducedTypeRow {
  void (*reduce)(const NcclReduction&, const Sources&, std::byte*, std::uint64_t);
  double (*value)(const void*);
};

template <typename Stored>
constexpr ReducedTypeRow type_row() {
  return {reduce_as<Stored>, value_as<Stored>};
}

/// In the order of NcclElement.
constexpr std::array<ReducedTypeRow, std::size(nccl_element_rows)> reduced_type_rows = {
    type_row<std::int8_t>(),  type_row<std::uint8_t>(),  type_row<std::int32_t>(), type_row<std::uint32_t>(),
    type_row<std::int64_t>(), type_row<std::uint64_t>(), type_row<Float16>(),      type_row<float>(),
    type_row<double>(),       type_row<Bfloat16>(),      type_row<Float8E4M3>(),   type_row<Float8E5M2>(),
};

}  // namespace

std::string_view name_of(NcclReductionKind kind) {
  static constexpr std::string_view names[] = {"Sum", "Prod", "Max", "Min", "Avg", "PreMulSum"};
  return names[static_cast<std::size_t>(kind)];
}

void reduce_elements(const NcclReduction& reduction, const Sources& from, std::byte* to, std::uint64_t count) {
  reduced_type_rows[static_cast<std::size_t>(reduction.element)].reduce(reduction, from, to, count);
}

double value_of(NcclElement element, const void* address) {
  return reduced_type_rows[static_cast<std::size_t>(element)].value(address);
}

}  // namespace stepgate::emulator
