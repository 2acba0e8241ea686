// The part of NVIDIA's management library that is used here: names, numbers and layouts as in nvml.h 13, which is not
// on every machine that builds this.
#pragma once

#include <dlfcn.h>

#include <cstddef>

namespace stepgate::nvml {

struct Device;    ///< nvmlDevice_t points to it; opaque
struct EventSet;  ///< nvmlEventSet_t points to it; opaque

/// nvmlReturn_t
inline constexpr int success = 0;
inline constexpr int invalid_argument = 2;
inline constexpr int not_supported = 3;
inline constexpr int no_permission = 4;
inline constexpr int not_found = 6;
inline constexpr int insufficient_size = 7;
inline constexpr int driver_not_loaded = 9;
inline constexpr int timeout = 10;
inline constexpr int library_not_found = 12;
inline constexpr int function_not_found = 13;
inline constexpr int gpu_is_lost = 15;
inline constexpr int frequency_not_supported = 24;
inline constexpr int version_mismatch = 25;
inline constexpr int deprecated = 26;
inline constexpr int gpu_not_found = 28;

/// nvmlClockType_t
inline constexpr int clock_graphics = 0;
inline constexpr int clock_sm = 1;
inline constexpr int clock_memory = 2;

inline constexpr int temperature_of_gpu = 0;                  ///< NVML_TEMPERATURE_GPU: the die
inline constexpr int virtualization_vgpu = 2;                 ///< NVML_GPU_VIRTUALIZATION_MODE_VGPU
inline constexpr unsigned affinity_scope_node = 0;            ///< NVML_AFFINITY_SCOPE_NODE
inline constexpr unsigned long long event_reason_idle = 0x1;  ///< nvmlClocksEventReasonGpuIdle

inline constexpr unsigned long long event_xid = 0x8;  ///< nvmlEventTypeXidCriticalError

/// NVML_FI_DEV_CLOCKS_EVENT_REASON_*, all in nanoseconds
inline constexpr unsigned field_power_cap = 74;
inline constexpr unsigned field_sync_boost = 76;
inline constexpr unsigned field_software_thermal = 269;
inline constexpr unsigned field_hardware_thermal = 270;
inline constexpr unsigned field_power_brake = 271;

/// nvmlValueType_t: which member of FieldValue::value holds
enum class ValueType : int {
  float64 = 0,
  unsigned32 = 1,
  unsigned_long = 2,
  unsigned64 = 3,
  signed64 = 4,
  signed32 = 5,
  unsigned16 = 6
};

struct PciInfo {  ///< nvmlPciInfo_t
  char bus_id_legacy[16];
  unsigned domain, bus, device, device_id, subsystem_id;
  char bus_id[32];
};

struct FieldValue {  ///< nvmlFieldValue_t
  unsigned field_id;
  unsigned scope_id;
  long long timestamp_us;
  long long latency_us;
  ValueType type;
  int result;
  union {
    double float64;
    int signed32;
    unsigned unsigned32;
    unsigned long unsigned_long;
    unsigned long long unsigned64;
    long long signed64;
    unsigned short unsigned16;
  } value;
};

struct ProcessInfo {  ///< nvmlProcessInfo_t as the _v3 functions fill it
  unsigned pid;
  unsigned long long used_bytes;
  unsigned gpu_instance;
  unsigned compute_instance;
};

struct MemoryInfo {  ///< nvmlMemory_v2_t
  unsigned version;
  unsigned long long total, reserved, free, used;
};
inline constexpr unsigned memory_info_version = sizeof(MemoryInfo) | (2U << 24U);

struct Temperature {  ///< nvmlTemperature_v1_t
  unsigned version;
  int sensor;
  int celsius;
};
inline constexpr unsigned temperature_version = sizeof(Temperature) | (1U << 24U);

struct EventData {  ///< nvmlEventData_t
  Device* device;
  unsigned long long type;
  unsigned long long data;  ///< of event_xid: the number of the fault
  unsigned gpu_instance;
  unsigned compute_instance;
};

static_assert(sizeof(EventData) == 32 && offsetof(EventData, data) == 16);
static_assert(sizeof(PciInfo) == 68 && offsetof(PciInfo, bus_id) == 36);
static_assert(sizeof(FieldValue) == 40 && offsetof(FieldValue, value) == 32);
static_assert(sizeof(ProcessInfo) == 24 && sizeof(MemoryInfo) == 40 && sizeof(Temperature) == 12);

/// One function of the library. `call` is nullptr where the library has none of that name.
template <typename Function>
struct Symbol {
  Symbol(void* library, const char* its_name)
      : name(its_name), call(reinterpret_cast<Function*>(::dlsym(library, its_name))) {}
  const char* name;
  Function* call;
};

/// The functions, looked up in an open library that must outlive the table.
struct Table {
  explicit Table(void* open_library) : library(open_library) {}
  void* library;

  using ReadNumber = int(Device*, unsigned*);
  using ReadText = int(Device*, char*, unsigned);
  using ReadMask = int(Device*, unsigned long long*);
  using ReadProcesses = int(Device*, unsigned*, ProcessInfo*);
  using ReadClock = int(Device*, int, unsigned*);
  using SetClocks = int(Device*, unsigned, unsigned);
  using OnDevice = int(Device*);

  Symbol<int()> init{library, "nvmlInit_v2"};
  Symbol<int()> shutdown{library, "nvmlShutdown"};
  Symbol<const char*(int)> error_text{library, "nvmlErrorString"};
  Symbol<int(char*, unsigned)> driver_version{library, "nvmlSystemGetDriverVersion"};
  Symbol<int(unsigned*)> count{library, "nvmlDeviceGetCount_v2"};
  Symbol<int(unsigned, Device**)> by_index{library, "nvmlDeviceGetHandleByIndex_v2"};
  Symbol<int(const char*, Device**)> by_uuid{library, "nvmlDeviceGetHandleByUUID"};
  Symbol<ReadText> uuid{library, "nvmlDeviceGetUUID"};
  Symbol<ReadText> name{library, "nvmlDeviceGetName"};
  Symbol<int(Device*, PciInfo*)> pci_info{library, "nvmlDeviceGetPciInfo_v3"};
  Symbol<int(Device*, unsigned*, unsigned*)> mig_mode{library, "nvmlDeviceGetMigMode"};
  Symbol<ReadNumber> most_instances{library, "nvmlDeviceGetMaxMigDeviceCount"};
  Symbol<int(Device*, unsigned, Device**)> instance{library, "nvmlDeviceGetMigDeviceHandleByIndex"};
  Symbol<ReadNumber> gpu_instance{library, "nvmlDeviceGetGpuInstanceId"};
  Symbol<ReadNumber> compute_instance{library, "nvmlDeviceGetComputeInstanceId"};
  Symbol<int(Device*, int*)> virtualization{library, "nvmlDeviceGetVirtualizationMode"};
  Symbol<int(Device*, int*)> persistence{library, "nvmlDeviceGetPersistenceMode"};
  Symbol<int(Device*, int)> set_persistence{library, "nvmlDeviceSetPersistenceMode"};
  Symbol<SetClocks> lock_core{library, "nvmlDeviceSetGpuLockedClocks"};
  Symbol<SetClocks> lock_memory{library, "nvmlDeviceSetMemoryLockedClocks"};
  Symbol<OnDevice> reset_core{library, "nvmlDeviceResetGpuLockedClocks"};
  Symbol<OnDevice> reset_memory{library, "nvmlDeviceResetMemoryLockedClocks"};
  Symbol<ReadClock> clock{library, "nvmlDeviceGetClockInfo"};
  Symbol<ReadClock> highest_clock{library, "nvmlDeviceGetMaxClockInfo"};
  Symbol<ReadMask> event_reasons{library, "nvmlDeviceGetCurrentClocksEventReasons"};
  Symbol<ReadMask> throttle_reasons{library, "nvmlDeviceGetCurrentClocksThrottleReasons"};  ///< its older name
  Symbol<int(Device*, Temperature*)> temperature{library, "nvmlDeviceGetTemperatureV"};
  Symbol<ReadClock> older_temperature{library, "nvmlDeviceGetTemperature"};
  Symbol<ReadNumber> power{library, "nvmlDeviceGetPowerUsage"};
  Symbol<ReadMask> total_energy{library, "nvmlDeviceGetTotalEnergyConsumption"};
  Symbol<ReadNumber> power_limit{library, "nvmlDeviceGetEnforcedPowerLimit"};
  Symbol<int(Device*, int, FieldValue*)> fields{library, "nvmlDeviceGetFieldValues"};
  Symbol<ReadNumber> pcie_generation{library, "nvmlDeviceGetCurrPcieLinkGeneration"};
  Symbol<ReadNumber> pcie_width{library, "nvmlDeviceGetCurrPcieLinkWidth"};
  Symbol<ReadNumber> highest_pcie_generation{library, "nvmlDeviceGetMaxPcieLinkGeneration"};
  Symbol<ReadNumber> highest_pcie_width{library, "nvmlDeviceGetMaxPcieLinkWidth"};
  Symbol<int(Device*, int*, int*)> ecc{library, "nvmlDeviceGetEccMode"};
  Symbol<int(Device*, int*)> compute_mode{library, "nvmlDeviceGetComputeMode"};
  Symbol<ReadProcesses> compute_processes{library, "nvmlDeviceGetComputeRunningProcesses_v3"};
  Symbol<ReadProcesses> mps_processes{library, "nvmlDeviceGetMPSComputeRunningProcesses_v3"};
  Symbol<int(Device*, MemoryInfo*)> memory{library, "nvmlDeviceGetMemoryInfo_v2"};
  Symbol<int(Device*, unsigned, unsigned long*, unsigned)> cpus{library, "nvmlDeviceGetCpuAffinityWithinScope"};
  Symbol<int(EventSet**)> make_events{library, "nvmlEventSetCreate"};
  Symbol<int(EventSet*)> free_events{library, "nvmlEventSetFree"};
  Symbol<int(Device*, unsigned long long, EventSet*)> register_events{library, "nvmlDeviceRegisterEvents"};
  Symbol<int(EventSet*, EventData*, unsigned)> next_event{library, "nvmlEventSetWait_v2"};
};

}  // namespace stepgate::nvml
