#include "measure/program/case/case_counters.h"

namespace stepgate {

OpenedInstructionCounter open_instruction_counter_for(const torch::Device& device, std::int64_t ranks) {
  // Who spins runs as many instructions as it waits long.
  if (device.is_cuda()) return "the host spins while it waits for the GPU, so its instructions vary with time";
  if (ranks > 1) return "ranks spin while they wait for each other: their instructions vary";
  return open_instruction_counter();
}

std::variant<std::unique_ptr<PrimitiveWatch>, std::string> open_primitive_watch_for(const StepFormRow& form,
                                                                                    const torch::Device& device) {
  if (device.is_cuda()) return "oneDNN computes on CPUs only";
  if (!form.no_more_steps.empty()) return std::string(form.no_more_steps);
  return open_primitive_watch();
}

}  // namespace stepgate
