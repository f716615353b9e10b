// A plugin for Vite: every loop and every function of src/ counts its steps while it runs, and every module tells which
// texts and patterns it holds (steps.ts).
import { fileURLToPath } from "node:url";

interface Node {
  type: string;
  start: number;
  end: number;
  body?: unknown;
  value?: unknown;
  raw?: unknown;
  source?: unknown;
}

interface Parser {
  parse(code: string): unknown;
}

const root = fileURLToPath(new URL("../../", import.meta.url)).replaceAll("\\", "/");
const counter = JSON.stringify(`${root}test/steps/steps.ts`);
const loop = /^(?:For|ForIn|ForOf|While|DoWhile)Statement$/;
const functions = /^(?:FunctionDeclaration|FunctionExpression|ArrowFunctionExpression)$/;

export function countSteps() {
  return {
    name: "count-steps",
    // What comes is JavaScript.
    enforce: "post" as const,
    transform(this: Parser, code: string, id: string): { code: string; map: null } | undefined {
      if (!id.startsWith(`${root}src/`)) return undefined;
      const inserts: [at: number, text: string][] = [];
      const literals: string[] = [];
      const imported = new Set<unknown>();
      for (const node of nodesOf(this.parse(code))) {
        const { body, type } = node;
        if (/^(?:Import|Export\w+)Declaration$/.test(type)) imported.add(node.source);
        if (isMark(node) && !imported.has(node)) literals.push(String(node.raw));
        if (!isNode(body) || !(loop.test(type) || functions.test(type))) continue;
        if (body.type === "BlockStatement") inserts.push([body.start + 1, "$step();"]);
        else if (loop.test(type)) inserts.push([body.start, "{$step();"], [body.end, "}"]);
        else inserts.push([body.start, "($step(),"], [body.end, ")"]);
      }
      let counted = code;
      for (const [at, text] of inserts.sort(([one], [other]) => other - one))
        counted = counted.slice(0, at) + text + counted.slice(at);
      const path = JSON.stringify(id.slice(root.length));
      const head = `import { know as $know, step as $step } from ${counter};`;
      return { code: `${head}${counted};$know(${path},[${literals.join()}]);`, map: null };
    },
  };
}

function isMark({ type, value }: Node): boolean {
  if (type !== "Literal") return false;
  return value instanceof RegExp || (typeof value === "string" && value !== "");
}

function* nodesOf(value: unknown): Generator<Node> {
  if (Array.isArray(value)) for (const item of value) yield* nodesOf(item);
  if (!isNode(value)) return;
  yield value;
  for (const inner of Object.values(value)) yield* nodesOf(inner);
}

function isNode(value: unknown): value is Node {
  return typeof value === "object" && value !== null && "type" in value && "start" in value;
}
