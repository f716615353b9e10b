import { expect, test } from "vitest";
import { suggestName } from "../../../src/base/errors/names.ts";

test("the nearest name within three edits is suggested, whatever the case", () => {
  expect(suggestName("ACTIVEEDITOR", ["activeEditor"])).toBe("activeEditor");
  expect(suggestName("userInf", ["vcs", "userInfo", "userInputPrompt"])).toBe("userInfo");
  expect(suggestName("completelyOther", ["activeEditor"])).toBeUndefined();
});

test("a short name is suggested only for a near miss", () => {
  expect(suggestName("vsc", ["vcs"])).toBeUndefined();
  expect(suggestName("vc", ["vcs"])).toBe("vcs");
  expect(suggestName("abc", ["vcs"])).toBeUndefined();
});
