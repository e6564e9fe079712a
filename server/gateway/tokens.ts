import { type Model, promptMax } from "./catalogue.ts";
import type { ChatRequest, Usage } from "./chat.ts";
import {
	blockOf,
	type Density,
	latinLetter,
	punctuation,
	space,
	threeDigits,
	type Vocabulary,
	vowelEnded,
} from "./token-densities.ts";

/** A prompt's estimated size, before a provider counts its tokens. */
export interface PromptSize {
	/** The probable and the largest count of its text tokens, by vocabulary. */
	text: Record<Vocabulary, Density>;
	images: number;
	/** The length of its files in base64; a link counts as a long one. */
	files: number;
	/** What most of its text is, as a name: a script, a family of languages, or data. Each has its own ratio of tokens. */
	kind: string;
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
/** A page of a few tens of kilobytes counts as some two thousand tokens. */
const fileDensity = 20;
const fileLeast = 40_000;
/** The most tokens of the instructions that a provider adds for tools or an answer format. */
const instructionsBound = 1_000;

/** Characters of a sealed thought for each token that it stands for. */
const sealDensity = 6;

/** Measures everything in a request that becomes part of the prompt. */
export function sizeOfPrompt({
	messages,
	tools,
	response_format,
}: Pick<ChatRequest, "messages"> &
	Partial<Pick<ChatRequest, "tools" | "response_format">>): PromptSize {
	const sizing = openSizing();
	const { text } = sizing;
	let images = 0;
	let files = 0;
	for (const message of messages) {
		const { role: _, content, ...further } = message;
		if (typeof content === "string") addText(sizing, content);
		else
			for (const part of content ?? []) {
				if (part.type === "text") addText(sizing, part.text);
				else if (part.type === "image_url") images += 1;
				else files += Math.max(part.file.file_data.length, fileLeast);
			}
		// Tool calls, names and returned reasoning.
		const { thoughts } = message.role === "assistant" ? message : {};
		addFields(sizing, thoughts ? { ...further, thoughts: undefined } : further);
		for (const { seal = "" } of thoughts ?? [])
			add(text, seal.length / sealDensity, seal.length);
		add(text, perMessage, perMessageBound);
	}
	const form = {
		...(tools?.length && { tools }),
		...(response_format && { response_format }),
	};
	addFields(sizing, form);
	if (Object.keys(form).length > 0) add(text, 0, instructionsBound);
	add(text, 0, 64);
	return { text, images, files, kind: kindOfText(sizing) };
}

/** The most tokens that the model can count for the prompt. A file's pages are unknown, so it may fill the window. */
export function promptBound(
	{ text, images, files }: PromptSize,
	model: Model,
): number {
	if (files > 0) return promptMax(model);
	const { image_tokens = perImageBound } = model;
	return Math.ceil(text[vocabularyOf(model)].most) + images * image_tokens;
}

/** Estimates an answer's tokens from its bytes. */
export function answerEstimate(bytes: number): number {
	return Math.ceil(bytes / 4);
}

/** The newest count's least weight in the average, and how far the average may move an estimate. */
const weightMin = 0.2;
const factorMin = 0.5;
const factorMax = 3;
/** Shorter prompts are mostly the provider's own instructions, and teach nothing. */
const learnedMin = 100;

export function openTokenCounter(): TokenCounter {
	/** By model and kind of text, since a vocabulary that knows English well may not know Swahili. */
	const factors = new Map<string, { factor: number; counts: number }>();
	const keyOf = (model: Model, kind: string) => `${model.id} ${kind}`;
	return {
		estimate: ({ text, images, files, kind }, model) =>
			Math.ceil(
				text[vocabularyOf(model)].typical *
					(factors.get(keyOf(model, kind))?.factor ?? 1),
			) +
			images * perImage +
			Math.ceil(files / fileDensity),

		learn({ text, images, files, kind }, model, { promptTokens }) {
			const { typical } = text[vocabularyOf(model)];
			if (images > 0 || files > 0 || typical < learnedMin || promptTokens === 0)
				return;
			if (model.isUnlisted) return;
			const ratio = promptTokens / typical;
			// Some count only what their prompt cache didn't have.
			if (ratio < factorMin) return;
			const key = keyOf(model, kind);
			const { factor, counts } = factors.get(key) ?? { factor: 1, counts: 0 };
			const weight = Math.max(weightMin, 1 / (counts + 1));
			const after = factor + (ratio - factor) * weight;
			factors.set(key, {
				factor: Math.min(factorMax, after),
				counts: counts + 1,
			});
		},
	};
}

function vocabularyOf({ provider, upstream_id }: Model): Vocabulary {
	return provider === "openai" || upstream_id.includes("gpt-oss")
		? "o200k"
		: "other";
}

/** What is counted while a prompt is read. */
interface Sizing {
	text: PromptSize["text"];
	/** Probable tokens of what isn't ASCII, by the position of its block. */
	blocks: { first: number; tokens: number }[];
	/** ASCII letters, the words that they are, and those that end in a vowel. */
	latin: { letters: number; words: number; vowelEnded: number };
	/** Digits and marks. */
	data: number;
}

function openSizing(): Sizing {
	return {
		text: {
			o200k: { typical: 0, most: 0 },
			other: { typical: 0, most: 0 },
		},
		blocks: [],
		latin: { letters: 0, words: 0, vowelEnded: 0 },
		data: 0,
	};
}

/** Fewer words say nothing about a language, and Italian has fewer that end in a vowel. */
const knownWords = 12;
const vowelEndedShare = 0.9;

/** Names what most of a text is, and adds what is known of that only at its end. */
function kindOfText({ text, blocks, latin, data }: Sizing): string {
	const { letters, words, vowelEnded: ended } = latin;
	const isVowelEnded = words >= knownWords && ended > words * vowelEndedShare;
	if (isVowelEnded)
		for (const vocabulary of ["o200k", "other"] as const)
			addTimes(text[vocabulary], vowelEnded[vocabulary], letters, 0);
	const kinds: [name: string, tokens: number][] = [
		[
			isVowelEnded ? "vowel-ended" : "latin",
			letters * latinLetter.o200k.typical,
		],
		["data", data * punctuation.o200k.typical],
		// Accented letters are of a Latin text.
		...blocks
			.filter(({ first }) => first >= 0x180)
			.map(({ first, tokens }): [string, number] => [`${first}`, tokens]),
	];
	return kinds.reduce((a, b) => (b[1] > a[1] ? b : a))[0];
}

function add(text: PromptSize["text"], typical: number, most: number): void {
	for (const sum of [text.o200k, text.other]) addTo(sum, { typical, most });
}

function addFields(sizing: Sizing, fields: object): void {
	if (Object.keys(fields).length > 0) addText(sizing, JSON.stringify(fields));
}

type Kind = "letter" | "digit" | "space" | "mark" | "other";

/** Adds a text in one pass, by runs of letters, digits, spaces and marks. It makes no object for a run: a text may have millions. */
function addText(sizing: Sizing, text: string): void {
	const { latin, blocks } = sizing;
	const { o200k, other } = sizing.text;
	let kind: Kind = "other";
	let length = 0;
	for (let i = 0; i < text.length; i += 1) {
		const code = text.charCodeAt(i);
		const now = kindOf(code);
		if (now !== kind) {
			addRun(sizing, kind, length, now === "letter" || now === "other");
			if (kind === "letter" && now !== "other")
				countWord(latin, length, text.charCodeAt(i - 1));
			kind = now;
			length = 0;
		}
		length += 1;
		if (now === "digit" || now === "mark") sizing.data += 1;
		if (now !== "other") continue;
		const block = blockOf(code);
		addTo(o200k, block.o200k);
		addTo(other, block.other);
		blocks[block.position] ??= { first: block.first, tokens: 0 };
		(blocks[block.position] as { tokens: number }).tokens +=
			block.o200k.typical;
	}
	addRun(sizing, kind, length, false);
}

function countWord(latin: Sizing["latin"], length: number, last: number): void {
	latin.letters += length;
	latin.words += 1;
	if (vowels.has(last | 0x20)) latin.vowelEnded += 1;
}

// cspell:ignore aeiou
const vowels = new Set(Array.from("aeiou", (letter) => letter.charCodeAt(0)));

function addTo(sum: Density, { typical, most }: Density): void {
	sum.typical += typical;
	sum.most += most;
}

/** Adds a run of ASCII characters. */
function addRun(
	{ text: { o200k, other } }: Sizing,
	kind: Kind,
	length: number,
	isBeforeWord: boolean,
): void {
	switch (kind) {
		case "letter":
			addTimes(o200k, latinLetter.o200k, length, 1);
			addTimes(other, latinLetter.other, length, 1);
			return;
		case "digit":
			addTimes(o200k, threeDigits.o200k, Math.ceil(length / 3), 1);
			addTimes(other, threeDigits.other, length / 3, 1);
			return;
		case "mark":
			addTimes(o200k, punctuation.o200k, length, 1);
			addTimes(other, punctuation.other, length, 1);
			return;
		case "space": {
			const further = isBeforeWord ? length - 1 : length;
			addTimes(o200k, space.o200k, further, 0);
			addTimes(other, space.other, further, 0);
		}
	}
}

function addTimes(
	sum: Density,
	{ typical, most }: Density,
	count: number,
	least: number,
): void {
	sum.typical += Math.max(0.7 * least, count * typical);
	sum.most += Math.max(least, count * most);
}

/** @returns `other` for control and non-ASCII characters, which count one by one */
function kindOf(code: number): Kind {
	if (code > 0x7f) return "other";
	if ((code | 0x20) >= 0x61 && (code | 0x20) <= 0x7a) return "letter";
	if (code >= 0x30 && code <= 0x39) return "digit";
	if (code === 0x20 || (code >= 0x09 && code <= 0x0d)) return "space";
	return code < 0x20 ? "other" : "mark";
}
