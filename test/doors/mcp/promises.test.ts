// What every door promises, asked by the official client in both revisions; on Node and in workerd.
import type { CallToolResult } from "@modelcontextprotocol/client";
import { type App } from "../../../src/app.ts";
import { connectMcp, eras, textOfResult } from "../../helpers/mcp-client.ts";
import { type Talk, doorPromises } from "../door-promises.ts";

const question = { name: "rightseat_explain", arguments: { code: "const a = 1;\n", ask: false } };

function ask(
  app: App,
  era: (typeof eras)[number],
  { key, language }: { key?: string; language?: string } = {},
): Talk {
  const left = new AbortController();
  let began = (): void => undefined;
  const hasBegun = new Promise<undefined>((resolve) => (began = () => resolve(undefined)));
  const call = async (): Promise<CallToolResult> => {
    const given = { ...(key && { key }), ...(language && { language }) };
    const client = await connectMcp(app, { era, ...given, signal: left.signal });
    try {
      return await client.callTool(question, { onprogress: began });
    } finally {
      await client.close();
    }
  };
  const asked = call();
  asked.catch(() => undefined);
  return {
    async refusal() {
      const settled = asked.then(
        ({ structuredContent }) => errorOf(structuredContent)?.code,
        codeOf,
      );
      return Promise.race([settled, hasBegun]);
    },
    async whole() {
      const { structuredContent, isError = false, ...rest } = await asked;
      const text = textOfResult({ structuredContent, ...rest });
      const { code } = errorOf(structuredContent) ?? {};
      const error = code === undefined ? undefined : { code, sentence: text };
      return { text, error, isWhole: isError === (error !== undefined) };
    },
    leave() {
      left.abort();
    },
  };
}

/** Of what a connection failed: of a refusal while the revision is looked for the client tells the status alone. */
function codeOf(thrown: unknown): string {
  const codes: Record<string, string> = { 401: "unauthorized", 503: "draining" };
  const text = String(thrown);
  return /"code":"(\w+)"/.exec(text)?.[1] ?? codes[/HTTP (\d+)/.exec(text)?.[1] ?? ""] ?? text;
}

function errorOf(structured: unknown): { code: string } | undefined {
  return (structured as { error?: { code: string } } | undefined)?.error;
}

for (const era of eras)
  doorPromises(`mcp, as a client of the revision ${era} sees it`, {
    ask: (app, how) => ask(app, era, how),
  });
