import { useQuery } from "@tanstack/react-query";
import { ReceiptText } from "lucide-react";
import type { Sale } from "../../../sync/entities/sale.ts";
import { ShopError } from "../../../sync/protocol/errors.ts";
import { Busy } from "../components/busy.tsx";
import { Empty } from "../components/empty.tsx";
import { LoadError } from "../components/load-error.tsx";
import { Sheet } from "../components/sheet.tsx";
import { SaleDetail } from "../sales/sale-detail.tsx";
import { useShop } from "../session.tsx";
import { type ShopClient, shopKey } from "../shop/client.ts";
import { useWords } from "../words/index.ts";
import type { ReceiptCode } from "./receipt-code.ts";

/** A receipt that a customer brought back: shown, refunded or printed again over the sale. */
export function ReceiptSheet({
	asked,
	onClose,
}: {
	asked: ReceiptCode;
	onClose(): void;
}) {
	const { say } = useWords();
	const { shop, session } = useShop();
	const { businessId } = session.user;
	const isOthers = "saleId" in asked && asked.businessId !== businessId;
	const { data, error, isPending } = useQuery({
		queryKey: [shopKey, "receipt", asked],
		queryFn: () => findSale(shop, asked),
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
			{data && <SaleDetail sale={data} />}
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

/** @returns null if this till has no such sale */
async function findSale(
	shop: ShopClient,
	asked: ReceiptCode,
): Promise<Sale | null> {
	if ("saleId" in asked)
		return shop.ask("sale.get", { id: asked.saleId }).catch(nullIfMissing);
	let after: string | undefined;
	// The newest first: what comes back was sold lately.
	do {
		const { rows, next } = await shop.ask("sale.history", {
			search: asked.number,
			limit: 20,
			...(after !== undefined && { after }),
		});
		const found = rows.find((sale) => sale.receiptNumber === asked.number);
		if (found) return found;
		after = next ?? undefined;
	} while (after !== undefined);
	return null;
}

function nullIfMissing(error: unknown): null {
	if (error instanceof ShopError && error.code === "not_found") return null;
	throw error;
}
