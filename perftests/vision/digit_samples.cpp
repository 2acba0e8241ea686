#include "vision/digit_samples.h"

#include <algorithm>
#include <charconv>

#include "support/data_files.h"
#include "support/gzip.h"

namespace stepgate {
namespace {

constexpr std::int64_t pixel_count = digit_side * digit_side;
constexpr std::int64_t record_bytes = pixel_count + 1;
constexpr std::int64_t level = 256;  ///< units of Digit::pixels per grey level

// Mean and deviation of all pixels of the training data, as parts of the brightest level.
constexpr float digit_mean = 0.3053F;
constexpr float digit_deviation = 0.3760F;

/// The purposes of the numbers drawn for a sample.
enum DigitPurpose : std::uint64_t { turn, shift_x, shift_y, erased, erased_x, erased_y, noise /* and one per pixel */ };

constexpr std::int64_t unit = 64;  ///< positions between pixels are in 1/64

[[noreturn]] void refuse_line(std::int64_t line) {
  throw DataError("digits: line " + std::to_string(line) + " is not 64 grey levels from 0 to 16 and a digit");
}

/// Appends the record of one line.
void add_record(std::string_view text, std::int64_t line, std::string& records) {
  for (std::int64_t field = 0; field < record_bytes; ++field) {
    int value = -1;
    const auto [stopped_at, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    const std::int64_t most = field < pixel_count ? digit_levels : digit_classes - 1;
    if (error != std::errc() || value < 0 || value > most) refuse_line(line);
    records += static_cast<char>(value);
    text.remove_prefix(static_cast<std::size_t>(stopped_at - text.data()));
    const bool last = field == record_bytes - 1;
    if (last != text.empty() || (!last && text.front() != ',')) refuse_line(line);
    if (!last) text.remove_prefix(1);
  }
}

std::int64_t pixel_at(const Digit& digit, std::int64_t x, std::int64_t y) {
  if (x < 0 || y < 0 || x >= digit_side || y >= digit_side) return 0;
  return digit.pixels[static_cast<std::size_t>(y * digit_side + x)];
}

/// Bilinear, at a position in 1/64 pixels; background outside.
std::int64_t pixel_between(const Digit& digit, std::int64_t x, std::int64_t y) {
  const std::int64_t column = x >> 6;  // rounds down, below zero too
  const std::int64_t row = y >> 6;
  const std::int64_t right = x - column * unit;
  const std::int64_t down = y - row * unit;
  const std::int64_t above = pixel_at(digit, column, row) * (unit - right) + pixel_at(digit, column + 1, row) * right;
  const std::int64_t below =
      pixel_at(digit, column, row + 1) * (unit - right) + pixel_at(digit, column + 1, row + 1) * right;
  return (above * (unit - down) + below * down) / (unit * unit);
}

/// Rotated by a slope in 1/64 (which also enlarges the image by under 2 %) and shifted by whole 1/64 pixels.
Digit moved(const Digit& digit, std::int64_t slope, std::int64_t right, std::int64_t down) {
  constexpr std::int64_t centre = (digit_side - 1) * unit / 2;
  Digit result = digit;
  for (std::int64_t row = 0; row < digit_side; ++row) {
    for (std::int64_t column = 0; column < digit_side; ++column) {
      const std::int64_t x = column * unit - centre - right;
      const std::int64_t y = row * unit - centre - down;
      result.pixels[static_cast<std::size_t>(row * digit_side + column)] =
          pixel_between(digit, centre + x - slope * y / unit, centre + y + slope * x / unit);
    }
  }
  return result;
}

}  // namespace

std::string digit_records(std::string_view csv) {
  std::string records;
  for (std::int64_t line = 1; !csv.empty(); ++line) {
    const std::size_t end = std::min(csv.find('\n'), csv.size());
    add_record(csv.substr(0, end), line, records);
    csv.remove_prefix(std::min(end + 1, csv.size()));
  }
  return records;
}

DigitData open_digits(const std::filesystem::path& data_dir, const std::filesystem::path& folder) {
  const std::vector<DataFile> packed = listed_data_files_ending_with("/digits.csv.gz");
  std::string bytes;
  for (const DataFile& file : packed) bytes += read_data_file(data_dir, file);
  std::string digest = digest_of(packed);
  // "1" is the version of the unpacking. A change of the unpacking needs a new number, or old files would be used.
  const RecordSource source{
      .folder = folder, .name = "digits-1-" + digest + ".records", .record_bytes = record_bytes, .make = [&] {
        return digit_records(unpack_gzip(bytes));
      }};
  return {.records = std::make_shared<const RecordFile>(source), .digest = std::move(digest)};
}

DigitSamples::DigitSamples(std::shared_ptr<const RecordFile> records, std::int64_t repeats, std::uint64_t seed)
    : records_(std::move(records)), repeats_(repeats), seed_(seed) {}

std::int64_t DigitSamples::count() const { return records_->count() * repeats_; }

Digit DigitSamples::read(std::int64_t record) const {
  std::array<std::byte, record_bytes> bytes{};
  records_->read(record, bytes);
  Digit digit;
  for (std::size_t i = 0; i < digit.pixels.size(); ++i) digit.pixels[i] = std::to_integer<int>(bytes[i]) * level;
  digit.label = std::to_integer<int>(bytes.back());
  return digit;
}

void DigitSamples::augment(const SampleDraws& draws, Digit& digit) const {
  digit =
      moved(digit, draws.whole(turn, -11, 11), draws.whole(shift_x, -unit, unit), draws.whole(shift_y, -unit, unit));
  for (std::size_t i = 0; i < digit.pixels.size(); ++i) {
    const std::int64_t noisy = digit.pixels[i] + draws.whole(noise + i, -level, level);
    digit.pixels[i] = std::clamp(noisy, std::int64_t{0}, digit_levels * level);
  }
  if (draws.whole(erased, 0, 3) != 0) return;
  const std::int64_t x = draws.whole(erased_x, 0, digit_side - 2);
  const std::int64_t y = draws.whole(erased_y, 0, digit_side - 2);
  for (const std::int64_t at : {y * digit_side + x, (y + 1) * digit_side + x}) {
    digit.pixels[static_cast<std::size_t>(at)] = digit.pixels[static_cast<std::size_t>(at) + 1] = 0;
  }
}

std::int64_t DigitSamples::load(const SampleKey& key, std::span<float> pixels) const {
  Digit digit = read(key.index % records_->count());
  augment(SampleDraws(seed_, key), digit);
  for (std::size_t i = 0; i < digit.pixels.size(); ++i) {
    const float share = static_cast<float>(digit.pixels[i]) / static_cast<float>(digit_levels * level);
    pixels[i] = (share - digit_mean) / digit_deviation;
  }
  return digit.label;
}

}  // namespace stepgate
