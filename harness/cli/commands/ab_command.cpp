#include "cli/commands/ab_command.h"

namespace stepgate {

AbOptions ab_options(const AbCommand& o) {
  AbOptions ab{.selection = {.names = o.arguments, .globs = o.run.filters},
               .measure = measure_options(o.run),
               .host = host_options(o.run.machine),
               .pairs = pair_options(o.run)};
  ab.pairs.seeds = o.seeds;
  ab.pairs.seed_steps = o.seed_steps;
  return ab;
}

}  // namespace stepgate
