#include "scripted_gpu_facts.h"

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "measure/program/case/cuda_settings.h"
#include "measure/program/case/workload_facts.h"

namespace stepgate {
namespace {

struct ScriptedGpu {
  std::string uuid;
  std::string bus_id;
};

std::optional<std::string> variable(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? std::nullopt : std::optional<std::string>(value);
}

/// "a,b" -> {"a", "b"}
std::vector<std::string> parts_of(const std::string& list) {
  std::vector<std::string> parts;
  for (std::size_t begin = 0; begin < list.size();) {
    const std::size_t end = std::min(list.find(',', begin), list.size());
    parts.push_back(list.substr(begin, end - begin));
    begin = end + 1;
  }
  return parts;
}

struct NamedValue {
  std::string name;
  std::string value;
};

/// "a=1,b=2"
std::vector<NamedValue> pairs_of(const std::string& list) {
  std::vector<NamedValue> pairs;
  for (const std::string& part : parts_of(list)) {
    const std::size_t sign = part.find('=');
    pairs.push_back({part.substr(0, sign), sign == std::string::npos ? "" : part.substr(sign + 1)});
  }
  return pairs;
}

std::vector<ScriptedGpu> gpus_of_machine() {
  const auto listed = variable("STEPGATE_TEST_GPUS");
  if (!listed) return {{"GPU-0", "00000000:01:00.0"}};
  std::vector<ScriptedGpu> gpus;
  for (const NamedValue& pair : pairs_of(*listed)) gpus.push_back({pair.name, pair.value});
  return gpus;
}

/// As the CUDA runtime reads one entry of CUDA_VISIBLE_DEVICES. nullptr where it names no GPU.
const ScriptedGpu* named(const std::vector<ScriptedGpu>& gpus, const std::string& entry) {
  std::size_t index = 0;
  const auto [end, problem] = std::from_chars(entry.data(), entry.data() + entry.size(), index);
  if (problem == std::errc() && end == entry.data() + entry.size()) return index < gpus.size() ? &gpus[index] : nullptr;
  const ScriptedGpu* found = nullptr;
  for (const ScriptedGpu& gpu : gpus) {
    if (entry.empty() || !gpu.uuid.starts_with(entry)) continue;
    if (found != nullptr) return nullptr;  // ambiguous
    found = &gpu;
  }
  return found;
}

ScriptedGpu first_visible() {
  const std::vector<ScriptedGpu> gpus = gpus_of_machine();
  const auto visible = variable("CUDA_VISIBLE_DEVICES");
  const std::vector<std::string> entries = visible ? parts_of(*visible) : std::vector<std::string>{"0"};
  const ScriptedGpu* gpu = entries.empty() ? nullptr : named(gpus, entries.front());
  if (gpu == nullptr) throw NoScriptedGpu("no GPU is visible: CUDA_VISIBLE_DEVICES is '" + visible.value_or("") + "'");
  return *gpu;
}

void replace_facts(Fingerprint& facts) {
  for (const NamedValue& fact : pairs_of(variable("STEPGATE_TEST_FACTS").value_or(""))) {
    if (fact.value.empty()) {
      facts.erase(fact.name);
    } else {
      facts[fact.name] = fact.value;
    }
  }
}

}  // namespace

Fingerprint scripted_gpu_facts(const PerftestArguments& arguments, const StepCounts& steps) {
  Fingerprint facts = fingerprint_of({.group = arguments.group,
                                      .steps = steps,
                                      .device = "cuda",
                                      .dtype = "float32",
                                      .seed = arguments.seed,
                                      .data_digest = "scripted",
                                      .params = arguments.params,
                                      .version = "1"});
  facts["gpu"] = "Scripted GPU";
  facts["gpu_pci_bus_id"] = first_visible().bus_id;
  facts["gpu_compute_capability"] = "9.0";
  facts["gpu_memory_bytes"] = "85899345920";
  facts["cuda_runtime"] = "13.0";
  facts["cudnn"] = "91300";
  facts["cublas"] = facts["cublaslt"] = "13.1.0";
  facts["tf32_matmul"] = switch_text(false);
  facts["tf32_cudnn"] = switch_text(true);
  facts["cudnn_benchmark"] = switch_text(false);
  facts["alloc_conf"] = alloc_conf_setting([](const std::string& name) { return variable(name.c_str()); });
  facts["torch"] = "2.11.0";
  facts["isa"] = "AVX2";
  facts["onednn_isa"] = arguments.group == Group::exact ? "AVX2" : "default";
  facts["malloc"] = "tuned";
  facts["threads"] = arguments.group == Group::exact ? "1" : std::to_string(arguments.threads);
  facts["interop_threads"] = "1";
  replace_facts(facts);
  return facts;
}

}  // namespace stepgate
