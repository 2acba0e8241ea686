#include "measure/profile/experiments/repeated_blocks.h"

#include <c10/util/Exception.h>
#include <fmt/format.h>

#include <algorithm>

#include "core/text/number_format.h"
#include "measure/device/work/program_image.h"
#include "measure/passes/step_window.h"
#include "measure/profile/experiments/block_plan.h"
#include "measure/profile/experiments/call_repeater.h"
#include "measure/profile/experiments/variant_blocks.h"

namespace stepgate {
namespace {

/// Six processes with blocks of so long add about half of what the other experiments take, whose blocks last 5 s.
constexpr std::int64_t repeated_blocks_ns = 3'000'000'000;
/// So that batches of all usual shapes are among them: a loader that sorts by length gives a few dozen.
constexpr int learnt_windows = 4;
/// A cost is then at most so much too small: less than the intervals of a usual profile are wide.
constexpr double most_strayed = 0.05;

/// Why calls cannot be told apart by their place; "" if they can.
std::string why_no_stack() {
  try {
    return own_calls_on_stack(program_image()).empty() ? "LibTorch finds no call stack here" : "";
  } catch (const c10::Error& error) {
    return std::string("LibTorch cannot unwind the call stack: ") + error.what_without_backtrace();
  }
}

StepVariant variant_of(CallRepeater& repeater, std::string_view name, CallRepeater::Mode mode, std::size_t place) {
  return {.name = std::string(name),
          .begin = [&repeater, mode, place] { repeater.set_mode(mode, place); },
          .end = [&repeater] { repeater.set_mode(CallRepeater::Mode::off); }};
}

/// Whether this place has no calls on any rank.
bool is_never_called(const RepeatRequest& request, const CallRepeater& repeater, std::size_t place) {
  const bool mine = repeater.calls_of(place) == 0;
  return request.run.agree ? request.run.agree(mine) : mine;
}

/// Passed calls run in two blocks a round, because every place is compared with them.
std::vector<StepVariant> variants_of(const RepeatRequest& request, CallRepeater& repeater) {
  std::vector<StepVariant> variants = {{.name = std::string(unchanged_calls)}};
  for (int i = 0; i < 2; ++i) variants.push_back(variant_of(repeater, passed_calls, CallRepeater::Mode::pass, 0));
  for (std::size_t i = 0; i < request.places.size(); ++i) {
    if (is_never_called(request, repeater, i)) continue;
    variants.push_back(variant_of(repeater, request.places[i].name, CallRepeater::Mode::repeat, i));
    variants.back().undo = [&repeater] { repeater.drop_scratch(); };
  }
  return variants;
}

/// Drops the blocks of a place whose steps did not make the calls that were learnt.
void drop_strayed(const std::string& place, double strayed, RepeatedBlocks& found) {
  if (strayed <= most_strayed) return;
  std::erase_if(found.blocks, [&](const VariantBlock& block) { return block.variant == place; });
  found.absent[repeated_calls_of(place)] =
      fmt::format("{} of the steps call other operators than the step that was learnt", share_text(strayed));
}

void learn(const RepeatRequest& request, CallRepeater& repeater) {
  StepWindow window(request.run, request.run.steps.window);
  repeater.set_mode(CallRepeater::Mode::learn);
  for (int i = 0; i < learnt_windows; ++i) window.run(request.run.steps.window, false);
  repeater.set_mode(CallRepeater::Mode::off);
}

}  // namespace

RepeatedBlocks repeat_calls(const RepeatRequest& request) {
  RepeatedBlocks found;
  if (std::string reason = why_no_stack(); !reason.empty()) {
    found.absent[std::string(repeated_calls)] = std::move(reason);
    return found;
  }
  CallRepeater repeater(request.places);
  // The batch is known behind data_wait.
  request.altered.set_before([&](Boundary boundary) {
    repeater.enter(boundary, boundary == Boundary::data_wait ? 0 : request.altered.batch_info().shape);
  });
  learn(request, repeater);
  for (std::size_t i = 0; i < request.places.size(); ++i) {
    found.calls[request.places[i].name] = repeater.calls_of(i);
  }
  found.repeating_ns = repeater.repeating_ns();
  const std::vector<StepVariant> variants = variants_of(request, repeater);
  const std::int64_t step_us = std::max<std::int64_t>(1, least_of_ranks(request.run.agree, request.step_ns / 1000));
  found.blocks = run_variant_blocks({.run = request.run,
                                     .variants = variants,
                                     .plan = plan_blocks({.step_ns = step_us * 1000,
                                                          .variants = std::ssize(variants),
                                                          .window = request.run.steps.window,
                                                          .asked_steps = request.run.steps.profile,
                                                          .in_turns = request.in_turns,
                                                          .all_blocks_ns = repeated_blocks_ns}),
                                     .seed = request.seed,
                                     .in_turns = request.in_turns,
                                     .most_ns = 2 * repeated_blocks_ns});
  request.altered.set_before({});
  for (std::size_t i = 0; i < request.places.size(); ++i) {
    drop_strayed(request.places[i].name, repeater.strayed_share(i), found);
  }
  return found;
}

}  // namespace stepgate
