#include "measure/passes/exact/held_resources.h"

#include <utility>

#include "core/text/excerpt.h"

namespace stepgate {
namespace {

/// A path can be long, and the record keeps it.
constexpr std::size_t most_example_characters = 200;

std::int64_t number_of(const HeldReading& reading) {
  const auto* number = std::get_if<std::int64_t>(&reading);
  return number == nullptr ? 0 : *number;
}

}  // namespace

HeldResources::HeldResources(HeldPlaces places) : sources_(std::move(places)), followed_(held_kinds().size()) {
  read(std::nullopt);
}

void HeldResources::read(std::optional<Boundary> boundary) {
  sources_.look();
  for (std::size_t i = 0; i < followed_.size(); ++i) {
    Followed& each = followed_[i];
    // What could not be read once is absent in the whole pass.
    if (std::holds_alternative<std::string>(each.level)) continue;
    HeldReading now = held_kinds()[i].level(sources_);
    if (boundary) each.by_boundary[static_cast<std::size_t>(*boundary)] += number_of(now) - number_of(each.level);
    each.level = std::move(now);
  }
}

void HeldResources::begin(std::int64_t steps, MemoryProfile& profile) {
  read(std::nullopt);
  for (std::size_t i = 0; i < followed_.size(); ++i) {
    Followed& each = followed_[i];
    each.by_boundary = {};
    if (std::holds_alternative<std::string>(each.level)) continue;
    profile.series[std::string(held_kinds()[i].series)].reserve(static_cast<std::size_t>(steps));
    if (held_kinds()[i].things != nullptr) each.things_at_begin = held_kinds()[i].things(sources_);
  }
  read(std::nullopt);  // the names take memory themselves
  for (Followed& each : followed_) each.at_begin = number_of(each.level);
}

void HeldResources::end_boundary(Boundary boundary) { read(boundary); }

void HeldResources::end_step(MemoryProfile& profile) {
  read(std::nullopt);
  for (std::size_t i = 0; i < followed_.size(); ++i) {
    const std::string series(held_kinds()[i].series);
    if (const auto* level = std::get_if<std::int64_t>(&followed_[i].level)) {
      profile.series[series].push_back(*level);
    } else {
      profile.series.erase(series);
      profile.absent[series] = std::get<std::string>(followed_[i].level);
    }
  }
}

ResourceRise HeldResources::rise_of(const HeldKind& kind, const Followed& followed, const StepBoundaries& boundaries) {
  ResourceRise rise;
  for (const Boundary boundary : boundaries.order()) {
    const std::int64_t amount = followed.by_boundary[static_cast<std::size_t>(boundary)];
    if (amount != 0) rise.by_boundary[std::string(boundaries.name(boundary))] = amount;
  }
  if (kind.things == nullptr) return rise;
  const auto most = what_rose(followed.things_at_begin, kind.things(sources_));
  if (!most) return rise;
  rise.kind = excerpt(most->kind, most_example_characters);
  rise.example = excerpt(most->name, most_example_characters);
  return rise;
}

void HeldResources::finish(const StepBoundaries& boundaries, MemoryProfile& profile) {
  sources_.look();
  for (std::size_t i = 0; i < followed_.size(); ++i) {
    const Followed& each = followed_[i];
    if (number_of(each.level) <= each.at_begin || std::holds_alternative<std::string>(each.level)) continue;
    profile.rises[std::string(held_kinds()[i].series)] = rise_of(held_kinds()[i], each, boundaries);
  }
}

}  // namespace stepgate
