#include "cli/commands/command_gate.h"

#include "cli/options/groups/judging.h"
#include "cli/publish_page.h"
#include "cli/show.h"
#include "cli/terminal.h"
#include "experiment/gate.h"

namespace stepgate {
namespace {

constexpr std::string_view gate_name = "gate";

GateOptions gate_options(const GateCommand& o) {
  return {.selection = {.names = o.arguments, .globs = o.run.filters},
          .measure = measure_options(o.run),
          .host = host_options(o.run.machine),
          .pairs = pair_options(o.run),
          .allow_loosening = o.allow_loosening};
}

}  // namespace

OptionRows rows_of(GateCommand& o) {
  OptionRows rows = joined({rows_of(o.run, gate_name), {allow_loosening_row(o.allow_loosening)}});
  add_need(rows, {"pairs", "interleave", "order-seed", "budget", "no-explain"},
           [&o] { need_second_build(o.run.places.base_build, gate_name); });
  return rows;
}

int command_gate(const GateCommand& o) {
  refuse_no_history(o.run.output);
  const Project project = read_project(project_options(o.run));
  const Caller caller = terminal_caller(o.run.quiet, repeated_options(o.run), project);
  return finish({o.run.output, o.run.judging, project, o.run.quiet}, run_gate(project, gate_options(o), caller));
}

}  // namespace stepgate
