import { setImmediate as nextTurn } from "node:timers/promises";
import {
	categoryCreate,
	categoryUpdate,
} from "../../../sync/entities/category.ts";
import {
	productCreate,
	productUpdate,
} from "../../../sync/entities/product.ts";
import { codeCreate } from "../../../sync/entities/product-code.ts";
import { type Env, newId } from "../../../sync/protocol/ids.ts";
import type { Caller, MutationInput, Shop } from "../../../sync/shop.ts";
import { checked } from "./checked-mutation.ts";
import {
	type CodeLines,
	newCodesOf,
	noteCodes,
	readStoredCodes,
	type StoredCodes,
} from "./code-holders.ts";
import { oneAtATime } from "./import-queue.ts";
import { LineError, type RefusedLine, refuseLine } from "./line-error.ts";
import { planPacks } from "./line-packs.ts";
import { isSame, type Known, keyOf, trimmed } from "./matching.ts";
import { openProductCache, type ProductCache } from "./product-cache.ts";
import type { ProductFile, ProductLine } from "./product-file.ts";

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

/** What lines of a file have said, so that others can't say it differently. */
interface Seen {
	/** The line number of each key. */
	lineByKey: Map<string, number>;
	/** Tax classes of categories, with their line numbers, by category id. */
	taxes: Map<string, { taxClass: string; line: number }>;
	/** Ids of categories that are created, by name. */
	newCategories: Map<string, string>;
	lineByCode: CodeLines;
}

function nothingSeen(): Seen {
	return {
		...{ lineByKey: new Map(), taxes: new Map() },
		...{ newCategories: new Map(), lineByCode: new Map() },
	};
}

/** The mutations for some lines. */
interface Part extends ProductImport {
	made: MutationInput[];
	seen: Seen;
}

/**
 * Imports a file's products in batches. Each batch is planned and written in one transaction. If an import is interrupted,
 * importing the same file again finds the first batches unchanged and continues.
 */
export async function importProducts(
	shop: Shop,
	caller: Caller,
	csv: ProductFile,
	{ onProgress = () => {}, onPlan }: ImportOptions = {},
): Promise<ProductImport> {
	const { businessId } = caller;
	if (onPlan) onPlan(await planProductImport(shop, businessId, csv));
	return oneAtATime(async () => {
		const cache = openProductCache(businessId);
		const total = emptyImport(csv);
		const seen = nothingSeen();
		await cache.catchUp(shop.store);
		for (const lines of partsOf(csv.lines)) {
			let part: Part | undefined;
			await shop.mutateAll(caller, async (tx) => {
				if (part) cache.forget();
				await cache.catchUpIn(tx);
				const { matching } = cache;
				const stored = await readStoredCodes(tx, businessId, lines, matching);
				part = planPart(shop.env, cache, { lines, stored }, seen);
				return part.made;
			});
			if (!part) throw new Error("Nothing was planned");
			add(total, part);
			for (const [key, line] of part.seen.lineByKey)
				seen.lineByKey.set(key, line);
			for (const [id, tax] of part.seen.taxes) seen.taxes.set(id, tax);
			for (const [key, line] of part.seen.lineByCode)
				seen.lineByCode.set(key, line);
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
	csv: ProductFile,
): Promise<ProductImport> {
	return oneAtATime(async () => {
		const cache = openProductCache(businessId);
		await cache.catchUp(store);
		const total = emptyImport(csv);
		const seen = nothingSeen();
		for (const lines of partsOf(csv.lines)) {
			const stored = await store.read((tx) =>
				readStoredCodes(tx, businessId, lines, cache.matching),
			);
			add(total, planPart(env, cache, { lines, stored }, seen, seen));
			await nextTurn();
		}
		return total;
	});
}

function* partsOf(lines: readonly ProductLine[]): Generator<ProductLine[]> {
	for (let at = 0; at < lines.length; at += partLines)
		yield lines.slice(at, at + partLines);
}

function emptyImport({ refused }: ProductFile): ProductImport {
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
 * @param earlier what earlier batches have said
 * @param seen collects what this batch says
 */
function planPart(
	env: Env,
	cache: ProductCache,
	{ lines, stored }: { lines: readonly ProductLine[]; stored: StoredCodes },
	earlier: Seen,
	seen = nothingSeen(),
): Part {
	const part: Part = {
		made: [],
		changes: 0,
		created: 0,
		updated: 0,
		unchanged: 0,
		refused: [],
		seen,
	};
	for (const line of lines) {
		try {
			const before = cache.matching.find(line);
			const key = before ? `id ${before.id}` : keyOf(line.fields);
			const same = earlier.lineByKey.get(key) ?? seen.lineByKey.get(key);
			if (same !== undefined)
				throw new LineError(
					"same_product",
					`The same product is on line ${same}`,
					{ value: String(same) },
				);
			const category = planCategory(env, cache, line, before, earlier, seen);
			const id = before?.id ?? newId(env);
			const product = [
				...planProduct(id, line, before, category?.id),
				...planGoods(env, line, before ?? { id }, { stored, earlier, seen }),
			];
			part.made.push(...(category?.made ?? []), ...product);
			if (category?.tax) seen.taxes.set(category.id, category.tax);
			if (category?.isNew && line.fields.category !== undefined)
				seen.newCategories.set(line.fields.category, category.id);
			if (!before) part.created += 1;
			else if (product.length > 0) part.updated += 1;
			else part.unchanged += 1;
			seen.lineByKey.set(key, line.line);
		} catch (error) {
			if (!(error instanceof LineError)) throw error;
			part.refused.push(refuseLine(line, error));
		}
	}
	part.changes = part.made.length;
	return part;
}

/** A line's category, with the mutations that create it or set its tax class. */
interface PlannedCategory {
	id: string;
	isNew: boolean;
	tax?: { taxClass: string; line: number };
	made: MutationInput[];
}

/** @throws LineError if the line gives the category another tax class than an earlier one */
function planCategory(
	env: Env,
	cache: ProductCache,
	{ line, fields: { category: name, categoryTaxClass: taxClass } }: ProductLine,
	before: Known | undefined,
	earlier: Seen,
	seen: Seen,
): PlannedCategory | undefined {
	const current = before?.categoryId as string | null | undefined;
	const stays = name === undefined || isIn(before, name);
	const known = stays
		? (current ?? undefined)
		: (cache.categoryIdOf(name) ?? seen.newCategories.get(name));
	if (known === undefined && name === undefined) {
		if (taxClass === undefined) return undefined;
		throw new LineError("invalid_args", "The product has no category", {
			field: "categoryTaxClass",
		});
	}
	const id = known ?? newId(env);
	const isNew = known === undefined;
	const tax = earlier.taxes.get(id) ?? seen.taxes.get(id);
	if (taxClass !== undefined && tax && tax.taxClass !== taxClass)
		throw new LineError(
			"other_category_tax",
			`Line ${tax.line} gives the category another tax class`,
			{ field: "categoryTaxClass", value: String(tax.line) },
		);
	const given = taxClass === undefined ? {} : { taxClass };
	const made: MutationInput[] = [];
	if (isNew)
		made.push(
			checked({
				mutation: categoryCreate,
				args: { id, name: name as string, ...given },
			}),
		);
	else if (taxClass !== undefined && !tax && cache.taxClassOf(id) !== taxClass)
		made.push(checked({ mutation: categoryUpdate, args: { id, set: given } }));
	return {
		...{ id, isNew, made },
		...(taxClass === undefined ? {} : { tax: tax ?? { taxClass, line } }),
	};
}

/** @returns the mutations that make the stored product like the line */
function planProduct(
	id: string,
	{ fields }: ProductLine,
	before: Known | undefined,
	categoryId: string | undefined,
): MutationInput[] {
	const {
		category,
		categoryTaxClass,
		codes,
		packs,
		isActive = true,
		...rest
	} = fields;
	const given = categoryId === undefined ? rest : { ...rest, categoryId };
	if (!before) {
		const args = { id, buyingPrice: null, sellingPrice: null, ...given };
		const made = [checked({ mutation: productCreate, args })];
		if (!isActive)
			made.push(
				checked({ mutation: productUpdate, args: { id, set: { isActive } } }),
			);
		return made;
	}
	const set = Object.fromEntries(
		Object.entries({ ...given, isActive }).filter(
			([field, value]) => !isSame(before[field], value),
		),
	);
	if (Object.keys(set).length === 0) return [];
	const seen =
		"quantity" in set ? { seenQuantity: before.quantity } : undefined;
	return [
		checked({
			mutation: productUpdate,
			args: { id, set, ...seen },
		}),
	];
}

/** @returns the mutations that give a product the line's packs and codes that it lacks */
function planGoods(
	env: Env,
	line: ProductLine,
	product: Known,
	{ stored, earlier, seen }: { stored: StoredCodes; earlier: Seen; seen: Seen },
): MutationInput[] {
	const { id: productId } = product;
	const { codes = [], packs = [] } = line.fields;
	const planned = planPacks(
		env,
		productId,
		packs,
		stored.packs.get(productId) ?? [],
	);
	const given = [
		...codes.map((code) => ({ code })),
		...planned.flatMap(({ id: packId, codes }) =>
			codes.map((code) => ({ code, packId })),
		),
	];
	const lacking = newCodesOf(given, line, product, {
		stored,
		lineOf: (key) => earlier.lineByCode.get(key) ?? seen.lineByCode.get(key),
		isSold: (id) =>
			earlier.lineByKey.has(`id ${id}`) || seen.lineByKey.has(`id ${id}`),
	});
	noteCodes(line, seen.lineByCode);
	return [
		...planned.flatMap(({ made }) => made),
		...lacking.map((one) =>
			checked({
				mutation: codeCreate,
				args: { id: newId(env), productId, ...one },
			}),
		),
	];
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
