import { useQuery } from "@tanstack/react-query";
import { ReceiptText } from "lucide-react";
import type { Ref } from "react";
import { Busy } from "../components/busy.tsx";
import { Empty } from "../components/empty.tsx";
import { LoadError } from "../components/load-error.tsx";
import { Sheet } from "../components/sheet.tsx";
import { findByReceipt } from "../sales/find-by-receipt.ts";
import { type ChooseProduct, SaleDetail } from "../sales/sale-detail.tsx";
import type { ReceiptCode } from "../scanner/receipt-code.ts";
import { useShop } from "../session.tsx";
import { shopKey } from "../shop/client.ts";
import { useWords } from "../words/index.ts";

/** A receipt that a customer brought back: shown, refunded or printed again over the sale. */
export function ReceiptSheet({
	asked,
	chooseRef,
	onClose,
}: {
	asked: ReceiptCode;
	chooseRef: Ref<ChooseProduct>;
	onClose(): void;
}) {
	const { say } = useWords();
	const { shop, session } = useShop();
	const { businessId } = session.user;
	const isOthers = "saleId" in asked && asked.businessId !== businessId;
	const { data, error, isPending } = useQuery({
		queryKey: [shopKey, "receipt", asked],
		queryFn: () => findByReceipt(shop, asked),
		enabled: !isOthers,
		networkMode: "always",
		retry: false,
	});
	const number = "number" in asked ? asked.number : data?.receiptNumber;
	const isMissing = isOthers || data === null;
	return (
		<Sheet
			place="goods"
			title={number ?? say("receipt.number")}
			onClose={onClose}
		>
			<LoadError error={error} />
			{isPending && !isOthers && <Busy />}
			{data && <SaleDetail sale={data} chooseRef={chooseRef} />}
			{isMissing && (
				<Empty
					Icon={ReceiptText}
					hue={9}
					title={say(isOthers ? "till.receiptOthers" : "till.receiptMissing")}
				/>
			)}
		</Sheet>
	);
}
