#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <optional>
#include <string>

#include "core/text/number_format.h"
#include "diagnose/both_sides.h"
#include "diagnose/questions.h"

namespace stepgate {
namespace {

/// Events over the counted steps of the process that had the most of them.
struct CountedEvents {
  std::int64_t events = 0;
  std::size_t steps = 0;
};

CountedEvents most_events(const JudgedComparison& input, const std::string& metric) {
  CountedEvents most;
  const auto at = input.current.exact.find(metric);
  if (at == input.current.exact.end()) return most;
  for (const auto& sequence : at->second) {
    const std::int64_t events = std::accumulate(sequence.begin(), sequence.end(), std::int64_t{0});
    if (most.steps == 0 || events > most.events) most = {events, sequence.size()};
  }
  return most;
}

std::string per_step(const CountedEvents& counted) {
  const double mean = static_cast<double>(counted.events) / static_cast<double>(counted.steps);
  return fmt::format("{} times per step ({} in {} steps)", figure_text(mean), counted.events, counted.steps);
}

/// "; 7.50 GiB were reserved at the peak, 512 MiB of the device lay outside the allocator"
std::string memory_text(const JudgedComparison& input) {
  std::string text;
  const auto add = [&](const std::string& metric, const char* pattern) {
    const auto at = input.current.bytes.find(metric);
    if (at == input.current.bytes.end() || at->second.empty()) return;
    const std::int64_t most = *std::max_element(at->second.begin(), at->second.end());
    text += text.empty() ? "; " : ", ";
    text += fmt::format(fmt::runtime(pattern), bytes_text(static_cast<double>(most)));
  };
  add("peak_reserved_bytes", "{} were reserved at the peak");
  add("outside_allocator_bytes", "{} of the device are in use outside the allocator");
  return text;
}

struct Event {
  FindingCode code;
  const char* metric;
  const char* what;  ///< "{}": how often
  const char* advice;
};

constexpr Event retried{
    FindingCode::allocator_retried, "allocator_retries_per_step",
    "the allocator ran out of device memory {}: it waited for all streams, freed its cached blocks and asked the "
    "driver again",
    "each of them stops the device for milliseconds: reduce the batch or what stays alive, let other processes leave "
    "the device, or reduce fragmentation with PYTORCH_ALLOC_CONF=expandable_segments:True."};
constexpr Event failed{FindingCode::allocation_failed, "ooms_per_step",
                       "allocations failed for lack of device memory {}, and the program went on",
                       "something catches the error and retries with less: such steps do other work than declared."};
constexpr Event waited{
    FindingCode::allocator_waited, "allocator_stream_syncs_per_step",
    "the allocator waited for all streams {} without having run out",
    "look for emptyCache() in the step: it stops the device, and the next step allocates from the driver again."};
constexpr Event pinned{FindingCode::pinned_in_step, "pinned_allocations_per_step", "the driver pins new host memory {}",
                       "pinning takes as long as many copies: keep pinned buffers, or hold fewer batches at once."};

std::optional<Finding> finding_of(const JudgedComparison& input, const Event& event, Severity otherwise) {
  const CountedEvents counted = most_events(input, event.metric);
  if (counted.events <= 0) return std::nullopt;
  return Finding{.code = event.code,
                 .severity = is_red(input, event.metric) ? Severity::cause : otherwise,
                 .message = fmt::format(fmt::runtime(event.what), per_step(counted)),
                 .advice = event.advice,
                 .metric = event.metric};
}

}  // namespace

std::vector<Finding> explain_allocator_health(const JudgedComparison& input) {
  std::vector<Finding> findings;
  auto retry = finding_of(input, retried, Severity::warning);
  if (retry) {
    retry->message += memory_text(input);
    retry->also = {"allocator_stream_syncs_per_step"};
    findings.push_back(std::move(*retry));
  } else if (auto wait = finding_of(input, waited, Severity::warning)) {
    findings.push_back(std::move(*wait));
  }
  if (auto failure = finding_of(input, failed, Severity::warning)) findings.push_back(std::move(*failure));
  if (auto pin = finding_of(input, pinned, Severity::note)) findings.push_back(std::move(*pin));
  return findings;
}

}  // namespace stepgate
