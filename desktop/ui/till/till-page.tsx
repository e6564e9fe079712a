import { useMediaQuery } from "@mantine/hooks";
import { X } from "lucide-react";
import {
	startTransition,
	useCallback,
	useEffect,
	useMemo,
	useRef,
	useState,
} from "react";
import { flushSync } from "react-dom";
import { isMisread } from "../../../sync/entities/gtin.ts";
import { plus } from "../../../sync/entities/money.ts";
import type { Product } from "../../../sync/entities/product.ts";
import { IconButton } from "../components/button.tsx";
import { messageOf } from "../components/error-message.ts";
import { painted } from "../components/painted.ts";
import { Sheet } from "../components/sheet.tsx";
import { offerUndo } from "../components/undo.tsx";
import { Notices } from "../frame/notices.tsx";
import type { ChooseProduct } from "../sales/sale-detail.tsx";
import { beep } from "../scanner/beep.ts";
import { findByCode, findBySearch } from "../scanner/product-search.ts";
import { type ReceiptCode, receiptOf } from "../scanner/receipt-code.ts";
import { methodOf } from "../scanner/scan-codes.ts";
import { useScanner } from "../scanner/scanner.ts";
import { useMayManage, useShop } from "../session.tsx";
import { useBusiness } from "../shop/business.tsx";
import { useMayPrice } from "../staff/use-limits.ts";
import { useSwitch } from "../staff/use-staff.ts";
import { useWords } from "../words/index.ts";
import {
	type CartLine,
	changeLine,
	putBack,
	totalOf,
	unpricedOf,
	withRemoved,
} from "./cart.ts";
import { Goods } from "./goods.tsx";
import { packAfter, packsOf } from "./pack-choice.tsx";
import { Payment } from "./payment.tsx";
import type { UnusualQuantity } from "./quantity-question.tsx";
import { SaleDone } from "./receipt.tsx";
import {
	type CompletedSale,
	type Method,
	makeSale,
	type SalePayment,
} from "./sale.ts";
import { SaleBar } from "./sale-bar.tsx";
import type { LineChange } from "./sale-line.tsx";
import {
	type SaleActions,
	SaleCount,
	SalePanel,
	SaleTools,
} from "./sale-panel.tsx";
import { saleProblem } from "./sale-problem.ts";
import { cashUnitOf, tenderFor } from "./tender.ts";
import { useTillKeys } from "./till-keys.ts";
import { type Stage, TillSheets } from "./till-sheets.tsx";
import { useCart } from "./use-cart.ts";
import { useItemRequest } from "./use-item-request.ts";
import { useLatestState } from "./use-latest-state.ts";
import { lastChanged, useOpenLine } from "./use-open-line.ts";
import { readProductOf, useProductsOf } from "./use-products-of.ts";

/** The page where sales are made, by touch, keyboard or scanner. */
export function Till() {
	const { say } = useWords();
	const { shop } = useShop();
	const business = useBusiness();
	const cashUnit = cashUnitOf(business ?? { currency: "KES" });
	const mayManage = useMayManage();
	const mayPrice = useMayPrice();
	const { canSwitch } = useSwitch();
	const { cart, latest, loaded, held, change, clear, hold, resume } = useCart();
	const [words, setWords] = useState("");
	const [stage, setStage, latestStage] = useLatestState<Stage>({ at: "goods" });
	const chooseReturned = useRef<ChooseProduct>(null);
	/** On a phone. */
	const [isCartShown, showCart] = useState(false);
	const [openLine, setOpenLine] = useOpenLine(cart.lines);
	const [made, setMade, latestMade] = useLatestState<CompletedSale | undefined>(
		undefined,
	);
	const [notice, setNotice] = useState<string>();
	const clearNotice = useCallback(() => setNotice(undefined), []);
	const search = useRef<HTMLInputElement>(null);
	/** Set while a sale is being recorded: products picked meanwhile go into the next one. */
	const paying = useRef<Promise<void>>(undefined);
	const isPartPaid = useRef(false);
	const [doubt, ask, latestDoubt] = useLatestState<UnusualQuantity | undefined>(
		undefined,
	);
	const isNarrow = useMediaQuery("(max-width: 62em)");
	const products = useProductsOf(cart);

	const mayOpen = mayManage || business?.openItems === true;
	const request = useItemRequest({
		...{ cart: latest, change, paying, onPick: clearNotice },
		onSold: () => setWords(""),
	});
	const { wanted, setWanted, latestWanted } = request;
	const { pick, pickFound, repack, sellTyped } = request;

	const enqueue = useScanner({
		isKnown: async (code) =>
			methodOf(code) !== undefined ||
			receiptOf(code) !== undefined ||
			(await findByCode(shop, code)) !== undefined,
		typeInto: () => (isSheetOpen || isCartShown ? null : search.current),
		onScan: ({ code }) => {
			const method = methodOf(code);
			return method ? payByScan(method) : tryTo(() => sellScanned(code));
		},
	});
	// A tap and a key right after the page has opened are about the saved cart, too.
	useEffect(() => enqueue(() => loaded), [enqueue, loaded]);

	/** Shows a notice if a lookup fails. */
	const tryTo = useCallback(async (work: () => Promise<void>) => {
		try {
			await work();
		} catch (error) {
			beep(false);
			setNotice(messageOf(error));
		}
	}, []);

	/** Takes the exact amount: by a scanned code, a key or one tap. */
	function payByScan(method: Method): void {
		// The item on an open sheet is part of the sale; a receipt shown over it keeps it waiting.
		const isWaiting = latestWanted.current || isReceiptShown();
		// What was handed over already is part of the payment, which its form completes.
		if (isWaiting || isPartPaid.current || !settle()) {
			beep(false);
			return;
		}
		const now = latest.current;
		const isUnpriced = unpricedOf(now, products).length > 0;
		beep(now.lines.length > 0 && !isUnpriced);
		// Nothing is given away without confirmation.
		if (isUnpriced) startPaying();
		else if (now.lines.length > 0)
			void pay(tenderFor(method, totalOf(now), cashUnit));
	}

	async function sellScanned(code: string): Promise<void> {
		const found = await findByCode(shop, code);
		await paying.current;
		// A scan on the receipt starts the next sale.
		if (latestMade.current) next();
		const asked = receiptOf(code);
		if (isReceiptShown() && !asked) {
			const choose = chooseReturned.current;
			const scanned = found ? [found.product, ...found.others] : [];
			beep(scanned.some(({ id }) => choose?.(id) === true));
			return;
		}
		const isAsked = latestWanted.current !== undefined;
		if (found) {
			// A sheet being filled in stays open.
			const asks =
				found.others.length > 0 || found.product.sellingPrice === null;
			const isFree = !isAsked || !asks;
			beep(isFree);
			if (isFree) await pickFound(found);
			return;
		}
		beep(asked !== undefined && !isAsked);
		if (isAsked) return;
		if (asked) showReceipt(asked);
		else if (isMisread(code)) setNotice(say("till.misread", { code }));
		else if (mayOpen) setWanted({ code });
		else setNotice(say("till.unknownAsk", { code }));
	}

	/** Shows a receipt over the sale, which waits; a payment goes on. */
	const showReceipt = useCallback(
		(asked: ReceiptCode) => {
			if (latestStage.current.at !== "paying")
				setStage({ at: "receipt", asked });
		},
		[latestStage, setStage],
	);
	const isReceiptShown = () => latestStage.current.at === "receipt";

	const sellFirst = useCallback(
		(typed: string, category: string | null) => {
			setWords("");
			enqueue(() =>
				tryTo(async () => {
					const found = await findBySearch(shop, typed, category);
					const asked = receiptOf(typed);
					if (found) await pickFound(found);
					else if (asked) showReceipt(asked);
					else setWords((now) => now || typed);
				}),
			);
		},
		[shop, enqueue, tryTo, pickFound, showReceipt],
	);

	/** In its turn: a key right after the tap is about a cart that has it. */
	const pickTapped = useCallback(
		(product: Product) => enqueue(() => tryTo(() => pick(product))),
		[enqueue, tryTo, pick],
	);

	/** Commits the value being typed into a line. @returns false if the cashier has to confirm it first */
	const settle = useCallback(() => {
		const { activeElement } = document;
		// The search has nothing to commit, and gets the focus back after a sheet.
		if (
			activeElement instanceof HTMLElement &&
			activeElement !== search.current
		)
			activeElement.blur();
		return latestDoubt.current === undefined;
	}, [latestDoubt]);

	const startPaying = useCallback(
		(method: Method = "CASH") =>
			enqueue(() => {
				if (latest.current.lines.length === 0 || !settle()) return;
				// At once: the next key may be the first digit of an amount, or Enter.
				flushSync(() => {
					setNotice(undefined);
					showCart(false);
					setStage({ at: "paying", method });
				});
			}),
		[enqueue, latest, settle, setStage],
	);

	const payExactly = useCallback(
		() => enqueue(() => payAtOnce.current("CASH")),
		[enqueue],
	);

	const showHeld = useCallback(() => setStage({ at: "held" }), [setStage]);
	const showCashiers = useCallback(
		() => setStage({ at: "cashier" }),
		[setStage],
	);
	const heldCount = held.length;
	const queueHold = useCallback(
		() =>
			enqueue(async () => {
				if (latest.current.lines.length > 0) await hold();
				else if (heldCount > 0) showHeld();
			}),
		[enqueue, latest, hold, heldCount, showHeld],
	);

	const changeOne = useCallback(
		(line: CartLine, set: LineChange) => {
			change((now) => changeLine(now, line.id, set));
			if (set.quantity !== undefined && set.quantity <= 0)
				offerUndo(say("till.removed", { name: line.name }), () =>
					change((now) => putBack(now, [line])),
				);
		},
		[change, say],
	);

	/** The line that the keys change; what was scanned just now may not be shown yet. */
	const lineNow = useRef<() => CartLine | undefined>(() => undefined);
	lineNow.current = () => {
		const { lines } = latest.current;
		const open = lastChanged(cart.lines, lines) ?? openLine;
		return lines.find(({ id }) => id === open) ?? lines.at(-1);
	};

	/** In its turn: a key right after a scan is about what was scanned. */
	const onLine = (act: (line: CartLine) => void | Promise<void>) =>
		enqueue(() =>
			tryTo(async () => {
				const line = lineNow.current();
				if (line) await act(line);
			}),
		);

	const clearAway = useCallback(() => {
		const { lines, note } = latest.current;
		change((now) => withRemoved({ ...now, lines: [], note: "" }, lines));
		offerUndo(say("till.cleared"), () =>
			change((now) => ({ ...putBack(now, lines), note: now.note || note })),
		);
	}, [latest, change, say]);

	function next(): void {
		setMade(undefined);
		setStage({ at: "goods" });
	}

	async function pay(payment: SalePayment): Promise<void> {
		// Two scans, taps or keys at once make one sale.
		if (paying.current || latest.current.lines.length === 0) return;
		paying.current = complete(payment);
		await paying.current;
		paying.current = undefined;
	}

	async function complete(payment: SalePayment): Promise<void> {
		try {
			const sale = await makeSale(shop, latest.current, payment);
			setMade(sale);
			setNotice(undefined);
			showCart(false);
			// The payment's form stays until the next sale, unseen.
			if (latestStage.current.at !== "paying") setStage({ at: "goods" });
			// The dialog covers the till.
			await painted();
			startTransition(clear);
		} catch (error) {
			setNotice(saleProblem(error, say));
		}
	}

	const payAtOnce = useRef(payByScan);
	payAtOnce.current = payByScan;

	// An open sheet handles its own keys.
	const isSheetOpen =
		stage.at !== "goods" || [made, doubt, wanted].some(Boolean);
	useTillKeys({
		isOff: isSheetOpen,
		search,
		on: {
			pay: startPaying,
			exact: payExactly,
			hold: queueHold,
			help: () => setStage({ at: "help" }),
			pack: () =>
				onLine(async (line) => {
					const product = await readProductOf(shop, line);
					if (product)
						await repack(line, product, packAfter(line, packsOf(product)));
				}),
			openItem: mayOpen ? () => sellTyped(words.trim()) : undefined,
			discount: mayPrice
				? () => onLine(() => setStage({ at: "discount", line: undefined }))
				: undefined,
			cashier: canSwitch ? showCashiers : undefined,
			more: (quantity) =>
				onLine((line) =>
					changeOne(line, { quantity: plus(line.quantity, quantity) }),
				),
			remove: () => onLine((line) => changeOne(line, { quantity: 0 })),
			quantity: () =>
				onLine(({ id }) => {
					flushSync(() => setOpenLine(id));
					document
						.querySelector<HTMLElement>("[data-open=true] input")
						?.focus();
				}),
		},
	});

	const actions = useMemo(
		(): SaleActions => ({
			onOpenLine: setOpenLine,
			onChangeLine: changeOne,
			onPack: (line, pack) => {
				const product = products.get(line.productId ?? "");
				if (product) void repack(line, product, pack);
			},
			onClear: clearAway,
			onHold: queueHold,
			onHeld: showHeld,
			onNote: () => setStage({ at: "note" }),
			onKeep: () => setStage({ at: "keeping" }),
			onDiscount: (line) => setStage({ at: "discount", line }),
			onExactCash: payExactly,
			onPay: startPaying,
			onUnusualQuantity: ask,
		}),
		[
			setOpenLine,
			changeOne,
			products,
			repack,
			clearAway,
			queueHold,
			showHeld,
			payExactly,
			startPaying,
			ask,
			setStage,
		],
	);
	const close = () => setStage({ at: "goods" });
	const panel = (
		<SalePanel
			cart={cart}
			heldCount={heldCount}
			products={products}
			openLine={openLine}
			actions={actions}
			isInSheet={isNarrow === true}
		/>
	);
	return (
		<div className="till">
			<h1 className="visually-hidden">{say("app.till")}</h1>
			<div className="till-side">
				<Goods
					words={words}
					lines={cart.lines}
					onWords={setWords}
					onEnter={sellFirst}
					onPick={pickTapped}
					onOpenItem={mayOpen ? sellTyped : undefined}
					onSwitch={showCashiers}
					searchRef={search}
				/>
				{/* Below the goods, where nothing that a finger aims at moves. */}
				<Notices />
				{notice && stage.at !== "paying" && (
					<div className="till-notice" role="alert">
						<span className="grow">{notice}</span>
						<IconButton
							label={say("app.close")}
							onClick={() => setNotice(undefined)}
						>
							<X size={20} aria-hidden />
						</IconButton>
					</div>
				)}
			</div>
			{isNarrow ? (
				<SaleBar
					cart={cart}
					heldCount={heldCount}
					onShow={() => showCart(true)}
					onHeld={showHeld}
					onExactCash={payExactly}
					onPay={startPaying}
				/>
			) : (
				panel
			)}
			{isCartShown && isNarrow && (
				<Sheet
					title={say("till.cart")}
					aside={
						<>
							<SaleCount cart={cart} />
							<SaleTools cart={cart} actions={actions} />
						</>
					}
					onClose={() => showCart(false)}
				>
					{panel}
				</Sheet>
			)}
			{/* One sheet from payment to receipt: opening a second one takes longer than making the sale. */}
			{(stage.at === "paying" || made) && (
				<Sheet
					place="goods"
					title={say(made ? "pay.done" : "pay.title")}
					mayCloseByTap={false}
					onClose={made ? next : close}
				>
					{stage.at === "paying" && (
						// Taking the focused form away would cost a browser more than all the rest of the sale.
						<div className="pay-layer" hidden={made !== undefined}>
							<Payment
								total={totalOf(cart)}
								cashUnit={cashUnit}
								firstMethod={stage.method}
								unpriced={unpricedOf(cart, products).map(({ name }) => name)}
								problem={notice}
								isPartPaid={isPartPaid}
								onPaid={pay}
								onClose={close}
							/>
						</div>
					)}
					{made && <SaleDone sale={made} onNext={next} />}
				</Sheet>
			)}
			<TillSheets
				stage={stage}
				cart={cart}
				held={held}
				wanted={wanted}
				doubt={doubt}
				mayKeep={mayManage}
				change={change}
				onResume={(id) => enqueue(() => resume(id))}
				onKeep={(keep) => enqueue(() => keep(latest.current))}
				onKept={clear}
				onSell={request.sellRequested}
				onWhich={request.pickWhich}
				onDoubtAnswered={() => ask(undefined)}
				onItemClosed={() => setWanted(undefined)}
				returnRef={chooseReturned}
				onClose={close}
			/>
		</div>
	);
}
