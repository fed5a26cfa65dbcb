// SPDX-License-Identifier: MIT
// llama.mjs FOLDER: llama.cpp (npm package `node-llama-cpp`) with a model of noise, on the GPU and on the processor: reads forty
// tokens, then one after another. Other probabilities of the next token than the processor's end it with an error.
import fs from 'node:fs';
import path from 'node:path';
import { getLlama, LlamaLogLevel } from 'node-llama-cpp';

const EMBEDDING = 256, HEADS = 4, KEY_HEADS = 2, FEED_FORWARD = 512, LAYERS = 2;
const ALIGNMENT = 32; // of the file's tensors

let state = 12345;
const random = () => (state = (Math.imul(state, 1664525) + 1013904223) >>> 0) / 2 ** 32;

/// The bits of a small number with 16 bits, cut off.
function half(value) {
  const bits = new Uint32Array(new Float32Array([value]).buffer)[0], exponent = ((bits >>> 23) & 255) - 112;
  return ((bits >>> 31) << 15) | (exponent <= 0 ? 0 : (exponent << 10) | ((bits >>> 13) & 1023));
}

function noise(bytes, from, to) {
  for (let i = from; i < to; ++i) bytes[i] = 256 * random();
}

// What a block of a tensor is in a GGUF file: how many numbers and bytes, and how to fill it with numbers of common size.
const F32 = { id: 0, numbers: 1, bytes: 4, fill: (to, at) => to.writeFloatLE(0.3 * (random() - 0.5), at) };
const ONES = { ...F32, fill: (to, at) => to.writeFloatLE(1 + 0.1 * (random() - 0.5), at) };
const F16 = { id: 1, numbers: 1, bytes: 2, fill: (to, at) => to.writeUInt16LE(half(0.3 * (random() - 0.5)), at) };
const Q8_0 = { id: 8, numbers: 32, bytes: 34, fill(to, at) {
  to.writeUInt16LE(half(0.001 * (0.5 + random())), at);
  noise(to, at + 2, at + 34);
} };
const Q4_K = { id: 12, numbers: 256, bytes: 144, fill(to, at) {
  to.writeUInt16LE(half(0.0004 * (0.5 + random())), at);
  to.writeUInt16LE(half(0.003 * (0.5 + random())), at + 2);
  noise(to, at + 4, at + 144);
} };
const Q6_K = { id: 14, numbers: 256, bytes: 210, fill(to, at) {
  noise(to, at, at + 208);
  to.writeUInt16LE(half(0.00005 * (0.5 + random())), at + 208);
} };

const u32 = (value) => { const bytes = Buffer.alloc(4); bytes.writeUInt32LE(value); return bytes; };
const u64 = (value) => { const bytes = Buffer.alloc(8); bytes.writeBigUInt64LE(BigInt(value)); return bytes; };
const f32 = (value) => { const bytes = Buffer.alloc(4); bytes.writeFloatLE(value); return bytes; };
const text = (value) => Buffer.concat([u64(Buffer.byteLength(value)), Buffer.from(value)]);
const U32 = 4, FLOAT = 6, TEXT = 8, LIST = 9; // types of metadata
const list = (type, values) => Buffer.concat([u32(type), u64(values.length), ...values]);

function metadata(tokens) {
  const kindOf = (index) => (index === 0 ? 2 : index < 3 ? 3 : index < 259 ? 6 : 1); // unknown, control, byte, normal
  const rows = [
    ['general.architecture', TEXT, text('llama')], ['general.name', TEXT, text('noise')], ['general.alignment', U32, u32(ALIGNMENT)],
    ['llama.context_length', U32, u32(256)], ['llama.embedding_length', U32, u32(EMBEDDING)], ['llama.block_count', U32, u32(LAYERS)],
    ['llama.feed_forward_length', U32, u32(FEED_FORWARD)], ['llama.attention.head_count', U32, u32(HEADS)],
    ['llama.attention.head_count_kv', U32, u32(KEY_HEADS)], ['llama.rope.dimension_count', U32, u32(EMBEDDING / HEADS)],
    ['llama.attention.layer_norm_rms_epsilon', FLOAT, f32(1e-5)], ['llama.vocab_size', U32, u32(tokens.length)],
    ['tokenizer.ggml.model', TEXT, text('llama')], ['tokenizer.ggml.tokens', LIST, list(TEXT, tokens.map(text))],
    ['tokenizer.ggml.scores', LIST, list(FLOAT, tokens.map((_, index) => f32(-index)))],
    ['tokenizer.ggml.token_type', LIST, list(5, tokens.map((_, index) => u32(kindOf(index))))],
    ['tokenizer.ggml.bos_token_id', U32, u32(1)], ['tokenizer.ggml.eos_token_id', U32, u32(2)],
    ['tokenizer.ggml.unknown_token_id', U32, u32(0)],
  ];
  return rows.map(([name, type, value]) => Buffer.concat([text(name), u32(type), value]));
}

/// Writes a model whose matrices have these types.
function writeModel(file, { embedding, output, query, value, projection, gate, up, down }) {
  const bytes = Array.from({ length: 256 }, (_, i) => `<0x${i.toString(16).toUpperCase().padStart(2, '0')}>`);
  const tokens = ['<unk>', '<s>', '</s>', ...bytes, ...Array.from({ length: 29 }, (_, i) => `word${i}`)];
  const keys = EMBEDDING / HEADS * KEY_HEADS;
  const tensors = [['token_embd', embedding, EMBEDDING, tokens.length], ['output_norm', ONES, EMBEDDING],
    ['output', output, EMBEDDING, tokens.length]];
  for (let layer = 0; layer < LAYERS; ++layer)
    for (const [name, ...rest] of [['attn_norm', ONES, EMBEDDING], ['attn_q', query, EMBEDDING, EMBEDDING],
      ['attn_k', query, EMBEDDING, keys], ['attn_v', value, EMBEDDING, keys], ['attn_output', projection, EMBEDDING, EMBEDDING],
      ['ffn_norm', ONES, EMBEDDING], ['ffn_gate', gate, EMBEDDING, FEED_FORWARD], ['ffn_up', up, EMBEDDING, FEED_FORWARD],
      ['ffn_down', down, FEED_FORWARD, EMBEDDING]])
      tensors.push([`blk.${layer}.${name}`, ...rest]);
  const infos = [], data = [];
  let offset = 0;
  for (const [name, type, ...extents] of tensors) {
    const blocks = extents.reduce((x, y) => x * y) / type.numbers;
    infos.push(text(`${name}.weight`), u32(extents.length), ...extents.map(u64), u32(type.id), u64(offset));
    const content = Buffer.alloc(Math.ceil(blocks * type.bytes / ALIGNMENT) * ALIGNMENT);
    for (let i = 0; i < blocks; ++i) type.fill(content, i * type.bytes);
    data.push(content);
    offset += content.length;
  }
  const rows = metadata(tokens);
  const head = Buffer.concat([Buffer.from('GGUF'), u32(3), u64(tensors.length), u64(rows.length), ...rows, ...infos]);
  fs.writeFileSync(file, Buffer.concat([head, Buffer.alloc((ALIGNMENT - head.length % ALIGNMENT) % ALIGNMENT), ...data]));
}

/// The probabilities of the next token behind a text, and behind each of six more tokens.
async function probabilities(llama, modelPath, gpuLayers, flashAttention) {
  const model = await llama.loadModel({ modelPath, gpuLayers });
  const context = await model.createContext({ contextSize: 128, flashAttention });
  const sequence = context.getSequence();
  const steps = [Array.from({ length: 40 }, (_, i) => 3 + (i * 37) % 256), ...[3, 14, 25, 36, 47, 58].map((token) => [token])];
  const maps = [];
  for (const tokens of steps) {
    const last = tokens.length - 1;
    const made = await sequence.controlledEvaluate(
      tokens.map((token, i) => (i === last ? [token, { generateNext: { probabilities: true } }] : token)));
    maps.push(made[last].next.probabilities);
  }
  await context.dispose();
  await model.dispose();
  return maps;
}

const gpu = await getLlama({ gpu: 'vulkan', build: 'never', logLevel: LlamaLogLevel.error });
const processor = await getLlama({ gpu: false, build: 'never', logLevel: LlamaLogLevel.error });
console.log(gpu.gpu, await gpu.getGpuDeviceNames());
// The processor rounds what it multiplies with small numbers to 8 bits, and so does the GPU where it has dot products.
const models = [
  { name: 'floats', allowed: 1e-3, types: { embedding: F32, output: F32, query: F32, value: F32, projection: F32, gate: F32, up: F32, down: F32 } },
  { name: 'small', allowed: 0.05, types: { embedding: F16, output: Q8_0, query: Q4_K, value: Q6_K, projection: Q8_0, gate: Q4_K, up: F16, down: Q6_K } },
];
let wrong = 0;
for (const { name, allowed, types } of models) {
  const file = path.join(process.argv[2], `${name}.gguf`);
  writeModel(file, types);
  const expected = await probabilities(processor, file, 0, false);
  const most = Math.max(...expected.map((map) => Math.max(...map.values())));
  for (const flashAttention of [false, true]) {
    const actual = await probabilities(gpu, file, LAYERS + 1, flashAttention);
    let worst = 0;
    expected.forEach((map, step) => map.forEach((value, token) => {
      worst = Math.max(worst, Math.abs(value - (actual[step].get(token) ?? 0)));
    }));
    console.log(`${name}, flash attention ${flashAttention}: differs by ${worst.toFixed(5)} at most, of up to ${most.toFixed(3)}`);
    wrong += !(worst <= allowed && most > 0.02);
  }
}
process.exit(wrong ? 1 : 0);
