import type { Words } from "../words/index.ts";

export const labelsWords = {
	"labels.title": { en: "Labels", sw: "Lebo" },
	"labels.sheet": { en: "Print on", sw: "Chapisha kwenye" },
	"labels.onA4": { en: "A4, {{sheet}} labels", sw: "A4, lebo {{sheet}}" },
	"labels.onRoll": { en: "Roll, {{sheet}}", sw: "Roli, {{sheet}}" },
	"labels.way": { en: "How", sw: "Namna" },
	"labels.dialog": {
		en: "With the print dialog",
		sw: "Kwa dirisha la kuchapisha",
	},
	"labels.zpl": {
		en: "On a label printer in the network (ZPL)",
		sw: "Kwa printa ya lebo kwenye mtandao (ZPL)",
	},
	"labels.zplFile": {
		en: "As a file for a label printer (ZPL)",
		sw: "Kama faili kwa printa ya lebo (ZPL)",
	},
	"labels.receipt": {
		en: "On the receipt printer",
		sw: "Kwa printa ya risiti",
	},
	"labels.host": {
		en: "Address of the label printer",
		sw: "Anwani ya printa ya lebo",
	},
	"labels.copies": { en: "How many", sw: "Ngapi" },
	"labels.one": { en: "One of each", sw: "Moja kwa kila bidhaa" },
	"labels.stock": {
		en: "As many as are in stock",
		sw: "Sawa na zilizopo",
	},
	"labels.packs": { en: "Packs too", sw: "Pakiti pia" },
	"labels.used": {
		en: "Labels already gone from the first sheet",
		sw: "Lebo zilizokwisha kwenye karatasi ya kwanza",
	},
	"labels.count_one": { en: "{{count}} label.", sw: "Lebo {{count}}." },
	"labels.count_other": { en: "{{count}} labels.", sw: "Lebo {{count}}." },
	"labels.unpriced": {
		en: "Services and products without a price get none.",
		sw: "Huduma na bidhaa zisizo na bei hazipati.",
	},
	"labels.per": { en: "{{price}} / {{unit}}", sw: "{{price}} / {{unit}}" },
	"labels.print": { en: "Print labels", sw: "Chapisha lebo" },
	"labels.rightQuestion": {
		en: "Did the labels come out right?",
		sw: "Je, lebo zimetoka vizuri?",
	},
	"labels.right": { en: "Yes, remember them", sw: "Ndiyo, zikumbuke" },
	"labels.again": { en: "Print again", sw: "Chapisha tena" },
} as const satisfies Words;
