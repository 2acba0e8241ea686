#include "stats/trend/confirmed_levels.h"

#include <algorithm>
#include <cmath>
#include <compare>
#include <optional>
#include <set>
#include <utility>

namespace stepgate {
namespace {

constexpr std::size_t no_level = static_cast<std::size_t>(-1);

/// Why a change is deleted; the smallest is deleted first.
struct Weakness {
  enum Rule { short_side, not_significant, within_margin } rule;
  double strength;
  double change;
  std::size_t left;  ///< the level before the change

  auto operator<=>(const Weakness&) const = default;
};

std::optional<Weakness> weakness_of(const LevelSums& before, const LevelSums& after, const Confirmation& asked) {
  const TrendLimits& limits = asked.limits;
  const double change = std::abs(after.mean - before.mean);
  const std::size_t shortest = std::min(before.count(), after.count());
  if (shortest < limits.min_points) {
    return Weakness{Weakness::short_side, static_cast<double>(shortest), change, no_level};
  }
  const double p = neighbour_difference(before, after, asked.slots).p_value();
  if (p > asked.p) return Weakness{Weakness::not_significant, -p, change, no_level};
  if (change < std::log1p(limits.ignore_margin)) return Weakness{Weakness::within_margin, change, change, no_level};
  return std::nullopt;
}

/// The levels as a chain from which weak changes are deleted.
class LevelChain {
 public:
  LevelChain(std::vector<LevelSums> levels, const Confirmation& confirmation)
      : levels_(std::move(levels)),
        before_(levels_.size()),
        after_(levels_.size()),
        weakness_(levels_.size()),
        confirmation_(confirmation) {
    for (std::size_t i = 0; i < levels_.size(); ++i) {
      before_[i] = i == 0 ? no_level : i - 1;
      after_[i] = i + 1 == levels_.size() ? no_level : i + 1;
    }
    for (std::size_t i = 0; i < levels_.size(); ++i) assess(i);
  }

  /// False where every change holds.
  bool delete_weakest() {
    if (weakest_.empty()) return false;
    join_with_next(weakest_.begin()->left);
    return true;
  }

  std::vector<LevelSums> levels() const {
    std::vector<LevelSums> result;
    for (std::size_t i = 0; i != no_level; i = after_[i]) result.push_back(levels_[i]);
    return result;
  }

 private:
  void forget(std::size_t left) {
    if (weakness_[left]) weakest_.erase(*weakness_[left]);
    weakness_[left].reset();
  }

  /// Looks at the change after `left` anew.
  void assess(std::size_t left) {
    forget(left);
    if (after_[left] == no_level) return;
    weakness_[left] = weakness_of(levels_[left], levels_[after_[left]], confirmation_);
    if (!weakness_[left]) return;
    weakness_[left]->left = left;
    weakest_.insert(*weakness_[left]);
  }

  void join_with_next(std::size_t left) {
    const std::size_t right = after_[left];
    forget(right);
    levels_[left] = join_levels(levels_[left], levels_[right]);
    after_[left] = after_[right];
    if (after_[left] != no_level) before_[after_[left]] = left;
    assess(left);
    if (before_[left] != no_level) assess(before_[left]);
  }

  std::vector<LevelSums> levels_;
  std::vector<std::size_t> before_;
  std::vector<std::size_t> after_;
  std::vector<std::optional<Weakness>> weakness_;  ///< weakness of the change after each level
  std::set<Weakness> weakest_;
  Confirmation confirmation_;
};

}  // namespace

LevelDifference neighbour_difference(const LevelSums& before, const LevelSums& after, const SlotNoise* slots) {
  const double rho = residual_autocorrelation(std::vector<LevelSums>{before, after});
  const LevelDifference plain = level_difference({static_cast<double>(before.count()), before.mean, before.squares},
                                                 {static_cast<double>(after.count()), after.mean, after.squares}, rho);
  if (slots == nullptr) return plain;
  if (!slots->is_shared(before.begin, before.end) && !slots->is_shared(after.begin, after.end)) return plain;
  const LevelDifference by_slots = slots->difference(before, after);
  return by_slots.p_value() > plain.p_value() ? by_slots : plain;
}

std::vector<LevelSums> confirmed_levels(std::vector<LevelSums> levels, const Confirmation& confirmation) {
  LevelChain chain(std::move(levels), confirmation);
  while (chain.delete_weakest()) {
  }
  return chain.levels();
}

std::vector<LevelSums> confirmed_levels(std::span<const double> values, const std::vector<std::size_t>& changes,
                                        const TrendLimits& limits) {
  std::vector<LevelSums> levels;
  std::size_t begin = 0;
  for (const std::size_t change : changes) {
    levels.push_back(level_sums(values, begin, change));
    begin = change;
  }
  levels.push_back(level_sums(values, begin, values.size()));
  return confirmed_levels(std::move(levels), {.limits = limits, .p = limits.p});
}

}  // namespace stepgate
