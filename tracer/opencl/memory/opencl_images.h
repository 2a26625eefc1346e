// Images and samplers of a launch.
#pragma once

#include "tracer/opencl/memory/opencl_texels.h"
#include "tracer/runtime/runtime.h"

#include <CL/opencl.hpp>

#include <map>
#include <variant>
#include <vector>

namespace twiddle {

/// What reading the log of a launch has to know of an image.
ImageMemory image_memory(const KernelArgument::Image& argument);

/// The images of one launch, made of buffers before it and copied back into them after it, so that everything else knows
/// buffers alone. Functions throw cl::Error.
class OpenClImages {
 public:
  OpenClImages(const cl::Context& context, const cl::CommandQueue& queue) : context_(context), queue_(queue) {}

  /// The content of all buffers to their images once more.
  void copy_in();

  /// The image of a buffer, with its content; one for all arguments that name it.
  const cl::Image& image(const KernelArgument::Image& argument, const cl::Buffer& buffer);
  const cl::Sampler& sampler(const SamplerArgument& argument);

  /// Puts the texels back into their buffers, and waits for that.
  void copy_back();

 private:
  struct Made {
    cl::Buffer buffer;
    std::variant<cl::Image1D, cl::Image2D, cl::Image3D> image;
    cl::array<cl::size_type, 3> region;
    std::size_t bytes = 0;  // of all texels
  };
  void fill(const Made& one) const;

  cl::Context context_;
  cl::CommandQueue queue_;
  std::map<BufferHandle, Made> images_;
  std::vector<cl::Sampler> samplers_;
};

}  // namespace twiddle
