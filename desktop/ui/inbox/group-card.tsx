import {
	Banknote,
	Calculator,
	Clock,
	Copy,
	Hash,
	KeyRound,
	type LucideIcon,
	NotebookText,
	PackageX,
	Tag as PriceTag,
	ReceiptText,
	ScanBarcode,
	ShieldAlert,
	Undo2,
} from "lucide-react";
import { useState } from "react";
import { Link } from "wouter";
import type { InboxGroup } from "../../../sync/queries/inbox-groups.ts";
import { useAttempt } from "../components/attempt.tsx";
import { Button } from "../components/button.tsx";
import { Tag } from "../components/tag.tsx";
import { offerUndo } from "../components/undo.tsx";
import { useMayManage, useShop } from "../session.tsx";
import { glyphOf } from "../till/glyphs.ts";
import { useWords } from "../words/index.ts";
import { CountForm } from "./count-form.tsx";
import { Reasons } from "./reasons.tsx";
import { dismissGroup, putOnSale, setCount, type Undo } from "./sort-out.ts";
import { useGroupWords } from "./use-group-words.ts";

/** An icon and a hue for each cause; an oversold product has its own icon. */
const looks: Partial<Record<string, [icon: LucideIcon, hue: number]>> = {
	old_price: [PriceTag, 5],
	unknown_product: [ScanBarcode, 10],
	inactive_product: [PackageX, 4],
	uncountable_stock: [Hash, 3],
	over_limit: [NotebookText, 7],
	code_reused: [Copy, 6],
	discount_over_limit: [PriceTag, 4],
	open_item_over_limit: [PriceTag, 3],
	refund_over_limit: [Undo2, 4],
	void_over_limit: [Undo2, 3],
	others_sale_taken_back: [Undo2, 1],
	drawer_opened: [Banknote, 3],
	bad_approval: [ShieldAlert, 4],
	pin_locked: [KeyRound, 4],
	cash_over_limit: [Banknote, 1],
	late_for_shift: [ReceiptText, 1],
	drawer_differs: [Banknote, 4],
	figures_differ: [Calculator, 4],
	closed_twice: [Copy, 3],
	layaway_ended: [Copy, 7],
	paid_out_too_much: [Banknote, 7],
	clock: [Clock, 1],
};

/** One cause with one product: what happened, and what to do about it. */
export function GroupCard({
	group,
	onSales,
	onDone,
}: {
	group: InboxGroup;
	onSales(ids: string[]): void;
	onDone(): void;
}) {
	const { say } = useWords();
	const { shop } = useShop();
	const words = useGroupWords();
	const mayManage = useMayManage();
	const { attempt, problem, isBusy } = useAttempt();
	const [isDismissing, setDismissing] = useState(false);
	const { cause, product, items } = group;
	const title = words.title(group);
	const stake = words.stake(group);
	const [Icon, hue] = looks[cause] ?? [glyphOf(product?.name ?? ""), 3];

	async function sortOut(work: () => Promise<Undo>): Promise<void> {
		let undo: Undo | undefined;
		const isDone = await attempt(async () => {
			undo = await work();
		});
		if (!isDone || !undo) return;
		offerUndo(say("inbox.done", { title }), undo);
		onDone();
	}

	const dismiss = (reason: string) =>
		sortOut(() => dismissGroup(shop, group, reason));

	return (
		<li className="leaf group" aria-label={title}>
			<span
				className="group-stub"
				style={{ "--hue": `var(--hue-${hue})` } as React.CSSProperties}
			>
				<Icon size={24} strokeWidth={1.8} aria-hidden />
			</span>
			<div className="group-words">
				<h2>
					{title}{" "}
					{items > 1 && <Tag>{say("inbox.receipts", { count: items })}</Tag>}
				</h2>
				<p>{words.detail(group)}</p>
				{stake && <p className="muted text-s">{stake}</p>}
				{problem}
			</div>
			<div className="group-actions">
				{mayManage && (
					<MainAction
						group={group}
						isBusy={isBusy}
						onCount={(counted) => sortOut(() => setCount(shop, group, counted))}
						onPutOnSale={() => sortOut(() => putOnSale(shop, group))}
						onKeep={() => dismiss("right")}
					/>
				)}
				{group.shiftId !== null && (
					<Link
						className="btn btn-default btn-m"
						to={`/shifts?open=${group.shiftId}`}
					>
						{say("inbox.seeShift")}
					</Link>
				)}
				{group.saleIds.length > 0 && (
					<Button onClick={() => onSales(group.saleIds)}>
						{say("inbox.seeSale")}
					</Button>
				)}
				{mayManage && (
					<Button
						kind="quiet"
						aria-expanded={isDismissing}
						onClick={() => setDismissing(!isDismissing)}
					>
						{say("inbox.dismiss")}
					</Button>
				)}
			</div>
			{isDismissing && <Reasons isBusy={isBusy} onReason={dismiss} />}
		</li>
	);
}

/** What usually settles such a group. */
function MainAction({
	group: { cause, product },
	isBusy,
	onCount,
	onPutOnSale,
	onKeep,
}: {
	group: InboxGroup;
	isBusy: boolean;
	onCount(counted: number): void;
	onPutOnSale(): void;
	onKeep(): void;
}) {
	const { say } = useWords();
	switch (cause) {
		case "oversold":
		case "uncountable_stock":
			return (
				product && (
					<CountForm name={product.name} isBusy={isBusy} onCount={onCount} />
				)
			);
		case "old_price":
			return (
				<Button isBusy={isBusy} onClick={onKeep}>
					{say("inbox.keep")}
				</Button>
			);
		case "unknown_product":
		case "inactive_product":
			return (
				<Button kind="ink" isBusy={isBusy} onClick={onPutOnSale}>
					{say(product ? "inbox.sellAgain" : "inbox.add")}
				</Button>
			);
		default:
			return null;
	}
}
