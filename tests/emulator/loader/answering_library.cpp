// Stands for a library of CUDA: the vendor's, or a shim. Compiled twice.
extern "C" int stepgate_answer() { return STEPGATE_ANSWER; }
