import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import * as z from "zod";
import { SettingsError } from "../settings-error.ts";
import shipped from "./models.json" with { type: "json" };

/** USD per million tokens. */
const price = z.number().min(0);

const pricing = z.object({
	input: price,
	output: price,
	/** Of prompt tokens that the provider had kept ready, and that it made ready. */
	cache_read: price.optional(),
	cache_write: price.optional(),
	/** USD for each request beside its tokens, such as for a search: the most that it may be. */
	request: price.optional(),
	/** Of calls whose prompt is longer than that. */
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
	/** `provider/name`; the name alone selects it too. */
	id: z.string().regex(/^[a-z]+\/\S+$/),
	/** By which its provider knows it. */
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
	/** What an image counts as at most, where that is more than is usual. */
	image_tokens: z.int().positive().optional(),
	/** The range that it takes, if it takes any; some do when they are told not to reason. */
	temperature: z.enum(["0..2", "0..1", "never", "without_reasoning"]),
	/**
	 * The effort without which its provider refuses function tools on this wire: `none` in so many words, or none that is
	 * told (`unset`). Tools are worth more than thoughts: the effort gives way.
	 */
	tools_effort: z.enum(["none", "unset"]).optional(),
	/** What it can't do, though its provider has models that can. */
	lacks: z.array(z.enum(["json_object", "json_schema"])).optional(),
	/** 1 for the smallest to 5 for the strongest: what automatic routing weighs against price and speed. */
	tier: z.int().min(1).max(5),
	/** Families that it stands for. */
	aliases: z.array(z.string()).optional(),
});
export type Model = z.infer<typeof model>;

const catalogue = z.object({ as_of: z.iso.date(), models: z.array(model) });
type Catalogue = z.infer<typeof catalogue>;

const fileName = "models.json";

/**
 * The models that are known, with their prices as of a date. A `models.json` in the data directory takes the place of the
 * one that is shipped.
 *
 * @throws SettingsError for such a file that can't be read
 */
export function readCatalogue(dataDir: string): Catalogue {
	const file = join(dataDir, fileName);
	if (!existsSync(file)) return catalogue.parse(shipped);
	try {
		return catalogue.parse(JSON.parse(readFileSync(file, "utf8")));
	} catch (error) {
		const [issue] = error instanceof z.ZodError ? error.issues : [];
		const what = issue
			? `${issue.path.join(".")}: ${issue.message}`
			: (error as Error).message;
		throw new SettingsError(`DATA_DIR: ${fileName} in it: ${what}`);
	}
}

/** The longest prompt that leaves room for an answer, in tokens. */
export function promptMax({ context_window, max_input_tokens }: Model): number {
	return Math.min(context_window, max_input_tokens ?? context_window);
}

/** @returns the models of that id, name or alias: one, unless several providers have one of that name */
export function findModels(models: readonly Model[], asked: string): Model[] {
	let byName = namesByList.get(models);
	if (!byName) {
		byName = indexNames(models);
		namesByList.set(models, byName);
	}
	return byName.get(asked) ?? [];
}

/** A list is looked through once, and not with each request. */
const namesByList = new WeakMap<readonly Model[], Map<string, Model[]>>();

/** An id is nobody else's name. */
function indexNames(models: readonly Model[]): Map<string, Model[]> {
	const byName = new Map<string, Model[]>();
	for (const model of models)
		for (const name of new Set([model.upstream_id, ...(model.aliases ?? [])]))
			byName.set(name, [...(byName.get(name) ?? []), model]);
	for (const model of models) byName.set(model.id, [model]);
	return byName;
}
