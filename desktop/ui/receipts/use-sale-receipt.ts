import { useMemo } from "react";
import {
	type ReceiptDocument,
	toDocument,
} from "../../../sync/receipts/receipt-document.ts";
import { useShop } from "../session.tsx";
import { useBusiness } from "../shop/business.tsx";
import { useServerAddress } from "../shop/till.ts";
import type { CompletedSale } from "../till/sale.ts";
import { useWords } from "../words/index.ts";
import { receiptOptions } from "./receipt-options.ts";
import { toReceipt } from "./sale-receipt.ts";

interface SaleReceipt {
	shown: ReceiptDocument;
	printed: ReceiptDocument;
}

/** The receipt of a sale just made here, on screen and on paper; undefined until the shop's settings are loaded. */
export function useSaleReceipt(
	sale: CompletedSale,
	isCopy: boolean,
): SaleReceipt | undefined {
	const { session, cashier } = useShop();
	const { language } = useWords();
	const server = useServerAddress();
	const business = useBusiness();
	const { name } = cashier ?? session.user;
	// biome-ignore lint/correctness/useExhaustiveDependencies: the options follow the till's language.
	return useMemo(() => {
		if (!business) return undefined;
		const receipt = toReceipt(sale, business, name);
		const documentOf = (isCopy: boolean) =>
			toDocument(receipt, receiptOptions(receipt, { server, isCopy }));
		const shown = documentOf(false);
		return { shown, printed: isCopy ? documentOf(true) : shown };
	}, [sale, business, name, server, isCopy, language]);
}
