#include "emulator/values/device_random.h"

#include <ATen/cuda/CUDAGeneratorImpl.h>

#include <mutex>
#include <optional>

namespace stepgate::emulator {

RandomSource random_source(const c10::IValue& generator, c10::Device device) {
  std::optional<at::Generator> given;
  if (generator.isGenerator()) given = generator.toGenerator();
  auto* const of_device = at::get_generator_or_default<at::CUDAGeneratorImpl>(
      given, at::cuda::detail::getDefaultCUDAGenerator(device.index()));
  const std::lock_guard<std::mutex> lock(of_device->mutex_);
  constexpr std::uint64_t nothing = 0;
  const at::PhiloxCudaState state = of_device->philox_cuda_state(nothing);
  if (!state.captured_) return {.place = {state.seed_.val, state.offset_.val}};
  return {.place = {0, state.offset_intragraph_}, .seed_at = state.seed_.ptr, .offset_at = state.offset_.ptr};
}

}  // namespace stepgate::emulator
