import { useState } from "react";
import type { Product } from "../../../sync/entities/product.ts";
import { Button } from "../components/button.tsx";
import { LoadError } from "../components/load-error.tsx";
import { SearchField } from "../components/search-field.tsx";
import { useProductSearch } from "../scanner/product-search.ts";
import { useStatus } from "../shop/use-shop-data.ts";
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
	return (
		<div className="leaf to-count">
			<SearchField
				placeholder={say("till.search")}
				maxLength={500}
				value={words}
				onChange={setWords}
			/>
			<LoadError error={error} />
			{left.slice(0, shownMax).map((product) => (
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
						{product.sku && <span className="muted text-s">{product.sku}</span>}
					</span>
				</Button>
			))}
		</div>
	);
}
