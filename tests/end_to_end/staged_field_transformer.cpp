// The workload of tabular/field_transformer/tiny in one stage of its case study: STEPGATE_STUDY_MODEL and
// STEPGATE_STUDY_LOADER, which the build defines. The stage is no parameter of this program's case: `stepgate ab`
// compares two builds of one case, and builds with different parameters do different jobs.
#include "stepgate/perftest.h"
#include "tabular/field_transformer.h"

namespace stepgate {
namespace {

FieldTransformerSize size_of_stage() {
  return with_params(tiny_field_transformer(), {{"model", STEPGATE_STUDY_MODEL}, {"loader", STEPGATE_STUDY_LOADER}});
}

std::unique_ptr<Workload> make_stage(const CaseContext& context) {
  return std::make_unique<FieldTransformer>(context, with_params(size_of_stage(), context.params));
}

std::map<std::string, std::string> params_of_all_stages() {
  auto params = params_of(size_of_stage());
  params.erase("model");
  params.erase("loader");
  return params;
}

}  // namespace
}  // namespace stepgate

int main(int argc, char** argv) {
  using namespace stepgate;
  return run_perftest(
      argc, argv, {{.name = "tabular/field_transformer/tiny", .make = make_stage, .params = params_of_all_stages()}});
}
