// `stepgate report`: what an output folder holds.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "cli/options/groups/documents.h"
#include "cli/options/groups/judging.h"
#include "cli/options/groups/places.h"
#include "cli/options/groups/profile_table.h"
#include "cli/options/option_row.h"

namespace stepgate {

struct ReportCommand {
  std::vector<std::string> arguments;
  StoredPlaces places;
  std::filesystem::path base_build;  ///< its limits are compared; "": none
  std::string allow_loosening;       ///< "": nobody
  std::vector<std::string> filters;
  bool profile = false;  ///< stored profiles, instead of verdicts
  ProfileTable table;
  Judging judging;
  ReportOutput output;
  bool ledger = false;
  std::string twin;                ///< a case beside its eager form, "" = none
  bool distribution = false;       ///< how the times are spread, instead of verdicts
  std::filesystem::path timeline;  ///< "" = none
  bool begin = false;
  bool expect_all = false;
  std::filesystem::path judged;  ///< gets what --expect-all says last, "" = none
};
OptionRows rows_of(ReportCommand& o);

/// The exit status.
int command_report(const ReportCommand& o);

}  // namespace stepgate
