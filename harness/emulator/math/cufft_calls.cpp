// Plans of cuFFT: one kernel a transform, results left as they are.
#include <cufftXt.h>

#include <algorithm>
#include <bit>
#include <cstdint>
#include <string_view>
#include <vector>

#include "emulator/machine/refusal.h"
#include "emulator/math/library_kernels.h"
#include "emulator/math/math_handle.h"

namespace stepgate::emulator {
namespace {

struct TransformPlan {
  StreamHandle stream = default_stream;
  bool allocates_itself = true;
  void* work_area = nullptr;
  std::uint64_t work_bytes = 0;
  bool is_made = false;
  MathProduct product;
};

MathShelf<TransformPlan>& plans() {
  // Handles of cuFFT are small integers. LibTorch destroys plans in destructors of its own.
  static auto* const made = new MathShelf<TransformPlan>(1, 1);
  return *made;
}

TransformPlan* plan_of(cufftHandle handle) {
  return handle < 1 ? nullptr : plans().find(static_cast<std::uint64_t>(handle));
}

cufftResult cufft_result_of(Outcome outcome) { return outcome == Outcome::ok ? CUFFT_SUCCESS : CUFFT_EXEC_FAILED; }

std::string_view operation_of(bool complex_input, bool complex_output) {
  if (complex_input && complex_output) return "C2C";
  return complex_input ? "C2R" : "R2C";
}

/// A transform of N points costs 5 N log2 N operations, as FFTW counts them. As a product of the same cost:
/// N results, each a sum of log2 N terms.
MathProduct product_of(std::int64_t points, std::int64_t batch, MathType input, MathType output) {
  MathProduct product;
  product.library = "cufft";
  product.operation = operation_of(row_of(input).is_complex, row_of(output).is_complex);
  product.m = points;
  product.k = std::bit_width(static_cast<std::uint64_t>(std::max<std::int64_t>(points, 1)));
  product.batch = batch;
  product.input = input;
  product.output = output;
  return product;
}

/// cuFFT documentation, "Multidimensional transforms": between 1 and 8 times batch * n[0] * ... complex elements. This
/// is the least.
std::uint64_t work_bytes_of(const MathProduct& product, MathType execution) {
  return static_cast<std::uint64_t>(product.m * product.batch) * (row_of(execution).bits / 8);
}

}  // namespace
}  // namespace stepgate::emulator

using namespace stepgate::emulator;

extern "C" {

cufftResult cufftCreate(cufftHandle* plan) {
  if (plan == nullptr) return CUFFT_INVALID_VALUE;
  *plan = static_cast<cufftHandle>(plans().add({}));
  return CUFFT_SUCCESS;
}

cufftResult cufftDestroy(cufftHandle plan) {
  return plan >= 1 && plans().remove(static_cast<std::uint64_t>(plan)) ? CUFFT_SUCCESS : CUFFT_INVALID_PLAN;
}

cufftResult cufftSetAutoAllocation(cufftHandle plan, int allocates) {
  TransformPlan* state = plan_of(plan);
  if (state == nullptr) return CUFFT_INVALID_PLAN;
  state->allocates_itself = allocates != 0;
  return CUFFT_SUCCESS;
}

cufftResult cufftSetStream(cufftHandle plan, cudaStream_t stream) {
  TransformPlan* state = plan_of(plan);
  if (state == nullptr) return CUFFT_INVALID_PLAN;
  state->stream = stream_handle_of(stream);
  return CUFFT_SUCCESS;
}

cufftResult cufftSetWorkArea(cufftHandle plan, void* area) {
  TransformPlan* state = plan_of(plan);
  if (state == nullptr) return CUFFT_INVALID_PLAN;
  state->work_area = area;
  return CUFFT_SUCCESS;
}

cufftResult cufftXtMakePlanMany(cufftHandle plan, int rank, long long* n, long long*, long long, long long,
                                cudaDataType input, long long*, long long, long long, cudaDataType output,
                                long long batch, size_t* work_bytes, cudaDataType execution) {
  constexpr std::string_view function = "cufftXtMakePlanMany";
  TransformPlan* state = plan_of(plan);
  if (state == nullptr || state->is_made) return CUFFT_INVALID_PLAN;
  if (state->allocates_itself) refuse(function, "work areas that the library allocates");
  if (n == nullptr || work_bytes == nullptr) return CUFFT_INVALID_VALUE;
  if (rank < 1 || rank > 3 || batch < 1) return CUFFT_INVALID_SIZE;
  std::int64_t points = 1;
  for (int axis = 0; axis < rank; ++axis) {
    if (n[axis] < 1) return CUFFT_INVALID_SIZE;
    points *= n[axis];
  }
  const MathType from = math_type_of(input, function);
  const MathType to = math_type_of(output, function);
  if (!row_of(from).is_complex && !row_of(to).is_complex) return CUFFT_INVALID_TYPE;
  state->product = product_of(points, batch, from, to);
  state->work_bytes = work_bytes_of(state->product, math_type_of(execution, function));
  state->is_made = true;
  *work_bytes = state->work_bytes;
  return CUFFT_SUCCESS;
}

cufftResult cufftXtExec(cufftHandle plan, void* input, void* output, int direction) {
  const TransformPlan* state = plan_of(plan);
  if (state == nullptr || !state->is_made) return CUFFT_INVALID_PLAN;
  if (state->work_area == nullptr && state->work_bytes > 0) return CUFFT_NO_WORKSPACE;
  const bool known_direction = direction == CUFFT_FORWARD || direction == CUFFT_INVERSE;
  if (input == nullptr || output == nullptr || !known_direction) return CUFFT_INVALID_VALUE;
  return cufft_result_of(submit_product(state->stream, state->product));
}

}  // extern "C"
