import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { v7 as newId } from "uuid";
import type { MutationArgs } from "../../../sync/entities/index.ts";
import { toDecimal, toMicros } from "../../../sync/entities/money.ts";
import type { Product } from "../../../sync/entities/product.ts";
import { messageOf } from "../components/error-message.ts";
import { offerUndo } from "../components/undo.tsx";
import { useShop } from "../session.tsx";
import { shopKey } from "../shop/client.ts";
import { inChunks } from "../shop/in-chunks.ts";

export type Fields = MutationArgs["product.update"]["set"];

/** A product as it was, and what changes of it. */
interface Edit {
	product: Product;
	set: Fields;
}

/**
 * Edits in place: saved at once on this device. Undo is offered as soon as an edit is saved, before the rows are read
 * again: two readings can end in either order, and the edit to take back is the later one.
 */
export function useEdits() {
	const { shop } = useShop();
	const queries = useQueryClient();
	const [problem, setProblem] = useState<string>();

	/** Ends once the rows show what was done. */
	async function attempt(work: () => Promise<unknown>): Promise<boolean> {
		setProblem(undefined);
		try {
			await work();
			return true;
		} catch (error) {
			setProblem(messageOf(error));
			return false;
		} finally {
			await queries.invalidateQueries({ queryKey: [shopKey] });
		}
	}

	/** @returns false if a product couldn't be changed; Undo is offered for those that could */
	async function change(
		edits: readonly Edit[],
		message: string,
	): Promise<boolean> {
		const undone: { id: string; set: Fields }[] = [];
		const undo = () =>
			attempt(() =>
				inChunks(undone, (one) => shop.mutate("product.update", one)),
			);
		return attempt(async () => {
			try {
				await inChunks(edits, async ({ product, set }) => {
					await shop.mutate("product.update", { id: product.id, set });
					undone.push({ id: product.id, set: fieldsBefore(product, set) });
				});
			} finally {
				if (undone.length > 0) offerUndo(message, undo);
			}
		});
	}

	/** Makes a count of the stock a movement from what was seen; sales since then stay subtracted. */
	async function count(
		{ id: productId }: Product,
		{ seen, counted }: { seen: number; counted: number },
		message: string,
	): Promise<boolean> {
		const micros = toMicros(counted) - toMicros(seen);
		const move = (delta: number) =>
			shop.mutate("stock.adjust", {
				...{ id: newId(), productId, reason: "count" },
				delta: toDecimal(delta),
			});
		return attempt(async () => {
			await move(micros);
			offerUndo(message, () => attempt(() => move(-micros)));
		});
	}

	return { change, count, problem };
}

function fieldsBefore(product: Product, set: Fields): Fields {
	return Object.fromEntries(
		Object.keys(set).map((field) => [field, product[field as keyof Product]]),
	);
}
