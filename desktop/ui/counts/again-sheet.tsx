import { type FormEvent, useState } from "react";
import type { Product } from "../../../sync/entities/product.ts";
import { Button } from "../components/button.tsx";
import { TextField } from "../components/field.tsx";
import { Sheet } from "../components/sheet.tsx";
import { useFormat } from "../format.ts";
import { useWords } from "../words/index.ts";
import type { Look } from "./counting.tsx";

/** Asks whether a product that was counted is counted again, or lies on another shelf too. */
export function AgainSheet({
	product,
	looks,
	onLook,
	onClose,
}: {
	product: Product;
	looks: readonly Look[];
	onLook(product: Product, shelf: string | null): void;
	onClose(): void;
}) {
	const { say } = useWords();
	const format = useFormat();
	const [shelf, setShelf] = useState("");
	const before = looks.find(
		({ productId, counted }) => productId === product.id && counted !== null,
	);

	function add(event: FormEvent): void {
		event.preventDefault();
		if (shelf.trim() !== "") onLook(product, shelf.trim());
	}

	return (
		<Sheet title={product.name} onClose={onClose}>
			<p>
				{say("counts.before", {
					quantity: format.quantity(before?.counted ?? 0),
					time: format.time(before?.lookedAt ?? ""),
				})}
			</p>
			<Button
				kind="ink"
				size="l"
				data-autofocus
				onClick={() => onLook(product, before?.shelf ?? null)}
			>
				{say("counts.again")}
			</Button>
			<form className="column-flex" onSubmit={add}>
				<TextField
					label={say("counts.shelf")}
					value={shelf}
					maxLength={100}
					onChange={setShelf}
				/>
				<Button type="submit" size="l" disabled={shelf.trim() === ""}>
					{say("counts.addShelf")}
				</Button>
			</form>
		</Sheet>
	);
}
