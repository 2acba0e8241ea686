#include "diagnose/profile/implausible_gains.h"

#include <fmt/format.h>

#include <string>

#include "core/boundary.h"
#include "core/text/number_format.h"

namespace stepgate {
namespace {

constexpr double room_for_caches = 1.5;

struct RemovedBoundary {
  Experiment experiment;
  Boundary boundary;
};
constexpr RemovedBoundary removed_boundaries[] = {{Experiment::optimizer_skipped, Boundary::optimizer},
                                                  {Experiment::optimizer_fused, Boundary::optimizer},
                                                  {Experiment::logging_off, Boundary::logging},
                                                  {Experiment::resident_batch, Boundary::h2d}};

void doubt(const RemovedBoundary& removed, double share, double margin, ExperimentResult& result) {
  if (!result.interval || result.proof != Proof::proven) return;
  if (result.interval->lower <= room_for_caches * share + margin) return;
  result.proof = Proof::undecided;
  result.more_processes.reset();
  result.remark = fmt::format(
      "contradicts the phase pass: it wins at least {}, but {} takes {} of the step; the blocks were disturbed",
      share_text(result.interval->lower), name_of(removed.boundary), share_text(share));
}

}  // namespace

void doubt_implausible_gains(Profile& profile, double ignore_margin) {
  if (!(profile.step.mean_ns > 0)) return;
  for (const RemovedBoundary& removed : removed_boundaries) {
    const auto component = profile.components.find(std::string(name_of(removed.boundary)));
    if (component == profile.components.end()) continue;
    for (ExperimentResult& result : profile.experiments) {
      if (result.experiment != removed.experiment) continue;
      doubt(removed, component->second / profile.step.mean_ns, ignore_margin, result);
    }
  }
}

}  // namespace stepgate
