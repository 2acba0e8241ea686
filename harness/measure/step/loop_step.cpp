#include "measure/step/loop_step.h"

#include <fmt/format.h>

#include <utility>

#include "core/error.h"
#include "measure/step/torch_step.h"

namespace stepgate {
namespace {

/// Unwinds a loop that is to end. No std::exception, so that a loop which logs those and goes on lets it through.
struct LoopOver {};

// An outer loop over epochs asks once per epoch. A loop with endless epochs is unwound after this many refusals, which
// takes milliseconds.
constexpr std::int64_t most_refusals = 10'000;

constexpr const char* mark_all =
    "mark the same boundaries in every step, in the order of stepgate/step_marks.h, also where one has nothing to do";

constexpr std::string_view mark_of(Boundary boundary) {
  constexpr std::array<std::string_view, boundary_count> marks = {"loaded",        "copied",         "forward_done",
                                                                  "backward_done", "optimizer_done", "next_step"};
  return marks[static_cast<std::size_t>(boundary)];
}

constexpr bool may_be_unmarked(Boundary boundary) {
  return boundary != Boundary::data_wait && boundary != Boundary::forward;
}

[[noreturn]] void refuse(std::int64_t step, const std::string& what, const char* remedy) {
  throw Error(ErrorKind::usage, fmt::format("the loop {} in step {}", what, step), remedy);
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
}

void LoopStep::finish() {
  stopping_ = true;
  if (!fiber_.ended()) fiber_.resume();
  if (!ignored_) return;
  throw Error(ErrorKind::usage, "the loop went on after marks.next_step() had returned false",
              "leave the training loop there: while (marks.next_step()) { ... }");
}

void LoopStep::run_until(Boundary boundary) {
  const auto index = static_cast<std::size_t>(boundary);
  if (unmarked_.test(index)) return;
  if (boundary == Boundary::data_wait || ended_ <= index) fiber_.resume();
  if (fiber_.ended()) {
    refuse(step_, "ended by itself", "let it run for as long as marks.next_step() returns true, epoch after epoch");
  }
  if (ended_ == index + 1) return;
  if (ended_ <= index) {
    refuse(step_, fmt::format("called marks.{}(), which its first step did not", mark_of(all_boundaries[ended_ - 1])),
           mark_all);
  }
  if (step_ > 0 || !may_be_unmarked(boundary)) {
    refuse(step_, fmt::format("did not call marks.{}()", mark_of(boundary)), mark_all);
  }
  unmarked_.set(index);
}

void LoopStep::log(std::int64_t /*step*/) {
  if (graphs_) graphs_->before_logging(watched_loss_);
  run_until(Boundary::logging);
  // The loop's own variable goes out of scope with its step.
  if (graphs_) graphs_->after_logging(watched_loss_, 1);
}

void LoopStep::release() {
  if (graphs_) graphs_->release(watched_loss_);
  watched_loss_.reset();
  loss_ = nullptr;
  ++step_;
}

void LoopStep::keep_batch(bool /*resident*/) {
  throw Error(ErrorKind::usage, "pass synthetic cannot run over a loop of its own", "write a workload");
}

void LoopStep::set_logging(bool /*on*/) {
  throw Error(ErrorKind::usage, "pass logging cannot run over a loop of its own", "write a workload");
}

std::map<std::string, std::int64_t> LoopStep::held_graphs() const {
  return graphs_ ? graphs_->held() : std::map<std::string, std::int64_t>{};
}

StepPlace LoopStep::place() const { return {all_boundaries[std::min(ended_, boundary_count - 1)], step_}; }

LoopFacts LoopStep::facts() const { return {unmarked_, tensors_given_, !parameters_.empty()}; }

// The rest runs on the fiber, called by the loop.

bool LoopStep::over() {
  if (++refusals_ > most_refusals) throw LoopOver();
  return false;
}

bool LoopStep::next_step() {
  if (stopping_) return over();
  if (begun_ && ended_ == 0) return true;  // no mark since the last call: an epoch ended while waiting for data
  begun_ = true;
  ended_ = boundary_count;
  fiber_.pause();
  if (stopping_) return over();
  ended_ = 0;
  return true;
}

void LoopStep::end(Boundary boundary) {
  if (stopping_) {
    ignored_ = true;
    throw LoopOver();
  }
  const auto index = static_cast<std::size_t>(boundary);
  if (!begun_) refuse(step_, fmt::format("called marks.{}() before marks.next_step()", mark_of(boundary)), mark_all);
  if (index < ended_) {
    refuse(step_,
           fmt::format("called marks.{}() after marks.{}()", mark_of(boundary), mark_of(all_boundaries[ended_ - 1])),
           mark_all);
  }
  ended_ = index + 1;
  fiber_.pause();
  if (stopping_) throw LoopOver();  // a pass failed in the middle of a step
}

void LoopStep::loaded(const StepWork& work) {
  batch_ = {.samples = work.samples, .padded_tokens = work.padded_tokens, .effective_tokens = work.effective_tokens};
  end(Boundary::data_wait);
}

void LoopStep::copied(TensorView on_device) {
  batch_.h2d_copies = static_cast<std::int64_t>(on_device.size());
  const at::ArrayRef<torch::Tensor> tensors(on_device.data(), on_device.size());
  for (const torch::Tensor& tensor : tensors) batch_.h2d_bytes += static_cast<std::int64_t>(tensor.nbytes());
  batch_.shape = shape_hash(tensors);
  tensors_given_ = tensors_given_ || !tensors.empty();
  end(Boundary::h2d);
}

void LoopStep::forward_done(const torch::Tensor& loss) {
  require_trainable(loss, "marks.forward_done() was given");
  loss_ = &loss;
  if (graphs_) watched_loss_ = loss;
  end(Boundary::forward);
  loss_ = nullptr;
}

void LoopStep::parameters(TensorView all) { parameters_.assign(all.data(), all.data() + all.size()); }

}  // namespace stepgate
