// The two commands under every verdict that is not green: how to see it again, how to accept it.
#pragma once

#include "core/stored/baseline.h"
#include "core/verdict/run_report.h"
#include "experiment/context.h"

namespace stepgate {

struct BothBaselines {
  const Baseline* portable = nullptr;
  const Baseline* runner = nullptr;
};

/// Fills reproduce_command, accept_command and what is said about the baseline: path, summary, commit, age.
void add_advice(const Context& context, const ManifestCase& entry, const BothBaselines& baselines, Outcome& outcome);

/// The command that runs the same comparison with the same order of sides.
std::string ab_command(const Context& context, const ManifestCase& entry, std::uint64_t order_seed);

/// The command that compares the same two files.
std::string compare_command(const Context& context, const std::filesystem::path& base,
                            const std::filesystem::path& head);

/// Copies why replicates failed, with the end of what they printed.
void add_failures(const Measurement& measurement, Outcome& outcome);

}  // namespace stepgate
