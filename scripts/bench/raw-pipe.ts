// The least that an endpoint of the platform can do, after the sample in the platform's document:
// parse the body, fill the templates, ask the model, pipe its bytes. It checks nothing, limits
// nothing, and notices no failure; it is what Rightseat is measured against.
import { Agent, type ServerResponse, createServer, request } from "node:http";
import { announce } from "./child.ts";

/** What it reads of a request, unchecked as in the sample. */
interface PlatformRequest {
  command?: string;
  model?: string;
  contextVariables?: { name: string; value: unknown }[];
  agentDefinition?: {
    commands?: { name: string; messageTemplates?: { role: string; template: string }[] }[];
  };
}

const upstream = new URL(`${process.env["UPSTREAM"] ?? ""}/chat/completions`);
const agent = new Agent({ keepAlive: true, maxFreeSockets: 20_000, scheduling: "lifo" });

const server = createServer((incoming, outgoing) => {
  let body = "";
  incoming.setEncoding("utf8");
  incoming.on("data", (part: string) => (body += part));
  incoming.on("end", () => {
    let prompt: string;
    try {
      prompt = JSON.stringify(toPrompt(JSON.parse(body) as PlatformRequest));
    } catch {
      outgoing.writeHead(400).end();
      return;
    }
    ask(prompt, incoming.headers.authorization ?? "Bearer bench", outgoing);
  });
});
announce("raw pipe", server);

function ask(prompt: string, authorization: string, outgoing: ServerResponse): void {
  const headers = {
    "content-type": "application/json",
    "content-length": Buffer.byteLength(prompt),
    authorization,
  };
  const { hostname, port, pathname } = upstream;
  const asked = request(
    { hostname, port, path: pathname, method: "POST", agent, headers },
    (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, {
        "content-type": "text/event-stream",
        "cache-control": "no-cache",
        connection: "keep-alive",
      });
      answer.pipe(outgoing);
    },
  );
  asked.on("error", () => outgoing.destroy());
  outgoing.on("close", () => {
    if (!outgoing.writableFinished) asked.destroy();
  });
  asked.end(prompt);
}

function toPrompt({ command, model, contextVariables, agentDefinition }: PlatformRequest): object {
  const variables = Object.fromEntries(
    (contextVariables ?? []).map(({ name, value }) => [name, value]),
  );
  const found = agentDefinition?.commands?.find(({ name }) => name === command);
  const messages = (found?.messageTemplates ?? []).map(({ role, template }) => ({
    role,
    content: template.replace(/\{\{([\w.]+)\}\}/g, (_, path: string) => lookUp(variables, path)),
  }));
  return { model: model ?? "bench-1", messages, stream: true };
}

/** The text at a path of names; "" where there is none. */
function lookUp(variables: Record<string, unknown>, path: string): string {
  const found = path.split(".").reduce<unknown>((value, key) => {
    return typeof value === "object" && value !== null ? Reflect.get(value, key) : undefined;
  }, variables);
  return typeof found === "string" ? found : "";
}
