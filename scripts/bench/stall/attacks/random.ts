import { createHostileFile } from "../../../../test/helpers/hostile-files.ts";
import { hostileTemplate } from "../../../../test/helpers/hostile-templates.ts";
import { seededRandom } from "../../../../test/helpers/seeded-random.ts";
import { type Attack, definitionOf, editorOf, toBody } from "../attack.ts";

const seed = 20_261_122;

/** So many templates and as many files, the same ones each time. */
export function* randomAttacks(count: number): Generator<Attack> {
  const random = seededRandom(seed);
  for (let nth = 1; nth <= count; nth += 1) {
    const template = hostileTemplate(random);
    yield {
      group: "random",
      name: `random template ${nth}`,
      body: () =>
        toBody("any", {
          command: "run",
          agentDefinition: definitionOf(template),
          contextVariables: [
            { name: "userInputPrompt", value: "Why? ".repeat(200) },
            editorOf("const a = 1;\n".repeat(2_000)),
          ],
        }),
    };
    const { path, language, text } = createHostileFile(random);
    yield {
      group: "random",
      name: `random file ${nth} (${language})`,
      body: () =>
        toBody("any", { command: "explain", contextVariables: [editorOf(text, path, language)] }),
    };
  }
}
