// What a call of a math library computes, as its kernel's name and cost show it: shapes and types, without a header of
// the libraries.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "emulator/work/operation.h"

namespace stepgate::emulator {

enum class MathType { f16, bf16, f32, f64, c32, c64, c128, e4m3, e5m2, e2m1, i8, i32 };

struct MathTypeRow {
  MathType type;
  std::string_view name;
  unsigned bits;
  bool is_complex;
};

const MathTypeRow& row_of(MathType type);

/// C(m, n) = A(m, k) B(k, n), `batch` times. Other calls give the product that costs as much.
struct MathProduct {
  std::string_view library;    ///< "cublas"
  std::string_view operation;  ///< "Sgemm"
  std::int64_t m = 1;
  std::int64_t n = 1;
  std::int64_t k = 1;
  std::int64_t batch = 1;
  MathType input = MathType::f32;
  MathType output = MathType::f32;
};

/// A factorisation or the solution of a system, whose matrices have one type.
struct FactorCall {
  std::string_view operation;  ///< "Spotrf"
  std::int64_t m = 1;
  std::int64_t n = 1;
  std::int64_t k = 1;
  std::int64_t batch = 1;
  MathType type = MathType::f32;
};

/// The product that costs as much.
MathProduct product_of(std::string_view library, const FactorCall& call);

/// "cublas Sgemm 128 64 32 1 f32": m, n, k, batch, type. Two types where input and output differ: "bf16>f32".
std::string text_of(const MathProduct& product);
double flops_of(const MathProduct& product);
/// Of both inputs and the output, once each.
double bytes_of(const MathProduct& product);
/// A block for each 128 x 128 tile of the output (own choice).
Extent grid_of(const MathProduct& product);
bool is_empty(const MathProduct& product);

/// The arguments of a product that BLAS limits: sizes and leading dimensions. Matrices are stored by columns.
struct ProductArguments {
  bool a_transposed = false;
  bool b_transposed = false;
  std::int64_t m = 0;
  std::int64_t n = 0;
  std::int64_t k = 0;
  std::int64_t a_leading = 1;
  std::int64_t b_leading = 1;
  std::int64_t c_leading = 1;
  std::int64_t batch = 1;
};

/// Sizes are not negative, and no leading dimension is shorter than its matrix's column.
bool is_valid(const ProductArguments& arguments);

}  // namespace stepgate::emulator
