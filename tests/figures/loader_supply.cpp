// Measures what the loader pass adds to loading: batches per second of vision/photo_decode/tiny in the harness,
// compared with a bare loop over LibTorch's DataLoader with the same samples and workers, alternating in one process.
#include <torch/torch.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <vector>

#include "measure/device/cpu/cpu_backend.h"
#include "measure/device/cpu/cpu_copier.h"
#include "measure/passes/timed_passes.h"
#include "measure/step/torch_step.h"
#include "vision/photo_decode.h"

namespace {

using stepgate::Batch;

constexpr std::int64_t batches = 200;
constexpr int rounds = 9;

stepgate::CaseContext context_with(const char* data_dir) {
  stepgate::CaseContext context;
  context.seed = 1;
  context.data_dir = data_dir;
  return context;
}

/// The harness: the loader pass over the workload.
class Harness {
 public:
  explicit Harness(const stepgate::CaseContext& context)
      : workload_(stepgate::make_tiny_photo_decode(context)),
        copier_(stepgate::make_cpu_copier()),
        backend_(stepgate::make_cpu_backend(nullptr)),
        step_(*workload_, *copier_) {}

  double batches_per_s() {
    stepgate::StepCounts steps;
    steps.loader = batches;
    stepgate::TimedRun run{step_, *backend_, steps};
    const stepgate::TimedPass pass = stepgate::run_loader(run);
    double wall_ns = 0;
    for (const stepgate::Window& window : pass.windows) wall_ns += static_cast<double>(window.wall_ns);
    return static_cast<double>(batches) * 1e9 / wall_ns;
  }

 private:
  std::unique_ptr<stepgate::Workload> workload_;
  std::unique_ptr<stepgate::BatchCopier> copier_;
  std::unique_ptr<stepgate::Backend> backend_;
  stepgate::TorchStep step_;
};

/// The same samples by LibTorch's own loader, in the loop of its documentation.
class Bare {
 public:
  explicit Bare(const stepgate::CaseContext& context) {
    const stepgate::PhotoDecodeSize size = stepgate::tiny_photo_decode();
    const auto files = std::make_shared<const stepgate::PhotoFiles>(stepgate::load_photos(context.data_dir));
    const auto samples = std::make_shared<const stepgate::PhotoSamples>(files, size.photo, context.seed);
    loader_ = torch::data::make_data_loader(
        stepgate::ImageDataset(samples, false),
        stepgate::EpochSampler(samples->count(), context.seed, std::make_shared<const std::int64_t>(0)),
        torch::data::DataLoaderOptions(static_cast<std::size_t>(size.loader.batch_size))
            .workers(static_cast<std::size_t>(size.loader.workers))
            .max_jobs(static_cast<std::size_t>(size.loader.prefetch_batches)));
  }

  double batches_per_s() {
    std::int64_t drawn = 0;
    std::chrono::steady_clock::time_point start;
    for (Batch& batch : *loader_) {
      // As many as the loader pass excludes, so that both begin with a full queue.
      if (drawn == unrecorded) start = std::chrono::steady_clock::now();
      sink_ += batch.samples;
      if (drawn < unrecorded + batches) ++drawn;  // runs the epoch to its end, which begin() requires
      if (drawn == unrecorded + batches && !stop_) {
        stop_ = true;
        end_ = std::chrono::steady_clock::now();
      }
    }
    stop_ = false;
    return static_cast<double>(batches) / std::chrono::duration<double>(end_ - start).count();
  }

 private:
  static constexpr std::int64_t unrecorded = 20;
  std::unique_ptr<torch::data::StatelessDataLoader<stepgate::ImageDataset, stepgate::EpochSampler>> loader_;
  std::chrono::steady_clock::time_point end_;
  std::int64_t sink_ = 0;
  bool stop_ = false;
};

double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

}  // namespace

int main(int argc, char** argv) {
  const char* data_dir = argc > 1 ? argv[1] : std::getenv("STEPGATE_DATA_DIR");
  if (data_dir == nullptr) {
    std::fprintf(stderr, "usage: loader_supply DATA_DIR\n");
    return 2;
  }
  torch::manual_seed(1);
  at::set_num_threads(1);
  const auto context = context_with(data_dir);
  Harness harness(context);
  Bare bare(context);
  std::vector<double> by_harness;
  std::vector<double> by_hand;
  std::vector<double> ratios;
  for (int round = 0; round < rounds; ++round) {
    by_harness.push_back(harness.batches_per_s());
    by_hand.push_back(bare.batches_per_s());
    ratios.push_back(by_harness.back() / by_hand.back());
  }
  std::printf("batches/s of vision/photo_decode/tiny, median of %d interleaved rounds x %lld batches\n", rounds,
              static_cast<long long>(batches));
  std::printf("  LibTorch's DataLoader alone  %8.1f\n", median(by_hand));
  std::printf("  stepgate's loader pass       %8.1f   ratio %.3f (median of the rounds' ratios)\n", median(by_harness),
              median(ratios));
  return 0;
}
