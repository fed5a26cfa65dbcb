//===- Rays.cpp - a Vulkan program that traces a picture ------------------===//
// SPDX-License-Identifier: MIT
/// \file
/// rays [FILE.png [WIDTH HEIGHT]]: traces spheres and a pyramid on a chessboard, with reflections
/// and shadows, and writes the picture as a PNG. Plain Vulkan with VK_KHR_ray_tracing_pipeline, on
/// the first physical device, whatever that is.
///
///   camera.rgen    four rays for each pixel
///   mesh.rchit     triangles: a ray to the light
///   sphere.rint    boxes with spheres in them; sphere.rchit: rays to the light and of reflection
///   sky.rmiss      what rays see that hit nothing; light.rmiss: nothing is in front of the light
#include "Device.h"
#include "Pipeline.h"
#include "Structures.h"
#include <cstdio>
#include <cstdlib>
#include <png.h>

static bool writePng(const char *path, const Buffer &pixels, uint32_t width, uint32_t height) {
  const auto *rgba = static_cast<const uint8_t *>(pixels.mapped);
  std::vector<uint8_t> rgb;
  rgb.reserve(size_t(width) * height * 3);
  for (size_t i = 0; i < size_t(width) * height; ++i)
    rgb.insert(rgb.end(), rgba + 4 * i, rgba + 4 * i + 3);
  png_image png = {};
  png.version = PNG_IMAGE_VERSION;
  png.width = width;
  png.height = height;
  png.format = PNG_FORMAT_RGB;
  return png_image_write_to_file(&png, path, 0, rgb.data(), 0, nullptr) != 0;
}

int main(int argc, char **argv) {
  const char *path = argc > 1 ? argv[1] : "rays.png";
  uint32_t width = 480, height = 300;
  if (argc > 3) {
    width = uint32_t(std::atoi(argv[2]));
    height = uint32_t(std::atoi(argv[3]));
  }
  if (argc == 3 || argc > 4 || width - 1 >= 4096 || height - 1 >= 4096) {
    std::fprintf(stderr, "usage: rays [FILE.png [WIDTH HEIGHT]], at most 4096 each\n");
    return 2;
  }
  Device d = createDevice();
  Scene scene = createScene(d);
  Buffer pixels =
      createBuffer(d, VkDeviceSize(width) * height * 4, VK_BUFFER_USAGE_STORAGE_BUFFER_BIT);
  Pipeline p = createPipeline(d, scene, pixels);
  run(d, [&](VkCommandBuffer commands) {
    vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_RAY_TRACING_KHR, p.pipeline);
    vkCmdBindDescriptorSets(commands, VK_PIPELINE_BIND_POINT_RAY_TRACING_KHR, p.layout, 0, 1,
                            &p.set, 0, nullptr);
    d.CmdTraceRaysKHR(commands, &p.rayGen, &p.miss, &p.hit, &p.callable, width, height, 1);
  });
  bool written = writePng(path, pixels, width, height);
  std::printf(written ? "wrote %s\n" : "cannot write %s\n", path);
  destroy(d, p);
  destroy(d, pixels);
  destroy(d, scene);
  destroy(d);
  return written ? 0 : 1;
}
