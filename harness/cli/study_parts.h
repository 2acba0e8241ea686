// What the commands of the gate leave to the studies. In stepgate-studies these functions are those of cli/studies. In
// the gate's program all of them go on as stepgate-studies (study_parts_absent.cpp).
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "cli/command_call.h"
#include "cli/commands/ab_command.h"
#include "cli/options/groups/documents.h"
#include "cli/options/groups/profile_table.h"
#include "core/verdict/metric_history.h"
#include "core/verdict/run_report.h"
#include "experiment/plan/caller.h"
#include "experiment/plan/project.h"
#include "experiment/plan/selection.h"
#include "report/text/console_style.h"

namespace stepgate {

/// call_of() of the study that has this name; nullptr for another command, and in the gate's program.
using StudyCall = CommandCall (*)();
StudyCall study_call(std::string_view command);

/// After a mistake in the options of a command: stepgate-studies knows the options of all commands, so it says what is
/// meant. Does nothing where that program is not there, or is this one.
void leave_mistake_to_studies();

/// `ab --nodes`: plans, submits, waits and merges.
JudgedRun ab_on_nodes(const AbCommand& command, const Project& project, const Caller& caller);

/// `report --profile`: prints the stored profiles of the selected cases again. Throws Error(usage) where there is none.
int show_stored_profiles(const Project& project, const Selection& selection, const ProfileTable& table,
                         const StudyOutput& output);

/// `report CASE --twin EAGER`: after how many steps a compiled step or a CUDA graph has caught up. Throws Error(usage)
/// unless one case is named, and as stored_break_even().
void show_break_even(const Project& project, const std::vector<std::string>& cases, const std::string& twin,
                     const ConsoleStyle& style);

/// `--html --history`: throws Error(usage) where the folder holds no history.
void need_page_history(const std::filesystem::path& history);

/// What a history holds about the metrics of a report. Tells where it has no session of the report's runner class.
CaseHistories page_histories(const std::filesystem::path& history, const RunReport& report);

}  // namespace stepgate
