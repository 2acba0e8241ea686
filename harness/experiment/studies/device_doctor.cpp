#include "experiment/studies/device_doctor.h"

#include <fmt/format.h>
#include <stdlib.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <optional>
#include <system_error>
#include <utility>
#include <vector>

#include "core/error.h"
#include "core/interruption.h"
#include "environment/gpu/gpu_evidence.h"
#include "environment/gpu/pci_bus_id.h"
#include "environment/process/child_environment.h"
#include "json/studies/device_check_json.h"
#include "judge/device/device_lines.h"
#include "launch/process/child_process.h"
#include "launch/process/process_failure.h"
#include "system/files/file.h"
#include "system/output_tail.h"

namespace stepgate {
namespace {

namespace fs = std::filesystem;

/// A process to start: two of them run the same check.
struct PlannedRun {
  const char* name;
  const char* check;
};
constexpr PlannedRun first_run{"device", "device"};
constexpr std::array further_runs = {PlannedRun{"event_order", "event_order"},
                                     PlannedRun{"growth_race", "growth_race"},
                                     PlannedRun{"syncs_by_warning", "syncs_by_warning"},
                                     PlannedRun{"syncs_by_cupti", "syncs_by_cupti"},
                                     PlannedRun{"allocator_trace", "allocator_trace"},
                                     PlannedRun{"work_by_cupti", "work_by_cupti"},
                                     PlannedRun{"work_by_kineto", "work_by_kineto"},
                                     PlannedRun{"training", "training"},
                                     PlannedRun{"training_again", "training"},
                                     PlannedRun{"event_cost", "event_cost"},
                                     PlannedRun{"pinning", "pinning"},
                                     PlannedRun{"copy_rate", "copy_rate"},
                                     PlannedRun{"busy", "busy"}};

class ScratchFolder {
 public:
  ScratchFolder() {
    std::string pattern = (fs::temp_directory_path() / "stepgate-device-XXXXXX").string();
    if (::mkdtemp(pattern.data()) == nullptr) {
      throw Error(ErrorKind::measure, fmt::format("cannot make a folder in {}", fs::temp_directory_path().string()),
                  "make room there, or set TMPDIR");
    }
    path_ = pattern;
  }
  ScratchFolder(const ScratchFolder&) = delete;
  ScratchFolder& operator=(const ScratchFolder&) = delete;
  ~ScratchFolder() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
  }
  const fs::path& path() const { return path_; }

 private:
  fs::path path_;
};

/// What the program said, else how it ended and the end of its output.
std::string reason_of(const std::string& how_it_ended, const std::string& printed) {
  constexpr std::string_view speaker = "stepgate_device_check: ";
  const std::string tail = output_tail(printed, 4);
  if (const std::size_t at = tail.find(speaker); at != std::string::npos) {
    const std::size_t begin = at + speaker.size();
    return tail.substr(begin, tail.find('\n', begin) - begin);
  }
  return tail.empty() ? how_it_ended : fmt::format("{}: {}", how_it_ended, tail);
}

DeviceCheckRun run_of(const ProcessResult& result, const ProcessRequest& request, const fs::path& out) {
  if (const auto failure = process_failure(result, request)) {
    const CheckEnd end = failure->kind == FailureKind::unavailable      ? CheckEnd::missing
                         : failure->kind == FailureKind::exited_nonzero ? CheckEnd::failed
                                                                        : CheckEnd::crashed;
    return {end, reason_of(failure->message, result.printed), {}};
  }
  try {
    const auto text = read_text_file_if_present(out, ErrorKind::measure);
    if (!text) return {CheckEnd::crashed, reason_of("ended with status 0 and wrote no figures", result.printed), {}};
    return {CheckEnd::measured, "", device_figures_from_text(*text, out.filename().string())};
  } catch (const Error& error) {
    return {CheckEnd::crashed, error.what(), {}};
  }
}

class Examination {
 public:
  explicit Examination(const DeviceExamination& asked) : asked_(asked) {}

  DeviceCheckRun run(const PlannedRun& planned, const std::function<void(pid_t)>& on_watch = {}) {
    if (asked_.on_run) asked_.on_run(planned.name, done_++, static_cast<int>(further_runs.size()) + 1);
    const fs::path out = folder_.path() / fmt::format("{}.json", planned.name);
    ProcessRequest request{.command = {asked_.program.string(), "--check", planned.check, "--out", out.string()},
                           .environment = environment(),
                           .knobs = {},
                           .output = folder_.path() / fmt::format("{}.output.txt", planned.name),
                           .timeout_s = asked_.timeout_s,
                           .interrupted = asked_.interrupted,
                           .on_watch = on_watch,
                           .secrets = SecretMask(own_environment())};
    const ProcessResult result = run_process(request);
    if (result.end == ProcessEnd::interrupted) {
      const int number = asked_.interrupted->load();
      throw Interruption(number, fmt::format("stopped by signal {} while check {} ran", number, planned.name));
    }
    if (result.end == ProcessEnd::not_started) {
      throw Error(ErrorKind::measure, text_of(result.start_failure.value()),
                  "name the program with --device-check; it is built and bundled beside stepgate");
    }
    return run_of(result, request, out);
  }

  /// Later processes see this GPU or instance only; "" leaves the choice to CUDA.
  void pin_to(std::string visible) { visible_ = std::move(visible); }

 private:
  Variables environment() const {
    Variables variables = child_environment(own_environment(), pinned());
    return asked_.emulated ? with_emulated_gpu(std::move(variables), *asked_.emulated) : variables;
  }

  /// The variables are those of the exact half of a CUDA case, whose numbers the checks are about. Every CPU
  /// instruction is allowed: the checks compare nothing with other machines.
  Variables pinned() const {
    Plan plan;
    plan.device = Device::cuda;
    return pinned_variables(plan, Group::exact, visible_);
  }

  const DeviceExamination& asked_;
  ScratchFolder folder_;
  std::string visible_;
  int done_ = 0;
};

std::optional<Gpu> gpu_at(const std::string& bus_id, GpuDriver* driver) {
  if (driver == nullptr) return std::nullopt;
  const GpuAnswer<std::vector<Gpu>> gpus = driver->gpus();
  if (!gpus.value) return std::nullopt;
  for (const Gpu& gpu : *gpus.value) {
    if (kernel_pci_bus_id(gpu.pci_bus_id) == kernel_pci_bus_id(bus_id)) return gpu;
  }
  return std::nullopt;
}

/// The launcher's readings while the process "busy" computes.
class DriverReadings {
 public:
  DriverReadings(GpuDriver& driver, const Gpu& gpu) : driver_(driver), gpu_(gpu) {
    listed_before_ = driver.users(gpu.uuid);
    listed_during_ = listed_before_;
  }

  void take() {
    const auto start = std::chrono::steady_clock::now();
    samples_.push_back(sample_gpu(driver_, gpu_.uuid));
    const auto took = std::chrono::steady_clock::now() - start;
    sample_ns_.push_back(static_cast<double>(std::chrono::duration_cast<std::chrono::nanoseconds>(took).count()));
    const GpuAnswer<GpuUsers>& listed = samples_.back().users;
    if (number(listed).value_or(0) >= number(listed_during_).value_or(0)) listed_during_ = listed;
  }

  DeviceCheckRun run(const DeviceCheckRun& busy) const {
    DeviceCheckRun run{CheckEnd::measured, "", {.check = "nvml"}};
    run.figures.texts["gpu_pci_bus_id"] = kernel_pci_bus_id(gpu_.pci_bus_id);
    if (const auto version = driver_.version(); version.value) run.figures.texts["gpu_driver"] = *version.value;
    add("sample_ns", median_of(sample_ns_), "no sample was taken", run.figures);
    add("clock_mhz", median_of(clocks_within(busy)), no_clock(), run.figures);
    add("listed_before_count", number(listed_before_), listed_before_.reason, run.figures);
    add("listed_during_count", number(listed_during_), listed_during_.reason, run.figures);
    return run;
  }

 private:
  static std::optional<double> number(const GpuAnswer<GpuUsers>& answer) {
    return answer.value ? std::optional(static_cast<double>(answer.value->processes)) : std::nullopt;
  }

  static std::optional<double> median_of(std::vector<double> values) {
    if (values.empty()) return std::nullopt;
    const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
    std::nth_element(values.begin(), middle, values.end());
    return *middle;
  }

  static void add(const std::string& name, std::optional<double> value, const std::string& reason,
                  DeviceFigures& figures) {
    if (value) {
      figures.values[name] = *value;
    } else {
      figures.absent[name] = reason;
    }
  }

  /// The process says when it computed, by the same clock.
  std::vector<double> clocks_within(const DeviceCheckRun& busy) const {
    std::vector<double> clocks;
    const auto& values = busy.figures.values;
    if (!values.contains("begin_ns") || !values.contains("end_ns")) return clocks;
    for (const GpuSample& sample : samples_) {
      const auto time_ns = static_cast<double>(sample.time_ns);
      const bool computes = time_ns >= values.at("begin_ns") && time_ns <= values.at("end_ns");
      if (computes && sample.clock_mhz.value) clocks.push_back(static_cast<double>(*sample.clock_mhz.value));
    }
    return clocks;
  }

  std::string no_clock() const {
    for (const GpuSample& sample : samples_) {
      if (!sample.clock_mhz.value) return sample.clock_mhz.reason;
    }
    return "no sample fell into the time of the work";
  }

  GpuDriver& driver_;
  Gpu gpu_;
  GpuAnswer<GpuUsers> listed_before_;
  GpuAnswer<GpuUsers> listed_during_;
  std::vector<GpuSample> samples_;
  std::vector<double> sample_ns_;
};

/// The readings of the launcher, each with the reason why it is missing.
DeviceCheckRun no_readings(const std::string& reason) {
  DeviceCheckRun run{CheckEnd::measured, "", {.check = "nvml"}};
  for (const char* name : {"sample_ns", "clock_mhz", "listed_before_count", "listed_during_count"}) {
    run.figures.absent[name] = reason;
  }
  return run;
}

std::string why_no_gpu_of_driver(const DeviceExamination& asked, const DeviceCheckRuns& runs) {
  if (runs.at(first_run.name).end != CheckEnd::measured) return "check device did not say which GPU it is";
  return asked.driver == nullptr ? asked.no_driver : "the driver's library does not list the GPU that CUDA opened";
}

void run_busy(Examination& examination, const DeviceExamination& asked, const std::optional<Gpu>& gpu,
              DeviceCheckRuns& runs) {
  const PlannedRun& planned = further_runs.back();
  if (!gpu) {
    runs[planned.name] = examination.run(planned);
    runs["nvml"] = no_readings(why_no_gpu_of_driver(asked, runs));
    return;
  }
  DriverReadings readings(*asked.driver, *gpu);
  runs[planned.name] = examination.run(planned, [&](pid_t) { readings.take(); });
  runs["nvml"] = readings.run(runs[planned.name]);
  auto& texts = runs[planned.name].figures.texts;
  if (const auto opened = texts.find("gpu_pci_bus_id"); opened != texts.end()) {
    opened->second = kernel_pci_bus_id(opened->second);
  }
}

/// CUDA offers nothing, but the driver lists the GPU that the process was given: no GPU is missing, something is
/// broken.
DeviceCheckRun lost(const DeviceCheckRun& first, const std::string& visible) {
  return {
      CheckEnd::failed,
      fmt::format("{}; the driver lists {}, which the process was given in CUDA_VISIBLE_DEVICES: the GPU, the driver "
                  "or the CUDA libraries are broken",
                  first.reason, visible),
      {}};
}

/// The GPU that CUDA chose, by the address that the first process reports.
std::optional<Gpu> gpu_found(const DeviceCheckRun& first, GpuDriver* driver) {
  const auto bus_id = first.figures.texts.find("gpu_pci_bus_id");
  return bus_id == first.figures.texts.end() ? std::nullopt : gpu_at(bus_id->second, driver);
}

/// The process names the library that it found; what this program asked for is no evidence.
void require_asked_gpu(const DeviceExamination& asked, const DeviceCheckRun& first) {
  const auto gpu = first.figures.texts.find("gpu");
  if (gpu == first.figures.texts.end()) return;
  const bool is_emulated = gpu->second.starts_with("emulated ");
  if (is_emulated == asked.emulated.has_value()) return;
  throw Error(ErrorKind::measure,
              fmt::format("{} was asked for, and the check ran on {}",
                          asked.emulated ? text_of(asked.emulated->device) : "the GPU of this machine", gpu->second),
              is_emulated ? "take the emulated GPU out of LD_AUDIT and LD_PRELOAD"
                          : "build the target emulated_gpu again; the program must link the shared CUDA runtime");
}

void add_facts(DeviceReport& report) {
  report.gpu = report.runs[first_run.name].figures.texts;
  const auto& driver = report.runs["nvml"].figures.texts;
  if (const auto version = driver.find("gpu_driver"); version != driver.end()) report.gpu.insert(*version);
}

}  // namespace

DeviceReport examine_device(const DeviceExamination& asked) {
  if (asked.offer.kind == GpuOfferKind::wrong) {
    throw Error(ErrorKind::usage, asked.offer.reason, asked.offer.remedy);
  }
  Examination examination(asked);
  const bool given = asked.offer.kind == GpuOfferKind::known && !asked.offer.gpus.empty();
  if (given) examination.pin_to(asked.offer.gpus.front().visible);
  DeviceReport report;
  DeviceCheckRun& first = report.runs[first_run.name] = examination.run(first_run);
  if (first.end == CheckEnd::missing && given) first = lost(first, asked.offer.gpus.front().visible);
  if (first.end == CheckEnd::missing) {
    report.missing = first.reason;
    return report;
  }
  require_asked_gpu(asked, first);
  const auto gpu = given ? std::optional(asked.offer.gpus.front().gpu) : gpu_found(first, asked.driver);
  const auto bus_id = first.figures.texts.find("gpu_pci_bus_id");
  if (bus_id != first.figures.texts.end()) bus_id->second = kernel_pci_bus_id(bus_id->second);
  if (!given && gpu && gpu->mig == Mig::off) examination.pin_to(gpu->uuid);
  for (const PlannedRun& planned : further_runs) {
    if (planned.name != std::string_view("busy")) report.runs[planned.name] = examination.run(planned);
  }
  run_busy(examination, asked, gpu, report.runs);
  add_facts(report);
  report.lines = judge_device(report.runs);
  return report;
}

}  // namespace stepgate
