import { Download } from "lucide-react";
import { useState } from "react";
import { useAttempt } from "../components/attempt.tsx";
import { Button } from "../components/button.tsx";
import { Panel } from "../components/panel.tsx";
import { useWords } from "../words/index.ts";

const files = [
	{ path: "/api/products.csv", word: "settings.backupProducts" },
	{ path: "/api/sales-history.csv", word: "settings.backupSales" },
] as const;

/** Copies of the shop to keep: all of it on a desktop till, and lists for a spreadsheet. */
export function Backup() {
	const { say } = useWords();
	const { attempt, problem, isBusy } = useAttempt();
	const [file, setFile] = useState<string | null>(null);
	const { till } = window;
	return (
		<Panel title={say("settings.backup")}>
			{problem}
			{till ? (
				<div className="row-flex">
					<Button
						kind="ink"
						isBusy={isBusy}
						onClick={() => attempt(async () => setFile(await till.backup()))}
					>
						{say("settings.backupAll")}
					</Button>
					{file && (
						<span role="status">{say("settings.backedUp", { file })}</span>
					)}
				</div>
			) : (
				<p className="muted">{say("settings.backupLead")}</p>
			)}
			<div className="row-flex" style={{ flexWrap: "wrap" }}>
				{files.map(({ path, word }) => (
					<a key={path} className="btn" href={path} download>
						<Download size={20} aria-hidden />
						{say(word)}
					</a>
				))}
			</div>
		</Panel>
	);
}
