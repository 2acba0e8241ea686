// `stepgate baseline`: the reviewed update, and what is stored.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "cli/options/groups/places.h"
#include "cli/options/groups/table_style.h"
#include "cli/options/option_row.h"
#include "core/verdict/tier_choice.h"

namespace stepgate {

struct BaselineAcceptCommand {
  std::vector<std::string> arguments;
  StoredPlaces places;
  TierChoice tier = TierChoice::all;
  std::string reason;
  bool append = false;
  bool replace = false;
  bool other_options = false;
  bool all = false;
  bool new_metrics = false;
  bool local = false;
};
OptionRows rows_of(BaselineAcceptCommand& o);
int command_baseline_accept(const BaselineAcceptCommand& o);

struct BaselineDiffCommand {
  std::vector<std::string> arguments;
  std::filesystem::path build;
  std::filesystem::path out;
  std::filesystem::path baseline_root;
  DetailStyle style;
};
OptionRows rows_of(BaselineDiffCommand& o);
int command_baseline_diff(const BaselineDiffCommand& o);

struct BaselineLintCommand {
  std::vector<std::string> arguments;
  std::filesystem::path build;
  std::filesystem::path baseline_root;
};
OptionRows rows_of(BaselineLintCommand& o);
int command_baseline_lint(const BaselineLintCommand& o);

struct BaselineShowCommand {
  std::vector<std::string> arguments;
  std::filesystem::path build;
  std::filesystem::path baseline_root;
  std::string runner_class = "local";
  DetailStyle style;
};
OptionRows rows_of(BaselineShowCommand& o);

int command_baseline_show(const BaselineShowCommand& o);

}  // namespace stepgate
