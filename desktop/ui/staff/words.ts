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
	"staff.approve": { en: "Who approves this?", sw: "Nani anaidhinisha?" },
	"staff.approveLead": {
		en: "{{act}}. At stake: {{amount}}",
		sw: "{{act}}. Kiasi kinachohusika: {{amount}}",
	},
	"staff.approveOther": {
		en: "That is beyond this person's limits too. Ask somebody else.",
		sw: "Hii inazidi mipaka ya mtu huyu pia. Muulize mwingine.",
	},
	"staff.act.sale.create": {
		en: "This sale goes beyond your limits",
		sw: "Mauzo haya yanazidi mipaka yako",
	},
	"staff.act.sale.refund": {
		en: "This refund goes beyond your limits",
		sw: "Marejesho haya yanazidi mipaka yako",
	},
	"staff.act.sale.void": {
		en: "Voiding this sale goes beyond your limits",
		sw: "Kubatilisha mauzo haya kunazidi mipaka yako",
	},
	"staff.act.cash.move": {
		en: "Taking this out of the drawer goes beyond your limits",
		sw: "Kutoa pesa hizi kwenye droo kunazidi mipaka yako",
	},
	"staff.act.drawer.open": {
		en: "Opening the drawer without a sale needs an approval",
		sw: "Kufungua droo bila mauzo kunahitaji idhini",
	},
	"staff.act.layaway.create": {
		en: "Keeping these goods at these prices goes beyond your limits",
		sw: "Kuweka bidhaa hizi kwa bei hizi kunazidi mipaka yako",
	},
	"staff.act.payment.payout": {
		en: "Giving this money back goes beyond your limits",
		sw: "Kurudisha pesa hizi kunazidi mipaka yako",
	},
	"staff.act.delivery.create": {
		en: "Paying for these goods out of the drawer goes beyond your limits",
		sw: "Kulipia bidhaa hizi kutoka kwenye droo kunazidi mipaka yako",
	},
	"staff.act.payment.remit": {
		en: "Paying the supplier out of the drawer goes beyond your limits",
		sw: "Kumlipa msambazaji kutoka kwenye droo kunazidi mipaka yako",
	},
	"staff.guessed": {
		en: "Five wrong ones in a row. Somebody may be guessing it.",
		sw: "Zimekosewa tano mfululizo. Huenda mtu anaikisia.",
	},
	"refused.pin.lock": { en: "Locked PIN", sw: "PIN iliyofungwa" },
	"staff.locked": { en: "Locked", sw: "Imefungwa" },
	"staff.lockedLead": {
		en: "Nobody has touched this till for a while. The sale is kept.",
		sw: "Kaunta hii haijaguswa kwa muda. Mauzo yamehifadhiwa.",
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
	"staff.pin": {
		en: "PIN ({{digits}} digits)",
		sw: "PIN (tarakimu {{digits}})",
	},
	"staff.newPin": {
		en: "New PIN ({{digits}} digits)",
		sw: "PIN mpya (tarakimu {{digits}})",
	},
	"staff.savePin": { en: "Save PIN", sw: "Hifadhi PIN" },
	"staff.removePin": { en: "Remove PIN", sw: "Ondoa PIN" },
	"staff.setPinOf": {
		en: "PIN of {{name}}",
		sw: "Weka PIN ya {{name}}",
	},
} satisfies Words;
