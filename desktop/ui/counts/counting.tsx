import { useRef, useState } from "react";
import { v7 as newId } from "uuid";
import { Link } from "wouter";
import { plus } from "../../../sync/entities/money.ts";
import type { Product } from "../../../sync/entities/product.ts";
import type { Queries } from "../../../sync/queries/index.ts";
import { Alert } from "../components/alert.tsx";
import { useAttempt } from "../components/attempt.tsx";
import { Button } from "../components/button.tsx";
import { decimalOf } from "../components/decimal.ts";
import { Sheet } from "../components/sheet.tsx";
import { beep } from "../scanner/beep.ts";
import { findByCode } from "../scanner/product-search.ts";
import { useScanner } from "../scanner/scanner.ts";
import { useMayManage, useShop } from "../session.tsx";
import { useAnswer, useStatus } from "../shop/use-shop-data.ts";
import { WhichSheet } from "../till/which-sheet.tsx";
import { useWords } from "../words/index.ts";
import { AgainSheet } from "./again-sheet.tsx";
import { CountedList } from "./counted-list.tsx";
import { Differences } from "./differences.tsx";
import { LookPanel } from "./look-panel.tsx";
import { ToCount } from "./to-count.tsx";
import { useLooking } from "./use-looking.ts";

export type CountDetail = Queries["count.get"]["answer"];
export type Look = CountDetail["looks"][number];

/** A count while it is open: scan or tap a product, say how many, go on. */
export function Counting({ count, looks }: CountDetail) {
	const { say } = useWords();
	const mayManage = useMayManage();
	const hasHistory = useStatus("hasHistory");
	const [isFinishing, setFinishing] = useState(false);
	const { looking, pick, change, enter, resume, leave, ...rest } = useCounting({
		count,
		looks,
	});
	const { data: inCategory } = useAnswer(
		"product.counts",
		{ categoryId: count.categoryId ?? "" },
		{ enabled: count.categoryId !== null },
	);
	const done =
		count.categoryId !== null && inCategory
			? say("counts.of", { done: count.counted, all: inCategory.active })
			: String(count.counted);
	return (
		<section className="page">
			<div className="page-head">
				<div>
					<h1>{say("counts.counting", { name: count.name })}</h1>
					<p className="muted">{say("counts.lead")}</p>
				</div>
				<div className="row-flex">
					<Link href="/counts" className="btn btn-quiet">
						{say("counts.later")}
					</Link>
					{mayManage && (
						<Button kind="ink" onClick={() => setFinishing(true)}>
							{say("counts.finish", { done })}
						</Button>
					)}
				</div>
			</div>
			{hasHistory ? (
				rest.problem
			) : (
				<Alert tone="plain">{say("counts.arriving")}</Alert>
			)}
			<div className="counting" data-looking={looking !== undefined}>
				{looking ? (
					<LookPanel
						looking={looking}
						isBusy={rest.isBusy}
						onChange={change}
						onNext={enter}
						onLeave={leave}
					/>
				) : (
					<ToCount count={count} looks={looks} onPick={pick} />
				)}
				<CountedList
					id={count.id}
					looks={looks.filter(({ id }) => id !== looking?.lookId)}
					onResume={resume}
				/>
			</div>
			{rest.which.length > 0 && (
				<WhichSheet
					products={rest.which}
					onChoose={(one) => pick(one)}
					onClose={rest.closeSheets}
				/>
			)}
			{rest.again && (
				<AgainSheet
					product={rest.again}
					looks={looks}
					onLook={rest.lookAgain}
					onClose={rest.closeSheets}
				/>
			)}
			{isFinishing && (
				<Sheet title={count.name} onClose={() => setFinishing(false)}>
					<Differences id={count.id} onClosed={() => setFinishing(false)} />
				</Sheet>
			)}
		</section>
	);
}

/** What a person does in a count, with the scanner or by hand. */
function useCounting({ count, looks }: CountDetail) {
	const { shop } = useShop();
	const { attempt, problem, isBusy } = useAttempt();
	/** Ends once nothing is being saved. */
	const saving = useRef<Promise<void>>(undefined);
	const [current, put] = useLooking(count.id);
	const [again, setAgain] = useState<Product>();
	const [which, setWhich] = useState<readonly Product[]>([]);
	const latest = useRef(looks);
	latest.current = looks;
	const closeSheets = () => {
		setAgain(undefined);
		setWhich([]);
	};
	const change = (typed: string) => {
		const looking = current();
		if (looking) put({ ...looking, typed });
	};

	function run(work: () => Promise<void>): void {
		const before = saving.current;
		const done = attempt(work);
		saving.current = Promise.all([before, done]).then(() => undefined);
	}

	/** Makes the look before anybody counts: what is sold from now on comes on top. */
	async function lookAt(
		{ id: productId, name }: Product,
		shelf: string | null,
		first = 1,
	): Promise<void> {
		const lookId = newId();
		const look = { id: lookId, countId: count.id, productId, shelf };
		await shop.mutate("count.look", look, { id: lookId });
		put({ lookId, productId, name, typed: "", first });
	}

	async function keep(): Promise<void> {
		const looking = current();
		const counted = decimalOf(looking?.typed ?? "");
		if (!looking || counted === undefined) return;
		await shop.mutate("count.enter", { id: looking.lookId, counted });
		put(undefined);
	}

	/** Begins with a product, or adds to it if it is being counted. */
	async function begin(product: Product, quantity: number): Promise<void> {
		closeSheets();
		const looking = current();
		if (looking?.productId === product.id) {
			const before = decimalOf(looking.typed) ?? looking.first;
			return change(String(plus(before, quantity)));
		}
		await keep();
		const isCounted = latest.current.some(
			({ productId, counted }) => productId === product.id && counted !== null,
		);
		if (isCounted) setAgain(product);
		else await lookAt(product, null, quantity);
	}

	async function scan(code: string): Promise<void> {
		const found = await shop.ask("product.byCode", { code });
		const { product, others } = found;
		const isGoods =
			product !== null && !product.isService && shop.standing().hasHistory;
		beep(isGoods);
		if (!isGoods) return;
		if (others.length > 0) setWhich([product, ...others]);
		else {
			const quantity = await quantityOf(product, found);
			await saving.current;
			await attempt(() => begin(product, quantity));
		}
	}

	/** As many as a code stands for: a pack's, or a scale's label's. */
	async function quantityOf(
		{ id: productId }: Product,
		{ label, packIds }: Queries["product.byCode"]["answer"],
	): Promise<number> {
		if (label?.holds === "weight") return label.value;
		const packId = packIds[productId];
		if (packId === undefined) return 1;
		const { rows } = await shop.ask("pack.list", { productId });
		return rows.find(({ id }) => id === packId)?.size ?? 1;
	}

	useScanner({
		isKnown: async (code) => (await findByCode(shop, code)) !== undefined,
		onScan: ({ code }) => scan(code),
	});

	return {
		...{ looking: current(), again, which, problem, isBusy },
		...{ change, closeSheets },
		pick: (product: Product) => run(() => begin(product, 1)),
		enter: () => run(keep),
		leave: () => put(undefined),
		lookAgain(product: Product, shelf: string | null) {
			closeSheets();
			run(() => lookAt(product, shelf));
		},
		/** Goes on with a look, or corrects its number. */
		resume: ({ id: lookId, productId, name, counted }: Look) =>
			run(async () => {
				await keep();
				const typed = counted === null ? "" : String(counted);
				put({ lookId, productId, name: name ?? "", typed, first: 1 });
			}),
	};
}
