import type { Words } from "../words/index.ts";

export const staffWords = {
	"staff.who": { en: "Who sells now?", sw: "Nani anauza sasa?" },
	"staff.lead": {
		en: "The sale stays as it is. Works without the server.",
		sw: "Mauzo yaliyopo hayabadiliki. Hufanya kazi hata bila seva.",
	},
	"staff.sells": {
		en: "{{name}} sells. Switch",
		sw: "{{name}} anauza. Badilisha",
	},
	"staff.sellsNow": { en: "{{role}}, sells now", sw: "{{role}}, anauza sasa" },
	"staff.noPin": {
		en: "{{name}} has no PIN. Sign out and in again to sell under that name.",
		sw: "{{name}} hana PIN. Ili kuuza kwa jina hilo tena, toka kisha uingie upya.",
	},
	"staff.pinOf": { en: "{{name}}'s PIN", sw: "PIN ya {{name}}" },
	"staff.wrong_one": {
		en: "Not {{name}}'s PIN. {{count}} try left",
		sw: "Si PIN ya {{name}}. Umebakiwa na jaribio {{count}}",
	},
	"staff.wrong_other": {
		en: "Not {{name}}'s PIN. {{count}} tries left",
		sw: "Si PIN ya {{name}}. Umebakiwa na majaribio {{count}}",
	},
	"staff.waitSeconds_one": {
		en: "Too many wrong PINs. Try again in {{count}} second.",
		sw: "Umekosea PIN mara nyingi mno. Jaribu tena baada ya sekunde {{count}}.",
	},
	"staff.waitSeconds_other": {
		en: "Too many wrong PINs. Try again in {{count}} seconds.",
		sw: "Umekosea PIN mara nyingi mno. Jaribu tena baada ya sekunde {{count}}.",
	},
	"staff.waitMinutes_one": {
		en: "Too many wrong PINs. Try again in {{count}} minute.",
		sw: "Umekosea PIN mara nyingi mno. Jaribu tena baada ya dakika {{count}}.",
	},
	"staff.waitMinutes_other": {
		en: "Too many wrong PINs. Try again in {{count}} minutes.",
		sw: "Umekosea PIN mara nyingi mno. Jaribu tena baada ya dakika {{count}}.",
	},
	"staff.myPin": { en: "My PIN", sw: "PIN yangu" },
	"staff.myPinLead": {
		en: "With it you take over a till in a second, and your sales carry your name. Choose one that you use nowhere else.",
		sw: "Ukiwa na PIN unaingia kwenye kaunta kwa sekunde moja, na mauzo yako yanaandikwa kwa jina lako. Chagua PIN usiyoitumia kwingine.",
	},
	"staff.pin": { en: "PIN (4 digits)", sw: "PIN (tarakimu 4)" },
	"staff.newPin": { en: "New PIN (4 digits)", sw: "PIN mpya (tarakimu 4)" },
	"staff.savePin": { en: "Save PIN", sw: "Hifadhi PIN" },
	"staff.removePin": { en: "Remove PIN", sw: "Ondoa PIN" },
	"staff.setPinOf": {
		en: "PIN of {{name}}",
		sw: "Weka PIN ya {{name}}",
	},
} satisfies Words;
