import type { Words } from "../words/index.ts";

export const salesWords = {
	"sales.none": { en: "No sales yet", sw: "Bado hakuna mauzo" },
	"sales.noneFound": { en: "No sale found", sw: "Hakuna mauzo yaliyopatikana" },
	"sales.void": { en: "Void", sw: "Batilisha" },
	"sales.refund": { en: "Refund", sw: "Rudisha" },
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
	"sales.offline": {
		en: "The history is on the server, which can't be reached now.",
		sw: "Historia iko kwenye seva, ambayo haipatikani sasa.",
	},

	"history.from": { en: "From", sw: "Kuanzia" },
	"history.to": { en: "To", sw: "Hadi" },
} satisfies Words;
