#include "emulator/math/math_products.h"

#include <algorithm>
#include <array>
#include <limits>

namespace stepgate::emulator {
namespace {

constexpr std::int64_t tile = 128;
/// Of the second and third dimension of a grid (CUDA programming guide, "Technical specifications").
constexpr std::int64_t most_blocks_y = 65535;

constexpr std::array<MathTypeRow, 12> type_rows = {{
    {MathType::f16, "f16", 16, false},
    {MathType::bf16, "bf16", 16, false},
    {MathType::f32, "f32", 32, false},
    {MathType::f64, "f64", 64, false},
    {MathType::c32, "c32", 32, true},
    {MathType::c64, "c64", 64, true},
    {MathType::c128, "c128", 128, true},
    {MathType::e4m3, "e4m3", 8, false},
    {MathType::e5m2, "e5m2", 8, false},
    {MathType::e2m1, "e2m1", 4, false},
    {MathType::i8, "i8", 8, false},
    {MathType::i32, "i32", 32, false},
}};

double count_of(const MathProduct& product) {
  return static_cast<double>(product.m) * static_cast<double>(product.n) * static_cast<double>(product.batch);
}

unsigned tiles(std::int64_t length, std::int64_t most) {
  const std::int64_t count = length <= tile ? 1 : (length - 1) / tile + 1;
  return static_cast<unsigned>(std::min(count, most));
}

}  // namespace

const MathTypeRow& row_of(MathType type) { return type_rows[static_cast<std::size_t>(type)]; }

MathProduct product_of(std::string_view library, const FactorCall& call) {
  return {.library = library,
          .operation = call.operation,
          .m = call.m,
          .n = call.n,
          .k = call.k,
          .batch = call.batch,
          .input = call.type,
          .output = call.type};
}

std::string text_of(const MathProduct& product) {
  std::string text(product.library);
  text.append(" ").append(product.operation);
  for (const std::int64_t size : {product.m, product.n, product.k, product.batch}) {
    text.append(" ").append(std::to_string(size));
  }
  text.append(" ").append(row_of(product.input).name);
  if (product.output != product.input) text.append(">").append(row_of(product.output).name);
  return text;
}

double flops_of(const MathProduct& product) {
  // A complex product is four real ones.
  const double of_one = row_of(product.input).is_complex ? 8 : 2;
  return of_one * count_of(product) * static_cast<double>(product.k);
}

double bytes_of(const MathProduct& product) {
  const double input = row_of(product.input).bits / 8.0;
  const double output = row_of(product.output).bits / 8.0;
  const double inputs =
      static_cast<double>(product.m + product.n) * static_cast<double>(product.k) * static_cast<double>(product.batch);
  return inputs * input + count_of(product) * output;
}

Extent grid_of(const MathProduct& product) {
  return {tiles(product.m, std::numeric_limits<std::int32_t>::max()), tiles(product.n, most_blocks_y),
          static_cast<unsigned>(std::clamp<std::int64_t>(product.batch, 1, most_blocks_y))};
}

bool is_empty(const MathProduct& product) { return product.m == 0 || product.n == 0 || product.batch == 0; }

bool is_valid(const ProductArguments& arguments) {
  if (arguments.m < 0 || arguments.n < 0 || arguments.k < 0 || arguments.batch < 0) return false;
  const std::int64_t a_rows = arguments.a_transposed ? arguments.k : arguments.m;
  const std::int64_t b_rows = arguments.b_transposed ? arguments.n : arguments.k;
  const auto least = [](std::int64_t rows) { return std::max<std::int64_t>(rows, 1); };
  return arguments.a_leading >= least(a_rows) && arguments.b_leading >= least(b_rows) &&
         arguments.c_leading >= least(arguments.m);
}

}  // namespace stepgate::emulator
