// All that a kernel uses of it is in host_simt.h already.
#pragma once
