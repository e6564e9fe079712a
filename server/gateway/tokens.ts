import type { Model } from "./catalogue.ts";
import type { ChatRequest, Usage } from "./chat.ts";
import {
	type Density,
	densitiesOf,
	latinLetter,
	punctuation,
	space,
	threeDigits,
	type Vocabulary,
} from "./token-densities.ts";

/** A prompt's estimated size, before a provider counts its tokens. */
export interface PromptSize {
	/** The probable and the largest count of its text tokens, by vocabulary. */
	text: Record<Vocabulary, Density>;
	images: number;
}

/** Estimates prompts and corrects the estimate by each model's own counts. */
export interface TokenCounter {
	/** The probable count. */
	estimate(size: PromptSize, model: Model): number;
	/** @param usage the provider's own count */
	learn(size: PromptSize, model: Model, usage: Usage): void;
}

const perMessage = 4;
const perMessageBound = 32;
const perImage = 1_000;
const perImageBound = 8_000;
/** The most tokens of the instructions that a provider adds for tools or an answer format. */
const instructionsBound = 1_000;

/** Measures everything in a request that becomes part of the prompt. */
export function sizeOfPrompt({
	messages,
	tools,
	response_format,
}: Pick<ChatRequest, "messages"> &
	Partial<Pick<ChatRequest, "tools" | "response_format">>): PromptSize {
	const text = nothing();
	let images = 0;
	for (const { role: _, content, ...further } of messages) {
		if (typeof content === "string") addText(text, content);
		else
			for (const part of content ?? []) {
				if (part.type === "text") addText(text, part.text);
				else images += 1;
			}
		// Tool calls, names and returned reasoning.
		addFields(text, further);
		add(text, perMessage, perMessageBound);
	}
	const form = {
		...(tools?.length && { tools }),
		...(response_format && { response_format }),
	};
	addFields(text, form);
	if (Object.keys(form).length > 0) add(text, 0, instructionsBound);
	add(text, 0, 64);
	return { text, images };
}

/** The most tokens that the model can count for the prompt. */
export function promptBound(
	{ text, images }: PromptSize,
	model: Model,
): number {
	const { image_tokens = perImageBound } = model;
	return Math.ceil(text[vocabularyOf(model)].most) + images * image_tokens;
}

/** Estimates an answer's tokens from its bytes. */
export function answerEstimate(bytes: number): number {
	return Math.ceil(bytes / 4);
}

/** The newest count's weight in the average, and how far the average may move an estimate. */
const weight = 0.2;
const factorMin = 0.6;
const factorMax = 2;
/** Shorter prompts are mostly the provider's own instructions, and teach nothing. */
const learnedMin = 100;

export function openTokenCounter(): TokenCounter {
	const factors = new Map<string, number>();
	return {
		estimate: ({ text, images }, model) =>
			Math.ceil(
				text[vocabularyOf(model)].typical * (factors.get(model.id) ?? 1),
			) +
			images * perImage,

		learn({ text, images }, model, { promptTokens }) {
			const { typical } = text[vocabularyOf(model)];
			if (images > 0 || typical < learnedMin || promptTokens === 0) return;
			if (model.isUnlisted) return;
			const before = factors.get(model.id) ?? 1;
			const after = before + (promptTokens / typical - before) * weight;
			factors.set(model.id, Math.max(factorMin, Math.min(factorMax, after)));
		},
	};
}

function vocabularyOf({ provider, upstream_id }: Model): Vocabulary {
	return provider === "openai" || upstream_id.includes("gpt-oss")
		? "o200k"
		: "other";
}

function nothing(): PromptSize["text"] {
	return {
		o200k: { typical: 0, most: 0 },
		other: { typical: 0, most: 0 },
	};
}

function add(text: PromptSize["text"], typical: number, most: number): void {
	for (const sum of [text.o200k, text.other]) addTo(sum, { typical, most });
}

function addFields(text: PromptSize["text"], fields: object): void {
	if (Object.keys(fields).length > 0) addText(text, JSON.stringify(fields));
}

type Kind = "letter" | "digit" | "space" | "mark" | "other";

/** Adds a text in one pass, by runs of letters, digits, spaces and marks. */
function addText(to: PromptSize["text"], text: string): void {
	const { o200k, other } = to;
	const addRun = (kind: Kind, length: number, isBeforeWord: boolean) => {
		for (const vocabulary of ["o200k", "other"] as const)
			addTo(
				to[vocabulary],
				densityOfRun(kind, length, isBeforeWord, vocabulary),
			);
	};
	let kind: Kind = "other";
	let length = 0;
	for (let i = 0; i < text.length; i += 1) {
		const code = text.charCodeAt(i);
		const now = kindOf(code);
		if (now !== kind) {
			addRun(kind, length, now === "letter" || now === "other");
			kind = now;
			length = 0;
		}
		length += 1;
		if (now !== "other") continue;
		const densities = densitiesOf(code);
		addTo(o200k, densities.o200k);
		addTo(other, densities.other);
	}
	addRun(kind, length, false);
}

function addTo(sum: Density, { typical, most }: Density): void {
	sum.typical += typical;
	sum.most += most;
}

/** The density of a run of ASCII characters. */
function densityOfRun(
	kind: Kind,
	length: number,
	isBeforeWord: boolean,
	vocabulary: Vocabulary,
): Density {
	switch (kind) {
		case "letter":
			return times(latinLetter[vocabulary], length, 1);
		case "digit":
			return vocabulary === "o200k"
				? times(threeDigits.o200k, Math.ceil(length / 3), 1)
				: times(threeDigits.other, length / 3, 1);
		case "mark":
			return times(punctuation[vocabulary], length, 1);
		case "space":
			return times(space[vocabulary], isBeforeWord ? length - 1 : length, 0);
		default:
			return { typical: 0, most: 0 };
	}
}

function times({ typical, most }: Density, count: number, least: number) {
	return {
		typical: Math.max(0.7 * least, count * typical),
		most: Math.max(least, count * most),
	};
}

/** @returns `other` for control and non-ASCII characters, which count one by one */
function kindOf(code: number): Kind {
	if (code > 0x7f) return "other";
	if ((code | 0x20) >= 0x61 && (code | 0x20) <= 0x7a) return "letter";
	if (code >= 0x30 && code <= 0x39) return "digit";
	if (code === 0x20 || (code >= 0x09 && code <= 0x0d)) return "space";
	return code < 0x20 ? "other" : "mark";
}
