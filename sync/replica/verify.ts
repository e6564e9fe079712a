import { isDeepStrictEqual } from "node:util";
import type { Entity } from "../entities/entity.ts";
import { entities, entitiesByName } from "../entities/index.ts";
import { product } from "../entities/product.ts";
import { feedRowOf, toFeed } from "../feed/feed-row.ts";
import { ShopError } from "../protocol/errors.ts";
import {
	assertSameBusiness,
	type Change,
	pageMax,
} from "../protocol/protocol.ts";
import { rowPages } from "../rows/row-pages.ts";
import { readRow, toWire } from "../rows/rows.ts";
import type { Connection, Store } from "../store/store.ts";
import type { Transport } from "./transport.ts";

/** A row that differs between a database and its server. */
interface RowDifference {
	entity: string;
	id: string;
	/** The side that has the row, or both. */
	where: "here" | "server" | "both";
	/** The fields whose values differ, if both have the row. */
	fields: string[];
}

/**
 * Compares the server's whole feed with a database's rows, changing nothing.
 *
 * @param onProgress receives the number of compared rows of the server
 * @param pageRows rows per read
 * @throws ShopError `wrong_business` if the server's shop is another one; any error of the transport
 */
export async function findDifferences(
	store: Store,
	businessId: string,
	transport: Pick<Transport, "pull">,
	onProgress: (rows: number) => void = () => {},
	pageRows = pageMax,
): Promise<RowDifference[]> {
	const found = new Map<string, RowDifference>();
	const onServer = new Set<string>();
	let cursor = "";
	let rows = 0;
	for (;;) {
		const page = await transport.pull(cursor, pageRows);
		assertSameBusiness(businessId, page.businessId);
		if (page.reset)
			throw new ShopError(
				"unreachable",
				"The server was restored meanwhile; try again",
			);
		const compare = async (tx: Connection) => {
			for (const change of page.changes) {
				const key = `${change.entity} ${change.id}`;
				// A row that changes during the comparison comes again, and its last state counts.
				found.delete(key);
				onServer.delete(key);
				if (!change.deleted) onServer.add(key);
				const difference = await compareRow(tx, businessId, change);
				if (difference) found.set(key, difference);
			}
		};
		await store.read(compare);
		rows += page.changes.length;
		onProgress(rows);
		if (!page.hasMore) break;
		cursor = page.cursor;
	}
	await addOwn(store, businessId, onServer, found, pageRows);
	await addWrongStock(store, businessId, found);
	return [...found.values()];
}

async function compareRow(
	tx: Connection,
	businessId: string,
	{ entity: name, id, row, deleted }: Change,
): Promise<RowDifference | undefined> {
	if (deleted) return undefined;
	const entity = entitiesByName.get(name);
	const own = entity && (await readRow(tx, entity, businessId, id));
	if (!entity || !own || own.deleted)
		return { entity: name, id, where: "server", fields: [] };
	const fields = differingFields(entity, own.row, row ?? {});
	return fields.length > 0
		? { entity: name, id, where: "both", fields }
		: undefined;
}

/** Compares the fields that the digest covers; the feed has others, which come from other tables. */
function differingFields(
	entity: Entity,
	own: Record<string, unknown>,
	theirs: Record<string, unknown>,
): string[] {
	// The row as a page would carry it.
	const wire = JSON.parse(JSON.stringify(toWire(entity, own)));
	// The row that lacks an optional field may be this one.
	const fields = new Set([
		...Object.keys(feedRowOf(entity).shape),
		...Object.keys(toFeed(entity, wire)),
	]);
	return [...fields].filter(
		(field) => !isDeepStrictEqual(wire[field], theirs[field]),
	);
}

/** Adds live rows that the server lacks. */
async function addOwn(
	store: Store,
	businessId: string,
	onServer: ReadonlySet<string>,
	found: Map<string, RowDifference>,
	pageRows: number,
): Promise<void> {
	await store.read(async (tx) => {
		for (const entity of entities)
			for await (const own of rowPages(tx, entity, businessId, pageRows))
				for (const { row, deleted } of own) {
					const key = `${entity.name} ${row.id}`;
					if (!deleted && !onServer.has(key))
						found.set(key, {
							entity: entity.name,
							id: row.id,
							where: "here",
							fields: [],
						});
				}
	});
}

/**
 * Adds products whose quantity is not the sum of their ledger: equal ledgers on both sides then mean equal stock, whatever
 * is sold during the comparison.
 */
async function addWrongStock(
	store: Store,
	businessId: string,
	found: Map<string, RowDifference>,
): Promise<void> {
	const wrong = await store.read((tx) =>
		tx.all(
			`SELECT id FROM products WHERE business_id = ? AND deleted = 0 AND quantity <>
       (SELECT coalesce(sum(delta), 0) FROM stock_ledger WHERE stock_ledger.business_id = products.business_id AND product_id = products.id)`,
			businessId,
		),
	);
	for (const { id } of wrong) {
		const key = `${product.name} ${id}`;
		const { where = "both", fields = [] } = found.get(key) ?? {};
		found.set(key, {
			entity: product.name,
			id: id as string,
			where,
			fields: where === "both" ? [...fields, "quantity"] : fields,
		});
	}
}
