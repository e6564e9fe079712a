import type { Model } from "./catalogue.ts";
import type { ChatRequest } from "./chat.ts";

/** Tokens of a prompt before anyone has counted them. */
export interface PromptSize {
	/** What it will probably be. */
	estimate: number;
	/** What it can't exceed without its images: a token is one byte at least. */
	textBound: number;
	images: number;
}

const bytesPerToken = 4;
const perMessage = 8;
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
	let bytes = 0;
	let images = 0;
	for (const { role: _, content, ...further } of messages) {
		if (typeof content === "string") bytes += Buffer.byteLength(content);
		else
			for (const part of content ?? []) {
				if (part.type === "text") bytes += Buffer.byteLength(part.text);
				else images += 1;
			}
		// Tool calls, names, and thoughts that are given back.
		bytes += bytesOfFields(further);
	}
	const form = bytesOfFields({
		...(tools?.length && { tools }),
		...(response_format && { response_format }),
	});
	return {
		estimate:
			Math.ceil((bytes + form) / bytesPerToken) +
			messages.length * perMessage +
			images * perImage,
		textBound:
			bytes +
			form +
			messages.length * perMessageBound +
			(form > 0 ? instructionsBound : 0) +
			64,
		images,
	};
}

/** What the prompt can't exceed, as the model counts it. */
export function promptBound(
	{ textBound, images }: PromptSize,
	{ image_tokens = perImageBound }: Model,
): number {
	return textBound + images * image_tokens;
}

function bytesOfFields(fields: object): number {
	return Object.keys(fields).length > 0
		? Buffer.byteLength(JSON.stringify(fields))
		: 0;
}
