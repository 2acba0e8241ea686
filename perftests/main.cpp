#include "cases.h"

int main(int argc, char** argv) { return stepgate::run_perftest(argc, argv, stepgate::guarded_cases()); }
