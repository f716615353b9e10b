// What a step must remember, sealed in an action's `state`: nobody but this server can read or alter it.
import * as base64url from "jose/base64url";
import { AppError } from "../../base/errors/app-error.ts";
import { fromBase64Url, joinBytes } from "../../base/wire/bytes.ts";
import { type Context, isUserUnclear } from "../context/context.ts";
import type { AgentDefinition } from "../agent-definition.ts";
import { type Caller, nameCaller } from "../chat-model.ts";
import type { NextStep, TreeAction, stepsOf } from "../action.ts";

/** Whom and what a state was made for. It opens for nothing else. */
export interface StateBinding {
  agent: string;
  /** `userInfo.id`, or "" where the client sends none. */
  user: string;
  /** Whose token or which key let the caller in, as `nameCaller` has it, or "". */
  subject: string;
  version: string;
}

/**
 * Binds a state to the agent, its version, the person of a turn and the token or key that let them in. Where it is
 * unclear who the person is nothing is sealed for them, and nothing opens.
 */
export function bindState(
  { name, version }: AgentDefinition,
  context: Context,
  caller: Pick<Caller, "userId" | "keyId">,
): StateBinding | undefined {
  if (isUserUnclear(context)) return undefined;
  const user = context.userInfo?.id ?? "";
  return { agent: name, user, subject: nameCaller(caller) ?? "", version: version ?? "" };
}

export interface StateContent {
  /** What the button sends, or the tree with what its clicks send; of a tree that is too large only that. */
  asked: NextStep | TreeAction["data"] | { steps: ReturnType<typeof stepsOf> };
  /** SHA-256 of the editor's file, hexadecimal; absent where there was none. */
  fileHash?: string;
}

export interface StateKey {
  /** Letters, digits and "_": it is in the state, so that keys can be changed. */
  id: string;
  /** 32 bytes. */
  bytes: Uint8Array<ArrayBuffer>;
}

export interface StateSeal {
  /** Undefined if the state would be too large to send. */
  seal(content: StateContent, binding: StateBinding): Promise<string | undefined>;
  /** @throws AppError `state_invalid` (altered, foreign, unknown key), `state_expired` */
  open(state: unknown, binding: StateBinding): Promise<StateContent>;
}

export interface StateSealDeps {
  /** The first seals; all open. */
  keys: readonly StateKey[];
  /** Milliseconds since 1970. */
  now: () => number;
  /** How long a state can be used, in milliseconds. */
  lifetime: number;
}

const version = "v1";
const nonceLength = 12;
/** Larger states, in characters, are refused unread, and not made. */
const maxCharacters = 64 * 1024;
const encoder = new TextEncoder();
const decoder = new TextDecoder("utf-8", { fatal: true });

/**
 * Makes states of the form `v1.<key id>.<base64url of nonce and AES-256-GCM text>`, bound to the agent,
 * the user, the caller's token or key, and the definition's version by the additional data.
 */
export function createStateSeal({ keys, now, lifetime }: StateSealDeps): StateSeal {
  const sealed = createTextSeal(keys);
  return {
    async seal(content, binding) {
      const text = JSON.stringify({ ...content, exp: now() + lifetime });
      if (text.length > maxCharacters) return undefined;
      const state = await sealed.seal(text, listBinding(binding));
      return state.length > maxCharacters ? undefined : state;
    },
    async open(state, binding) {
      if (typeof state !== "string" || state.length > maxCharacters) throw invalid();
      const text = await sealed.open(state, listBinding(binding));
      // Only we can have written it.
      const { exp, ...content } = JSON.parse(text) as StateContent & { exp: number };
      if (now() > exp)
        throw new AppError("state_expired", {
          en: "The state of this action has expired. Start over.",
          zh: "该操作的 state 已过期，请重新开始。",
        });
      return content;
    },
  };
}

/** Seals texts of any length. */
export interface TextSeal {
  /** @param binding what it belongs to: it opens for nothing else */
  seal(text: string, binding: readonly string[]): Promise<string>;
  /** @throws AppError `state_invalid` (altered, bound to something else, unknown key) */
  open(sealed: string, binding: readonly string[]): Promise<string>;
}

/** @param keys the first seals; all open */
export function createTextSeal(keys: readonly StateKey[]): TextSeal {
  const [current] = keys;
  if (current === undefined) throw new Error("Sealing takes at least one key.");
  const imports = new Map<string, Promise<CryptoKey>>();
  const importKey = ({ id, bytes }: StateKey): Promise<CryptoKey> => {
    const key =
      imports.get(id) ??
      crypto.subtle.importKey("raw", bytes, "AES-GCM", false, ["encrypt", "decrypt"]);
    imports.set(id, key);
    return key;
  };
  const cipherOf = (iv: Bytes, keyId: string, binding: readonly string[]): AesGcmParams => ({
    name: "AES-GCM",
    iv,
    additionalData: encoder.encode(JSON.stringify([version, keyId, ...binding])),
  });
  return {
    async seal(text, binding) {
      const key = await importKey(current);
      const iv = crypto.getRandomValues(new Uint8Array(nonceLength));
      const cipher = cipherOf(iv, current.id, binding);
      const sealed = await crypto.subtle.encrypt(cipher, key, encoder.encode(text));
      const bytes = joinBytes([iv, new Uint8Array(sealed)]);
      return `${version}.${current.id}.${base64url.encode(bytes)}`;
    },
    async open(sealed, binding) {
      const [format, id, encoded = "", ...rest] = sealed.split(".");
      const isOurs = format === version && rest.length === 0;
      const key = isOurs ? keys.find((known) => known.id === id) : undefined;
      const bytes = fromBase64Url(encoded);
      if (key === undefined || bytes === undefined || bytes.length <= nonceLength) throw invalid();
      const secret = await importKey(key);
      const cipher = cipherOf(bytes.subarray(0, nonceLength), key.id, binding);
      try {
        const text = await crypto.subtle.decrypt(cipher, secret, bytes.subarray(nonceLength));
        return decoder.decode(text);
      } catch {
        throw invalid();
      }
    },
  };
}

type Bytes = Uint8Array<ArrayBuffer>;

/** Reads `id:base64` of 32 bytes. */
export function parseStateKey(text: string): StateKey | undefined {
  const [, id, encoded] = /^(\w+):([\w+/-]+={0,2})$/.exec(text) ?? [];
  const bytes = encoded === undefined ? undefined : fromBase64Url(encoded);
  return id === undefined || bytes?.length !== 32 ? undefined : { id, bytes };
}

/** A key for as long as the process runs. */
export function randomStateKey(): StateKey {
  return { id: "random", bytes: crypto.getRandomValues(new Uint8Array(32)) };
}

/** SHA-256 of a text in UTF-8, hexadecimal. */
export async function hashText(text: string): Promise<string> {
  const hash = await crypto.subtle.digest("SHA-256", encoder.encode(text));
  return Array.from(new Uint8Array(hash), (byte) => byte.toString(16).padStart(2, "0")).join("");
}

function invalid(): AppError {
  return new AppError(
    "state_invalid",
    {
      en: "The state of this action was not made by this server for this agent and user, or was altered. Start over.",
      zh: "该操作的 state 不是由此服务为该智能体和用户生成的，或已被修改，请重新开始。",
    },
    { param: "state" },
  );
}

function listBinding({ agent, user, subject, version: made }: StateBinding): string[] {
  return [agent, user, subject, made];
}
