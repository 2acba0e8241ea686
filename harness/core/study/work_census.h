// What a step copies, in which layouts its matrix products get their operands, and in which dtypes it computes.
#pragma once

#include <string>
#include <vector>

namespace stepgate {

/// Means of one step.
struct CensusRow {
  std::string of;    ///< an operator, or a class of operators: "aten::contiguous", "aten::linear > aten::mm", "norm"
  std::string kind;  ///< why a copy is made, the layout of an operand, or a dtype
  double calls = 0;  ///< for operands: how many
  double flops = 0;
  double bytes = 0;

  bool operator==(const CensusRow&) const = default;
};

struct WorkCensus {
  /// Copies by the outermost operator that led to them; inside a matrix product or convolution also by that. Kinds:
  /// dtype, layout, broadcast, plain. Most bytes first.
  std::vector<CensusRow> copies = {};
  /// Operands of matrix products and convolutions, each with the FLOPs of its product. Kinds: contiguous, transposed,
  /// channels_last, expanded, strided rows, gaps. Most FLOPs first.
  std::vector<CensusRow> operands = {};
  /// Work by class of operators: products, norm, softmax, loss, elementwise, optimizer. Kinds: dtypes of the first
  /// tensor that is not a scalar. In the order of the classes, most bytes first.
  std::vector<CensusRow> dtypes = {};
  double product_flops = 0;
  double misaligned_flops = 0;  ///< the part of them in products with sizes that are not multiples of 16 bytes

  bool operator==(const WorkCensus&) const = default;
};

}  // namespace stepgate
