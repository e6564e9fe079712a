import { X } from "lucide-react";
import {
	type FormEvent,
	type RefObject,
	useId,
	useImperativeHandle,
	useState,
} from "react";
import { v7 as newId } from "uuid";
import { hasWrongCheckDigit } from "../../../sync/entities/gtin.ts";
import type { Product } from "../../../sync/entities/product.ts";
import type { ProductCode } from "../../../sync/entities/product-code.ts";
import { useAttempt } from "../components/attempt.tsx";
import { Button, IconButton } from "../components/button.tsx";
import { TextField } from "../components/field.tsx";
import { SelectField } from "../components/select-field.tsx";
import { offerUndo } from "../components/undo.tsx";
import { useShop } from "../session.tsx";
import { useRows } from "../shop/use-shop-data.ts";
import { useWords } from "../words/index.ts";
import { grouped } from "./grouped.ts";
import { useUnitName } from "./units.ts";

/** More than any product has. */
const codesMax = 200;

/** A product's further codes, which a scan adds. */
export function Codes({
	product,
	addRef,
}: {
	product: Product;
	/** Adds a scanned code. @returns false if it is refused */
	addRef: RefObject<((code: string) => Promise<boolean>) | null>;
}) {
	const { say } = useWords();
	const { shop } = useShop();
	const { attempt, problem, isBusy } = useAttempt();
	const [typed, setTyped] = useState("");
	/** "" for the product's own unit. */
	const [packId, setPackId] = useState("");
	const titleId = useId();
	const unitName = useUnitName();
	const { rows } = useRows(
		"code.list",
		{ productId: product.id },
		{ limit: codesMax },
	);

	const { packs = [] } = product;
	const packName = new Map(packs.map(({ id, name }) => [id, name]));

	const save = (code: string, packId: string) =>
		shop.mutate("code.create", {
			...{ id: newId(), productId: product.id, code },
			...(packId && { packId }),
		});

	async function add(code: string): Promise<boolean> {
		if (rows.some((one) => one.code === code)) return true;
		return attempt(() => save(code, packId));
	}
	useImperativeHandle(addRef, () => add);

	async function addTyped(event: FormEvent): Promise<void> {
		event.preventDefault();
		if (await add(typed.trim())) setTyped("");
	}

	async function remove({ id, code, packId = "" }: ProductCode): Promise<void> {
		if (await attempt(() => shop.mutate("code.delete", { id })))
			offerUndo(say("products.codeRemoved", { code }), () =>
				save(code, packId),
			);
	}

	return (
		<section className="product-codes" aria-labelledby={titleId}>
			<h3 id={titleId}>{say("products.codes")}</h3>
			{problem}
			<ul>
				{rows.map((one) => (
					<li key={one.id}>
						<span className="figure">{grouped(one.code)}</span>
						{one.packId !== undefined &&
							(packName.get(one.packId) ?? say("packs.gone"))}
						<CodeWarning code={one.code} />
						<IconButton
							label={say("products.removeCode", { code: one.code })}
							onClick={() => void remove(one)}
						>
							<X size={20} aria-hidden />
						</IconButton>
					</li>
				))}
			</ul>
			<form onSubmit={(event) => void addTyped(event)}>
				<TextField
					label={say("products.furtherCode")}
					maxLength={100}
					value={typed}
					onChange={setTyped}
				/>
				{packs.length > 0 && (
					<SelectField
						label={say("packs.codeOf")}
						value={packId}
						onChange={setPackId}
						options={[
							{ value: "", label: unitName(product.unit) },
							...packs.map(({ id, name }) => ({ value: id, label: name })),
						]}
					/>
				)}
				<Button type="submit" isBusy={isBusy} disabled={typed.trim() === ""}>
					{say("products.addCode")}
				</Button>
			</form>
			<CodeWarning code={typed} />
		</section>
	);
}

/** Says that a code's check digit is wrong. A shop's own code may have one that is, so it is kept. */
export function CodeWarning({ code }: { code: string }) {
	const { say } = useWords();
	return (
		hasWrongCheckDigit(code.trim()) && (
			<span className="text-s caution">{say("products.checkDigit")}</span>
		)
	);
}
