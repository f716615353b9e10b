import { createServer } from "node:http";
import { getRequestListener } from "@hono/node-server";
import { createApp } from "/work/main/src/app.ts";
import { parseConfig } from "/work/main/src/config.ts";
import { createModels } from "/work/main/src/create-models.ts";
import { nodeExchanges } from "/work/main/src/wire/node-exchange.node.ts";
import { createUndiciTransport } from "/work/main/src/model/undici-transport.node.ts";
const N = 5;
const HEAD = '{"id":"chatcmpl-bench0001","object":"chat.completion.chunk","created":1763600000,"model":"bench-1","system_fingerprint":"fp_bench","choices":[{"index":0,"delta":';
const ev = (d: string, f: string) => `data: ${HEAD}${d},"logprobs":null,"finish_reason":${f}}]}\n\n`;
let text = ev('{"role":"assistant","content":"","refusal":null}', "null");
for (let i = 1; i <= N; i++) text += ev(`{"content":"@00000${i}:000000000000@ token token token token"}`, "null");
text += ev("{}", '"stop"') + 'data: {"id":"chatcmpl-bench0001","object":"chat.completion.chunk","created":1763600000,"model":"bench-1","system_fingerprint":"fp_bench","choices":[],"usage":{"prompt_tokens":100,"completion_tokens":100,"total_tokens":200}}\n\ndata: [DONE]\n\n';
const bytes = new TextEncoder().encode(text);
const config = parseConfig({ OPENAI_BASE_URL: "http://127.0.0.1:9110", OPENAI_API_KEY: "x" });
const fake = { async send(r: any) { return { status: 200, header: (n: string) => n === "content-type" ? "text/event-stream" : undefined, discard() {}, body: { async *[Symbol.asyncIterator]() { yield bytes; } } }; } };
const transport = process.env["REAL"] ? createUndiciTransport(10000) : fake;
const app = createApp({ config, agents: [], models: createModels(config, {}, transport as any), promptFiles: {}, createId: () => crypto.randomUUID(), version: "0", createExchange: nodeExchanges() });
const mode = process.env["MODE"];
const rt = createUndiciTransport(10000);
const listener = getRequestListener(app.fetch, { hostname: "127.0.0.1", overrideGlobalObjects: false });
const ex = nodeExchanges();
createServer((i, o) => {
  if (mode === "bare") { // transport + exchange only
    const e = ex(null as any, { incoming: i, outgoing: o });
    void (async () => { const body = await e.readBody(1e7); const c = new AbortController(); e.onClose(() => c.abort()); const r = await rt.send({ url: "http://127.0.0.1:9110/chat/completions", headers: { "content-type": "application/json", authorization: "Bearer x" }, body: '{"messages":[]}', signal: c.signal }); const { sink } = e.open({ "content-type": "text/event-stream" }); for await (const chunk of r.body) { if (!sink.write(chunk)) await sink.drained(); } sink.end(); })();
    return; }
  void listener(i, o); }).listen({ port: +process.env["PORT"]!, host: "127.0.0.1", backlog: 8192 });
