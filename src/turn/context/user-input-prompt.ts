import * as z from "zod";

/** What the person typed, as they typed it. */
export const UserInputPrompt = z.string();
export type UserInputPrompt = z.infer<typeof UserInputPrompt>;
