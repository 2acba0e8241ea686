// The documents that stepgate reads and writes: their names, their versions, and the kind of an error in each.
// schemas/<name>.schema.json describes each for other programs.
#pragma once

#include <cstddef>
#include <string_view>

#include "core/error.h"

namespace stepgate {

inline constexpr std::size_t mebibyte = std::size_t{1} << 20;

/// No document of stepgate has more than 12 levels. Without a limit a file of 200 kB can use up the stack.
inline constexpr std::size_t most_nested_levels = 100;

/// Values and keys of one document. A measurement of 1000 processes has about 1.2 million. In memory each takes up to
/// 100 bytes while it is read.
inline constexpr std::size_t most_values = 4'000'000;

/// `major` rises if an old reader would misread the document, `minor` if keys are only added: once for all that a
/// release adds. A reader accepts its own major only, and passes over unknown keys of a newer minor; of its own minor
/// some are errors, such as a counter of the memory pass that it does not know.
struct DocumentType {
  std::string_view name;   ///< the document's schema.name
  std::string_view label;  ///< its name in messages, with article
  int major;
  int minor;
  ErrorKind error_kind;
  std::string_view remedy;  ///< what to do about a malformed document
  /// A longer text is refused before it is parsed. Ordinary documents stay below a hundredth of it.
  std::size_t most_bytes = 16 * mebibyte;
};

inline constexpr std::string_view remeasure_remedy = "measure again: stepgate run CASE";

/// Minor 3: what a process holds, losses of every pass, kept batches, work beside the step and while it waits, calls of
/// a profile that ran twice, times of the device by operator, when windows of a GPU began and its clock in them.
inline constexpr DocumentType run_record_document{"stepgate.run_record", "a run record", 1, 3, ErrorKind::measure,
                                                  remeasure_remedy,      32 * mebibyte};
/// Minor 4: replicates that were set aside, and records of minor 3.
inline constexpr DocumentType measurement_document{"stepgate.measurement", "a measurement", 1, 4, ErrorKind::measure,
                                                   remeasure_remedy,       128 * mebibyte};
inline constexpr DocumentType verdict_document{
    "stepgate.verdict", "a verdict", 1, 7, ErrorKind::measure, "run the gate again: stepgate gate CASE",
    128 * mebibyte};
inline constexpr DocumentType baseline_document{
    "stepgate.baseline",
    "a baseline",
    1,
    1,
    ErrorKind::baseline,
    "restore the file from version control, or remeasure: stepgate gate CASE, then "
    "stepgate baseline accept CASE --reason \"...\"",
    8 * mebibyte};
/// A baseline whose file needs a newer reader.
constexpr DocumentType baseline_of_minor(int minor) {
  DocumentType type = baseline_document;
  type.minor = minor;
  return type;
}
/// Baselines of scope device came with minor 2. The other scopes did not change, so their files keep their version.
inline constexpr DocumentType device_baseline_document = baseline_of_minor(2);
/// Baselines with where.operator_functions came with minor 3. Files without it keep their version.
inline constexpr DocumentType functions_baseline_document = baseline_of_minor(3);
/// Baselines with growth came with minor 4.
inline constexpr DocumentType growth_baseline_document = baseline_of_minor(4);
/// Baselines with switches came with minor 5.
inline constexpr DocumentType switches_baseline_document = baseline_of_minor(5);
/// Baselines with where.function_calls came with minor 6.
inline constexpr DocumentType calls_baseline_document = baseline_of_minor(6);
/// Baselines with numerics.nondeterministic_operators came with minor 7.
inline constexpr DocumentType operators_baseline_document = baseline_of_minor(7);
/// Baselines with numerics.key came with minor 8.
inline constexpr DocumentType emulated_baseline_document = baseline_of_minor(8);
inline constexpr DocumentType policy_document{
    "stepgate.policy",
    "a policy",
    1,
    4,
    ErrorKind::usage,
    "correct the file; every key and its range: \"Policy keys\" in docs/design/baselines_and_policy.md of stepgate's "
    "documentation",
    1 * mebibyte};
inline constexpr DocumentType manifest_document{"stepgate.manifest",
                                                "a manifest",
                                                1,
                                                4,
                                                ErrorKind::usage,
                                                "let CMake write the manifest again: cmake BUILD_FOLDER"};

}  // namespace stepgate
