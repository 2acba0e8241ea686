#include "launch/replicate/asked_settings.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <string>
#include <string_view>

#include "core/host/process_knob.h"
#include "core/record/fact_kind.h"
#include "environment/process/child_environment.h"

namespace stepgate {
namespace {

using Asked = std::optional<std::string>;

struct AskedOf {
  const RunRecord& record;
  const ReplicateRequest& request;
  const std::vector<KnobReport>& knobs;
};

Asked threads(const AskedOf& of) { return std::to_string(threads_of(of.request.launch.plan, of.request.group)); }

/// Each perftest program sets it before its first work (measure/program/run_perftest.cpp).
Asked one_interop_thread(const AskedOf& /*of*/) { return "1"; }

Asked pinned(const AskedOf& of, const std::string& variable) {
  const Variables variables = pinned_variables(of.request.launch.plan, of.request.group, "");
  const auto at = variables.find(variable);
  return at == variables.end() ? std::nullopt : Asked(at->second);
}

/// The record says this if the CPU has less than the pin asks for. The machine is the reason.
constexpr std::string_view below_pin = "below AVX2";

bool cpu_has_pinned_isa(const AskedOf& of) { return fact_value(of.record.fingerprint, "onednn_isa") != below_pin; }

Asked instruction_set(const AskedOf& of) {
  Asked pin = cpu_has_pinned_isa(of) ? pinned(of, "ATEN_CPU_CAPABILITY") : std::nullopt;
  if (pin) std::transform(pin->begin(), pin->end(), pin->begin(), [](unsigned char c) { return std::toupper(c); });
  return pin;
}

Asked onednn_instruction_set(const AskedOf& of) {
  return cpu_has_pinned_isa(of) ? pinned(of, "ONEDNN_MAX_CPU_ISA") : std::nullopt;
}

Asked cublas_workspace(const AskedOf& of) { return pinned(of, "CUBLAS_WORKSPACE_CONFIG"); }

/// What the kernel has read back. Without it the process never had what was asked for.
Asked achieved(const AskedOf& of, ProcessKnob knob) {
  for (const KnobReport& report : of.knobs) {
    const bool holds = report.state == KnobState::achieved || report.state == KnobState::already;
    if (report.name == name_of(knob) && holds) return report.wanted;
  }
  return std::nullopt;
}

Asked affinity(const AskedOf& of) { return achieved(of, ProcessKnob::affinity); }
Asked priority(const AskedOf& of) { return achieved(of, ProcessKnob::priority); }

struct AskedRow {
  std::string_view fact;
  Asked (*asked)(const AskedOf&);
  std::string_view remedy;
};

constexpr std::string_view leave_variable = "leave its environment variable as the launcher set it";

constexpr AskedRow asked_rows[] = {
    {"threads", threads,
     "take at::set_num_threads out of the program; --threads N asks for more in the timed half, the exact half has 1"},
    {"interop_threads", one_interop_thread, "take at::set_num_interop_threads out of the program"},
    {"isa", instruction_set, leave_variable},
    {"onednn_isa", onednn_instruction_set, leave_variable},
    {"cublas_workspace", cublas_workspace, leave_variable},
    {"affinity", affinity,
     "leave the CPUs of the measured thread to the launcher; if another process moved it, stop that"},
    {"priority", priority, "leave the priority of the measured thread to the launcher"},
};

}  // namespace

std::optional<ReplicateFailure> changed_setting(const RunRecord& record, const ReplicateRequest& request,
                                                const std::vector<KnobReport>& knobs) {
  const AskedOf of{record, request, knobs};
  for (const AskedRow& row : asked_rows) {
    const std::string found = fact_value(record.fingerprint, row.fact);
    const Asked asked = row.asked(of);
    if (found.empty() || !asked || *asked == found) continue;
    return ReplicateFailure{FailureKind::changed_setting,
                            fmt::format("was asked for {} {} and ended with {}: the program changed it; {}", row.fact,
                                        *asked, found, row.remedy),
                            ""};
  }
  return std::nullopt;
}

}  // namespace stepgate
