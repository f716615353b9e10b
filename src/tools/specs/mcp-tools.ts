// A tool as a server of MCP lists it, as an operation; and what comes of a call, as text.
import type { CallToolResult } from "@modelcontextprotocol/client";
import * as z from "zod";
import { cutName } from "../../base/errors/names.ts";
import { type Fields, isRecord, parseJson } from "../../base/text/json.ts";
import { hashText } from "../../turn/state/sealed-state.ts";
import type { ToolOutcome } from "../tool.ts";
import { outcomeOf } from "./http-call.ts";
import type { McpServerConfig } from "./mcp-config.ts";
import type { Operation, OperationUse } from "./operation.ts";
import { SpecDocument, fieldOf, parseAt, reject } from "./spec-document.ts";

const Text = z.string().max(100_000).nullish();
const McpTool = z.looseObject({
  name: z.string().min(1).max(1_000),
  title: Text,
  description: Text,
  inputSchema: z.unknown().optional(),
  annotations: z.unknown().optional(),
});

/** Calls a tool, if it is still what it was when it was described. */
export type CallMcp = (
  tool: { name: string; version: string; inputSchema: Fields },
  given: Fields,
  use: OperationUse,
) => Promise<ToolOutcome>;

/**
 * What a server says of a tool counts only where the operator trusts it.
 *
 * @throws AppError `invalid_request` with the path in what it lists
 */
export async function toOperation(
  listed: unknown,
  { name: host, isTrusted }: McpServerConfig,
  call: CallMcp,
): Promise<Operation> {
  const tool = parseAt(McpTool, listed, "tool");
  const { name, title, description, inputSchema = {}, annotations } = tool;
  if (!isRecord(inputSchema)) return reject("tool.inputSchema", "must be an object", "应为对象");
  const document = new SpecDocument(inputSchema, "tool.inputSchema");
  const root = document.follow(document.root);
  const required = root.get("required");
  const { schema, keys, toOwn } = document.argumentsOf(
    root.at("properties").fields.map(([own, field]) => ({
      own,
      other: "field",
      schema: field,
      description: "",
      isRequired: Array.isArray(required) && required.includes(own),
    })),
  );
  const takesOthers = root.get("additionalProperties") ?? keys.length === 0;
  const isRead = isTrusted && fieldOf(annotations, "readOnlyHint") === true;
  const version = await hashText(JSON.stringify([name, title, description, inputSchema, isRead]));
  return {
    name,
    id: `${host} ${name}`,
    description: [description, title, name].find((text) => text?.trim()) ?? name,
    schema,
    effect: isRead ? "read" : "write",
    host,
    method: "CALL",
    version,
    says: "body",
    run: (input, use) => {
      const others = Object.entries(input).filter(([key]) => !keys.includes(key));
      const given = [...(takesOthers === false ? [] : others), ...toOwn(input)];
      return call({ name, version, inputSchema }, Object.fromEntries(given), use);
    },
  };
}

/** @param most bytes of text; the rest is left out */
export function printResult(result: CallToolResult, most: number): ToolOutcome {
  const { structuredContent, isError } = result;
  const texts = result.content.map(printContent);
  // Most servers say it once more as text, for clients of before.
  const isSaid = texts.some((text) => isSame(text, structuredContent));
  if (structuredContent !== undefined && !isSaid) texts.push(JSON.stringify(structuredContent));
  const text = texts.join("\n");
  const bytes = new TextEncoder().encode(text.slice(0, most));
  const isCut = text.length > most || bytes.byteLength > most;
  const body = new TextDecoder().decode(bytes.subarray(0, most), { stream: isCut });
  return outcomeOf(isError === true ? 500 : 200, body, isCut ? { is_cut: true } : {});
}

type Content = CallToolResult["content"][number];

function printContent(content: Content): string {
  switch (content.type) {
    case "text":
      return content.text;
    case "resource": {
      const { resource } = content;
      const uri = cutName(resource.uri);
      return "text" in resource
        ? `[${uri}]\n${resource.text}`
        : printBytes(`${uri}, ${resource.mimeType ?? "binary data"}`, resource.blob);
    }
    case "resource_link":
      return `[${[content.uri, content.name, content.mimeType ?? ""].map(cutName).join(" ").trim()}]`;
    default:
      return printBytes(content.mimeType, content.data);
  }
}

function printBytes(what: string, base64: string): string {
  return `[${cutName(what)}, ${Math.floor((base64.length * 3) / 4)} bytes]`;
}

function isSame(text: string, value: unknown): boolean {
  if (!isRecord(value) || !text.trimStart().startsWith("{")) return false;
  return JSON.stringify(parseJson(text)) === JSON.stringify(value);
}
