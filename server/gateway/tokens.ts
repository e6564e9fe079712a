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

/** Tokens of a prompt before anyone has counted them. */
export interface PromptSize {
	/** Of its texts, by vocabulary: what it will probably be, and what it can be at most. */
	text: Record<Vocabulary, Density>;
	images: number;
}

/** Counts prompts as each model does, as far as their own counts have shown. */
export interface TokenCounter {
	/** What a prompt will probably be. */
	estimate(size: PromptSize, model: Model): number;
	/** @param usage the provider's own count */
	learn(size: PromptSize, model: Model, usage: Usage): void;
}

const perMessage = 4;
const perMessageBound = 32;
const perImage = 1_000;
const perImageBound = 8_000;
/** What a provider tells its model of tools, or of a form of the answer, in words of its own. */
const instructionsBound = 1_000;

/** All that becomes a part of the prompt, in whichever words. */
export function sizeOfPrompt({
	messages,
	tools,
	response_format,
}: ChatRequest): PromptSize {
	const text = nothing();
	let images = 0;
	for (const { role: _, content, ...further } of messages) {
		if (typeof content === "string") addText(text, content);
		else
			for (const part of content ?? []) {
				if (part.type === "text") addText(text, part.text);
				else images += 1;
			}
		// Tool calls, names, and thoughts that are given back.
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

/** What the prompt can't exceed, as the model counts it. */
export function promptBound(
	{ text, images }: PromptSize,
	model: Model,
): number {
	const { image_tokens = perImageBound } = model;
	return Math.ceil(text[vocabularyOf(model)].most) + images * image_tokens;
}

/** Of an answer's bytes. */
export function answerEstimate(bytes: number): number {
	return Math.ceil(bytes / 4);
}

/** The share of the newest count in the average, and how far that may move an estimate. */
const weight = 0.2;
const factorMin = 0.6;
const factorMax = 2;
/** Shorter prompts are mostly what a provider adds of its own. */
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

/** In one pass, by runs of letters, digits, spaces and marks. */
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

/** Of a run in ASCII. */
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

/** @returns `other` for control characters and beyond ASCII, where each character counts by itself */
function kindOf(code: number): Kind {
	if (code > 0x7f) return "other";
	if ((code | 0x20) >= 0x61 && (code | 0x20) <= 0x7a) return "letter";
	if (code >= 0x30 && code <= 0x39) return "digit";
	if (code === 0x20 || (code >= 0x09 && code <= 0x0d)) return "space";
	return code < 0x20 ? "other" : "mark";
}
