// exec_code over a real WebSocket, with a model server that streams tool calls in small pieces.
import { expect, onTestFinished, test } from "vitest";
import { messagesSeen, startAimock } from "../helpers/e2e-aimock.ts";
import { openSocket } from "../helpers/e2e-plugin.ts";
import { startRightseat } from "../helpers/e2e-server.ts";
import {
  converse,
  createProjectIde,
  fileServices,
  inRoot,
  request,
  root,
  shop,
} from "../helpers/plugin-code.ts";
import { msgOf } from "../helpers/plugin-client.ts";
import { unit } from "../helpers/loop-app.ts";

type Step = readonly (readonly [name: string, input: object])[];

const rename: Step = [
  [
    "edit_file",
    {
      target_file: "shop/cart.py",
      instructions: "Rename it.",
      code_edit: unit("def total(items):", "def sum_up(items):"),
    },
  ],
];
const steps: readonly Step[] = [
  [
    ["grep_search", { query: "total", explanation: "Find it." }],
    ["read_file", { target_file: "shop/cart.py", explanation: "Look." }],
  ],
  rename,
  [["finish", { response: "`total` is `sum_up` now." }]],
];

async function start() {
  let next = 0;
  const mock = await startAimock((one) =>
    one.on(
      { predicate: () => true },
      () => {
        const calls = steps[Math.min(next, steps.length - 1)] ?? [];
        next += 1;
        const toolCalls = calls.map(([name, input], nth) => ({
          id: `call_${next}_${nth}`,
          name,
          arguments: JSON.stringify(input),
        }));
        return { toolCalls };
      },
      { chunkSize: 5 },
    ),
  );
  const server = await startRightseat({
    RIGHTSEAT_OPENAI_BASE_URL: `${mock.url}/v1`,
    RIGHTSEAT_OPENAI_API_KEY: "mock",
  });
  onTestFinished(() => server.close());
  return { mock, server, client: await openSocket(server.url) };
}

const asked = { ...request, ide_services: fileServices, root, stream: true };

test("a plugin's project is searched, read and written, and read again", async () => {
  const { mock, client } = await start();
  const ide = createProjectIde();
  const { frames, questions } = await converse(client, asked, ide);
  expect(frames.at(-1)).toMatchObject({ stream_finsh: true, written: ["shop/cart.py"] });
  expect(ide.texts.get(inRoot("shop/cart.py"))).toBe(
    shop["shop/cart.py"].replace("total", "sum_up"),
  );
  expect(msgOf(frames)).toContain("`total` is `sum_up` now.");
  const paths = questions.map(({ path }) => path);
  expect(paths.filter((path) => path === "/write_file")).toHaveLength(1);
  expect(paths.at(-1)).toBe("/read_file");
  const seen = messagesSeen(mock)[1]?.map(({ content }) => content) ?? [];
  expect(seen.join("\n")).toContain("def total(items):");
  client.socket.terminate();
});

test("a person who refuses a write is told to the model, and nothing is said to be written", async () => {
  const { mock, client } = await start();
  const ide = createProjectIde(shop, { [inRoot("shop/cart.py")]: "Wait for the release." });
  const { frames } = await converse(client, asked, ide);
  expect(frames.at(-1)).toMatchObject({ written: [] });
  expect(ide.texts.get(inRoot("shop/cart.py"))).toBe(shop["shop/cart.py"]);
  const seen = messagesSeen(mock).at(-1) ?? [];
  expect(seen.map(({ content }) => content).join("\n")).toContain("Wait for the release.");
  client.socket.terminate();
});

test("a plugin that leaves while it is asked for a write leaves nothing running", async () => {
  const { mock, server, client } = await start();
  const ide = createProjectIde();
  const answer = async (path: string, params: Record<string, unknown>) => {
    if (path === "/write_file") client.socket.terminate();
    return ide.answer(path, params);
  };
  await expect(converse(client, asked, { answer })).rejects.toThrow("the connection is over");
  const before = mock.getRequests().length;
  const next = await openSocket(server.url);
  await next.ask({ request_id: 1, cmd: "list_model" });
  expect(mock.getRequests().length).toBe(before);
  next.socket.terminate();
});
