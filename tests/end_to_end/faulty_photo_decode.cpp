// A copy of the workload vision/photo_decode/tiny with two loader workers and one fault in the input path, which
// STEPGATE_TEST_FAULT selects.
#include <torch/torch.h>

#include <array>
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string_view>
#include <vector>

#include "stepgate/perftest.h"
#include "vision/photo_decode.h"

namespace stepgate {
namespace {

PhotoDecodeSize two_workers() {
  PhotoDecodeSize size = tiny_photo_decode();
  size.loader.workers = 2;
  size.loader.prefetch_batches = 4;
  return size;
}

/// Every second photograph is decoded twice: the loader's work grows by half.
class SlowSamples : public PhotoSamples {
 public:
  using PhotoSamples::PhotoSamples;

 protected:
  RgbImage decode(std::int64_t photo) const override {
    if (decoded_.fetch_add(1) % 2 == 1) static_cast<void>(PhotoSamples::decode(photo));
    return PhotoSamples::decode(photo);
  }

 private:
  mutable std::atomic<std::int64_t> decoded_ = 0;
};

class SlowLoader : public PhotoDecode {
 public:
  using PhotoDecode::PhotoDecode;

 protected:
  std::shared_ptr<const ImageSamples> make_samples() const override {
    return std::make_shared<const SlowSamples>(files(), photo_shape(), seed());
  }
};

class OneWorkerLess : public PhotoDecode {
 public:
  using PhotoDecode::PhotoDecode;

 protected:
  LoaderShape loader_shape() const override {
    LoaderShape shape = PhotoDecode::loader_shape();
    if (shape.workers > 0) --shape.workers;
    return shape;
  }
};

/// Each image of the batch is copied separately.
class SplitBatch : public PhotoDecode {
 public:
  using PhotoDecode::PhotoDecode;
  Batch next_batch() override {
    Batch batch = PhotoDecode::next_batch();
    std::vector<torch::Tensor> tensors;
    for (const torch::Tensor& image : batch.tensors.front().unbind()) tensors.push_back(image.clone());
    tensors.push_back(batch.tensors.back());
    batch.tensors = tensors;
    return batch;
  }
  torch::Tensor forward(const Batch& batch) override {
    Batch whole = batch;
    const std::vector<torch::Tensor> images(batch.tensors.begin(), batch.tensors.end() - 1);
    whole.tensors = {torch::stack(images), batch.tensors.back()};
    return PhotoDecode::forward(whole);
  }
};

/// The loader converts the images to double.
class Upcast : public PhotoDecode {
 public:
  using PhotoDecode::PhotoDecode;
  Batch next_batch() override {
    Batch batch = PhotoDecode::next_batch();
    batch.tensors.front() = batch.tensors.front().to(torch::kFloat64);
    return batch;
  }
  torch::Tensor forward(const Batch& batch) override {
    Batch narrow = batch;
    narrow.tensors.front() = batch.tensors.front().to(torch::kFloat32);
    return PhotoDecode::forward(narrow);
  }
};

/// Images are mirrored in the step instead of in the loader.
class HotAugmentation : public PhotoDecode {
 public:
  using PhotoDecode::PhotoDecode;

 protected:
  torch::Tensor logits(const torch::Tensor& images) override {
    const auto mirrored = torch::arange(images.size(0), images.options()).remainder(2).eq(1).view({-1, 1, 1, 1});
    return PhotoDecode::logits(torch::where(mirrored, images.flip({3}), images));
  }
};

/// The log line reads the loss in every step.
class LogSync : public PhotoDecode {
 public:
  using PhotoDecode::PhotoDecode;
  void log_step(std::int64_t step, const torch::Tensor& loss) override {
    PhotoDecode::log_step(step, loss);
    last_ = loss.item<float>();
  }

 private:
  float last_ = 0;
};

template <typename Faulty>
std::unique_ptr<Workload> make(const CaseContext& context) {
  return std::make_unique<Faulty>(context, with_params(two_workers(), context.params));
}

struct Fault {
  std::string_view name;
  std::unique_ptr<Workload> (*make)(const CaseContext&);
};

constexpr auto faults = std::to_array<Fault>({
    {"none", make<PhotoDecode>},
    {"slow_loader", make<SlowLoader>},
    {"one_worker_less", make<OneWorkerLess>},
    {"split_batch", make<SplitBatch>},
    {"upcast", make<Upcast>},
    {"hot_augmentation", make<HotAugmentation>},
    {"log_sync", make<LogSync>},
});

}  // namespace
}  // namespace stepgate

int main(int argc, char** argv) {
  const char* asked = std::getenv("STEPGATE_TEST_FAULT");
  for (const auto& fault : stepgate::faults) {
    if (fault.name != (asked == nullptr ? "none" : asked)) continue;
    return stepgate::run_perftest(argc, argv,
                                  {{.name = "vision/photo_decode/tiny",
                                    .make = fault.make,
                                    .params = stepgate::params_of(stepgate::two_workers())}});
  }
  std::fprintf(stderr, "faulty_photo_decode: STEPGATE_TEST_FAULT=%s is not known\n", asked);
  return 2;
}
