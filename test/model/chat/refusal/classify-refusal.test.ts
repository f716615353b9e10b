import { describe, expect, test } from "vitest";
import type { ChatCall } from "../../../../src/model/chat/chat-api.ts";
import { classifyRefusal } from "../../../../src/model/chat/refusal/classify-refusal.ts";
import { explainReported } from "../../../../src/model/chat/refusal/upstream-facts-of.ts";
import { readRefusal } from "../../../../src/model/chat/refusal/read-refusal.ts";
import { RefusedParameters } from "../../../../src/model/chat/refusal/refused-parameters.ts";

function classify(status: number, body: object | string, type = "application/json") {
  const text = typeof body === "string" ? body : JSON.stringify(body);
  return classifyRefusal(status, readRefusal(text, type));
}

/** As OpenAI writes it. */
const said = (message: string, more: object = {}): object => ({
  error: { message, type: "invalid_request_error", param: null, code: null, ...more },
});

describe("a prompt that is too large is recognised in the words of", () => {
  test.each<[string, number, object | string]>([
    ["OpenAI, by its code", 400, said("…", { code: "context_length_exceeded", param: "messages" })],
    [
      "OpenAI",
      400,
      said(
        "This model's maximum context length is 8192 tokens. However, you requested 9000 tokens (5000 in the messages, 4000 in the completion). Please reduce the length of the messages or completion.",
      ),
    ],
    [
      "OpenAI's newer servers",
      400,
      said(
        "Your input exceeds the context window of this model. Please adjust your input and try again.",
      ),
    ],
    [
      "OpenAI, of one message",
      400,
      said("Invalid 'messages[0].content': string too long.", {
        code: "string_above_max_length",
        param: "messages[0].content",
      }),
    ],
    [
      "Azure",
      400,
      said(
        "This model's maximum context length is 4096 tokens, however you requested 5000 tokens. Please reduce your prompt; or completion length.",
      ),
    ],
    [
      "Anthropic",
      400,
      {
        type: "error",
        error: {
          type: "invalid_request_error",
          message: "prompt is too long: 205000 tokens > 200000 maximum",
        },
      },
    ],
    [
      "Anthropic, of prompt and answer",
      400,
      said(
        "input length and `max_tokens` exceed context limit: 190000 + 21333 > 200000, decrease input length or `max_tokens` and try again",
      ),
    ],
    [
      "Anthropic, of bytes",
      413,
      {
        type: "error",
        error: { type: "request_too_large", message: "Request exceeds the maximum size" },
      },
    ],
    [
      "vLLM",
      400,
      {
        object: "error",
        message:
          "This model's maximum context length is 4096 tokens. However, you requested 5000 tokens in the messages, Please reduce the length of the messages.",
        type: "BadRequestError",
        param: null,
        code: 400,
      },
    ],
    [
      "vLLM's newer servers",
      400,
      said(
        "The decoder prompt (length 5000) is longer than the maximum model length of 4096. Make sure that `max_model_len` is no smaller than the number of text tokens.",
        { code: 400 },
      ),
    ],
    [
      "SGLang",
      400,
      {
        object: "error",
        message: "The input (5000 tokens) is longer than the model's context length (4096 tokens).",
        type: "BadRequestError",
        code: 400,
      },
    ],
    [
      "SGLang, of prompt and answer",
      400,
      said("Requested token count exceeds the model's maximum context length of 4096 tokens."),
    ],
    [
      "llama.cpp",
      400,
      {
        error: {
          code: 400,
          message:
            "the request exceeds the available context size. try increasing the context size or enable context shift",
          type: "exceed_context_size_error",
          n_prompt_tokens: 9000,
          n_ctx: 4096,
        },
      },
    ],
    [
      "llama.cpp, before",
      500,
      {
        error: {
          code: 500,
          message: "the request exceeds the available context size, try increasing it",
          type: "server_error",
        },
      },
    ],
    ["Ollama", 400, { error: "the input length exceeds the context length" }],
    [
      "Ollama's OpenAI door",
      500,
      said("input length exceeds maximum context length", { type: "api_error" }),
    ],
    [
      "LM Studio",
      400,
      {
        error:
          "Trying to keep the first 6000 tokens when context the overflows. However, the model is loaded with context length of only 4096 tokens, which is not enough.",
      },
    ],
    [
      "DeepSeek",
      400,
      said(
        "This model's maximum context length is 65536 tokens. However, you requested 90000 tokens (86000 in the messages, 4000 in the completion). Please reduce the length of the messages or completion.",
        { code: "invalid_request_error" },
      ),
    ],
    [
      "DashScope",
      400,
      said("Range of input length should be [1, 129024]", { code: "invalid_parameter_error" }),
    ],
    [
      "DashScope's own door",
      400,
      {
        code: "InvalidParameter",
        message: "Range of input length should be [1, 6144]",
        request_id: "r",
      },
    ],
    ["Moonshot", 400, said("Invalid request: Your request exceeded model token limit: 8192")],
    ["Zhipu, by its code", 400, { error: { code: "1261", message: "Prompt 超长" } }],
    ["Zhipu's words", 400, { error: { code: "1214", message: "输入内容过长，请减少后重试" } }],
    ["Qianfan", 400, said("prompt tokens too long")],
    [
      "SiliconFlow",
      400,
      {
        code: 20015,
        message: "length of prompt_tokens (50000) must be less than max_seq_len (32768).",
        data: null,
      },
    ],
    [
      "MiniMax",
      200,
      {
        base_resp: {
          status_code: 2013,
          status_msg: "invalid params, context window exceeds limit",
        },
      },
    ],
    ["Volcengine", 400, said("Input length 140000 exceeds the maximum length 131072")],
    [
      "Gemini",
      400,
      JSON.stringify([
        {
          error: {
            code: 400,
            message:
              "The input token count (1200000) exceeds the maximum number of tokens allowed (1048576).",
            status: "INVALID_ARGUMENT",
          },
        },
      ]),
    ],
    [
      "Mistral",
      400,
      {
        object: "error",
        message:
          "Prompt contains 40000 tokens and 0 draft tokens, too large for model with 32768 maximum context length",
        type: "invalid_request_prompt",
        code: "3051",
      },
    ],
    [
      "Groq",
      413,
      said("Request too large for model", { code: "rate_limit_exceeded", type: "tokens" }),
    ],
    [
      "Cerebras",
      400,
      said(
        "Please reduce the length of the messages or completion. Current length is 12000 while limit is 8192",
      ),
    ],
    [
      "xAI",
      400,
      {
        code: "Client specified an invalid argument",
        error:
          "This model's maximum prompt length is 131072 but the request contains 537812 tokens.",
      },
    ],
    [
      "Cohere",
      400,
      {
        message:
          "too many tokens: total number of tokens in the prompt cannot exceed 4081 - received 4292.",
      },
    ],
    ["Bedrock", 400, { message: "Input is too long for requested model." }],
    [
      "TGI",
      422,
      {
        error:
          "Input validation error: `inputs` tokens + `max_new_tokens` must be <= 4096. Given: 5000 `inputs` tokens and 20 `max_new_tokens`",
        error_type: "validation",
      },
    ],
    [
      "OpenRouter",
      400,
      said(
        "This endpoint's maximum context length is 8192 tokens. However, you requested about 9000 tokens.",
        { code: 400 },
      ),
    ],
    [
      "GitHub Models",
      413,
      said("Request body too large for gpt-4o model. Max size: 8000 tokens.", {
        code: "tokens_limit_reached",
      }),
    ],
    ["a proxy", 413, "<html><head><title>413 Request Entity Too Large</title></head></html>"],
    ["a Chinese gateway", 400, { error: { message: "请求的上下文长度超过模型上限" } }],
  ])("%s", (_, status, body) => {
    expect(classify(status, body)).toBe("too-large");
  });
});

describe("a model that its server does not know is recognised in the words of", () => {
  test.each<[string, number, object | string]>([
    [
      "OpenAI",
      404,
      said("The model `gpt-9` does not exist or you do not have access to it.", {
        code: "model_not_found",
      }),
    ],
    [
      "OpenAI, of a project",
      403,
      said("Project `p` does not have access to model `gpt-9`", { code: "model_not_found" }),
    ],
    [
      "vLLM",
      404,
      {
        object: "error",
        message: "The model `Qwen/Qwen2.5-Coder` does not exist.",
        type: "NotFoundError",
        param: null,
        code: 404,
      },
    ],
    [
      "Ollama",
      404,
      said('model "qwen3:4b" not found, try pulling it first', { type: "api_error" }),
    ],
    ["Ollama's own door", 404, { error: "model 'qwen3:4b' not found" }],
    ["DeepSeek", 400, said("Model Not Exist")],
    [
      "DashScope",
      404,
      said("The model `qwen-x` does not exist or you do not have access to it.", {
        code: "model_not_found",
      }),
    ],
    [
      "DashScope's own door",
      400,
      { code: "ModelNotFound", message: "Model can not be found.", request_id: "r" },
    ],
    [
      "Moonshot",
      404,
      said("Not found the model moonshot-x or Permission denied", {
        type: "resource_not_found_error",
      }),
    ],
    ["Zhipu", 400, { error: { code: "1211", message: "模型不存在，请检查模型代码。" } }],
    [
      "SiliconFlow",
      400,
      { code: 20012, message: "Model does not exist. Please check it carefully.", data: null },
    ],
    [
      "Anthropic",
      404,
      { type: "error", error: { type: "not_found_error", message: "model: claude-9" } },
    ],
    [
      "Gemini",
      404,
      JSON.stringify([
        {
          error: {
            code: 404,
            message:
              "models/gemini-9 is not found for API version v1main, or is not supported for generateContent.",
            status: "NOT_FOUND",
          },
        },
      ]),
    ],
    ["OpenRouter", 400, said("acme/one is not a valid model ID", { code: 400 })],
    [
      "OpenRouter, without a provider",
      404,
      said("No endpoints found for acme/one.", { code: 404 }),
    ],
    [
      "Mistral",
      400,
      { object: "error", message: "Invalid model: acme-one", type: "invalid_model", code: "1500" },
    ],
    [
      "Volcengine",
      404,
      said("The model or endpoint ep-1 does not exist or you do not have access to it.", {
        code: "InvalidEndpointOrModel.NotFound",
      }),
    ],
  ])("%s", (_, status, body) => {
    expect(classify(status, body)).toBe("unknown-model");
  });
});

describe("a refusal of another kind is neither:", () => {
  test.each<[string, number, object | string]>([
    [
      "too many requests",
      429,
      said(
        "Rate limit reached for gpt-4 on tokens per min (TPM): Limit 10000, Used 9000, Requested 12000.",
        { code: "rate_limit_exceeded" },
      ),
    ],
    [
      "too large a limit of the answer",
      400,
      said(
        "max_tokens is too large: 100000. This model supports at most 16384 completion tokens, whereas you provided 100000.",
        { param: "max_tokens", code: "invalid_value" },
      ),
    ],
    [
      "the same at vLLM",
      400,
      said(
        "'max_tokens' or 'max_completion_tokens' is too large: 100000. This model's maximum context length is 32768 tokens and your request has 22 input tokens (100000 > 32768 - 22).",
      ),
    ],
    [
      "an unknown parameter",
      400,
      said(
        "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.",
        { param: "max_tokens", code: "unsupported_parameter" },
      ),
    ],
    [
      "a value that a model does not take",
      400,
      said(
        "Unsupported value: 'temperature' does not support 0 with this model. Only the default (1) value is supported.",
        { param: "temperature" },
      ),
    ],
    ["a wrong key", 401, said("Incorrect API key provided", { code: "invalid_api_key" })],
    ["an address that is wrong", 404, { detail: "Not Found" }],
    ["a page", 404, "<html><title>404 Not Found</title></html>"],
    ["no money", 402, said("Insufficient Balance")],
    [
      "a fault",
      500,
      said("The server had an error while processing your request", { type: "server_error" }),
    ],
    [
      "a filter",
      400,
      said("The response was filtered due to the prompt triggering content management policy.", {
        code: "content_filter",
      }),
    ],
    ["a setting to reduce", 400, said("Please reduce the temperature; context window is 8k")],
    ["a sign of comparison", 400, said("top_k > 100 is not allowed. Token limit: 8192")],
    [
      "a setting that must be less",
      400,
      said("max_tokens must be less than 8192, context length ok"),
    ],
    [
      "the same the other way round",
      400,
      said("Context length 8192: max_tokens must be less than that."),
    ],
    ["nothing", 400, ""],
  ])("%s", (_, status, body) => {
    expect(classify(status, body)).toBeUndefined();
  });
});

describe("a refusal that quotes the prompt means what the server says besides it:", () => {
  test.each([
    [
      "a model that the prompt speaks of",
      "Why does it say: The user model could not be found in app/models.py?",
    ],
    [
      "a length that the prompt speaks of",
      "Explain: the prompt is too long, it exceeds the maximum context length of the model.",
    ],
  ])("%s", (_, content) => {
    const call: ChatCall = {
      name: "m",
      baseUrl: "https://m.test/v1",
      headers: {},
      model: "m",
      added: [],
      refused: new RefusedParameters(() => 0),
      toolUse: "read",
      body: { model: "m", messages: [{ role: "user", content }] },
    };
    const quote = `Invalid value for 'messages[0].content': ${JSON.stringify(content)}`;
    const codeOf = (message: string) => explainReported({ error: { message } }, call, []).code;
    expect(codeOf(quote)).toBe("upstream_error");
    expect(codeOf(`${quote}. The model gpt-9 does not exist.`)).toBe("upstream_unknown_model");
  });
});

describe("what a refusal says is found", () => {
  test.each<[string, object | string, object]>([
    [
      "in OpenAI's form",
      { error: { message: "m", type: "t", param: "stream_options.include_usage", code: "c" } },
      { message: "m", type: "t", param: "stream_options", code: "c" },
    ],
    [
      "in FastAPI's list",
      {
        detail: [
          {
            type: "extra_forbidden",
            loc: ["body", "stream_options"],
            msg: "Extra inputs are not permitted",
            input: {},
          },
        ],
      },
      { param: "stream_options", message: "Extra inputs are not permitted" },
    ],
    [
      "in Mistral's list",
      {
        object: "error",
        message: { detail: [{ loc: ["body", "top_p"], msg: "too high" }] },
        type: "invalid_request_error",
        param: null,
      },
      { type: "invalid_request_error", param: "top_p", message: "too high" },
    ],
    ["in a text", "upstream connect error", { message: "upstream connect error" }],
    [
      "in the title of a page",
      "<!doctype html><html><title>502 Bad Gateway</title>…",
      { message: "502 Bad Gateway" },
    ],
    ["nowhere", "{}", {}],
    ["nowhere in a list", "[]", {}],
    ["nowhere in a number", "7", {}],
  ])("%s", (_, body, expected) => {
    expect(readRefusal(typeof body === "string" ? body : JSON.stringify(body), "")).toEqual(
      expected,
    );
  });
});
