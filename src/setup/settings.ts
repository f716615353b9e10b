import { accessSettings } from "./settings/access-settings.ts";
import { limitSettings } from "./settings/limit-settings.ts";
import { modelSettings } from "./settings/model-settings.ts";
import { serverSettings } from "./settings/server-settings.ts";
import { timeSettings } from "./settings/time-settings.ts";

/** Every setting, by its name in rightseat.json, in the order of docs/settings.md. */
export const settings = {
  ...serverSettings,
  ...modelSettings,
  ...accessSettings,
  ...limitSettings,
  ...timeSettings,
};
