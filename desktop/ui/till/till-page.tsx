import { Alert, Button, Drawer, Group, Kbd, Modal, Table } from "@mantine/core";
import { useMediaQuery } from "@mantine/hooks";
import {
	startTransition,
	useCallback,
	useEffect,
	useMemo,
	useRef,
	useState,
} from "react";
import { v7 as newId } from "uuid";
import type { Product } from "../../../sync/entities/product.ts";
import { messageOf } from "../components/error-message.ts";
import { useUndo } from "../components/undo.tsx";
import { useFormat } from "../format.ts";
import { beep } from "../scanner/beep.ts";
import { isMisread } from "../scanner/check-digit.ts";
import { findByCode, findBySearch } from "../scanner/product-search.ts";
import { methodOf } from "../scanner/scan-codes.ts";
import { useScanner } from "../scanner/scanner.ts";
import { useMayManage, useShop } from "../session.tsx";
import { useAnswer, useBusiness } from "../shop/use-shop-data.ts";
import type { Word } from "../words/index.ts";
import { useWords } from "../words/index.ts";
import {
	addOpenItem,
	addProduct,
	type Cart,
	changeLine,
	priceTyped,
	putBack,
	totalOf,
	unpricedOf,
} from "./cart.ts";
import { CartPanel } from "./cart-panel.tsx";
import { Goods } from "./goods.tsx";
import { type ItemAnswer, type ItemRequest, ItemSheet } from "./item-sheet.tsx";
import { Payment } from "./payment.tsx";
import {
	QuantityQuestion,
	type UnusualQuantity,
} from "./quantity-question.tsx";
import { SaleDone } from "./receipt.tsx";
import {
	type CompletedSale,
	type Method,
	makeSale,
	type Tender,
} from "./sale.ts";
import { saleProblem } from "./sale-problem.ts";
import { useCart } from "./use-cart.ts";
import { useLatestState } from "./use-latest-state.ts";

const shortcuts: [string, Word][] = [
	["/", "till.keySearch"],
	["Enter", "till.keyAdd"],
	["F8", "till.keyPay"],
	["F9", "till.keyHold"],
	["Enter", "till.keyNext"],
	["?", "till.keyHelp"],
];

/** Most products in one query for a cart. */
const productsMax = 500;

/** The page where sales are made, by touch, keyboard or scanner. */
export function Till() {
	const { say } = useWords();
	const format = useFormat();
	const { shop } = useShop();
	const business = useBusiness();
	const mayManage = useMayManage();
	const offerUndo = useUndo();
	const { cart, latest, held, change, clear, hold, resume } = useCart();
	const [words, setWords] = useState("");
	const [stage, setStage] = useState<"goods" | "cart" | "paying" | "help">(
		"goods",
	);
	const [made, setMade, latestMade] = useLatestState<CompletedSale | undefined>(
		undefined,
	);
	const [notice, setNotice] = useState<string>();
	const search = useRef<HTMLInputElement>(null);
	/** Set while a sale is being recorded: products picked meanwhile go into the next one. */
	const paying = useRef<Promise<void>>(undefined);
	const [wanted, setWanted, latestWanted] = useLatestState<
		ItemRequest | undefined
	>(undefined);
	const [doubt, ask, latestDoubt] = useLatestState<UnusualQuantity | undefined>(
		undefined,
	);
	const isNarrow = useMediaQuery("(max-width: 62em)");
	const products = useProductsOf(cart);

	const pick = useCallback(
		async (product: Product) => {
			if (paying.current) await paying.current;
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
		[change, latest, setWanted],
	);

	const mayOpen = mayManage || business?.openItems === true;
	const sellTyped = useCallback(
		(typed: string) =>
			setWanted(/^\d{6,}$/.test(typed) ? { code: typed } : { name: typed }),
		[setWanted],
	);

	/** Sells the item that the sheet asked about. */
	async function sellRequested({
		name,
		price,
		isKept,
	}: ItemAnswer): Promise<void> {
		if (wanted === undefined) return;
		const priced = { name, sellingPrice: price };
		if ("product" in wanted) {
			const { product } = wanted;
			if (isKept)
				await shop.mutate("product.update", {
					id: product.id,
					set: { sellingPrice: price },
				});
			change((now) =>
				addProduct(now, { ...product, ...priced, hasNoPrice: !isKept }),
			);
		} else if (isKept) {
			const made = { id: newId(), buyingPrice: null, ...priced };
			const { code } = wanted;
			await shop.mutate("product.create", {
				...made,
				...(code !== undefined && { sku: code }),
			});
			change((now) => addProduct(now, { ...made, isService: false }));
		} else change((now) => addOpenItem(now, name, price));
		setWanted(undefined);
		setWords("");
	}

	const enqueue = useScanner({
		isKnown: async (code) =>
			methodOf(code) !== undefined ||
			(await findByCode(shop, code)) !== undefined,
		onScan: ({ code }) => {
			const method = methodOf(code);
			return method ? payByScan(method) : tryTo(() => sellScanned(code));
		},
	});

	/** Shows a notice if a lookup fails. */
	const tryTo = useCallback(async (work: () => Promise<void>) => {
		try {
			await work();
		} catch (error) {
			beep(false);
			setNotice(messageOf(error));
		}
	}, []);

	function payByScan(method: Method): void {
		// The item on an open sheet is part of the sale.
		if (latestWanted.current || !settle()) {
			beep(false);
			return;
		}
		const now = latest.current;
		const isUnpriced = unpricedOf(now, products).length > 0;
		beep(now.lines.length > 0 && !isUnpriced);
		// Nothing is given away without confirmation.
		if (isUnpriced) startPaying();
		else if (now.lines.length > 0)
			void pay({ method, paid: totalOf(now), reference: "" });
	}

	async function sellScanned(code: string): Promise<void> {
		const product = await findByCode(shop, code);
		await paying.current;
		// A scan on the receipt starts the next sale.
		if (latestMade.current) next();
		const isAsked = latestWanted.current !== undefined;
		if (product) {
			// A sheet being filled in stays open.
			const isFree = !isAsked || product.sellingPrice !== null;
			beep(isFree);
			if (isFree) await pick(product);
			return;
		}
		beep(false);
		if (isAsked) return;
		if (isMisread(code)) setNotice(say("till.misread", { code }));
		else if (mayOpen) setWanted({ code });
		else setNotice(say("till.unknownAsk", { code }));
	}

	const sellFirst = useCallback(
		(typed: string, category: string | null) => {
			setWords("");
			enqueue(() =>
				tryTo(async () => {
					const product = await findBySearch(shop, typed, category);
					if (product) await pick(product);
					else setWords((now) => now || typed);
				}),
			);
		},
		[shop, enqueue, tryTo, pick],
	);

	/** Commits the value being typed into a line. @returns false if the cashier has to confirm it first */
	const settle = useCallback(() => {
		const { activeElement } = document;
		if (activeElement instanceof HTMLElement) activeElement.blur();
		return latestDoubt.current === undefined;
	}, [latestDoubt]);

	const startPaying = useCallback(
		() =>
			enqueue(() => {
				if (latest.current.lines.length === 0 || !settle()) return;
				setNotice(undefined);
				setStage("paying");
			}),
		[enqueue, latest, settle],
	);

	const queueHold = useCallback(() => enqueue(hold), [enqueue, hold]);

	const clearAway = useCallback(() => {
		const { lines, note } = latest.current;
		clear();
		offerUndo(say("till.cleared"), () =>
			change((now) => ({ ...putBack(now, lines), note: now.note || note })),
		);
	}, [latest, clear, offerUndo, change, say]);

	function next(): void {
		setMade(undefined);
		setStage("goods");
		search.current?.focus();
	}

	async function pay(tender: Tender): Promise<void> {
		// Two scans, taps or keys at once make one sale.
		if (paying.current || latest.current.lines.length === 0) return;
		paying.current = complete(tender);
		await paying.current;
		paying.current = undefined;
	}

	async function complete(tender: Tender): Promise<void> {
		try {
			const sale = await makeSale(shop, latest.current, tender);
			setMade(sale);
			setNotice(undefined);
			setStage("goods");
			// The dialog covers the till.
			startTransition(clear);
		} catch (error) {
			setNotice(saleProblem(error, say));
		}
	}

	// An open dialog handles its own keys.
	const isDialogOpen =
		stage === "paying" || stage === "help" || made || doubt || wanted;
	useEffect(() => {
		if (isDialogOpen) return;
		function onKey(event: KeyboardEvent): void {
			const isTyping =
				event.target instanceof HTMLInputElement ||
				event.target instanceof HTMLTextAreaElement;
			if (event.key === "F8") startPaying();
			else if (event.key === "F9") queueHold();
			else if (event.key === "/" && !isTyping) search.current?.focus();
			else if (event.key === "?" && !isTyping) setStage("help");
			else return;
			event.preventDefault();
		}
		addEventListener("keydown", onKey);
		return () => removeEventListener("keydown", onKey);
	}, [queueHold, isDialogOpen, startPaying]);

	const panel = (
		<CartPanel
			cart={cart}
			held={held}
			products={products}
			onChange={change}
			onClear={clearAway}
			onHold={queueHold}
			onResume={resume}
			onPay={startPaying}
			isTitled={!isNarrow}
			onUnusualQuantity={ask}
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
					words={words}
					onWords={setWords}
					onEnter={sellFirst}
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
			{/* One dialog from payment to receipt: opening a second one takes longer than making the sale. */}
			{(stage === "paying" || made) && (
				<Modal
					opened
					onClose={made ? next : () => setStage("goods")}
					title={say(made ? "pay.done" : "pay.title")}
					size="md"
					// A sheet on top of the dialog gets the keys.
					trapFocus={!wanted}
					closeOnEscape={!wanted}
					// A cashier who knows the keys types the amount at once.
					transitionProps={{ duration: 0 }}
					// The till page doesn't scroll.
					lockScroll={false}
				>
					{made ? (
						<SaleDone sale={made} onNext={next} />
					) : (
						<Payment
							total={totalOf(cart)}
							unpriced={unpricedOf(cart, products).map(({ name }) => name)}
							problem={notice}
							onPaid={pay}
							onClose={() => setStage("goods")}
						/>
					)}
				</Modal>
			)}
			{wanted && (
				<ItemSheet
					wanted={wanted}
					mayKeep={mayManage}
					onSell={sellRequested}
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

/** The current products of a cart by id, once loaded. */
function useProductsOf({ lines }: Cart): ReadonlyMap<string, Product> {
	const ids = [...new Set(lines.flatMap(({ productId }) => productId ?? []))];
	const { data } = useAnswer(
		"product.some",
		{ ids: ids.slice(-productsMax) },
		{ enabled: ids.length > 0 },
	);
	return useMemo(
		() => new Map(data?.products.map((product) => [product.id, product])),
		[data],
	);
}
