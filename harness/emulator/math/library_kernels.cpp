#include "emulator/math/library_kernels.h"

#include <algorithm>
#include <array>
#include <string>
#include <utility>

#include "emulator/machine/refusal.h"
#include "emulator/model/cost_model.h"
#include "emulator/process/operator_rules.h"
#include "emulator/process/process_machine.h"
#include "emulator/runtime/kernel_registry.h"
#include "emulator/runtime/runtime_call.h"

namespace stepgate::emulator {
namespace {

struct LibraryTypeRow {
  cudaDataType number;
  MathType type;
};

constexpr std::array<LibraryTypeRow, 13> library_types = {{
    {CUDA_R_16F, MathType::f16},
    {CUDA_R_16BF, MathType::bf16},
    {CUDA_R_32F, MathType::f32},
    {CUDA_R_64F, MathType::f64},
    {CUDA_C_16F, MathType::c32},
    {CUDA_C_16BF, MathType::c32},
    {CUDA_C_32F, MathType::c64},
    {CUDA_C_64F, MathType::c128},
    {CUDA_R_8F_E4M3, MathType::e4m3},
    {CUDA_R_8F_E5M2, MathType::e5m2},
    {CUDA_R_4F_E2M1, MathType::e2m1},
    {CUDA_R_8I, MathType::i8},
    {CUDA_R_32I, MathType::i32},
}};

RuntimeCall launch_call(bool is_extended, const LaunchedKernel& kernel) {
  if (is_extended) return {CUPTI_RUNTIME_TRACE_CBID_cudaLaunchKernelExC_v11060, "cudaLaunchKernelExC", kernel};
  return {CUPTI_RUNTIME_TRACE_CBID_cudaLaunchKernel_v7000, "cudaLaunchKernel", kernel};
}

}  // namespace

Outcome submit_library_kernel(StreamHandle stream, LibraryKernel kernel) {
  EmulatedMachine& machine = process_machine();
  const std::string_view name = interned(std::move(kernel.name));
  RuntimeCall call = launch_call(kernel.is_extended, LaunchedKernel{name});
  Operation operation;
  operation.name = name;
  if (!kernel.is_private) check_kernel(machine.options().mode, operation.name);
  operation.cost_ns = product_ns(machine.model(), kernel.flops, kernel.bytes);
  operation.grid = kernel.grid;
  operation.block = {library_block_threads, 1, 1};
  operation.is_library = true;
  operation.effect = std::move(kernel.effect);
  const Outcome outcome = machine.submit(call.caller(), stream, std::move(operation));
  static_cast<void>(call.end(outcome));
  return outcome;
}

Outcome submit_product(StreamHandle stream, const MathProduct& product, Effect effect) {
  if (is_empty(product)) return Outcome::ok;
  return submit_library_kernel(stream, {.name = text_of(product),
                                        .flops = flops_of(product),
                                        .bytes = bytes_of(product),
                                        .grid = grid_of(product),
                                        .effect = std::move(effect)});
}

MathType math_type_of(cudaDataType type, std::string_view function) {
  for (const LibraryTypeRow& row : library_types) {
    if (row.number == type) return row.type;
  }
  refuse(function, "cudaDataType " + std::to_string(static_cast<int>(type)));
}

Effect zeros(int* at, std::int64_t count) {
  if (at == nullptr || count <= 0) return {};
  return [at, count] { std::fill_n(at, count, 0); };
}

Effect rows_in_order(int* at, std::int64_t rows, std::int64_t batch) {
  if (at == nullptr || rows <= 0 || batch <= 0) return {};
  return [at, rows, batch] {
    for (std::int64_t place = 0; place < rows * batch; ++place) at[place] = static_cast<int>(place % rows) + 1;
  };
}

Effect both(Effect first, Effect second) {
  if (!first) return second;
  if (!second) return first;
  return [first = std::move(first), second = std::move(second)] {
    first();
    second();
  };
}

}  // namespace stepgate::emulator
