#include "measure/program/case/global_switches.h"

#include <ATen/Context.h>
#include <ATen/autocast_mode.h>
#include <c10/core/ScalarType.h>

#include <limits>
#include <string>

#include "measure/program/case/cuda_settings.h"

namespace stepgate {
namespace {

std::string deterministic_text(const at::Context& context) {
  if (!context.deterministicAlgorithms()) return "off";
  return context.deterministicAlgorithmsWarnOnly() ? "warn" : "on";
}

/// To what oneDNN rounds float32 operands of matrix products. Up to LibTorch 2.9 names are taken and given.
[[maybe_unused]] std::string mkldnn_precision(const at::Context& context,
                                              std::string (at::Context::*precision)(const std::string&,
                                                                                    const std::string&) const) {
  return (context.*precision)("mkldnn", "matmul");
}

template <typename Precision, typename Backend, typename Operator>
std::string mkldnn_precision(const at::Context& context, Precision (at::Context::*precision)(Backend, Operator) const) {
  return precision2str((context.*precision)(Backend::MKLDNN, Operator::MATMUL));
}

/// LibTorch has no function that tells. The thread of the step has the mode that at::globalContext() sets.
bool flushes_denormals() {
  const volatile float smallest = std::numeric_limits<float>::denorm_min();
  const volatile float product = smallest * 1.0F;
  return !(product > 0.0F);
}

void add_autocast(at::DeviceType device, const std::string& name, Fingerprint& facts) {
  facts[name] = switch_text(at::autocast::is_autocast_enabled(device));
  facts[name + "_dtype"] = std::string(c10::getDtypeNames(at::autocast::get_autocast_dtype(device)).first);
}

void add_switches_of_cuda(const at::Context& context, Fingerprint& facts) {
  facts["deterministic_cudnn"] = switch_text(context.deterministicCuDNN());
  facts["cudnn_enabled"] = switch_text(context.userEnabledCuDNN());
  facts["sdp_mem_efficient"] = switch_text(context.userEnabledMemEfficientSDP());
  facts["sdp_cudnn"] = switch_text(context.userEnabledCuDNNSDP());
  add_autocast(at::kCUDA, "autocast_cuda", facts);
}

}  // namespace

void add_global_switches(Device device, Fingerprint& facts) {
  const at::Context& context = at::globalContext();
  facts["deterministic_algorithms"] = deterministic_text(context);
  facts["deterministic_mkldnn"] = switch_text(context.deterministicMkldnn());
  facts["mkldnn_enabled"] = switch_text(context.userEnabledMkldnn());
  facts["nnpack_enabled"] = switch_text(context.userEnabledNNPACK());
  facts["sdp_flash"] = switch_text(context.userEnabledFlashSDP());
  facts["sdp_math"] = switch_text(context.userEnabledMathSDP());
  facts["mkldnn_matmul_precision"] = mkldnn_precision(context, &at::Context::float32Precision);
  facts["flush_denormal"] = switch_text(flushes_denormals());
  facts["autocast_cache"] = switch_text(at::autocast::is_autocast_cache_enabled());
  add_autocast(at::kCPU, "autocast_cpu", facts);
  if (device == Device::cuda) add_switches_of_cuda(context, facts);
}

}  // namespace stepgate
