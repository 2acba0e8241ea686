// Rows of a table of small numbers with a label: the handwritten digits of vision/digit_samples.h, whose 64 pixels are
// 64 fields of 17 levels. Two ways to read them give the same rows at very different cost.
#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "support/record_file.h"
#include "vision/digit_samples.h"

namespace stepgate {

inline constexpr std::int64_t field_count = digit_side * digit_side;
inline constexpr std::int64_t field_levels = digit_levels + 1;  ///< values of a field: 0 to 16

struct FieldRow {
  std::array<std::int64_t, field_count> levels{};
  std::int64_t label = 0;  ///< 0 to digit_classes - 1

  bool operator==(const FieldRow&) const = default;
};

/// The rows of a table. Many threads read at once. Implementations must not use LibTorch operators (image_samples.h).
class FieldRows {
 public:
  virtual ~FieldRows() = default;
  virtual std::int64_t count() const = 0;
  /// Row `index`, from 0 to count() - 1.
  virtual FieldRow read(std::int64_t index) const = 0;

 protected:
  FieldRows() = default;
  FieldRows(const FieldRows&) = default;
  FieldRows& operator=(const FieldRows&) = default;
};

/// Keeps all rows in memory.
class DecodedRows : public FieldRows {
 public:
  /// Reads every record of digit_samples.h once.
  explicit DecodedRows(const RecordFile& records);
  std::int64_t count() const override { return static_cast<std::int64_t>(rows_.size()); }
  FieldRow read(std::int64_t index) const override { return rows_.at(static_cast<std::size_t>(index)); }

 private:
  std::vector<FieldRow> rows_;
};

/// Keeps nothing: opens the packed file for each row, unpacks it from the start and passes over the rows before it.
class SearchedRows : public FieldRows {
 public:
  /// `packed`: a gzip file with one row a line, as the training data has it.
  SearchedRows(std::filesystem::path packed, std::int64_t count);
  std::int64_t count() const override { return count_; }
  /// Throws DataError if the file cannot be read or ends before that line.
  FieldRow read(std::int64_t index) const override;

 private:
  std::filesystem::path packed_;
  std::int64_t count_;
};

/// Opened rows.
struct FieldTable {
  std::filesystem::path packed;               ///< the gzip file
  std::shared_ptr<const RecordFile> records;  ///< the same rows, unpacked
  std::string digest;                         ///< of the gzip file: Workload::data_digest()
};

/// The digits of `data_dir`. Unpacks them into a record file in `folder` if that is missing. Throws DataError.
FieldTable open_fields(const std::filesystem::path& data_dir, const std::filesystem::path& folder);

}  // namespace stepgate
