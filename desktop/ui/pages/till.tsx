import { Alert, Button, Drawer, Group, Kbd, Modal, Table } from "@mantine/core";
import { useMediaQuery } from "@mantine/hooks";
import { useCallback, useEffect, useMemo, useRef, useState } from "react";
import { v7 as newId } from "uuid";
import {
	type Product,
	productCreate,
	productUpdate,
} from "../../../sync/entities/product.ts";
import { useFormat } from "../format.ts";
import { useUndo } from "../parts/undo.tsx";
import { useLocal, useMayManage, useShop } from "../session.tsx";
import { beep } from "../till/beep.ts";
import {
	addOpenItem,
	addProduct,
	changeLine,
	priceTyped,
	putBack,
	totalOf,
	unpricedOf,
} from "../till/cart.ts";
import { CartPanel } from "../till/cart-panel.tsx";
import { isMisread } from "../till/check-digit.ts";
import { Goods } from "../till/goods.tsx";
import { ItemSheet, type Said, type Wanted } from "../till/item-sheet.tsx";
import { Payment } from "../till/payment.tsx";
import { type Doubt, QuantityQuestion } from "../till/quantity-question.tsx";
import { SaleDone } from "../till/receipt.tsx";
import { type MadeSale, makeSale, type Tender } from "../till/sale.ts";
import { saleProblem } from "../till/sale-problem.ts";
import { methodOf } from "../till/scan-codes.ts";
import { useScanner } from "../till/scanner.ts";
import { useCart } from "../till/use-cart.ts";
import type { Word } from "../words/en.ts";
import { useWords } from "../words/index.ts";

const shortcuts: [string, Word][] = [
	["/", "till.keySearch"],
	["Enter", "till.keyAdd"],
	["F8", "till.keyPay"],
	["F9", "till.keyHold"],
	["Enter", "till.keyNext"],
	["?", "till.keyHelp"],
];

/** Where goods become sales: by touch, by keyboard or by scanner alone. */
export function Till() {
	const { say } = useWords();
	const format = useFormat();
	const { shop } = useShop();
	const { catalogue, business } = useLocal();
	const mayManage = useMayManage();
	const offerUndo = useUndo();
	const { cart, latest, held, change, clear, hold, resume } = useCart();
	const [words, setWords] = useState("");
	const [category, setCategory] = useState<string | null>(null);
	const [stage, setStage] = useState<"goods" | "cart" | "paying" | "help">(
		"goods",
	);
	const [made, setMade] = useState<MadeSale>();
	const [notice, setNotice] = useState<string>();
	const search = useRef<HTMLInputElement>(null);
	const isPaying = useRef(false);
	const [wanted, setWanted] = useState<Wanted>();
	const [doubt, setDoubt] = useState<Doubt>();
	// Known before the page is drawn again: a key or a scan may pay at once.
	const isInDoubt = useRef(false);
	const isNarrow = useMediaQuery("(max-width: 62em)");
	const found = useMemo(
		() => catalogue.find(words, category),
		[catalogue, words, category],
	);

	const pick = useCallback(
		(product: Product) => {
			setNotice(undefined);
			const sellingPrice =
				product.sellingPrice ?? priceTyped(latest.current, product.id);
			const hasNoPrice = product.sellingPrice === null;
			if (sellingPrice === undefined) setWanted({ product });
			else
				change((now) =>
					addProduct(now, { ...product, sellingPrice, hasNoPrice }),
				);
		},
		[change, latest],
	);

	const mayOpen = mayManage || business?.openItems === true;
	const sellTyped = useCallback((typed: string) => {
		setWanted(/^\d{6,}$/.test(typed) ? { code: typed } : { name: typed });
	}, []);

	/** Sells what the sheet asked for. */
	async function sellWanted({ name, price, isKept }: Said): Promise<void> {
		if (wanted === undefined) return;
		const priced = { name, sellingPrice: price };
		if ("product" in wanted) {
			const { product } = wanted;
			if (isKept)
				await shop.mutate(productUpdate.name, {
					id: product.id,
					set: { sellingPrice: price },
				});
			change((now) =>
				addProduct(now, { ...product, ...priced, hasNoPrice: !isKept }),
			);
		} else if (isKept) {
			const made = { id: newId(), buyingPrice: null, ...priced };
			const { code } = wanted;
			await shop.mutate(productCreate.name, {
				...made,
				...(code !== undefined && { sku: code }),
			});
			change((now) => addProduct(now, { ...made, isService: false }));
		} else change((now) => addOpenItem(now, name, price));
		setWanted(undefined);
		setWords("");
	}

	useScanner({
		isKnown: (code) => (methodOf(code) ?? catalogue.byCode(code)) !== undefined,
		onScan: ({ code }) => sellScanned(code),
	});

	function sellScanned(code: string): void {
		const method = methodOf(code);
		if (method) {
			// What is asked for on a sheet is part of the sale.
			if (wanted || !settle()) {
				beep(false);
				return;
			}
			const now = latest.current;
			const isUnpriced = unpricedOf(now, catalogue.byId).length > 0;
			beep(now.lines.length > 0 && !isUnpriced);
			// Nothing is given away without a look at it.
			if (isUnpriced) startPaying();
			else if (now.lines.length > 0)
				void pay({ method, paid: totalOf(now), reference: "" });
			return;
		}
		const product = catalogue.byCode(code);
		// A scan on the receipt begins the next sale.
		if (made) next();
		if (product) {
			// A sheet that is being filled in stays.
			const isFree = !wanted || product.sellingPrice !== null;
			beep(isFree);
			if (isFree) pick(product);
			return;
		}
		beep(false);
		if (wanted) return;
		if (isMisread(code)) setNotice(say("till.misread", { code }));
		else if (mayOpen) setWanted({ code });
		else setNotice(say("till.unknownAsk", { code }));
	}

	const ask = useCallback((asked: Doubt | undefined) => {
		isInDoubt.current = asked !== undefined;
		setDoubt(asked);
	}, []);

	/** Enters what is being typed into a line. @returns false where that has to be asked about first */
	const settle = useCallback(() => {
		const { activeElement } = document;
		if (activeElement instanceof HTMLElement) activeElement.blur();
		return !isInDoubt.current;
	}, []);

	const startPaying = useCallback(() => {
		if (!settle()) return;
		setNotice(undefined);
		setStage("paying");
	}, [settle]);

	function next(): void {
		setMade(undefined);
		setStage("goods");
		search.current?.focus();
	}

	async function pay(tender: Tender): Promise<void> {
		// Two scans, two taps or two keys at once are one sale.
		if (isPaying.current || latest.current.lines.length === 0) return;
		isPaying.current = true;
		try {
			const sale = await makeSale(shop, latest.current, tender);
			clear();
			setMade(sale);
			setNotice(undefined);
			setStage("goods");
		} catch (error) {
			setNotice(saleProblem(error, say));
		} finally {
			isPaying.current = false;
		}
	}

	// A dialog has keys of its own.
	const isDialogOpen =
		stage === "paying" || stage === "help" || made || doubt || wanted;
	useEffect(() => {
		if (isDialogOpen) return;
		function onKey(event: KeyboardEvent): void {
			const isTyping =
				event.target instanceof HTMLInputElement ||
				event.target instanceof HTMLTextAreaElement;
			if (event.key === "F8" && cart.lines.length > 0) startPaying();
			else if (event.key === "F9") void hold();
			else if (event.key === "/" && !isTyping) search.current?.focus();
			else if (event.key === "?" && !isTyping) setStage("help");
			else return;
			event.preventDefault();
		}
		addEventListener("keydown", onKey);
		return () => removeEventListener("keydown", onKey);
	}, [cart, hold, isDialogOpen, startPaying]);

	const panel = (
		<CartPanel
			cart={cart}
			held={held}
			catalogue={catalogue}
			onChange={change}
			onClear={() => {
				const { lines, note } = latest.current;
				clear();
				offerUndo(say("till.cleared"), () =>
					change((now) => ({
						...putBack(now, lines),
						note: now.note || note,
					})),
				);
			}}
			onHold={hold}
			onResume={resume}
			onPay={startPaying}
			isTitled={!isNarrow}
			onDoubt={ask}
		/>
	);
	return (
		<div className="till">
			<h1 hidden>{say("app.till")}</h1>
			<div className="till-goods" style={{ padding: 0 }}>
				{notice && stage !== "paying" && (
					<Alert
						color="orange"
						role="alert"
						withCloseButton
						onClose={() => setNotice(undefined)}
						closeButtonLabel={say("app.close")}
					>
						{notice}
					</Alert>
				)}
				<Goods
					catalogue={catalogue}
					found={found}
					words={words}
					onWords={setWords}
					category={category}
					onCategory={setCategory}
					onPick={pick}
					onOpenItem={mayOpen ? sellTyped : undefined}
					searchRef={search}
				/>
				{isNarrow && (
					<Group p="sm" grow>
						<Button
							size="lg"
							disabled={cart.lines.length === 0 && held.length === 0}
							onClick={() => setStage("cart")}
						>
							{say("till.items", { count: cart.lines.length })} ·{" "}
							{format.money(totalOf(cart))}
						</Button>
					</Group>
				)}
			</div>
			{isNarrow ? (
				<Drawer
					opened={stage === "cart"}
					onClose={() => setStage("goods")}
					position="bottom"
					size="90%"
					title={say("till.cart")}
					padding="sm"
					styles={{
						content: { display: "flex", flexDirection: "column" },
						body: { flex: 1, minHeight: 0, padding: 0 },
					}}
				>
					{panel}
				</Drawer>
			) : (
				panel
			)}
			{stage === "paying" && (
				<Payment
					total={totalOf(cart)}
					unpriced={unpricedOf(cart, catalogue.byId).map(({ name }) => name)}
					problem={notice}
					isCovered={wanted !== undefined}
					onPaid={pay}
					onClose={() => setStage("goods")}
				/>
			)}
			{wanted && (
				<ItemSheet
					wanted={wanted}
					mayKeep={mayManage}
					onSell={sellWanted}
					onClose={() => setWanted(undefined)}
				/>
			)}
			{doubt && (
				<QuantityQuestion
					doubt={doubt}
					onAnswer={(isRight) => {
						const { line, quantity } = doubt;
						if (isRight)
							change((now) => changeLine(now, line.id, { quantity }));
						ask(undefined);
					}}
				/>
			)}
			{made && <SaleDone sale={made} onNext={next} />}
			<Modal
				opened={stage === "help"}
				onClose={() => setStage("goods")}
				title={say("till.shortcuts")}
			>
				<Table>
					<Table.Tbody>
						{shortcuts.map(([key, word]) => (
							<Table.Tr key={word}>
								<Table.Td>
									<Kbd>{key}</Kbd>
								</Table.Td>
								<Table.Td>{say(word)}</Table.Td>
							</Table.Tr>
						))}
					</Table.Tbody>
				</Table>
			</Modal>
		</div>
	);
}
