import { category } from "../../../sync/entities/category.ts";
import type { Entity } from "../../../sync/entities/entity.ts";
import { product } from "../../../sync/entities/product.ts";
import { present, selectRows } from "../../../sync/rows/rows.ts";
import type { Connection, Store } from "../../../sync/store/store.ts";
import {
	type Known,
	type Matching,
	openMatching,
	trimmed,
} from "./matching.ts";

const pageRows = 500;

/** A position in an entity's rows, in the order of their last change. */
interface Position {
	version: number;
	id: string;
}

/** A business's products and categories, cached in memory during an import. */
export interface ProductCache {
	readonly matching: Pick<Matching, "find">;
	/** The id of the first category with a name, in the shop's order. */
	categoryIdOf(name: string): string | undefined;
	/** The class of a category's tax; undefined for a category that isn't stored. */
	taxClassOf(categoryId: string): string | null | undefined;
	/** Reads changes since the last call, page by page, each page in a separate transaction. */
	catchUp(store: Store): Promise<void>;
	/** Reads changes within a write transaction, so that nothing can change until it ends. */
	catchUpIn(tx: Connection): Promise<void>;
	/** Excludes products that this import created, because lines match only products that existed before. */
	leaveOut(ids: readonly string[]): void;
	/** Discards everything read, after a transaction that read it was rolled back. */
	forget(): void;
}

export function openProductCache(businessId: string): ProductCache {
	let matching = openMatching();
	let categories = new Map<string, Known>();
	let idsByName: Map<string, string> | undefined;
	let positions = new Map<Entity, Position>();
	const leftOut = new Set<string>();

	/** @returns whether there may be more pages */
	async function readPage(tx: Connection, entity: Entity): Promise<boolean> {
		const { version, id } = positions.get(entity) ?? { version: -1, id: "" };
		const stored = await selectRows(
			tx,
			entity,
			businessId,
			"AND (version, id) > (?, ?) ORDER BY version, id LIMIT ?",
			version,
			id,
			pageRows,
		);
		const last = stored.at(-1);
		if (!last) return false;
		positions.set(entity, { version: last.version, id: last.row.id });
		const wires = await present(
			tx,
			entity,
			businessId,
			stored.map(({ row }) => row),
		);
		if (entity === category)
			for (const [i, { deleted }] of stored.entries()) {
				const wire = wires[i] as Known;
				if (deleted) categories.delete(wire.id);
				else categories.set(wire.id, wire);
				idsByName = undefined;
			}
		else
			matching.learn((wires as Known[]).filter(({ id }) => !leftOut.has(id)));
		return stored.length === pageRows;
	}

	function readNames(): Map<string, string> {
		const inOrder = [...categories.values()].sort(
			(a, b) =>
				Number(a.sortOrder) - Number(b.sortOrder) || (a.id < b.id ? -1 : 1),
		);
		const ids = new Map<string, string>();
		for (const { id, name } of inOrder)
			if (!ids.has(trimmed(name))) ids.set(trimmed(name), id);
		return ids;
	}

	return {
		matching: { find: (line) => matching.find(line) },

		categoryIdOf(name) {
			idsByName ??= readNames();
			return idsByName.get(name);
		},

		taxClassOf(categoryId) {
			const known = categories.get(categoryId);
			return known && ((known.taxClass as string | undefined) ?? null);
		},

		async catchUp(store) {
			for (const entity of [category, product])
				while (await store.read((tx) => readPage(tx, entity)));
		},

		async catchUpIn(tx) {
			for (const entity of [category, product])
				while (await readPage(tx, entity));
		},

		leaveOut(ids) {
			for (const id of ids) leftOut.add(id);
		},

		forget() {
			matching = openMatching();
			categories = new Map();
			idsByName = undefined;
			positions = new Map();
		},
	};
}
