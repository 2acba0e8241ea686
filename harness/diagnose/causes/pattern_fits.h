// Does a change of counts fit a pattern? One function per kind of evidence; each returns the matches that are new.
#pragma once

#include <vector>

#include "core/verdict/judged_comparison.h"
#include "diagnose/patterns/pattern.h"

namespace stepgate {

struct PatternChange {
  const JudgedComparison& input;
  const ObservedWork& work;
  std::vector<PatternMatch> matches;
};

/// The operator of the site is called more often, by the calls of the site.
std::vector<PatternMatch> with_new_calls(const PatternChange& change);

/// The same, or as many calls as before that touch more bytes: state or a target in float64 adds no operator.
std::vector<PatternMatch> with_new_calls_or_wider(const PatternChange& change);

/// The operator of the site is called more often, and no loop over samples or tokens of the same boundary explains it.
std::vector<PatternMatch> outside_item_loops(const PatternChange& change);

/// As many parameter tensors were added as the sites have biases.
std::vector<PatternMatch> with_new_parameters(const PatternChange& change);

/// The optimizer did not make state before, and losses are not those of an optimizer that kept it.
std::vector<PatternMatch> with_new_state(const PatternChange& change);

/// The optimizer called at most three operators for each parameter tensor before, and one of them less often now.
std::vector<PatternMatch> with_split_updates(const PatternChange& change);

/// Training mode's own operators are gone: random numbers of dropout, the batch counter of batch normalisation.
std::vector<PatternMatch> with_lost_training(const PatternChange& change);

}  // namespace stepgate
