// The options that say where things lie, and of which kind this machine is.
#pragma once

#include <filesystem>
#include <string>

#include "cli/options/option_row.h"
#include "experiment/plan/project.h"

namespace stepgate {

OptionRow build_row(std::filesystem::path& build);
/// Another name of --build, beside --base-build.
OptionRow head_build_row(std::filesystem::path& build);
OptionRow base_build_row(std::filesystem::path& base_build);
OptionRow out_row(std::filesystem::path& out);
OptionRow baseline_dir_row(std::filesystem::path& baseline_root);
OptionRow policy_dir_row(std::filesystem::path& policy_root);
/// Of profile, which shows where its time goes, and of doctor, which makes a calibration from it.
OptionRow trace_row(std::filesystem::path& trace);
OptionRow data_row(std::filesystem::path& data_dir);
OptionRow runner_class_row(std::string& runner_class);

/// Every command that measures cases of a build. An empty path is that of the manifest.
struct MeasuredPlaces {
  std::filesystem::path build;
  std::filesystem::path out;
  std::filesystem::path policy_root;
  std::filesystem::path data_dir;
  std::string runner_class = "local";
};
OptionRows rows_of(MeasuredPlaces& o);
ProjectOptions project_options(const MeasuredPlaces& o);

/// The commands that may compare two builds, and judge.
struct ComparedPlaces {
  MeasuredPlaces measured;
  std::filesystem::path base_build;  ///< "": none
  std::filesystem::path baseline_root;
};
OptionRows rows_of(ComparedPlaces& o);
ProjectOptions project_options(const ComparedPlaces& o);

/// The commands that read what a gate has left.
struct StoredPlaces {
  std::filesystem::path build;
  std::filesystem::path out;
  std::filesystem::path baseline_root;
  std::string runner_class = "local";
};
OptionRows rows_of(StoredPlaces& o);
ProjectOptions project_options(const StoredPlaces& o);

}  // namespace stepgate
