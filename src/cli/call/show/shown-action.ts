import * as z from "zod";

/** Lenient where our own actions are strict: other agents leave out what the document calls optional. */
const ShownConfirm = z.looseObject({
  action: z.literal("confirm"),
  data: z.looseObject({
    title: z.string(),
    message: z.string().nullish(),
    command: z.string().nullish(),
    prompt: z.string().nullish(),
  }),
});

const ShownNode = z.looseObject({
  id: z.string(),
  pId: z.string().nullish(),
  type: z.string().nullish(),
  name: z.string(),
  labels: z.array(z.string()).nullish(),
});
export type ShownNode = z.infer<typeof ShownNode>;

const ShownTree = z.looseObject({
  action: z.literal("tree"),
  data: z.looseObject({
    rootPId: z.string().nullish(),
    nodes: z.array(ShownNode),
    nodeActions: z
      .array(
        z.looseObject({
          nodeType: z.string(),
          nodeAction: z.string(),
          command: z.string().nullish(),
          prompt: z.string().nullish(),
          promptByNodeProperty: z.string().nullish(),
        }),
      )
      .nullish(),
  }),
});
export type ShownTree = z.infer<typeof ShownTree>;

/** What comes in a `copilot_action` frame, from any agent (platform document, ConfirmAction, TreeAction). */
export const ShownAction = z.discriminatedUnion("action", [ShownConfirm, ShownTree]);
export type ShownAction = z.infer<typeof ShownAction>;
