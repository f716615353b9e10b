import * as fc from "fast-check";
import { expect, test } from "vitest";
import { ChatMessage, readMessage } from "../../src/turn/chat-message.ts";

const text = fc.string();
const id = fc.string({ minLength: 1 });
const called = fc.record({ name: id, arguments: text });
const call = fc.record({ id, type: fc.constant("function"), function: called });
const part = fc.oneof(
  fc.record({ type: fc.constant("text"), text }),
  fc.record({ type: fc.constant("image_url"), image_url: fc.record({ url: text }) }),
);

/** Messages as they go to a model. */
const message = fc.oneof(
  fc.record({ role: fc.constantFrom("system", "developer", "user", "assistant"), content: text }),
  fc.record({ role: fc.constant("tool"), tool_call_id: id, content: text }),
  fc.record({
    role: fc.constant("assistant"),
    content: text,
    tool_calls: fc.array(call, { minLength: 1 }),
  }),
  fc
    .record({ role: fc.constant("user"), content: fc.array(part) })
    .filter(({ content }) => content.some(({ type }) => type === "image_url")),
);

test("whatever goes to a model is read back as it is: text, images, calls and results", () => {
  fc.assert(
    fc.property(message, (given) => {
      expect(readMessage(JSON.parse(JSON.stringify(given)))).toEqual(given);
    }),
  );
});

test("of anything else it makes a message that a model takes, or none", () => {
  const mutated = fc
    .tuple(
      message,
      fc.constantFrom("role", "content", "tool_calls", "tool_call_id"),
      fc.jsonValue(),
    )
    .map(([given, field, value]) => ({ ...given, [field]: value }));
  fc.assert(
    fc.property(fc.oneof(mutated, fc.jsonValue()), (given) => {
      const read = readMessage(given);
      if (read !== undefined) expect(ChatMessage.safeParse(read).success).toBe(true);
    }),
  );
});

test.each([
  [
    { role: "user", content: [{ type: "input_image", image_url: "https://a.example/1.png" }] },
    "https://a.example/1.png",
  ],
  [
    {
      role: "user",
      content: [
        { type: "input_text", text: "a" },
        { type: "image_url", image_url: "data:image/png;base64,AA" },
      ],
    },
    "data:image/png;base64,AA",
  ],
])("an image under another name is one, too", (given, url) => {
  expect(readMessage(given)?.content).toContainEqual({ type: "image_url", image_url: { url } });
});

test("calls whose arguments came as an object are read, and those without a name are not", () => {
  const tool_calls = [
    { id: "a", function: { name: "f", arguments: { x: 1 } } },
    { id: "b", function: {} },
    "c",
  ];
  expect(readMessage({ role: "assistant", content: null, tool_calls })).toEqual({
    role: "assistant",
    content: "",
    tool_calls: [{ id: "a", type: "function", function: { name: "f", arguments: '{"x":1}' } }],
  });
});
