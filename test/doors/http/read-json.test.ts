// Bodies at the limits: how much is read before they are refused. On Node and in workerd.
import { describe, expect, test } from "vitest";
import { readJson } from "../../../src/doors/http/read-json.ts";
import { AppError } from "../../../src/base/errors/app-error.ts";
import { createWebExchange } from "../../../src/base/wire/exchange.ts";

const limits = { maxBody: 10 * 1024 * 1024, maxDepth: 64, maxValues: 200_000 };

async function read(body: BodyInit, headers: Record<string, string> = {}) {
  const request = new Request("http://localhost/", {
    method: "POST",
    headers: { "content-type": "application/json", ...headers },
    body,
  });
  try {
    const value = await readJson(createWebExchange(request), limits);
    return { value, code: undefined };
  } catch (thrown) {
    if (!(thrown instanceof AppError)) throw thrown;
    return { value: undefined, code: thrown.code };
  }
}

describe("a body of ten MiB", () => {
  const fill = (item: string): string => {
    const times = Math.floor((limits.maxBody - 2) / (item.length + 1));
    return `[${Array<string>(times).fill(item).join(",")}]`;
  };

  test.each([
    ["empty lists", "[]", "too_many_values"],
    ["empty objects", "{}", "too_many_values"],
    ["numbers", "1", "too_many_values"],
    ["short texts", '"a"', "too_many_values"],
    ["short names", '{"a":1}', "too_many_values"],
    ["nested lists", `${"[".repeat(60)}${"]".repeat(60)}`, "too_many_values"],
    ["lists that are too deep", `${"[".repeat(65)}${"]".repeat(65)}`, "too_deep"],
    ["braces that are text", `"${"{[".repeat(1_000)}"`, undefined],
  ])("of %s: %#", async (_, item, code) => {
    expect((await read(fill(item))).code).toBe(code);
  });

  test("of different names is refused by their number", async () => {
    const names = Array.from({ length: 110_000 }, (_, nth) => `"n${nth}":1`);
    expect((await read(`{${names.join(",")}}`)).code).toBe("too_many_values");
    const fewer = `{${names.slice(0, 90_000).join(",")}}`;
    expect((await read(fewer)).code).toBeUndefined();
  });

  test("of knowledge and package files is far below the limit", async () => {
    const reference = {
      score: 0.5,
      chunk: "some text, with commas, and [brackets]".repeat(10),
      metadata: { fileName: "a.md", sourceType: "doc", source: "b", startPos: 1, endPos: 2 },
    };
    const contextVariables = [
      {
        name: "knowledgeBase",
        value: [{ references: Array.from({ length: 10_000 }, () => reference) }],
      },
      {
        name: "packageFiles",
        value: Array.from({ length: 200 }, () => ({ filepath: "package.json", content: "{}" })),
      },
    ];
    const text = JSON.stringify({ agent: "rightseat", contextVariables });
    const half = { ...limits, maxValues: limits.maxValues / 2 };
    const request = new Request("http://localhost/", {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: text,
    });
    const value = await readJson(createWebExchange(request), half);
    expect(JSON.stringify(value)).toBe(text);
  });
});

describe("a packed body", () => {
  /** Gzip of so many zeros, or of a text. */
  const pack = (parts: readonly BlobPart[]): ReadableStream<Uint8Array> =>
    new Blob([...parts]).stream().pipeThrough(new CompressionStream("gzip"));

  test("that unpacks to more than is allowed is not unpacked to its end", async () => {
    const megabyte = new Uint8Array(1024 * 1024);
    const bomb = await new Response(pack(Array.from({ length: 100 }, () => megabyte))).bytes();
    expect(bomb.byteLength).toBeLessThan(200_000);
    const { code } = await read(bomb, { "content-encoding": "gzip" });
    expect(code).toBe("body_too_large");
  });

  test("has the same limits inside", async () => {
    const text = `[${"[],".repeat(1_000_000)}1]`;
    const packed = await new Response(pack([text])).bytes();
    const { code } = await read(packed, { "content-encoding": "gzip" });
    expect(code).toBe("too_many_values");
  });
});

test.each([
  ["application/json", undefined],
  ["application/json; charset=utf-8", undefined],
  ["application/vnd.x+json ;a=b", undefined],
  ["application/json, text/plain", "unsupported_media_type"],
  ["application/json; charset=utf-8, text/plain", "unsupported_media_type"],
  ["application/jsonx", "unsupported_media_type"],
  ["text/json", "unsupported_media_type"],
])("content type %s: %s", async (type, code) => {
  expect((await read("{}", { "content-type": type })).code).toBe(code);
});
