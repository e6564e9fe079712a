import { Download, Printer } from "lucide-react";
import { useMemo, useState } from "react";
import { toDayDocument } from "../../../sync/receipts/shift-document.ts";
import { receiptLanguageOf } from "../../../sync/receipts/words/index.ts";
import { Button } from "../components/button.tsx";
import { DayField } from "../components/day-field.tsx";
import { LoadError } from "../components/load-error.tsx";
import { SelectField } from "../components/select-field.tsx";
import { Sheet } from "../components/sheet.tsx";
import { Paper } from "../receipts/paper.tsx";
import { ReceiptView } from "../receipts/receipt-view.tsx";
import { useAnswer } from "../shop/use-shop-data.ts";
import { useWords } from "../words/index.ts";

/** A day's report over the shifts of all tills, or of one, as it is printed. */
export function DaySheet({
	today,
	here,
	onClose,
}: {
	today: string;
	/** This till's drawer. */
	here: string;
	onClose(): void;
}) {
	const { say, language } = useWords();
	const [day, setDay] = useState(today);
	const [drawerId, setDrawer] = useState("");
	const id = day || today;
	const whole = useAnswer("shift.day", { id });
	const one = useAnswer(
		"shift.day",
		{ id, drawerId },
		{ enabled: drawerId !== "" },
	);
	const { data, error } = drawerId === "" ? whole : one;
	const drawers = [
		...new Set(whole.data?.shifts.map(({ drawerId }) => drawerId)),
	];
	const shown = useMemo(
		() =>
			data &&
			toDayDocument(data, receiptLanguageOf(data.business.language, language)),
		[data, language],
	);
	return (
		<Sheet title={say("shifts.day")} onClose={onClose}>
			<div className="column-flex">
				<DayField
					label={say("shifts.day")}
					value={id}
					onChange={(chosen) => {
						setDay(chosen);
						setDrawer("");
					}}
				/>
				{drawers.length > 1 && (
					<SelectField
						label={say("shifts.till")}
						value={drawerId}
						onChange={setDrawer}
						options={[
							{ value: "", label: say("shifts.allTills") },
							...drawers.map((value, i) => ({
								value,
								label:
									value === here
										? say("shifts.here")
										: `${say("shifts.elsewhere")} ${i + 1}`,
							})),
						]}
					/>
				)}
				<LoadError error={error} />
				{shown && <ReceiptView receipt={shown} />}
				<Paper>{shown && <ReceiptView receipt={shown} />}</Paper>
				<div className="sheet-foot">
					<a
						className="btn btn-default btn-l"
						href={`/api/shift-days.csv?${new URLSearchParams({ from: id, to: id })}`}
						download
					>
						<Download size={20} aria-hidden />
						{say("app.export")}
					</a>
					<Button size="l" onClick={() => window.print()}>
						<Printer size={20} aria-hidden />
						{say("pay.print")}
					</Button>
				</div>
			</div>
		</Sheet>
	);
}
