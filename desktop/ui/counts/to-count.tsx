import { useState } from "react";
import type { Product } from "../../../sync/entities/product.ts";
import { Button } from "../components/button.tsx";
import { LoadError } from "../components/load-error.tsx";
import { SearchField } from "../components/search-field.tsx";
import { useFormat } from "../format.ts";
import { useProductSearch } from "../scanner/product-search.ts";
import { useAnswer, useStatus } from "../shop/use-shop-data.ts";
import { useWords } from "../words/index.ts";
import type { CountDetail } from "./counting.tsx";

/** As many as are worth looking through; the search finds the others. */
const shownMax = 100;

/** What is still to be counted: of the category, or of the whole shop. */
export function ToCount({
	count,
	looks,
	onPick,
}: CountDetail & { onPick(product: Product): void }) {
	const { say } = useWords();
	const format = useFormat();
	const hasHistory = useStatus("hasHistory");
	const [words, setWords] = useState("");
	const { products, error } = useProductSearch(words, count.categoryId);
	const counted = new Set(
		looks
			.filter(({ counted }) => counted !== null)
			.map(({ productId }) => productId),
	);
	const left = products.filter(
		({ id, isService }) =>
			!isService && (words.trim() !== "" || !counted.has(id)),
	);
	function lastWords(at: string | null | undefined): string {
		if (at === undefined) return "";
		if (at === null) return say("counts.never");
		return say("counts.lastAt", { moment: format.moment(at) });
	}
	const shown = left.slice(0, shownMax);
	const last = useAnswer("count.last", {
		productIds: shown.map(({ id }) => id),
	}).data?.products;
	const lastAt = new Map(
		last?.map(({ productId, countedAt }) => [productId, countedAt]),
	);
	return (
		<div className="leaf to-count">
			<SearchField
				placeholder={say("till.search")}
				maxLength={500}
				value={words}
				onChange={setWords}
			/>
			<LoadError error={error} />
			{shown.map((product) => (
				<Button
					key={product.id}
					isWide
					disabled={!hasHistory}
					onClick={() => {
						setWords("");
						onPick(product);
					}}
				>
					<span className="grow counts-words">
						<b>{product.name}</b>
						<span className="muted text-s">
							{[product.sku, lastWords(lastAt.get(product.id))]
								.filter(Boolean)
								.join(" · ")}
						</span>
					</span>
				</Button>
			))}
		</div>
	);
}
