import { isCancel, text } from "@clack/prompts";
import type { Choice } from "./list-choices.ts";
import type { CallTexts } from "../texts.ts";

/** The command that answers what the person types, and nothing else. */
const talking = "chat";

/** Whether a command can do nothing without words of the person. */
export function needsQuestion(command: string): boolean {
  return command === talking;
}

/** Asks the person what they want to know; undefined when they press Ctrl-C. */
export async function askQuestion(texts: CallTexts): Promise<string | undefined> {
  const question = await text({
    message: texts.question,
    validate: (typed) => ((typed ?? "").trim() === "" ? texts.noQuestion : undefined),
  });
  process.stdout.write("\n");
  return isCancel(question) ? undefined : question;
}

/**
 * A choice with the question that the person puts: what a chat button says of itself is none.
 *
 * @returns undefined when they have none
 */
export async function withQuestion(
  choice: Choice | undefined,
  ask: () => Promise<string | undefined>,
): Promise<Choice | undefined> {
  if (choice === undefined || !needsQuestion(choice.command)) return choice;
  const prompt = await ask();
  return prompt === undefined ? undefined : { ...choice, prompt };
}
