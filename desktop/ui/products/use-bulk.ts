import { useState } from "react";
import { amountMax } from "../../../sync/entities/money.ts";
import type { Product } from "../../../sync/entities/product.ts";
import { decimalOf } from "../components/decimal.ts";
import { useFormat } from "../format.ts";
import { useShop } from "../session.tsx";
import { useWords } from "../words/index.ts";
import { type BulkRule, noRule } from "./bulk-bar.tsx";
import { newPrice } from "./bulk-price.ts";
import type { Fields, useEdits } from "./use-edits.ts";

/** Coins below it are seldom used. */
const roundingOf: Record<string, number> = { TZS: 50, UGX: 100, RWF: 50 };

/** The products that are chosen in the table, and their new prices before they are set. */
export function useBulk(edits: ReturnType<typeof useEdits>) {
	const { say } = useWords();
	const { shop } = useShop();
	const { currency, digits } = useFormat();
	const [chosen, setChosen] = useState<ReadonlyMap<string, Product>>(new Map());
	const [rule, setRule] = useState(noRule);
	/** New prices that were typed, which no rule changes. */
	const [typed, setTyped] = useState<ReadonlyMap<string, string>>(new Map());
	const step = roundingOf[currency] ?? 5;

	function freshOf(product: Product): string {
		const own = typed.get(product.id);
		if (own !== undefined) return own;
		if (rule.base === undefined && !rule.isRounded) return "";
		const price = newPrice(product, {
			base: rule.base,
			by: decimalOf(rule.by) ?? 0,
			step: rule.isRounded ? step : 10 ** -digits,
		});
		return price === undefined ? "" : String(price);
	}

	/** @returns the new price, or undefined for one that stays as it is */
	function changeOf(product: Product): number | undefined {
		const price = decimalOf(freshOf(product));
		const isNew = price !== undefined && price !== product.sellingPrice;
		return isNew && price <= amountMax ? price : undefined;
	}

	function clear(): void {
		setChosen(new Map());
		setTyped(new Map());
		setRule(noRule);
	}

	/** Changes the chosen products as they are now: the chosen ones may be older. */
	async function change(
		fieldsOf: (product: Product) => Fields | undefined,
		messageFor: (count: number) => string,
	): Promise<void> {
		const { products } = await shop.ask("product.some", {
			ids: [...chosen.keys()],
		});
		const changes = products.flatMap((product) => {
			const set = fieldsOf(product);
			return set ? [{ product, set }] : [];
		});
		if (await edits.change(changes, messageFor(changes.length))) clear();
	}

	return {
		...{ chosen, rule, step, freshOf, clear },
		changes: [...chosen.values()].filter((one) => changeOf(one) !== undefined)
			.length,
		choose(products: readonly Product[]): void {
			setChosen(new Map(products.map((one) => [one.id, one])));
		},
		toggle(product: Product): void {
			const next = new Map(chosen);
			if (!next.delete(product.id)) next.set(product.id, product);
			if (next.size === 0) clear();
			else setChosen(next);
		},
		setRule(next: BulkRule): void {
			// A rule replaces what was typed before it.
			setTyped(new Map());
			setRule(next);
		},
		setNewPrice: (id: string, text: string) =>
			setTyped((before) => new Map(before).set(id, text)),
		setPrices: () =>
			change(
				(product) => {
					const sellingPrice = changeOf(product);
					return sellingPrice === undefined ? undefined : { sellingPrice };
				},
				(count) => say("bulk.priced", { count }),
			),
		setCategory: (categoryId: string | null) =>
			change(
				() => ({ categoryId }),
				(count) => say("bulk.moved", { count }),
			),
		stopSelling: () =>
			change(
				() => ({ isActive: false }),
				(count) => say("bulk.stopped", { count }),
			),
	};
}
