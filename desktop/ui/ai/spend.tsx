import { useQuery } from "@tanstack/react-query";
import { ask } from "../api.ts";
import { BarChart } from "../components/bar-chart.tsx";
import { LoadError } from "../components/load-error.tsx";
import { Panel } from "../components/panel.tsx";
import { useFormat } from "../format.ts";
import { useWords } from "../words/index.ts";
import { formatDollars } from "./dollars.ts";

interface Figures {
	calls: number;
	saved: number;
	failed: number;
	promptTokens: number;
	completionTokens: number;
	cost: number;
}

interface Usage {
	from: string;
	to: string;
	totals: Figures;
	days: (Figures & { day: string })[];
	models: (Figures & { model: string | null; firstTokenMs: number | null })[];
}

/** The gateway's cost this month, by day and by model. */
export function Spend() {
	const { say, language } = useWords();
	const format = useFormat();
	const { data, isPending, error } = useQuery({
		queryKey: ["usage"],
		queryFn: () => ask<Usage>("GET", "/api/usage"),
	});
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
					<Models models={data.models} />
				</>
			)}
		</Panel>
	);
}

function Days({ days }: { days: Usage["days"] }) {
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

function Models({ models }: { models: Usage["models"] }) {
	const { say, language } = useWords();
	const format = useFormat();
	return (
		<div className="ai-table">
			<table>
				<thead>
					<tr>
						<th>{say("ai.model")}</th>
						<th className="amount">{say("ai.calls")}</th>
						<th className="amount">{say("ai.cost")}</th>
					</tr>
				</thead>
				<tbody>
					{models.map(({ model, calls, cost }) => (
						<tr key={model ?? ""}>
							<td>{model ?? "–"}</td>
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
