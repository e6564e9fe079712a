import { useMemo } from "react";
import type { Business } from "../../../sync/entities/business.ts";
import { toDocument } from "../../../sync/receipts/receipt-document.ts";
import { usePaper } from "../receipts/chosen-paper.ts";
import { receiptOptions } from "../receipts/receipt-options.ts";
import { ReceiptView } from "../receipts/receipt-view.tsx";
import { toReceipt } from "../receipts/sale-receipt.ts";
import { useShop } from "../session.tsx";
import { useServerAddress } from "../shop/till.ts";
import type { CompletedSale } from "../till/sale.ts";
import { useWords } from "../words/index.ts";

/** The part of the receipt that is being edited. */
export type LitPart = "header" | "footer" | undefined;

/** A receipt as it prints, with the part that is being edited lit up. */
export function ReceiptPreview({
	business,
	lit,
}: {
	business: Business;
	lit: LitPart;
}) {
	const { say } = useWords();
	const { session } = useShop();
	const server = useServerAddress();
	const paper = usePaper();
	const sale = useSampleSale();
	const receipt = toReceipt(sale, business, session.user.name);
	const parts = {
		header: business.receiptHeader,
		footer: business.receiptFooter,
	};
	return (
		<aside className="settings-preview" aria-label={say("settings.asItPrints")}>
			<span className="text-s muted strong">{say("settings.asItPrints")}</span>
			<div className="settings-paper" data-paper={paper}>
				<ReceiptView
					receipt={toDocument(
						receipt,
						receiptOptions(receipt, { server, isCopy: false }),
					)}
					lit={lit && (parts[lit] ?? undefined)}
				/>
			</div>
		</aside>
	);
}

/** Like the id of any sale, so that the receipt has its QR code. */
const sampleId = "01a20ce1-e1ae-7082-a4de-d5fd024d24b2";
const sample = { total: 190, paid: 200, change: 10, lent: 0 };

function useSampleSale(): CompletedSale {
	const { say } = useWords();
	const [milk, bread] = [
		say("settings.sampleMilk"),
		say("settings.sampleBread"),
	];
	return useMemo(
		() => ({
			...sample,
			mutationId: sampleId,
			at: new Date().toISOString(),
			args: {
				id: sampleId,
				receiptNumber: "A-000001",
				items: [
					{ id: "1", name: milk, quantity: 2, price: 65, cost: 0 },
					{ id: "2", name: bread, quantity: 1, price: 60, cost: 0 },
				],
			},
		}),
		[milk, bread],
	);
}
