import { useMemo } from "react";
import type { Customer } from "../../../sync/entities/customer.ts";
import { toStatement } from "../../../sync/receipts/statement-document.ts";
import { receiptLanguageOf } from "../../../sync/receipts/words/index.ts";
import { PrintedView } from "../receipts/printed-view.tsx";
import { useAnswer } from "../shop/use-shop-data.ts";
import { useWords } from "../words/index.ts";

/** A customer's account as it is printed and sent. */
export function StatementView({
	customer: { id, phone },
}: {
	customer: Customer;
}) {
	const { language } = useWords();
	const { data, error } = useAnswer("customer.statement", { id });
	const statement = useMemo(
		() =>
			data &&
			toStatement(data, receiptLanguageOf(data.business.language, language)),
		[data, language],
	);
	return <PrintedView receipt={statement} phone={phone} error={error} />;
}
