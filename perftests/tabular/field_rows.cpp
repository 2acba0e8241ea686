#include "tabular/field_rows.h"

#include <zlib.h>

#include <algorithm>
#include <span>
#include <string_view>

#include "support/data_files.h"

namespace stepgate {
namespace {

constexpr std::size_t field_record_bytes = field_count + 1;
constexpr int longest_line = 512;  ///< bytes: 64 fields of up to two digits, a label and commas are under 200

FieldRow row_of(std::span<const std::byte> record) {
  FieldRow row;
  std::ranges::transform(record.first(field_count), row.levels.begin(),
                         [](std::byte level) { return std::to_integer<std::int64_t>(level); });
  row.label = std::to_integer<std::int64_t>(record.back());
  return row;
}

}  // namespace

DecodedRows::DecodedRows(const RecordFile& records) {
  std::array<std::byte, field_record_bytes> record{};
  for (std::int64_t index = 0; index < records.count(); ++index) {
    records.read(index, record);
    rows_.push_back(row_of(record));
  }
}

SearchedRows::SearchedRows(std::filesystem::path packed, std::int64_t count)
    : packed_(std::move(packed)), count_(count) {}

FieldRow SearchedRows::read(std::int64_t index) const {
  const std::unique_ptr<gzFile_s, decltype(&gzclose)> file(gzopen(packed_.c_str(), "rb"), &gzclose);
  std::array<char, longest_line> line{};
  bool found = file != nullptr;
  for (std::int64_t passed = 0; found && passed <= index; ++passed) {
    found = gzgets(file.get(), line.data(), longest_line) != nullptr;
  }
  if (!found) throw DataError("fields: " + packed_.string() + " has no row " + std::to_string(index));
  const std::string record = digit_records(line.data());
  return row_of(std::as_bytes(std::span(record)));
}

FieldTable open_fields(const std::filesystem::path& data_dir, const std::filesystem::path& folder) {
  DigitData digits = open_digits(data_dir, folder);  // checks the packed file against the list
  const std::vector<DataFile> packed = listed_data_files_ending_with("/digits.csv.gz");
  if (packed.size() != 1) throw DataError("fields: the list of data files must hold one digits.csv.gz");
  return {.packed = data_dir / packed.front().path,
          .records = std::move(digits.records),
          .digest = std::move(digits.digest)};
}

}  // namespace stepgate
