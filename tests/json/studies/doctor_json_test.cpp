#include "json/studies/doctor_json.h"

#include "json/expect_error.h"
#include "support/sample_doctor.h"

namespace stepgate {
namespace {

TEST(DoctorJson, KeepsEveryField) {
  for (const DoctorReport& before : {sample_laptop(), sample_container(), sample_cloud_machine(), sample_gpu_host()}) {
    const DoctorReport after = doctor_from_text(to_text(before), "doctor.json");
    EXPECT_EQ(after, before) << name_of(before.place.kind);
  }
  EXPECT_EQ(doctor_from_text(to_text(DoctorReport{}), "doctor.json"), DoctorReport{});
}

TEST(DoctorJson, HasNoNamesOfProcesses) {
  DoctorReport report = sample_laptop();
  const std::string before = to_text(report);
  report.looked_s = 1;
  report.busy = {{.pid = 4711, .name = "cc1plus", .cpu_fraction = 0.86, .cpu = 2, .on_measured = true}};
  EXPECT_EQ(to_text(report), before) << "results become public";
}

TEST(DoctorJson, NamesWhatIsWrong) {
  const std::string text = to_text(sample_laptop());
  const auto read = [](const std::string& changed) { return [=] { doctor_from_text(changed, "d.json"); }; };
  expect_error(read(replaced(text, "\"laptop\"", "\"lapdog\"")), ErrorKind::measure,
               {"d.json", "place.kind", "lapdog"});
  expect_error(read(replaced(text, "\"denied\"", "\"denid\"")), ErrorKind::measure, {"knobs[1].state"});
  expect_error(read(replaced(text, "\"siblings\"", "\"sibs\"")), ErrorKind::measure, {"cpus", "siblings"});
  expect_error(read(replaced(text, "stepgate.doctor", "stepgate.nurse")), ErrorKind::measure, {"schema.name"});
}

}  // namespace
}  // namespace stepgate
