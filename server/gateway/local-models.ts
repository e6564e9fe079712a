import * as z from "zod";
import type { Model } from "./catalogue.ts";

/** The models that a running Ollama has, asked of itself; none where it does not run. */
export interface LocalModels {
	/** As far as is known; asks anew where that is old, and waits only where nothing is known yet. */
	list(): Promise<Model[]>;
}

const freshMs = 10_000;
const askMs = 1_000;

const tags = z.object({
	models: z.array(
		z.looseObject({
			model: z.string().optional(),
			name: z.string(),
			modified_at: z.string().optional(),
		}),
	),
});
const shown = z.looseObject({
	capabilities: z.array(z.string()).default([]),
	model_info: z.record(z.string(), z.unknown()).default({}),
	parameters: z.string().default(""),
});

/** Where it tells nothing of its window, what Ollama itself begins with. */
const contextDefault = 4_096;

export function openLocalModels(
	baseUrl: string,
	known: readonly Model[],
): LocalModels {
	const root = baseUrl.replace(/\/v1$/, "");
	let models: Model[] = [];
	let askedAt = Number.NEGATIVE_INFINITY;
	let asking: Promise<void> | undefined;
	const shownByName = new Map<string, z.infer<typeof shown>>();

	async function refresh(): Promise<void> {
		const { models: found } = tags.parse(await askOllama("GET", "/api/tags"));
		models = await Promise.all(
			found.map(async ({ name, modified_at }) =>
				toModel(name, modified_at, await describe(name)),
			),
		);
	}

	async function describe(name: string): Promise<z.infer<typeof shown>> {
		const before = shownByName.get(name);
		if (before) return before;
		const answer = shown.parse(
			await askOllama("POST", "/api/show", { model: name }),
		);
		shownByName.set(name, answer);
		return answer;
	}

	async function askOllama(method: string, path: string, body?: object) {
		const response = await fetch(root + path, {
			method,
			signal: AbortSignal.timeout(askMs),
			...(body && {
				body: JSON.stringify(body),
				headers: { "content-type": "application/json" },
			}),
		});
		if (!response.ok) throw new Error(`Ollama answered ${response.status}`);
		return response.json();
	}

	function toModel(
		name: string,
		modifiedAt: string | undefined,
		{ capabilities, model_info, parameters }: z.infer<typeof shown>,
	): Model {
		const bare = name.replace(/:latest$/, "");
		const listed = known.find(
			({ provider, upstream_id }) =>
				provider === "ollama" && (upstream_id === name || upstream_id === bare),
		);
		const window =
			Number(/^num_ctx\s+(\d+)/m.exec(parameters)?.[1]) ||
			Number(
				Object.entries(model_info).find(([key]) =>
					key.endsWith(".context_length"),
				)?.[1],
			) ||
			listed?.context_window ||
			contextDefault;
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
			context_window: window,
			max_output_tokens: listed?.max_output_tokens,
			capabilities: {
				streaming: true,
				tool_use: can("tools", listed?.capabilities.tool_use),
				vision: can("vision", listed?.capabilities.vision),
				reasoning: can("thinking", listed?.capabilities.reasoning),
			},
			pricing: { input: 0, output: 0 },
			temperature: "0..2",
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
						// It does not run, or is not Ollama: it has no models for us, until it is asked again.
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
