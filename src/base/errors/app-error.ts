import type { Locale } from "./locale.ts";

/** What a code means: its HTTP status, its `type`, what a person is told, and whether we try once more. */
interface CodeFacts {
  status: number;
  type: string;
  /**
   * A request of ours that fails like this is sent again, as long as nothing of its answer was passed on:
   * the cause often passes.
   */
  isRetried: boolean;
  /** The same request fails in the same way until somebody changes something. */
  isLasting?: boolean;
  /** A sentence for the person in front of the stream; the HTTP answer carries `message` instead. */
  sentence: { en: string; zh: string };
}

const refused = {
  en: "This request could not be understood, so nothing was sent to the model.",
  zh: "无法理解这个请求，因此没有向模型发送任何内容。",
};
const badRequest = {
  status: 400,
  type: "invalid_request_error",
  isRetried: false,
  isLasting: true,
  sentence: refused,
};
const modelFailed = {
  en: "The model failed before its answer was complete. Please try again.",
  zh: "模型在回答完成之前出错了，请重试。",
};
const badUpstream = {
  status: 502,
  type: "upstream_error",
  isRetried: false,
  sentence: {
    en: "The model could not be reached, or its answer could not be used. Please try again, or tell whoever runs this agent.",
    zh: "无法连接模型，或模型的回答无法使用。请重试，或联系该智能体的管理员。",
  },
};
const notFound = { ...badRequest, status: 404, type: "not_found_error" };
const forbidden = { ...badRequest, status: 403, type: "permission_error" };
const busy = {
  en: "Too many requests are running at the moment. Please try again shortly.",
  zh: "当前请求过多，请稍后再试。",
};

/** What codes have in common, with a sentence of its own. */
const told = (facts: Omit<CodeFacts, "sentence">, en: string, zh: string): CodeFacts => ({
  ...facts,
  sentence: { en, zh },
});

/** One text in every language of ours. */
export type Message = Readonly<Record<Locale, string>>;

/** The closed list of what can go wrong. The code decides status, type, retry and what is shown. */
const codes = {
  invalid_json: badRequest,
  invalid_utf8: badRequest,
  invalid_encoding: badRequest,
  too_deep: badRequest,
  too_many_values: badRequest,
  invalid_request: badRequest,
  template_error: told(
    badRequest,
    "A message template of this command is broken. Please tell whoever registered this agent.",
    "该指令的消息模板有错误，请联系注册该智能体的人员。",
  ),
  unauthorized: told(
    { ...badRequest, status: 401, type: "authentication_error" },
    "This agent did not accept your credentials.",
    "该智能体未接受您的凭证。",
  ),
  host_forbidden: forbidden,
  origin_forbidden: forbidden,
  state_invalid: told(
    forbidden,
    "This step was not offered by this agent to you, or was changed on its way. Please start over.",
    "该步骤并非由此智能体提供给你，或在传输中被修改。请重新开始。",
  ),
  state_expired: told(
    forbidden,
    "This step was offered too long ago. Please start over.",
    "该步骤已过期，请重新开始。",
  ),
  not_found: notFound,
  unknown_agent: notFound,
  model_not_found: { ...badRequest, status: 404 },
  unknown_command: notFound,
  method_not_allowed: { ...badRequest, status: 405 },
  ide_timeout: told(
    { ...badRequest, status: 408, type: "timeout_error", isLasting: false },
    "The IDE did not answer a question of the agent in time. Please try again.",
    "智能体的询问未得到 IDE 的及时应答，请重试。",
  ),
  session_busy: told(
    { status: 409, type: "conflict_error", isRetried: false },
    "This conversation is still busy with another task. Please wait for it, or stop it.",
    "该会话正在执行另一个任务，请等待其结束，或先停止它。",
  ),
  call_settled: told(
    { ...badRequest, status: 409, type: "conflict_error" },
    "This call of the agent waits for no answer any more.",
    "智能体的这个调用不再等待答复。",
  ),
  body_too_large: { ...badRequest, status: 413 },
  prompt_too_large: told(
    { ...badRequest, status: 413 },
    "The selected code and the question are larger than this model can take. Please select less.",
    "选中的代码和问题超出了该模型的容量，请缩小选择范围。",
  ),
  limit_reached: told(
    { ...badRequest, status: 422, type: "limit_error", isLasting: false },
    "The task was stopped at a limit before it was done.",
    "任务在完成之前达到上限，已停止。",
  ),
  unsupported_media_type: { ...badRequest, status: 415 },
  upgrade_required: { ...badRequest, status: 426 },
  rate_limited: { status: 429, type: "rate_limit_error", isRetried: true, sentence: busy },
  internal: told(
    { status: 500, type: "server_error", isRetried: false },
    "Something went wrong inside the agent. Its operator can find this request in the log.",
    "智能体内部发生错误，管理员可以在日志中找到该请求。",
  ),
  upstream_unreachable: { ...badUpstream, isRetried: true },
  upstream_refused: { ...badUpstream, isLasting: true },
  upstream_unknown_model: told(
    { ...badUpstream, isLasting: true },
    "The model's server does not know this model. Please tell whoever runs this agent.",
    "模型服务中没有该模型，请联系该智能体的管理员。",
  ),
  upstream_invalid: badUpstream,
  upstream_error: { ...badUpstream, isRetried: true, sentence: modelFailed },
  upstream_truncated: told(
    badUpstream,
    "The model's answer broke off before its end, so it is incomplete.",
    "模型的回答在结束前中断，内容不完整。",
  ),
  upstream_too_large: told(
    { ...badUpstream, isLasting: true },
    "The model's answer grew past the allowed size and was cut off here.",
    "模型的回答超过允许的大小，已在此处截断。",
  ),
  upstream_tool_call: told(
    badUpstream,
    "The model tried to use a tool that it was not offered, so its answer ends here. Please try again.",
    "模型试图调用未提供给它的工具，回答到此为止，请重试。",
  ),
  store_unavailable: told(
    { status: 503, type: "server_error", isRetried: false },
    "This agent cannot reach its conversations at the moment. Please try again shortly.",
    "该智能体暂时无法读取会话，请稍后再试。",
  ),
  keys_unavailable: told(
    { status: 503, type: "server_error", isRetried: false },
    "This agent cannot check your credentials at the moment. Please try again shortly.",
    "该智能体暂时无法验证您的凭证，请稍后再试。",
  ),
  overloaded: { status: 503, type: "overloaded_error", isRetried: false, sentence: busy },
  queue_full: { status: 503, type: "overloaded_error", isRetried: false, sentence: busy },
  draining: told(
    { status: 503, type: "overloaded_error", isRetried: false },
    "This agent is being restarted, so the answer ends here. Please ask again in a moment.",
    "智能体正在重启，回答到此为止，请稍后再试。",
  ),
  upstream_timeout: told(
    { ...badUpstream, status: 504 },
    "The model stayed silent for too long. Please try again.",
    "模型长时间没有响应，请重试。",
  ),
  aborted: told(
    { status: 499, type: "aborted", isRetried: false },
    "The request was stopped.",
    "请求已停止。",
  ),
} satisfies Record<string, CodeFacts>;

export type ErrorCode = keyof typeof codes;

export function isErrorCode(code: string): code is ErrorCode {
  return Object.hasOwn(codes, code);
}

export interface ErrorProblem {
  path: string;
  message: string;
  /** The message in Chinese, where there is one. */
  zh?: string;
}

/** Whatever more a refusal has to say than its code and message. */
export interface ErrorDetails {
  /** The field at fault, as a path from the root of the request: `contextVariables[2].value`. */
  param?: string;
  /** Every problem of a refused request, at most ten. */
  problems?: ErrorProblem[];
  /** Whole seconds until another try makes sense; sent as Retry-After. */
  retryAfter?: number;
  /** The methods that the path does take; sent as Allow. */
  allow?: string;
  /** In place of what the code says of it. */
  isLasting?: boolean;
  /** Why a caller was not let in: for the log, never for the caller. */
  reason?: string;
  /** How many waited already, where a queue was full. */
  queueLength?: number;
  cause?: unknown;
}

/**
 * The one error of the product. `message` is our own text in English, fit to be shown: what happened, the
 * offending name, what to do; `messageIn` has it in other languages. Causes stay on this side.
 */
export class AppError extends Error {
  override readonly name = "AppError";
  readonly code: ErrorCode;
  readonly details: ErrorDetails;
  /** A private field, so that nobody sends it who writes an error as JSON. */
  readonly #upstream: UpstreamFacts | undefined;
  readonly #texts: Message | undefined;

  /**
   * @param message in English, or in every language
   * @param upstream what is known of the model's refusal
   */
  constructor(
    code: ErrorCode,
    message: string | Message,
    details: ErrorDetails = {},
    upstream?: UpstreamFacts,
  ) {
    super(
      typeof message === "string" ? message : message.en,
      details.cause === undefined ? undefined : { cause: details.cause },
    );
    this.code = code;
    this.details = details;
    this.#upstream = upstream;
    this.#texts = typeof message === "string" ? undefined : message;
  }

  /** The message in a language; where it has none in that language, the code's sentence comes before it. */
  messageIn(locale: Locale): string {
    if (this.#texts !== undefined) return this.#texts[locale];
    const isForeign = locale === "zh" && !/\p{Script=Han}/u.test(this.message);
    return isForeign ? `${this.sentence(locale)}（${this.message}）` : this.message;
  }

  /** The same error with what is known of the model's refusal. */
  withUpstream(upstream: UpstreamFacts): AppError {
    return new AppError(this.code, this.#texts ?? this.message, this.details, upstream);
  }

  /** What is known of the model's refusal: for the log and a local `call`, never for clients. */
  get upstream(): UpstreamFacts | undefined {
    return this.#upstream;
  }

  get status(): number {
    return codes[this.code].status;
  }

  get type(): string {
    return codes[this.code].type;
  }

  /** Whether a request of ours that failed like this is sent again. */
  get isRetried(): boolean {
    return codes[this.code].isRetried;
  }

  /** Whether the same request fails in the same way until somebody changes something. */
  get isLasting(): boolean {
    const { isLasting }: CodeFacts = codes[this.code];
    return this.details.isLasting ?? isLasting === true;
  }

  /** What the person in front of the stream reads, in their language. */
  sentence(locale: Locale): string {
    return codes[this.code].sentence[locale];
  }
}

/** Turns whatever was thrown into an AppError: ours as it is, an abort as `aborted`, the rest as `internal`. */
export function toAppError(thrown: unknown): AppError {
  if (thrown instanceof AppError) return thrown;
  if (thrown instanceof Error && thrown.name === "AbortError") {
    return new AppError(
      "aborted",
      { en: "The request was stopped.", zh: "请求已停止。" },
      { cause: thrown },
    );
  }
  return new AppError(
    "internal",
    { en: "An unexpected error happened inside the agent.", zh: "智能体内部发生意外错误。" },
    { cause: thrown },
  );
}

/**
 * What is known of a model's refusal, or of a connection to it that failed: for the log of the operator and
 * for a person who runs the agent in their own terminal, never for clients of a server. It holds no secret.
 */
export interface UpstreamFacts {
  /** Host and port of the model's address. */
  host: string;
  /** The model id that was asked for. */
  model: string;
  /** HTTP status of the answer; absent where none came. */
  status?: number;
  code?: string;
  type?: string;
  /** The parameter at fault. */
  param?: string;
  /** What the model's server said, at most 300 characters; it may quote the prompt, so logs hold it at debug level only. */
  message?: string;
  /** Why no answer came, in our own words: `the connection was refused (ECONNREFUSED)`. */
  connection?: string;
}

/** The facts without what the model's server said: for a log. */
export function withoutMessage({ message: _, ...facts }: UpstreamFacts): UpstreamFacts {
  return facts;
}

/** The facts in one line: `gpt-4.1 at api.openai.com: HTTP 400, code x, type y, param z, message`. */
export function describeUpstream(facts: UpstreamFacts): string {
  const { host, model, status, code, type, param, message, connection } = facts;
  const parts = [
    status === undefined ? undefined : `HTTP ${status}`,
    connection,
    code === undefined ? undefined : `code ${code}`,
    type === undefined ? undefined : `type ${type}`,
    param === undefined ? undefined : `param ${param}`,
    message,
  ].filter((part) => part !== undefined);
  return `${model} at ${host}: ${parts.join(", ")}`;
}

/** What is thrown where a package is missing that only those install who use it. @param needs `Modbus needs` */
export function missingPackage(name: string, needs: Message, cause: unknown): AppError {
  const command = `npm install ${name}`;
  const message = {
    en: `${needs.en} the package ${name}. Install it beside rightseat: ${command}`,
    zh: `${needs.zh} ${name} 包。请与 rightseat 一同安装：${command}`,
  };
  return new AppError("internal", message, { cause, isLasting: true });
}
