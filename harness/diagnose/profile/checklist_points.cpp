#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/record/clean_records.h"
#include "core/text/number_format.h"
#include "diagnose/patterns/find_patterns.h"
#include "diagnose/profile/checklist_replies.h"
#include "diagnose/profile/step/account.h"
#include "diagnose/profile/step/roofline.h"

namespace stepgate {
namespace {

// Shares of the step: XProf's moderate and severe levels of launch and other waits.
constexpr double look_from = 0.03;
constexpr double warn_from = 0.15;
/// Own choice: copies of layout below it are not worth a line.
constexpr double layout_look_from = 0.02;
/// Own choice: a tenth of the tokens is padding.
constexpr double padding_look_from = 0.10;
/// Own choice: a batch of images or tokens needs a handful of tensors.
constexpr double many_copies = 8;
/// Tensor Cores want operands of fp16 and bf16 in multiples of 8 (NVIDIA, "Matrix Multiplication Background").
constexpr std::int64_t alignment = 8;

std::string place_of(const OperatorRow& row) {
  if (!row.at) return " in " + row.site.boundary;
  if (row.at->line == 0) return " in " + row.at->function;
  return fmt::format(" at {}:{}", row.at->file, row.at->line);
}

/// Of the step; of all operators where no undisturbed step was timed.
double step_share(const ChecklistFacts& facts, double ns) {
  if (facts.profile.step.mean_ns > 0) return ns / facts.profile.step.mean_ns;
  double all_ns = 0;
  for (const OperatorRow& row : facts.profile.operators) all_ns += row.self_ns;
  return all_ns > 0 ? ns / all_ns : 0;
}

/// "3.1 % of the step"
std::string step_share_text(const ChecklistFacts& facts, double ns) {
  return share_text(step_share(facts, ns)) +
         (facts.profile.step.mean_ns > 0 ? " of the step" : " of the time of its operators");
}

Reply by_level(double found, std::string evidence) {
  if (found > warn_from) return {Answer::warning, std::move(evidence)};
  return {found > look_from ? Answer::look : Answer::ok, std::move(evidence)};
}

/// Absent where the step's operators were observed.
std::optional<Reply> unseen_operators(const ChecklistFacts& facts) {
  if (facts.profile.operators.empty()) return Reply{Answer::unknown, "no operator was observed"};
  // A workload of one call hides them: compiled code and a replayed graph call no operators.
  const bool hidden = is_one_call(facts) && !counted_per_step(facts.input.exact, "flops_per_step");
  if (hidden) return Reply{Answer::unknown, "the step is one call: most of its operators are not seen"};
  return std::nullopt;
}

Reply on_first_step(const ChecklistFacts& facts) {
  for (const RunRecord* record : facts.timed) {
    if (!record->warmup || record->absent.contains("first_step_ns")) continue;
    return {Answer::ok, fmt::format("the first step, {}, is kept apart; a steady one takes {}",
                                    duration_text(static_cast<double>(record->warmup->first_step_ns)),
                                    duration_text(facts.profile.step.mean_ns))};
  }
  return {Answer::unknown, "no process recorded a first step with an update"};
}

Reply on_pinning(const ChecklistFacts& facts) {
  if (!facts.gpu) return {Answer::needs_gpu, "batches stay on the CPU"};
  const auto copies = counted_per_step(facts.input.exact, "pageable_copies_per_step");
  if (!copies) return {Answer::unknown, "copies were not counted"};
  return {*copies > 0 ? Answer::warning : Answer::ok,
          "copies from pageable memory: " + count_text(*copies) + " a step"};
}

Reply on_small_tensors(const ChecklistFacts& facts) {
  if (!facts.gpu) return {Answer::needs_gpu, "batches stay on the CPU"};
  const auto copies = counted_per_step(facts.input.exact, "h2d_copies_per_step");
  if (!copies) return {Answer::unknown, "copies were not counted"};
  return {*copies > many_copies ? Answer::look : Answer::ok,
          "copies to the device: " + count_text(*copies) + " a step"};
}

Reply on_layout(const ChecklistFacts& facts) {
  if (auto unseen = unseen_operators(facts)) return *unseen;
  double self_ns = 0;
  double bytes = 0;
  const OperatorRow* largest = nullptr;
  for (const OperatorRow& row : facts.profile.operators) {
    const bool copies = row.site.name == "aten::contiguous" || row.site.name == "aten::clone" ||
                        (row.site.name == "aten::copy_" && row.site.boundary != name_of(Boundary::h2d));
    if (!copies) continue;
    self_ns += row.self_ns;
    bytes += static_cast<double>(row.site.bytes);
    if (largest == nullptr) largest = &row;  // rows come costliest first
  }
  if (largest == nullptr) return {Answer::ok, "nothing is copied for its layout"};
  const std::string evidence = fmt::format("{} moved by copies, {}; most{}", bytes_text(bytes),
                                           step_share_text(facts, self_ns), place_of(*largest));
  return {step_share(facts, self_ns) > layout_look_from ? Answer::look : Answer::ok, evidence};
}

Reply on_small_operators(const ChecklistFacts& facts) {
  const auto& account = facts.profile.account;
  if (facts.gpu) {
    const double idle = share_of_part(account, "device-idle");
    if (device_idle_shares(facts.timed).empty()) return {Answer::unknown, "the device's work was not traced"};
    return by_level(idle, fmt::format("the device idles for {} of the step", share_text(idle)));
  }
  if (auto unseen = unseen_operators(facts)) return *unseen;
  if (!are_known(facts.profile.peaks)) return {Answer::unknown, "the price of a call was not measured"};
  if (account.empty()) return {Answer::unknown, "no undisturbed process was timed"};
  const double dispatch = share_of_part(account, "dispatch");
  return by_level(dispatch, fmt::format("calling operators takes {} of the step", share_text(dispatch)));
}

bool is_product(const std::string& name) {
  static const std::vector<std::string> products = {"aten::mm", "aten::addmm", "aten::bmm", "aten::baddbmm"};
  return std::ranges::find(products, name) != products.end();
}

/// The last two sizes of each matrix.
bool is_aligned(const OperatorSite& site) {
  for (const ObservedTensor& input : site.inputs) {
    if (input.sizes.size() < 2) continue;
    for (std::size_t i = input.sizes.size() - 2; i < input.sizes.size(); ++i) {
      if (input.sizes[i] % alignment != 0) return false;
    }
  }
  return true;
}

Reply on_alignment(const ChecklistFacts& facts) {
  if (auto unseen = unseen_operators(facts)) return *unseen;
  double self_ns = 0;
  const OperatorRow* largest = nullptr;
  bool products = false;
  for (const OperatorRow& row : facts.profile.operators) {
    if (!is_product(row.site.name)) continue;
    products = true;
    if (is_aligned(row.site)) continue;
    self_ns += row.self_ns;
    if (largest == nullptr) largest = &row;
  }
  if (!products) return {Answer::not_applicable, "the step multiplies no matrices"};
  if (largest == nullptr) return {Answer::ok, "every matrix product has sizes in multiples of 8"};
  return {step_share(facts, self_ns) > look_from ? Answer::look : Answer::ok,
          fmt::format("products with sizes that are not multiples of 8 take {}; most{}",
                      step_share_text(facts, self_ns), place_of(*largest))};
}

Reply on_mixed_precision(const ChecklistFacts& facts) {
  if (auto unseen = unseen_operators(facts)) return *unseen;
  if (std::string text = first_match(facts, find_float64_work); !text.empty()) return {Answer::look, std::move(text)};
  const bool half = std::ranges::any_of(facts.profile.operators, [](const OperatorRow& row) {
    return !row.site.outputs.empty() &&
           (row.site.outputs.front().dtype == "bfloat16" || row.site.outputs.front().dtype == "float16");
  });
  if (half)
    return {Answer::unknown, "half precision is in use; `stepgate ab` of a build without it shows what it wins"};
  for (const ExperimentResult& result : facts.profile.experiments) {
    if (result.proof == Proof::predicted && result.remark.find("bfloat16") != std::string::npos) {
      return {Answer::look, fmt::format("{}: {} of the step, predicted", result.remark, share_text(*result.effect))};
    }
  }
  return {Answer::not_applicable, "no operator computes in half precision, and no replay predicts a gain"};
}

Reply on_scaler(const ChecklistFacts& facts) {
  if (const auto skips = counted_per_step(facts.input.exact, "amp_skips_per_step")) {
    return {*skips > 0 ? Answer::warning : Answer::ok,
            fmt::format("the loss scaler skipped {} updates a step", count_text(*skips))};
  }
  if (auto unseen = unseen_operators(facts)) return *unseen;
  const bool scales = std::ranges::any_of(facts.profile.operators, [](const OperatorRow& row) {
    return row.site.name.starts_with("aten::_amp_foreach_non_finite_check");
  });
  if (!scales) return {Answer::not_applicable, "no gradient is scaled"};
  return {Answer::look,
          "gradients are scaled, and skipped updates were not counted: tell of the scaler by loss_scaling()"};
}

Reply on_parallel_training(const ChecklistFacts& facts) {
  const bool exchanges = std::ranges::any_of(warm_steps(facts.ran, Pass::e2e),
                                             [](const StepSample* step) { return step->allreduce_ns.has_value(); });
  if (!exchanges) return {Answer::not_applicable, "one rank"};
  return {Answer::unknown, "no record holds the learning rate and the accumulation of gradients"};
}

Reply on_compilation(const ChecklistFacts& facts) {
  const Reply first = on_first_step(facts);
  if (is_one_call(facts)) return first;
  return {Answer::not_applicable,
          "the step is not a compiled graph" + (first.answer == Answer::ok ? "; " + first.evidence : "")};
}

/// Absent where the batches have no padding to tell of.
std::optional<double> padding_of(const Records& records) {
  double padded = 0;
  double effective = 0;
  for (const StepSample* step : warm_steps(records, Pass::e2e)) {
    padded += static_cast<double>(step->padded_tokens);
    effective += static_cast<double>(step->effective_tokens);
  }
  return padded > 0 && effective > 0 ? std::optional(1 - effective / padded) : std::nullopt;
}

Reply on_shapes(const ChecklistFacts& facts) {
  if (facts.ran.empty()) return {Answer::unknown, "no process was timed"};
  std::int64_t cold = 0;
  for (const RunRecord* record : facts.ran) {
    const TimedPass* pass = timed_pass(*record, Pass::e2e);
    if (pass == nullptr) continue;
    cold += std::ranges::count_if(pass->steps, [](const StepSample& step) { return step.cold_shape; });
  }
  const double padded = padding_of(facts.ran).value_or(0);
  const std::string evidence =
      fmt::format("{} with a new shape after warm-up, {} padding", counted(cold, "step"), share_text(padded));
  return {cold > 0 || padded > padding_look_from ? Answer::look : Answer::ok, evidence};
}

Reply on_tokens(const ChecklistFacts& facts) {
  if (facts.profile.step.steps == 0) return {Answer::unknown, "no undisturbed process was timed"};
  const auto tokens = facts.profile.throughput.find("effective_tokens_per_s");
  if (tokens == facts.profile.throughput.end()) return {Answer::not_applicable, "the workload has no tokens"};
  return {Answer::ok, fmt::format("{} without padding", quantity_text(MetricUnit::tokens_per_s, tokens->second))};
}

constexpr std::array point_table = {
    ChecklistRow{"points", "1", "warm-up and synchronisation", reply_on_warm_up, true},
    ChecklistRow{"points", "2", "a steady step, not the first one", on_first_step, true},
    ChecklistRow{"points", "3", "no item(), print or copy to the host in the step", reply_on_syncs},
    ChecklistRow{"points", "4", "the loader keeps up", reply_on_loader, true},
    ChecklistRow{"points", "5", "pinned memory, copies that do not wait", on_pinning},
    ChecklistRow{"points", "6", "few tensors a batch", on_small_tensors},
    ChecklistRow{"points", "7", "no copies for the layout", on_layout, true},
    ChecklistRow{"points", "8", "operators large enough to be worth their call", on_small_operators, true},
    ChecklistRow{"points", "9", "sizes that fit the units", on_alignment, true},
    ChecklistRow{"points", "10", "mixed precision that helps", on_mixed_precision},
    ChecklistRow{"points", "11", "scaled gradients that do not overflow", on_scaler},
    ChecklistRow{"points", "12", "what makes the peak of memory", reply_on_memory},
    ChecklistRow{"points", "13", "ranks, accumulation, scheduler", on_parallel_training, true},
    ChecklistRow{"points", "14", "evidence for the direction", reply_on_experiments, true},
    ChecklistRow{"points", "15", "first and steady step of compiled graphs", on_compilation, true},
    ChecklistRow{"points", "16", "few shapes, little padding", on_shapes, true},
    ChecklistRow{"points", "17", "throughput of tokens that count", on_tokens, true},
    ChecklistRow{"points", "18", "the loss still falls", reply_on_numerics},
};

}  // namespace

std::span<const ChecklistRow> point_rows() { return point_table; }

}  // namespace stepgate
