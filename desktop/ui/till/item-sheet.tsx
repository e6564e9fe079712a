import { useRef, useState } from "react";
import { amountMax } from "../../../sync/entities/money.ts";
import type { ProductPack } from "../../../sync/entities/pack-row.ts";
import type { Product } from "../../../sync/entities/product.ts";
import { packText } from "../../../sync/receipts/pack-text.ts";
import { useAttempt } from "../components/attempt.tsx";
import { Button } from "../components/button.tsx";
import { decimalOf } from "../components/decimal.ts";
import { DecimalField, TextField } from "../components/field.tsx";
import { Keypad } from "../components/keypad.tsx";
import { Sheet } from "../components/sheet.tsx";
import { useFormat } from "../format.ts";
import { useWords } from "../words/index.ts";

/** What to sell that has no price yet: a product, an unknown barcode, or a name. */
export type ItemRequest =
	| {
			product: Product;
			/** What the price is of. Absent for the product's own unit. */
			pack?: ProductPack | undefined;
			/** How much of it a scale's label says. */
			quantity?: number | undefined;
	  }
	| { code?: string; name?: string };

/** The name and price that the cashier typed. */
export interface ItemAnswer {
	name: string;
	price: number;
	/** Whether to save it: as a new product, or as the product's price. */
	isKept: boolean;
}

/** Asks for an item's price, and for its name if it has none. */
export function ItemSheet({
	wanted,
	mayKeep,
	onSell,
	onClose,
}: {
	wanted: ItemRequest;
	/** Whether this member may change products. */
	mayKeep: boolean;
	onSell(said: ItemAnswer): Promise<void>;
	onClose(): void;
}) {
	const { say } = useWords();
	const format = useFormat();
	const { attempt, problem, isBusy } = useAttempt();
	const { product, pack } = "product" in wanted ? wanted : {};
	const packed = packText(
		{ packName: pack?.name, packSize: pack?.size, unit: product?.unit },
		format.quantity,
	);
	const code = "product" in wanted ? undefined : wanted.code;
	const known = product?.name ?? ("name" in wanted ? wanted.name : undefined);
	const [name, setName] = useState(known ?? "");
	const [price, setPrice] = useState("");
	const [isChecked, setChecked] = useState(false);
	const nameField = useRef<HTMLInputElement>(null);
	const priceField = useRef<HTMLInputElement>(null);
	const amount = decimalOf(price) ?? 0;
	const nameError = name.trim() === "" && say("item.nameMissing");
	const priceError =
		amount <= 0
			? say("item.priceMissing")
			: amount > amountMax && say("item.priceTooLarge");
	// An item with a barcode will be sold again and is worth saving; an item without one seldom is.
	const isKeptFirst = mayKeep && (product ?? code) !== undefined;

	function sell(isKept: boolean): void {
		setChecked(true);
		if (nameError) nameField.current?.focus();
		else if (priceError) priceField.current?.focus();
		else
			void attempt(() => onSell({ name: name.trim(), price: amount, isKept }));
	}

	return (
		<Sheet
			place="goods"
			title={
				product
					? say("item.priceOf", {
							name: `${product.name} ${packed}`.trim(),
						})
					: say(code === undefined ? "item.open" : "item.new")
			}
			mayCloseByTap={price === "" && name === (known ?? "")}
			onClose={onClose}
		>
			<form
				className="item-form"
				noValidate
				onSubmit={(event) => {
					event.preventDefault();
					sell(isKeptFirst);
				}}
			>
				<div className="column-flex">
					{code !== undefined && (
						<p className="item-code">
							<b>
								{inFours(code).map((four, i) => (
									// biome-ignore lint/suspicious/noArrayIndexKey: they never move.
									<span key={i}>{four}</span>
								))}
							</b>{" "}
							{say("till.unknown")}
						</p>
					)}
					{product && (
						<p style={{ margin: 0 }} className="muted">
							{say("till.unpriced")}
						</p>
					)}
					{problem}
					{!product && (
						<TextField
							ref={nameField}
							label={say("products.name")}
							maxLength={500}
							data-autofocus={known ? undefined : true}
							value={name}
							onChange={setName}
							error={isChecked && nameError}
						/>
					)}
					<DecimalField
						ref={priceField}
						label={say("till.price")}
						isLarge
						data-autofocus={known ? true : undefined}
						value={price}
						onChange={setPrice}
						error={isChecked && priceError}
					/>
				</div>
				<Keypad value={price} onChange={setPrice} />
				<div className="sheet-foot">
					{mayKeep && (
						<Button disabled={isBusy} onClick={() => sell(!isKeptFirst)}>
							{say(isKeptFirst ? "item.sellOnce" : "item.sellAndKeep")}
						</Button>
					)}
					<Button type="submit" kind="ink" isBusy={isBusy}>
						{say(isKeptFirst ? "item.sellAndKeep" : "item.sellOnce")}
						<kbd aria-hidden>Enter</kbd>
					</Button>
				</div>
			</form>
		</Sheet>
	);
}

/** Groups of four are read more easily than a row of thirteen digits. */
function inFours(code: string): string[] {
	return code.match(/.{1,4}/g) ?? [];
}
