import { Printer } from "lucide-react";
import { useMemo } from "react";
import type { Customer } from "../../../sync/entities/customer.ts";
import { toStatement } from "../../../sync/receipts/statement-document.ts";
import { receiptLanguageOf } from "../../../sync/receipts/words/index.ts";
import { Button } from "../components/button.tsx";
import { LoadError } from "../components/load-error.tsx";
import { Paper } from "../receipts/paper.tsx";
import { ReceiptView } from "../receipts/receipt-view.tsx";
import { WhatsAppButton } from "../receipts/whatsapp-button.tsx";
import { useAnswer } from "../shop/use-shop-data.ts";
import { useWords } from "../words/index.ts";

/** A customer's account as it is printed and sent. */
export function StatementView({
	customer: { id, phone },
}: {
	customer: Customer;
}) {
	const { say, language } = useWords();
	const { data, error } = useAnswer("customer.statement", { id });
	const statement = useMemo(
		() =>
			data &&
			toStatement(data, receiptLanguageOf(data.business.language, language)),
		[data, language],
	);
	return (
		<div className="column-flex">
			<LoadError error={error} />
			{statement && (
				<>
					<ReceiptView receipt={statement} />
					<Paper>
						<ReceiptView receipt={statement} />
					</Paper>
					<div className="sheet-foot">
						<Button size="l" onClick={() => window.print()}>
							<Printer size={20} aria-hidden />
							{say("pay.print")}
						</Button>
						<WhatsAppButton receipt={statement} phone={phone} />
					</div>
				</>
			)}
		</div>
	);
}
