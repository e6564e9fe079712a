import type { Words } from "../words/index.ts";

export const inboxWords = {
	"inbox.none": { en: "Nothing to sort out.", sw: "Hakuna cha kushughulikia." },
	"inbox.oversold": {
		en: "Sold {{quantity}} more than was in stock",
		sw: "Imeuzwa {{quantity}} zaidi ya zilizokuwepo",
	},
	"inbox.old_price": {
		en: "Sold at an old price",
		sw: "Imeuzwa kwa bei ya zamani",
	},
	"inbox.unknown_product": {
		en: "Sold an unknown product",
		sw: "Imeuzwa bidhaa isiyojulikana",
	},
	"inbox.inactive_product": {
		en: "Sold a product that is no longer sold",
		sw: "Imeuzwa bidhaa isiyouzwa tena",
	},
	"inbox.uncountable_stock": {
		en: "Stock is too large to count. Correct it.",
		sw: "Idadi ya akiba ni kubwa mno kuhesabika. Irekebishe.",
	},
	"inbox.clock": {
		en: "The till's clock or date was wrong",
		sw: "Saa au tarehe ya kaunta haikuwa sahihi",
	},
	"refused.inbox.dismiss": {
		en: "Something sorted out",
		sw: "Jambo lililoshughulikiwa",
	},
	"refused.inbox.reopen": {
		en: "Something to sort out again",
		sw: "Jambo la kushughulikia tena",
	},
	"inbox.stake": { en: "{{amount}} at stake", sw: "{{amount}} hatarini" },
} satisfies Words;
