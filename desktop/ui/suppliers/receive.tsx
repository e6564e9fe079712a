import { Plus } from "lucide-react";
import { useState } from "react";
import { Link } from "wouter";
import { plus } from "../../../sync/entities/money.ts";
import type { Product } from "../../../sync/entities/product.ts";
import { Alert } from "../components/alert.tsx";
import { useAttempt } from "../components/attempt.tsx";
import { Button, IconButton } from "../components/button.tsx";
import { Chips } from "../components/chips.tsx";
import { decimalOf } from "../components/decimal.ts";
import { DecimalField, TextField } from "../components/field.tsx";
import { Money } from "../components/money.tsx";
import { SearchField } from "../components/search-field.tsx";
import { SelectField } from "../components/select-field.tsx";
import { Sheet } from "../components/sheet.tsx";
import { Toggle } from "../components/toggle.tsx";
import { useFormat } from "../format.ts";
import { tryDrawer } from "../receipts/print.ts";
import { beep } from "../scanner/beep.ts";
import { findByCode, useProductSearch } from "../scanner/product-search.ts";
import { useScanner } from "../scanner/scanner.ts";
import { useShop } from "../session.tsx";
import { isRecorded } from "../shop/is-recorded.ts";
import { useRows } from "../shop/use-shop-data.ts";
import { WhichSheet } from "../till/which-sheet.tsx";
import { useWords } from "../words/index.ts";
import { lineTotal } from "./delivery-sheet.tsx";
import { LineFields } from "./line-fields.tsx";
import { MethodChips } from "./method-chips.tsx";
import { SupplierForm } from "./supplier-form.tsx";
import { type ReceivedLine, useReceived } from "./use-received.ts";

/** More than most shops have. */
const suppliersMax = 500;
const foundMax = 8;

type Received = ReturnType<typeof useReceived>;

/** Goods that came or go back: scan or find each, say how many and what they cost, and what was paid. */
export function Receive({ onDone }: { onDone(): unknown }) {
	const { say } = useWords();
	const received = useReceived(useShop().shop.businessId);
	const { isReturn, lines, set } = received;
	const { save, problem, isBusy } = useSaving(received, onDone);
	const filled = lines.filter(isFilled);
	const total = filled.map(totalOfLine).reduce(plus, 0);
	const paid = decimalOf(received.paid) ?? 0;
	const owed = plus(total, -paid);
	return (
		<section className="page">
			<div className="page-head">
				<h1>{say(isReturn ? "suppliers.sendBack" : "suppliers.receive")}</h1>
				<Link href="/deliveries" className="btn btn-quiet">
					{say("counts.later")}
				</Link>
			</div>
			{problem}
			<div className="receive">
				<div className="leaf receive-part">
					<Lines received={received} />
				</div>
				<div className="leaf receive-part">
					<Chips
						label={say("suppliers.kind")}
						value={isReturn ? "sendBack" : "receive"}
						onChange={(chosen) => set({ isReturn: chosen === "sendBack" })}
						choices={(["receive", "sendBack"] as const).map((value) => ({
							value,
							label: say(`suppliers.${value}`),
						}))}
					/>
					<SupplierField received={received} />
					<TextField
						label={say("suppliers.number")}
						value={received.number}
						maxLength={100}
						onChange={(number) => set({ number })}
					/>
					{!isReturn && (
						<Toggle
							label={say("suppliers.setsCosts")}
							checked={received.setsCosts}
							onChange={(setsCosts) => set({ setsCosts })}
						/>
					)}
					<DecimalField
						label={say(isReturn ? "suppliers.givenBack" : "suppliers.paid")}
						value={received.paid}
						placeholder="0"
						onChange={(paid) => set({ paid })}
					/>
					{paid > 0 && (
						<MethodChips
							value={received.method}
							onChange={(method) => set({ method })}
						/>
					)}
					<div className="receive-sum">
						{say("suppliers.total")}
						<Money value={total} size="total" testId="delivery-total" />
					</div>
					{received.supplierId !== "" && paid > 0 && owed > 0 && !isReturn && (
						<div className="receive-sum">
							{say("suppliers.rest")}
							<Money value={owed} />
						</div>
					)}
					<Button
						kind="ink"
						size="l"
						isWide
						isBusy={isBusy}
						onClick={() => void save()}
						disabled={filled.length === 0 || filled.length < lines.length}
					>
						{say("app.save")}
					</Button>
				</div>
			</div>
		</section>
	);
}

const isFilled = ({ quantity, cost }: ReceivedLine) =>
	(decimalOf(quantity) ?? 0) > 0 && decimalOf(cost) !== undefined;

const totalOfLine = ({ quantity, cost }: ReceivedLine) =>
	lineTotal(decimalOf(cost) ?? 0, decimalOf(quantity) ?? 0);

/**
 * Records the delivery, also offline. After a lost answer, or in another tab, it may have been recorded with other lines:
 * then what is left of it goes on as a new one.
 */
function useSaving(received: Received, onDone: () => unknown) {
	const { say } = useWords();
	const format = useFormat();
	const { shop } = useShop();
	const { attempt, problem, isBusy } = useAttempt();
	const { id, isReturn, supplierId, method, setsCosts } = received;
	async function save(): Promise<void> {
		const amount = decimalOf(received.paid) ?? 0;
		const isCash = amount > 0 && method === "CASH";
		const isSaved = await attempt(async () => {
			const asked = {
				...{ id, isReturn, setsCosts },
				...(supplierId !== "" && { supplierId }),
				number: received.number.trim() || null,
				items: received.lines.map(toItem),
				...(amount > 0 && { tenders: [{ method, amount }] }),
			};
			const made = await shop.mutate("delivery.create", asked, { id });
			const all = { supplierId: null, tenders: null, ...asked };
			if (!isRecorded(all, made.args)) {
				const { items } = made.args;
				const total = items
					.map(({ cost, quantity }) => lineTotal(cost, quantity))
					.reduce(plus, 0);
				received.goOn(items);
				throw new Error(
					say("app.savedBefore", { amount: format.money(total) }),
				);
			}
			if (isCash) await tryDrawer();
		});
		if (!isSaved) return;
		received.forget();
		onDone();
	}
	return { save, problem, isBusy };
}

function toItem({ packs, packId, ...line }: ReceivedLine) {
	const { id, productId, name } = line;
	const pack = packs.find((one) => one.id === packId);
	return {
		...{ id, productId, name },
		quantity: decimalOf(line.quantity) ?? 0,
		cost: decimalOf(line.cost) ?? 0,
		...(pack && { packId, packName: pack.name, packSize: pack.size }),
	};
}

/** The lines, with the scanner and a search that add to them. */
function Lines({ received }: { received: Received }) {
	const { say } = useWords();
	const { shop } = useShop();
	const [words, setWords] = useState("");
	const [unknown, setUnknown] = useState<string>();
	const [which, setWhich] = useState<readonly Product[]>([]);
	const isSearched = words.trim() !== "";
	const { products } = useProductSearch(words, null, { isWanted: isSearched });

	useScanner({
		isKnown: async (code) => (await findByCode(shop, code)) !== undefined,
		async onScan({ code }) {
			const found = await findByCode(shop, code);
			const isGoods = found !== undefined && !found.product.isService;
			beep(isGoods);
			setUnknown(isGoods ? undefined : code);
			if (!isGoods) return;
			const { product, others, packIds, label } = found;
			if (others.length > 0) setWhich([product, ...others]);
			else
				received.add(
					product,
					packIds[product.id],
					label?.holds === "weight" ? label.value : 1,
				);
		},
	});

	function choose(product: Product): void {
		setWords("");
		setWhich([]);
		received.add(product);
	}

	return (
		<>
			<div className="receive-search">
				<SearchField
					placeholder={say("suppliers.find")}
					maxLength={500}
					value={words}
					onChange={setWords}
				/>
				{isSearched && (
					<div className="receive-found">
						{products
							.filter(({ isService }) => !isService)
							.slice(0, foundMax)
							.map((product) => (
								<Button key={product.id} isWide onClick={() => choose(product)}>
									<span className="grow picker-name">
										<b>{product.name}</b>
										<span className="muted text-s">{product.sku}</span>
									</span>
								</Button>
							))}
					</div>
				)}
			</div>
			{unknown !== undefined && (
				<Alert role="alert">
					{say("suppliers.unknown", { code: unknown })}
				</Alert>
			)}
			<ul className="receive-lines">
				{received.lines.map((line) => (
					<LineFields
						key={line.id}
						line={line}
						onChange={(some) => received.change(line.id, some)}
						onTakeOut={() => received.takeOut(line.id)}
					/>
				))}
			</ul>
			{which.length > 0 && (
				<WhichSheet
					products={which}
					onChoose={choose}
					onClose={() => setWhich([])}
				/>
			)}
		</>
	);
}

function SupplierField({ received }: { received: Received }) {
	const { say } = useWords();
	const [isAdding, setAdding] = useState(false);
	const { rows } = useRows("supplier.list", {}, { limit: suppliersMax });
	return (
		<div className="receive-supplier">
			<SelectField
				label={say("suppliers.supplier")}
				value={received.supplierId}
				onChange={(supplierId) => received.set({ supplierId })}
				options={[
					{ value: "", label: say("suppliers.nobody") },
					...rows.map(({ id, name }) => ({ value: id, label: name })),
				]}
			/>
			<IconButton label={say("suppliers.add")} onClick={() => setAdding(true)}>
				<Plus size={20} aria-hidden />
			</IconButton>
			{isAdding && (
				<Sheet
					title={say("suppliers.add")}
					mayCloseByTap={false}
					onClose={() => setAdding(false)}
				>
					<SupplierForm
						supplier={undefined}
						onDone={(supplierId) => {
							setAdding(false);
							received.set({ supplierId });
						}}
					/>
				</Sheet>
			)}
		</div>
	);
}
