// SPDX-License-Identifier: MIT
// three.mjs FILE: a scene of three.js (npm package `three`) through WebGPU in Node (Dawn): a shadow, a texture with levels, a
// physical material, instances. The picture goes to FILE as a PPM. An error of the device ends it with one.
import fs from 'node:fs';
import { create, globals } from 'webgpu';

Object.assign(globalThis, globals);
const SIZE = 256; // pixels; a row is 1,024 bytes, which copies of images need to be multiples of 256
const gpu = create(['backend=vulkan']); // Dawn goes away with it

// What three.js wants of a browser.
Object.defineProperty(globalThis, 'navigator', { value: { gpu, userAgent: 'node' }, configurable: true });
globalThis.self = globalThis.window = globalThis;
globalThis.requestAnimationFrame = (call) => setTimeout(() => call(performance.now()), 0);
globalThis.cancelAnimationFrame = clearTimeout;
const context = {
  configure({ device, format, usage }) { Object.assign(this, { device, format, usage, texture: null }); },
  unconfigure() {},
  getCurrentTexture() {
    this.texture ??= this.device.createTexture({ size: [SIZE, SIZE], format: this.format,
      usage: (this.usage ?? 0) | GPUTextureUsage.RENDER_ATTACHMENT | GPUTextureUsage.COPY_SRC });
    return this.texture;
  },
};
const canvas = { width: SIZE, height: SIZE, clientWidth: SIZE, clientHeight: SIZE, style: {}, addEventListener() {},
  removeEventListener() {}, setAttribute() {}, getContext: (kind) => (kind === 'webgpu' ? context : null) };

const THREE = await import('three/webgpu');

function checkered() {
  const texels = new Uint8Array(4 * 64);
  for (let i = 0; i < 64; ++i) texels.set(((i >> 3) + i) & 1 ? [255, 220, 60, 255] : [200, 40, 40, 255], 4 * i);
  const map = new THREE.DataTexture(texels, 8, 8);
  map.colorSpace = THREE.SRGBColorSpace;
  map.minFilter = THREE.LinearMipmapLinearFilter;
  map.generateMipmaps = map.needsUpdate = true;
  return map;
}

function makeScene() {
  const scene = new THREE.Scene();
  scene.background = new THREE.Color(0x203040);
  const sun = new THREE.DirectionalLight(0xffffff, 3);
  sun.position.set(3, 6, 2);
  sun.castShadow = true;
  sun.shadow.bias = -0.02; // so that the ground throws none on itself
  scene.add(sun, new THREE.AmbientLight(0x404060, 2));
  const add = (geometry, material, ...place) => {
    const mesh = new THREE.Mesh(geometry, material);
    mesh.position.set(...place);
    mesh.castShadow = mesh.receiveShadow = true;
    scene.add(mesh);
    return mesh;
  };
  add(new THREE.PlaneGeometry(10, 10), new THREE.MeshStandardMaterial({ color: 0x80a080 }), 0, 0, 0).rotation.x = -Math.PI / 2;
  add(new THREE.BoxGeometry(1, 1, 1), new THREE.MeshStandardMaterial({ map: checkered() }), -1.2, 0.6, 0).rotation.y = 0.5;
  add(new THREE.SphereGeometry(0.6, 32, 24),
    new THREE.MeshPhysicalMaterial({ color: 0x4080ff, metalness: 0.3, roughness: 0.25, clearcoat: 1 }), 0.4, 0.7, 0.6);
  add(new THREE.TorusKnotGeometry(0.4, 0.14, 96, 12), new THREE.MeshNormalMaterial(), 1.4, 0.9, -0.8);
  const cones = new THREE.InstancedMesh(new THREE.ConeGeometry(0.12, 0.4, 8), new THREE.MeshLambertMaterial(), 40);
  for (let i = 0; i < 40; ++i) {
    cones.setMatrixAt(i, new THREE.Matrix4().makeTranslation(2.6 * Math.cos(i * 0.4), 0.2, 2.6 * Math.sin(i * 0.4)));
    cones.setColorAt(i, new THREE.Color().setHSL(i / 40, 1, 0.5));
  }
  scene.add(cones);
  return scene;
}

async function readBack(device) {
  const buffer = device.createBuffer({ size: 4 * SIZE * SIZE, usage: GPUBufferUsage.COPY_DST | GPUBufferUsage.MAP_READ });
  const encoder = device.createCommandEncoder();
  encoder.copyTextureToBuffer({ texture: context.texture }, { buffer, bytesPerRow: 4 * SIZE }, [SIZE, SIZE]);
  device.queue.submit([encoder.finish()]);
  await buffer.mapAsync(GPUMapMode.READ);
  const pixels = new Uint8Array(buffer.getMappedRange());
  const order = context.format.startsWith('bgra') ? [2, 1, 0] : [0, 1, 2];
  return Buffer.from(Array.from({ length: SIZE * SIZE * 3 }, (_, i) => pixels[4 * Math.floor(i / 3) + order[i % 3]]));
}

const renderer = new THREE.WebGPURenderer({ canvas, antialias: true });
renderer.setSize(SIZE, SIZE, false);
renderer.shadowMap.enabled = true;
await renderer.init();
if (!renderer.backend.isWebGPUBackend) throw new Error('no WebGPU');
const { device } = renderer.backend;
device.onuncapturederror = (event) => { console.error(event.error.message); process.exit(1); };
const camera = new THREE.PerspectiveCamera(45, 1, 0.1, 100);
camera.position.set(3, 3, 5);
camera.lookAt(0, 0.5, 0);
const scene = makeScene();
for (let frame = 0; frame < 2; ++frame) renderer.render(scene, camera);
fs.writeFileSync(process.argv[2], Buffer.concat([Buffer.from(`P6 ${SIZE} ${SIZE} 255\n`), await readBack(device)]));
process.exit(0);
