#include "cli/commands/memory_view.h"

#include <fmt/format.h>

#include <optional>
#include <vector>

#include "baseline/baseline_path.h"
#include "baseline/find_baseline.h"
#include "cli/output.h"
#include "core/error.h"
#include "json/records/measurement_json.h"
#include "json/records/memory_timeline_json.h"
#include "report/gate/memory_ledger_report.h"
#include "system/files/file.h"
#include "system/files/output_file.h"

namespace stepgate {
namespace {

struct CaseMemory {
  ManifestCase entry;
  MemoryProfile memory;
};

/// The memory profile of the first exact replicate that has one.
std::optional<MemoryProfile> memory_in(const std::filesystem::path& file) {
  const auto text = read_text_file_if_present(file);
  if (!text) return std::nullopt;
  for (const Replicate& replicate : measurement_from_text(*text, file.string()).replicates) {
    if (replicate.record && replicate.record->memory && replicate.record->memory->ledger) {
      return replicate.record->memory;
    }
  }
  return std::nullopt;
}

std::vector<CaseMemory> measured_memory(const Project& project, const Selection& selection) {
  std::vector<CaseMemory> found;
  for (const ManifestCase& entry : select_cases(project.manifest, selection)) {
    for (TierChoice half : {TierChoice::exact, TierChoice::all}) {
      auto memory = memory_in(project.out / entry.name / name_of(half) / "measurement.json");
      if (!memory) continue;
      found.push_back({entry, std::move(*memory)});
      break;
    }
  }
  if (!found.empty()) return found;
  throw Error(ErrorKind::usage, fmt::format("no measurement below {} holds a memory ledger", project.out.string()),
              "measure the exact half first: stepgate gate --tier exact");
}

std::string ledger_of(const Project& project, const MemoryView& view, const CaseMemory& measured) {
  const std::string& name = measured.entry.name;
  const BaselineName file = measured.entry.device == Device::cuda
                                ? BaselineName{Scope::device, view.runner_class, name}
                                : BaselineName{Scope::portable, std::string(portable_class), name};
  const auto baseline = find_baseline(project.baseline_root, file);
  const MemoryLedger* before = baseline && baseline->ledger ? &*baseline->ledger : nullptr;
  return render_ledger({measured.entry.name, *measured.memory.ledger, before}, view.style);
}

void write_timeline(const std::filesystem::path& file, const std::vector<CaseMemory>& measured) {
  if (measured.size() > 1) {
    throw Error(
        ErrorKind::usage, fmt::format("--timeline: {} cases have a timeline", measured.size()),
        fmt::format("name one of them: stepgate report --timeline {} {}", file.string(), measured.front().entry.name));
  }
  const std::string text = trace_viewer_text(measured.front().entry.name, measured.front().memory);
  if (file == "-") {
    print_json(text);
    return;
  }
  write_output_file(file, text);
  print_message(stderr, fmt::format("wrote {}; open it in https://ui.perfetto.dev or chrome://tracing", file.string()),
                "");
}

}  // namespace

int show_memory(const Project& project, const MemoryView& view) {
  const std::vector<CaseMemory> measured = measured_memory(project, view.selection);
  if (view.ledger) {
    std::string separator;
    for (const CaseMemory& one : measured) {
      print_page(stdout, separator + ledger_of(project, view, one), view.style);
      separator = "\n";
    }
  }
  if (!view.timeline.empty()) write_timeline(view.timeline, measured);
  return 0;
}

}  // namespace stepgate
