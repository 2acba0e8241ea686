#include "measure/profile/experiments/step_variants.h"

#include <algorithm>
#include <iterator>
#include <optional>

#include "core/study/experiment.h"
#include "measure/device/spare_cpu.h"
#include "measure/profile/experiments/fused_update.h"
#include "measure/profile/experiments/spare_core.h"

namespace stepgate {
namespace {

constexpr const char* loop_owns_it = "the user's loop owns its batches and its optimizer: write a workload to run this";

/// What an experiment needs of the step, with the reasons where it is not there.
enum class Needs {
  nothing,    ///< or what its function looks for itself
  batches,    ///< needs batches that stepgate draws: not a loop of the user's own
  optimizer,  ///< that can be left out or replaced, and the batches
};

std::string unmet(Needs needs, const VariantRequest& request) {
  if (needs == Needs::nothing) return "";
  if (request.step == nullptr) return loop_owns_it;
  return needs == Needs::optimizer ? std::string(request.step->keeps_optimizer()) : "";
}

/// Makes the variants of one experiment, or returns why there are none.
using MakeVariants = std::string (*)(const VariantRequest& request, std::vector<StepVariant>& variants);

StepVariant with_batches(KeptBatches kept, const VariantRequest& request) {
  TorchStep* step = request.step;
  return {.prepare = [step, kept, count = request.run.steps.window] { step->keep_batches(kept, count); },
          .begin = [step, kept] { step->use_batches(kept); },
          .end = [step] { step->use_batches(KeptBatches::none); },
          .undo = [step, kept] { step->drop_batches(kept); },
          .keep_rhythm = [step] { step->skip_batch(); }};
}

std::string synthetic_batch(const VariantRequest& request, std::vector<StepVariant>& variants) {
  variants.push_back(with_batches(KeptBatches::on_device, request));
  return "";
}

std::string resident_batch(const VariantRequest& request, std::vector<StepVariant>& variants) {
  variants.push_back(with_batches(KeptBatches::on_host, request));
  return "";
}

std::string delayed_loader(const VariantRequest& request, std::vector<StepVariant>& variants) {
  if (request.loader.unclear) return std::string(too_fast_to_delay);
  for (const std::int64_t delay_ns : {request.delay_ns, 2 * request.delay_ns}) {
    AlteredStep* altered = &request.altered;
    variants.push_back({.delay_ns = delay_ns,
                        .begin = [altered, pace = LoaderPace(request.loader, delay_ns)] { altered->set_pace(pace); },
                        .end = [altered] { altered->set_pace(std::nullopt); }});
  }
  return "";
}

std::string extra_sync(const VariantRequest& request, std::vector<StepVariant>& variants) {
  if (!request.on_cuda) return "a CPU has nothing to wait for";
  AlteredStep* altered = &request.altered;
  variants.push_back({.begin = [altered] { altered->set_sync(true); }, .end = [altered] { altered->set_sync(false); }});
  return "";
}

std::string optimizer_skipped(const VariantRequest& request, std::vector<StepVariant>& variants) {
  TorchStep* step = request.step;
  if (step->parameters().empty()) return "its parameters are not known";
  variants.push_back(
      {.begin = [step] { step->replace_optimizer([parameters = step->parameters()] { drop_gradients(parameters); }); },
       .end = [step] { step->replace_optimizer({}); }});
  return "";
}

/// Values of the parameters, to be put back.
std::vector<torch::Tensor> copies_of(const std::vector<torch::Tensor>& parameters) {
  const torch::NoGradGuard no_grad;
  std::vector<torch::Tensor> copies;
  for (const torch::Tensor& parameter : parameters) copies.push_back(parameter.detach().clone());
  return copies;
}

void put_back(const std::vector<torch::Tensor>& values, const std::vector<torch::Tensor>& parameters) {
  const torch::NoGradGuard no_grad;
  for (std::size_t i = 0; i < values.size(); ++i) torch::Tensor(parameters[i]).copy_(values[i]);
}

std::string exchange_off(const VariantRequest& request, std::vector<StepVariant>& variants) {
  if (request.ranks == 1) return "one rank exchanges nothing";
  if (request.step == nullptr) return loop_owns_it;
  TorchStep* step = request.step;
  if (step->exchange_switch() == nullptr)
    return "the workload cannot leave its exchange out: implement stepgate/exchange_switch.h";
  // Each rank trains on alone meanwhile, with its own gradients.
  const auto values = std::make_shared<std::vector<torch::Tensor>>();
  variants.push_back({.prepare = [step, values] { *values = copies_of(step->parameters()); },
                      .begin = [step] { step->exchange_switch()->set_exchange(false); },
                      .end = [step] { step->exchange_switch()->set_exchange(true); },
                      .undo =
                          [step, values] {
                            put_back(*values, step->parameters());
                            values->clear();
                          },
                      // A rank that is ahead would make the next step wait, which may exchange.
                      .may_take_turns = false});
  return "";
}

std::string optimizer_fused(const VariantRequest& request, std::vector<StepVariant>& variants) {
  if (!request.optimizer.kind) return request.optimizer.refused;
  TorchStep* step = request.step;
  const FusedUpdateOptions options{
      .kind = *request.optimizer.kind, .clips = request.optimizer.clips, .momentum = request.optimizer.momentum};
  const auto values = std::make_shared<std::vector<torch::Tensor>>();
  const auto update = std::make_shared<std::optional<FusedUpdate>>();
  variants.push_back({.prepare =
                          [step, options, values, update] {
                            *values = copies_of(step->parameters());
                            update->emplace(step->parameters(), options);
                          },
                      .begin = [step, update] { step->replace_optimizer([update] { (*update)->step(); }); },
                      .end = [step] { step->replace_optimizer({}); },
                      .undo =
                          [step, values, update] {
                            put_back(*values, step->parameters());
                            values->clear();
                            update->reset();
                          }});
  return "";
}

std::string logging_off(const VariantRequest& request, std::vector<StepVariant>& variants) {
  StepSwitches* switches = request.altered.abilities().switches;
  if (switches == nullptr) return "a loop of its own cannot be run without its logging";
  variants.push_back(
      {.begin = [switches] { switches->set_logging(false); }, .end = [switches] { switches->set_logging(true); }});
  return "";
}

template <SpareCoreLoad load>
std::string busy_spare_core(const VariantRequest& request, std::vector<StepVariant>& variants) {
  if (request.on_cuda) return "not built yet for a GPU";
  if (request.ranks > 1) return "the other ranks run on the CPUs that could take bandwidth";
  const auto cpu = spare_cpu();
  if (!cpu) return "no spare CPU: one outside the CPUs of this process and their cores";
  const auto core = std::make_shared<std::optional<BusySpareCore>>();
  variants.push_back({.begin = [core, cpu = *cpu] { core->emplace(cpu, load); },
                      .end = [core] { core->reset(); },
                      .may_take_turns = false});
  return "";
}

struct VariantRow {
  Experiment experiment;
  Needs needs;
  MakeVariants make;
};
constexpr VariantRow variant_rows[] = {
    {Experiment::synthetic_batch, Needs::batches, synthetic_batch},
    {Experiment::delayed_loader, Needs::batches, delayed_loader},
    {Experiment::resident_batch, Needs::batches, resident_batch},
    {Experiment::extra_sync, Needs::nothing, extra_sync},
    {Experiment::exchange_off, Needs::nothing, exchange_off},
    {Experiment::optimizer_skipped, Needs::optimizer, optimizer_skipped},
    {Experiment::optimizer_fused, Needs::optimizer, optimizer_fused},
    {Experiment::logging_off, Needs::nothing, logging_off},
    {Experiment::busy_core, Needs::nothing, busy_spare_core<SpareCoreLoad::computes>},
    {Experiment::bandwidth_thief, Needs::nothing, busy_spare_core<SpareCoreLoad::copies>},
};

constexpr bool has_variant(Experiment experiment) {
  return std::any_of(std::begin(variant_rows), std::end(variant_rows),
                     [&](const VariantRow& row) { return row.experiment == experiment; });
}
static_assert(std::all_of(experiment_table.begin(), experiment_table.end(),
                          [](const ExperimentRow& row) {
                            return (row.arrangement == Arrangement::block) == has_variant(row.experiment);
                          }),
              "the experiments that run in blocks are those that have a row here");

}  // namespace

StepVariants step_variants(const VariantRequest& request) {
  StepVariants found;
  found.variants.push_back({.name = "baseline"});
  for (const VariantRow& row : variant_rows) {
    const std::string name(name_of(row.experiment));
    std::vector<StepVariant> variants;
    std::string reason = unmet(row.needs, request);
    if (reason.empty()) reason = row.make(request, variants);
    if (!reason.empty()) found.absent[name] = std::move(reason);
    for (StepVariant& variant : variants) {
      variant.name = name;
      found.variants.push_back(std::move(variant));
    }
  }
  return found;
}

void keep_chosen(const std::vector<Experiment>& chosen, StepVariants& variants) {
  if (chosen.empty()) return;
  std::erase_if(variants.variants, [&](const StepVariant& variant) {
    const auto experiment = experiment_named(variant.name);
    return experiment && std::ranges::find(chosen, *experiment) == chosen.end();
  });
}

}  // namespace stepgate
