// A copy of the workload language/char_lm/tiny with one fault, which STEPGATE_TEST_FAULT selects. Each fault is a usual
// mistake in real training code, so the gate must turn red for it, and for the right reason.
#include <ATen/Parallel.h>
#include <torch/torch.h>

#include <array>
#include <chrono>
#include <cmath>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <limits>
#include <list>
#include <memory>
#include <string_view>
#include <thread>
#include <vector>

#include "busy_thread.h"
#include "kept_resources.h"
#include "language/char_lm.h"
#include "stepgate/perftest.h"

namespace stepgate {
namespace {

/// One more operator per step, on a scalar.
class ExtraOperator : public CharLm {
 public:
  using CharLm::CharLm;

 protected:
  torch::Tensor loss_of(const torch::Tensor& logits, const torch::Tensor& targets) override {
    auto loss = CharLm::loss_of(logits, targets);
    const torch::NoGradGuard no_grad;
    static_cast<void>(loss.neg());
    return loss;
  }
};

/// The host reads the loss in every step.
class StrayItem : public CharLm {
 public:
  using CharLm::CharLm;

 protected:
  torch::Tensor loss_of(const torch::Tensor& logits, const torch::Tensor& targets) override {
    auto loss = CharLm::loss_of(logits, targets);
    static_cast<void>(loss.item<float>());
    return loss;
  }
};

/// An unnecessary copy of the logits into another layout.
class ContiguousCopy : public CharLm {
 public:
  using CharLm::CharLm;

 protected:
  torch::Tensor loss_of(const torch::Tensor& logits, const torch::Tensor& targets) override {
    return CharLm::loss_of(logits.transpose(1, 2).contiguous().transpose(1, 2), targets);
  }
};

/// The same loss, computed position by position instead of in one batch.
class PerTokenLoss : public CharLm {
 public:
  using CharLm::CharLm;

 protected:
  torch::Tensor loss_of(const torch::Tensor& logits, const torch::Tensor& targets) override {
    auto sum = torch::zeros({}, logits.options());
    for (std::int64_t position = 0; position < targets.size(1); ++position) {
      sum = sum + torch::cross_entropy_loss(logits.select(1, position), targets.select(1, position), /*weight=*/{},
                                            at::Reduction::Sum, ignored_target);
    }
    return sum / targets.ne(ignored_target).sum();
  }
};

/// The logits of a step stay alive until the next step replaces them.
class KeptActivation : public CharLm {
 public:
  using CharLm::CharLm;

 protected:
  torch::Tensor logits(const torch::Tensor& inputs) override {
    kept_ = CharLm::logits(inputs);
    return kept_;
  }

 private:
  torch::Tensor kept_;
};

/// The log keeps every loss with its graph.
class GraphLog : public CharLm {
 public:
  using CharLm::CharLm;
  void log_step(std::int64_t step, const torch::Tensor& loss) override {
    CharLm::log_step(step, loss);
    losses_.push_back(loss);
  }

 private:
  std::vector<torch::Tensor> losses_;
};

/// The log keeps a quarter of a megabyte of plain C++ memory per step, without a tensor or an operator.
class HostLeak : public CharLm {
 public:
  using CharLm::CharLm;
  void log_step(std::int64_t step, const torch::Tensor& loss) override {
    CharLm::log_step(step, loss);
    records_.emplace_back(256 * 1024);
  }

 private:
  std::list<std::vector<char>> records_;
};

/// The log keeps something else in each step (kept_resources.h).
template <void (*keep)()>
class Keeps : public CharLm {
 public:
  using CharLm::CharLm;
  void log_step(std::int64_t step, const torch::Tensor& loss) override {
    CharLm::log_step(step, loss);
    keep();
  }
};

/// Gradients accumulate, because they are never zeroed.
class ForgottenZeroGrad : public CharLm {
 public:
  using CharLm::CharLm;

 protected:
  void zero_gradients() override {}
};

/// Gradients are set to zero in place and kept, as zero_grad(false) does.
class GradientsZeroed : public CharLm {
 public:
  using CharLm::CharLm;

 protected:
  void zero_gradients() override {
    for (torch::Tensor parameter : parameters()) {
      if (!parameter.grad().defined()) continue;
      parameter.mutable_grad().detach_();
      parameter.mutable_grad().zero_();
    }
  }
};

/// The logits are converted and converted back in every step.
class ConvertedEachStep : public CharLm {
 public:
  using CharLm::CharLm;

 protected:
  torch::Tensor loss_of(const torch::Tensor& logits, const torch::Tensor& targets) override {
    return CharLm::loss_of(logits.to(torch::kDouble).to(torch::kFloat), targets);
  }
};

/// Batch normalisation of the logits, without parameters.
class BatchNormAdded : public CharLm {
 public:
  using CharLm::CharLm;

 protected:
  torch::Tensor loss_of(const torch::Tensor& logits, const torch::Tensor& targets) override {
    const auto normal = torch::batch_norm(logits.flatten(0, 1), /*weight=*/{}, /*bias=*/{}, /*running_mean=*/{},
                                          /*running_var=*/{}, /*training=*/true, /*momentum=*/0.1, /*eps=*/1e-5,
                                          /*cudnn_enabled=*/false);
    return CharLm::loss_of(normal.view(logits.sizes()), targets);
  }
};

/// The loss is 0.1 % too large.
class LossScaled : public CharLm {
 public:
  using CharLm::CharLm;

 protected:
  torch::Tensor loss_of(const torch::Tensor& logits, const torch::Tensor& targets) override {
    return CharLm::loss_of(logits, targets) * 1.001;
  }
};

/// From step 3 on the loss is not a number.
class NanLoss : public CharLm {
 public:
  using CharLm::CharLm;

 protected:
  torch::Tensor loss_of(const torch::Tensor& logits, const torch::Tensor& targets) override {
    const double factor = step_++ < 3 ? 1.0 : std::numeric_limits<double>::quiet_NaN();
    return CharLm::loss_of(logits, targets) * factor;
  }

 private:
  std::int64_t step_ = 0;
};

/// Forward takes 1.5 times as long, without additional work.
class SlowForward : public CharLm {
 public:
  using CharLm::CharLm;
  torch::Tensor forward(const Batch& batch) override {
    using Clock = std::chrono::steady_clock;
    const auto start = Clock::now();
    auto loss = CharLm::forward(batch);
    const auto end = start + (Clock::now() - start) * 3 / 2;
    while (Clock::now() < end) {
    }
    return loss;
  }
};

/// Asks LibTorch for two threads, whatever the launcher asked for.
class TwoThreads : public CharLm {
 public:
  TwoThreads(const CaseContext& context, const CharLmSize& size) : CharLm(context, size) { at::set_num_threads(2); }
};

/// Ends or hangs the process in the third step of each pass.
template <void (*final_act)()>
class EndsIn : public CharLm {
 public:
  using CharLm::CharLm;
  torch::Tensor forward(const Batch& batch) override {
    if (++steps_ == 3) final_act();
    return CharLm::forward(batch);
  }

 private:
  std::int64_t steps_ = 0;
};

void crash() { std::raise(SIGSEGV); }

/// Volatile, so that each level needs its place on the stack.
int deep(volatile int* above) {
  volatile int here = *above + 1;
  return here < 0 ? 0 : deep(&here) + here;
}

void stack_overflow() {
  volatile int none = 0;
  std::printf("%d\n", deep(&none));
}

void hang() {
  for (;;) std::this_thread::sleep_for(std::chrono::seconds(1));
}

class CrashesAtStart : public CharLm {
 public:
  CrashesAtStart(const CaseContext& context, const CharLmSize& size) : CharLm(context, size) { crash(); }
};

void zero_exit() { std::_Exit(0); }

void garbage() {
  std::puts("{\"schema\": {\"name\": \"stepgate.run\", }} \x01 not a record");
  std::fflush(stdout);
  std::_Exit(0);
}

template <typename Faulty>
std::unique_ptr<Workload> make(const CaseContext& context) {
  return std::make_unique<Faulty>(context, with_params(tiny_char_lm(), context.params));
}

/// One layer more than the case declares.
std::unique_ptr<Workload> make_deeper(const CaseContext& context) {
  CharLmSize size = with_params(tiny_char_lm(), context.params);
  ++size.layers;
  return std::make_unique<CharLm>(context, size);
}

struct Fault {
  std::string_view name;
  std::unique_ptr<Workload> (*make)(const CaseContext&);
};

constexpr auto faults = std::to_array<Fault>({
    {"none", make<CharLm>},
    {"extra_operator", make<ExtraOperator>},
    {"stray_item", make<StrayItem>},
    {"contiguous_copy", make<ContiguousCopy>},
    {"per_token_loss", make<PerTokenLoss>},
    {"kept_activation", make<KeptActivation>},
    {"graph_log", make<GraphLog>},
    {"host_leak", make<HostLeak>},
    {"kept_mapping", make<Keeps<keep_mapping>>},
    {"kept_descriptor", make<Keeps<keep_descriptor>>},
    {"kept_temporary_file", make<Keeps<keep_temporary_file>>},
    {"kept_thread", make<Keeps<keep_thread>>},
    {"kept_child", make<Keeps<keep_child>>},
    {"forgotten_zero_grad", make<ForgottenZeroGrad>},
    {"gradients_zeroed", make<GradientsZeroed>},
    {"converted_each_step", make<ConvertedEachStep>},
    {"batch_norm_added", make<BatchNormAdded>},
    {"deeper_model", make_deeper},
    {"loss_scaled", make<LossScaled>},
    {"nan_loss", make<NanLoss>},
    {"slow_forward", make<SlowForward>},
    {"two_threads", make<TwoThreads>},
    {"busy_thread", make<BusyThread>},
    {"crash", make<EndsIn<crash>>},
    {"crash_at_start", make<CrashesAtStart>},
    {"stack_overflow", make<EndsIn<stack_overflow>>},
    {"hang", make<EndsIn<hang>>},
    {"garbage", make<EndsIn<garbage>>},
    {"zero_exit", make<EndsIn<zero_exit>>},
});

const Fault* find_fault(std::string_view name) {
  for (const Fault& fault : faults) {
    if (fault.name == name) return &fault;
  }
  return nullptr;
}

}  // namespace
}  // namespace stepgate

int main(int argc, char** argv) {
  const char* asked = std::getenv("STEPGATE_TEST_FAULT");
  const auto* fault = stepgate::find_fault(asked == nullptr ? "none" : asked);
  if (fault == nullptr) {
    std::fprintf(stderr, "faulty_char_lm: STEPGATE_TEST_FAULT=%s is not known; known:", asked);
    for (const auto& known : stepgate::faults) std::fprintf(stderr, " %s", known.name.data());
    std::fputs("\n", stderr);
    return 2;
  }
  return stepgate::run_perftest(argc, argv,
                                {{.name = "language/char_lm/tiny",
                                  .make = fault->make,
                                  .params = stepgate::params_of(stepgate::tiny_char_lm())}});
}
