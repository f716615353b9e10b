// What an answer shows or orders is done as a whole: no line of it is lost, none goes that it does not name.
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { cases } from "../../../helpers/cases.ts";
import { fenced, play } from "./play.ts";

const name = fc
  .stringMatching(/^[a-z]{4,8}$/)
  .filter(
    (one) =>
      !/^(?:else|enum|case|const|with|void|this|true|null|from|type|catch|class|break|super|throw|while|yield|await|async|false|return|switch|typeof|delete|import|export|public|static)$/.test(
        one,
      ),
  );
const names = fc.uniqueArray(name, { minLength: 4, maxLength: 4 });

async function afterOf(path: string, before: string, answer: string, command = "fix") {
  return (await play(path, before, [answer, "No."], { command })).after;
}

/** Plays made answers of each, with a few sets of names. */
async function holds(
  make: (
    all: readonly string[],
  ) => readonly [before: string, answer: string, after: string | undefined],
  path = "src/a.ts",
  command = "fix",
): Promise<void> {
  const played = fc.asyncProperty(names, async (all) => {
    const [before, answer, after] = make(all);
    expect(await afterOf(path, before, answer, command)).toBe(after);
  });
  await fc.assert(played, { numRuns: cases(3) });
}

describe("lines of the code", () => {
  test("that close a block, and have new words, come below a mark", async () => {
    await holds(([a, b, c, d]) => {
      const effect = (first: string, rest: string): string =>
        `  useEffect(() => {\n    ${a}(true);\n    ${first}\n  }, [${rest}]);\n`;
      const other = (rest: string): string =>
        `  useEffect(() => {\n    ${c}(${d});\n  }${rest});\n`;
      const around = (inner: string): string =>
        `export function App() {\n  const ${d} = use();\n\n${inner}\n  return ${d};\n}\n`;
      const mark = "// ... unchanged ...";
      return [
        around(`${effect(`${b}();`, "")}\n${other("")}`),
        fenced(`${effect(mark, d ?? "")}\n${other(`, [${d}]`)}`, "tsx"),
        around(`${effect(`${b}();`, d ?? "")}\n${other(`, [${d}]`)}`),
      ];
    }, "src/App.tsx");
  });

  test("that come out of a block are there, and not in it", async () => {
    await holds(([a, b, c, d]) => {
      const line = `const ${a} = await ${b}();`;
      const body = (top: string, inner: string): string =>
        `${top}    let ${c} = 0;\n    for (const one of ${d}) {\n${inner}      ${c} += ${a}[one];\n    }\n    return ${c};\n`;
      const all = (own: string): string =>
        `class A {\n  first() {\n    return 1;\n  }\n\n  async sum(${d}) {\n${own}  }\n\n  last() {\n    return 2;\n  }\n}\n`;
      const moved = body(`    ${line}\n`, "");
      return [
        all(body("", `      ${line}\n`)),
        `Once is enough, before the loop starts:\n\n${fenced(moved, "js")}`,
        all(moved),
      ];
    }, "src/a.js");
  });

  test("that begin with what is around the named lines are for that", async () => {
    await holds(([a, b, c]) => {
      const block = (more: string): string =>
        `${a} {\n  ${b} {\n    ${c} = {\n      source = "x/${c}"\n${more}    }\n  }\n}\n`;
      const rest = `\nprovider "${c}" {\n  region = "eu"\n}\n`;
      const answer = `Change \`${b}\`:\n\n${fenced(block('      version = "1"\n'), "hcl")}`;
      return [block("") + rest, answer, block('      version = "1"\n') + rest];
    }, "src/main.tf");
  });

  test("that change places are both there", async () => {
    await holds(([a, b, c]) => {
      const bean = (...refs: readonly (string | undefined)[]): string =>
        `<bean id="${c}">\n${refs.map((ref) => `  <arg ref="${ref}"/>\n`).join("")}</bean>\n`;
      const around = (one: string): string =>
        `<beans>\n${one.replaceAll(/^(?=.)/gm, "  ")}</beans>\n`;
      const answer = `The order of the two is wrong:\n\n${fenced(bean(b, a), "xml")}`;
      return [around(bean(a, b)), answer, around(bean(b, a))];
    }, "src/beans.xml");
  });
});

describe("in words", () => {
  const file = (a = "", b = "", c = ""): string =>
    `import { ${a}, ${b}, ${c} } from "vue";\n\nexport const one = ${a}(${b}, 10);\nexport const two = ${a}(${c}, 10);\n`;

  test("a name goes from an import, and the import stays", async () => {
    await holds(([a, b, c, d]) => {
      const before = file(a, b, c).replace(`${c} }`, `${c}, ${d} }`);
      const code = fenced(`export const one = ${a}(${b}, 20);\n`, "ts");
      const answer = `Nothing uses \`${d}\`. Remove it from the import of \`vue\`, and make the first one larger:\n\n${code}`;
      return [before, answer, file(a, b, c).replace("10", "20")];
    });
  });

  test("of a sentence with two changes both are made", async () => {
    await holds(([a, b]) => {
      const css = (position: string, level: string): string =>
        `.${a} {\n  position: ${position};\n  z-index: ${level};\n}\n\n.${b} {\n  position: sticky;\n}\n`;
      const answer = `In \`.${a}\`, use \`position: fixed;\` instead of \`position: absolute;\` and lower the \`z-index\` from \`99999\` to \`1000\`.`;
      return [css("absolute", "99999"), answer, css("fixed", "1000")];
    }, "src/a.css");
  });

  test("what has to stay, or is one of a list and is not read, leaves all as it is", async () => {
    await holds(([a, b, c]) => {
      const old = `${a}(${b}, 10)`;
      const change = `Change \`${old}\` to \`${a}(${b}, 20)\`.`;
      return [file(a, b, c), `${change}\n\nNote that \`${old}\` has to stay as it is.`, undefined];
    });
    await holds(([a, b, c, d]) => {
      const before = `${file(a, b, c)}\n// Tels ${a} of ${d}, as \`${b}\` dos.\n`;
      const items = `- "Tels" → "Tells"\n- "dos" → "does"\n- it is \`${c}\`, not \`${b}\`, that does so`;
      return [before, `There are three mistakes:\n\n${items}\n`, undefined];
    });
  });

  test("an import that is told to go, and does not, leaves all as it is", async () => {
    await holds(([a, b, c, d]) => {
      const before = `${file(a, b, c)}export const three = 1;\n`;
      const code = fenced("export const three = 2;\n", "ts");
      return [
        before,
        `${code}\nAnd remove the import of \`vue\` with \`${d}\`, which is then unused.`,
        undefined,
      ];
    });
  });
});

test("a comment that is to be replaced goes; documentation under a name is for that", async () => {
  await holds(
    ([a, b]) => {
      const file = (above: string): string =>
        `/** A. */\npublic class A {\n${above}    public void ${a}(long id) {\n        ${b}(id);\n    }\n}\n`;
      const docs = `/**\n * Does ${b}.\n */\n`;
      const made = file(docs.replaceAll(/^/gm, "    ").trimEnd() + "\n");
      return [
        file(`    // ${b} it\n`),
        `Replace the line comment above \`${a}\` with Javadoc:\n\n${fenced(docs, "java")}`,
        made,
      ];
    },
    "src/A.java",
    "docstring",
  );
  await holds(
    ([a, b, c]) => {
      const file = (first: string, second: string): string =>
        `${first}function ${a}() {\n  ${c}();\n}\n\n${second}function ${b}() {\n  ${c}();\n}\n`;
      const docs = (one: string | undefined): string => `/**\n * Does ${one}.\n */\n`;
      return [
        file("", ""),
        `**${a}**\n${fenced(docs(a), "js")}\n**${b}**\n${fenced(docs(b), "js")}`,
        file(docs(a), docs(b)),
      ];
    },
    "src/a.js",
    "docstring",
  );
});

test("all of a Markdown file documents", async () => {
  await holds(
    ([a, b]) => {
      const before = `# ${a}\n\nThis ${b}s.\n`;
      const after = `${before}It is small.\n`;
      return [before, fenced(after, "markdown"), after];
    },
    "README.md",
    "docstring",
  );
});

test("beside units what a sentence orders to add is added", async () => {
  await holds(([a, b, c, d]) => {
    const index = (one: string | undefined): string =>
      `CREATE INDEX idx_${one} ON ${a} (${one});\n`;
    const sql = (where: string, more = ""): string =>
      `${index(b)}${more}\nSELECT *\nFROM ${a}\nWHERE ${where};\n`;
    const unit = `<<<<<<< SEARCH\nWHERE ${c}::date = 1;\n=======\nWHERE ${c} = 1;\n>>>>>>> REPLACE\n`;
    const answer = `${fenced(unit, "")}\nInsert this line after \`idx_${b}\`:\n\n${fenced(index(d), "sql")}`;
    return [sql(`${c}::date = 1`), answer, sql(`${c} = 1`, index(d))];
  }, "src/a.sql");
});

test("a diff below a sentence that quotes a command of the file is for the file", async () => {
  await holds(([a, b]) => {
    const file = (run: string, all: string): string =>
      `${a}: ${b}\n${run}\nclean:\n\trm -rf ${b}\n\n.PHONY: ${all}\n`;
    const first = `\`cd ${b}\` is lost before \`./${a}.sh\` is started:\n\n${fenced(` ${a}: ${b}\n-\tcd ${b}\n-\t./${a}.sh\n+\tcd ${b} && ./${a}.sh\n`, "diff")}`;
    const second = fenced(`-.PHONY: all\n+.PHONY: all clean\n`, "diff");
    return [
      file(`\tcd ${b}\n\t./${a}.sh\n`, "all"),
      `${first}\nAlso:\n\n${second}`,
      file(`\tcd ${b} && ./${a}.sh\n`, "all clean"),
    ];
  }, "Makefile");
});

test("code comes beside what makes an object, and as the first member of a class", async () => {
  await holds(([a, b, c, d]) => {
    const file = (top: string, middle: string): string =>
      `class ${a} {\npublic:\n${top}    ~${a}() {\n        ${b}();\n    }\n${middle}\n    void ${c}() {\n        ${b}();\n    }\n};\n`;
    const field = `void ${d}() = delete;\n`;
    return [
      file("", ""),
      `Insert this directly after the destructor:\n\n${fenced(field, "cpp")}`,
      file("", `\n    ${field}`),
    ];
  }, "src/a.cpp");
  await holds(([a, b, c, d]) => {
    const file = (top: string): string =>
      `public class A {\n${top}    private int ${a};\n\n    int ${b}() {\n        return ${a};\n    }\n}\n`;
    const field = `    private static final int ${c} = ${d}();\n`;
    const answer = `Add a constant as the first field of the class:\n\n${fenced(field, "java")}`;
    return [file(""), answer, file(field)];
  }, "src/A.java");
});

test("a section of settings that shows what changes keeps its other keys", async () => {
  await holds(([a, b, c, d]) => {
    const file = (first: string, second: string): string =>
      `[tool.${a}]\npaths = ["${first}"]\n${c} = "-q"\n\n[tool.${b}]\n${d} = ["x"]\nbranch = ${second}\n`;
    const code = `[tool.${a}]\npaths = ["y"]\n\n[tool.${b}]\nbranch = true\n`;
    return [
      file("x", "false"),
      `In the sections concerned:\n\n${fenced(code, "toml")}`,
      file("y", "true"),
    ];
  }, "a.toml");
});
