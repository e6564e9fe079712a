import type { Words } from "../words/index.ts";

export const startWords = {
	"start.title": { en: "What do you sell?", sw: "Unauza nini?" },
	"start.lead": {
		en: "Start with twenty things. The rest comes as you sell.",
		sw: "Anza na vitu ishirini. Vingine utaongeza ukiuza.",
	},
	"start.isOpen": { en: "{{name}} is open", sw: "{{name}} limefunguliwa" },
	"start.back": { en: "Other ways", sw: "Njia nyingine" },
	"start.done": { en: "Go to the till", sw: "Nenda kwenye kaunta" },
	"start.list": { en: "Bring a list", sw: "Leta orodha" },
	"start.listLead": {
		en: "From Excel, Loyverse, Square, Shopify or WooCommerce. Names, prices, codes and stock are found by themselves.",
		sw: "Kutoka Excel, Loyverse, Square, Shopify au WooCommerce. Majina, bei, misimbo na akiba hupatikana vyenyewe.",
	},
	"start.shelf": { en: "Scan your shelf", sw: "Skani rafu yako" },
	"start.shelfLead": {
		en: "Walk along it with the scanner. Scan a thing, say its name and price, and take the next. It works without the internet.",
		sw: "Ipitie kwa skana. Skani kitu, andika jina na bei, kisha kinachofuata. Hufanya kazi hata bila mtandao.",
	},
	"start.shelfGo": { en: "Start scanning", sw: "Anza kuskani" },
	"start.demo": { en: "Look around first", sw: "Tazama kwanza" },
	"start.demoLead": {
		en: "A shop with {{products}} products and three months of sales, to try everything. Your own shop stays as it is.",
		sw: "Duka lenye bidhaa {{products}} na mauzo ya miezi mitatu, ujaribu kila kitu. Duka lako litabaki lilivyo.",
	},
	"start.demoGo": { en: "Open the example", sw: "Fungua mfano" },
	"start.demoReturn": {
		en: "To come back to your own shop, sign out and sign in again.",
		sw: "Ili kurudi kwenye duka lako, toka kisha uingie tena.",
	},
	"start.or": { en: "or", sw: "au" },
	"start.empty": {
		en: "start with an empty till",
		sw: "anza na kaunta tupu",
	},

	"shelf.code": { en: "Code", sw: "Msimbo" },
	"shelf.scanFirst": {
		en: "Scan the first thing, or type its code.",
		sw: "Skani kitu cha kwanza, au andika msimbo wake.",
	},
	"shelf.scanNext": {
		en: "Scan the next thing, or type its code.",
		sw: "Skani kitu kinachofuata, au andika msimbo wake.",
	},
	"shelf.noCode": { en: "It has no code", sw: "Haina msimbo" },
	"shelf.known": {
		en: "Already in your shop. Change its price, or scan the next thing.",
		sw: "Tayari iko dukani kwako. Badilisha bei yake, au skani kitu kinachofuata.",
	},
	"shelf.giveCode": {
		en: "In your shop without a code. Give it this one:",
		sw: "Iko dukani bila msimbo. Ipe msimbo huu:",
	},
	"shelf.next": { en: "Keep, and next", sw: "Hifadhi, kisha kinachofuata" },
	"shelf.misread": {
		en: "Half a code. Scan again.",
		sw: "Msimbo haujakamilika. Skani tena.",
	},
	"shelf.finish": {
		en: "Give this one a name and a price first.",
		sw: "Kwanza kipe hiki jina na bei.",
	},
	"shelf.nameMissing": { en: "Type its name.", sw: "Andika jina lake." },
	"shelf.priceMissing": {
		en: "Type a price greater than 0.",
		sw: "Andika bei iliyo zaidi ya 0.",
	},
	"shelf.priceTooLarge": {
		en: "This price is too large.",
		sw: "Bei hii ni kubwa mno.",
	},
	"shelf.kept_one": {
		en: "{{count}} thing kept",
		sw: "Kitu {{count}} kimehifadhiwa",
	},
	"shelf.kept_other": {
		en: "{{count}} things kept",
		sw: "Vitu {{count}} vimehifadhiwa",
	},
	"shelf.undo": { en: "Undo: {{name}}", sw: "Rudisha: {{name}}" },
} satisfies Words;
