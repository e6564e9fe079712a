import * as z from "zod";
import type { Model } from "../catalogue.ts";
import type { ProviderRequest } from "./provider.ts";

/** One request for the vectors of some texts. */
export interface EmbeddingAsk {
	model: Model;
	texts: readonly string[];
	/** Shorter vectors than the model's own. */
	dimensions: number | undefined;
	/** Some models place a question elsewhere than the text that answers it. */
	purpose: "query" | "document";
}

interface EmbeddingAnswer {
	/** In the order of the texts. */
	vectors: number[][];
	promptTokens?: number;
}

/** How a provider turns texts into vectors. */
export interface Embedder {
	/** The most texts of one request. */
	textsMax: number;
	toRequest(ask: EmbeddingAsk): ProviderRequest;
	/** @throws z.ZodError for an answer of another form */
	read(body: unknown): EmbeddingAnswer;
}

const vector = z.array(z.number()).min(1);

const compatibleAnswer = z.object({
	data: z.array(z.object({ index: z.int().min(0), embedding: vector })),
	usage: z.object({ prompt_tokens: z.int() }).optional(),
});

/** OpenAI's API. @param dimensionsField its name for the length of the vectors */
export const embedLikeOpenai = (dimensionsField = "dimensions"): Embedder => ({
	textsMax: 2_048,
	toRequest: ({ model, texts, dimensions }) => ({
		path: "/embeddings",
		body: {
			model: model.upstream_id,
			input: texts,
			...(dimensions !== undefined && { [dimensionsField]: dimensions }),
		},
	}),
	read(body) {
		const { data, usage } = compatibleAnswer.parse(body);
		return {
			vectors: data
				.toSorted((a, b) => a.index - b.index)
				.map(({ embedding }) => embedding),
			promptTokens: usage?.prompt_tokens,
		};
	},
});

const geminiAnswer = z.object({
	embeddings: z.array(z.object({ values: vector })),
});

export const geminiEmbedder: Embedder = {
	textsMax: 100,
	toRequest: ({ model, texts, dimensions, purpose }) => ({
		path: `/models/${model.upstream_id}:batchEmbedContents`,
		body: {
			requests: texts.map((text) => ({
				model: `models/${model.upstream_id}`,
				content: { parts: [{ text }] },
				taskType:
					purpose === "query" ? "RETRIEVAL_QUERY" : "RETRIEVAL_DOCUMENT",
				...(dimensions !== undefined && { outputDimensionality: dimensions }),
			})),
		},
	}),
	read: (body) => ({
		vectors: geminiAnswer
			.parse(body)
			.embeddings.map(({ values }) => toUnitLength(values)),
	}),
};

/** Gemini's shortened vectors are not of unit length, as all others are. */
function toUnitLength(values: number[]): number[] {
	const length = Math.hypot(...values);
	return length === 0 ? values : values.map((value) => value / length);
}

const cohereAnswer = z.object({
	embeddings: z.object({ float: z.array(vector) }),
	meta: z
		.object({ billed_units: z.object({ input_tokens: z.number() }) })
		.optional(),
});

export const cohereEmbedder: Embedder = {
	textsMax: 96,
	toRequest: ({ model, texts, dimensions, purpose }) => ({
		path: "/embed",
		body: {
			...{ model: model.upstream_id, texts, embedding_types: ["float"] },
			input_type: `search_${purpose}`,
			...(dimensions !== undefined && { output_dimension: dimensions }),
		},
	}),
	read(body) {
		const { embeddings, meta } = cohereAnswer.parse(body);
		return {
			vectors: embeddings.float,
			promptTokens: meta?.billed_units.input_tokens,
		};
	},
};
