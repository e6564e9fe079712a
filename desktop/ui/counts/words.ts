import type { Words } from "../words/index.ts";

export const countsWords = {
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
