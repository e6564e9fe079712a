import { Busy } from "../components/busy.tsx";
import { LoadError } from "../components/load-error.tsx";
import { HistoryNote } from "../sales/history-note.tsx";
import { useAnswer, useStatus } from "../shop/use-shop-data.ts";
import { useWords } from "../words/index.ts";
import { FirstSteps } from "./first-steps.tsx";
import { Letter } from "./letter.tsx";
import { Report } from "./report.tsx";
import "./overview.css";

/** What the owner should know: a letter about today, and the figures of any period. */
export default function OverviewPage() {
	const { say } = useWords();
	const hasHistory = useStatus("hasHistory");
	const { data, error, isPending } = useAnswer("sale.count", {});
	return (
		<section className="page overview">
			<h1 className="visually-hidden">{say("app.dashboard")}</h1>
			<LoadError error={error} offline="sales.offline" />
			<HistoryNote />
			{(isPending || (data?.total === 0 && !hasHistory)) && <Busy />}
			{data?.total === 0 && hasHistory && <FirstSteps />}
			{data !== undefined && data.total > 0 && (
				<div className="overview-columns">
					<Letter />
					<Report />
				</div>
			)}
		</section>
	);
}
