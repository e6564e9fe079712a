import * as z from "zod";
import { Agent } from "./agent.ts";
import type { Model } from "./catalogue.ts";
import { exchange, readBody } from "./exchange.ts";

/** Lists the models of a running Ollama; none if it isn't running. */
export interface LocalModels {
	/** Returns the known models and refreshes an old list in the background; waits only while no model is known. */
	list(): Promise<Model[]>;
}

const freshMs = 10_000;
const askMs = 1_000;
/** Of what describes a thousand models. */
const answerMaxBytes = 10_000_000;

const tags = z.object({
	models: z.array(
		z.looseObject({
			model: z.string().optional(),
			name: z.string(),
			modified_at: z.string().optional(),
		}),
	),
});
const modelDetails = z.looseObject({
	capabilities: z.array(z.string()).default([]),
	model_info: z.record(z.string(), z.unknown()).default({}),
	parameters: z.string().default(""),
});

type ModelDetails = z.infer<typeof modelDetails>;
const noDetails: ModelDetails = modelDetails.parse({});
const loaded = z.object({
	models: z.array(
		z.looseObject({ name: z.string(), context_length: z.int().optional() }),
	),
});

/** Ollama's default context; it gives more on a large graphics card. */
const contextDefault = 4_096;

/** @param contextLength Ollama's configured context, if set here too */
export function openLocalModels(
	baseUrl: string,
	known: readonly Model[],
	contextLength?: number,
): LocalModels {
	const root = baseUrl.replace(/\/v1$/, "");
	const agent = new Agent({ connections: 4 });
	let models: Model[] = [];
	let askedAt = Number.NEGATIVE_INFINITY;
	let asking: Promise<void> | undefined;
	const shownByName = new Map<string, ModelDetails>();
	/** Contexts of models that were loaded before; Ollama loads them the same way again. */
	const contextByName = new Map<string, number>();

	async function refresh(): Promise<void> {
		const [{ models: found }] = await Promise.all([
			askOllama("GET", "/api/tags").then((answer) => tags.parse(answer)),
			noteLoaded(),
		]);
		const described = await Promise.all(
			found.map(async ({ name, modified_at }) => {
				const details = await describe(name);
				return details && canTalk(details)
					? [toModel(name, modified_at, details)]
					: [];
			}),
		);
		models = described.flat();
	}

	async function noteLoaded(): Promise<void> {
		const answer = await askOllama("GET", "/api/ps").catch(() => undefined);
		// Older versions of Ollama don't report it; assume the context of a model that isn't loaded.
		for (const one of loaded.safeParse(answer).data?.models ?? [])
			if (one.context_length) contextByName.set(one.name, one.context_length);
	}

	/** @returns undefined for a model without details, which may be unable to chat */
	async function describe(name: string): Promise<ModelDetails | undefined> {
		try {
			return await show(name);
		} catch {
			// The model was just removed, or the disk is slow: keep the other models and ask again later.
			return listedAs(name) && noDetails;
		}
	}

	async function show(name: string): Promise<ModelDetails> {
		const before = shownByName.get(name);
		if (before) return before;
		const answer = modelDetails.parse(
			await askOllama("POST", "/api/show", { model: name }),
		);
		shownByName.set(name, answer);
		return answer;
	}

	async function askOllama(
		method: "GET" | "POST",
		path: string,
		body?: object,
	) {
		const { origin, pathname } = new URL(root + path);
		const request = {
			...{ origin, path: pathname, method },
			...(body && {
				body: JSON.stringify(body),
				headers: { "content-type": "application/json" },
			}),
		};
		// Node's fetch takes 6 MB from its first use.
		const answer = await exchange(agent, request, AbortSignal.timeout(askMs));
		if (answer.status !== 200)
			throw new Error(`Ollama answered ${answer.status}`);
		const text = await readBody(answer, answerMaxBytes);
		return JSON.parse(String(text));
	}

	function listedAs(name: string): Model | undefined {
		return known.find(
			({ provider, upstream_id }) =>
				provider === "ollama" &&
				(upstream_id === name || upstream_id === withoutLatest(name)),
		);
	}

	function toModel(
		name: string,
		modifiedAt: string | undefined,
		{ capabilities, model_info, parameters }: ModelDetails,
	): Model {
		const bare = withoutLatest(name);
		const listed = listedAs(name);
		const own =
			Number(
				Object.entries(model_info).find(([key]) =>
					key.endsWith(".context_length"),
				)?.[1],
			) ||
			listed?.context_window ||
			contextDefault;
		// Ollama silently truncates a prompt beyond the loaded context.
		const given =
			contextByName.get(name) ||
			Number(/^num_ctx\s+(\d+)/m.exec(parameters)?.[1]) ||
			contextLength;
		const can = (what: string, listedAs: boolean | undefined) =>
			capabilities.length > 0 ? capabilities.includes(what) : listedAs === true;
		return {
			id: `ollama/${bare}`,
			upstream_id: name,
			provider: "ollama",
			owned_by: listed?.owned_by ?? "ollama",
			display_name: listed?.display_name ?? bare,
			created:
				listed?.created ??
				Math.floor((Date.parse(modifiedAt ?? "") || 0) / 1_000),
			context_window: given ? Math.min(own, given) : own,
			max_input_tokens: given ? undefined : contextDefault,
			max_output_tokens: listed?.max_output_tokens,
			capabilities: {
				streaming: true,
				tool_use: can("tools", listed?.capabilities.tool_use),
				vision: can("vision", listed?.capabilities.vision),
				reasoning: can("thinking", listed?.capabilities.reasoning),
			},
			pricing: { input: 0, output: 0 },
			tier: listed?.tier ?? 1,
			aliases: listed ? [listed.upstream_id] : [bare],
		};
	}

	return {
		async list() {
			const isFirst = askedAt === Number.NEGATIVE_INFINITY;
			if (performance.now() - askedAt > freshMs) {
				askedAt = performance.now();
				asking = refresh()
					.catch(() => {
						// Ollama isn't running, or another program answers: no models until the next refresh.
						models = [];
					})
					.finally(() => {
						asking = undefined;
					});
			}
			if (isFirst || models.length === 0) await asking;
			return models;
		},
	};
}

/** False for embedding models, which Ollama lists too. */
function canTalk({ capabilities }: ModelDetails): boolean {
	return (
		!capabilities.includes("embedding") || capabilities.includes("completion")
	);
}

function withoutLatest(name: string): string {
	return name.replace(/:latest$/, "");
}
