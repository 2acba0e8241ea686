// A perftest program as a user writes it, with one case that fails.
#include "measure/torch_toys.h"
#include "stepgate/perftest.h"

int main(int argc, char** argv) {
  stepgate::Case broken = stepgate::toy_mlp(stepgate::Fault::throws);
  broken.name = "toy/mlp/broken";
  stepgate::Case on_gpu = stepgate::toy_mlp();
  on_gpu.name = "toy/mlp/gpu";
  on_gpu.device = "cuda";
  return stepgate::run_perftest(argc, argv, {stepgate::toy_mlp(), stepgate::toy_conv(), broken, on_gpu});
}
