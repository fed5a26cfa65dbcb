// Images and samplers as arguments, and samplers of the program: what they hold says images*.sim.
constant sampler_t pixels = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP_TO_EDGE | CLK_FILTER_NEAREST;
constant sampler_t border = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP | CLK_FILTER_NEAREST;
constant sampler_t between = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP_TO_EDGE | CLK_FILTER_LINEAR;

float4 left_of(read_only image2d_t image, int2 at) { return read_imagef(image, pixels, at - (int2)(1, 0)); }

// Sizes, edges, borders, the middle between two pixels, an integer image, and one that is written.
kernel void planes(read_only image2d_t a, read_only image2d_t n, write_only image2d_t b, sampler_t s, global float *out) {
  int2 at = (int2)(get_global_id(0), get_global_id(1));
  int i = at.y * get_image_width(a) + at.x;
  float4 here = read_imagef(a, pixels, at);
  out[6 * i] = left_of(a, at).x;
  out[6 * i + 1] = read_imagef(a, border, at - (int2)(1, 0)).x;
  out[6 * i + 2] = read_imagef(a, border, at - (int2)(1, 0)).w;
  out[6 * i + 3] = read_imagef(a, between, (float2)(at.x + 1.0f, at.y + 0.5f)).x;
  out[6 * i + 4] = read_imagef(a, s, (float2)((at.x + 4.5f) / 4, (at.y + 0.5f) / 2)).x;
  out[6 * i + 5] = read_imagei(n, at).x + 10 * get_image_height(a) + 100 * get_image_width(a) + get_image_dim(n).x * 1000;
  write_imagef(b, (int2)(3 - at.x, at.y), (float4)(here.x / 8, 0.5f, 1.0f, 0.25f));
}

// One, and three, dimensions; arrays; a buffer; an image that is read and written.
kernel void lines(read_only image1d_t a, read_only image3d_t c, read_only image1d_array_t d, read_only image2d_array_t e,
                  image1d_buffer_t f, global uint *out) {
  int x = get_global_id(0);
  out[6 * x] = read_imageui(a, pixels, x).x;
  out[6 * x + 1] = read_imageui(c, pixels, (int4)(x & 1, x >> 1, 1, 0)).x;
  out[6 * x + 2] = read_imageui(d, pixels, (int2)(x, 1)).x;
  out[6 * x + 3] = read_imageui(e, pixels, (int4)(x & 1, x >> 1, 2, 0)).y;
  out[6 * x + 4] = read_imageui(f, x).x;
  out[6 * x + 5] = get_image_width(a) + 10 * get_image_depth(c) + 100 * get_image_array_size(d) +
                   1000 * (int)get_image_array_size(e) + 10000 * get_image_width(f);
}
