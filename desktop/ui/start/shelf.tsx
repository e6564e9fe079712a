import {
	type FormEvent,
	type KeyboardEvent,
	useEffect,
	useRef,
	useState,
} from "react";
import { v7 as newId } from "uuid";
import { isMisread } from "../../../sync/entities/gtin.ts";
import { amountMax } from "../../../sync/entities/money.ts";
import type { Product } from "../../../sync/entities/product.ts";
import { useAttempt } from "../components/attempt.tsx";
import { Button } from "../components/button.tsx";
import { decimalOf } from "../components/decimal.ts";
import { DecimalField, TextField } from "../components/field.tsx";
import { beep } from "../scanner/beep.ts";
import { findByCode } from "../scanner/product-search.ts";
import { isReceiptLink } from "../scanner/receipt-code.ts";
import { useScanner } from "../scanner/scanner.ts";
import { useShop } from "../session.tsx";
import type { ShopClient } from "../shop/client.ts";
import { createOnce } from "../shop/create-once.ts";
import { useAnswer } from "../shop/use-shop-data.ts";
import type { Word } from "../words/index.ts";
import { useWords } from "../words/index.ts";
import { type KeptItem, KeptList } from "./kept-list.tsx";

/** The thing in the shopkeeper's hand. */
interface ShelfItem {
	/** A retry makes its product once. */
	id: string;
	/** Undefined before the first scan, empty for a thing without a code. */
	code: string | undefined;
	/** Set if the shop has it already. */
	product: Product | undefined;
	name: string;
	price: string;
}

const nothing = (): ShelfItem => ({
	id: newId(),
	code: undefined,
	product: undefined,
	name: "",
	price: "",
});

/** Names that fit are offered from this many letters. */
const nearMin = 2;
const nearMax = 5;

/** Adds products as they stand on the shelf: scan, name, price, next. */
export function Shelf() {
	const { say } = useWords();
	const { shop } = useShop();
	const { attempt, problem } = useAttempt();
	const [item, setItem] = useState(nothing);
	const [typedCode, setTypedCode] = useState("");
	const [note, setNote] = useState<Word>();
	const [isChecked, setChecked] = useState(false);
	/** Counts the items shown. */
	const [turn, setTurn] = useState(0);
	const [kept, setKept] = useState<KeptItem[]>([]);
	const codeField = useRef<HTMLInputElement>(null);
	const nameField = useRef<HTMLInputElement>(null);
	const priceField = useRef<HTMLInputElement>(null);
	const latest = useRef(item);
	latest.current = item;
	const near = useNear(item);
	const wrong = wrongIn(item);

	const enqueue = useScanner({
		isKnown: async (code) =>
			document.activeElement === codeField.current ||
			(await findByCode(shop, code)) !== undefined,
		onScan: ({ code }) => take(code),
	});

	/** Changes the item at once: a scan can follow before the next render. */
	function put(next: ShelfItem): void {
		latest.current = next;
		setItem(next);
	}
	const edit = (change: Partial<ShelfItem>) =>
		put({ ...latest.current, ...change });

	function show(next: ShelfItem): void {
		put(next);
		setTypedCode("");
		setChecked(false);
		setNote(next.product ? "shelf.known" : undefined);
		setTurn((before) => before + 1);
	}

	// biome-ignore lint/correctness/useExhaustiveDependencies: once for each item that is shown.
	useEffect(() => {
		const { code, product } = latest.current;
		const known = product ? priceField : nameField;
		const field = (code === undefined ? codeField : known).current;
		field?.focus();
		field?.select();
	}, [turn]);

	/** Begins the next item with a code; the one before it is kept if it is complete. */
	async function take(code: string): Promise<void> {
		if (isReceiptLink(code)) return beep(false);
		if (isMisread(code)) {
			beep(false);
			setNote("shelf.misread");
			return;
		}
		const before = latest.current;
		const isBegun = before.name.trim() !== "" || before.price !== "";
		if (isBegun && !(await keep(before))) {
			beep(false);
			return;
		}
		const { product } = (await findByCode(shop, code)) ?? {};
		beep(true);
		show({
			...{ ...nothing(), code, product },
			name: product?.name ?? "",
			price: product?.sellingPrice?.toString() ?? "",
		});
	}

	/** @returns false if its name or price is missing, or it can't be saved */
	async function keep(done: ShelfItem): Promise<boolean> {
		const problems = wrongIn(done);
		if (problems.name || problems.price) {
			setChecked(true);
			setNote("shelf.finish");
			(problems.name ? nameField : priceField).current?.focus();
			return false;
		}
		return attempt(async () => {
			const change = await save(shop, done);
			if (change) setKept((before) => [change, ...before]);
		});
	}

	const next = () =>
		enqueue(async () => {
			if (await keep(latest.current)) show(nothing());
		});

	/** Gives the code to a product that the shop had without one. */
	const giveCode = (product: Product) =>
		enqueue(async () => {
			const { code } = latest.current;
			if (!code) return;
			const isGiven = await attempt(async () => {
				const change = await giveCodeTo(shop, product, code);
				setKept((before) => [change, ...before]);
			});
			if (isGiven)
				show({
					...{ ...nothing(), code },
					product: { ...product, sku: code },
					name: product.name,
					price: product.sellingPrice?.toString() ?? "",
				});
		});

	return (
		<div className="shelf">
			<form
				className="shelf-form"
				noValidate
				onSubmit={(event: FormEvent) => {
					event.preventDefault();
					void next();
				}}
			>
				{problem}
				<div className="shelf-code">
					<TextField
						ref={codeField}
						label={say("shelf.code")}
						value={item.code ?? typedCode}
						maxLength={100}
						onChange={(typed) => {
							if (item.code === undefined) setTypedCode(typed);
							else edit({ code: typed });
						}}
						onKeyDown={(event: KeyboardEvent) => {
							const isTyped = item.code === undefined && typedCode.trim();
							if (event.key !== "Enter" || !isTyped) return;
							event.preventDefault();
							void enqueue(() => take(typedCode.trim()));
						}}
					/>
					{item.code === undefined && (
						<Button onClick={() => show({ ...nothing(), code: "" })}>
							{say("shelf.noCode")}
						</Button>
					)}
				</div>
				<p
					className={note === "shelf.known" ? "muted" : "attention"}
					role="status"
				>
					{note
						? say(note)
						: item.code === undefined &&
							say(kept.length === 0 ? "shelf.scanFirst" : "shelf.scanNext")}
				</p>
				{item.code !== undefined && (
					<>
						<TextField
							ref={nameField}
							label={say("products.name")}
							value={item.name}
							maxLength={500}
							disabled={item.product !== undefined}
							onChange={(name) => edit({ name })}
							onKeyDown={(event: KeyboardEvent) => {
								if (event.key !== "Enter") return;
								event.preventDefault();
								priceField.current?.focus();
							}}
							error={isChecked && wrong.name && say(wrong.name)}
						/>
						{near.length > 0 && (
							<div className="shelf-near">
								<span className="text-s muted">{say("shelf.giveCode")}</span>
								{near.map((product) => (
									<Button
										key={product.id}
										size="s"
										onClick={() => giveCode(product)}
									>
										{product.name}
									</Button>
								))}
							</div>
						)}
						<DecimalField
							ref={priceField}
							label={say("products.selling")}
							isLarge
							value={item.price}
							onChange={(price) => edit({ price })}
							error={isChecked && wrong.price && say(wrong.price)}
						/>
						<Button type="submit" kind="ink" size="l">
							{say("shelf.next")} <kbd aria-hidden>Enter</kbd>
						</Button>
					</>
				)}
			</form>
			<KeptList
				kept={kept}
				onUndo={(last) =>
					enqueue(async () => {
						if (await attempt(last.undo))
							setKept((before) => before.filter((one) => one !== last));
					})
				}
			/>
		</div>
	);
}

function wrongIn({ name, price }: ShelfItem): { name?: Word; price?: Word } {
	const amount = decimalOf(price) ?? 0;
	return {
		...(name.trim() === "" && { name: "shelf.nameMissing" }),
		...(amount <= 0
			? { price: "shelf.priceMissing" }
			: amount > amountMax && { price: "shelf.priceTooLarge" }),
	};
}

/** The shop's products without a code whose names fit what is typed. */
function useNear({ code, product, name }: ShelfItem): Product[] {
	const words = name.trim();
	const isAsked = Boolean(code) && !product && words.length >= nearMin;
	const found = useAnswer(
		"product.find",
		{ words, limit: 50, isExact: true },
		{ enabled: isAsked },
	);
	if (!isAsked) return [];
	return (found.data?.products ?? [])
		.filter(({ sku }) => sku === null)
		.slice(0, nearMax);
}

/** Creates a product, or changes the price of one that the shop has. @returns undefined if nothing changed */
async function save(
	shop: ShopClient,
	{ id, code, product, name, price }: ShelfItem,
): Promise<KeptItem | undefined> {
	const sellingPrice = decimalOf(price) ?? 0;
	if (product) {
		const { sellingPrice: before } = product;
		if (before === sellingPrice) return undefined;
		const set = { sellingPrice };
		await shop.mutate("product.update", { id: product.id, set });
		return {
			key: newId(),
			name: product.name,
			price: sellingPrice,
			undo: () =>
				shop.mutate("product.update", {
					...{ id: product.id, set: { sellingPrice: before } },
				}),
		};
	}
	await createOnce(shop, "product", {
		id,
		name: name.trim(),
		sku: code?.trim() || null,
		buyingPrice: null,
		sellingPrice,
	});
	return {
		key: id,
		name: name.trim(),
		price: sellingPrice,
		undo: () => shop.mutate("product.delete", { id }),
	};
}

async function giveCodeTo(
	shop: ShopClient,
	{ id, name, sellingPrice }: Product,
	sku: string,
): Promise<KeptItem> {
	await shop.mutate("product.update", { id, set: { sku } });
	return {
		key: newId(),
		name,
		price: sellingPrice,
		undo: () => shop.mutate("product.update", { id, set: { sku: null } }),
	};
}
