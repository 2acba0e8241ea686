// The workload of tabular/field_transformer/tiny in one stage of its case study: STEPGATE_STUDY_MODEL,
// STEPGATE_STUDY_LOADER and STEPGATE_STUDY_STEP, which the build defines. The stage is no parameter of this program's
// case: `stepgate ab` compares two builds of one case, and builds with different parameters do different jobs.
#include "stepgate/perftest.h"
#include "tabular/compiled_field_transformer.h"
#include "tabular/field_transformer.h"

namespace stepgate {
namespace {

constexpr std::string_view stage_step = STEPGATE_STUDY_STEP;

/// Names the rows alone: its package is what this stage changes, as other stages change the code of their step.
class CompiledStage final : public CompiledFieldTransformer {
 public:
  using CompiledFieldTransformer::CompiledFieldTransformer;
  std::string data_digest() const override { return loader().digest(); }
};

FieldTransformerSize size_of_stage() {
  return with_params(tiny_field_transformer(), {{"model", STEPGATE_STUDY_MODEL}, {"loader", STEPGATE_STUDY_LOADER}});
}

std::unique_ptr<Workload> make_stage(const CaseContext& context) {
  const FieldTransformerSize size = with_params(size_of_stage(), context.params);
  if (stage_step == "compiled") return std::make_unique<CompiledStage>(context, size);
  return std::make_unique<FieldTransformer>(context, size);
}

std::map<std::string, std::string> params_of_all_stages() {
  auto params = params_of(size_of_stage());
  params.erase("model");
  params.erase("loader");
  return params;
}

std::optional<MissingPart> missing_part_of_stage() {
  if (stage_step != "compiled") return std::nullopt;
  return missing_package(field_transformer_package);
}

}  // namespace
}  // namespace stepgate

int main(int argc, char** argv) {
  using namespace stepgate;
  return run_perftest(argc, argv,
                      {{.name = "tabular/field_transformer/tiny",
                        .make = make_stage,
                        .params = params_of_all_stages(),
                        .missing = missing_part_of_stage}});
}
