import { approvedByPin } from "../../../sync/entities/inbox.ts";
import type { InboxGroup } from "../../../sync/queries/inbox-groups.ts";
import { useFormat } from "../format.ts";
import { useWords, type Word } from "../words/index.ts";
import { knownReasons } from "./sort-out.ts";

/** Whose details name a receipt or a sold line. A layaway, a collection or a payout has none. */
const maybeWithoutSale = [
	"code_reused",
	"discount_over_limit",
	"open_item_over_limit",
	"refund_over_limit",
];

/** Says what a group is about, as a shopkeeper would. */
export function useGroupWords() {
	const { say } = useWords();
	const format = useFormat();
	const price = (value: number | null | undefined) =>
		value == null ? "–" : format.figure(value);

	function title({ cause, product, soldAs, productId }: InboxGroup): string {
		const name = product?.name ?? (soldAs || productId) ?? "";
		return say(`inbox.${cause}`, { name });
	}

	return {
		title,

		detail(group: InboxGroup): string {
			const { cause, items, product, quantity, receiptNumber } = group;
			const moment = format.moment(group.newestAt);
			const isInLog =
				group.saleIds.length === 0 && maybeWithoutSale.includes(cause);
			const told = isInLog ? "cash_over_limit" : cause;
			return say(`inbox.${told}.detail` as Word, {
				count: items,
				book: format.quantity(product?.quantity ?? 0).replace("-", "\u2212"),
				quantity: format.quantity(quantity ?? 0),
				soldAt: price(group.soldAt),
				price: price(product?.sellingPrice),
				receipt: receiptNumber ?? "–",
				moment,
			});
		},

		/** How much the group is about. */
		stake({ cause, moneyAtStake }: InboxGroup): string | undefined {
			if (moneyAtStake === null || moneyAtStake === 0) return undefined;
			const amount = format.money(moneyAtStake);
			return say(cause === "old_price" ? "inbox.priceStake" : "inbox.stake", {
				amount,
			});
		},

		reason(reason: string): string {
			if (reason === approvedByPin) return say("inbox.because.approved");
			const known = knownReasons.find((one) => one === reason);
			return known ? say(`inbox.because.${known}`) : reason;
		},
	};
}
