// OpenTool 1.0.0: functions that the client itself runs. The call goes out to it, and its answer comes back.
import { type Fields, isRecord } from "../../base/text/json.ts";
import type { Operation } from "./operation.ts";
import { Place, type SpecDocument, reject } from "./spec-document.ts";

/**
 * Asks the client to run a function, within a time that it knows itself.
 *
 * @returns undefined where the client was silent
 * @throws the signal's reason, or whatever says that the client cannot be asked
 */
export type AskClient = (
  call: { id: string; name: string; arguments: Fields; openToolId?: string },
  signal: AbortSignal,
) => Promise<{ result: unknown } | undefined>;

/** @throws AppError `invalid_request` with the path of what cannot be read */
export function readOpenTool(
  document: SpecDocument,
  askClient: AskClient | undefined,
  openToolId: string | undefined,
): Operation[] {
  const { root } = document;
  if (askClient === undefined)
    reject(
      root.path,
      "is answered by the client, which cannot be asked here",
      "由客户端执行，此处无法询问客户端",
    );
  return root.list("functions").map((place, nth) => {
    const name = place.name().trim();
    const given = listParameters(place.at("parameters"));
    const { schema, toOwn } = document.argumentsOf(
      given.map(([own, at]) => ({
        own,
        other: "param",
        schema: unfold(at.at("schema")),
        description: at.text("description"),
        isRequired: at.isTrue("required"),
      })),
    );
    return {
      name,
      id: `${name} ${nth}`,
      description: place.text("description") || name,
      schema,
      effect: "write",
      host: "",
      method: "CALL",
      says: "body",
      async run(input, { signal, callId: id = "" }) {
        const of = openToolId === undefined ? {} : { openToolId };
        const call = { id, name, arguments: Object.fromEntries(toOwn(input)), ...of };
        try {
          const answer = await askClient(call, signal);
          if (answer === undefined)
            return { success: false, statusCode: 504, body: "The client did not answer in time." };
          const { result } = answer;
          // A field of this name is not ours.
          const isPlain = isRecord(result) && !Object.hasOwn(result, "success");
          return { ...(isPlain ? result : { result }), success: true };
        } catch {
          signal.throwIfAborted();
          return { success: false, statusCode: 500, body: "The client could not be asked." };
        }
      },
    };
  });
}

/** A list, or by name as descriptions of old have them. */
function listParameters(place: Place): [name: string, place: Place][] {
  return Array.isArray(place.value)
    ? place.items.map((each) => [each.text("name") || "value", each])
    : place.fields;
}

/** In descriptions of old each property has its schema inside, with what is said of it beside. */
function unfold(place: Place, depth = 0): Place {
  const properties = place.at("properties");
  if (!isRecord(properties.value) || !isRecord(place.value) || depth > 20) return place;
  const fields = properties.fields.map(([name, field]): [string, unknown, boolean] => {
    const { schema, required, ...beside } = isRecord(field.value) ? field.value : {};
    const isFolded = isRecord(schema) && beside["type"] === undefined;
    const inner = isFolded ? { ...schema, ...beside } : field.value;
    const own = unfold(new Place(inner, field.path), depth + 1).value;
    return [name, own, isFolded && required === true];
  });
  const required = fields.flatMap(([name, , isRequired]) => (isRequired ? [name] : []));
  const value = {
    ...place.value,
    properties: Object.fromEntries(fields.map(([name, field]) => [name, field])),
    ...(required.length === 0 ? {} : { required }),
  };
  return new Place(value, place.path);
}
