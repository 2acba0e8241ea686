// Matrix products that a step writes out: two tensors are brought to one full size, multiplied, and summed again.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "core/record/observed_work.h"

namespace stepgate {

/// One operand of such a product.
struct WrittenFactor {
  /// With the dimensions of the product; 1 where its values only repeat.
  std::vector<std::int64_t> sizes = {};
  std::string dtype = {};
  bool copied = false;  ///< an operator, as aten::repeat, wrote its repeated values out

  std::int64_t elements() const;
};

/// Positions are those in ObservedWork::sites.
struct WrittenProduct {
  std::size_t product = 0;                 ///< aten::mul
  std::size_t sum = 0;                     ///< aten::sum of what it writes
  std::vector<std::size_t> copies = {};    ///< what brings its operands to full size; none where they are views
  std::vector<std::size_t> backward = {};  ///< what computes the gradients of all of these
  WrittenFactor left = {};
  WrittenFactor right = {};
  std::vector<std::int64_t> sizes = {};   ///< of what it writes
  std::vector<std::int64_t> summed = {};  ///< dimensions of it
};

/// In the step's own code before backward, in the order of its sites. Both operands are smaller than their product: it
/// holds every pair, which the sum takes together again, so that matmul(), bmm() or einsum() give the same. A tensor is
/// smaller if it is a view that repeats its values (expand, or size 1), or if a copy wrote the repeated values out
/// (repeat, or contiguous and clone of such a view).
std::vector<WrittenProduct> written_products(const ObservedWork& work);

/// "abc,bcd->abd": the factors without their dimensions of size 1. "" where it has more dimensions than letters.
std::string einsum_of(const WrittenProduct& product);

}  // namespace stepgate
