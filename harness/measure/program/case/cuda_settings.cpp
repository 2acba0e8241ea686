#include "measure/program/case/cuda_settings.h"

namespace stepgate {

std::string alloc_conf_setting(const EnvironmentReader& environment) {
  const std::string general = environment("PYTORCH_ALLOC_CONF").value_or("");
  const std::string cuda = environment("PYTORCH_CUDA_ALLOC_CONF").value_or("");
  if (general.empty() && cuda.empty()) return "default";
  if (cuda.empty() || general == cuda) return general;
  if (general.empty()) return cuda;
  return "PYTORCH_ALLOC_CONF=" + general + ";PYTORCH_CUDA_ALLOC_CONF=" + cuda;
}

std::string switch_text(bool is_on) { return is_on ? "on" : "off"; }

}  // namespace stepgate
