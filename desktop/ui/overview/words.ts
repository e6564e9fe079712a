import type { Words } from "../words/index.ts";

export const overviewWords = {
	"letter.took": {
		en: "You took {{amount}} today.",
		sw: "Umeuza {{amount}} leo.",
	},
	"letter.tookMore": {
		en: "You took {{amount}}, {{percent}} more than by now on a usual {{weekday}}.",
		sw: "Umeuza {{amount}}, {{percent}} zaidi ya {{weekday}} ya kawaida kufikia saa hii.",
	},
	"letter.tookLess": {
		en: "You took {{amount}}, {{percent}} less than by now on a usual {{weekday}}.",
		sw: "Umeuza {{amount}}, {{percent}} pungufu ya {{weekday}} ya kawaida kufikia saa hii.",
	},
	"letter.tookTimes": {
		en: "You took {{amount}}, {{times}} times what a usual {{weekday}} has brought by now.",
		sw: "Umeuza {{amount}}, mara {{times}} ya {{weekday}} ya kawaida kufikia saa hii.",
	},
	"letter.tookUsual": {
		en: "You took {{amount}}, about as much as by now on a usual {{weekday}}.",
		sw: "Umeuza {{amount}}, karibu sawa na {{weekday}} ya kawaida kufikia saa hii.",
	},
	"letter.nothing": { en: "No sale yet today.", sw: "Bado hakuna mauzo leo." },
	"letter.nothingUsual": {
		en: "No sale yet today. By now a usual {{weekday}} has brought {{usual}}.",
		sw: "Bado hakuna mauzo leo. Kufikia saa hii {{weekday}} ya kawaida huleta {{usual}}.",
	},
	"letter.ranOut_one": {
		en: "{{names}} ran out at {{time}}.",
		sw: "{{names}} imeisha saa {{time}}.",
	},
	"letter.ranOut_other": {
		en: "{{names}} ran out.",
		sw: "{{names}} zimeisha.",
	},

	"cause.ranOut": {
		en: "{{name}} ran out at {{time}}. On a usual {{weekday}}, {{quantity}} more are sold after that.",
		sw: "{{name}} imeisha saa {{time}}. {{weekday}} ya kawaida, {{quantity}} zaidi huuzwa baada ya hapo.",
	},
	"cause.sales": {
		en: "{{today}} sales, usually {{usual}} by now",
		sw: "Mauzo {{today}}, kwa kawaida {{usual}} kufikia saa hii",
	},
	"cause.basket": {
		en: "{{today}} a sale, usually {{usual}}",
		sw: "{{today}} kwa kila mauzo, kwa kawaida {{usual}}",
	},

	"order.title": { en: "To order", sw: "Ya kuagiza" },
	"order.line": {
		en: "{{left}} left, {{perDay}} sold a day",
		sw: "Zimebaki {{left}}, huuzwa {{perDay}} kwa siku",
	},
	"order.lineOut": {
		en: "None left, {{perDay}} sold a day",
		sw: "Zimeisha, huuzwa {{perDay}} kwa siku",
	},
	"order.send": { en: "Send the order", sw: "Tuma oda" },
	"order.head": {
		en: "Order of {{shop}}, {{day}}:",
		sw: "Oda ya {{shop}}, {{day}}:",
	},
	"order.copy": { en: "Copy", sw: "Nakili" },
	"order.copied": { en: "Copied", sw: "Imenakiliwa" },
	"order.for": { en: "Order for", sw: "Oda ya nani" },
	"order.all": { en: "All", sw: "Zote" },
	"order.others": { en: "Others", sw: "Nyingine" },
	"order.share": { en: "Share", sw: "Shiriki" },

	"odd.title": { en: "Also worth a minute", sw: "Pia angalia haya" },
	"odd.underCost": {
		en: "{{name}} was sold under cost",
		sw: "{{name}} imeuzwa chini ya bei ya kununua",
	},
	"odd.underCostHow": {
		en: "Sold for {{price}}, bought for {{cost}}",
		sw: "Imeuzwa {{price}}, ilinunuliwa {{cost}}",
	},
	"odd.discount": {
		en: "{{name}} was sold at a large discount",
		sw: "{{name}} imeuzwa kwa punguzo kubwa",
	},
	"odd.discountHow": {
		en: "{{price}} instead of {{listPrice}}",
		sw: "{{price}} badala ya {{listPrice}}",
	},
	"odd.refunds_one": {
		en: "{{count}} refund today",
		sw: "Marejesho {{count}} leo",
	},
	"odd.refunds_other": {
		en: "{{count}} refunds today",
		sw: "Marejesho {{count}} leo",
	},
	"odd.refundsHow": {
		en: "That is a lot for what was sold",
		sw: "Ni mengi kwa mauzo ya leo",
	},
	"odd.quietSince": {
		en: "No sale since {{time}}",
		sw: "Hakuna mauzo tangu saa {{time}}",
	},
	"odd.quietHow_one": {
		en: "Usually {{count}} sale in this time",
		sw: "Kwa kawaida mauzo {{count}} wakati huu",
	},
	"odd.quietHow_other": {
		en: "Usually {{count}} sales in this time",
		sw: "Kwa kawaida mauzo {{count}} wakati huu",
	},

	"report.title": { en: "Figures", sw: "Takwimu" },
	"report.period": { en: "Period", sw: "Kipindi" },
	"period.today": { en: "Today", sw: "Leo" },
	"period.yesterday": { en: "Yesterday", sw: "Jana" },
	"period.week": { en: "This week", sw: "Wiki hii" },
	"period.month": { en: "This month", sw: "Mwezi huu" },
	"period.last30": { en: "Last 30 days", sw: "Siku 30 zilizopita" },
	"period.other": { en: "Other days", sw: "Siku nyingine" },
	"period.empty": { en: "Choose both days.", sw: "Chagua siku zote mbili." },
	"period.order": {
		en: "The last day is before the first.",
		sw: "Siku ya mwisho iko kabla ya ya kwanza.",
	},
	"period.long": {
		en: "Choose at most three years.",
		sw: "Chagua miaka mitatu au chini.",
	},
	"report.revenue": { en: "Revenue", sw: "Mapato" },
	"report.sales": { en: "Sales", sw: "Mauzo" },
	"report.basket": { en: "A sale on average", sw: "Wastani kwa kila mauzo" },
	"report.profit": { en: "Profit", sw: "Faida" },
	"report.quantity": { en: "Sold", sw: "Zilizouzwa" },
	"report.refunded": { en: "Refunds", sw: "Marejesho" },
	"report.discount": { en: "Discounts", sw: "Punguzo" },
	"report.margin": { en: "{{percent}} margin", sw: "{{percent}} ya mapato" },
	"report.marginHead": { en: "Margin", sw: "Faida kwa mia" },
	"report.was": { en: "before {{before}}", sw: "awali {{before}}" },
	"report.before": {
		en: "Before means {{days}}.",
		sw: "Awali ni {{days}}.",
	},
	"report.beforeUntilNow": {
		en: "Before means {{days}}, the last day up to this time of day.",
		sw: "Awali ni {{days}}, siku ya mwisho hadi saa kama hii.",
	},
	"report.withoutCost_one": {
		en: "{{count}} line has no cost ({{amount}}): its profit is not known.",
		sw: "Mstari {{count}} hauna bei ya kununua ({{amount}}): faida yake haijulikani.",
	},
	"report.withoutCost_other": {
		en: "{{count}} lines have no cost ({{amount}}): their profit is not known.",
		sw: "Mistari {{count}} haina bei ya kununua ({{amount}}): faida yake haijulikani.",
	},
	"report.costUnknown": {
		en: "Some were sold without a cost: their profit is not known.",
		sw: "Baadhi hazina bei ya kununua: faida yake haijulikani.",
	},
	"report.methods": {
		en: "How customers paid",
		sw: "Jinsi wateja walivyolipa",
	},
	"report.salesCount_one": { en: "{{count}} sale", sw: "Mauzo {{count}}" },
	"report.salesCount_other": { en: "{{count}} sales", sw: "Mauzo {{count}}" },
	"report.none": { en: "Nothing was sold.", sw: "Hakuna kilichouzwa." },
	"report.categories": { en: "Categories", sw: "Aina za bidhaa" },
	"report.noCategory": { en: "No category", sw: "Bila aina" },
	"report.products": { en: "Products", sw: "Bidhaa" },
	"report.productsOf": { en: "Products: {{name}}", sw: "Bidhaa: {{name}}" },
	"report.openItems": { en: "Open items", sw: "Vitu visivyo kwenye orodha" },
	"report.name": { en: "Name", sw: "Jina" },
	"report.tooLong": {
		en: "Products are listed for 92 days at most.",
		sw: "Bidhaa huonyeshwa kwa siku 92 au chini.",
	},
	"money.title": { en: "Money", sw: "Pesa" },
	"money.books": { en: "For the books", sw: "Kwa uhasibu" },
	"money.all": { en: "In all", sw: "Jumla" },
	"money.noShift": { en: "Without a shift", sw: "Bila zamu" },
	"money.taken": { en: "Taken", sw: "Zilizopokelewa" },
	"money.owed": { en: "Owed", sw: "Mkopo" },
	"money.givenBack": { en: "Given back", sw: "Zilizorudishwa" },
	"money.collected": { en: "Debts paid", sw: "Madeni yaliyolipwa" },
	"money.rounding": { en: "Rounding", sw: "Kukadiria" },
	"chart.hour": { en: "By hour", sw: "Kwa saa" },
	"chart.day": { en: "By day", sw: "Kwa siku" },
	"chart.month": { en: "By month", sw: "Kwa mwezi" },
	"chart.of.hour": { en: "Hour", sw: "Saa" },
	"chart.of.day": { en: "Day", sw: "Siku" },
	"chart.of.month": { en: "Month", sw: "Mwezi" },
	"chart.usual": { en: "Usual", sw: "Kawaida" },

	"first.title": {
		en: "Your figures begin with the first sale.",
		sw: "Takwimu zako huanza na mauzo ya kwanza.",
	},
	"first.text": {
		en: "Three ways to get there:",
		sw: "Njia tatu za kufika hapo:",
	},
	"first.list": { en: "Bring a list", sw: "Leta orodha" },
	"first.scan": { en: "Scan your shelf", sw: "Skani rafu yako" },
	"first.sell": { en: "Make the first sale", sw: "Fanya mauzo ya kwanza" },
} satisfies Words;
