// By which name do results show that their GPU is an emulated one?
#pragma once

#include <map>
#include <string>
#include <string_view>

namespace stepgate {

/// What the runner classes of emulated GPUs begin with.
inline constexpr std::string_view emulated_class_prefix = "emulated-";

/// "emulated H100" for the runner class "emulated-h100"; "" for the class of a machine.
std::string emulated_gpu_of_class(std::string_view runner_class);

/// Of the facts of a process: "emulated H100" for gpu "emulated H100, model 1"; "" for a real GPU and for none.
std::string emulated_gpu_of_facts(const std::map<std::string, std::string>& facts);

}  // namespace stepgate
