import { Trash2 } from "lucide-react";
import { type FormEvent, useId, useRef, useState } from "react";
import { v7 as newId } from "uuid";
import type { ProductPack } from "../../../sync/entities/pack-row.ts";
import type { Product } from "../../../sync/entities/product.ts";
import { packText } from "../../../sync/receipts/pack-text.ts";
import { useAttempt } from "../components/attempt.tsx";
import { Button, IconButton } from "../components/button.tsx";
import { decimalOf } from "../components/decimal.ts";
import { DecimalField, TextField } from "../components/field.tsx";
import { Toggle } from "../components/toggle.tsx";
import { offerUndo } from "../components/undo.tsx";
import { useFormat } from "../format.ts";
import { useShop } from "../session.tsx";
import { createOnce } from "../shop/create-once.ts";
import { useWords } from "../words/index.ts";
import { useUnitName } from "./units.ts";

const empty = { name: "", size: "", price: "" };

/** A product's packs, such as a carton of 24, which are sold as one. */
export function Packs({ product }: { product: Product }) {
	const { say } = useWords();
	const { shop } = useShop();
	const unitName = useUnitName();
	const { attempt, problem, isBusy } = useAttempt();
	/** The pack that the fields change; undefined for a new one. */
	const [edited, setEdited] = useState<ProductPack>();
	const [typed, setTyped] = useState(empty);
	/** Of the next pack, which a retry makes once. */
	const fresh = useRef(newId());
	const titleId = useId();
	const size = decimalOf(typed.size);
	const isWhole = typed.name.trim() !== "" && size !== undefined && size > 0;

	function edit(pack: ProductPack | undefined): void {
		setEdited(pack);
		setTyped(
			pack
				? {
						...{ name: pack.name, size: String(pack.size) },
						price: String(pack.sellingPrice ?? ""),
					}
				: empty,
		);
	}

	async function save(event: FormEvent): Promise<void> {
		event.preventDefault();
		if (!isWhole) return;
		const set = {
			...{ name: typed.name.trim(), size },
			sellingPrice: decimalOf(typed.price) ?? null,
		};
		// Another till may have changed the fields that were not touched here.
		const changed = Object.entries(set).filter(
			([field, value]) => value !== edited?.[field as keyof typeof set],
		);
		const isSaved = await attempt(() =>
			edited
				? shop.mutate("pack.update", {
						...{ id: edited.id, set: Object.fromEntries(changed) },
					})
				: createOnce(shop, "pack", {
						...{ id: fresh.current, productId: product.id, ...set },
					}),
		);
		if (!isSaved) return;
		if (!edited) fresh.current = newId();
		edit(undefined);
	}

	async function remove(pack: ProductPack): Promise<void> {
		const { id, name } = pack;
		const isRemoved = await attempt(() => shop.mutate("pack.delete", { id }));
		if (!isRemoved) return;
		edit(undefined);
		offerUndo(say("packs.removed", { name }), () => putBack(pack));
	}

	/** A removed id can't be used again, so the pack's codes move to its new one. */
	async function putBack({ isActive, ...pack }: ProductPack): Promise<void> {
		const productId = product.id;
		const packId = newId();
		await shop.mutate("pack.create", { ...pack, id: packId, productId });
		if (!isActive)
			await shop.mutate("pack.update", { id: packId, set: { isActive } });
		const { rows } = await shop.ask("code.list", { productId });
		for (const { id, code } of rows.filter((one) => one.packId === pack.id)) {
			await shop.mutate("code.delete", { id });
			await shop.mutate("code.create", {
				...{ id: newId(), productId, code, packId },
			});
		}
	}

	return (
		<section className="product-codes" aria-labelledby={titleId}>
			<h3 id={titleId}>{say("packs.title")}</h3>
			{problem}
			<ul>
				{product.packs?.map((pack) => (
					<PackRow
						key={pack.id}
						pack={pack}
						product={product}
						onEdit={edit}
						onSold={(isActive) =>
							void attempt(() =>
								shop.mutate("pack.update", { id: pack.id, set: { isActive } }),
							)
						}
						onRemove={(one) => void remove(one)}
					/>
				))}
			</ul>
			<form className="pack-form" onSubmit={(event) => void save(event)}>
				<TextField
					label={say("packs.name")}
					maxLength={100}
					value={typed.name}
					onChange={(name) => setTyped({ ...typed, name })}
				/>
				<div className="field-pair">
					<DecimalField
						label={say("packs.size", { unit: unitName(product.unit) })}
						value={typed.size}
						onChange={(size) => setTyped({ ...typed, size })}
					/>
					<DecimalField
						label={say("packs.price")}
						value={typed.price}
						onChange={(price) => setTyped({ ...typed, price })}
					/>
				</div>
				<Button type="submit" isBusy={isBusy} disabled={!isWhole}>
					{say(edited ? "packs.change" : "packs.add")}
				</Button>
				{edited && (
					<Button kind="quiet" onClick={() => edit(undefined)}>
						{say("app.cancel")}
					</Button>
				)}
			</form>
		</section>
	);
}

function PackRow({
	pack,
	product: { sellingPrice },
	onEdit,
	onSold,
	onRemove,
}: {
	pack: ProductPack;
	product: Product;
	onEdit(pack: ProductPack): void;
	onSold(isActive: boolean): void;
	onRemove(pack: ProductPack): void;
}) {
	const { say } = useWords();
	const format = useFormat();
	const { name, size } = pack;
	const price =
		pack.sellingPrice ?? (sellingPrice === null ? null : sellingPrice * size);
	return (
		<li>
			<Button kind="quiet" onClick={() => onEdit(pack)}>
				{packText({ packName: name, packSize: size }, format.quantity)}
			</Button>
			<span className="figure grow">
				{price === null ? "–" : format.figure(price)}
			</span>
			<Toggle
				label={say("packs.sold", { name })}
				checked={pack.isActive}
				onChange={onSold}
			/>
			<IconButton
				label={say("packs.remove", { name })}
				onClick={() => onRemove(pack)}
			>
				<Trash2 size={18} aria-hidden />
			</IconButton>
		</li>
	);
}
