// stepgate_device_check: one check of a GPU per process. `stepgate doctor --device` starts it.
#include "measure/device_check/check_program.h"
#include "measure/device_check/cuda/cuda_probe_device.h"

int main(int argc, char** argv) { return stepgate::run_check_program(argc, argv, stepgate::open_cuda_probe); }
