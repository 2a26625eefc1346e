#include "tracer/opencl/memory/opencl_images.h"

namespace twiddle {
namespace {

cl_channel_order order_of(int channels) { return channels == 1 ? CL_R : channels == 2 ? CL_RG : CL_RGBA; }

cl_channel_type channel_of(ElementType scalar, bool normalised) {
  switch (scalar) {
    case ElementType::Char: return normalised ? CL_SNORM_INT8 : CL_SIGNED_INT8;
    case ElementType::UChar: return normalised ? CL_UNORM_INT8 : CL_UNSIGNED_INT8;
    case ElementType::Short: return normalised ? CL_SNORM_INT16 : CL_SIGNED_INT16;
    case ElementType::UShort: return normalised ? CL_UNORM_INT16 : CL_UNSIGNED_INT16;
    case ElementType::Int: return CL_SIGNED_INT32;
    case ElementType::UInt: return CL_UNSIGNED_INT32;
    case ElementType::Half: return CL_HALF_FLOAT;
    default: return CL_FLOAT;
  }
}

cl_addressing_mode addressing_of(SamplerArgument::Outside outside) {
  switch (outside) {
    case SamplerArgument::Outside::Border: return CL_ADDRESS_CLAMP;
    case SamplerArgument::Outside::Edge: return CL_ADDRESS_CLAMP_TO_EDGE;
    case SamplerArgument::Outside::Repeat: return CL_ADDRESS_REPEAT;
    case SamplerArgument::Outside::Mirror: return CL_ADDRESS_MIRRORED_REPEAT;
    default: return CL_ADDRESS_NONE;
  }
}

constexpr cl::array<cl::size_type, 3> origin{0, 0, 0};

std::variant<cl::Image1D, cl::Image2D, cl::Image3D> made(const cl::Context& context, const Image& image,
                                                         const cl::ImageFormat& format) {
  switch (image.dimensions) {
    case 1: return cl::Image1D(context, CL_MEM_READ_WRITE, format, image.width);
    case 2: return cl::Image2D(context, CL_MEM_READ_WRITE, format, image.width, image.height);
    default: return cl::Image3D(context, CL_MEM_READ_WRITE, format, image.width, image.height, image.depth);
  }
}

const cl::Image& plain(const std::variant<cl::Image1D, cl::Image2D, cl::Image3D>& image) {
  return std::visit([](const auto& one) -> const cl::Image& { return one; }, image);
}

}  // namespace

ImageMemory image_memory(const KernelArgument::Image& argument) {
  ImageMemory memory;
  memory.size = {argument.image.width, argument.image.height, argument.image.depth};
  memory.channels = traits(argument.texel).components;
  memory.channel = traits(argument.texel).scalar;
  memory.normalised = argument.image.normalised;
  return memory;
}

const cl::Image& OpenClImages::image(const KernelArgument::Image& argument, const cl::Buffer& buffer) {
  const auto known = images_.find(argument.buffer);
  if (known != images_.end()) return plain(known->second.image);
  const ElementTraits& texel = traits(argument.texel);
  const cl::ImageFormat format(order_of(texel.components), channel_of(texel.scalar, argument.image.normalised));
  Made one{buffer,
           made(context_, argument.image, format),
           {argument.image.width, argument.image.height, argument.image.depth},
           0};
  one.bytes = argument.image.width * argument.image.height * argument.image.depth * texel.bytes;
  fill(one);
  return plain(images_.emplace(argument.buffer, std::move(one)).first->second.image);
}

// Through the host: PoCL's own copy between buffers and images ends the process.
void OpenClImages::fill(const Made& one) const {
  std::vector<std::byte> texels(one.bytes);
  queue_.enqueueReadBuffer(one.buffer, CL_TRUE, 0, texels.size(), texels.data());
  queue_.enqueueWriteImage(plain(one.image), CL_TRUE, origin, one.region, 0, 0, texels.data());
}

void OpenClImages::copy_in() {
  for (const auto& entry : images_) fill(entry.second);
}

const cl::Sampler& OpenClImages::sampler(const SamplerArgument& argument) {
  samplers_.emplace_back(context_, argument.normalised ? CL_TRUE : CL_FALSE, addressing_of(argument.outside),
                         argument.linear ? CL_FILTER_LINEAR : CL_FILTER_NEAREST);
  return samplers_.back();
}

void OpenClImages::copy_back() {
  for (const auto& entry : images_) {
    const Made& one = entry.second;
    std::vector<std::byte> texels(one.bytes);
    queue_.enqueueReadImage(plain(one.image), CL_TRUE, origin, one.region, 0, 0, texels.data());
    queue_.enqueueWriteBuffer(one.buffer, CL_TRUE, 0, texels.size(), texels.data());
  }
}

}  // namespace twiddle
