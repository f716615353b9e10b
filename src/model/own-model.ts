// The model that a client configures itself, as the document of the session server has it (/init, llmConfig).
import * as z from "zod";
import { AppError, type Message } from "../base/errors/app-error.ts";
import { trimEndSigns } from "../base/text/lines.ts";
import { didYouMean, listNames, quoteName } from "../base/errors/names.ts";
import type { ChatModel } from "../turn/chat-model.ts";
import type { ModelTable } from "./model-table.ts";

/** The sampling parameters have the document's defaults. */
export const LlmConfig = z.looseObject({
  /** The base of an API of the client's own: `https://api.openai.com/v1`. */
  baseUrl: z.string().optional(),
  apiKey: z.string().optional(),
  model: z.string().optional(),
  temperature: z.number().min(0).max(2).default(0),
  maxTokens: z.int().min(1).default(4_096),
  topP: z.number().min(0).max(1).default(1),
});
export type LlmConfig = z.infer<typeof LlmConfig>;

export interface OpenedModel {
  model: ChatModel;
  /** The model id to ask it for, where it serves several. */
  modelId?: string;
}

/**
 * A row of the table by its name, or a model at an address of the client's own.
 *
 * @throws AppError `invalid_request` with the field, `host_forbidden` where the operator has not listed the host
 */
export function openModel(config: LlmConfig, models: ModelTable): OpenedModel {
  const { baseUrl = "", apiKey = "", model = "" } = config;
  if (baseUrl === "") {
    if (apiKey !== "") throw wrongField("baseUrl", keyAlone);
    const { model: found, modelId } = models.resolve([model]);
    if (model !== "" && modelId === undefined && !models.names.includes(model)) {
      const { names } = models;
      throw wrongField("model", {
        en: `There is no model ${quoteName(model)} here.${didYouMean(model, names)} There are: ${listNames(names)}.`,
        zh: `没有名为${quoteName(model, "zh")}的模型。${didYouMean(model, names, "zh")}可用的模型：${listNames(names, "zh")}。`,
      });
    }
    return { model: found, ...(modelId === undefined ? {} : { modelId }) };
  }
  if (model === "") throw wrongField("model", noModel);
  if (models.openOwn === undefined)
    throw new AppError("host_forbidden", noOwn, { param: "llmConfig.baseUrl" });
  if (!/^[\x21-\x7e]*$/.test(apiKey)) throw wrongField("apiKey", noKey);
  const own = { baseUrl: toBase(baseUrl), model, ...(apiKey === "" ? {} : { apiKey }) };
  try {
    return { model: models.openOwn(own) };
  } catch (thrown) {
    if (!(thrown instanceof AppError)) throw thrown;
    const message = { en: thrown.messageIn("en"), zh: thrown.messageIn("zh") };
    throw new AppError(thrown.code, message, { ...thrown.details, param: "llmConfig.baseUrl" });
  }
}

/** People write the address of the endpoint as well, and a slash behind either. */
function toBase(address: string): string {
  const base = trimEndSigns(address.trim(), "/");
  const bare = base.endsWith(endpoint) ? base.slice(0, -endpoint.length) : base;
  if (/[?#]/.test(bare)) throw wrongField("baseUrl", noBase);
  return bare;
}

const endpoint = "/chat/completions";

function wrongField(name: keyof LlmConfig, message: Message): AppError {
  return new AppError("invalid_request", message, { param: `llmConfig.${name}` });
}

const keyAlone = {
  en: "A key of your own needs its address: send llmConfig.baseUrl, too, or leave the key out.",
  zh: "自带的密钥需要对应的地址：请同时提供 llmConfig.baseUrl，或去掉密钥。",
};

const noKey = {
  en: "llmConfig.apiKey must be one word of letters, digits and signs.",
  zh: "llmConfig.apiKey 只能由字母、数字和符号组成，不能有空格。",
};

const noBase = {
  en: "llmConfig.baseUrl must end with a path, such as https://api.openai.com/v1.",
  zh: "llmConfig.baseUrl 必须以路径结尾，例如 https://api.openai.com/v1。",
};

const noModel = {
  en: "An address of your own needs the name of the model: send llmConfig.model.",
  zh: "自带的地址需要模型名称：请提供 llmConfig.model。",
};

const noOwn = {
  en: "This server calls models only at addresses that its operator has listed, and there are none. Leave llmConfig.baseUrl out.",
  zh: "此服务只调用管理员列出的模型地址，目前没有任何地址。请去掉 llmConfig.baseUrl。",
};
