// The questions that only a case that infers is asked (questions.h has the list of all).
#pragma once

#include <vector>

#include "core/verdict/judged_comparison.h"
#include "core/verdict/verdict.h"

namespace stepgate {

/// Do modules compute in train mode? Code train-mode-left-on, with the modules and the lines of those that were told to
/// train: a cause where training_modules is red, else a warning at any verdict.
/// Precondition: an inference case has modules in train mode that compute otherwise in eval mode; a cause where
/// training_modules is red.
std::vector<Finding> explain_training_mode(const JudgedComparison& input);

/// Does a request record a graph? Code grad-mode-left-on, with the line around which the guard is missing: a cause
/// where the nodes or the answers with a graph are red, else a warning at any verdict. Precondition: requests of an
/// inference case record nodes of autograd, or answers require grad; a cause where one of these counts is red.
std::vector<Finding> explain_recorded_graph(const JudgedComparison& input);

/// Do a few requests take far longer, while the others take as long as before? Code requests-stall: how many, how
/// regularly, by how much, and in which boundary.
/// Precondition: mean or P99 of a closed loop is red, and the median rose by less than half as much; of the mean,
/// requests far above the median add at least half of what it is longer beyond what they added before.
std::vector<Finding> explain_stalls(const JudgedComparison& input);

/// Does the queue of an open loop grow? Code queue-unstable: the load, and what waited at the end.
/// Precondition: a latency at the given rate has the reason queue-unstable.
std::vector<Finding> explain_unstable_queue(const JudgedComparison& input);

/// Was the generator of an open loop late, so that its latencies hold waits that are no server's? Code late-generator,
/// a warning: how many pairs or processes were discarded for it, and the lateness of the last of them.
/// Precondition: a process was discarded because the generator of requests was late.
std::vector<Finding> explain_late_generator(const JudgedComparison& input);

}  // namespace stepgate
