#include "measure/profile/kineto_trace.h"

#include <ATen/record_function.h>
#include <fmt/format.h>
#include <torch/csrc/autograd/profiler_kineto.h>
#include <zlib.h>

#include <cerrno>
#include <cstring>
#include <fstream>
#include <memory>
#include <optional>
#include <set>
#include <sstream>

#include "measure/passes/step_window.h"
#include "measure/profile/device_times.h"
#include "measure/step/boundary_action.h"
#include "system/files/trace_cycles.h"

namespace stepgate {
namespace {

namespace fs = std::filesystem;
namespace profiler = torch::autograd::profiler;
using torch::profiler::impl::ActivityType;
using torch::profiler::impl::ProfilerConfig;
using torch::profiler::impl::ProfilerState;

/// A range in the trace (category user_annotation), until it is destroyed.
class Range {
 public:
  explicit Range(std::string name) : range_(at::RecordScope::USER_SCOPE) { range_.before(std::move(name)); }

 private:
  at::RecordFunction range_;
};

/// HTA and TensorBoard's plugin look for steps of this name.
void run_step(TimedRun& run, std::int64_t number) {
  const Range step(fmt::format("ProfilerStep#{}", number));
  std::optional<Range> boundary;
  run_boundaries(
      run.actions, run.next_step++,
      [&](Boundary next) { boundary.emplace(std::string(run.actions.boundaries().name(next))); },
      [&](Boundary) { boundary.reset(); });
  run.actions.release();
}

void run_unseen(TimedRun& run, std::int64_t steps) {
  if (steps == 0) return;
  StepWindow window(run, steps);
  window.run(steps, false);
}

/// errno must be that of the call that failed, or 0.
std::string why(const char* what, const fs::path& file) {
  const std::string reason = errno == 0 ? "" : fmt::format(": {}", std::strerror(errno));
  return fmt::format("the trace {} could not be {}{}", file.string(), what, reason);
}

std::string write_zipped(const fs::path& file, const std::string& text) {
  errno = 0;
  const std::unique_ptr<gzFile_s, int (*)(gzFile)> zipped(gzopen(file.c_str(), "wb"), [](gzFile) { return 0; });
  if (!zipped) return why("opened", file);
  const bool written = text.empty() || gzwrite(zipped.get(), text.data(), static_cast<unsigned>(text.size())) > 0;
  return gzclose(zipped.get()) == Z_OK && written ? "" : why("written", file);
}

std::string write_plain(const fs::path& file, const std::string& text) {
  errno = 0;
  std::ofstream out(file, std::ios::binary);
  out << text;
  out.close();
  return out ? "" : why("written", file);
}

/// Adds what HTA asks for: which rank this is.
std::string with_rank(std::string text) {
  const std::size_t brace = text.find('{');
  if (brace != std::string::npos && text.find("\"distributedInfo\"") == std::string::npos) {
    text.insert(brace + 1, "\n  \"distributedInfo\": {\"rank\": 0},");
  }
  return text;
}

TracedEvent event_of(const profiler::KinetoEvent& event) {
  TracedEvent traced{.name = event.name(),
                     .on_device = event.deviceType() != c10::DeviceType::CPU,
                     .thread = event.startThreadId(),
                     .start_ns = static_cast<std::int64_t>(event.startNs()),
                     .end_ns = static_cast<std::int64_t>(event.endNs())};
  traced.is_range = !traced.on_device && event.scope() == static_cast<std::uint8_t>(at::RecordScope::USER_SCOPE);
  traced.id = traced.on_device ? event.linkedCorrelationId() : event.correlationId();
  if (!event.hasShapes()) return traced;
  for (const std::vector<std::int64_t>& sizes : event.shapes()) {
    if (!sizes.empty()) traced.sizes.push_back(sizes);  // what is no tensor has none either
  }
  return traced;
}

std::vector<DeviceTime> times_of(const profiler::ProfilerResult& result, const StepBoundaries& boundaries) {
  std::vector<TracedEvent> events;
  events.reserve(result.events().size());
  for (const profiler::KinetoEvent& event : result.events()) events.push_back(event_of(event));
  return device_times(events, boundaries.names());
}

std::string store(profiler::ProfilerResult& result, const fs::path& file) {
  const fs::path raw = file.string() + ".raw";
  result.save(raw.string());  // works once
  errno = 0;
  std::ifstream in(raw, std::ios::binary);
  if (!in) return why("written", file);
  std::ostringstream text;
  text << in.rdbuf();
  in.close();
  std::error_code ignored;
  fs::remove(raw, ignored);
  // LibTorch's profiler does not report that it could not write.
  if (!is_whole_trace(text.str())) return fmt::format("the trace {} is cut off: is the disk full?", file.string());
  const std::string whole = with_rank(text.str());
  std::string problem = file.extension() == ".gz" ? write_zipped(file, whole) : write_plain(file, whole);
  if (!problem.empty()) fs::remove(file, ignored);
  return problem;
}

}  // namespace

bool is_whole_trace(std::string_view text) {
  const std::size_t last = text.find_last_not_of(" \t\r\n");
  return last != std::string_view::npos && text[last] == '}';
}

TracedSteps trace_steps(TimedRun& run, const TraceRequest& request) {
  const TraceSchedule& schedule = request.schedule;
  if (!request.writes) {
    run_unseen(run, schedule.skip + schedule.repeat * (schedule.wait + schedule.warmup + schedule.active));
    return {};
  }
  std::set<ActivityType> activities = {ActivityType::CPU};
  if (request.on_cuda) activities.insert(ActivityType::CUDA);
  const ProfilerConfig config(ProfilerState::KINETO, /*report_input_shapes=*/true);
  run_unseen(run, schedule.skip);
  const std::int64_t traced = steps_that_fit(schedule, request.calls_per_step);
  std::int64_t number = schedule.skip;
  TracedSteps found;  // with the first problem: the other ranks run all cycles, so this one does too
  for (std::int64_t cycle = 0; cycle < schedule.repeat; ++cycle) {
    run_unseen(run, schedule.wait);
    profiler::prepareProfiler(config, activities);
    run_unseen(run, schedule.warmup);
    number += schedule.wait + schedule.warmup;
    profiler::enableProfiler(config, activities);
    for (std::int64_t i = 0; i < traced; ++i) run_step(run, number++);
    run.backend.synchronize();
    const auto result = profiler::disableProfiler();
    if (request.on_cuda && cycle == 0) found.device_times = times_of(*result, run.actions.boundaries());
    std::string problem = store(*result, trace_file_of_cycle(request.file, cycle));
    if (found.problem.empty()) found.problem = std::move(problem);
    run_unseen(run, schedule.active - traced);  // the other ranks run them
    number += schedule.active - traced;
  }
  return found;
}

}  // namespace stepgate
