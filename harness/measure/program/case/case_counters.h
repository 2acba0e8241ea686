// The counters of the processor and of oneDNN that a case can use here, or why not.
#pragma once

#include <torch/torch.h>

#include <cstdint>
#include <memory>
#include <string>
#include <variant>

#include "measure/device/cpu/instruction_counter.h"
#include "measure/device/cpu/primitive_watch.h"
#include "measure/step/step_form.h"

namespace stepgate {

OpenedInstructionCounter open_instruction_counter_for(const torch::Device& device, std::int64_t ranks);

std::variant<std::unique_ptr<PrimitiveWatch>, std::string> open_primitive_watch_for(const StepFormRow& form,
                                                                                    const torch::Device& device);

}  // namespace stepgate
