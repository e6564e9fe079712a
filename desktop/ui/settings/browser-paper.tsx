import { useState } from "react";
import { papers } from "../../../sync/receipts/receipt-page.ts";
import { Chips } from "../components/chips.tsx";
import { readPaper, writePaper } from "../receipts/chosen-paper.ts";
import { useWords } from "../words/index.ts";

/** Chooses the paper for receipts that are printed with the browser's dialog. */
export function BrowserPaper() {
	const { say } = useWords();
	const [paper, setPaper] = useState(readPaper);
	return (
		<div className="field">
			<span className="field-label">{say("settings.printerWidth")}</span>
			<Chips
				label={say("settings.printerWidth")}
				value={paper}
				onChange={(chosen) => {
					writePaper(chosen);
					setPaper(chosen);
				}}
				choices={papers.map((value) => ({
					value,
					label: value === "A4" ? value : `${value} mm`,
				}))}
			/>
		</div>
	);
}
