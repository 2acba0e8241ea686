// What a case becomes on a GPU, decided on a device that reports a GPU's figures and computes on the CPU.
#include <ATen/Context.h>
#include <ATen/record_function.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <cmath>

#include "measure/program/case/fitted_case.h"
#include "measure/program/reference/reference_case.h"
#include "measure/torch_toys.h"

namespace stepgate {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;

constexpr std::int64_t gib = std::int64_t{1} << 30;

class ReportedGpu final : public DeviceSide {
 public:
  explicit ReportedGpu(const DeviceCapacity& memory) : memory_(memory) {}
  torch::Device device() const override { return cpu_->device(); }
  std::unique_ptr<Backend> make_backend(CountingAllocator* allocator) override { return cpu_->make_backend(allocator); }
  std::unique_ptr<BatchCopier> make_copier() override { return cpu_->make_copier(); }
  std::unique_ptr<WorkCounter> make_counter() override { return cpu_->make_counter(); }
  std::variant<std::unique_ptr<DeviceWorkTrace>, std::string> make_work_trace() override { return "not here"; }
  bool can_pin() const override { return false; }
  void copy_tensors(const std::vector<torch::Tensor>& from, const std::vector<torch::Tensor>& to) override {
    cpu_->copy_tensors(from, to);
  }
  std::optional<std::int64_t> link_bytes_per_s() const override { return std::nullopt; }
  Fingerprint facts() const override { return {}; }
  std::optional<GpuProperties> gpu_properties() const override {
    return GpuProperties{.compute_major = 7,
                         .compute_minor = 5,
                         .multiprocessors = 40,
                         .l2_bytes = 4 << 20,
                         .memory_bytes = memory_.total_bytes};
  }
  std::optional<DeviceCapacity> memory() const override { return memory_; }
  std::map<std::string, std::string> absent_exact_metrics() const override { return {}; }
  std::map<std::string, std::string> absent_timed_metrics() const override { return {}; }

 private:
  std::unique_ptr<DeviceSide> cpu_ = open_device("cpu");
  DeviceCapacity memory_;
};

const ReportedGpu& sixteen_gib() {
  static const ReportedGpu gpu({.free_bytes = 15 * gib, .total_bytes = 16 * gib});
  return gpu;
}

Case needing(std::int64_t gib_per_width) {
  Case test_case = toy_mlp();
  test_case.params["width"] = "7";
  test_case.device_bytes = [gib_per_width](const std::map<std::string, std::string>& params) {
    return gib_per_width * gib * std::stoll(params.at("width"));
  };
  return test_case;
}

TEST(FittedCase, ACaseThatDoesNotFitIsSkippedWithBothFigures) {
  try {
    fitted_to(sixteen_gib(), needing(3));
    FAIL() << "it fits";
  } catch (const GpuTooSmall& missing) {
    EXPECT_STREQ(missing.what(), "this case needs about 21.0 GiB of GPU memory, and this GPU has 16.0 GiB");
    EXPECT_THAT(missing.remedy(), HasSubstr("--stepgate_param="));
  }
}

TEST(FittedCase, TheParametersOfTheRunDecide) {
  EXPECT_EQ(fitted_to(sixteen_gib(), needing(2)).params.at("width"), "7");
  Case wider = needing(2);
  wider.params["width"] = "8";
  EXPECT_THROW(fitted_to(sixteen_gib(), wider), DeviceMissing);
}

TEST(FittedCase, ACpuIsNotAskedForGpuMemory) {
  EXPECT_EQ(fitted_to(*open_device("cpu"), needing(1000)).name, "toy/mlp/tiny");
}

TEST(FittedCase, AMissingPartSkipsTheCaseBeforeItsMemoryIsAskedFor) {
  Case lacking = needing(1000);
  lacking.missing = [] {
    return std::optional<MissingPart>({"its compiled step is not built", "run ci/compile_case"});
  };
  for (const char* device : {"cpu", "reported"}) {
    const bool on_cpu = std::string_view(device) == "cpu";
    const auto cpu = open_device("cpu");
    try {
      fitted_to(on_cpu ? static_cast<const DeviceSide&>(*cpu) : sixteen_gib(), lacking);
      FAIL() << "nothing is missing";
    } catch (const GpuTooSmall&) {
      FAIL() << "memory was asked for first";
    } catch (const DeviceMissing& missing) {
      EXPECT_STREQ(missing.what(), "its compiled step is not built");
      EXPECT_EQ(missing.remedy(), "run ci/compile_case");
    }
  }
  lacking = toy_mlp();
  lacking.missing = [] { return std::optional<MissingPart>(); };
  EXPECT_EQ(fitted_to(sixteen_gib(), lacking).name, "toy/mlp/tiny");
}

TEST(ReferenceCase, OnAGpuItsAmountsAreParametersOfAnotherVersion) {
  const Case on_gpu = fitted_to(sixteen_gib(), reference_case("cuda"));
  EXPECT_EQ(on_gpu.version, "2");
  EXPECT_EQ(on_gpu.params,
            (std::map<std::string, std::string>{
                {"matrix_side", "2048"}, {"products", "5"}, {"copied_bytes", "16777216"}, {"copies", "4"}}));
  EXPECT_EQ(fitted_to(sixteen_gib(), reference_case("cpu")).version, "2") << "where a person names the device by flag";
}

TEST(ReferenceCase, OnACpuItIsWhatItWas) {
  const Case on_cpu = fitted_to(*open_device("cpu"), reference_case("cpu"));
  EXPECT_EQ(on_cpu.version, "1");
  EXPECT_THAT(on_cpu.params, IsEmpty());
}

std::atomic<int> products;
std::atomic<int> copied;

struct Calls {
  int products = 0;
  int copies = 0;
};

Calls calls_of_a_step(const char* number_of_copies) {
  CaseContext context;
  context.params = {{"matrix_side", "8"}, {"products", "5"}, {"copied_bytes", "64"}, {"copies", number_of_copies}};
  const std::unique_ptr<Workload> workload = reference_case("cuda").make(context);
  products = copied = 0;
  const auto handle = at::addGlobalCallback(
      at::RecordFunctionCallback([](const at::RecordFunction& function) -> std::unique_ptr<at::ObserverContext> {
        const std::string_view name = function.name();
        if (name == "aten::mm") ++products;
        if (name == "aten::copy_") ++copied;
        return nullptr;
      }).scopes({at::RecordScope::FUNCTION}));
  const auto loss = workload->forward(workload->next_batch());
  workload->backward(loss);
  workload->optimizer_step();
  at::removeCallback(handle);
  EXPECT_TRUE(std::isfinite(loss.item<double>()));
  EXPECT_FALSE(workload->parameters().front().grad().defined());
  return {products, copied};
}

TEST(ReferenceCase, OnAGpuAStepDoesAllProductsAndCopies) {
  const Calls less = calls_of_a_step("3");
  EXPECT_EQ(less.products, 5);
  EXPECT_EQ(calls_of_a_step("7").copies, less.copies + 4) << "autograd copies too, the same each time";
}

TEST(ReferenceCase, OnAGpuTf32IsOffWhileItLives) {
  at::globalContext().setAllowTF32CuBLAS(true);
  CaseContext context;
  context.params = {{"matrix_side", "8"}, {"products", "2"}, {"copied_bytes", "64"}, {"copies", "1"}};
  std::unique_ptr<Workload> workload = reference_case("cuda").make(context);
  EXPECT_FALSE(at::globalContext().allowTF32CuBLAS());
  workload.reset();
  EXPECT_TRUE(at::globalContext().allowTF32CuBLAS());
  at::globalContext().setAllowTF32CuBLAS(false);
}

/// By LibTorch's newer API, after which its older getter throws. Up to LibTorch 2.9 names are taken.
[[maybe_unused]] void let_products_use_tf32(void (at::Context::*set)(const std::string&, const std::string&,
                                                                     const std::string&)) {
  (at::globalContext().*set)("cuda", "matmul", "tf32");
}

template <typename Backend, typename Operator, typename Precision>
void let_products_use_tf32(void (at::Context::*set)(Backend, Operator, Precision)) {
  (at::globalContext().*set)(Backend::CUDA, Operator::MATMUL, Precision::TF32);
}

TEST(ReferenceCase, OnAGpuTf32IsOffWhereTheProgramSetItByTheNewerApi) {
  at::globalContext().setAllowTF32CuBLAS(false);
  let_products_use_tf32(&at::Context::setFloat32Precision);
  EXPECT_THROW(at::globalContext().allowTF32CuBLAS(), c10::Error) << "the newer API contradicts the older flag";
  CaseContext context;
  context.params = {{"matrix_side", "8"}, {"products", "2"}, {"copied_bytes", "64"}, {"copies", "1"}};
  std::unique_ptr<Workload> workload = reference_case("cuda").make(context);
  EXPECT_FALSE(at::globalContext().allowTF32CuBLAS());
  workload.reset();
  EXPECT_THROW(at::globalContext().allowTF32CuBLAS(), c10::Error) << "as the program left it";
  at::globalContext().setAllowTF32CuBLAS(true);
  EXPECT_TRUE(at::globalContext().allowTF32CuBLAS());
  at::globalContext().setAllowTF32CuBLAS(false);
}

}  // namespace
}  // namespace stepgate
