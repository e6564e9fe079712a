import type { Words } from "../words/index.ts";

export const taxesWords = {
	"taxes.title": { en: "Tax", sw: "Kodi" },
	"taxes.lead": {
		en: "Receipts and reports can show the tax in your prices. Start with a country's classes, or add your own.",
		sw: "Risiti na ripoti zinaweza kuonyesha kodi iliyo ndani ya bei. Anza na madaraja ya nchi, au ongeza yako.",
	},
	"taxes.check": {
		en: "Ask your accountant which classes and rates are yours.",
		sw: "Muulize mhasibu wako madaraja na viwango vinavyokuhusu.",
	},
	"taxes.add": { en: "Add a tax class", sw: "Ongeza daraja la kodi" },
	"taxes.named": { en: "{{id}}: {{name}}", sw: "{{id}}: {{name}}" },
	"taxes.code": { en: "Letter", sw: "Herufi" },
	"taxes.name": { en: "Name", sw: "Jina" },
	"taxes.kind": { en: "Kind", sw: "Aina" },
	"taxes.kind.standard": { en: "Standard rate", sw: "Kiwango cha kawaida" },
	"taxes.kind.reduced": { en: "Reduced rate", sw: "Kiwango kilichopunguzwa" },
	"taxes.kind.zero": { en: "Zero-rated", sw: "Kiwango cha sifuri" },
	"taxes.kind.exempt": { en: "Exempt", sw: "Imesamehewa kodi" },
	"taxes.percent": { en: "{{rate}}%", sw: "{{rate}}%" },
	"taxes.rate": { en: "Percent", sw: "Asilimia" },
	"taxes.byMethod": { en: "Not in cash", sw: "Bila fedha taslimu" },
	"taxes.byMethodNote": {
		en: "Fill in “Not in cash” only if sales paid by M-PESA or card bear another rate. A sale that is split with cash, or on credit, bears the first.",
		sw: "Jaza “Bila fedha taslimu” ikiwa tu mauzo yanayolipwa kwa M-PESA au kadi yana kiwango kingine. Mauzo yenye fedha taslimu kidogo, au ya mkopo, yana kiwango cha kwanza.",
	},
	"taxes.from": { en: "From", sw: "Kuanzia" },
	"taxes.addRate": { en: "Another rate", sw: "Kiwango kingine" },
	"taxes.removeRate": {
		en: "Remove the rate {{rate}}",
		sw: "Ondoa kiwango {{rate}}",
	},
	"taxes.soldStay": {
		en: "What was sold keeps its rate.",
		sw: "Kilichouzwa hubaki na kiwango chake.",
	},
	"taxes.usual": { en: "Most goods", sw: "Bidhaa nyingi" },
	"taxes.none": { en: "No tax", sw: "Bila kodi" },
	"taxes.adds": {
		en: "Prices are without tax",
		sw: "Bei hazina kodi",
	},
	"taxes.addsNote": {
		en: "The till adds the tax to each price. Off: prices include it.",
		sw: "Kaunta huongeza kodi kwenye kila bei. Ikizimwa: bei zina kodi ndani.",
	},
	"taxes.ofProduct": { en: "Tax class", sw: "Daraja la kodi" },
	"taxes.ofCategory": {
		en: "Tax class of {{name}}",
		sw: "Daraja la kodi la {{name}}",
	},
	"taxes.asCategory": {
		en: "That of the category or the shop",
		sw: "La aina au la duka",
	},
	"taxes.asShop": { en: "That of the shop", sw: "La duka" },
	"taxes.report": { en: "Tax", sw: "Kodi" },
	"taxes.class": { en: "Class", sw: "Daraja" },
	"taxes.net": { en: "Without tax", sw: "Bila kodi" },
	"taxes.tax": { en: "Tax", sw: "Kodi" },
	"taxes.gross": { en: "With tax", sw: "Pamoja na kodi" },
	"taxes.refunded": { en: "Refunds", sw: "Marejesho" },
	"taxes.back": {
		en: "{{gross}}, tax {{tax}}",
		sw: "{{gross}}, kodi {{tax}}",
	},
	"taxes.without": { en: "No class", sw: "Bila daraja" },
	"taxes.included": {
		en: "Tax {{taxClass}} {{percent}} on {{net}}",
		sw: "Kodi {{taxClass}} {{percent}} ya {{net}}",
	},
	"taxes.total": { en: "Less refunds", sw: "Baada ya marejesho" },

	"refused.tax.set": { en: "Tax class", sw: "Daraja la kodi" },
} satisfies Words;
