// The gate's program: everything that is a study goes on as the program that contains it.
#include <exception>

#include "cli/studies_program.h"
#include "cli/study_parts.h"

namespace stepgate {

StudyCall study_call(std::string_view) { return nullptr; }

void leave_mistake_to_studies() {
  try {
    continue_in_studies();
  } catch (const std::exception&) {
    return;  // the mistake is told here, with the options that this program knows
  }
}

JudgedRun ab_on_nodes(const AbCommand&, const Project&, const Caller&) { continue_in_studies(); }

int show_stored_profiles(const Project&, const Selection&, const ProfileTable&, const StudyOutput&) {
  continue_in_studies();
}

void show_break_even(const Project&, const std::vector<std::string>&, const std::string&, const ConsoleStyle&) {
  continue_in_studies();
}

void need_page_history(const std::filesystem::path&) { continue_in_studies(); }

CaseHistories page_histories(const std::filesystem::path&, const RunReport&) { continue_in_studies(); }

}  // namespace stepgate
