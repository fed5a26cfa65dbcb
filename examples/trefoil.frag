#version 450
// The knot, striped and shiny, or the ground, a checker that lets the reflection shine through:
// Blinn-Phong lighting, shadows with soft edges, fog.
layout(constant_id = 0) const bool isGround = false;

layout(location = 0) in vec3 worldPosition;
layout(location = 1) in vec3 worldNormal;
layout(location = 2) in vec2 surface; // knot: along and around the tube, both 0 to 1
layout(location = 3) in vec3 inShadowMap;

layout(set = 0, binding = 0) uniform Scene {
  mat4 camera;
  mat4 light;
  vec4 eye;
  vec4 toLight;
  vec4 fog;
};
layout(set = 0, binding = 1) uniform sampler2DShadow shadowMap;
layout(push_constant) uniform Draw {
  float up;
};

layout(location = 0) out vec4 colour;

const float tau = 6.2831853;

// Stripes, one per unit, that take a part of it: 1 there and -1 elsewhere, and in between at the
// edges and where pixels are larger.
float stripes(float x, float part) {
  float inside = 2.0 * part - 4.0 * abs(fract(x) - 0.5);
  float smallest = max(4.0 * fwidth(x), 0.001);
  return clamp(inside / smallest, -1.0, 1.0);
}

// The share of the light that arrives: nine filtered comparisons, so that edges are soft.
float lightThatArrives() {
  vec2 texel = 1.5 / vec2(textureSize(shadowMap, 0));
  float sum = 0.0;
  for (int y = -1; y <= 1; ++y)
    for (int x = -1; x <= 1; ++x)
      sum += texture(shadowMap, inShadowMap + vec3(texel * vec2(x, y), 0.0));
  return sum / 9.0;
}

// Once around the colour wheel along the knot, and a light band that winds around it.
vec3 knotColour() {
  vec3 wheel = 0.5 + 0.5 * cos(tau * (surface.x + vec3(0.0, 0.16, 0.46)));
  vec3 paint = vec3(0.95, 0.55, 0.72) * wheel * wheel + vec3(0.05, 0.01, 0.09);
  float band = 0.5 + 0.5 * stripes(27.0 * surface.x + surface.y, 0.2);
  return mix(paint, vec3(0.98, 0.86, 0.66), band);
}

vec3 groundColour() {
  float checker = stripes(surface.x, 0.5) * stripes(surface.y, 0.5);
  return mix(vec3(0.025, 0.03, 0.05), vec3(0.30, 0.32, 0.36), 0.5 + 0.5 * checker);
}

void main() {
  vec3 normal = normalize(worldNormal);
  vec3 toEye = vec3(eye.x, up * eye.y, eye.z) - worldPosition;
  float away = length(toEye);
  toEye /= away;

  float arrives = lightThatArrives();
  float facing = max(dot(normal, toLight.xyz), 0.0);
  float shine = pow(max(dot(normal, normalize(toLight.xyz + toEye)), 0.0), 60.0);
  vec3 ambient = mix(vec3(0.10, 0.07, 0.09), vec3(0.22, 0.26, 0.38), 0.5 + 0.5 * normal.y);
  vec3 sun = vec3(1.5, 1.34, 1.12) * arrives;
  float grazing = pow(1.0 - max(dot(normal, toEye), 0.0), 5.0);

  vec3 result = (isGround ? groundColour() : knotColour()) * (ambient + sun * facing);
  if (!isGround)
    result += 0.7 * sun * shine + 3.0 * fog.rgb * grazing;
  float clear = exp(-fog.a * away * away);
  float opaque = isGround ? 1.0 - clear * (0.25 + 0.5 * grazing) : 1.0;
  colour = vec4(mix(fog.rgb, result, clear), opaque);
}
