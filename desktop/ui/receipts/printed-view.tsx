import { Printer } from "lucide-react";
import type { ComponentProps } from "react";
import { Button } from "../components/button.tsx";
import { LoadError } from "../components/load-error.tsx";
import { useWords } from "../words/index.ts";
import { Paper } from "./paper.tsx";
import { ReceiptView } from "./receipt-view.tsx";
import { WhatsAppButton } from "./whatsapp-button.tsx";

/** Shows a document as it is printed and sent to a customer. */
export function PrintedView({
	receipt,
	phone,
	error,
}: {
	/** Undefined while it is read. */
	receipt: ComponentProps<typeof ReceiptView>["receipt"] | undefined;
	phone: string | null;
	error: Error | null;
}) {
	const { say } = useWords();
	return (
		<div className="column-flex">
			<LoadError error={error} />
			{receipt && (
				<>
					<ReceiptView receipt={receipt} />
					<Paper>
						<ReceiptView receipt={receipt} />
					</Paper>
					<div className="sheet-foot">
						<Button size="l" onClick={() => window.print()}>
							<Printer size={20} aria-hidden />
							{say("pay.print")}
						</Button>
						<WhatsAppButton receipt={receipt} phone={phone} />
					</div>
				</>
			)}
		</div>
	);
}
