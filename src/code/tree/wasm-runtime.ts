import { Language, Parser } from "web-tree-sitter";
import type { GrammarSource } from "./grammar-source.ts";

/**
 * web-tree-sitter keeps one WebAssembly instance for the whole process, and two starts at once
 * would leave it with two halves (`??= await` in its `initializeBinding`); so the start is ours to
 * hold once, too.
 */
let running: Promise<void> | undefined;

/**
 * @param memory what the runtime may use; where absent, up to 2 GB
 * @throws whatever loading or starting the runtime throws; the next call tries again
 */
export async function startRuntime(
  source: GrammarSource,
  memory?: WebAssembly.Memory,
): Promise<void> {
  running ??= start(source, memory);
  try {
    await running;
  } catch (error) {
    running = undefined;
    throw error;
  }
}

async function start(source: GrammarSource, memory?: WebAssembly.Memory): Promise<void> {
  const module = await compile(await source.runtime());
  await Parser.init({
    ...(memory === undefined ? {} : { wasmMemory: memory }),
    // Without it the library looks for the file itself; if this throws, `init` rejects.
    instantiateWasm(
      imports: WebAssembly.Imports,
      done: (instance: unknown, from: unknown) => void,
    ) {
      const instance = new WebAssembly.Instance(module, imports);
      done(instance, module);
      return instance.exports;
    },
  });
}

/** Memory for a runtime of its own: it starts with what web-tree-sitter asks for, 32 MB. */
export function createRuntimeMemory(maxBytes: number): WebAssembly.Memory {
  return new WebAssembly.Memory({ initial: 512, maximum: Math.ceil(maxBytes / wasmPage) });
}

const wasmPage = 65_536;

/** After `startRuntime`. Undefined if the source does not have this grammar. */
export async function loadLanguage(
  source: GrammarSource,
  name: string,
): Promise<Language | undefined> {
  const file = await source.grammar(name);
  return file === undefined ? undefined : Language.loadSync(await compile(file));
}

/** Workers have modules compiled at the deploy, and refuse to compile bytes. */
async function compile(file: Uint8Array | WebAssembly.Module): Promise<WebAssembly.Module> {
  if (file instanceof WebAssembly.Module) return file;
  // A view of a SharedArrayBuffer is none that we are given; the types cannot tell.
  return WebAssembly.compile(file as Uint8Array<ArrayBuffer>);
}
