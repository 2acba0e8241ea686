// Limits that all device models share.
#pragma once

namespace stepgate::emulator {

/// The same on all models: CUDA C++ Programming Guide, "Compute Capabilities", for 7.5 and later.
struct DeviceConstants {
  int warp_threads = 32;
  int threads_per_block = 1024;
  int block_z = 64;  ///< largest block in z; x and y have threads_per_block
  int grid_x = 2147483647;
  int grid_yz = 65535;
  int registers = 65536;  ///< of a multiprocessor, and of a block
  int shared_bytes_per_block = 48 << 10;
  int constant_bytes = 64 << 10;
  int copy_pitch_bytes = 2147483647;
  int texture_alignment_bytes = 512;
  int texture_pitch_alignment_bytes = 32;
  int surface_alignment_bytes = 512;
};
inline constexpr DeviceConstants device_constants = {};

}  // namespace stepgate::emulator
