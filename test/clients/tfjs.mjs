// SPDX-License-Identifier: MIT
// tfjs.mjs: operations of TensorFlow.js on its WebGPU backend, in Node (Dawn), and on the processor. Another result than the
// processor's ends it with an error.
import { createRequire } from 'node:module';
import { create, globals } from 'webgpu';

Object.assign(globalThis, globals);
const gpu = create(['backend=vulkan']); // Dawn goes away with it
Object.defineProperty(globalThis, 'navigator', { value: { gpu, userAgent: 'node' }, configurable: true });
const require = createRequire(import.meta.url);
const tf = require('@tensorflow/tfjs-core');
require('@tensorflow/tfjs-backend-cpu');
require('@tensorflow/tfjs-backend-webgpu');

const shaped = (x, ...shape) => tf.reshape(x, shape);
const filter = (...shape) => tf.reshape(tf.range(0, shape.reduce((x, y) => x * y)), shape);
const indices = (...values) => tf.tensor1d(values, 'int32');
// Of two matrices of 16x16 numbers.
const operations = {
  add: (a, b) => tf.add(a, b),
  argMax: (a) => tf.argMax(a, 1),
  averagePool: (a) => tf.avgPool(shaped(a, 1, 16, 16, 1), 2, 2, 'valid'),
  batchNorm: (a) => tf.batchNorm(a, tf.mean(a, 0), tf.moments(a, 0).variance),
  concat: (a, b) => tf.concat([a, b], 1),
  convolution: (a) => tf.conv2d(shaped(a, 1, 16, 16, 1), filter(3, 3, 1, 4), 1, 'same'),
  cumulativeSum: (a) => tf.cumsum(a, 0),
  depthwiseConvolution: (a) => tf.depthwiseConv2d(shaped(a, 1, 8, 8, 4), filter(3, 3, 4, 1), 1, 'valid'),
  erf: (a) => tf.erf(a),
  exp: (a) => tf.exp(a),
  gather: (a) => tf.gather(a, indices(3, 0, 9, 9)),
  greater: (a, b) => tf.greater(a, b),
  leakyRelu: (a) => tf.leakyRelu(a),
  matMul: (a, b) => tf.matMul(a, b),
  maxPool: (a) => tf.maxPool(shaped(a, 1, 16, 16, 1), 3, 2, 'same'),
  oneHot: () => tf.oneHot(indices(0, 2, 1), 4),
  pad: (a) => tf.pad(a, [[1, 2], [3, 0]]),
  pow: (a) => tf.pow(tf.abs(a), 1.7),
  product: (a) => tf.prod(tf.add(tf.mul(a, 0.1), 1), 1),
  resize: (a) => tf.image.resizeBilinear(shaped(a, 1, 16, 16, 1), [23, 9]),
  reverse: (a) => tf.reverse(a, 1),
  scatter: () => tf.scatterND(tf.tensor2d([[1], [5], [1]], [3, 1], 'int32'), tf.tensor1d([1, 2, 4]), [8]),
  sin: (a) => tf.sin(a),
  softmax: (a) => tf.softmax(a),
  stridedSlice: (a) => tf.stridedSlice(a, [1, 2], [15, 14], [3, 2]),
  sum: (a) => tf.sum(a, 1),
  tanh: (a) => tf.tanh(a),
  tile: (a) => tf.tile(a, [2, 3]),
  topk: (a) => tf.topk(a, 3).values,
  transpose: (a) => tf.transpose(shaped(a, 4, 4, 16), [2, 0, 1]),
  where: (a, b) => tf.where(tf.less(a, b), a, b),
};

const numbers = (seed) => Float32Array.from({ length: 256 }, (_, i) => 2 * Math.sin(seed + i * 1.37));

async function results(backend) {
  if (!await tf.setBackend(backend)) throw new Error(`no backend ${backend}`);
  const list = [];
  for (const operation of Object.values(operations))
    list.push(await operation(tf.tensor2d(numbers(1), [16, 16]), tf.tensor2d(numbers(2), [16, 16])).data());
  return list;
}

const [expected, actual] = [await results('cpu'), await results('webgpu')];
let wrong = 0;
Object.keys(operations).forEach((name, index) => {
  const [want, have] = [expected[index], actual[index]];
  const isRight = want.length === have.length &&
    want.every((value, i) => Math.abs(value - have[i]) <= 1e-4 * Math.max(1, Math.abs(value)));
  if (!isRight) console.error(`${name}: ${have.slice(0, 8)}, not ${want.slice(0, 8)}`);
  wrong += !isRight;
});
console.log(`${expected.length} operations, ${wrong} of them wrong`);
process.exit(wrong ? 1 : 0);
