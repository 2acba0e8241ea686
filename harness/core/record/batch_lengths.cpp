#include "core/record/batch_lengths.h"

#include <algorithm>

namespace stepgate {
namespace {

/// A line of a report has room for this many.
constexpr std::int64_t most_bins = 8;

using StepsOfLength = std::map<std::int64_t, std::int64_t>;

std::int64_t length_of(const BatchAmounts& batch) { return (batch.padded_tokens + batch.samples / 2) / batch.samples; }

std::vector<LengthBin> one_bin_each(const StepsOfLength& lengths) {
  std::vector<LengthBin> bins;
  for (const auto& [length, steps] : lengths) bins.push_back({length, length, steps});
  return bins;
}

std::vector<LengthBin> equal_bins(const StepsOfLength& lengths) {
  const std::int64_t shortest = lengths.begin()->first;
  const std::int64_t span = lengths.rbegin()->first - shortest + 1;
  const std::int64_t width = (span + most_bins - 1) / most_bins;
  std::map<std::int64_t, LengthBin> bins;
  for (const auto& [length, steps] : lengths) {
    const std::int64_t from = shortest + (length - shortest) / width * width;
    LengthBin& bin = bins.try_emplace(from, LengthBin{from, from + width - 1, 0}).first->second;
    bin.steps += steps;
  }
  std::vector<LengthBin> filled;
  for (const auto& [from, bin] : bins) filled.push_back(bin);
  return filled;
}

}  // namespace

std::optional<BatchLengths> batch_lengths(const std::vector<BatchAmounts>& batches) {
  StepsOfLength lengths;
  std::int64_t padded = 0;
  std::int64_t effective = 0;
  for (const BatchAmounts& batch : batches) {
    if (batch.samples <= 0 || batch.padded_tokens <= 0) return std::nullopt;
    ++lengths[length_of(batch)];
    padded += batch.padded_tokens;
    effective += batch.effective_tokens;
  }
  if (lengths.empty() || effective == 0) return std::nullopt;
  const bool few = static_cast<std::int64_t>(lengths.size()) <= most_bins;
  return BatchLengths{.bins = few ? one_bin_each(lengths) : equal_bins(lengths),
                      .padding_ratio = 1 - static_cast<double>(effective) / static_cast<double>(padded)};
}

std::optional<BatchLengths> batch_lengths(const std::map<std::string, std::vector<std::int64_t>>& per_step) {
  const auto samples = per_step.find("samples_per_step");
  const auto padded = per_step.find("padded_tokens_per_step");
  const auto effective = per_step.find("effective_tokens_per_step");
  if (samples == per_step.end() || padded == per_step.end() || effective == per_step.end()) return std::nullopt;
  const std::size_t steps = std::min({samples->second.size(), padded->second.size(), effective->second.size()});
  std::vector<BatchAmounts> batches;
  for (std::size_t i = 0; i < steps; ++i)
    batches.push_back({samples->second[i], padded->second[i], effective->second[i]});
  return batch_lengths(batches);
}

std::string bins_text(const BatchLengths& lengths) {
  std::string text;
  for (const LengthBin& bin : lengths.bins) {
    if (!text.empty()) text += ", ";
    text += std::to_string(bin.steps) + " x " + std::to_string(bin.from);
    if (bin.to > bin.from) text += "-" + std::to_string(bin.to);
  }
  return text;
}

}  // namespace stepgate
