import type { Words } from "../words/index.ts";

export const salesWords = {
	"sales.none": { en: "No sales yet", sw: "Bado hakuna mauzo" },
	"sales.noneFound": { en: "No sale found", sw: "Hakuna mauzo yaliyopatikana" },
	"sales.arriving": {
		en: "Older sales are still arriving on this till. Sell as usual; lists and figures will soon be complete.",
		sw: "Mauzo ya zamani bado yanaingia kwenye till hii. Endelea kuuza; orodha na takwimu zitakamilika karibuni.",
	},
	"sales.void": { en: "Void", sw: "Batilisha" },
	"sales.refund": { en: "Refund", sw: "Rudisha pesa" },
	"sales.reason": { en: "Reason", sw: "Sababu" },
	"sales.restock": {
		en: "Put the goods back in stock",
		sw: "Rudisha bidhaa kwenye akiba",
	},
	"sales.voidSure": {
		en: "Void the whole sale?",
		sw: "Batilisha mauzo yote?",
	},
	"sales.totals": {
		en: "{{count}} sold, {{amount}} in total",
		sw: "Mauzo {{count}}, jumla {{amount}}",
	},
	"sales.search": {
		en: "Receipt, product, amount or note",
		sw: "Risiti, bidhaa, kiasi au maelezo",
	},
	"sales.time": { en: "Time", sw: "Saa" },
	"sales.items": { en: "Items", sw: "Bidhaa" },
	"sales.cashier": { en: "Cashier", sw: "Mhudumu" },
	"sales.method": { en: "Paid by", sw: "Njia ya malipo" },
	"sales.count_one": { en: "{{count}} sale", sw: "Mauzo {{count}}" },
	"sales.count_other": { en: "{{count}} sales", sw: "Mauzo {{count}}" },
	"sales.voided": { en: "Voided", sw: "Imebatilishwa" },
	"sales.partlyRefunded": {
		en: "Partly refunded",
		sw: "Pesa kiasi zimerudishwa",
	},
	"sales.takeAway": { en: "Remove: {{filter}}", sw: "Ondoa: {{filter}}" },
	"sales.showAll": { en: "Show all sales", sw: "Onyesha mauzo yote" },
	"sales.openTill": { en: "Open the till", sw: "Fungua kaunta" },
	"sales.back.CASH": {
		en: "{{amount}} goes back in cash.",
		sw: "Mrudishie mteja {{amount}} taslimu.",
	},
	"sales.back.MPESA": {
		en: "{{amount}} goes back by M-PESA.",
		sw: "Mrudishie mteja {{amount}} kwa M-PESA.",
	},
	"sales.back.CARD": {
		en: "{{amount}} goes back to the card.",
		sw: "Mrudishie mteja {{amount}} kwenye kadi.",
	},
	"sales.back.asPaid": {
		en: "{{amount}}: what was lent is owed no more, the rest is given back",
		sw: "{{amount}}: mkopo unafutwa kwanza, kinachobaki kinarudishwa",
	},
	"sales.backBy": { en: "Give back by", sw: "Rudisha kwa" },
	"sales.backAsPaid": { en: "As it was paid", sw: "Kama ilivyolipwa" },
	"sales.back.other": {
		en: "{{amount}} goes back as it was paid: {{method}}.",
		sw: "Mrudishie mteja {{amount}} kama alivyolipa: {{method}}.",
	},
	"sales.reasons": { en: "Often", sw: "Mara nyingi" },
	"sales.reasonReturned": { en: "Returned", sw: "Imerudishwa na mteja" },
	"sales.reasonDamaged": { en: "Damaged", sw: "Imeharibika" },
	"sales.reasonMistake": { en: "Mistake", sw: "Kosa" },
	"sales.offline": {
		en: "The history is on the server, which can't be reached now.",
		sw: "Historia iko kwenye seva, ambayo haipatikani sasa.",
	},

	"history.from": { en: "From", sw: "Kuanzia" },
	"history.to": { en: "To", sw: "Hadi" },
	"day.any": { en: "Any day", sw: "Siku yoyote" },
	"day.before": { en: "The month before", sw: "Mwezi uliopita" },
	"day.after": { en: "The month after", sw: "Mwezi unaofuata" },
} satisfies Words;
