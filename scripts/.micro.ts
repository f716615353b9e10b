import { readFileSync } from "node:fs";
import { createApp } from "/work/main/src/app.ts";
import { parseConfig } from "/work/main/src/config.ts";
import { createModels } from "/work/main/src/create-models.ts";
const N = Number(process.argv[2] ?? 5), bodyFile = process.argv[3] ?? "small";
const HEAD = '{"id":"chatcmpl-bench0001","object":"chat.completion.chunk","created":1763600000,"model":"bench-1","system_fingerprint":"fp_bench","choices":[{"index":0,"delta":';
const ev = (d: string, f: string) => `data: ${HEAD}${d},"logprobs":null,"finish_reason":${f}}]}\n\n`;
let text = ev('{"role":"assistant","content":"","refusal":null}', "null");
for (let i = 1; i <= N; i++) text += ev(`{"content":"@00000${i}:000000000000@ token token token token"}`, "null");
text += ev("{}", '"stop"') + 'data: {"id":"chatcmpl-bench0001","object":"chat.completion.chunk","created":1763600000,"model":"bench-1","system_fingerprint":"fp_bench","choices":[],"usage":{"prompt_tokens":100,"completion_tokens":100,"total_tokens":200}}\n\ndata: [DONE]\n\n';
const bytes = new TextEncoder().encode(text);
const config = parseConfig({ OPENAI_BASE_URL: "http://x", OPENAI_API_KEY: "x" });
const transport = { async send(r: any) { return { status: 200, header: (n: string) => n === "content-type" ? "text/event-stream" : undefined, discard() {}, body: { async *[Symbol.asyncIterator]() { yield bytes; } } }; } };
const body = readFileSync(`/work/shared/bench/stream/bodies/${bodyFile}.json`);
let out = 0;
const sent = new Response(null);
const app = createApp({ config, agents: [], models: createModels(config, {}, transport as any), promptFiles: {}, createId: () => crypto.randomUUID(), version: "0",
  createExchange: (() => ({ readBody: async () => body, onClose() {}, open: () => ({ response: sent, sink: { write(b: any) { out += b.length; return true; }, drained: async () => {}, end(b: any) { out += b.length; } } }) })) as any });
const headers = new Headers({ "content-type": "application/json", host: "127.0.0.1" });
const req = { method: "POST", url: "http://127.0.0.1/", headers, raw: null } as any;
const run = async (n: number) => { for (let i = 0; i < n; i++) await app.fetch(req, {}); };
const M = Number(process.argv[4] ?? 30000); await run(M); for (let k = 0; k < 3; k++) { const c0 = process.cpuUsage(); await run(M); const c = process.cpuUsage(c0); console.log(((c.user + c.system) / M).toFixed(1), "cpu us per request"); }
