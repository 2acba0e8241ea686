#include "diagnose/numerics/recognised_factor.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>

#include "core/record/loss_sequences.h"
#include "core/text/number_format.h"
#include "diagnose/patterns/step_amounts.h"

namespace stepgate {
namespace {

/// A factor multiplies rounded values: in float32 it is exact to some 1e-6, in bfloat16 a norm to some 1e-4.
constexpr double factor_error = 1e-4;
/// Whole numbers up to it lie far enough apart that a ratio hits one of them by chance in under 1 of 50 cases.
constexpr double largest_whole = 100;
/// Scalers of losses begin at 65 536 or less and never come down to such a scale in a run that learns.
constexpr double smallest_scale = 256;

/// The two values at a place, as a factor of at least 1.
struct Ratio {
  double factor = 1;
  bool larger = true;  ///< now
  bool negated = false;
};

/// A row of the table: an amount that the factor may be.
struct KnownAmount {
  double amount = 0;
  std::string_view name;
  std::string_view advice;
};

constexpr std::string_view of_scale =
    "the gradients, or the loss, carry the loss scale on one side only: look for unscale_() and for the loss that "
    "backward() is called on.";
constexpr std::string_view of_reduction =
    "a sum stands where a mean was, or the other way round: look at the reduction of the loss.";

std::optional<Ratio> ratio_at(const SequencePlace& place, const NumericTrace& before, const NumericTrace& now) {
  const double was = (*numeric_sequence(before, place.metric))[place.step];
  const double is = (*numeric_sequence(now, place.metric))[place.step];
  if (was == 0 || is == 0 || !std::isfinite(was) || !std::isfinite(is)) return std::nullopt;
  const double factor = std::abs(is / was);
  return Ratio{factor >= 1 ? factor : 1 / factor, factor >= 1, (is < 0) != (was < 0)};
}

bool is_factor(const Ratio& ratio, double amount) {
  return amount > 1 && std::abs(ratio.factor - amount) <= factor_error * amount;
}

double scale_at(const NumericTrace& trace, std::size_t step) {
  return step < trace.loss_scale.size() ? trace.loss_scale[step] : 0;
}

std::array<KnownAmount, 4> known_amounts(const JudgedComparison& input, std::size_t step, const NumericTrace& before,
                                         const NumericTrace& now) {
  const auto& observed = input.current.counts.observed;
  const StepAmounts amounts = observed && observed->steps > 0 ? step_amounts(*observed) : StepAmounts{};
  return {KnownAmount{scale_at(before, step), "the loss scale", of_scale},
          KnownAmount{scale_at(now, step), "the loss scale", of_scale},
          KnownAmount{amounts.samples, "the samples of a batch", of_reduction},
          KnownAmount{amounts.tokens(), "the tokens of a batch", of_reduction}};
}

bool is_scale(double factor) {
  int exponent = 0;
  const double rounded = std::round(factor);
  return rounded >= smallest_scale && std::abs(factor - rounded) <= factor_error * rounded &&
         std::frexp(rounded, &exponent) == 0.5;
}

std::string said(const Ratio& ratio) {
  const std::string number = count_text(std::round(ratio.factor));
  return ratio.larger ? number + " times as large" : "1/" + number + " of it";
}

}  // namespace

std::optional<RecognisedFactor> recognised_factor(const JudgedComparison& input, const SequencePlace& place,
                                                  const NumericTrace& before, const NumericTrace& now) {
  const auto ratio = ratio_at(place, before, now);
  if (!ratio) return std::nullopt;
  if (ratio->negated) {
    if (!(std::abs(ratio->factor - 1) <= factor_error)) return std::nullopt;
    return RecognisedFactor{"the same with the other sign",
                            "a sign was turned: look at what the loss is multiplied by."};
  }
  for (const KnownAmount& known : known_amounts(input, place.step, before, now)) {
    if (is_factor(*ratio, known.amount))
      return RecognisedFactor{fmt::format("{} = {}", said(*ratio), known.name), std::string(known.advice)};
  }
  if (is_scale(ratio->factor))
    return RecognisedFactor{said(*ratio) + " = a power of two, as a loss scale is", std::string(of_scale)};
  const double whole = std::round(ratio->factor);
  if (whole > largest_whole || !is_factor(*ratio, whole)) return std::nullopt;
  return RecognisedFactor{said(*ratio),
                          "a whole factor: look for gradients of several micro-batches or ranks that are added up "
                          "where they were averaged, or the other way round, and for a loss that is divided."};
}

}  // namespace stepgate
