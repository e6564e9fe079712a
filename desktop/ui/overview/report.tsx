import { Link } from "wouter";
import type { Queries } from "../../../sync/queries/index.ts";
import { BarChart } from "../components/bar-chart.tsx";
import { Busy } from "../components/busy.tsx";
import { Chips } from "../components/chips.tsx";
import { DayField } from "../components/day-field.tsx";
import { LoadError } from "../components/load-error.tsx";
import { useFormat } from "../format.ts";
import { useMethodName } from "../sales/method-name.ts";
import { useAnswer } from "../shop/use-shop-data.ts";
import { TaxReport } from "../taxes/tax-report.tsx";
import { useWords } from "../words/index.ts";
import { Figures } from "./figures.tsx";
import { Goods } from "./goods.tsx";
import { MoneyReport } from "./money-report.tsx";
import {
	barsOf,
	daysOfBar,
	hasGoods,
	type Period,
	presets,
	problemOf,
} from "./period.ts";
import { salesOf } from "./sales-link.ts";
import { usePeriod } from "./use-period.ts";

export type PeriodFacts = Queries["report.period"]["answer"];

/** Today's figures change even when nothing is sold. */
const againMs = 60_000;

/** The figures of a chosen period, compared with the one before. */
export function Report() {
	const { data: now } = useAnswer("business.today", {}, { everyMs: againMs });
	return now ? <ReportOf today={now.day} /> : null;
}

function ReportOf({ today }: { today: string }) {
	const { say } = useWords();
	const { chosen, period, choose, setDays } = usePeriod(today);
	const problem = problemOf(period);
	return (
		<section className="report" aria-labelledby="report">
			<h2 id="report">{say("report.title")}</h2>
			<Chips
				label={say("report.period")}
				choices={[...presets, "other" as const].map((value) => ({
					value,
					label: say(`period.${value}`),
				}))}
				value={chosen}
				onChange={(value) =>
					value === "other" ? setDays(period) : choose(value)
				}
			/>
			{chosen === "other" && (
				<div className="report-days">
					<DayField
						label={say("history.from")}
						value={period.from}
						onChange={(from) => setDays({ ...period, from })}
					/>
					<DayField
						label={say("history.to")}
						value={period.to}
						onChange={(to) => setDays({ ...period, to })}
					/>
				</div>
			)}
			{problem ? (
				<p role="alert">{say(problem)}</p>
			) : (
				<PeriodFigures period={period} />
			)}
		</section>
	);
}

function PeriodFigures({ period }: { period: Period }) {
	const { say } = useWords();
	const { data, error, isPending } = useAnswer(
		"report.period",
		{ ...period, by: barsOf(period) },
		{ everyMs: againMs },
	);
	return (
		<>
			<LoadError error={error} offline="sales.offline" />
			{data && (
				<>
					<Figures report={data} />
					<div className="report-columns">
						<Chart report={data} />
						<Methods report={data} />
					</div>
				</>
			)}
			{isPending ? (
				<Busy />
			) : hasGoods(period) ? (
				<>
					<MoneyReport period={{ from: period.from, to: period.to }} />
					<Goods
						key={`${period.from} ${period.to}`}
						period={{ from: period.from, to: period.to }}
					/>
					<TaxReport period={{ from: period.from, to: period.to }} />
				</>
			) : (
				<p className="muted">{say("report.tooLong")}</p>
			)}
		</>
	);
}

/** Bars of hours when nothing was ever sold stand at neither end. */
function withoutEmptyEnds(bars: PeriodFacts["bars"]): PeriodFacts["bars"] {
	const isEmpty = ({ revenue, usual }: PeriodFacts["bars"][number]) =>
		revenue === 0 && !usual;
	const first = bars.findIndex((bar) => !isEmpty(bar));
	const last = bars.findLastIndex((bar) => !isEmpty(bar));
	return first === -1 ? bars : bars.slice(first, last + 1);
}

function Chart({ report }: { report: PeriodFacts }) {
	const { say } = useWords();
	const format = useFormat();
	// While another period loads, the report is still of the last one.
	const by = barsOf(report);
	const bars = by === "hour" ? withoutEmptyEnds(report.bars) : report.bars;
	const nameOf = {
		// The label is part of it, whole.
		hour: (key: string) => `${Number(key)}:00`,
		day: (key: string) => `${format.weekday(key)} ${format.day(key)}`,
		month: format.month,
	}[by];
	const labelOf = {
		hour: (key: string) => String(Number(key)),
		day: (key: string) =>
			bars.length > 7 ? String(Number(key.slice(8))) : format.day(key),
		month: (key: string) => String(Number(key.slice(5))),
	}[by];
	const every = Math.ceil(bars.length / 31);
	const isUsual = bars.some(({ usual }) => usual !== null);
	return (
		<section className="leaf overview-card" aria-labelledby="chart">
			<div className="overview-head">
				<h3 id="chart">{say(`chart.${by}`)}</h3>
				{isUsual && (
					<span className="muted text-s chart-usual">{say("chart.usual")}</span>
				)}
			</div>
			<BarChart
				label={say(`chart.${by}`)}
				columns={{
					name: say(`chart.of.${by}`),
					value: say("report.revenue"),
					...(isUsual && { usual: say("chart.usual") }),
				}}
				bars={bars.map(({ key, revenue, usual }, i) => ({
					key,
					label: (bars.length - 1 - i) % every === 0 ? labelOf(key) : "",
					name: nameOf(key),
					value: revenue,
					usual,
					href: salesOf(daysOfBar(key, by, report)),
				}))}
				show={format.money}
			/>
		</section>
	);
}

function Methods({ report }: { report: PeriodFacts }) {
	const { say } = useWords();
	const format = useFormat();
	const nameOf = useMethodName();
	const { from, to, tenders, total } = report;
	// A cashier hears nothing of methods before the count.
	if (tenders.length === 0 && total.salesCount > 0) return null;
	return (
		<section className="leaf overview-card" aria-labelledby="methods">
			<h3 id="methods">{say("report.methods")}</h3>
			{tenders.length === 0 ? (
				<p className="muted">{say("report.none")}</p>
			) : (
				<ul className="overview-list">
					{tenders.map(({ method, salesCount, amount }) => (
						<li key={method}>
							<span className="grow">
								<Link href={salesOf({ from, to }, { method })}>
									{nameOf(method)}
								</Link>
								<span className="muted text-s overview-second">
									{say("report.salesCount", { count: salesCount })}
									{total.revenue > 0 &&
										`, ${format.percent(amount / total.revenue)}`}
								</span>
							</span>
							<span className="figure strong">{format.figure(amount)}</span>
						</li>
					))}
				</ul>
			)}
		</section>
	);
}
