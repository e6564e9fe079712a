import { Download, Smartphone, Upload } from "lucide-react";
import { useState } from "react";
import type { MatchState } from "../../../sync/statements/match.ts";
import { Button } from "../components/button.tsx";
import { Chips } from "../components/chips.tsx";
import { DayField } from "../components/day-field.tsx";
import { Empty } from "../components/empty.tsx";
import { LoadError } from "../components/load-error.tsx";
import { useFormat } from "../format.ts";
import { useAnswer } from "../shop/use-shop-data.ts";
import { useWords } from "../words/index.ts";
import { chooseDay, type Days, lastDays } from "./days.ts";
import { ImportSheet } from "./import-sheet.tsx";
import { MatchList } from "./match-list.tsx";
import "../components/page-head.css";
import "./statements.css";

/** What needs a person first. */
const states: readonly MatchState[] = [
	...(["missing", "unclaimed", "differs", "confirmed", "uncovered"] as const),
];

/** What M-PESA says was received, compared with the codes of sales; also offline. */
export default function Statements() {
	const { data: now } = useAnswer("business.today", {});
	return now ? <StatementsUpTo today={now.day} /> : null;
}

function StatementsUpTo({ today }: { today: string }) {
	const { say } = useWords();
	const format = useFormat();
	const [days, setDays] = useState<Days>(lastDays(today));
	const [chosen, choose] = useState<MatchState>();
	const [isImporting, setImporting] = useState(false);
	const { data: totals, error } = useAnswer("statement.totals", { ...days });
	const isNew = totals?.coveredFrom === null;
	const state =
		chosen ??
		(totals && states.find((one) => totals[one].count > 0)) ??
		"missing";
	const importButton = (
		<Button kind="ink" onClick={() => setImporting(true)}>
			<Upload size={18} aria-hidden />
			{say("statements.import")}
		</Button>
	);
	return (
		<section className="page">
			<div className="page-head">
				<div>
					<h1>{say("statements.title")}</h1>
					<p className="muted">
						{totals?.coveredFrom && totals.coveredTo
							? say("statements.covered", {
									from: format.moment(totals.coveredFrom),
									to: format.moment(totals.coveredTo),
								})
							: say("statements.lead")}
					</p>
				</div>
				<div className="page-actions">
					<a
						className="btn btn-default"
						href={`/api/statements/match.csv?${new URLSearchParams({ ...days })}`}
						download
					>
						<Download size={18} aria-hidden />
						<span className="btn-word">{say("app.export")}</span>
					</a>
					{importButton}
				</div>
			</div>
			<LoadError error={error} />
			<div className="statements-days">
				{(["from", "to"] as const).map((name) => (
					<DayField
						key={name}
						label={say(`history.${name}`)}
						value={days[name]}
						onChange={(day) => setDays(chooseDay(days, { [name]: day }))}
					/>
				))}
			</div>
			{isNew && totals.uncovered.count === 0 && (
				<Empty Icon={Smartphone} hue={4} title={say("statements.none")}>
					{importButton}
				</Empty>
			)}
			{totals && (!isNew || totals.uncovered.count > 0) && (
				<>
					<Chips
						label={say("statements.which")}
						value={state}
						onChange={(one) => choose(one)}
						choices={states.map((value) => ({
							value,
							label: `${say(`statements.${value}`)} ${totals[value].count}`,
						}))}
					/>
					<p className="statements-sum">
						{say(`statements.${state}.what`)}{" "}
						<strong>
							{format.money(
								state === "unclaimed"
									? totals[state].received
									: totals[state].claimed,
							)}
						</strong>
					</p>
					<MatchList days={days} state={state} />
				</>
			)}
			{isImporting && (
				<ImportSheet
					onClose={() => setImporting(false)}
					onDone={(imported) => {
						setImporting(false);
						setDays(chooseDay(imported, { to: imported.to }));
						choose(undefined);
					}}
				/>
			)}
		</section>
	);
}
