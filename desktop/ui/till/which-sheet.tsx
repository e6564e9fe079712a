import type { Product } from "../../../sync/entities/product.ts";
import { Sheet } from "../components/sheet.tsx";
import { useFormat } from "../format.ts";
import { useWords } from "../words/index.ts";

/** Asks which of the products with one code is meant. */
export function WhichSheet({
	products,
	onChoose,
	onClose,
}: {
	products: readonly Product[];
	onChoose(product: Product): void;
	onClose(): void;
}) {
	const { say } = useWords();
	const format = useFormat();
	return (
		<Sheet place="goods" title={say("till.which")} onClose={onClose}>
			{products.map((product, i) => (
				<button
					key={product.id}
					type="button"
					className="btn held"
					data-autofocus={i === 0 || undefined}
					onClick={() => onChoose(product)}
				>
					<span className="strong">{product.name}</span>
					<span className="muted text-s">{product.category?.name}</span>
					<span className="figure strong">
						{product.sellingPrice !== null &&
							format.money(product.sellingPrice)}
					</span>
				</button>
			))}
		</Sheet>
	);
}
