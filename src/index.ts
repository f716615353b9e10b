// What a library user imports. The Node server is rightseat/node, the scripted model rightseat/testing.
export { type App, type AppDeps, createApp } from "./app.ts";
export { type Config, ConfigError, parseConfig } from "./setup/config.ts";
export { createModels } from "./setup/create-models.ts";
export { AppError, type ErrorCode, type ErrorDetails } from "./base/errors/app-error.ts";
export { createKnowledgeIndex, type KnowledgeIndex } from "./knowledge/knowledge-index.ts";
export type { FoundPassage, KnowledgePassage, Retriever } from "./knowledge/retriever.ts";
export { createCodeParser } from "./setup/create-code-parser.ts";
export type { AnalyzeOptions, CodeParser } from "./code/code-analysis.ts";
export type { GrammarSource } from "./code/tree/grammar-source.ts";
export type { Command, Flow, Services } from "./flows/flow.ts";
export type { Talk } from "./flows/loop/talk.ts";
export type { CheckOutcome, Coding, LoopLimits, RunCheck } from "./flows/loop/coding.ts";
export type {
  ApprovalQuestion,
  AskApproval,
  CommonUse,
  Decision,
  FileUse,
  Tool,
  ToolOutcome,
  ToolUse,
} from "./tools/tool.ts";
export { type Approvals, createApprovals } from "./workspace/approvals.ts";
export type {
  Approval,
  FileChange,
  Workspace,
  WorkspaceFile,
  WorkspaceProblem,
  WorkspaceResult,
} from "./workspace/workspace.ts";
export type { Door, DoorEnv, DoorHost } from "./doors/http/door.ts";
export { type StreamForm, type TurnAnswer, answerTurn } from "./doors/http/answer-turn.ts";
export type { EventEncoder } from "./run/run-turn.ts";
export { toErrorResponse } from "./base/errors/to-public-error.ts";
export { readDeltas } from "./model/chat/chat-chunk.ts";
export { type Said, readTalk } from "./run/read-talk.ts";
export { printSteps } from "./flows/click/typed-steps.ts";
export {
  type Action,
  type ConfirmAction,
  type TreeAction,
  type TreeNode,
  clickTree,
  confirmAction,
} from "./turn/action.ts";
export { readJson } from "./doors/http/read-json.ts";
export type { Admission } from "./run/admissions.ts";
export { createFetchTransport } from "./model/chat/chat-api.ts";
export { createModelTable, type ModelTable, type NamedModel } from "./model/model-table.ts";
export { LlmConfig, type OpenedModel } from "./model/own-model.ts";
export type { OwnModel } from "./model/model-table.ts";
export type {
  BodyReader,
  PushedBody,
  UpstreamRequest,
  UpstreamResponse,
  UpstreamTransport,
} from "./model/chat/chat-api.ts";
export {
  createPromptLibrary,
  type PromptFiles,
  type PromptLibrary,
} from "./prompt/prompt-library.ts";
export { AgentDefinition } from "./turn/agent-definition.ts";
export type {
  AssistantMessage,
  ChatMessage,
  SystemMessage,
  ToolMessage,
  UserMessage,
} from "./turn/chat-message.ts";
export type { Caller, ChatModel, ChatRequest, StreamOptions } from "./turn/chat-model.ts";
export { ProposedEdit } from "./turn/proposed-edit.ts";
export { relayAnswer } from "./turn/relay.ts";
export type {
  EndReason,
  ModelAnswer,
  ModelEvent,
  Relay,
  RelayedEvent,
  RelaySink,
  TurnEvent,
  Usage,
} from "./turn/turn-event.ts";
export type { OfferedTool, ToolCall, ToolChoice, ToolResult } from "./turn/chat-message.ts";
export type { Focus, PromptFacts } from "./turn/focus.ts";
export type { LoopFigures } from "./turn/figures.ts";
export type { Turn, TurnRequest } from "./turn/turn.ts";
export type { CreateExchange, Exchange, FrameSink } from "./base/wire/exchange.ts";
export { createWebExchange } from "./base/wire/exchange.ts";
