// SPDX-License-Identifier: MIT
// A ray towards the light that nothing stops.
#version 460
#extension GL_EXT_ray_tracing : require
layout(location = 1) rayPayloadInEXT float light;
void main() { light = 1; }
