import { Printer } from "lucide-react";
import { useMemo } from "react";
import type { ShiftSummary } from "../../../sync/queries/shift.ts";
import { toShiftDocument } from "../../../sync/receipts/shift-document.ts";
import { receiptLanguageOf } from "../../../sync/receipts/words/index.ts";
import { Button } from "../components/button.tsx";
import { LoadError } from "../components/load-error.tsx";
import { Sheet } from "../components/sheet.tsx";
import { Tag } from "../components/tag.tsx";
import { Paper } from "../receipts/paper.tsx";
import { ReceiptView } from "../receipts/receipt-view.tsx";
import { useMayManage } from "../session.tsx";
import { useAnswer, useStatus } from "../shop/use-shop-data.ts";
import { useWords } from "../words/index.ts";

/** A shift's report: the X of an open one, and the Z of one that was counted, as they are printed. */
export function ReportSheet({
	id,
	onCount,
	onClose,
}: {
	id: string;
	onCount(shift: ShiftSummary): void;
	onClose(): void;
}) {
	const { say, language } = useWords();
	const mayManage = useMayManage();
	const pending = useStatus("pending");
	const { data, error } = useAnswer("shift.get", { id });
	const isOpen = data?.figures === null;
	const sums = useAnswer(
		"shift.sums",
		{ id },
		{ enabled: isOpen && mayManage },
	);
	const shown = useMemo(
		() =>
			data &&
			toShiftDocument(data, {
				language: receiptLanguageOf(data.business.language, language),
				sums: isOpen ? sums.data : undefined,
			}),
		[data, language, isOpen, sums.data],
	);
	return (
		<Sheet title={say("shifts.report")} onClose={onClose}>
			<div className="column-flex">
				<LoadError error={error ?? sums.error} />
				{data && !isOpen && (
					<p role="status">
						<Tag tone={pending === 0 ? "money" : "plain"}>
							{pending === 0
								? say("shifts.allSent")
								: say("shifts.unsent", { count: pending })}
						</Tag>
					</p>
				)}
				{shown && <ReceiptView receipt={shown} />}
				<Paper>{shown && <ReceiptView receipt={shown} />}</Paper>
				<div className="sheet-foot">
					{isOpen && data && (
						<Button kind="ink" size="l" onClick={() => onCount(data.shift)}>
							{say("shifts.count")}
						</Button>
					)}
					<Button size="l" onClick={() => window.print()}>
						<Printer size={20} aria-hidden />
						{say("pay.print")}
					</Button>
				</div>
			</div>
		</Sheet>
	);
}
