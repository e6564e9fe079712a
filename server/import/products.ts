import { category, categoryCreate } from "../../sync/entities/category.ts";
import {
	product,
	productCreate,
	productUpdate,
} from "../../sync/entities/product.ts";
import { ShopError } from "../../sync/errors.ts";
import { type Env, newId } from "../../sync/ids.ts";
import { parseArgs } from "../../sync/log.ts";
import type { Caller, Made, SyncServer } from "../../sync/shop.ts";
import type { Connection } from "../../sync/store/store.ts";
import { selectWires } from "../api/rows.ts";
import {
	isSame,
	type Known,
	keyOf,
	openMatching,
	trimmed,
} from "./matching.ts";
import type { ProductCsv, ProductLine, RefusedLine } from "./product-csv.ts";

/** What an import would do. */
export interface ProductImport {
	made: Made[];
	created: number;
	updated: number;
	unchanged: number;
	refused: RefusedLine[];
}

export interface ImportOptions {
	onProgress?(done: number): void;
	/** Told before anything is written, perhaps more than once; what it throws leaves all as it was. */
	onPlan?(plan: ProductImport): void;
}

/** Imports a file's products, all that are not refused, by what is there at that moment: what another import has just made is known. */
export async function importProducts(
	shop: SyncServer,
	caller: Caller,
	csv: ProductCsv,
	{ onProgress, onPlan }: ImportOptions = {},
): Promise<ProductImport> {
	let plan: ProductImport | undefined;
	await shop.mutateAll(
		caller,
		async (tx) => {
			plan = await planIn(tx, shop.env, caller.businessId, csv);
			onPlan?.(plan);
			return plan.made;
		},
		onProgress,
	);
	if (!plan) throw new Error("Nothing was planned");
	return plan;
}

/** What an import would do now. */
export function planProductImport(
	{ store, env }: SyncServer,
	businessId: string,
	csv: ProductCsv,
): Promise<ProductImport> {
	return store.read((tx) => planIn(tx, env, businessId, csv));
}

/**
 * Products are matched by the id in our own file, by sku, or without one by name; a match is updated in what the file
 * gives and differs, and is sold again where it was not; the others are created. Every mutation has been checked, so that
 * they can be made all at once.
 */
async function planIn(
	tx: Connection,
	env: Env,
	businessId: string,
	csv: ProductCsv,
): Promise<ProductImport> {
	const products = await selectWires(
		tx,
		product,
		businessId,
		"ORDER BY updated_at, id",
	);
	const categories = await selectWires(
		tx,
		category,
		businessId,
		"ORDER BY sort_order, id",
	);
	const match = openMatching(products as Known[]);
	const categoryIds = new Map<string, string>();
	for (const { id, name } of categories as Known[])
		if (!categoryIds.has(trimmed(name))) categoryIds.set(trimmed(name), id);
	const lineByKey = new Map<string, number>();
	const plan: ProductImport = {
		made: [],
		created: 0,
		updated: 0,
		unchanged: 0,
		refused: [...csv.refused],
	};

	/** The id of a category, which is made first where there is none of that name. */
	function categoryIdOf(name: string): { id: string; made: Made[] } {
		const known = categoryIds.get(name);
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
	): Made[] {
		const { category: categoryName, ...rest } = fields;
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
			const made = checked({ mutation: productCreate, args });
			plan.created += 1;
			return [...(inCategory?.made ?? []), made];
		}
		const set = Object.fromEntries(
			Object.entries({ ...given, isActive: true }).filter(
				([field, value]) => !isSame(before[field], value),
			),
		);
		if (Object.keys(set).length === 0) {
			plan.unchanged += 1;
			return [];
		}
		const seen =
			"quantity" in set ? { seenQuantity: before.quantity } : undefined;
		const args = { id: before.id, set, ...seen };
		const made = checked({ mutation: productUpdate, args });
		plan.updated += 1;
		return [...(inCategory?.made ?? []), made];
	}

	for (const line of csv.lines) {
		try {
			const before = match(line);
			const key = before ? `id ${before.id}` : keyOf(line.fields);
			const earlier = lineByKey.get(key);
			if (earlier !== undefined)
				throw new ShopError(
					"invalid_args",
					`The same product is on line ${earlier}`,
				);
			const made = planLine(line, before);
			plan.made.push(...made);
			for (const { mutation, args } of made)
				if (mutation.name === categoryCreate.name) {
					const { id, name } = args as { id: string; name: string };
					categoryIds.set(name, id);
				}
			lineByKey.set(key, line.line);
		} catch (error) {
			if (!(error instanceof ShopError)) throw error;
			const { record } = line;
			plan.refused.push({ line: line.line, record, reason: error.message });
		}
	}
	plan.refused.sort((a, b) => a.line - b.line);
	return plan;
}

/** Of two categories of one name, a product stays in its own. */
function isIn(product: Known | undefined, categoryName: string): boolean {
	const current = product?.category as { name: string } | null | undefined;
	return trimmed(current?.name) === categoryName;
}

/** @throws ShopError where the mutation would be refused */
function checked(made: Made): Made {
	parseArgs(made.mutation, made.args);
	return made;
}
