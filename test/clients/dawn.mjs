// SPDX-License-Identifier: MIT
// dawn.mjs FILE: a compute shader and a triangle through WebGPU (Dawn, npm package `webgpu`); the picture
// goes to FILE as a PPM. Numbers that are not what the shader says end it with an error.
import fs from 'node:fs';
import { create, globals } from 'webgpu';

Object.assign(globalThis, globals);
const SIZE = 256; // pixels; a row is 1,024 bytes, which copies of images need to be multiples of 256
const COUNT = 1000;

const gpu = create(['backend=vulkan']); // Dawn goes away with it
const adapter = await gpu.requestAdapter();
if (!adapter) throw new Error('no adapter');
const device = await adapter.requestDevice();
device.onuncapturederror = (event) => { console.error(event.error.message); process.exit(1); };
console.log(adapter.info.description || adapter.info.device);

async function readBack(buffer, bytes) {
  const staging = device.createBuffer({ size: bytes, usage: GPUBufferUsage.COPY_DST | GPUBufferUsage.MAP_READ });
  const encoder = device.createCommandEncoder();
  encoder.copyBufferToBuffer(buffer, 0, staging, 0, bytes);
  device.queue.submit([encoder.finish()]);
  await staging.mapAsync(GPUMapMode.READ);
  const copy = staging.getMappedRange().slice(0);
  staging.unmap();
  return copy;
}

async function compute() {
  const module = device.createShaderModule({ code: `
    @group(0) @binding(0) var<storage, read_write> data : array<u32>;
    @compute @workgroup_size(64) fn main(@builtin(global_invocation_id) id : vec3u) {
      if (id.x < arrayLength(&data)) { data[id.x] = data[id.x] * 3u + id.x; }
    }` });
  const buffer = device.createBuffer({ size: 4 * COUNT,
    usage: GPUBufferUsage.STORAGE | GPUBufferUsage.COPY_SRC | GPUBufferUsage.COPY_DST });
  device.queue.writeBuffer(buffer, 0, Uint32Array.from({ length: COUNT }, (_, index) => index * index));
  const pipeline = device.createComputePipeline({ layout: 'auto', compute: { module, entryPoint: 'main' } });
  const group = device.createBindGroup({ layout: pipeline.getBindGroupLayout(0),
    entries: [{ binding: 0, resource: { buffer } }] });
  const encoder = device.createCommandEncoder();
  const pass = encoder.beginComputePass();
  pass.setPipeline(pipeline);
  pass.setBindGroup(0, group);
  pass.dispatchWorkgroups(Math.ceil(COUNT / 64));
  pass.end();
  device.queue.submit([encoder.finish()]);
  new Uint32Array(await readBack(buffer, 4 * COUNT)).forEach((value, index) => {
    if (value !== index * index * 3 + index) throw new Error(`data[${index}] is ${value}`);
  });
}

async function draw(file) {
  const module = device.createShaderModule({ code: `
    struct Vertex { @builtin(position) position : vec4f, @location(0) color : vec3f }
    @vertex fn vertex(@builtin(vertex_index) index : u32) -> Vertex {
      let corner = array(vec2f(0, 0.8), vec2f(-0.8, -0.8), vec2f(0.8, -0.8))[index];
      return Vertex(vec4f(corner, 0, 1), vec3f(f32(index == 0u), f32(index == 1u), f32(index == 2u)));
    }
    @fragment fn fragment(in : Vertex) -> @location(0) vec4f { return vec4f(in.color, 1); }` });
  const texture = device.createTexture({ size: [SIZE, SIZE], format: 'rgba8unorm',
    usage: GPUTextureUsage.RENDER_ATTACHMENT | GPUTextureUsage.COPY_SRC });
  const pipeline = device.createRenderPipeline({ layout: 'auto', vertex: { module, entryPoint: 'vertex' },
    fragment: { module, entryPoint: 'fragment', targets: [{ format: 'rgba8unorm' }] } });
  const buffer = device.createBuffer({ size: 4 * SIZE * SIZE, usage: GPUBufferUsage.COPY_SRC | GPUBufferUsage.COPY_DST });
  const encoder = device.createCommandEncoder();
  const pass = encoder.beginRenderPass({ colorAttachments: [{ view: texture.createView(), loadOp: 'clear',
    storeOp: 'store', clearValue: [0.2, 0.2, 0.2, 1] }] });
  pass.setPipeline(pipeline);
  pass.draw(3);
  pass.end();
  encoder.copyTextureToBuffer({ texture }, { buffer, bytesPerRow: 4 * SIZE }, [SIZE, SIZE]);
  device.queue.submit([encoder.finish()]);
  const pixels = new Uint8Array(await readBack(buffer, 4 * SIZE * SIZE));
  const rgb = pixels.filter((_, index) => index % 4 !== 3);
  fs.writeFileSync(file, Buffer.concat([Buffer.from(`P6 ${SIZE} ${SIZE} 255\n`), Buffer.from(rgb)]));
}

await compute();
await draw(process.argv[2]);
process.exit(0);
