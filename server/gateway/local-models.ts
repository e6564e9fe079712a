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

type Shown = z.infer<typeof shown>;
const nothingShown: Shown = shown.parse({});
const loaded = z.object({
	models: z.array(
		z.looseObject({ name: z.string(), context_length: z.int().optional() }),
	),
});

/** What Ollama gives a model where nobody says otherwise; on a large graphics card it gives more. */
const contextDefault = 4_096;

/** @param contextLength what Ollama was told to give its models, where that is known here */
export function openLocalModels(
	baseUrl: string,
	known: readonly Model[],
	contextLength?: number,
): LocalModels {
	const root = baseUrl.replace(/\/v1$/, "");
	let models: Model[] = [];
	let askedAt = Number.NEGATIVE_INFINITY;
	let asking: Promise<void> | undefined;
	const shownByName = new Map<string, Shown>();
	/** Of those that were loaded once: they will be again as they were. */
	const contextByName = new Map<string, number>();

	async function refresh(): Promise<void> {
		const [{ models: found }] = await Promise.all([
			askOllama("GET", "/api/tags").then((answer) => tags.parse(answer)),
			noteLoaded(),
		]);
		const described = await Promise.all(
			found.map(async ({ name, modified_at }) => {
				const told = await describe(name);
				return told && canTalk(told) ? [toModel(name, modified_at, told)] : [];
			}),
		);
		models = described.flat();
	}

	async function noteLoaded(): Promise<void> {
		const answer = await askOllama("GET", "/api/ps").catch(() => undefined);
		// Older ones do not tell; the context is then as for a model that is not loaded.
		for (const one of loaded.safeParse(answer).data?.models ?? [])
			if (one.context_length) contextByName.set(one.name, one.context_length);
	}

	/** @returns undefined for a model of which nothing is known: it may be one that can't talk */
	async function describe(name: string): Promise<Shown | undefined> {
		try {
			return await show(name);
		} catch {
			// It was just removed, or its disk is slow: it is asked for again, and the others are here.
			return listedAs(name) && nothingShown;
		}
	}

	async function show(name: string): Promise<Shown> {
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
		{ capabilities, model_info, parameters }: Shown,
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
		// What is longer than the context that it is loaded with is cut without a word.
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

/** Those that turn text into numbers are Ollama's models, too. */
function canTalk({ capabilities }: Shown): boolean {
	return (
		!capabilities.includes("embedding") || capabilities.includes("completion")
	);
}

function withoutLatest(name: string): string {
	return name.replace(/:latest$/, "");
}
