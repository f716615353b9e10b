import { readFileSync } from "node:fs";
import { CopilotRequest } from "/work/main/src/doors/copilot/schema.ts";
import { parseContext } from "/work/main/src/context/context.ts";
import { isDeeperThan } from "/work/main/src/wire/json-depth.ts";
import { printChunk } from "/work/main/src/model/chat-chunk.ts";
import { AnswerReader } from "/work/main/src/model/answer-reader.ts";
import { createTurn } from "/work/main/src/doors/copilot/create-turn.ts";
import { buildPrompt } from "/work/main/src/prompt/build-prompt.ts";
import { createTemplateEngine } from "/work/main/src/prompt/template.ts";
import { estimateTokens } from "/work/main/src/context/tokens.ts";
import { getLogger } from "@logtape/logtape";
for (const name of ["small","large"]) {
const body = readFileSync(`/work/shared/bench/stream/bodies/${name}.json`); const text = body.toString();
const json = JSON.parse(text); const N = name === "small" ? 20000 : 1500;
const time = (n: string, f: () => unknown) => { for (let i = 0; i < N/5; i++) f(); const t0 = performance.now(); for (let i = 0; i < N; i++) f(); console.log(n.padEnd(20), ((performance.now() - t0) / N * 1000).toFixed(2), 'us'); };
const dec = new TextDecoder("utf-8", { fatal: true });
time('decode', () => new TextDecoder("utf-8", { fatal: true }).decode(body));
time('decode shared', () => dec.decode(body));
time('depth', () => isDeeperThan(text, 64));
time('JSON.parse', () => JSON.parse(text));
time('zod request', () => CopilotRequest.safeParse(json));
time('zod context', () => parseContext(json.contextVariables));
const models = { names: [], resolve: () => ({ model: { name: "m", contextWindow: 1e5, answerReserve: 10 }, modelId: undefined }) } as any;
const src = { agents: new Map(), models, prompts: { find: () => undefined }, locale: "en" } as any;
const mk = () => createTurn({ id: "x", body: json, pathAgent: undefined, acceptLanguage: undefined, caller: { forward: {} }, signal: new AbortController().signal }, src);
time('createTurn', mk);
const turn = mk(); const engine = createTemplateEngine({ templateLength: 200000, renderTime: 500, renderMemory: 1e8 });
time('buildPrompt', () => buildPrompt(turn, turn.messageTemplates!, engine));
const p = buildPrompt(turn, turn.messageTemplates!, engine);
time('estimate content', () => estimateTokens(turn.context.activeEditor!.content!));
time('estimate prompt', () => p.messages.map((m) => estimateTokens(m.content)));
time('stringify', () => JSON.stringify({ messages: p.messages, stream: true }));
}
const N = 20000; const time = (n: string, f: () => unknown) => { for (let i = 0; i < N/5; i++) f(); const t0 = performance.now(); for (let i = 0; i < N; i++) f(); console.log(n.padEnd(20), ((performance.now() - t0) / N * 1000).toFixed(2), 'us'); };
const fr = JSON.parse('{"id":"chatcmpl-bench0001","object":"chat.completion.chunk","created":1763600000,"model":"bench-1","system_fingerprint":"fp_bench","choices":[{"index":0,"delta":{"content":"abc"},"logprobs":null,"finish_reason":null}]}');
time('printChunk', () => printChunk({ id: "a", model: "b", created: 1 }, { content: "x" }));
time('logger', () => getLogger(["rightseat", "turn"]).info("x {a}", { a: 1 }));
time('uuid', () => crypto.randomUUID());
async function* g1() { for (let i = 0; i < 8; i++) yield i; }
async function* g2() { yield* g1(); }
async function* g3() { for await (const x of g2()) yield x; }
const at = async (n: string, f: () => AsyncIterable<unknown>) => { for (let k = 0; k < 2; k++) { const t0 = performance.now(); for (let i = 0; i < N; i++) for await (const _ of f()); if (k) console.log(n.padEnd(20), ((performance.now() - t0) / N * 1000).toFixed(2), 'us'); } };
await at('gen1', g1); await at('gen2', g2); await at('gen3', g3);
import { AppError } from "/work/main/src/errors/app-error.ts";
import { Watch } from "/work/main/src/model/watch.ts";
import { createCopilotEncoder } from "/work/main/src/doors/copilot/encode-event.ts";
import { knowledgeTree } from "/work/main/src/flows/knowledge-tree.ts";
import { learnShape } from "/work/main/src/model/frame-shape.ts";
import { collectedBy, findCommand } from "/work/main/src/turn/agent-definition.ts";
import { fitCut } from "/work/main/src/prompt/fit-cut.ts";
import { createScope, noCut } from "/work/main/src/prompt/scope.ts";
import { describeContext } from "/work/main/src/prompt/build-prompt.ts";
{
const HEAD = '{"id":"chatcmpl-bench0001","object":"chat.completion.chunk","created":1763600000,"model":"bench-1","system_fingerprint":"fp_bench","choices":[{"index":0,"delta":';
const ev = (d: string, f: string) => `data: ${HEAD}${d},"logprobs":null,"finish_reason":${f}}]}\n\n`;
const mkText = (n: number) => { let t = ev('{"role":"assistant","content":"","refusal":null}', "null"); for (let i = 1; i <= n; i++) t += ev(`{"content":"@00000${i}:000000000000@ token token token token"}`, "null"); return new TextEncoder().encode(t + ev("{}", '"stop"') + 'data: {"id":"chatcmpl-bench0001","object":"chat.completion.chunk","created":1763600000,"model":"bench-1","system_fingerprint":"fp_bench","choices":[],"usage":{"prompt_tokens":100,"completion_tokens":100,"total_tokens":200}}\n\ndata: [DONE]\n\n'); };
const b5 = mkText(5), b200 = mkText(200);
const rd = (b: Uint8Array) => { const r = new AnswerReader("frames", { maxEvent: 1e6, maxAnswer: 8e6 }, () => ({ id: "", model: "", created: 0 })); r.push(b); r.finish(); };
time("reader 5", () => rd(b5)); time("reader 200", () => rd(b200)); time("learnShape", () => learnShape(ev(`{"content":"abc"}`, "null")));
time("watch", () => { const w = new Watch(new AbortController().signal, { firstToken: 60000, idle: 30000, total: 600000 }); w.close(); });
const json = JSON.parse(readFileSync(`/work/shared/bench/stream/bodies/small.json`, "utf8"));
const models = { names: [], resolve: () => ({ model: { name: "m", contextWindow: 1e5, answerReserve: 10 }, modelId: undefined }) } as any;
const turn = createTurn({ id: "x", body: json, pathAgent: undefined, acceptLanguage: undefined, caller: { forward: {} }, signal: new AbortController().signal }, { agents: new Map(), models, prompts: { find: () => undefined }, locale: "en" } as any);
time("tree", () => [...knowledgeTree(turn)]);
const trees = [...knowledgeTree(turn)];
time("encode", () => { const e = createCopilotEncoder({ head: { id: "a", model: "m", created: 1 }, doneMarker: "[DONE]", locale: "en", requestId: "x" }); e(trees[0]!); e({ type: "usage", usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 } }); e({ type: "turn-end", reason: "stop" }); });
time("describe", () => describeContext(turn));
time("scope", () => createScope(turn.context, new Set(["activeEditor", "userInfo", "vcs", "userInputPrompt"]), new Map(), noCut));
const sc = createScope(turn.context, new Set(["activeEditor", "userInfo", "vcs", "userInputPrompt"]), new Map(), noCut);
const engine = createTemplateEngine({ templateLength: 200000, renderTime: 500, renderMemory: 1e8 });
time("compile", () => turn.messageTemplates!.map((t) => engine.compile(t.template!)));
const cs = turn.messageTemplates!.map((t) => engine.compile(t.template!));
time("render", () => cs.map((t) => t.render(sc)));
}
