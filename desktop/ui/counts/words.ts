import type { Words } from "../words/index.ts";

export const countsWords = {
	"counts.title": { en: "Counts", sw: "Hesabu za stoki" },
	"counts.none": {
		en: "No counts yet. Count a shelf while you sell: what is sold meanwhile is taken into account.",
		sw: "Bado hakuna hesabu. Hesabu rafu huku ukiuza: kinachouzwa wakati huo kinazingatiwa.",
	},
	"counts.open": { en: "Start a count", sw: "Anza kuhesabu" },
	"counts.begin": { en: "Start", sw: "Anza" },
	"counts.name": { en: "What do you count?", sw: "Unahesabu nini?" },
	"counts.nameExample": { en: "Shelf by the door", sw: "Rafu ya mlangoni" },
	"counts.category": { en: "Category", sw: "Kundi" },
	"counts.lead": {
		en: "Scan or tap a product, then count it. Selling goes on meanwhile: what is sold is taken into account.",
		sw: "Skani au gusa bidhaa, kisha uihesabu. Mauzo yanaendelea: kinachouzwa kinazingatiwa.",
	},
	"counts.counting": { en: "Counting: {{name}}", sw: "Inahesabiwa: {{name}}" },
	"counts.later": { en: "Leave for later", sw: "Acha kwa sasa" },
	"counts.finish": { en: "Finish, {{done}}", sw: "Maliza, {{done}}" },
	"counts.of": { en: "{{done}} of {{all}}", sw: "{{done}} kati ya {{all}}" },
	"counts.arriving": {
		en: "Older sales are still on their way to this till. Count when they are here.",
		sw: "Mauzo ya zamani bado yanafika kwenye kaunta hii. Hesabu yakishafika.",
	},
	"counts.counted": { en: "Counted", sw: "Zilizohesabiwa" },
	"counts.notYet": { en: "not counted yet", sw: "bado kuhesabiwa" },
	"counts.less": { en: "One fewer", sw: "Punguza moja" },
	"counts.more": { en: "One more", sw: "Ongeza moja" },
	"counts.leaveOut": { en: "Leave this product", sw: "Acha bidhaa hii" },
	"counts.next": { en: "Next", sw: "Inayofuata" },
	"counts.before": {
		en: "Counted already: {{quantity}} at {{time}}.",
		sw: "Imeshahesabiwa: {{quantity}} saa {{time}}.",
	},
	"counts.again": { en: "Count it again", sw: "Ihesabu tena" },
	"counts.shelf": {
		en: "It lies in another place too. Where?",
		sw: "Ipo mahali pengine pia. Wapi?",
	},
	"counts.addShelf": { en: "Add what lies there", sw: "Ongeza zilizo hapo" },
	"counts.same": { en: "same", sw: "sawa" },
	"counts.fewer": { en: "{{quantity}} fewer", sw: "pungufu {{quantity}}" },
	"counts.over": { en: "{{quantity}} more", sw: "zaidi {{quantity}}" },
	"counts.book": {
		en: "{{counted}} counted, {{expected}} in the book",
		sw: "{{counted}} zimehesabiwa, {{expected}} kwenye daftari",
	},
	"counts.late": {
		en: "{{quantity}} moved before you looked, and the till heard of it later. Count this again.",
		sw: "{{quantity}} zilisogezwa kabla hujaangalia, na kaunta ikajua baadaye. Hesabu tena hii.",
	},
	"counts.missing": { en: "Missing, at cost", sw: "Zilizopungua, kwa gharama" },
	"counts.tooMuch": { en: "Too much, at cost", sw: "Zilizozidi, kwa gharama" },
	"counts.closeLead": {
		en: "The stock becomes what was counted, with everything that moved since.",
		sw: "Stoki itakuwa ilivyohesabiwa, pamoja na yote yaliyosogea tangu hapo.",
	},
	"counts.closedAt": { en: "Closed {{moment}}", sw: "Imefungwa {{moment}}" },
	"counts.lastAt": {
		en: "Last counted {{moment}}",
		sw: "Ilihesabiwa mwisho {{moment}}",
	},
	"counts.never": { en: "Never counted", sw: "Haijawahi kuhesabiwa" },
	"counts.isOpen": { en: "Open", sw: "Iko wazi" },
	"counts.isClosed": { en: "Closed", sw: "Imefungwa" },
	"counts.products_one": { en: "{{count}} product", sw: "Bidhaa {{count}}" },
	"counts.products_other": { en: "{{count}} products", sw: "Bidhaa {{count}}" },
	"counts.waiting_one": {
		en: "{{count}} came later",
		sw: "{{count}} imefika baadaye",
	},
	"counts.waiting_other": {
		en: "{{count}} came later",
		sw: "{{count}} zimefika baadaye",
	},
	"counts.right_one": {
		en: "{{count}} product is as the book says",
		sw: "Bidhaa {{count}} iko sawa na daftari",
	},
	"counts.right_other": {
		en: "{{count}} products are as the book says",
		sw: "Bidhaa {{count}} ziko sawa na daftari",
	},
	"counts.close_one": {
		en: "Correct the stock of {{count}} product",
		sw: "Sahihisha stoki ya bidhaa {{count}}",
	},
	"counts.close_other": {
		en: "Correct the stock of {{count}} products",
		sw: "Sahihisha stoki ya bidhaa {{count}}",
	},
	"refused.count.open": {
		en: "Beginning a count",
		sw: "Kuanza kuhesabu stoki",
	},
	"refused.count.look": {
		en: "Looking at a shelf to count it",
		sw: "Kuangalia rafu ili kuihesabu",
	},
	"refused.count.enter": { en: "A counted number", sw: "Idadi iliyohesabiwa" },
	"refused.count.close": {
		en: "Closing a count",
		sw: "Kufunga hesabu ya stoki",
	},
} satisfies Words;
