import type { Attack } from "../attack.ts";
import { answerAttacks } from "./answers.ts";
import { changesAttacks } from "./changes.ts";
import { fileAttacks } from "./files.ts";
import { floodAttacks } from "./floods.ts";
import { requestAttacks } from "./requests.ts";
import { templateAttacks } from "./templates.ts";

export const attacks: readonly Attack[] = [
  ...templateAttacks,
  ...fileAttacks,
  ...answerAttacks,
  ...requestAttacks,
  ...changesAttacks,
  ...floodAttacks,
];
