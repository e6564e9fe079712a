import type { Words } from "../words/index.ts";

export const inboxWords = {
	"inbox.none": { en: "All sorted out.", sw: "Kila kitu kimeshughulikiwa." },
	"inbox.count_one": {
		en: "{{count}} thing to look at",
		sw: "Jambo {{count}} la kuangalia",
	},
	"inbox.count_other": {
		en: "{{count}} things to look at",
		sw: "Mambo {{count}} ya kuangalia",
	},
	"inbox.receipts_one": { en: "{{count}} receipt", sw: "Risiti {{count}}" },
	"inbox.receipts_other": { en: "{{count}} receipts", sw: "Risiti {{count}}" },
	"inbox.oversold": {
		en: "{{name}} sold below zero",
		sw: "{{name}} imeuzwa chini ya sifuri",
	},
	"inbox.oversold.detail": {
		en: "The book says {{book}}. Sold {{quantity}} more than it had.",
		sw: "Daftari linasema {{book}}. Zimeuzwa {{quantity}} zaidi ya zilizokuwepo.",
	},
	"inbox.old_price": {
		en: "{{name}} sold at the old price",
		sw: "{{name}} imeuzwa kwa bei ya zamani",
	},
	"inbox.old_price.detail": {
		en: "Sold {{quantity}} at {{soldAt}}; it is {{price}} now.",
		sw: "Zimeuzwa {{quantity}} kwa {{soldAt}}; sasa ni {{price}}.",
	},
	"inbox.unknown_product": {
		en: "{{name}}: not in your products",
		sw: "{{name}}: haipo kwenye bidhaa zako",
	},
	"inbox.unknown_product.detail": {
		en: "Sold {{quantity}} at {{soldAt}}.",
		sw: "Zimeuzwa {{quantity}} kwa {{soldAt}}.",
	},
	"inbox.inactive_product": {
		en: "{{name}} sold, though you stopped selling it",
		sw: "{{name}} imeuzwa, ingawa uliacha kuiuza",
	},
	"inbox.inactive_product.detail": {
		en: "Sold {{quantity}} at {{soldAt}}.",
		sw: "Zimeuzwa {{quantity}} kwa {{soldAt}}.",
	},
	"inbox.uncountable_stock": {
		en: "{{name}}: stock too large to count",
		sw: "{{name}}: akiba ni kubwa mno kuhesabika",
	},
	"inbox.uncountable_stock.detail": {
		en: "The book says {{book}}, and couldn't follow {{quantity}}.",
		sw: "Daftari linasema {{book}}, na {{quantity}} hazikuandikwa.",
	},
	"inbox.over_limit": {
		en: "Lent beyond a limit, or to nobody known",
		sw: "Mkopo umevuka kikomo, au hauna mteja anayejulikana",
	},
	"inbox.over_limit.detail": {
		en: "Look at receipt {{receipt}}: what was lent, and to whom.",
		sw: "Angalia risiti {{receipt}}: kilichokopeshwa, na aliyekopa.",
	},
	"inbox.code_reused": {
		en: "One payment code, two payments",
		sw: "Namba moja ya muamala, malipo mawili",
	},
	"inbox.code_reused.detail": {
		en: "Receipt {{receipt}} has a code that another payment had before.",
		sw: "Risiti {{receipt}} ina namba iliyotumika kwa malipo mengine.",
	},
	"inbox.discount_over_limit": {
		en: "{{name}} sold for less than its seller may",
		sw: "{{name}} imeuzwa chini ya kikomo cha muuzaji",
	},
	"inbox.discount_over_limit.detail": {
		en: "Sold {{quantity}}, the last at {{soldAt}}; it is {{price}} now.",
		sw: "Zimeuzwa {{quantity}}, ya mwisho kwa {{soldAt}}; sasa ni {{price}}.",
	},
	"inbox.open_item_over_limit": {
		en: "Something without a product sold for more than its seller may",
		sw: "Kitu kisicho kwenye orodha kimeuzwa zaidi ya kikomo cha muuzaji",
	},
	"inbox.open_item_over_limit.detail": {
		en: "Look at receipt {{receipt}} for what it was.",
		sw: "Angalia risiti {{receipt}} uone kilikuwa nini.",
	},
	"inbox.void_over_limit": {
		en: "A larger sale was voided than its seller may",
		sw: "Mauzo makubwa yamebatilishwa kupita kikomo",
	},
	"inbox.void_over_limit.detail": {
		en: "Look at receipt {{receipt}} and who voided it.",
		sw: "Angalia risiti {{receipt}} na aliyeibatilisha.",
	},
	"inbox.others_sale_taken_back": {
		en: "Somebody took back another's sale",
		sw: "Mtu amerudisha mauzo ya mwenzake",
	},
	"inbox.others_sale_taken_back.detail": {
		en: "Look at receipt {{receipt}}: who sold it, and who took it back.",
		sw: "Angalia risiti {{receipt}}: nani aliuza, na nani alirudisha.",
	},
	"inbox.drawer_opened": {
		en: "The drawer was opened without a sale",
		sw: "Droo imefunguliwa bila mauzo",
	},
	"inbox.drawer_opened.detail": {
		en: "At {{moment}}, by a person who may not.",
		sw: "{{moment}}, na mtu asiyeruhusiwa.",
	},
	"inbox.bad_approval": {
		en: "An approval that isn't its approver's",
		sw: "Idhini ambayo si ya aliyetajwa",
	},
	"inbox.bad_approval.detail": {
		en: "The approval at {{moment}} has a wrong signature, or covers less than was done. Ask who was at the till.",
		sw: "Idhini ya {{moment}} ina sahihi isiyo sahihi, au haitoshi kwa kilichofanywa. Uliza nani alikuwa kwenye kaunta.",
	},
	"inbox.pin_locked": {
		en: "A PIN was locked after wrong ones",
		sw: "PIN imefungwa baada ya kukosewa",
	},
	"inbox.pin_locked.detail": {
		en: "At {{moment}}. Somebody may be guessing it: ask who was at the till. The log says whose it is.",
		sw: "{{moment}}. Huenda mtu anaikisia: uliza nani alikuwa kwenye kaunta. Kumbukumbu inasema ni ya nani.",
	},
	"inbox.refund_over_limit": {
		en: "More was given back than its seller may",
		sw: "Kimerudishwa zaidi ya kikomo cha muuzaji",
	},
	"inbox.refund_over_limit.detail": {
		en: "Look at receipt {{receipt}} and who took it back.",
		sw: "Tazama risiti {{receipt}} na aliyeirudisha.",
	},
	"inbox.cash_over_limit": {
		en: "More cash was taken out than its taker may",
		sw: "Pesa zimetolewa zaidi ya kikomo cha aliyezitoa",
	},
	"inbox.cash_over_limit.detail": {
		en: "{{moment}}. The log says who, and what for.",
		sw: "{{moment}}. Kumbukumbu inasema nani, na kwa ajili gani.",
	},
	"inbox.late_for_shift": {
		en: "Something came after its shift was counted",
		sw: "Kitu kimefika baada ya zamu kuhesabiwa",
	},
	"inbox.late_for_shift.detail_one": {
		en: "{{count}} entry isn't in the shift's report.",
		sw: "Ingizo {{count}} halimo kwenye ripoti ya zamu.",
	},
	"inbox.late_for_shift.detail_other": {
		en: "{{count}} entries aren't in the shift's report.",
		sw: "Maingizo {{count}} hayamo kwenye ripoti ya zamu.",
	},
	"inbox.drawer_differs": {
		en: "A drawer didn't hold what it should",
		sw: "Droo haikuwa na kiasi kinachotakiwa",
	},
	"inbox.drawer_differs.detail": {
		en: "Counted {{moment}}. Compare it with what was expected, or with what the last shift left.",
		sw: "Imehesabiwa {{moment}}. Linganisha na kilichotarajiwa, au na kilichoachwa na zamu iliyopita.",
	},
	"inbox.figures_differ": {
		en: "A shift's report doesn't match the server",
		sw: "Ripoti ya zamu hailingani na seva",
	},
	"inbox.figures_differ.detail": {
		en: "Its till counted something that the server has otherwise.",
		sw: "Kaunta ilihesabu kitu ambacho seva inacho kwa namna nyingine.",
	},
	"inbox.closed_twice": {
		en: "A shift was counted twice",
		sw: "Zamu imehesabiwa mara mbili",
	},
	"inbox.closed_twice.detail": {
		en: "The first count is its report; the other stands beside it.",
		sw: "Hesabu ya kwanza ndiyo ripoti; nyingine iko kando yake.",
	},
	"inbox.layaway_ended": {
		en: "Kept goods were promised twice",
		sw: "Bidhaa zilizowekwa zimeahidiwa mara mbili",
	},
	"inbox.layaway_ended.detail": {
		en: "Receipt {{receipt}} and another till ended the same layaway. Check the goods and the customer's account.",
		sw: "Risiti {{receipt}} na kaunta nyingine zilimaliza uwekaji uleule. Kagua bidhaa na akaunti ya mteja.",
	},
	"inbox.paid_out_too_much": {
		en: "A customer got more money back than was theirs",
		sw: "Mteja amerudishiwa zaidi ya pesa zake",
	},
	"inbox.paid_out_too_much.detail": {
		en: "Paid out {{moment}}. The customer owes the difference.",
		sw: "Zililipwa {{moment}}. Mteja anadaiwa tofauti hiyo.",
	},
	"inbox.clock": {
		en: "The till's clock or date was wrong",
		sw: "Saa au tarehe ya kaunta haikuwa sahihi",
	},
	"inbox.clock.detail": {
		en: "Receipt {{receipt}} was given the server's date.",
		sw: "Risiti {{receipt}} imepewa tarehe ya seva.",
	},
	"inbox.stake": { en: "{{amount}} at stake", sw: "{{amount}} hatarini" },
	"inbox.priceStake": {
		en: "A difference of {{amount}}",
		sw: "Tofauti ya {{amount}}",
	},
	"inbox.thereAre": { en: "There are", sw: "Zipo" },
	"inbox.setCount": { en: "Set the count", sw: "Weka idadi" },
	"inbox.keep": { en: "Keep as sold", sw: "Iwe kama ilivyouzwa" },
	"inbox.add": { en: "Add to products", sw: "Ongeza kwenye bidhaa" },
	"inbox.sellAgain": { en: "Sell it again", sw: "Iuzwe tena" },
	"inbox.seeShift": { en: "See the shift", sw: "Tazama zamu" },
	"inbox.seeSale": { en: "See the sale", sw: "Tazama mauzo" },
	"inbox.newer": { en: "Newer sale", sw: "Mauzo ya baadaye" },
	"inbox.older": { en: "Older sale", sw: "Mauzo ya awali" },
	"inbox.dismiss": { en: "Nothing to do", sw: "Hakuna la kufanya" },
	"inbox.why": { en: "Why?", sw: "Kwa nini?" },
	"inbox.because.approved": {
		en: "Approved by PIN",
		sw: "Imeidhinishwa kwa PIN",
	},
	"inbox.because.right": { en: "It was right", sw: "Ilikuwa sahihi" },
	"inbox.because.corrected": { en: "Corrected", sw: "Imerekebishwa" },
	"inbox.because.counted": { en: "Counted", sw: "Imehesabiwa" },
	"inbox.otherReason": { en: "Other reason", sw: "Sababu nyingine" },
	"inbox.reason": { en: "Your reason", sw: "Sababu yako" },
	"inbox.sortedOut": { en: "Sorted out", sw: "Imeshughulikiwa" },
	"inbox.done": {
		en: "Sorted out: {{title}}",
		sw: "Imeshughulikiwa: {{title}}",
	},
	"inbox.today": { en: "Sorted out today", sw: "Yaliyoshughulikiwa leo" },
	"inbox.putBack": { en: "Put back", sw: "Rudisha" },
	"refused.inbox.dismiss": {
		en: "Something sorted out",
		sw: "Jambo lililoshughulikiwa",
	},
	"refused.inbox.reopen": {
		en: "Something to sort out again",
		sw: "Jambo la kushughulikia tena",
	},
} satisfies Words;
