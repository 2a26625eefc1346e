#include "record/cuda/sanitizer_api.h"

#include <dlfcn.h>

namespace twiddle_cuda {

std::string Sanitizer::result_text(int result) const {
  const char* text = nullptr;
  if (get_result_string) get_result_string(result, &text);
  return text ? text : "error " + std::to_string(result);
}

const Sanitizer* load_sanitizer(const std::string& path, std::string& reason) {
  void* library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!library) {
    const char* error = dlerror();
    reason = error ? error : path + " cannot be loaded";
    return nullptr;
  }
  static Sanitizer api;
  const auto find = [&](auto& function, const char* name) {
    function = reinterpret_cast<std::remove_reference_t<decltype(function)>>(dlsym(library, name));
    if (!function && reason.empty()) reason = path + " has no " + name;
  };
  find(api.subscribe, "sanitizerSubscribe");
  find(api.enable_domain, "sanitizerEnableDomain");
  find(api.enable_callback, "sanitizerEnableCallback");
  find(api.add_patches_from_file, "sanitizerAddPatchesFromFile");
  find(api.patch_instructions, "sanitizerPatchInstructions");
  find(api.patch_module, "sanitizerPatchModule");
  find(api.set_launch_callback_data, "sanitizerSetLaunchCallbackData");
  find(api.get_function_pc_and_size, "sanitizerGetFunctionPcAndSize");
  find(api.alloc, "sanitizerAlloc");
  find(api.alloc_host, "sanitizerAllocHost");
  find(api.free, "sanitizerFree");
  find(api.free_host, "sanitizerFreeHost");
  find(api.memcpy_host_to_device_async, "sanitizerMemcpyHostToDeviceAsync");
  find(api.memcpy_device_to_host, "sanitizerMemcpyDeviceToHost");
  find(api.memset, "sanitizerMemset");
  find(api.stream_synchronize, "sanitizerStreamSynchronize");
  find(api.get_result_string, "sanitizerGetResultString");
  return reason.empty() ? &api : nullptr;
}

}  // namespace twiddle_cuda
