import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import * as z from "zod";
import { SettingsError } from "../environment.ts";
import shipped from "./models.json" with { type: "json" };
import { writePriceOf } from "./prices.ts";
import { type Refusal, refusal } from "./refusals.ts";

/** USD per million tokens. */
const price = z.number().min(0);

const pricing = z.object({
	input: price,
	output: price,
	/** For prompt tokens that the provider reads from its cache or writes to it. */
	cache_read: price.optional(),
	cache_write: price.optional(),
	/** The highest fee in USD for each request on top of its tokens, such as for a search. */
	request: price.optional(),
	/** Prices for calls whose prompt is longer than the tier's limit. */
	tiers: z
		.array(
			z.object({
				input_tokens_above: z.int(),
				input: price,
				output: price,
				cache_read: price.optional(),
			}),
		)
		.optional(),
});

const model = z.object({
	/** `provider/name`; the name alone also selects the model. */
	id: z.string().regex(/^[a-z]+\/\S+$/),
	/** The provider's name for the model. */
	upstream_id: z.string(),
	provider: z.string(),
	owned_by: z.string(),
	display_name: z.string(),
	/** Seconds since 1970. */
	created: z.int(),
	context_window: z.int().positive(),
	max_input_tokens: z.int().positive().optional(),
	max_output_tokens: z.int().positive().optional(),
	capabilities: z.object({
		streaming: z.boolean(),
		tool_use: z.boolean(),
		vision: z.boolean(),
		reasoning: z.boolean(),
	}),
	pricing,
	/** The most tokens that one image counts as, if more than usual. */
	image_tokens: z.int().positive().optional(),
	/** The names of what it refuses, in the order in which requests are changed for it. */
	refuses: z.array(z.string()).optional(),
	/** The page that says so, if it continues a conversation's last turn where that is the assistant's. */
	prefill: z.url().optional(),
	/** How it is asked to think: with an effort, a budget of tokens, or a level. */
	thinking: z
		.object({ by: z.enum(["adaptive", "budget", "level"]), source: z.url() })
		.optional(),
	/** The page that says so, if it reads PDF. */
	pdf: z.url().optional(),
	/** From 1, the weakest, to 5, the strongest; automatic routing weighs it against price and speed. */
	tier: z.int().min(1).max(5),
	/** Family names that select this model. */
	aliases: z.array(z.string()).optional(),
});
export type Model = z.infer<typeof model> & {
	/** What the names in `refuses` stand for. */
	refusals?: readonly Refusal[];
	/** In no catalogue: a caller named it, and what it can do and costs is assumed. */
	isUnlisted?: true;
};

const embeddingModel = z.object({
	id: model.shape.id,
	display_name: z.string(),
	/** The most tokens of one text. */
	context_window: z.int().positive(),
	/** USD per million tokens. */
	price,
});

const catalogue = z.object({
	as_of: z.iso.date(),
	refusals: z.record(z.string(), refusal),
	models: z.array(model),
	/** Models that turn texts into vectors. */
	embeddings: z.array(embeddingModel),
});
interface Catalogue {
	as_of: string;
	models: Model[];
	embeddings: Model[];
}

/** A file that extends the catalogue: of a model there, what is different; of another, at least what no default fits. */
const extension = z.object({
	as_of: z.iso.date().optional(),
	refusals: z.record(z.string(), refusal).default({}),
	models: z.array(model.partial().required({ id: true }).strict()).default([]),
	embeddings: z.array(embeddingModel).default([]),
});

const fileName = "models.json";

/**
 * Reads the known models, with their prices as of a date. A `models.json` in the data directory extends the shipped one.
 *
 * @throws SettingsError if that file can't be read
 */
export function readCatalogue(dataDir: string): Catalogue {
	const { as_of, refusals, models, embeddings } = catalogue.parse(shipped);
	const known = {
		as_of,
		models: resolve(models, refusals),
		embeddings: embeddings.map(toModel),
	};
	const file = join(dataDir, fileName);
	if (!existsSync(file)) return known;
	try {
		const own = extension.parse(JSON.parse(readFileSync(file, "utf8")));
		return {
			as_of: own.as_of ?? known.as_of,
			models: resolve(extend(models, own.models), {
				...refusals,
				...own.refusals,
			}),
			embeddings: [
				...known.embeddings.filter(
					({ id }) => !own.embeddings.some((one) => one.id === id),
				),
				...own.embeddings.map(toModel),
			],
		};
	} catch (error) {
		const [issue] = error instanceof z.ZodError ? error.issues : [];
		const what = issue
			? `${issue.path.join(".")}: ${issue.message}`
			: (error as Error).message;
		throw new SettingsError(`DATA_DIR: ${fileName} in it: ${what}`);
	}
}

/** @throws Error naming a refusal that isn't described */
function resolve(
	models: readonly z.infer<typeof model>[],
	refusals: Record<string, Refusal>,
): Model[] {
	return models.map((one) => ({
		...one,
		refusals: one.refuses?.map((name) => {
			const found = refusals[name];
			if (!found)
				throw new Error(`${one.id} refuses "${name}", which isn't in refusals`);
			return found;
		}),
	}));
}

/** What all of a provider's models refuse, a further one is taken to refuse too. */
function refusedByAll<Name>(lists: readonly (readonly Name[])[]): Name[] {
	const [first = [], ...others] = lists;
	return first.filter((name) => others.every((list) => list.includes(name)));
}

/** @throws z.ZodError for a model that isn't in the list and lacks a price or a length */
function extend(
	known: readonly z.infer<typeof model>[],
	own: z.infer<typeof extension>["models"],
): z.infer<typeof model>[] {
	const byId = new Map(known.map((one) => [one.id, one]));
	own.forEach((given, i) => {
		const merged = {
			...(byId.get(given.id) ?? {
				...defaultsOf(given.id),
				refuses: refusedByAll(
					known
						.filter(({ id }) => given.id.startsWith(`${id.split("/", 1)}/`))
						.map(({ refuses = [] }) => refuses),
				),
			}),
			...given,
		};
		const { success, data, error } = model.safeParse(merged);
		if (!success)
			throw new z.ZodError(
				error.issues.map((issue) => ({
					...issue,
					path: ["models", i, ...issue.path],
				})),
			);
		byId.set(given.id, data);
	});
	return [...byId.values()];
}

/** An embedding model in the form of the others: it makes no text. */
function toModel({
	id,
	display_name,
	context_window,
	price,
}: z.infer<typeof embeddingModel>): Model {
	return {
		...defaultsOf(id),
		...{ id, display_name, context_window },
		capabilities: {
			...{ streaming: false, tool_use: false, vision: false, reasoning: false },
		},
		pricing: { input: price, output: 0 },
	};
}

function defaultsOf(id: string) {
	const provider = id.slice(0, id.indexOf("/"));
	const name = id.slice(provider.length + 1);
	return {
		...{ upstream_id: name, provider, owned_by: provider, display_name: name },
		created: 0,
		capabilities: {
			...{ streaming: true, tool_use: true, vision: false, reasoning: false },
		},
		tier: 2,
	} satisfies Partial<Model>;
}

const highest = (values: (number | undefined)[]) =>
	Math.max(...values.map((value) => value ?? 0));

/**
 * Describes a model that a caller names by provider, though no catalogue lists it. It is taken to do everything and to cost
 * as much as the provider's dearest model.
 *
 * @returns undefined if no listed model has this provider
 */
export function describeUnlisted(
	models: readonly Model[],
	id: string,
): Model | undefined {
	const { provider, ...defaults } = defaultsOf(id);
	const listed = models.filter((one) => one.provider === provider);
	if (listed.length === 0) return undefined;
	const prices = listed.flatMap(({ pricing }) => [
		pricing,
		...(pricing.tiers ?? []),
	]);
	return {
		...{ ...defaults, id, provider },
		context_window: highest(listed.map((one) => one.context_window)),
		capabilities: { ...defaults.capabilities, vision: true },
		image_tokens:
			highest(listed.map(({ image_tokens }) => image_tokens)) || undefined,
		pricing: {
			input: highest(prices.map(({ input }) => input)),
			output: highest(prices.map(({ output }) => output)),
			cache_write: highest(
				listed.flatMap(({ pricing }) =>
					[pricing, ...(pricing.tiers ?? [])].map(({ input }) =>
						writePriceOf(pricing, input),
					),
				),
			),
			request: highest(listed.map(({ pricing }) => pricing.request)),
		},
		refusals: refusedByAll(listed.map(({ refusals = [] }) => refusals)),
		isUnlisted: true,
	};
}

/** The longest prompt that still leaves room for an answer, in tokens. */
export function promptMax({ context_window, max_input_tokens }: Model): number {
	return Math.min(context_window, max_input_tokens ?? context_window);
}

/** @returns the models with that id, name or alias; several if more than one provider uses the name */
export function findModels(models: readonly Model[], asked: string): Model[] {
	let byName = namesByList.get(models);
	if (!byName) {
		byName = indexNames(models);
		namesByList.set(models, byName);
	}
	return byName.get(asked) ?? [];
}

/** Each list is indexed once, not on each request. */
const namesByList = new WeakMap<readonly Model[], Map<string, Model[]>>();

/** Indexes models by id, name and alias; an id never selects another model. */
function indexNames(models: readonly Model[]): Map<string, Model[]> {
	const byName = new Map<string, Model[]>();
	for (const model of models)
		for (const name of new Set([model.upstream_id, ...(model.aliases ?? [])]))
			byName.set(name, [...(byName.get(name) ?? []), model]);
	for (const model of models) byName.set(model.id, [model]);
	return byName;
}
