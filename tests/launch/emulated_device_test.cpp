#include "launch/emulated_device.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <string>

#include "core/error.h"
#include "support/temporary_folder.h"

namespace stepgate {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

/// What an Error says, and what to do next.
struct Complaint {
  std::string what;
  std::string remedy;
};

template <typename Call>
Complaint complaint_of(const Call& call) {
  try {
    call();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::usage);
    return {error.what(), error.remedy()};
  }
  ADD_FAILURE() << "no error";
  return {};
}

Complaint complaint_about(const std::string& text) {
  return complaint_of([&] { emulated_device_from(text); });
}

void write_folder(const TemporaryFolder& build, const fs::path& folder) {
  build.write(folder / "libstepgate_emulated_loader.so", "");
  build.write(folder / "complete", "libcudart.so.13\n");
}

TEST(EmulatedDevice, IsAModelAndANumber) {
  EXPECT_EQ(emulated_device_from("emulated:h100").model, "h100");
  EXPECT_EQ(emulated_device_from("emulated:h100").devices, 1);
  EXPECT_EQ(emulated_device_from("emulated:t4:16").model, "t4");
  EXPECT_EQ(emulated_device_from("emulated:t4:16").devices, 16);
  EXPECT_FALSE(emulated_device_from("emulated:t4:16").values);
}

TEST(EmulatedDevice, MayComputeValues) {
  EXPECT_TRUE(emulated_device_from("emulated:h100:values").values);
  EXPECT_EQ(emulated_device_from("emulated:h100:values").devices, 1);
  EXPECT_TRUE(emulated_device_from("emulated:t4:2:values").values);
  EXPECT_EQ(emulated_device_from("emulated:t4:2:values").devices, 2);
  EXPECT_THAT(complaint_about("emulated:values").what, HasSubstr("'values' is no model"));
  EXPECT_THAT(complaint_about("emulated:h100:values:2").what, HasSubstr("'values:2' is no number of devices"));
}

TEST(EmulatedDevice, IsWrittenAsItIsRead) {
  EXPECT_EQ(text_of(emulated_device_from("emulated:a100")), "emulated:a100");
  EXPECT_EQ(text_of(emulated_device_from("emulated:a100:1")), "emulated:a100");
  EXPECT_EQ(text_of(emulated_device_from("emulated:a100:2")), "emulated:a100:2");
  EXPECT_EQ(text_of(emulated_device_from("emulated:a100:1:values")), "emulated:a100:values");
  EXPECT_EQ(text_of(emulated_device_from("emulated:a100:2:values")), "emulated:a100:2:values");
}

TEST(EmulatedDevice, OtherDevicesAreNotMeant) {
  EXPECT_TRUE(names_emulated_device("emulated"));
  EXPECT_TRUE(names_emulated_device("emulated:x"));
  EXPECT_FALSE(names_emulated_device("cuda"));
  EXPECT_FALSE(names_emulated_device("emulatedx"));
}

TEST(EmulatedDevice, AWrongPartIsNamed) {
  EXPECT_THAT(complaint_about("emulated").what, HasSubstr("--device emulated: no model is named"));
  EXPECT_THAT(complaint_about("emulated:").what, HasSubstr("'' is no model"));
  EXPECT_THAT(complaint_about("emulated:h1000").what, HasSubstr("'h1000' is no model"));
  EXPECT_THAT(complaint_about("emulated:h1000").remedy, HasSubstr("h100, h200, a100, l4, t4"));
  for (const std::string number : {"", "0", "17", "-1", "2x", "2:3"}) {
    EXPECT_THAT(complaint_about("emulated:h100:" + number).what, HasSubstr("'" + number + "' is no number of devices"));
  }
}

TEST(EmulatedGpuFolder, IsInTheBuildTreeOrAboveTheProgram) {
  const TemporaryFolder build;
  write_folder(build, "emulated_gpu");
  const fs::path folder = fs::canonical(build.path()) / "emulated_gpu";
  EXPECT_EQ(emulated_gpu_folder(build.path() / "bin" / "train", {}), folder);
  EXPECT_EQ(fs::canonical(emulated_gpu_folder("/nowhere/train", build.path())), folder);
}

TEST(EmulatedGpuFolder, ThatIsNotBuiltIsAnErrorWithTheCommand) {
  const TemporaryFolder build;
  const Complaint none = complaint_of([&] { emulated_gpu_folder(build.path() / "bin" / "train", build.path()); });
  EXPECT_THAT(none.what, HasSubstr("there is no folder emulated_gpu in " + build.path().string()));
  EXPECT_THAT(none.remedy, HasSubstr("cmake --build " + build.path().string() + " --target emulated_gpu"));
}

TEST(EmulatedGpuFolder, WhoseBuildWasStoppedIsAnError) {
  const TemporaryFolder build;
  build.write("emulated_gpu/libstepgate_emulated_loader.so", "");
  const Complaint half = complaint_of([&] { emulated_gpu_folder(build.path() / "train", build.path()); });
  EXPECT_THAT(half.what, HasSubstr("emulated_gpu is not complete"));
  EXPECT_THAT(half.remedy, HasSubstr("--target emulated_gpu"));
}

TEST(EmulatedGpuFolder, MadeForAnotherLibTorchIsAnError) {
  const TemporaryFolder build;
  write_folder(build, "emulated_gpu");
  build.write("torch/lib/libtorch_cuda.so", "twelve bytes");
  const fs::path folder = build.path() / "emulated_gpu";
  const fs::path program = fs::read_symlink("/proc/self/exe");
  const std::string searched = (build.path() / "torch" / "lib").string();
  EXPECT_NO_THROW(refuse_other_libtorch(folder, program, searched)) << "an older folder has no note";
  build.write("emulated_gpu/libtorch", "libtorch_cuda.so 12\n");
  EXPECT_NO_THROW(refuse_other_libtorch(folder, program, searched));
  build.write("emulated_gpu/libtorch", "libtorch_cuda.so 456142457\n");
  EXPECT_NO_THROW(refuse_other_libtorch(folder, program, "")) << "which one the program loads is not known";
  EXPECT_NO_THROW(refuse_other_libtorch(folder, build.path() / "not built", ""));
  const Complaint other = complaint_of([&] { refuse_other_libtorch(folder, program, searched); });
  EXPECT_THAT(other.what, HasSubstr("was made for another LibTorch than " + searched + "/libtorch_cuda.so"));
  EXPECT_THAT(other.remedy, HasSubstr("--target emulated_gpu"));
  for (const char* damaged : {"", "damaged", "libtorch_cuda.so -x", "../../lib/libtorch_cuda.so 1"}) {
    build.write("emulated_gpu/libtorch", damaged);
    EXPECT_NO_THROW(refuse_other_libtorch(folder, program, searched)) << damaged;
  }
}

TEST(EmulatedGpu, SettingsFollowTheModel) {
  EXPECT_EQ(machine_text({{"h100", 2}, "/b/emulated_gpu"}), "h100:2");
  EXPECT_EQ(machine_text({{"h100", 1}, "/b/emulated_gpu", {{"clock", "real"}, {"script", "/a b/10%.txt"}}}),
            "h100:1 clock=real script=/a%20b/10%25.txt");
  EXPECT_EQ(machine_text({{"h100", 1, true}, "/b/emulated_gpu", {{"order", "/o"}}}), "h100:1 mode=values order=/o");
}

TEST(EmulatedGpu, TheProcessGetsTheLoaderAndTheMachine) {
  const Variables variables = with_emulated_gpu({{"HOME", "/h"}}, {{"l4", 1}, "/b/emulated_gpu"});
  EXPECT_EQ(variables, (Variables{{"HOME", "/h"},
                                  {"LD_AUDIT", "/b/emulated_gpu/libstepgate_emulated_loader.so"},
                                  {"STEPGATE_EMULATED_GPU", "l4:1"}}));
}

TEST(EmulatedGpu, AnotherAuditingLibraryStays) {
  const Variables variables = with_emulated_gpu({{"LD_AUDIT", "/x.so"}}, {{"l4", 1}, "/b/emulated_gpu"});
  EXPECT_EQ(variables.at("LD_AUDIT"), "/b/emulated_gpu/libstepgate_emulated_loader.so:/x.so");
}

TEST(EmulatedGpu, AFolderThatTheLoaderCannotBeToldIsAnError) {
  const Complaint colon = complaint_of([] { with_emulated_gpu({}, {{"l4", 1}, "/a:b/emulated_gpu"}); });
  EXPECT_THAT(colon.what, HasSubstr("a path with ':' cannot be given to the loader"));
}

TEST(EmulatedGpu, ValuesNeedTheirLibrary) {
  const TemporaryFolder build;
  const EmulatedGpu gpu{{"l4", 1, true}, build.path() / "emulated_gpu"};
  const Complaint missing = complaint_of([&] { with_emulated_gpu({}, gpu); });
  EXPECT_THAT(missing.what, HasSubstr("libstepgate_emulated_values.so"));
  EXPECT_THAT(missing.remedy, HasSubstr("--target emulated_gpu_values"));
  const EmulatedGpu watched{{"l4", 1}, build.path() / "emulated_gpu", {{"hazards", "/tmp/hazards"}}};
  EXPECT_THAT(complaint_of([&] { with_emulated_gpu({}, watched); }).what,
              HasSubstr("the search for hazards needs libstepgate_emulated_values.so"));
  build.write("emulated_gpu/libstepgate_emulated_values.so", "");
  EXPECT_EQ(with_emulated_gpu({}, gpu).at("STEPGATE_EMULATED_GPU"), "l4:1 mode=values");
}

TEST(EmulatedGpu, ADriverThatDoesNotOpenIsSaid) {
  const TemporaryFolder build;
  const NvmlLibrary library = open_emulated_driver({{"l4", 1}, build.path()});
  EXPECT_EQ(library.get(), nullptr);
  EXPECT_THAT(library.reason(), HasSubstr("libnvidia-ml.so.1"));
}

TEST(EmulatedGpu, IsNotInAProcessThatOpenedNone) { EXPECT_FALSE(has_emulated_driver()); }

}  // namespace
}  // namespace stepgate
