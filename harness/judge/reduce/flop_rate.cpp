#include "judge/reduce/flop_rate.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <iterator>
#include <string_view>
#include <utility>
#include <vector>

namespace stepgate {
namespace {

/// TFLOP/s of a whole GPU at its boost clock, dense; 0: the GPU has no such unit.
struct PeakRow {
  std::string_view gpu;  ///< as the CUDA runtime names it
  double float32;        ///< outside tensor cores
  double tf32;
  double bfloat16;  ///< with accumulation in float32
  double float16;   ///< likewise
};

// NVIDIA's data sheets of each product. If one states only rates with sparsity, the table has half of them. GeForce:
// appendix A of the architecture white papers (GA102, AD102).
constexpr PeakRow peak_table[] = {
    {"Tesla T4", 8.1, 0, 0, 65},
    {"Tesla V100-PCIE-16GB", 14, 0, 0, 112},
    {"Tesla V100-PCIE-32GB", 14, 0, 0, 112},
    {"Tesla V100-SXM2-16GB", 15.7, 0, 0, 125},
    {"Tesla V100-SXM2-32GB", 15.7, 0, 0, 125},
    {"NVIDIA A10", 31.2, 62.5, 125, 125},
    {"NVIDIA A30", 10.3, 82, 165, 165},
    {"NVIDIA A40", 37.4, 74.8, 149.7, 149.7},
    {"NVIDIA A100-PCIE-40GB", 19.5, 156, 312, 312},
    {"NVIDIA A100 80GB PCIe", 19.5, 156, 312, 312},
    {"NVIDIA A100-SXM4-40GB", 19.5, 156, 312, 312},
    {"NVIDIA A100-SXM4-80GB", 19.5, 156, 312, 312},
    {"NVIDIA L4", 30.3, 60, 121, 121},
    {"NVIDIA L40", 90.5, 90.5, 181, 181},
    {"NVIDIA L40S", 91.6, 183, 362, 362},
    {"NVIDIA H100 PCIe", 51, 378, 756, 756},
    {"NVIDIA H100 NVL", 60, 417.5, 835.5, 835.5},
    {"NVIDIA H100 80GB HBM3", 67, 494.5, 989.5, 989.5},
    {"NVIDIA GH200 480GB", 67, 494.5, 989.5, 989.5},
    {"NVIDIA H200", 67, 494.5, 989.5, 989.5},
    {"NVIDIA H200 NVL", 60, 417.5, 835.5, 835.5},
    {"NVIDIA B200", 75, 1125, 2250, 2250},
    {"NVIDIA GeForce RTX 3090", 35.6, 35.6, 71, 71},
    {"NVIDIA GeForce RTX 4090", 82.6, 82.6, 165.2, 165.2},
};

std::string fact(const Fingerprint& facts, const std::string& key) {
  const auto at = facts.find(key);
  return at == facts.end() ? "" : at->second;
}

constexpr std::string_view how_to_state = "state it in the policy: peak_tflop_per_s, by runner class and dtype";

/// Products of float32 run in TF32 where LibTorch may use it.
double rate_of(const PeakRow& row, std::string_view dtype, bool tf32_allowed) {
  if (dtype == "float32") return tf32_allowed && row.tf32 > 0 ? row.tf32 : row.float32;
  if (dtype == "bfloat16") return row.bfloat16;
  if (dtype == "float16") return row.float16;
  return 0;
}

/// Absent where no operator was counted.
std::optional<bool> has_convolutions(const CaseValues& values) {
  if (values.counts.operators.empty()) return std::nullopt;
  for (const auto& [boundary, calls] : values.counts.operators) {
    for (const auto& [name, count] : calls) {
      if (name.starts_with("aten::convolution") || name.starts_with("aten::cudnn_convolution")) return true;
    }
  }
  return false;
}

/// Processes that train together, each on a device of its own; the record of a single one does not state it.
double ranks_of(const Fingerprint& facts) {
  const std::string text = fact(facts, "ranks");
  double ranks = 1;
  std::from_chars(text.data(), text.data() + text.size(), ranks);
  return std::max(1.0, ranks);
}

}  // namespace

DevicePeak device_peak(const Fingerprint& facts, const StatedPeaks& stated, std::optional<bool> convolves) {
  const std::string dtype = fact(facts, "dtype");
  if (const auto at = stated.find(dtype); at != stated.end()) return {.tflop_per_s = at->second};
  const std::string gpu = fact(facts, "gpu");
  if (gpu.empty() || fact(facts, "device") == "cpu")
    return {.reason = fmt::format("the peak of a CPU is not known; {}", how_to_state)};
  const auto* row = std::find_if(std::begin(peak_table), std::end(peak_table),
                                 [&](const PeakRow& candidate) { return candidate.gpu == gpu; });
  if (row == std::end(peak_table)) return {.reason = fmt::format("the peak of {} is not known; {}", gpu, how_to_state)};
  const bool products = fact(facts, "tf32_matmul") == "on";
  const bool convolutions = !products && fact(facts, "tf32_cudnn") == "on" && dtype == "float32";
  if (convolutions && !convolves) {
    return {.reason =
                "convolutions may use TF32, and the exact half, which shows whether there are any, was not measured"};
  }
  const double rate = rate_of(*row, dtype, products || (convolutions && *convolves));
  if (rate > 0) return {.tflop_per_s = rate};
  return {.reason = fmt::format("the peak of {} for {} is not known; {}", gpu, dtype, how_to_state)};
}

void add_utilisation(const StatedPeaks& stated, CaseValues& values) {
  const auto rates = values.timed.find("tflop_per_s");
  if (rates == values.timed.end()) {
    const auto reason = values.absent.find("tflop_per_s");
    if (reason != values.absent.end()) values.absent.try_emplace("mfu_ratio", reason->second);
    return;
  }
  const DevicePeak peak = device_peak(values.timed_fingerprint, stated, has_convolutions(values));
  if (!peak.tflop_per_s) {
    values.absent["mfu_ratio"] = peak.reason;
    return;
  }
  const double total = *peak.tflop_per_s * ranks_of(values.timed_fingerprint);
  std::vector<double> shares;
  for (const double rate : rates->second) shares.push_back(rate / total);
  values.timed["mfu_ratio"] = std::move(shares);
}

void add_utilisation(const CaseValues& head, PairedValues& pairs) {
  const auto rates = head.timed.find("tflop_per_s");
  const auto shares = head.timed.find("mfu_ratio");
  const auto pairs_of_rate = pairs.timed.find("tflop_per_s");
  if (rates == head.timed.end() || shares == head.timed.end() || pairs_of_rate == pairs.timed.end()) return;
  if (rates->second.empty() || shares->second.empty()) return;
  const double per_rate = shares->second.front() / rates->second.front();
  std::vector<Pair> of_share = pairs_of_rate->second;
  for (Pair& pair : of_share) {
    pair.base *= per_rate;
    pair.head *= per_rate;
  }
  pairs.timed["mfu_ratio"] = std::move(of_share);
}

}  // namespace stepgate
