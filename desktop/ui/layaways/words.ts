import type { Words } from "../words/index.ts";

export const layawaysWords = {
	"layaways.title": { en: "Kept goods", sw: "Zilizowekwa" },
	"layaways.none": {
		en: "Nothing is kept for customers. At the till, a customer's goods can be put aside while they pay in parts.",
		sw: "Hakuna bidhaa zilizowekewa wateja. Kwenye kaunta, bidhaa zinaweza kuwekwa mteja akilipa kidogo kidogo.",
	},
	"layaways.keep": { en: "Keep for a customer", sw: "Mwekee mteja" },
	"layaways.who": { en: "For whom?", sw: "Kwa nani?" },
	"layaways.due": { en: "To be paid by", sw: "Mwisho wa kulipa" },
	"layaways.noNote": {
		en: "The note is not kept with the goods: {{note}}",
		sw: "Maelezo hayahifadhiwi pamoja na bidhaa: {{note}}",
	},
	"layaways.dueOn": { en: "Due {{day}}", sw: "Mwisho {{day}}" },
	"layaways.overdue": {
		en: "Overdue since {{day}}",
		sw: "Imechelewa tangu {{day}}",
	},
	"layaways.paid": {
		en: "{{paid}} of {{total}} paid",
		sw: "Amelipa {{paid}} kati ya {{total}}",
	},
	"layaways.left": { en: "Left to pay", sw: "Bado kulipa" },
	"layaways.deposit": { en: "Take a deposit", sw: "Pokea malipo ya awali" },
	"layaways.handOver": { en: "Hand over", sw: "Mkabidhi bidhaa" },
	"layaways.slip": { en: "Receipt", sw: "Risiti" },
	"layaways.cancel": { en: "Back on sale", sw: "Rudisha kuuzwa" },
	"layaways.cancelAsked": {
		en: "What was paid stays the customer's credit until you pay it out.",
		sw: "Alicholipa kinabaki akiba ya mteja hadi umrudishie.",
	},
	"layaways.payout": { en: "Pay money back", sw: "Mrudishie pesa" },
	"layaways.state.completed": { en: "Handed over", sw: "Zimekabidhiwa" },
	"layaways.state.cancelled": { en: "Cancelled", sw: "Imeghairiwa" },
	"layaways.kept": {
		en: "Kept for customers: {{quantity}}",
		sw: "Zilizowekewa wateja: {{quantity}}",
	},

	"refused.layaway.create": {
		en: "Goods kept for a customer",
		sw: "Bidhaa alizowekewa mteja",
	},
	"refused.layaway.cancel": {
		en: "Cancelled layaway",
		sw: "Uwekaji ulioghairiwa",
	},
	"refused.payment.payout": {
		en: "Money paid back to a customer",
		sw: "Pesa alizorudishiwa mteja",
	},
} satisfies Words;
