// A shell script that replaces a perftest program. It writes prepared run records or fails as a test needs.
#pragma once

#include <filesystem>
#include <string>

#include "core/record/run_record.h"
#include "environment/fake_root.h"
#include "launch/measure_case.h"

namespace stepgate {

/// A small record that passes every check.
RunRecord valid_record(Group group, std::int64_t replicate);

/// Script and records are in their own folder. The destructor removes it.
class FakeProgram {
 public:
  /// `body` is shell code. It finds $record, $group, $replicate, $seed, $param and $here (the folder), and `good`,
  /// which writes the valid record of its group and replicate.
  explicit FakeProgram(const std::string& body);

  /// A request for this program: case "fake/case/tiny", two timed and one exact replicate, no machine-dependent taint.
  LaunchRequest request(const std::vector<Group>& groups) const;

  /// The content of a file that the script wrote into its folder, "" if there is none.
  std::string text_of(const std::string& file) const;
  /// Lines of that file.
  std::int64_t lines_in(const std::string& file) const;
  std::filesystem::path path() const { return root_.path() / "program"; }
  const FakeRoot& folder() const { return root_; }

 private:
  FakeRoot root_;
};

/// Shell code for FakeProgram: one line per process in $here/log ("timed 0 window=640,..."), then the record that
/// write_short_steps() left for the counts that were asked for.
inline constexpr const char* runs_short_steps = R"sh(
for argument in "$@"; do
  case $argument in --stepgate_steps=*) steps=${argument#*=} ;; esac
done
echo "$group $replicate ${steps:-declared}" >> "$here/log"
if [ "$group" = timed ] && [ -n "$steps" ]; then cp "$here/long-$replicate.json" "$record"; else good; fi
)sh";

/// Records of steps of 5 us: with the default counts, and with 64 times as many.
void write_short_steps(const FakeRoot& folder);

/// Waits up to two seconds and returns whether process `pid` has ended. A zombie of another parent counts as ended.
bool is_gone(pid_t pid);

}  // namespace stepgate
