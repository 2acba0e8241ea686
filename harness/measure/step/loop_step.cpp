#include "measure/step/loop_step.h"

#include <fmt/format.h>

#include <utility>

#include "core/error.h"
#include "measure/step/inference/inference_boundaries.h"
#include "measure/step/torch_step.h"

namespace stepgate {
namespace {

/// Unwinds a loop that is to end. No std::exception, so that a loop which logs those and goes on lets it through.
struct LoopOver {};

constexpr const char* mark_all =
    "mark the same boundaries in every step, in the order of stepgate/step_marks.h, also where one has nothing to do; "
    "boundaries of your own in the order of the first step";
constexpr const char* mark_once =
    "set each mark once per step, after the last time that its part runs; call marks.next_step() before each step";

constexpr const char* begin_steps = "call marks.next_step() before each step: while (marks.next_step()) { ... }";
constexpr const char* one_kind = "a loop trains or answers requests: give each a case of its own";

constexpr const char* tells_no_modules = "the loop did not call marks.training_modules()";

[[noreturn]] void refuse(std::int64_t step, const std::string& what, const std::string& remedy) {
  throw Error(ErrorKind::usage, fmt::format("step {}: the loop {}", step, what), remedy);
}

/// For a name that refused_boundary_name() refuses.
std::string better_name(std::string_view name) {
  if (const auto known = boundary_named(name)) {
    return fmt::format("choose another name, for example \"own_{}\"; marks.{}() ends stepgate's {}", name,
                       row_of(*known).mark, name);
  }
  if (name.size() > max_boundary_name) return "shorten the name";
  return "name a boundary of your own with lower case letters, digits and underscores";
}

}  // namespace

LoopStep::LoopStep(LoopFunction loop, const CaseContext& context)
    : loop_(std::move(loop)), context_(context), fiber_([this] { run_loop(); }) {
  fiber_.resume();
  if (fiber_.ended()) {
    throw Error(ErrorKind::usage, "the loop ended without a step", "call marks.next_step() before each step");
  }
}

LoopStep::~LoopStep() {
  try {
    if (!stopping_) finish();
  } catch (...) {  // finish() reports what the loop throws
  }
}

void LoopStep::run_loop() {
  try {
    loop_(*this, context_);
  } catch (const LoopOver&) {
  }
  read_scaling_ = nullptr;  // the scaler is gone with the loop, as the modules are
  read_modules_ = nullptr;
}

void LoopStep::finish() {
  stopping_ = true;
  if (!fiber_.ended()) fiber_.resume();
  if (!ignored_) return;
  throw Error(ErrorKind::usage, "the loop went on after marks.next_step() had returned false",
              "leave the training loop there: while (marks.next_step()) { ... }");
}

bool LoopStep::may_be_unmarked(Boundary boundary) const {
  return boundary != Boundary::data_wait && (answers_ || boundary != Boundary::forward);
}

void LoopStep::run_until(Boundary boundary) {
  if (!is_own(boundary) && unmarked_.test(static_cast<std::size_t>(boundary))) return;
  expected_ = boundaries_.place_of(boundary);
  if (expected_ == 0 || ended_ <= expected_) {
    enter(boundary, step_);
    fiber_.resume();
  }
  if (fiber_.ended()) {
    refuse(step_, "ended by itself", "let it run for as long as marks.next_step() returns true, epoch after epoch");
  }
  // In the first step a boundary of the loop's own may have taken the place.
  if (ended_ == expected_ + 1) return;
  if (ended_ <= expected_) {
    refuse(step_, fmt::format("called {}, which its first step did not", mark_at(ended_ - 1)), mark_all);
  }
  if (step_ > 0 || !may_be_unmarked(boundary)) {
    refuse(step_, fmt::format("did not call {}", mark_of(boundary)), mark_all);
  }
  unmarked_.set(static_cast<std::size_t>(boundary));
}

void LoopStep::run(Boundary boundary, std::int64_t /*step*/) {
  if (boundary == Boundary::data_wait) tokens_.begin();
  boundary == Boundary::logging ? log() : run_until(boundary);
}

void LoopStep::log() {
  if (graphs_) graphs_->before_logging(watched_loss_);
  run_until(Boundary::logging);
  // The loop's own variable goes out of scope with its step.
  if (graphs_) graphs_->after_logging(watched_loss_, 1);
}

void LoopStep::release() {
  if (graphs_) graphs_->release(watched_loss_);
  watched_loss_.reset();
  further_losses_.clear();
  loss_ = nullptr;
  leave_step(++step_);
}

std::map<std::string, std::int64_t> LoopStep::held_graphs() const {
  if (!graphs_) return {};
  return answers_ ? held_since_infer(graphs_->held()) : graphs_->held();
}

std::optional<LossScaling> LoopStep::loss_scaling() const {
  return read_scaling_ ? std::optional(read_scaling_()) : std::nullopt;
}

std::optional<std::vector<TrainingModule>> LoopStep::training_modules() const {
  return read_modules_ ? std::optional(read_modules_()) : std::nullopt;
}

Boundary LoopStep::loss_boundary() const {
  return answers_ ? boundaries_.find(infer_name).value() : TensorStep::loss_boundary();
}

StepAbilities LoopStep::abilities() {
  StepAbilities abilities = TensorStep::abilities();
  if (answers_) abilities.answers = this;
  return abilities;
}

StepFacts LoopStep::facts(const PassSeen& seen) const {
  std::map<std::string, std::string> absent =
      absent_in_loop(seen.group, {boundaries_, unmarked_, tensors_given_, !parameters_.empty(), answers_});
  absent.merge(unsaved_in_loop(seen.group, seen.steps));
  StepFacts facts{.absent = std::move(absent)};
  if (!answers_) return facts;
  if (seen.group == Group::exact && !read_modules_) facts.absent["training_modules"] = tells_no_modules;
  facts.inference = seen_.with(training_modules());
  return facts;
}

std::string LoopStep::mark_of(Boundary boundary) const {
  if (answers_ && boundaries_.name(boundary) == infer_name) return "marks.infer_done()";
  if (answers_ && boundaries_.name(boundary) == post_name) return "marks.answer_done()";
  return boundaries_.mark(boundary);
}

// The rest runs on the fiber, called by the loop.

/// An outer loop over epochs asks again in its next epoch. What it does between two epochs may take long, and the
/// number of epochs is often a million, so the second time ends it.
bool LoopStep::over() {
  if (refused_) throw LoopOver();
  refused_ = true;
  return false;
}

bool LoopStep::next_step() {
  if (stopping_) return over();
  if (begun_ && ended_ == 0) return true;  // no mark since the last call: an epoch ended while waiting for data
  begun_ = true;
  ended_ = boundaries_.order().size();
  fiber_.pause();
  if (stopping_) return over();
  ended_ = 0;
  return true;
}

void LoopStep::refuse_early(std::string_view mark) const {
  refuse(step_, fmt::format("called {} before marks.next_step()", mark), begin_steps);
}

void LoopStep::require_training(Boundary boundary) const {
  if (!answers_ || stopping_) return;
  refuse(step_, fmt::format("called {}, and it answers requests: it called marks.infer_done()", mark_of(boundary)),
         one_kind);
}

void LoopStep::end(Boundary boundary) {
  if (stopping_) {
    ignored_ = true;
    throw LoopOver();
  }
  if (!begun_) refuse_early(mark_of(boundary));
  const std::size_t place = boundaries_.place_of(boundary);
  if (place < ended_) {
    const bool again = is_own(boundary) || !unmarked_.test(static_cast<std::size_t>(boundary));
    refuse(step_,
           fmt::format("called {}{} after {}", mark_of(boundary), again ? " a second time," : "", mark_at(ended_ - 1)),
           again ? mark_once : mark_all);
  }
  ended_ = place + 1;
  fiber_.pause();
  if (stopping_) throw LoopOver();  // a pass failed in the middle of a step
}

void LoopStep::loaded(const StepWork& work) {
  batch_ = {.samples = work.samples,
            .padded_tokens = work.padded_tokens,
            .effective_tokens = work.effective_tokens,
            .flops = work.flops};
  end(Boundary::data_wait);
}

void LoopStep::copied(TensorView on_device) {
  batch_.h2d_copies = static_cast<std::int64_t>(on_device.size());
  const at::ArrayRef<torch::Tensor> tensors(on_device.data(), on_device.size());
  for (const torch::Tensor& tensor : tensors) batch_.h2d_bytes += static_cast<std::int64_t>(tensor.nbytes());
  batch_.shape = shape_hash(tensors);
  if (graphs_) input_sizes_ = sizes_text(tensors);
  tensors_given_ = tensors_given_ || !tensors.empty();
  end(Boundary::h2d);
}

void LoopStep::forward_done(const torch::Tensor& loss) {
  require_training(Boundary::forward);
  require_trainable(loss, "marks.forward_done() was given");
  loss_ = &loss;
  if (graphs_) watched_loss_ = loss;
  watch_loss(forward_loss, loss, step_);
  end(Boundary::forward);
  loss_ = nullptr;
}

void LoopStep::backward_done() {
  require_training(Boundary::backward);
  end(Boundary::backward);
}

void LoopStep::optimizer_done() {
  require_training(Boundary::optimizer);
  end(Boundary::optimizer);
}

void LoopStep::infer_done(const torch::Tensor& answer) {
  if (stopping_) return end(Boundary::logging);  // unwinds the loop
  if (!begun_) refuse_early("marks.infer_done()");
  if (!answer.defined()) {
    refuse(step_, "gave marks.infer_done() an undefined tensor", "give it the answer, or one tensor of it");
  }
  if (ended_ > boundaries_.place_of(Boundary::forward)) {
    refuse(step_, "called marks.infer_done() after marks.forward_done()", one_kind);
  }
  if (!answers_ && step_ > 0) refuse(step_, "called marks.infer_done(), which its first step did not", mark_all);
  answers_ = true;
  seen_.note(answer);
  if (graphs_) watched_loss_ = answer;
  if (keeps_losses_) number_ = answer_number(answer);
  loss_ = &number_;
  end_own(infer_name, nullptr);
}

void LoopStep::answer_done() {
  if (stopping_) return end(Boundary::logging);  // unwinds the loop
  if (!begun_) refuse_early("marks.answer_done()");
  if (!answers_) {
    refuse(step_, "called marks.answer_done() before marks.infer_done()",
           "call marks.infer_done(answer) where the answer is computed, and marks.answer_done() where it can be sent");
  }
  end_own(post_name, nullptr);
}

void LoopStep::end_own(std::string_view name, const torch::Tensor* loss) {
  auto known = boundaries_.find(name);
  if (!known || !is_own(*known)) {
    if (stopping_) return end(Boundary::logging);  // unwinds the loop
    const std::string call = fmt::format("called marks.boundary(\"{}\")", name);
    if (!begun_) refuse_early(fmt::format("marks.boundary(\"{}\")", name));
    refuse_name(name, call);
    if (step_ > 0) refuse(step_, call + ", which its first step did not", mark_all);
    known = boundaries_.insert(expected_, name);
    name_place(*known, name);
  }
  if (loss != nullptr) {
    watch_loss(own_loss(static_cast<std::size_t>(*known) - boundary_count), *loss, step_);
    note_loss(name, *loss);
  }
  end(*known);
}

void LoopStep::refuse_name(std::string_view name, const std::string& call) const {
  const std::string_view why = refused_boundary_name(name);
  if (!why.empty()) refuse(step_, fmt::format("{}: {}", call, why), better_name(name));
  if (boundaries_.own().size() < max_own_boundaries) return;
  refuse(step_, fmt::format("{}: a step has at most {} boundaries of the loop's own", call, max_own_boundaries),
         "let one boundary contain several parts of the step");
}

void LoopStep::note_loss(std::string_view name, const torch::Tensor& loss) {
  if (!keeps_losses_) return;
  require_number(loss, fmt::format("marks.boundary(\"{}\") was given", name));
  further_losses_[std::string(name)] = loss.detach().clone();  // the loop may change it in place
}

void LoopStep::parameters(TensorView all) { parameters_.assign(all.data(), all.data() + all.size()); }

void LoopStep::loss_scaling(std::function<LossScaling()> read) {
  // Later its count would be compared with none.
  if (begun_) refuse(step_, "called marks.loss_scaling() within its steps", "call it before the first next_step()");
  read_scaling_ = std::move(read);
}

void LoopStep::training_modules(std::function<std::vector<TrainingModule>()> read) { read_modules_ = std::move(read); }

}  // namespace stepgate
