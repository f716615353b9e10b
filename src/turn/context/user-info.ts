import * as z from "zod";

/** Who sits in front of the IDE. `id` is the platform's user id, `name` their English name. */
export const UserInfo = z.looseObject({
  id: z.string().nullish(),
  name: z.string().nullish(),
  nickname: z.string().nullish(),
});
export type UserInfo = z.infer<typeof UserInfo>;

/** The name to call the person by: the nickname, else the name, else nothing. */
export function renderUserInfo(user: UserInfo): string {
  return firstText(user.nickname, user.name);
}

function firstText(...texts: (string | null | undefined)[]): string {
  return texts.find((text) => text !== undefined && text !== null && text.trim() !== "") ?? "";
}
