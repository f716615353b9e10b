import * as fc from "fast-check";
import { expect, test } from "vitest";
import { readPluginMessage } from "../../../src/doors/plugin/plugin-connection.ts";

const limits = { maxDepth: 64, maxValues: 200_000 };
/** Of a text that is not valid JSON. */
const findId = (text: string) => readPluginMessage(`${text} ,`, limits).id;

const name = fc.oneof(fc.constantFrom("request_id", "cmd", 'a "request_id": 1'), fc.string());
const value = fc.oneof(
  fc.jsonValue(),
  fc.constantFrom('"request_id":1', "\\", { request_id: 2 }, [{ request_id: 3 }]),
);
const message = fc.dictionary(name, value, { noNullPrototype: true });
const space = fc.constantFrom(undefined, 1, "\t");

test("the request_id of a message is found in its text, and no other field of that name", () => {
  fc.assert(
    fc.property(message, value, space, (fields, id, indent) => {
      const written = findId(JSON.stringify({ ...fields, request_id: id }, undefined, indent));
      expect(JSON.parse(written ?? "")).toEqual(JSON.parse(JSON.stringify(id)));
    }),
    { numRuns: 1_000 },
  );
});

test("it is found where the message breaks off behind it, and is valid JSON wherever that is", () => {
  fc.assert(
    fc.property(message, value, fc.nat(), (fields, id, cut) => {
      const head = `{"request_id":${JSON.stringify(id)},`;
      const { request_id: _, ...others } = fields;
      const rest = JSON.stringify(others).slice(1);
      expect(findId(head + rest.slice(0, cut % rest.length))).toBe(JSON.stringify(id));
      const written = findId(head.slice(0, cut % head.length));
      if (written !== undefined) expect(() => JSON.parse(written)).not.toThrow();
    }),
    { numRuns: 1_000 },
  );
});
