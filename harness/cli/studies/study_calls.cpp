// The functions of the studies: one row for each row of command_table.cpp that has none.
#include <algorithm>
#include <iterator>

#include "cli/studies/command_ablate.h"
#include "cli/studies/command_doctor.h"
#include "cli/studies/command_history.h"
#include "cli/studies/command_init.h"
#include "cli/studies/command_merge.h"
#include "cli/studies/command_plan.h"
#include "cli/studies/command_profile.h"
#include "cli/studies/command_shard_run.h"
#include "cli/studies/command_sweep.h"
#include "cli/study_parts.h"

namespace stepgate {
namespace {

struct StudyRow {
  std::string_view command;
  StudyCall call;
};
constexpr StudyRow study_rows[] = {
    {"init", call_of<command_init>},
    {"history add", call_of<command_history_add>},
    {"history import", call_of<command_history_import>},
    {"history show", call_of<command_history_show>},
    {"history check", call_of<command_history_check>},
    {"history ack", call_of<command_history_ack>},
    {"history plot", call_of<command_history_plot>},
    {"history export", call_of<command_history_export>},
    {"doctor", call_of<command_doctor>},
    {"ablate", call_of<command_ablate>},
    {"plan ab", call_of<command_plan_ab>},
    {"plan sweep", call_of<command_plan_sweep>},
    {"shard run", call_of<command_shard_run>},
    {"merge", call_of<command_merge>},
    {"sweep", call_of<command_sweep>},
    {"profile", call_of<command_profile>},
};

}  // namespace

StudyCall study_call(std::string_view command) {
  const auto* row = std::find_if(std::begin(study_rows), std::end(study_rows),
                                 [&](const StudyRow& one) { return one.command == command; });
  return row == std::end(study_rows) ? nullptr : row->call;
}

void leave_mistake_to_studies() {}

}  // namespace stepgate
