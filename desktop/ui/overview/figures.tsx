import type { ReactNode } from "react";
import { Link } from "wouter";
import { Money } from "../components/money.tsx";
import { useFormat } from "../format.ts";
import { useSeesProfit } from "../staff/use-limits.ts";
import { useWords } from "../words/index.ts";
import type { PeriodFacts } from "./report.tsx";
import { salesOf } from "./sales-link.ts";

/** The sums of a period, each with the change against the period before and the way to its sales. */
export function Figures({ report }: { report: PeriodFacts }) {
	const { say } = useWords();
	const format = useFormat();
	const seesProfit = useSeesProfit();
	const { from, to, total, before, lines } = report;
	const sales = salesOf({ from, to });
	const marginOf = ({ profit, revenue }: typeof total) =>
		revenue > 0
			? say("report.margin", { percent: format.percent(profit / revenue) })
			: "";
	const was = before.total;
	return (
		<>
			<dl className="figures">
				<Figure
					name={say("report.revenue")}
					href={sales}
					change={<Change now={total.revenue} before={was.revenue} isMoney />}
				>
					<Money value={total.revenue} />
				</Figure>
				<Figure
					name={say("report.sales")}
					href={sales}
					change={<Change now={total.salesCount} before={was.salesCount} />}
				>
					{format.quantity(total.salesCount)}
				</Figure>
				<Figure
					name={say("report.basket")}
					href={sales}
					change={
						<Change
							now={total.averageBasket ?? 0}
							before={was.averageBasket ?? 0}
							isMoney
						/>
					}
				>
					{total.averageBasket === null ? (
						"–"
					) : (
						<Money value={Math.round(total.averageBasket)} />
					)}
				</Figure>
				{seesProfit && (
					<Figure
						name={say("report.profit")}
						href={sales}
						change={<Change now={total.profit} before={was.profit} isMoney />}
						note={marginOf(total)}
					>
						<Money value={total.profit} />
					</Figure>
				)}
				<Figure
					name={say("report.refunded")}
					href={sales}
					change={<Change now={total.refunded} before={was.refunded} isMoney />}
				>
					<Money value={total.refunded} />
				</Figure>
				{lines !== null && (
					<Figure name={say("report.discount")} href={sales}>
						<Money value={lines.discount} />
					</Figure>
				)}
			</dl>
			<p className="muted text-s">
				{say(before.untilNow ? "report.beforeUntilNow" : "report.before", {
					days:
						before.from === before.to
							? format.day(before.from)
							: `${format.day(before.from)} – ${format.day(before.to)}`,
				})}
			</p>
			{lines !== null && lines.withoutCost > 0 && (
				<p className="attention text-s">
					{say("report.withoutCost", {
						count: lines.withoutCost,
						amount: format.money(lines.revenueWithoutCost),
					})}
				</p>
			)}
		</>
	);
}

function Figure({
	name,
	href,
	change,
	note,
	children,
}: {
	name: string;
	href: string;
	change?: ReactNode;
	note?: string;
	children: ReactNode;
}) {
	return (
		<div>
			<dt className="muted text-s">{name}</dt>
			<dd>
				<Link href={href} className="figures-value figure">
					{children}
				</Link>
				<span className="text-s muted">
					{change}
					{note && <span className="overview-second">{note}</span>}
				</span>
			</dd>
		</div>
	);
}

function Change({
	now,
	before,
	isMoney = false,
}: {
	now: number;
	before: number;
	isMoney?: boolean;
}) {
	const { say } = useWords();
	const format = useFormat();
	const show = isMoney ? format.figure : format.quantity;
	const was = say("report.was", {
		before: show(isMoney ? Math.round(before) : before),
	});
	if (before <= 0) return was;
	const share = now / before - 1;
	const sign = share > 0 ? "+" : share < 0 ? "\u2212" : "";
	return `${sign}${format.percent(Math.abs(share))}, ${was}`;
}
