#include "environment/gpu/choice/gpu_choice.h"

#include <fmt/format.h>
#include <gmock/gmock.h>

namespace stepgate {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using Environment = std::map<std::string, std::string>;

Gpu gpu(int number, const std::string& name = "Fake H200") {
  return {.uuid = fmt::format("GPU-fa4e000{}-1111-2222-3333-444444444444", number),
          .name = name,
          .pci_bus_id = fmt::format("00000000:{}B:00.0", number + 1),
          .mig = Mig::off};
}

std::vector<Gpu> alike(int count) {
  std::vector<Gpu> gpus;
  for (int i = 0; i < count; ++i) gpus.push_back(gpu(i));
  return gpus;
}

std::vector<std::string> visible(const GpuOffer& offer) {
  std::vector<std::string> names;
  for (const ChosenGpu& one : offer.gpus) names.push_back(one.visible.substr(0, 12));
  return names;
}

GpuOffer offer_of(const std::vector<Gpu>& gpus, const Environment& environment) {
  return offered_gpus(gpus, environment);
}

void offers(const std::vector<Gpu>& gpus, const Environment& environment, const std::vector<std::string>& expected) {
  const GpuOffer offer = offer_of(gpus, environment);
  EXPECT_EQ(offer.kind, GpuOfferKind::known) << offer.reason;
  EXPECT_EQ(visible(offer), expected) << offer.reason;
}

void refuses(const std::vector<Gpu>& gpus, const Environment& environment, const std::string& why) {
  const GpuOffer offer = offer_of(gpus, environment);
  EXPECT_EQ(offer.kind, GpuOfferKind::wrong) << offer.reason;
  EXPECT_THAT(offer.reason, HasSubstr(why));
  EXPECT_NE(offer.remedy, "");
  EXPECT_THAT(offer.gpus, IsEmpty());
}

void asks(const std::vector<Gpu>& gpus, const Environment& environment, const std::string& why) {
  const GpuOffer offer = offer_of(gpus, environment);
  EXPECT_EQ(offer.kind, GpuOfferKind::ask_child) << offer.reason;
  EXPECT_THAT(offer.reason, HasSubstr(why));
  EXPECT_THAT(offer.gpus, IsEmpty());
}

TEST(GpuChoice, IndicesCountAlikeGpusByTheirAddress) {
  offers(alike(8), {{"CUDA_VISIBLE_DEVICES", "2,5"}}, {"GPU-fa4e0002", "GPU-fa4e0005"});
  offers(alike(8), {{"CUDA_VISIBLE_DEVICES", "5, 2"}}, {"GPU-fa4e0005", "GPU-fa4e0002"});
  std::vector<Gpu> shuffled = {gpu(2), gpu(0), gpu(1)};
  offers(shuffled, {{"CUDA_VISIBLE_DEVICES", "0"}}, {"GPU-fa4e0000"});
  offers(shuffled, {}, {"GPU-fa4e0000", "GPU-fa4e0001", "GPU-fa4e0002"});
}

TEST(GpuChoice, IndicesOfUnlikeGpusNeedTheOrderOfAddresses) {
  const std::vector<Gpu> unlike = {gpu(0, "Slow T4"), gpu(1)};
  asks(unlike, {{"CUDA_VISIBLE_DEVICES", "0"}}, "CUDA counts them by speed");
  asks(unlike, {}, "CUDA counts them by speed");
  offers(unlike, {{"CUDA_VISIBLE_DEVICES", "0"}, {"CUDA_DEVICE_ORDER", "PCI_BUS_ID"}}, {"GPU-fa4e0000"});
  offers(unlike, {{"CUDA_VISIBLE_DEVICES", "GPU-fa4e0001"}}, {"GPU-fa4e0001"});
  offers(unlike, {{"SLURM_JOB_GPUS", "1"}}, {"GPU-fa4e0001"});
  asks({gpu(0, ""), gpu(1, "")}, {}, "differ");
}

TEST(GpuChoice, ABeginningOfAUuidMustFitOneGpu) {
  offers(alike(8), {{"CUDA_VISIBLE_DEVICES", "GPU-fa4e0003,GPU-fa4e0001"}}, {"GPU-fa4e0003", "GPU-fa4e0001"});
  offers(alike(8), {{"CUDA_VISIBLE_DEVICES", gpu(7).uuid}}, {"GPU-fa4e0007"});
  refuses(alike(8), {{"CUDA_VISIBLE_DEVICES", "GPU-fa4e"}}, "'GPU-fa4e' fits two GPUs");
  refuses(alike(8), {{"CUDA_VISIBLE_DEVICES", "GPU-00"}}, "'GPU-00' names no GPU");
}

TEST(GpuChoice, AListEndsAtItsFirstInvalidEntry) {
  offers(alike(4), {{"CUDA_VISIBLE_DEVICES", "0,2,-1,1"}}, {"GPU-fa4e0000", "GPU-fa4e0002"});
  offers(alike(4), {{"CUDA_VISIBLE_DEVICES", "0,9,1"}}, {"GPU-fa4e0000"});
  EXPECT_THAT(offer_of(alike(4), {{"CUDA_VISIBLE_DEVICES", "0,9,1"}}).reason, HasSubstr("CUDA ends the list there"));
  EXPECT_EQ(offer_of(alike(4), {{"CUDA_VISIBLE_DEVICES", "0,-1"}}).reason, "") << "that is how one ends a list";
  refuses(alike(8), {{"CUDA_VISIBLE_DEVICES", "9"}}, "'9' names no GPU of this machine, which has 8");
  refuses(alike(1), {{"CUDA_VISIBLE_DEVICES", "first"}}, "'first' names no GPU");
}

TEST(GpuChoice, NoGpuIsAChoiceToo) {
  for (const char* none : {"", "-1", "-1,0", "NoDevFiles"}) {
    const GpuOffer offer = offer_of(alike(2), {{"CUDA_VISIBLE_DEVICES", none}});
    EXPECT_EQ(offer.kind, GpuOfferKind::known) << none;
    EXPECT_THAT(offer.gpus, IsEmpty()) << none;
    EXPECT_THAT(offer.reason, HasSubstr("offers no GPU")) << none;
  }
  EXPECT_EQ(offer_of({}, {}).reason, "the driver lists no GPU");
  EXPECT_EQ(offer_of({}, {}).kind, GpuOfferKind::known);
}

TEST(GpuChoice, AGpuNamedTwiceIsAnError) {
  refuses(alike(8), {{"CUDA_VISIBLE_DEVICES", "2,2"}}, "twice");
  refuses(alike(8), {{"CUDA_VISIBLE_DEVICES", "2,GPU-fa4e0002"}}, "twice");
}

TEST(GpuChoice, AnInstanceOfMigIsNamedInTwoWays) {
  std::vector<Gpu> gpus = alike(2);
  gpus[1].mig = Mig::on;
  gpus[1].instances = {{"MIG-c6d4f1ef-42e4-5de3-91c7-45d71c87eb3f", 3, 0}, {"MIG-0000", 4, 0}};
  const GpuOffer newer = offer_of(gpus, {{"CUDA_VISIBLE_DEVICES", "MIG-0000"}});
  ASSERT_EQ(newer.gpus.size(), 1U) << newer.reason;
  EXPECT_EQ(newer.gpus[0].visible, "MIG-0000");
  EXPECT_EQ(newer.gpus[0].gpu.uuid, gpus[1].uuid);
  const std::string older = "MIG-" + gpus[1].uuid + "/3/0";
  const GpuOffer one = offer_of(gpus, {{"CUDA_VISIBLE_DEVICES", older + ",0"}});
  ASSERT_EQ(one.gpus.size(), 1U) << one.reason;
  EXPECT_EQ(one.gpus[0].visible, older);
  EXPECT_THAT(one.reason, HasSubstr("one instance of MIG only"));
  refuses(gpus, {{"CUDA_VISIBLE_DEVICES", "MIG-1234"}}, "'MIG-1234' names no GPU");
  asks(gpus, {{"CUDA_VISIBLE_DEVICES", "0"}}, "MIG splits");
  gpus[1].instances.clear();
  asks(gpus, {{"CUDA_VISIBLE_DEVICES", "MIG-1234"}}, "MIG");
}

std::vector<Gpu> one_split(int instances) {
  std::vector<Gpu> gpus = alike(1);
  gpus[0].mig = Mig::on;
  for (int i = 0; i < instances; ++i) gpus[0].instances.push_back({fmt::format("MIG-fa4e000{}-5", i), i + 1, 0});
  return gpus;
}

TEST(GpuChoice, TheOnlyInstanceStandsForItsGpu) {
  const std::vector<Gpu> gpus = one_split(1);
  for (const Environment& environment :
       {Environment{}, Environment{{"CUDA_VISIBLE_DEVICES", "0"}}, Environment{{"CUDA_VISIBLE_DEVICES", gpus[0].uuid}},
        Environment{{"CUDA_VISIBLE_DEVICES", "MIG-fa4e0000-5"}}, Environment{{"SLURM_JOB_GPUS", "0"}},
        Environment{{"SLURM_JOB_GPUS", "7"}}, Environment{{"GPU_DEVICE_ORDINAL", "0"}},
        Environment{{"CTEST_RESOURCE_GROUP_COUNT", "1"}, {"CTEST_RESOURCE_GROUP_0_GPUS", "id:0,slots:1"}},
        Environment{{"CTEST_RESOURCE_GROUP_COUNT", "1"}, {"CTEST_RESOURCE_GROUP_0_GPUS", "id:gpu_fa4e,slots:1"}}}) {
    offers(gpus, environment, {"MIG-fa4e0000"});
  }
  EXPECT_EQ(offer_of(gpus, {}).gpus.at(0).gpu.uuid, gpus[0].uuid) << "readings are the GPU's";
}

TEST(GpuChoice, OneGpuWithSeveralInstancesIsLeftToTheChild) {
  for (const int instances : {0, 2}) {
    const std::vector<Gpu> gpus = one_split(instances);
    asks(gpus, {}, "MIG splits a GPU of this machine");
    asks(gpus, {{"CUDA_VISIBLE_DEVICES", "0"}}, "MIG splits a GPU of this machine");
    asks(gpus, {{"CUDA_VISIBLE_DEVICES", gpus[0].uuid}}, "MIG splits the GPU GPU-fa4e0000");
    asks(gpus, {{"SLURM_JOB_GPUS", "7"}}, "MIG splits the GPU GPU-fa4e0000");
    asks(gpus, {{"GPU_DEVICE_ORDINAL", "0"}}, "MIG splits");
    refuses(gpus, {{"CTEST_RESOURCE_GROUP_COUNT", "1"}, {"CTEST_RESOURCE_GROUP_0_GPUS", "id:0,slots:1"}},
            "which part is meant");
  }
  offers(one_split(2), {{"CUDA_VISIBLE_DEVICES", "MIG-fa4e0001-5"}}, {"MIG-fa4e0001"});
}

TEST(GpuChoice, AUuidOfOneSplitGpuAmongSeveralIsNoName) {
  std::vector<Gpu> gpus = alike(2);
  gpus[1].mig = Mig::on;
  gpus[1].instances = {{"MIG-c6d4f1ef", 3, 0}, {"MIG-0000", 4, 0}};
  asks(gpus, {{"CUDA_VISIBLE_DEVICES", gpus[1].uuid}}, "MIG splits the GPU GPU-fa4e0001");
  offers(gpus, {{"CUDA_VISIBLE_DEVICES", gpus[0].uuid}}, {"GPU-fa4e0000"});
}

TEST(GpuChoice, SlurmNamesTheGpusOfTheHost) {
  offers(alike(8), {{"SLURM_JOB_GPUS", "2,5"}}, {"GPU-fa4e0002", "GPU-fa4e0005"});
  offers(alike(8), {{"SLURM_JOB_GPUS", "2,5"}, {"SLURM_STEP_GPUS", "5"}}, {"GPU-fa4e0005"});
  offers(alike(2), {{"SLURM_JOB_GPUS", "2,5"}}, {"GPU-fa4e0000", "GPU-fa4e0001"});
  offers(alike(2), {{"SLURM_JOB_GPUS", "2,5"}, {"CUDA_VISIBLE_DEVICES", "0"}}, {"GPU-fa4e0000"});
  offers(alike(8), {{"GPU_DEVICE_ORDINAL", "3"}}, {"GPU-fa4e0003"});
  refuses(alike(8), {{"SLURM_JOB_GPUS", "12"}}, "SLURM_JOB_GPUS=12: '12' names no GPU");
}

TEST(GpuChoice, AVisibleGpuOfAnotherJobIsLeftToTheChild) {
  asks(alike(8), {{"SLURM_JOB_GPUS", "2,5"}, {"CUDA_VISIBLE_DEVICES", "0"}}, "do not name the same GPUs");
  offers(alike(8), {{"SLURM_JOB_GPUS", "2,5"}, {"CUDA_VISIBLE_DEVICES", "5"}}, {"GPU-fa4e0005"});
}

TEST(GpuChoice, CtestGivesIndicesOrUuids) {
  const auto given = [](const std::string& first, const std::string& second) {
    return Environment{{"CTEST_RESOURCE_GROUP_COUNT", "2"},
                       {"CTEST_RESOURCE_GROUP_0", "gpus"},
                       {"CTEST_RESOURCE_GROUP_0_GPUS", "id:" + first + ",slots:1"},
                       {"CTEST_RESOURCE_GROUP_1_GPUS", "id:" + second + ",slots:1"}};
  };
  offers(alike(8), given("5", "2"), {"GPU-fa4e0005", "GPU-fa4e0002"});
  offers(alike(8), given("gpu_fa4e0003_1111_2222_3333_444444444444", "gpu_fa4e0001"), {"GPU-fa4e0003", "GPU-fa4e0001"});
  refuses(alike(8), given("2", "2"), "twice to one test");
  refuses(alike(8), given("2", "8"), "the resource id '8' of CTest names none of the 8 GPUs");
  refuses(alike(8), given("2", "gpu_fa4e"), "more than one");
  Environment restricted = given("5", "2");
  restricted["CUDA_VISIBLE_DEVICES"] = "0,2,5";
  offers(alike(8), restricted, {"GPU-fa4e0005", "GPU-fa4e0002"});
  restricted["CUDA_VISIBLE_DEVICES"] = "0,5";
  refuses(alike(8), restricted, "CUDA_VISIBLE_DEVICES=0,5 does not offer it");
  offers(alike(8), {{"CTEST_RESOURCE_GROUP_COUNT", "1"}, {"CTEST_RESOURCE_GROUP_0_GPUS", "id:1,slots:1;id:4,slots:1"}},
         {"GPU-fa4e0001", "GPU-fa4e0004"});
}

TEST(GpuChoice, ACaseGetsTheFirstOfTheOffer) {
  const GpuOffer two = offer_of(alike(8), {{"CUDA_VISIBLE_DEVICES", "2,5"}});
  ASSERT_EQ(choose_gpus(two, 1).gpus.size(), 1U);
  EXPECT_EQ(choose_gpus(two, 1).gpus[0].gpu.uuid, gpu(2).uuid);
  EXPECT_EQ(choose_gpus(two, 2).gpus.size(), 2U);
  EXPECT_EQ(choose_gpus(two, 2).too_few, "");
  const GpuChoice three = choose_gpus(two, 3);
  EXPECT_THAT(three.gpus, IsEmpty());
  EXPECT_EQ(three.too_few, "needs 3 GPUs, this machine offers 2 (CUDA_VISIBLE_DEVICES=2,5)");
  EXPECT_EQ(choose_gpus(offer_of(alike(1), {}), 2).too_few, "needs 2 GPUs, this machine offers 1");
  EXPECT_EQ(choose_gpus(offer_of(alike(1), {{"CUDA_VISIBLE_DEVICES", ""}}), 1).too_few,
            "needs 1 GPU, this machine offers none (CUDA_VISIBLE_DEVICES= offers no GPU)");
  EXPECT_EQ(choose_gpus(GpuOffer{}, 2).too_few, "") << "only the child knows";
  EXPECT_THAT(choose_gpus(two, 0).gpus, IsEmpty());
}

}  // namespace
}  // namespace stepgate
