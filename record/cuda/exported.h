// What programs and Twiddle find in libtwiddle-cuda.so by name.
#pragma once

#define TW_EXPORT extern "C" __attribute__((visibility("default")))
