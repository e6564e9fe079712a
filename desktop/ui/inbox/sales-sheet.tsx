import { useState } from "react";
import { Button } from "../components/button.tsx";
import { LoadError } from "../components/load-error.tsx";
import { Sheet } from "../components/sheet.tsx";
import { SaleDetail } from "../sales/sale-detail.tsx";
import { useAnswer } from "../shop/use-shop-data.ts";
import { useWords } from "../words/index.ts";

/** A group's newest sales, one at a time. */
export function SalesSheet({
	ids,
	onClose,
}: {
	ids: readonly string[];
	onClose(): void;
}) {
	const { say } = useWords();
	const [at, setAt] = useState(0);
	const { data: sale, error } = useAnswer("sale.get", { id: ids[at] ?? "" });
	return (
		<Sheet
			title={sale?.receiptNumber ?? say("receipt.number")}
			onClose={onClose}
		>
			<LoadError error={error} />
			{sale && <SaleDetail key={sale.id} sale={sale} />}
			{ids.length > 1 && (
				<div className="sheet-foot">
					<Button disabled={at === 0} onClick={() => setAt(at - 1)}>
						{say("inbox.newer")}
					</Button>
					<Button
						disabled={at === ids.length - 1}
						onClick={() => setAt(at + 1)}
					>
						{say("inbox.older")}
					</Button>
				</div>
			)}
		</Sheet>
	);
}
