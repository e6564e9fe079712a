import { BarChart } from "../components/bar-chart.tsx";
import { LoadError } from "../components/load-error.tsx";
import { Panel } from "../components/panel.tsx";
import { useFormat } from "../format.ts";
import { useWords } from "../words/index.ts";
import { formatDollars } from "./dollars.ts";
import { useUsage } from "./usage.ts";

/** The gateway's cost this month, by day, by model and by who asked. */
export function Spend() {
	const { say, language } = useWords();
	const format = useFormat();
	const { data, isPending, error } = useUsage();
	const totals = data?.totals;
	return (
		<Panel title={say("ai.spend")}>
			<LoadError error={error} />
			{/* The figures' place is kept while they load: what stands below doesn't move. */}
			<dl className="ai-figures" aria-busy={isPending}>
				<Figure
					name={say("ai.cost")}
					value={totals && formatDollars(totals.cost, language)}
				/>
				<Figure
					name={say("ai.calls")}
					value={totals && format.quantity(totals.calls)}
				/>
				<Figure
					name={say("ai.saved")}
					value={totals && format.quantity(totals.saved)}
				/>
				<Figure
					name={say("ai.tokens")}
					value={
						totals &&
						format.compact(totals.promptTokens + totals.completionTokens)
					}
				/>
			</dl>
			{data && data.days.length > 0 && (
				<>
					<Days days={data.days} />
					<Table
						head="ai.model"
						rows={data.models.map((it) => ({ ...it, name: it.model ?? "–" }))}
					/>
					<Table head="ai.who" rows={data.askers} />
				</>
			)}
		</Panel>
	);
}

function Days({ days }: { days: { day: string; cost: number }[] }) {
	const { say, language } = useWords();
	const format = useFormat();
	return (
		<BarChart
			label={say("ai.spend")}
			columns={{ name: say("chart.of.day"), value: say("ai.cost") }}
			bars={days.map(({ day, cost }, i) => ({
				key: day,
				label: i % 5 === 0 ? format.day(day) : "",
				name: format.day(day),
				value: cost,
			}))}
			show={(amount) => formatDollars(amount, language)}
		/>
	);
}

function Table({
	head,
	rows,
}: {
	head: "ai.model" | "ai.who";
	rows: { name: string; calls: number; cost: number }[];
}) {
	const { say, language } = useWords();
	const format = useFormat();
	return (
		<div className="ai-table">
			<table>
				<thead>
					<tr>
						<th>{say(head)}</th>
						<th className="amount">{say("ai.calls")}</th>
						<th className="amount">{say("ai.cost")}</th>
					</tr>
				</thead>
				<tbody>
					{rows.map(({ name, calls, cost }, i) => (
						// biome-ignore lint/suspicious/noArrayIndexKey: two members may have one name, and rows have no state.
						<tr key={i}>
							<td>{name}</td>
							<td className="amount">{format.quantity(calls)}</td>
							<td className="amount">{formatDollars(cost, language)}</td>
						</tr>
					))}
				</tbody>
			</table>
		</div>
	);
}

function Figure({ name, value = "–" }: { name: string; value?: string }) {
	return (
		<div>
			<dt>{name}</dt>
			<dd>{value}</dd>
		</div>
	);
}
