import { MessageCircle, Printer } from "lucide-react";
import { useState } from "react";
import { Link } from "wouter";
import { whatsAppDraft } from "../../../sync/receipts/whatsapp.ts";
import { Button } from "../components/button.tsx";
import { Chips } from "../components/chips.tsx";
import { Sheet } from "../components/sheet.tsx";
import { useFormat } from "../format.ts";
import { Paper } from "../receipts/paper.tsx";
import { withLeadingZero } from "../receipts/whatsapp-phone.ts";
import { useBusiness } from "../shop/business.tsx";
import { useWords } from "../words/index.ts";
import type { LetterFacts } from "./letter.tsx";

type Order = LetterFacts["order"];

const shownFirst = 6;

/** What to order, ready to be sent. */
export function OrderList({ order, day }: { order: Order; day: string }) {
	const { say } = useWords();
	const format = useFormat();
	const [isSent, setSent] = useState(false);
	const [isWhole, setWhole] = useState(false);
	if (order.length === 0) return null;
	const costs = order.map(({ cost }) => cost);
	const total = costs.every((cost) => cost !== null)
		? costs.reduce((sum, cost) => sum + cost, 0)
		: undefined;
	return (
		<section className="leaf overview-card" aria-labelledby="to-order">
			<div className="overview-head">
				<h2 id="to-order">{say("order.title")}</h2>
				{total !== undefined && (
					<span className="muted text-s figure">{format.money(total)}</span>
				)}
			</div>
			<ul className="overview-list">
				{order
					.slice(0, isWhole ? order.length : shownFirst)
					.map(
						({
							productId,
							name,
							quantity,
							soldPerDay,
							suggested,
							supplier,
						}) => (
							<li key={productId}>
								<span className="grow">
									<Link href={`/products?id=${encodeURIComponent(productId)}`}>
										{name}
									</Link>
									<span className="muted text-s overview-second">
										{[
											say(quantity > 0 ? "order.line" : "order.lineOut", {
												left: format.quantity(quantity),
												perDay: format.rounded(soldPerDay),
											}),
											supplier?.name,
										]
											.filter(Boolean)
											.join(" · ")}
									</span>
								</span>
								<span className="figure strong">
									{format.quantity(suggested)}
								</span>
							</li>
						),
					)}
			</ul>
			<div className="row-flex">
				<Button kind="ink" className="grow" onClick={() => setSent(true)}>
					{say("order.send")}
				</Button>
				{order.length > shownFirst && !isWhole && (
					<Button onClick={() => setWhole(true)}>{say("app.more")}</Button>
				)}
			</div>
			{isSent && (
				<OrderSheet order={order} day={day} onClose={() => setSent(false)} />
			)}
		</section>
	);
}

const everybody = "all";
const nobody = "others";

/** The order as a text to send or print, of one supplier or of all. */
function OrderSheet({
	order,
	day,
	onClose,
}: {
	order: Order;
	day: string;
	onClose(): void;
}) {
	const { say } = useWords();
	const suppliers = new Map(
		order.map(({ supplier }) => [supplier?.id ?? nobody, supplier]),
	);
	const [chosen, choose] = useState(everybody);
	const lines = order.filter(
		({ supplier }) =>
			chosen === everybody || (supplier?.id ?? nobody) === chosen,
	);
	return (
		<Sheet title={say("order.title")} onClose={onClose}>
			{suppliers.size > 1 && (
				<Chips<string>
					label={say("order.for")}
					value={chosen}
					onChange={choose}
					choices={[
						{ value: everybody, label: say("order.all") },
						...[...suppliers]
							.map(([value, supplier]) => ({
								value,
								label: supplier?.name ?? say("order.others"),
							}))
							.sort(
								(a, b) =>
									Number(a.value === nobody) - Number(b.value === nobody),
							),
					]}
				/>
			)}
			<OrderText
				key={chosen}
				order={lines}
				day={day}
				phone={
					suppliers.size === 1 || chosen !== everybody
						? lines[0]?.supplier?.phone
						: undefined
				}
			/>
		</Sheet>
	);
}

function OrderText({
	order,
	day,
	phone,
}: {
	order: Order;
	day: string;
	phone: string | null | undefined;
}) {
	const { say } = useWords();
	const format = useFormat();
	const business = useBusiness();
	const currency = business?.currency ?? "";
	const [isCopied, setCopied] = useState(false);
	const [text, setText] = useState(() =>
		[
			say("order.head", {
				shop: business?.name ?? "",
				day: format.day(day),
			}),
			...order.map(
				({ name, suggested }) => `${format.quantity(suggested)} × ${name}`,
			),
		].join("\n"),
	);
	async function copy(area: HTMLTextAreaElement | null): Promise<void> {
		area?.select();
		// A page that came over plain HTTP has no clipboard: what is selected can be copied by hand.
		await navigator.clipboard?.writeText(text);
		setCopied(navigator.clipboard !== undefined);
	}
	return (
		<>
			<textarea
				id="order-text"
				className="input order-text"
				aria-label={say("order.title")}
				rows={Math.min(16, order.length + 2)}
				value={text}
				onChange={(event) => {
					setText(event.currentTarget.value);
					setCopied(false);
				}}
			/>
			<Paper>
				<pre className="order-paper">{text}</pre>
			</Paper>
			<div className="order-actions" aria-live="polite">
				<Button
					kind="ink"
					onClick={() =>
						copy(document.querySelector<HTMLTextAreaElement>("#order-text"))
					}
				>
					{say(isCopied ? "order.copied" : "order.copy")}
				</Button>
				<a
					className="btn btn-default"
					href={whatsAppDraft(text, {
						...{ phone: withLeadingZero(phone, currency), currency },
					})}
					target="_blank"
					rel="noopener noreferrer"
				>
					<MessageCircle size={18} aria-hidden />
					{say("receipt.whatsapp")}
				</a>
				<Button onClick={() => window.print()}>
					<Printer size={18} aria-hidden />
					{say("pay.print")}
				</Button>
				{typeof navigator.share === "function" && (
					<Button
						onClick={() =>
							// Closing the share dialog is a change of mind.
							navigator.share({ text }).catch(() => undefined)
						}
					>
						{say("order.share")}
					</Button>
				)}
			</div>
		</>
	);
}
