#include "experiment/results/stored_evidence.h"

#include <algorithm>
#include <charconv>
#include <map>

#include "baseline/baseline_path.h"
#include "baseline/find_baseline.h"
#include "core/error.h"
#include "core/stored/metric_margins.h"
#include "experiment/plan/measurement_files.h"
#include "experiment/results/pair_places.h"
#include "experiment/results/result_folders.h"
#include "json/records/measurement_json.h"
#include "judge/reduce/pairs/reduce_pairs.h"
#include "system/files/file.h"

namespace stepgate {
namespace {

namespace fs = std::filesystem;

/// Absent where there is no such file, or where it is damaged.
std::optional<Measurement> measurement_at(const fs::path& file) {
  try {
    const auto text = read_text_file_if_present(file);
    if (!text) return std::nullopt;
    return measurement_from_text(*text, file.string());
  } catch (const Error&) {
    return std::nullopt;
  }
}

std::optional<MemoryLedger> ledger_at(const fs::path& file) {
  const auto measurement = measurement_at(file);
  if (!measurement) return std::nullopt;
  for (const Replicate& replicate : measurement->replicates) {
    if (replicate.record && replicate.record->memory && replicate.record->memory->ledger) {
      return replicate.record->memory->ledger;
    }
  }
  return std::nullopt;
}

/// Folders of pairs in the order measured: their names are numbers with leading zeros.
std::vector<fs::path> pair_folders(const fs::path& folder) {
  std::vector<fs::path> found;
  std::error_code missing;
  for (const auto& entry : fs::directory_iterator(folder, missing)) found.push_back(entry.path());
  std::sort(found.begin(), found.end());
  return found;
}

/// The index of a folder such as "007".
std::optional<std::int64_t> pair_index(const fs::path& folder) {
  const std::string name = folder.filename().string();
  std::int64_t index = 0;
  const auto [end, error] = std::from_chars(name.data(), name.data() + name.size(), index);
  return error == std::errc() && end == name.data() + name.size() ? std::optional(index) : std::nullopt;
}

std::vector<MeasuredPair> pairs_in(const fs::path& folder) {
  std::vector<MeasuredPair> pairs;
  for (const fs::path& place : pair_folders(folder)) {
    const auto index = pair_index(place);
    auto base = measurement_at(place / "base" / "measurement.json");
    auto head = measurement_at(place / "head" / "measurement.json");
    if (index && base && head) pairs.push_back({.index = *index, .base = std::move(*base), .head = std::move(*head)});
  }
  return pairs;
}

/// Nodes in the order of their first pair; none where the place of any pair is unknown.
std::vector<NodePairs> pairs_by_node(const Project& project, const fs::path& plan, const std::string& case_name,
                                     const std::vector<MeasuredPair>& pairs) {
  std::vector<std::string> places;
  std::map<std::string, std::vector<MeasuredPair>> by_place;
  for (const MeasuredPair& pair : pairs) {
    const std::string place = place_of_pair(project, plan, case_name, pair);
    if (place.empty()) return {};
    if (!by_place.contains(place)) places.push_back(place);
    by_place[place].push_back(pair);
  }
  std::vector<NodePairs> nodes;
  for (const std::string& place : places) {
    PairedValues values = paired_values(by_place[place]);
    nodes.push_back({.place = place, .pairs = std::move(values.timed), .tainted_pairs = values.tainted_pairs});
  }
  return nodes;
}

void add_pairs(const Project& project, const fs::path& plan, CaseEvidence& evidence) {
  const auto pairs = pairs_in(folder_of(project, {evidence.case_name, result_of_pairs}) / "pairs");
  PairedValues values = paired_values(pairs);
  evidence.pairs = std::move(values.timed);
  evidence.tainted_pairs = values.tainted_pairs;
  evidence.nodes = pairs_by_node(project, plan, evidence.case_name, pairs);
}

void add_stored_memory(const Project& project, const ManifestCase& entry, CaseEvidence& evidence) {
  evidence.memory = ledger_at(project.out / entry.name / name_of(evidence.kind) / "measurement.json");
  if (!evidence.memory) return;
  const BaselineName name = entry.device == Device::cuda
                                ? BaselineName{Scope::device, project.runner_class, entry.name}
                                : BaselineName{Scope::portable, std::string(portable_class), entry.name};
  try {
    if (const auto baseline = find_baseline(project.baseline_root, name)) evidence.base_memory = baseline->ledger;
  } catch (const Error&) {
    // a damaged baseline has its own verdict; here its memory is absent
  }
}

void add_margins_of(const Policy& policy, const Outcome& outcome, CaseEvidence& evidence) {
  for (const MetricVerdict& verdict : outcome.verdict.metrics) {
    const Metric* metric = find_metric(verdict.metric);
    if (metric == nullptr || metric->tier != Tier::timed) continue;
    evidence.margins[verdict.metric] = margins_of(policy, verdict.metric);
  }
}

CaseEvidence evidence_for(const Project& project, const fs::path& plan, const ManifestCase& entry,
                          const Outcome& outcome) {
  CaseEvidence evidence{.case_name = entry.name, .kind = outcome.kind};
  try {
    add_margins_of(read_policy(project, entry.suite), outcome, evidence);
  } catch (const Error&) {
    // the margins are unknown, so none are drawn
  }
  if (outcome.kind.reference == ReferenceKind::measurement) return evidence;
  const fs::path folder = folder_of(project, {entry.name, result_of_pairs});
  if (outcome.pairs_decided) add_pairs(project, plan, evidence);
  if (outcome.kind == result_of_pairs) {
    evidence.base_memory = ledger_at(folder / "exact" / "base" / "measurement.json");
    evidence.memory = ledger_at(folder / "exact" / "head" / "measurement.json");
  } else {
    add_stored_memory(project, entry, evidence);
  }
  return evidence;
}

}  // namespace

std::vector<CaseEvidence> stored_evidence(const Project& project, const RunReport& report, const fs::path& plan) {
  std::vector<CaseEvidence> all;
  for (const Outcome& outcome : report.outcomes) {
    const auto& cases = project.manifest.cases;
    const auto entry = std::find_if(cases.begin(), cases.end(),
                                    [&](const ManifestCase& one) { return one.name == outcome.verdict.case_name; });
    if (entry != cases.end()) all.push_back(evidence_for(project, plan, *entry, outcome));
  }
  return all;
}

}  // namespace stepgate
