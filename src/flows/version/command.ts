import { type Flow, type OwnCommand, later } from "../flow.ts";

const tellVersion = later(async (): Promise<Flow> => {
  const { sayAlone } = await import("../click/seal-action.ts");
  return (turn, services) => {
    const { name, version: own } = turn.definition;
    const model = turn.modelId ?? turn.model.name;
    return sayAlone(turn, services, texts[turn.locale](name, own || services.version, model));
  };
});

const texts = {
  en: (agent: string, version: string, model: string) =>
    `${agent} ${version}, answering with the model "${model}".\n`,
  zh: (agent: string, version: string, model: string) =>
    `${agent} ${version}，使用模型“${model}”回答。\n`,
};

export const version: OwnCommand = {
  name: "version",
  description: {
    en: "Show the version of this agent and the model that answers",
    zh: "查看该智能体的版本和回答所用的模型",
  },
  asksModel: false,
  hasPlace: false,
  flow: tellVersion,
};
