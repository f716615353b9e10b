// A small IDE plugin: asks for a fix of a file's first function, prints the answer as it comes, and answers
// the agent's questions about the project. Node 22 and newer, nothing to install.
//   node examples/plugin-client.js ws://127.0.0.1:18080/ws src/cart.py
import { readFileSync, realpathSync, statSync } from "node:fs";
import { isAbsolute, relative, resolve } from "node:path";

const [url = "ws://127.0.0.1:18080/ws", file = "examples/plugin-client.js"] = process.argv.slice(2);
const key = process.env.RIGHTSEAT_KEY ?? "";
const root = realpathSync(process.cwd());
const text = readFileSync(file, "utf8");
const lines = text.split("\n");

// A browser's WebSocket sets no headers; this way of showing the key works everywhere.
const socket = new WebSocket(key === "" ? url : `${url}?api_key=${encodeURIComponent(key)}`);

socket.addEventListener("open", () => {
  socket.send(
    JSON.stringify({
      cmd: "exec_fix",
      request_id: 1,
      language: "en",
      model: "",
      stream: true,
      selected_text: {
        filepath: relative(root, resolve(file)),
        // From 0, and the end is exclusive.
        range: {
          start: { line: 0, character: 0 },
          end: { line: lines.length - 1, character: lines.at(-1).length },
        },
        text,
      },
      // What the agent may ask back; leave it out, and it asks nothing.
      ide_services: ["/read_file"],
      root,
      queue_place: true,
    }),
  );
});

socket.addEventListener("message", ({ data }) => {
  const frame = JSON.parse(data);
  if (frame.ide_request_id !== undefined) answer(frame);
  else if (frame.queue_place !== undefined)
    console.error(`number ${frame.queue_place} in the queue`);
  else if (frame.error !== undefined) end(1, frame.error);
  else {
    process.stdout.write(frame.msg);
    if (frame.stream_finsh === true) end(0);
  }
});

socket.addEventListener("close", ({ code, reason }) => {
  if (code !== 1000) end(1, `closed with ${code} ${reason}`);
});

function answer({ ide_request_id, path, params }) {
  const reply = (body) => socket.send(JSON.stringify({ ide_request_id, ...body }));
  try {
    // Links are followed first: the agent sees this project, and nothing else of the disk.
    const asked = realpathSync(resolve(root, String(params?.abspath)));
    const isOutside = relative(root, asked).startsWith("..") || isAbsolute(relative(root, asked));
    if (path !== "/read_file" || isOutside) return reply({ error: "not offered" });
    // A message that is larger than the server takes would close the connection.
    if (statSync(asked).size > 500_000) return reply({ error: "too large" });
    reply({ result: readFileSync(asked, "utf8") });
  } catch {
    reply({ error: "cannot be read" });
  }
}

function end(code, message = "") {
  if (message !== "") console.error(message);
  process.exitCode = code;
  socket.close(1000);
}
