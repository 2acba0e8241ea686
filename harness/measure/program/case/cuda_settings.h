// What a user's variables and LibTorch's switches set for a CUDA process, as facts of its fingerprint.
#pragma once

#include <functional>
#include <optional>
#include <string>

namespace stepgate {

/// Value of an environment variable, absent where unset.
using EnvironmentReader = std::function<std::optional<std::string>(const std::string&)>;

/// How LibTorch's caching allocator is set: the text of PYTORCH_ALLOC_CONF or PYTORCH_CUDA_ALLOC_CONF, "default" where
/// neither is set. LibTorch's versions disagree about which of the two wins, so two texts that differ are both named.
std::string alloc_conf_setting(const EnvironmentReader& environment);

/// "on" or "off", as the facts of a fingerprint name a switch.
std::string switch_text(bool is_on);

}  // namespace stepgate
