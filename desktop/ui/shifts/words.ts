import type { Words } from "../words/index.ts";

export const shiftsWords = {
	"shifts.title": { en: "Shifts", sw: "Zamu" },
	"shifts.none": {
		en: "No shifts yet. Open one with the cash that is in the drawer, and count it at the end.",
		sw: "Bado hakuna zamu. Fungua moja kwa pesa zilizo kwenye droo, na uzihesabu mwishoni.",
	},
	"shifts.open": { en: "Open a shift", sw: "Fungua zamu" },
	"shifts.count": { en: "Count and close", sw: "Hesabu na ufunge" },
	"shifts.emptyAsked": {
		en: "No cash is counted yet. Is the drawer empty?",
		sw: "Hakuna pesa zilizohesabiwa bado. Je, droo ni tupu?",
	},
	"shifts.close": { en: "Close the shift", sw: "Funga zamu" },
	"shifts.cash": { en: "Cash in or out", sw: "Pesa ndani au nje" },
	"shifts.in": { en: "Put in", sw: "Weka" },
	"shifts.out": { en: "Take out", sw: "Toa" },
	"shifts.opened": { en: "Only open the drawer", sw: "Fungua droo tu" },
	"shifts.category": { en: "What for?", sw: "Kwa ajili gani?" },
	"shifts.category.expense": { en: "Expense", sw: "Matumizi" },
	"shifts.category.supplier": { en: "Supplier", sw: "Msambazaji" },
	"shifts.category.drawings": {
		en: "Owner's drawings",
		sw: "Matumizi ya mmiliki",
	},
	"shifts.category.deposit": {
		en: "To or from the bank",
		sw: "Kwenda au kutoka benki",
	},
	"shifts.category.change": { en: "Change", sw: "Chenji" },
	"shifts.category.other": { en: "Something else", sw: "Nyingine" },
	"shifts.reason": { en: "Reason", sw: "Sababu" },
	"shifts.float": { en: "Cash in the drawer", sw: "Pesa zilizo kwenye droo" },
	"shifts.floatHint": {
		en: "Count it, whatever the last shift left.",
		sw: "Zihesabu, chochote ambacho zamu iliyopita iliacha.",
	},
	"shifts.pieces": { en: "How many of each?", sw: "Ngapi za kila aina?" },
	"shifts.counted": { en: "Counted", sw: "Zilizohesabiwa" },
	"shifts.others": {
		en: "What the phone and the card terminal say",
		sw: "Simu na mashine ya kadi zinasema nini",
	},
	"shifts.left": {
		en: "Cash that stays in the drawer",
		sw: "Pesa zinazobaki kwenye droo",
	},
	"shifts.remark": { en: "Remark", sw: "Maelezo" },
	"shifts.unsent_one": {
		en: "{{count}} change isn't on the server yet. The count holds it already.",
		sw: "Badiliko {{count}} bado halijafika kwenye seva. Hesabu tayari inalo.",
	},
	"shifts.unsent_other": {
		en: "{{count}} changes aren't on the server yet. The count holds them already.",
		sw: "Mabadiliko {{count}} bado hayajafika kwenye seva. Hesabu tayari inayo.",
	},
	"shifts.allSent": {
		en: "Everything is on the server",
		sw: "Vyote viko kwenye seva",
	},
	"shifts.here": { en: "This till", sw: "Kaunta hii" },
	"shifts.elsewhere": { en: "Another till", sw: "Kaunta nyingine" },
	"shifts.isOpen": { en: "Open", sw: "Iko wazi" },
	"shifts.even": { en: "Right", sw: "Sawa" },
	"shifts.short": { en: "{{amount}} short", sw: "Pungufu {{amount}}" },
	"shifts.over": { en: "{{amount}} over", sw: "Ziada {{amount}}" },
	"shifts.report": { en: "Shift report", sw: "Ripoti ya zamu" },
	"shifts.day": { en: "Day report", sw: "Ripoti ya siku" },
	"shifts.till": { en: "Till", sw: "Kaunta" },
	"shifts.allTills": { en: "All tills", sw: "Kaunta zote" },
	"shifts.handOver": { en: "Hand over", sw: "Kabidhi" },
	"shifts.handOverTo": {
		en: "Who takes over? They begin with the cash that was counted.",
		sw: "Nani anapokea? Anaanza na pesa zilizohesabiwa.",
	},
	"shifts.late_one": {
		en: "{{count}} entry came after the count",
		sw: "Ingizo {{count}} limefika baada ya hesabu",
	},
	"shifts.late_other": {
		en: "{{count}} entries came after the count",
		sw: "Maingizo {{count}} yamefika baada ya hesabu",
	},
	"shifts.missing_one": {
		en: "{{count}} counted entry isn't here",
		sw: "Ingizo {{count}} lililohesabiwa halipo hapa",
	},
	"shifts.missing_other": {
		en: "{{count}} counted entries aren't here",
		sw: "Maingizo {{count}} yaliyohesabiwa hayapo hapa",
	},
	"shifts.recounts_one": {
		en: "It was counted {{count}} more time",
		sw: "Imehesabiwa tena mara {{count}}",
	},
	"shifts.recounts_other": {
		en: "It was counted {{count}} more times",
		sw: "Imehesabiwa tena mara {{count}}",
	},
	"refused.shift.open": { en: "Opening a shift", sw: "Kufungua zamu" },
	"refused.shift.close": { en: "Counting a shift", sw: "Kuhesabu zamu" },
	"refused.cash.move": { en: "Cash in or out", sw: "Pesa ndani au nje" },
	"refused.cart.remove": {
		en: "Lines taken out of a sale",
		sw: "Bidhaa zilizoondolewa kwenye mauzo",
	},
	"refused.drawer.open": {
		en: "Opening the drawer",
		sw: "Kufungua droo",
	},
} satisfies Words;
