// By which name do results show that their GPU is an emulated one?
#pragma once

#include <map>
#include <string>
#include <string_view>

namespace stepgate {

/// What the runner classes of emulated GPUs begin with, and what those of GPUs that compute values end with.
inline constexpr std::string_view emulated_class_prefix = "emulated-";
inline constexpr std::string_view values_class_suffix = "-values";

/// "emulated H100" for the runner class "emulated-h100", "emulated H100 with values" for "emulated-h100-values"; "" for
/// the class of a machine. The two count apart, so their names differ.
std::string emulated_gpu_of_class(std::string_view runner_class);

/// The same name, of the facts of a process: "emulated H100" for gpu "emulated H100, model 1", "emulated H100 with
/// values" for "emulated H100, model 1, values"; "" for a real GPU and for none.
std::string emulated_gpu_of_facts(const std::map<std::string, std::string>& facts);

}  // namespace stepgate
