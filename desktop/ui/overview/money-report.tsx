import { Download } from "lucide-react";
import type { ReactNode } from "react";
import { plus } from "../../../sync/entities/money.ts";
import type { Queries } from "../../../sync/queries/index.ts";
import { useFormat } from "../format.ts";
import { useMethodName } from "../sales/method-name.ts";
import { useMayManage } from "../session.tsx";
import { useAnswer } from "../shop/use-shop-data.ts";
import { useWords } from "../words/index.ts";
import type { Period } from "./period.ts";

type Money = Queries["report.money"]["answer"];

/** Revenue with and without tax, what was taken and owed: in all, by cashier and shift, and by tender. */
export function MoneyReport({ period }: { period: Period }) {
	const { say } = useWords();
	const format = useFormat();
	const { data } = useAnswer("report.money", period, {
		enabled: useMayManage(),
	});
	if (!data || data.total.figures.facts === 0) return null;
	const { total, cashiers, shifts } = data;
	const days = new URLSearchParams({ from: period.from, to: period.to });
	return (
		<section className="leaf overview-card">
			<div className="overview-head">
				<h3>{say("money.title")}</h3>
				<span className="row-flex">
					{(
						[
							["money.csv", "app.export"],
							["accounting.csv", "money.books"],
						] as const
					).map(([file, word]) => (
						<a
							key={file}
							className="btn btn-default btn-s"
							href={`/api/reports/${file}?${days}`}
							download
						>
							<Download size={18} aria-hidden />
							{say(word)}
						</a>
					))}
				</span>
			</div>
			<SumsTable title={say("money.title")}>
				<SumsRow name={say("money.all")} sums={total} />
				{cashiers.length > 1 &&
					cashiers.map(({ userId, cashier, ...sums }) => (
						<SumsRow key={userId} name={cashier ?? userId ?? "–"} sums={sums} />
					))}
			</SumsTable>
			<Tenders figures={total.figures} />
			{shifts.some(({ shiftId }) => shiftId !== null) && (
				<details>
					<summary className="link-button">{say("shifts.title")}</summary>
					<SumsTable title={say("shifts.title")}>
						{shifts.map(({ shiftId, openedAt, openedBy, ...sums }) => (
							<SumsRow
								key={shiftId}
								name={
									openedAt === null
										? say("money.noShift")
										: [format.moment(openedAt), openedBy].join(" ")
								}
								sums={sums}
							/>
						))}
					</SumsTable>
				</details>
			)}
		</section>
	);
}

function SumsTable({
	title,
	children,
}: {
	title: string;
	children: ReactNode;
}) {
	const { say } = useWords();
	return (
		<table className="sums">
			<caption className="visually-hidden">{title}</caption>
			<thead>
				<tr>
					<th>{say("report.name")}</th>
					<th>{say("report.revenue")}</th>
					<th className="only-wide">{say("taxes.net")}</th>
					<th className="only-wide">{say("taxes.tax")}</th>
					<th>{say("money.taken")}</th>
					<th className="only-wide">{say("money.owed")}</th>
				</tr>
			</thead>
			<tbody>{children}</tbody>
		</table>
	);
}

function SumsRow({
	name,
	sums: { revenue, net, tax, taken, owed },
}: {
	name: string;
	sums: Money["total"];
}) {
	const format = useFormat();
	return (
		<tr>
			<th scope="row">{name}</th>
			<td>{format.figure(revenue)}</td>
			<td className="only-wide">{format.figure(net)}</td>
			<td className="only-wide">{format.figure(tax)}</td>
			<td>{format.figure(taken)}</td>
			<td className="only-wide">{format.figure(owed)}</td>
		</tr>
	);
}

function Tenders({
	figures: { methods, refunds, voids, discounts, rounding },
}: {
	figures: Money["total"]["figures"];
}) {
	const { say } = useWords();
	const format = useFormat();
	const nameOf = useMethodName();
	const given = [
		["report.refunded", plus(refunds.total, voids.total)],
		["report.discount", discounts],
		["money.rounding", rounding],
	] as const;
	return (
		<>
			<table className="sums">
				<caption className="visually-hidden">{say("report.methods")}</caption>
				<thead>
					<tr>
						<th>{say("sales.method")}</th>
						<th>{say("report.sales")}</th>
						<th className="only-wide">{say("money.givenBack")}</th>
						<th>{say("money.collected")}</th>
					</tr>
				</thead>
				<tbody>
					{methods.map(({ method, sold, givenBack, collected }) => (
						<tr key={method}>
							<th scope="row">{nameOf(method)}</th>
							<td>{format.figure(sold)}</td>
							<td className="only-wide">{format.figure(givenBack)}</td>
							<td>
								{/* What was paid is what is owed less. */}
								{method === "CREDIT" ? "" : format.figure(collected)}
							</td>
						</tr>
					))}
				</tbody>
			</table>
			<p className="muted text-s">
				{given
					.map(([word, amount]) => `${say(word)} ${format.figure(amount)}`)
					.join(" · ")}
			</p>
		</>
	);
}
