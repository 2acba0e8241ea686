// Figures of the self-test of a GPU: of a good runner, with single figures to change.
#pragma once

#include <string>
#include <utility>

#include "core/study/device_report.h"

namespace stepgate {

inline DeviceCheckRun sample_check_run(std::string check, std::map<std::string, double> values,
                                       std::map<std::string, std::string> texts = {}) {
  return {CheckEnd::measured,
          "",
          {.check = std::move(check), .values = std::move(values), .texts = std::move(texts), .absent = {}}};
}

inline std::map<std::string, double> sample_sync_counts() {
  return {{"kernel_count", 0},      {"item_count", 1},       {"nonzero_count", 2},       {"pageable_copy_count", 1},
          {"device_sync_count", 1}, {"event_sync_count", 1}, {"device_malloc_count", 1}, {"device_free_count", 1}};
}

/// Every line is ok.
inline DeviceCheckRuns sample_device_runs() {
  const std::map<std::string, std::string> training = {{"digest", "9f3c51d02ab84e77"}, {"last_loss", "2.1875"}};
  std::map<std::string, double> by_warning = sample_sync_counts();
  for (const char* unseen : {"device_sync_count", "event_sync_count", "device_malloc_count", "device_free_count"}) {
    by_warning[unseen] = 0;
  }
  return {
      {"device",
       sample_check_run(
           "device", {{"memory_bytes", 150.0 * (1ULL << 30U)}},
           {{"gpu", "NVIDIA H200"}, {"gpu_pci_bus_id", "0000:3b:00.0"}, {"cuda_runtime", "13.0"}, {"cudnn", "91300"}})},
      {"event_order", sample_check_run("event_order", {{"forward_ns", 10.1e6}, {"backward_ns", -10.1e6}})},
      {"growth_race",
       sample_check_run("growth_race",
                        {{"bytes", 131072}, {"ordered_wrong_bytes", 0}, {"unordered_wrong_bytes", 131072}})},
      {"syncs_by_warning", sample_check_run("syncs_by_warning", by_warning)},
      {"syncs_by_cupti", sample_check_run("syncs_by_cupti", sample_sync_counts())},
      {"allocator_trace",
       sample_check_run("allocator_trace", {{"trace_peak_bytes", 8397316}, {"statistics_peak_bytes", 8397316}})},
      {"work_by_cupti", sample_check_run("work_by_cupti", {{"kernels", 42}, {"memcpys", 2}, {"memsets", 1}})},
      {"work_by_kineto", sample_check_run("work_by_kineto", {{"kernels", 42}, {"memcpys", 2}, {"memsets", 1}})},
      {"training", sample_check_run("training", {}, training)},
      {"training_again", sample_check_run("training", {}, training)},
      {"event_cost", sample_check_run("event_cost", {{"record_ns", 1100}})},
      {"pinning",
       sample_check_run("pinning",
                        {{"bytes", 134217728}, {"idle_ns", 38e6}, {"behind_work_ns", 41e6}, {"work_ns", 210e6}})},
      {"copy_rate", sample_check_run("copy_rate", {{"pinned_bytes_per_s", 55.3e9},
                                                   {"pageable_bytes_per_s", 11.2e9},
                                                   {"link_bytes_per_s", 63.0e9}})},
      {"busy", sample_check_run("busy", {{"cycles_per_s", 1.972e9}}, {{"gpu_pci_bus_id", "0000:3b:00.0"}})},
      {"nvml",
       sample_check_run(
           "nvml", {{"sample_ns", 0.42e6}, {"clock_mhz", 1980}, {"listed_before_count", 0}, {"listed_during_count", 1}},
           {{"gpu_pci_bus_id", "0000:3b:00.0"}, {"gpu_driver", "580.65.06"}})},
  };
}

inline double& sample_value(DeviceCheckRuns& runs, const std::string& run, const std::string& name) {
  return runs.at(run).figures.values.at(name);
}

/// Several lines that a person must act on, one of each verdict.
inline DeviceCheckRuns sample_bad_device_runs() {
  DeviceCheckRuns runs = sample_device_runs();
  sample_value(runs, "growth_race", "ordered_wrong_bytes") = 4096;
  sample_value(runs, "syncs_by_warning", "nonzero_count") = 0;
  runs["syncs_by_cupti"].figures = {.check = "syncs_by_cupti",
                                    .absent = {{"kernel_count", "CUPTI refuses: insufficient privileges"},
                                               {"item_count", "CUPTI refuses: insufficient privileges"}}};
  runs["allocator_trace"] = {CheckEnd::crashed, "killed by signal 11 (SIGSEGV) after 3.2 s", {}};
  runs["training_again"].figures.texts = {{"digest", "9f3c51d02ab84e70"}, {"last_loss", "2.1876"}};
  sample_value(runs, "event_cost", "record_ns") = 3800;
  sample_value(runs, "copy_rate", "pinned_bytes_per_s") = 12.4e9;
  sample_value(runs, "nvml", "listed_during_count") = 0;
  runs["pinning"] = {CheckEnd::crashed, "still running after its limit of 60 s, stopped", {}};
  return runs;
}

/// A report of one bad line and of a process that crashed.
inline DeviceReport sample_device_report() {
  DeviceReport report;
  report.gpu = {{"gpu", "NVIDIA H200"}, {"gpu_pci_bus_id", "0000:3b:00.0"}};
  report.lines = {{.name = "growth_race",
                   .question = "does an event order a new buffer before its copy?",
                   .essential = true,
                   .verdict = DeviceVerdict::bad,
                   .figure = "of 128 KiB wrong: 4.00 KiB with an event, 128 KiB without",
                   .meaning = "batches can be corrupt",
                   .remedy = "report this"}};
  report.runs = sample_bad_device_runs();
  return report;
}

}  // namespace stepgate
