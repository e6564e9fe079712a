import { setImmediate as nextTurn } from "node:timers/promises";
import { categoryCreate } from "../../../sync/entities/category.ts";
import { parseArgs } from "../../../sync/entities/parse-args.ts";
import {
	productCreate,
	productUpdate,
} from "../../../sync/entities/product.ts";
import { ShopError } from "../../../sync/protocol/errors.ts";
import { type Env, newId } from "../../../sync/protocol/ids.ts";
import type { Caller, MutationInput, Shop } from "../../../sync/shop.ts";
import { oneAtATime } from "./import-queue.ts";
import { LineError, type RefusedLine, refuseLine } from "./line-error.ts";
import { isSame, type Known, keyOf, trimmed } from "./matching.ts";
import { openProductCache, type ProductCache } from "./product-cache.ts";
import type { ProductCsv, ProductLine } from "./product-csv.ts";

/** Lines per transaction; sales of other shops run in between. */
const partLines = 100;

/** The result of an import or a dry run. */
export interface ProductImport {
	/** The number of mutations. */
	changes: number;
	created: number;
	updated: number;
	unchanged: number;
	refused: RefusedLine[];
}

interface ImportOptions {
	/** Called after each batch with the number of changes made so far. */
	onProgress?(done: number): void;
	/** Called before anything is written; if it throws, nothing is imported. */
	onPlan?(plan: ProductImport): void;
}

/** The mutations for some lines. */
interface Part extends ProductImport {
	made: MutationInput[];
	/** The line number of each key. */
	lineByKey: Map<string, number>;
}

/**
 * Imports a file's products in batches. Each batch is planned and written in one transaction. If an import is interrupted,
 * importing the same file again finds the first batches unchanged and continues.
 */
export async function importProducts(
	shop: Shop,
	caller: Caller,
	csv: ProductCsv,
	{ onProgress = () => {}, onPlan }: ImportOptions = {},
): Promise<ProductImport> {
	const { businessId } = caller;
	if (onPlan) onPlan(await planProductImport(shop, businessId, csv));
	return oneAtATime(async () => {
		const cache = openProductCache(businessId);
		const total = emptyImport(csv);
		const lineByKey = new Map<string, number>();
		await cache.catchUp(shop.store);
		for (const lines of partsOf(csv.lines)) {
			let part: Part | undefined;
			await shop.mutateAll(caller, async (tx) => {
				if (part) cache.forget();
				await cache.catchUpIn(tx);
				part = planPart(shop.env, cache, lines, lineByKey);
				return part.made;
			});
			if (!part) throw new Error("Nothing was planned");
			add(total, part);
			for (const [key, line] of part.lineByKey) lineByKey.set(key, line);
			cache.leaveOut(createdIn(part.made));
			onProgress(total.changes);
		}
		return total;
	});
}

/** Plans an import without changing anything. */
export function planProductImport(
	{ store, env }: Shop,
	businessId: string,
	csv: ProductCsv,
): Promise<ProductImport> {
	return oneAtATime(async () => {
		const cache = openProductCache(businessId);
		await cache.catchUp(store);
		const total = emptyImport(csv);
		const lineByKey = new Map<string, number>();
		const newCategories = new Map<string, string>();
		for (const lines of partsOf(csv.lines)) {
			add(
				total,
				planPart(env, cache, lines, lineByKey, newCategories, lineByKey),
			);
			await nextTurn();
		}
		return total;
	});
}

function* partsOf(lines: readonly ProductLine[]): Generator<ProductLine[]> {
	for (let at = 0; at < lines.length; at += partLines)
		yield lines.slice(at, at + partLines);
}

function emptyImport({ refused }: ProductCsv): ProductImport {
	return {
		changes: 0,
		created: 0,
		updated: 0,
		unchanged: 0,
		refused: [...refused],
	};
}

function add(total: ProductImport, part: ProductImport): void {
	for (const count of ["changes", "created", "updated", "unchanged"] as const)
		total[count] += part[count];
	if (part.refused.length === 0) return;
	total.refused.push(...part.refused);
	total.refused.sort((a, b) => a.line - b.line);
}

/**
 * Plans a batch. Products are matched by the id in a Counterfoil export, by SKU, or without one by name. A match is updated
 * in the fields that differ and reactivated unless the file says that it is not sold; other lines create products. Every
 * mutation is checked, so that all can be applied together.
 *
 * @param earlier line numbers of earlier batches, by key
 * @param newCategories ids of categories created in this batch, by name
 * @param lineByKey collects this batch's line numbers
 */
function planPart(
	env: Env,
	cache: ProductCache,
	lines: readonly ProductLine[],
	earlier: ReadonlyMap<string, number>,
	newCategories = new Map<string, string>(),
	lineByKey = new Map<string, number>(),
): Part {
	const part: Part = {
		made: [],
		changes: 0,
		created: 0,
		updated: 0,
		unchanged: 0,
		refused: [],
		lineByKey,
	};

	/** @returns a category's id, with the mutation that creates it if it doesn't exist */
	function categoryIdOf(name: string): { id: string; made: MutationInput[] } {
		const known = cache.categoryIdOf(name) ?? newCategories.get(name);
		if (known !== undefined) return { id: known, made: [] };
		const id = newId(env);
		return {
			id,
			made: [checked({ mutation: categoryCreate, args: { id, name } })],
		};
	}

	function planLine(
		{ fields }: ProductLine,
		before: Known | undefined,
	): MutationInput[] {
		const { category: categoryName, isActive = true, ...rest } = fields;
		const inCategory =
			categoryName === undefined || isIn(before, categoryName)
				? undefined
				: categoryIdOf(categoryName);
		const given = inCategory ? { ...rest, categoryId: inCategory.id } : rest;
		if (!before) {
			const args = {
				id: newId(env),
				buyingPrice: null,
				sellingPrice: null,
				...given,
			};
			const made = [checked({ mutation: productCreate, args })];
			if (!isActive)
				made.push(
					checked({
						mutation: productUpdate,
						args: { id: args.id, set: { isActive } },
					}),
				);
			part.created += 1;
			return [...(inCategory?.made ?? []), ...made];
		}
		const set = Object.fromEntries(
			Object.entries({ ...given, isActive }).filter(
				([field, value]) => !isSame(before[field], value),
			),
		);
		if (Object.keys(set).length === 0) {
			part.unchanged += 1;
			return [];
		}
		const seen =
			"quantity" in set ? { seenQuantity: before.quantity } : undefined;
		const args = { id: before.id, set, ...seen };
		const made = checked({ mutation: productUpdate, args });
		part.updated += 1;
		return [...(inCategory?.made ?? []), made];
	}

	for (const line of lines) {
		try {
			const before = cache.matching.find(line);
			const key = before ? `id ${before.id}` : keyOf(line.fields);
			const same = earlier.get(key) ?? lineByKey.get(key);
			if (same !== undefined)
				throw new LineError(
					"same_product",
					`The same product is on line ${same}`,
					{ value: String(same) },
				);
			const made = planLine(line, before);
			part.made.push(...made);
			for (const { mutation, args } of made)
				if (mutation.name === categoryCreate.name) {
					const { id, name } = args as { id: string; name: string };
					newCategories.set(name, id);
				}
			lineByKey.set(key, line.line);
		} catch (error) {
			if (!(error instanceof LineError)) throw error;
			part.refused.push(refuseLine(line, error));
		}
	}
	part.changes = part.made.length;
	return part;
}

function createdIn(made: readonly MutationInput[]): string[] {
	return made
		.filter(({ mutation }) => mutation === productCreate)
		.map(({ args }) => (args as Known).id);
}

/** Whether the product is already in a category of this name; with two of the same name, it stays in its own. */
function isIn(product: Known | undefined, categoryName: string): boolean {
	const current = product?.category as { name: string } | null | undefined;
	return trimmed(current?.name) === categoryName;
}

/** Validates a mutation. @throws LineError if it would be rejected */
function checked(made: MutationInput): MutationInput {
	try {
		parseArgs(made.mutation, made.args);
		return made;
	} catch (error) {
		if (!(error instanceof ShopError)) throw error;
		const { message, field } = error;
		throw new LineError("invalid_args", message, { field });
	}
}
