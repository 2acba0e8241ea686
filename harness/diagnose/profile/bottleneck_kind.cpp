#include "diagnose/profile/bottleneck_kind.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/text/number_format.h"
#include "diagnose/profile/kind_answers.h"

namespace stepgate {
namespace {

using KindQuestion = KindAnswer (*)(const KindFacts&);

struct KindRow {
  Bottleneck kind;
  KindQuestion question;
  bool takes_away = false;  ///< its proof is a step without the resource, as a program without it would run
};

constexpr KindRow kind_table[] = {
    {Bottleneck::input, input_limits, true},
    {Bottleneck::launch, launch_limits},
    {Bottleneck::sync, sync_limits},
    {Bottleneck::copy, copy_limits, true},
    {Bottleneck::communication, exchange_limits, true},
    {Bottleneck::optimizer, optimizer_limits, true},
    {Bottleneck::logging, logging_limits, true},
    {Bottleneck::compute, compute_limits},
    {Bottleneck::bandwidth, bandwidth_limits},
    {Bottleneck::operators, operators_limit},
};

}  // namespace

KindAnswer by_screen(Bottleneck kind, double share, double screen, const std::string& says) {
  if (share > screen) return judged(kind, Proof::likely, share, says);
  return {.absent = fmt::format("{} of the step, below the {} from which it may matter; no experiment ran",
                                share_text(share), share_text(screen))};
}

KindVerdicts bottleneck_verdicts(const KindInput& input) {
  const KindFacts facts = kind_facts(input);
  KindVerdicts found;
  for (const KindRow& row : kind_table) {
    KindAnswer answer = row.question(facts);
    if (answer.verdict) {
      auto& interval = answer.verdict->interval;
      if (interval && row.takes_away) interval = gain_of_mend(*interval);
      found.verdicts.push_back(std::move(*answer.verdict));
    } else {
      found.absent[fmt::format("bottleneck {}", name_of(row.kind))] = answer.absent;
    }
  }
  std::stable_sort(found.verdicts.begin(), found.verdicts.end(),
                   [](const BottleneckVerdict& a, const BottleneckVerdict& b) {
                     const int rank_a = rank_of(a.proof);
                     const int rank_b = rank_of(b.proof);
                     return rank_a != rank_b ? rank_a < rank_b : a.worth > b.worth;
                   });
  return found;
}

}  // namespace stepgate
