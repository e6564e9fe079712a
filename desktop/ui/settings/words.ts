import type { Words } from "../words/index.ts";

export const settingsWords = {
	"settings.business": { en: "Business", sw: "Biashara" },
	"settings.header": { en: "Top of the receipt", sw: "Juu ya risiti" },
	"settings.footer": { en: "Bottom of the receipt", sw: "Chini ya risiti" },
	"settings.cutOff": { en: "A day ends at (hour)", sw: "Siku inaisha saa" },
	"settings.openItems": {
		en: "Cashiers may sell an item that is not a product yet",
		sw: "Wahudumu wanaweza kuuza kitu ambacho si bidhaa bado",
	},
	"settings.openItemsLead": {
		en: "They type its name and price. Owners and managers always may.",
		sw: "Wanaandika jina na bei yake. Mmiliki na meneja wanaweza daima.",
	},
	"settings.people": { en: "People", sw: "Watu" },
	"settings.addPerson": { en: "Add a person", sw: "Ongeza mtu" },
	"settings.personName": { en: "Name", sw: "Jina" },
	"settings.role": { en: "Role", sw: "Wajibu" },
	"settings.role.OWNER": { en: "Owner", sw: "Mmiliki" },
	"settings.role.MANAGER": { en: "Manager", sw: "Meneja" },
	"settings.role.CASHIER": { en: "Cashier", sw: "Mhudumu" },
	"settings.lockOut": { en: "Lock out", sw: "Zuia" },
	"settings.letIn": { en: "Let in again", sw: "Ruhusu tena" },
	"settings.lockedOut": { en: "Locked out", sw: "Amezuiwa" },
	"settings.devices": { en: "Tills", sw: "Kaunta" },
	"settings.lastSeen": { en: "Last seen {{when}}", sw: "Ilionekana {{when}}" },
	"settings.notify": { en: "Tell me about", sw: "Niarifu kuhusu" },
	"settings.type.sales": { en: "Sales", sw: "Mauzo" },
	"settings.type.inventory": { en: "Stock", sw: "Akiba" },
	"settings.type.customers": { en: "Customers", sw: "Wateja" },
	"settings.type.system": { en: "System", sw: "Mfumo" },
	"settings.type.business": { en: "Business", sw: "Biashara" },
	"settings.review": {
		en: "What do you think of Counterfoil?",
		sw: "Unaionaje Counterfoil?",
	},
	"settings.rating": { en: "Rating", sw: "Alama" },
	"settings.send": { en: "Send", sw: "Tuma" },
	"settings.thanks": { en: "Thank you!", sw: "Asante!" },
	"settings.scanner": { en: "Scanner", sw: "Skana" },
	"settings.scannerTest": {
		en: "Scan something here to see what your scanner sends.",
		sw: "Skani kitu hapa uone skana yako inatuma nini.",
	},
	"settings.scannerHeard": {
		en: "Heard: {{count}} characters, {{gap}} ms apart. The till hears this scanner.",
		sw: "Imesikika: herufi {{count}}, kila baada ya ms {{gap}}. Kaunta inaisikia skana hii.",
	},
	"settings.scannerSlow": {
		en: "{{count}} characters, {{gap}} ms apart: too slow for the till. Set the scanner to wait less than 120 ms between characters.",
		sw: "Herufi {{count}}, kila baada ya ms {{gap}}: polepole mno kwa kaunta. Weka skana isubiri chini ya ms 120 kati ya herufi.",
	},
	"settings.scannerPrefix": {
		en: "Scanner sends this before each code",
		sw: "Skana hutuma hii kabla ya kila msimbo",
	},
	"settings.scanCodes": {
		en: "Print these and scan one to take the exact sum: a whole sale with the scanner alone.",
		sw: "Chapisha hizi na uskani moja kupokea kiasi kamili: mauzo yote kwa skana pekee.",
	},
	"settings.scannerPosition": {
		en: "Read digits by the place of their keys (for another keyboard layout)",
		sw: "Soma tarakimu kwa mahali pa vitufe (kwa kibodi nyingine)",
	},
	"settings.printer": { en: "Receipt printer", sw: "Printa ya risiti" },
	"settings.printerKind": {
		en: "This till prints",
		sw: "Kompyuta hii huchapisha",
	},
	"settings.printer.none": {
		en: "By a dialog, each time",
		sw: "Kwa kuuliza kila mara",
	},
	"settings.printer.system": {
		en: "On a printer of this computer",
		sw: "Kwenye printa ya kompyuta hii",
	},
	"settings.printer.network": {
		en: "On a receipt printer on the network",
		sw: "Kwenye printa ya risiti ya mtandao",
	},
	"settings.printer.device": {
		en: "On a receipt printer at a USB or serial port",
		sw: "Kwenye printa ya risiti ya USB au serial",
	},
	"settings.printerName": { en: "Printer", sw: "Printa" },
	"settings.printerHost": { en: "Address", sw: "Anwani" },
	"settings.printerPort": { en: "Port", sw: "Mlango" },
	"settings.printerDevice": { en: "Device", sw: "Kifaa" },
	"settings.printerWidth": {
		en: "Width of the paper",
		sw: "Upana wa karatasi",
	},
	"settings.openDrawer": { en: "Open the drawer", sw: "Fungua droo" },

	"refused.business.update": {
		en: "Change to the shop's settings",
		sw: "Mabadiliko ya mipangilio ya biashara",
	},
	"refused.business.backdate": {
		en: "Earlier start of the shop",
		sw: "Tarehe ya kuanza kwa biashara",
	},

	"refused.review.create": {
		en: "Review of Counterfoil",
		sw: "Maoni kuhusu Counterfoil",
	},
} satisfies Words;
