// Stands in for NVIDIA's libnvidia-ml.so.1: two GPUs, of which one tells only its name.
#include <cstdio>

#define FAKE extern "C" __attribute__((visibility("default"))) int

FAKE nvmlInit_v2() {
  return 0;
}
FAKE nvmlSystemGetDriverVersion(char* to, unsigned size) {
  std::snprintf(to, size, "580.1");
  return 0;
}
FAKE nvmlDeviceGetCount_v2(unsigned* count) {
  *count = 2;
  return 0;
}
FAKE nvmlDeviceGetHandleByIndex_v2(unsigned index, void** device) {
  static char handles[2];
  *device = &handles[index];
  return 0;
}
FAKE nvmlDeviceGetName(void*, char* to, unsigned size) {
  std::snprintf(to, size, "Fake H1");
  return 0;
}
FAKE nvmlDeviceGetMemoryInfo(void* device, unsigned long long* memory) {
  static void* first = device;
  if (device != first) return 3;
  memory[0] = 80ull << 30;
  memory[1] = 20ull << 30;
  return 0;
}
