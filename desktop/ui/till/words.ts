import type { Words } from "../words/index.ts";

export const tillWords = {
	"till.search": { en: "Search or scan", sw: "Tafuta au skani" },
	"till.all": { en: "All", sw: "Zote" },
	"till.none": { en: "No product found", sw: "Hakuna bidhaa iliyopatikana" },
	"till.noneYet": { en: "No products yet", sw: "Bado hakuna bidhaa" },
	"till.addFirst": {
		en: "Add the first product",
		sw: "Ongeza bidhaa ya kwanza",
	},
	"till.notYet": {
		en: "Nothing to sell yet. The products come from the server, which can't be reached now.",
		sw: "Bado hakuna cha kuuza. Bidhaa hutoka kwa seva, ambayo haipatikani sasa.",
	},
	"till.coming": {
		en: "Downloading products from the server…",
		sw: "Bidhaa zinapakuliwa kutoka kwa seva…",
	},
	"till.cart": { en: "Sale", sw: "Mauzo" },
	"till.empty": {
		en: "Scan, search or tap a product to begin.",
		sw: "Skani, tafuta au gusa bidhaa ili kuanza.",
	},
	"till.pay": { en: "Pay", sw: "Lipa" },
	"till.hold": { en: "Hold", sw: "Weka kando" },
	"till.held_one": {
		en: "{{count}} held sale",
		sw: "Mauzo {{count}} yamewekwa kando",
	},
	"till.held_other": {
		en: "{{count}} held sales",
		sw: "Mauzo {{count}} yamewekwa kando",
	},
	"till.clear": { en: "Clear", sw: "Futa" },
	"till.cleared": { en: "Sale cleared", sw: "Mauzo yamefutwa" },
	"till.removed": { en: "{{name}} removed", sw: "{{name}} imeondolewa" },
	"till.note": { en: "Note", sw: "Maelezo" },
	"till.total": { en: "Total", sw: "Jumla" },
	"till.items_one": { en: "{{count}} line", sw: "Mstari {{count}}" },
	"till.items_other": { en: "{{count}} lines", sw: "Mistari {{count}}" },
	"till.quantity": { en: "Quantity", sw: "Idadi" },
	"till.price": { en: "Price", sw: "Bei" },
	"till.remove": { en: "Remove", sw: "Ondoa" },
	"till.more": { en: "One more", sw: "Ongeza moja" },
	"till.less": { en: "One less", sw: "Punguza moja" },
	"till.discount": { en: "Discount", sw: "Punguzo" },
	"till.percent": { en: "Per cent off", sw: "Asilimia ya punguzo" },
	"till.apply": { en: "Apply", sw: "Tumia" },
	"till.doubt": {
		en: "That is an unusually large quantity. Is it right?",
		sw: "Idadi hii ni kubwa kuliko kawaida. Je, ni sahihi?",
	},
	"till.doubtNo": {
		en: "No, keep {{quantity}}",
		sw: "Hapana, acha {{quantity}}",
	},
	"till.doubtYes": { en: "Yes, {{quantity}}", sw: "Ndiyo, {{quantity}}" },
	"till.left": { en: "{{count}} left", sw: "Zimebaki {{count}}" },
	"till.out": { en: "None left", sw: "Zimeisha" },
	"till.below": {
		en: "More than there is in stock. You can still sell it.",
		sw: "Ni zaidi ya zilizopo. Bado unaweza kuuza.",
	},
	"till.unpriced": {
		en: "No price yet. Type one.",
		sw: "Bado haina bei. Andika bei yake.",
	},
	"till.unknown": {
		en: "No product has the code {{code}}",
		sw: "Hakuna bidhaa yenye msimbo {{code}}",
	},
	"till.misread": {
		en: "{{code}} was misread: its check digit is wrong. Scan it again.",
		sw: "{{code}} haikusomwa vizuri: tarakimu ya ukaguzi si sahihi. Skani tena.",
	},
	"till.shortcuts": { en: "Keyboard shortcuts", sw: "Njia za mkato za kibodi" },
	"till.keySearch": { en: "Search", sw: "Tafuta" },
	"till.keyAdd": {
		en: "Add the first product found",
		sw: "Ongeza bidhaa ya kwanza iliyopatikana",
	},
	"till.keyPay": { en: "Pay", sw: "Lipa" },
	"till.keyHold": { en: "Hold the sale", sw: "Weka mauzo kando" },
	"till.keyHelp": { en: "This help", sw: "Msaada huu" },
	"till.keyNext": { en: "Next sale", sw: "Mauzo mapya" },
	"till.unknownAsk": {
		en: "No product has the code {{code}}. Ask the owner or a manager to add it.",
		sw: "Hakuna bidhaa yenye msimbo {{code}}. Mwombe mmiliki au meneja aiongeze.",
	},

	"item.new": { en: "New item", sw: "Kitu kipya" },
	"item.open": {
		en: "Item without a product",
		sw: "Kitu kisicho kwenye orodha",
	},
	"item.priceOf": { en: "Price of {{name}}", sw: "Bei ya {{name}}" },
	"item.sellOnce": { en: "Sell once", sw: "Uza mara moja" },
	"item.sellAndKeep": { en: "Sell and keep", sw: "Uza na uhifadhi" },
	"item.sellTyped": {
		en: "Sell “{{name}}” without a product",
		sw: "Uza “{{name}}” bila bidhaa",
	},
	"item.nameMissing": { en: "Type a name.", sw: "Andika jina." },
	"item.priceMissing": {
		en: "Type a price greater than 0.",
		sw: "Andika bei zaidi ya 0.",
	},
	"item.priceTooLarge": {
		en: "This price is too large.",
		sw: "Bei hii ni kubwa mno.",
	},

	"pay.title": { en: "Payment", sw: "Malipo" },
	"pay.CASH": { en: "Cash", sw: "Taslimu" },
	"pay.MPESA": { en: "M-Pesa", sw: "M-Pesa" },
	"pay.CARD": { en: "Card", sw: "Kadi" },
	"pay.tendered": { en: "Cash received", sw: "Pesa iliyopokelewa" },
	"pay.change": { en: "Change", sw: "Chenji" },
	"pay.short": { en: "Short by", sw: "Imepungua" },
	"pay.exact": { en: "Exact", sw: "Kamili" },
	"pay.unpriced": {
		en: "No price, will be sold for 0: {{names}}",
		sw: "Hazina bei, zitauzwa kwa 0: {{names}}",
	},
	"pay.shortAsked": {
		en: "{{amount}} short. Sell anyway for what was paid?",
		sw: "Imepungua {{amount}}. Uuze kwa kiasi kilicholipwa?",
	},
	"pay.nothing": {
		en: "Type the cash received, or leave it empty for the exact amount.",
		sw: "Andika pesa iliyopokelewa, au acha wazi kwa kiasi kamili.",
	},
	"pay.back": { en: "Go back", sw: "Rudi" },
	"pay.anyway": { en: "Sell anyway", sw: "Uza hivyo hivyo" },
	"pay.reference": { en: "Reference", sw: "Kumbukumbu" },
	"pay.paidTooLarge": {
		en: "The cash received is too large. Check the amount.",
		sw: "Pesa iliyopokelewa ni kubwa mno. Angalia kiasi hicho.",
	},
	"pay.notesTooLong": {
		en: "The note and the reference are too long. Shorten one of them.",
		sw: "Maelezo na kumbukumbu ni marefu mno. Fupisha mojawapo.",
	},
	"pay.lineTooLarge": {
		en: "A quantity or a price in this sale is too large. Check the lines.",
		sw: "Idadi au bei katika mauzo haya ni kubwa mno. Angalia mistari.",
	},
	"pay.totalTooLarge": {
		en: "The total is too large. Check the quantities and prices.",
		sw: "Jumla ni kubwa mno. Angalia idadi na bei.",
	},
	"pay.tooManyLines": {
		en: "A sale can have {{count}} lines at most. Sell the rest in a second sale.",
		sw: "Mauzo yanaweza kuwa na mistari {{count}} tu. Uza iliyobaki katika mauzo mengine.",
	},
	"pay.cartTaken": {
		en: "This sale continued in another window.",
		sw: "Mauzo haya yameendelea katika dirisha jingine.",
	},
	"pay.complete": { en: "Complete sale", sw: "Kamilisha mauzo" },
	"pay.done": { en: "Sale complete", sw: "Mauzo yamekamilika" },
	"pay.saved": { en: "Saved on this till", sw: "Imehifadhiwa hapa" },
	"pay.sent": { en: "On the server", sw: "Iko kwenye seva" },
	"pay.refused": { en: "Needs attention", sw: "Inahitaji kuangaliwa" },
	"pay.print": { en: "Print", sw: "Chapisha" },
	"pay.next": { en: "Next sale", sw: "Mauzo mapya" },

	"refused.sale.create": { en: "Sale", sw: "Mauzo" },
	"refused.sale.refund": { en: "Refund", sw: "Marejesho" },
	"refused.sale.void": { en: "Voided sale", sw: "Mauzo yaliyobatilishwa" },
} satisfies Words;
