import { learnShape, matchShape } from "/work/main/src/model/frame-shape.ts";
const HEAD = '{"id":"chatcmpl-bench0001","object":"chat.completion.chunk","created":1763600000,"model":"bench-1","system_fingerprint":"fp_bench","choices":[{"index":0,"delta":';
const pre = `data: ${HEAD}{"content":"`, suf = '"},"logprobs":null,"finish_reason":null}]}\n\n';
let t=''; for (let i = 0; i < 200; i++) t += pre + `@000001:000000000000@ token token token token` + suf;
t = new TextDecoder().decode(new TextEncoder().encode(t));
const s = learnShape(pre + "x" + suf)!;
const f = () => { let p = 0; for (;;) { const q = matchShape(s, t, p); if (q < 0) return p; p = q; } };
for (let i = 0; i < 3000; i++) f(); const t0 = performance.now(); for (let i = 0; i < 5000; i++) f(); console.log(((performance.now() - t0) / 5000 * 1000 / 200 * 1000).toFixed(0), "ns/frame");
