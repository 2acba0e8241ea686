#include <fmt/format.h>

#include <algorithm>
#include <string>

#include "diagnose/questions.h"

namespace stepgate {
namespace {

constexpr const char* hazards_metric = "stream_hazards";

/// More of them have one cause, and nobody reads them.
constexpr std::size_t most_shown_hazards = 20;

/// "aten::sum (stream 8)", "copy host_to_device of aten::copy_ (stream 8, in a graph)"
std::string access_text(const HazardAccess& access) {
  const bool is_plain = access.work == "kernels" || access.work == "host";
  const std::string op = access.op.empty() ? std::string("code outside of operators") : access.op;
  const std::string what = is_plain ? op : fmt::format("{} of {}", access.work, op);
  if (access.stream == 0) return what + " (host)";
  return fmt::format("{} (stream {}{})", what, access.stream, access.in_graph ? ", in a graph" : "");
}

void add_source(const HazardAccess& access, std::vector<SourceFrame>& sources) {
  if (!access.place.frames.empty()) sources.push_back(access.place.frames.front());
}

Finding finding_of(const StreamHazard& hazard) {
  Finding finding{.code = FindingCode::stream_hazard,
                  .severity = Severity::cause,
                  .message = fmt::format("{}: {} {} memory that {} {}, and nothing orders the two{}", hazard.kind,
                                         access_text(hazard.later), hazard.later.writes ? "writes" : "reads",
                                         access_text(hazard.earlier), hazard.earlier.writes ? "writes" : "reads",
                                         hazard.reused ? "; the allocator gave it to another tensor meanwhile" : ""),
                  .advice = hazard.remedy + ".",
                  .metric = hazards_metric};
  add_source(hazard.earlier, finding.sources);
  add_source(hazard.later, finding.sources);
  return finding;
}

std::vector<Finding> unseen_work(const StreamHazards& hazards) {
  std::string what;
  if (hazards.unknown_kernels > 0) {
    what = fmt::format("{} of {} kernels ran outside of LibTorch's operators, so what they read and write is not known",
                       hazards.unknown_kernels, hazards.kernels);
  }
  if (hazards.forgotten > 0) {
    what += fmt::format("{}{} accesses were dropped for want of room", what.empty() ? "" : "; ", hazards.forgotten);
  }
  if (what.empty()) return {};
  return {{.code = FindingCode::hazards_unseen,
           .severity = Severity::warning,
           .message = what,
           .advice = "a race of that work is not found here.",
           .metric = hazards_metric}};
}

}  // namespace

std::vector<Finding> explain_stream_hazards(const JudgedComparison& input) {
  if (!input.current.hazards) return {};
  const StreamHazards& hazards = *input.current.hazards;
  std::vector<Finding> findings;
  const std::size_t shown = std::min(hazards.found.size(), most_shown_hazards);
  for (std::size_t at = 0; at < shown; ++at) findings.push_back(finding_of(hazards.found[at]));
  const std::vector<Finding> unseen = unseen_work(hazards);
  findings.insert(findings.end(), unseen.begin(), unseen.end());
  return findings;
}

}  // namespace stepgate
