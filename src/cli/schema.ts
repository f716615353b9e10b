import * as z from "zod";
import { ContextVariable } from "../turn/context/context.ts";
import { type VariableKind, variableNames, variables } from "../turn/context/variables.ts";
import { ActionFeedback, CopilotRequest } from "../doors/copilot/read-request.ts";
import { AgentMessage, LaterMessage, MessageChunk } from "../doors/session/messages.ts";
import { InitBody, TaskBody } from "../doors/session/schema.ts";
import { AgentDefinition, CollectedVariable, CommandDefinition } from "../turn/agent-definition.ts";
import { CliError } from "./cli-error.ts";

/** `rightseat schema`: prints JSON Schemas, for editors and for people who write a client. */
export function runSchema(part: string | undefined): number {
  process.stdout.write(`${JSON.stringify(findSchema(part), null, 2)}\n`);
  return 0;
}

/**
 * The JSON Schemas of what comes in, and of the messages of sessions. A context variable that we know must have that variable's
 * value and options; others may have any.
 */
export function createSchemas() {
  return {
    definition: toJsonSchema(describedDefinition(), "agentDefinition"),
    request: toJsonSchema(describedRequest(), "request"),
    session: {
      init: toJsonSchema(InitBody, "session.init"),
      task: toJsonSchema(TaskBody, "session.task"),
      message: toJsonSchema(AgentMessage, "session.message"),
      laterMessage: toJsonSchema(LaterMessage, "session.laterMessage"),
      laterChunk: toJsonSchema(MessageChunk, "session.laterChunk"),
    },
  };
}

function findSchema(part: string | undefined): unknown {
  const schemas = createSchemas();
  if (part === undefined) return schemas;
  if (part === "definition" || part === "request" || part === "session") return schemas[part];
  throw new CliError(
    `There is no schema ${JSON.stringify(part)}. There are: ${Object.keys(schemas).join(", ")}.`,
  );
}

/** Without the exclusion every wrong value of a known variable would pass as one of an unknown one. */
// oxlint-disable-next-line patterns/no-built-pattern -- of our own names.
const unknownName = z.string().regex(new RegExp(`^(?!(?:${variableNames.join("|")})$)`));

function describedDefinition() {
  const known = variableNames.map((name) => {
    const options = { ...variables[name] }.options?.nullish() ?? z.unknown().optional();
    return CollectedVariable.extend({
      name: z.literal(name),
      resolverOptions: options,
      resolveOptions: options,
    });
  });
  const unknown = CollectedVariable.extend({ name: unknownName });
  const strategy = z.looseObject({
    type: z.string().nullish(),
    contextVariables: z.array(z.union([...known, unknown])).nullish(),
  });
  const command = CommandDefinition.extend({
    contextVariableCollectionStrategy: strategy.nullish(),
  });
  return AgentDefinition.extend({ commands: z.array(command).nullish() });
}

function describedRequest() {
  const known = variableNames.map((name) => {
    const { schema, fromText } = variables[name] as VariableKind;
    const value = fromText === undefined ? schema : z.union([schema, z.string()]);
    return ContextVariable.extend({ name: z.literal(name), value: value.nullish() });
  });
  const unknown = ContextVariable.extend({ name: unknownName });
  return CopilotRequest.extend({
    ...ActionFeedback.partial().shape,
    agentDefinition: describedDefinition().nullish(),
    contextVariables: z.array(z.union([...known, unknown])).nullish(),
  });
}

/** @param root what paths in it begin with */
function toJsonSchema(source: z.ZodType, root: string) {
  const schema = z.toJSONSchema(source, { io: "input", unrepresentable: "any" });
  // What zod prints are objects at every depth; the dialect would also allow true and false.
  visit(schema as SchemaNode, root, describeField);
  return schema;
}

/**
 * What fields mean, for editors and for people who write a client. They are here and not at the schemas,
 * because the Worker carries those.
 *
 * A key is the end of a path, and a row may have several: `request` and `agentDefinition` are the roots, `[]` are the
 * items of a list, `[vcs]` the item whose name is `vcs`. The longest key that fits describes a field.
 */
export const fieldDescriptions: Readonly<Record<string, string>> = readRows(`
  request.agent  The agent's name; the name in the path is stronger.
  request.command  The command to run; absent or empty means default.
  request.agentDefinition  The published definition. If it is there, it is the one that answers.
  request.contextVariables  What the editor knows. Of a name that comes twice, the last one counts.
  request.messageTemplates  Templates for a command that has none of its own.
  request.modelConfiguration  Settings of the model call, weaker than the definition's.
  request.language  A language tag such as zh-CN; stronger than Accept-Language.
  request.model  A model's name, weaker than all others.
  request.messages  Earlier messages {role, content}, the oldest first. The last one is the question if a person said it and userInputPrompt did not come.
  request.action  Feedback on an action: its kind. Read only where no command is named.
  request.state  Feedback on an action: its state, as it came.
  request.nodeId  Feedback on a tree: the id of the node.
  request.nodeAction  Feedback on a tree: what the person did with the node.
  request.data  Feedback on an action: what its data said, for actions without a state.
  data.command  The command of the action.
  data.prompt  The prompt of the action.
  data.nodeId  As nodeId.
  data.nodeAction  As nodeAction.

  agentDefinition.name  What people call the agent by: letters, hyphens, underscores and Chinese characters.
  agentDefinition.version  The command version tells it; an action's state ends with it.
  agentDefinition.type  proxy for an agent with a service of its own.
  agentDefinition.description  What people see beside the name.
  agentDefinition.publisherType  enterprise or user.
  agentDefinition.publisher  Who publishes the agent.
  agentDefinition.service  Where the agent runs.
  service.endpoint  The address that the platform posts to.
  agentDefinition.modelConfiguration  Settings of every model call, unless the command has its own.
  agentDefinition.messageTemplates  Templates for all commands that have none of their own.
  agentDefinition.commands  What people can ask the agent to do. Clients send default when nobody chooses a command.
  agentDefinition.openSpecList  Descriptions of services that the model may call. Those of a definition that a request brings do not count.
  agentDefinition.mcpServers  Names of the operator's MCP servers, whose tools the model may call. Those of a definition that a request brings do not count.
  commands[].name  What people call the command by.
  commands[].description  What the buttons of default show: a text, or one for each language (\`en\`, \`zh\`).
  description.en  The description in English.
  description.zh  The description in Chinese.
  commands[].modelConfiguration  Settings of this command's model calls.
  commands[].messageTemplates  The prompt of this command; without it the built-in prompt, if there is one.
  commands[].clientTools  Clients of the OpenAI API may bring tools of their own, as for chat.
  commands[].contextVariableCollectionStrategy  What the client is to send along.
  contextVariableCollectionStrategy.type  specify is the only documented one.
  contextVariableCollectionStrategy.contextVariables  The variables that the client collects.

  modelConfiguration.modelName  A row of the models table, or platform, openai or offline; empty for the default model.
  modelConfiguration.temperature llmConfig.temperature  Sampling temperature.
  modelConfiguration.maxTokens  The most tokens that the answer may take; -1 for no limit.
  modelConfiguration.topP llmConfig.topP  Nucleus sampling.
  messageTemplates[].role  Who says the message.
  messageTemplates[].template  The text of the message, in Liquid.
  messageTemplates[].content  The same under another name.

  contextVariables[].name  The name that templates read the variable by.
  contextVariables[].value  The value; null or absent if it could not be collected.
  contextVariables[].resolverOptions  How the client collects the variable.
  contextVariables[].resolveOptions  Another spelling of resolverOptions, which is stronger.

  contextVariables[userInputPrompt].value  What the person typed.
  contextVariables[userInfo].value  Who asks.
  userInfo].value.id  Unique among all people of the platform; states of actions are bound to it.
  userInfo].value.name  The name of the account.
  userInfo].value.nickname  What the person is greeted by.

  contextVariables[vcs].value  The version control state of the workspace.
  vcs].value.type  git, for example.
  vcs].value.branchName  The branch that is checked out.
  vcs].value.upstreamBranchName  The branch that it follows.
  vcs].value.remoteUrl  The address of the main remote; user and password are taken out.
  vcs].value.remotes  The addresses of all remotes; users and passwords are taken out.

  contextVariables[knowledgeBase].value  What was found in the knowledge bases, by base.
  knowledgeBase].value[].knowledgeBaseId  The knowledge base.
  knowledgeBase].value[].references  The passages that fit the question.
  references[].score  Higher fits better.
  references[].chunk  The text of the passage.
  references[].metadata  Where the passage comes from.
  metadata.fileName  The file, as people are shown it.
  metadata.sourceType  doc or code, for example.
  metadata.source  The file, where fileName is absent.
  metadata.startPos  The first line.
  metadata.endPos  The last line.
  Options.knowledgeBaseIds  The knowledge bases to search; none for all.
  Options.recallByAgent  true: the agent searches its own knowledge (RIGHTSEAT_KNOWLEDGE). false or absent: the client searches, and sends the passages along.

  contextVariables[activeEditor].value  The file in the editor. Lines and columns count from 1, in UTF-16 code units.
  activeEditor].value.filePath  The path of the file, from the workspace.
  activeEditor].value.language  The editor's id of the language, such as typescript.
  activeEditor].value.content  The text of the file.
  activeEditor].value.cursorOffset  Where the cursor is in content, from 0.
  activeEditor].value.selectedRanges  What is selected.
  selectedRanges[].contentBeforeSelection  Text in front of the selection.
  selectedRanges[].contentAfterSelection  Text behind the selection.
  activeEditor].value.visibleRange  What the window shows.
  selectedRanges[].content visibleRange.content  The text of the range.
  startLine  The first line, from 1.
  startColumn  The first column, from 1.
  endLine  The last line, from 1.
  endColumn  The column behind the last character, from 1.
  Options.contentBeforeSelectionLines  How many lines in front of the selection; 20 if absent.
  Options.contentAfterSelectionLines  How many lines behind the selection; 20 if absent.

  contextVariables[globalPrompts].value  Rules of the enterprise for every prompt.
  globalPrompts].value[].role  user and assistant keep their role, all others become system.
  globalPrompts].value[].content  The text of the rule.

  contextVariables[packageFiles].value  The manifests of the project, such as package.json.
  packageFiles].value[].filepath  The path of the manifest.
  packageFiles].value[].content  The text of the manifest.
  Options.maximumNumber  The most manifests to collect.

  contextVariables[projectRules].value  The rules of the project for agents, or their text alone. Ours; the platform has none.
  projectRules].value.filePath  The file that they are in, such as AGENTS.md.
  projectRules].value.content  The text of the rules.

  session.init.llmConfig  The model that answers; without a name the default one.
  llmConfig.baseUrl  The API of a model of your own; the operator must have listed its host.
  llmConfig.apiKey  The key of that API.
  llmConfig.model  A row of the models table, or the name of the model at baseUrl.
  llmConfig.maxTokens  The most tokens that an answer may take.
  init.systemPrompt  What the model is told before all else.
  init.openSpecList  Descriptions of services, which become tools.
  init.toolPolicy  What their tools may change, of what the operator has granted; all of that if absent.
  init.mcpServers  Names of the operator's MCP servers, whose tools the model gets.
  init.sessionList  Sessions that the model may ask as tools.
  sessionList[].id  The id of the session.
  sessionList[].sessionId  Another spelling of id.
  sessionList[].name  The name of the tool; the id if absent.
  sessionList[].description  What the tool is for; the session's system prompt if absent.
  init.timeoutSeconds  After so long without a task what was said is forgotten; 3600 if absent.
  init.taskPipelineStrategy  What a task does while another one runs: parallel (if absent), serial or reject.
  init.toolPipelineStrategy  Whether calls that only read run side by side (parallel, if absent) or not (serial).
  init.clientOpenTool  Functions that the client itself runs, as 0.8 lists them.
  clientOpenTool.opentool  Their description.
  init.reflectPromptList  Models that score each answer before it counts.
  reflectPromptList[].llmConfig  The model that scores.
  reflectPromptList[].prompt  What it looks for.
  session.task.contentList  What the task is.
  session.task.content  The same, as 0.8 calls it.
  session.task.taskId  Your own name for the task: one that is sent again does not run twice.
  session.task.stream  On 0.8: whether the answer comes in chunks, too.
  contentList[].type content[].type message[].type  What message is.
  contentList[].message content[].message message[].message  The text, or the address of the image.
  sessionId  The session that says it.
  taskId  The task that it belongs to.
  parentTaskId  The task that this one works for, where the session is a sub-agent.
  session.message.from role  Who says it.
  to  Who hears it.
  session.message.message  A text, contents, calls of tools, the result of one, or what models found of an answer.
  laterMessage.content  The same of 0.8; where a task is, is an object here.
  type  What the message is.
  part  The next piece of the answer.
  createTime  When it was said: 2023-06-18T15:45:30.000+0800.
  completions  What the model's answer came to.
  tokenUsage usage  Tokens of the question and of the answer.
  promptTokens  Tokens of the question.
  completionTokens  Tokens of the answer.
  totalTokens  Both together.
  message[].id content[].id  Of the call, as the model names it.
  message.id laterMessage.content.id  The call that this came of.
  message[].name content[].name message.name content.name  The tool that is called.
  openToolId  The description that has the tool, as its client named it.
  target  Where the call goes.
  hash  Of the call; who allows it says the same.
  parameters  What the tool is called with.
  result  What the call came to.
  isPass  Whether the answer counts.
  messageScore  What was looked at, and in reflectScoreList the score of each model, from 0 to 10.
  passScore  So many points are enough.
  count  Which answer of its task it is, from 1 on.
  maxCount  That answer counts, whatever it is worth.
  status  Where the task is.
  content.description  Why the task has failed, or was refused.
  description.code  An HTTP status.
  description.message  A sentence for the person.
  completions.id  As the model's server names the answer.
  completions.model  As the model's server names itself.
`);

function readRows(text: string): Record<string, string> {
  const rows = text.split("\n").map((row) => row.trim().split("  ", 2));
  return Object.fromEntries(
    rows.flatMap(
      ([ends = "", meaning = ""]) => ends.match(/\S+/g)?.map((end) => [end, meaning]) ?? [],
    ),
  );
}

export interface SchemaNode {
  description?: string;
  const?: unknown;
  properties?: Record<string, SchemaNode>;
  items?: SchemaNode;
  anyOf?: SchemaNode[];
}

type OnField = (field: SchemaNode, path: string) => void;

/** Calls back for each field of a schema, at every depth, with its path. */
export function visit(schema: SchemaNode, path: string, onField: OnField): void {
  const { properties = {}, items, anyOf = [] } = schema;
  const name = properties["name"]?.const;
  // `contextVariables[]` becomes `contextVariables[vcs]`.
  const here = typeof name === "string" ? path.replace(/\[\]$/, `[${name}]`) : path;
  for (const [key, field] of Object.entries(properties)) {
    onField(field, `${here}.${key}`);
    visit(field, `${here}.${key}`, onField);
  }
  if (typeof items === "object") visit(items, `${path}[]`, onField);
  for (const option of anyOf) visit(option, path, onField);
}

const ends = Object.keys(fieldDescriptions).sort((left, right) => right.length - left.length);

/** Writes the description whose key is the longest end of a path. */
function describeField(field: SchemaNode, path: string): void {
  const fits = (at: string): string | undefined => ends.find((end) => isEnd(at, end));
  // What holds for every item of a list is not repeated for those with names.
  const end = fits(path) ?? fits(path.replaceAll(/\[\w+\]/g, "[]"));
  const description = end === undefined ? undefined : fieldDescriptions[end];
  if (description !== undefined) field.description = description;
}

/** Whole names only: `contents` does not end with `tents`. `Options.x` fits both spellings. */
function isEnd(path: string, end: string): boolean {
  if (!path.endsWith(end)) return false;
  const before = path.at(-end.length - 1) ?? ".";
  return /[.[]/.test(before) || end.startsWith("Options.");
}
