import type { Words } from "../words/index.ts";

export const settingsWords = {
	"settings.business": { en: "Shop", sw: "Duka" },
	"settings.asYouType": {
		en: "Saved as you type",
		sw: "Huhifadhiwa unapoandika",
	},
	"settings.changed": {
		en: "{{name}} changed",
		sw: "{{name}} imebadilishwa",
	},
	"settings.fill": {
		en: "Bring a list, scan the shelf, or look around a demo shop",
		sw: "Leta orodha, skani rafu, au tazama duka la mfano",
	},
	"settings.receipt": { en: "Receipt", sw: "Risiti" },
	"settings.logo": { en: "Logo", sw: "Nembo" },
	"settings.noLogo": { en: "No logo", sw: "Bila nembo" },
	"settings.logoLead": {
		en: "Black on white prints best.",
		sw: "Nyeusi kwenye nyeupe huchapika vizuri.",
	},
	"settings.receiptLanguage": { en: "Language", sw: "Lugha" },
	"settings.tillsLanguage": { en: "As the till", sw: "Ya kaunta" },
	"settings.asItPrints": { en: "As it prints", sw: "Inavyochapishwa" },
	"settings.sampleMilk": { en: "Milk 500 ml", sw: "Maziwa 500 ml" },
	"settings.sampleBread": { en: "Bread 400 g", sw: "Mkate 400 g" },
	"settings.money": { en: "Money", sw: "Fedha" },
	"settings.cashUnit": { en: "Smallest coin", sw: "Sarafu ndogo zaidi" },
	"settings.accountCodes": {
		en: "Account codes of your books",
		sw: "Namba za akaunti za vitabu vyako",
	},
	"settings.accountCodesLead": {
		en: "For the accounting export: a line for each account that has another code in your books, such as 4000=700.",
		sw: "Kwa faili la uhasibu: mstari mmoja kwa kila akaunti yenye namba nyingine kwenye vitabu vyako, kama 4000=700.",
	},
	"settings.accountCodesWrong": {
		en: "Not an account: {{line}}",
		sw: "Si akaunti: {{line}}",
	},
	"settings.cashUnitLead": {
		en: "Cash totals are rounded to it. Left empty, it is the currency's usual one.",
		sw: "Jumla ya taslimu hukadiriwa kwa sarafu hii. Ukiiacha tupu, hutumika sarafu ndogo ya kawaida.",
	},
	"settings.limits": { en: "Limits", sw: "Mipaka" },
	"settings.limitsLead": {
		en: "Beyond a limit the till asks for the PIN of somebody who may do it. Where nobody has a PIN, the sale goes on and comes to you, under To sort out. Left empty, there is no limit.",
		sw: "Kikomo kikizidi, kaunta huomba PIN ya anayeruhusiwa. Kama hakuna mwenye PIN, mauzo huendelea na huja kwako, chini ya Ya kushughulikia. Ukiacha tupu, hakuna kikomo.",
	},
	"settings.limit.discountMax": {
		en: "Below the price, in per cent",
		sw: "Chini ya bei, kwa asilimia",
	},
	"settings.limit.openItemMax": {
		en: "An item that is no product",
		sw: "Kitu kisicho kwenye orodha ya bidhaa",
	},
	"settings.limit.refundMax": {
		en: "Refund of one sale",
		sw: "Marejesho ya mauzo moja",
	},
	"settings.limit.voidMax": {
		en: "Voiding one sale",
		sw: "Kubatilisha mauzo moja",
	},
	"settings.limit.cashOutMax": {
		en: "Cash taken out at once",
		sw: "Pesa zinazotolewa kwa mara moja",
	},
	"settings.limit.mayTakeBackOthers": {
		en: "Refund and void what others sold",
		sw: "Kurudisha na kubatilisha mauzo ya wengine",
	},
	"settings.limit.mayOpenDrawer": {
		en: "Open the drawer without a sale",
		sw: "Kufungua droo bila mauzo",
	},
	"settings.limit.seesProfit": {
		en: "See costs and profit",
		sw: "Kuona gharama na faida",
	},
	"settings.scale": { en: "Scale labels", sw: "Lebo za mizani" },
	"settings.scaleLead": {
		en: "A scale prints codes that begin with 20 to 29 and hold the product's number and its weight or price. Say how yours are built; the product's own code is its number, such as 12345.",
		sw: "Mizani huchapisha namba zinazoanza na 20 hadi 29, zenye namba ya bidhaa na uzito au bei yake. Eleza jinsi zako zilivyo; namba ya bidhaa ni kama 12345.",
	},
	"settings.scalePrefix": { en: "Begins with", sw: "Huanza na" },
	"settings.scaleLayout": { en: "Then come", sw: "Kisha hufuata" },
	"settings.scaleWeight": {
		en: "{{digits}}: product, weight with {{decimals}} decimals",
		sw: "{{digits}}: bidhaa, uzito wenye desimali {{decimals}}",
	},
	"settings.scalePrice": {
		en: "{{digits}}: product, price with {{decimals}} decimals",
		sw: "{{digits}}: bidhaa, bei yenye desimali {{decimals}}",
	},
	"settings.scaleAdd": { en: "Add a kind of label", sw: "Ongeza aina ya lebo" },
	"settings.scaleRemove": { en: "Remove", sw: "Ondoa" },
	"settings.scaleTry": { en: "Try a code", sw: "Jaribu namba" },
	"settings.scaleNone": {
		en: "Not a label, or misread.",
		sw: "Si lebo, au imesomwa vibaya.",
	},
	"settings.scaleUnknown": {
		en: "{{value}}, but no product has this number.",
		sw: "{{value}}, lakini hakuna bidhaa yenye namba hii.",
	},
	"settings.lock": {
		en: "Lock the till after minutes without a touch",
		sw: "Funga kaunta baada ya dakika bila kuguswa",
	},
	"settings.lockLead": {
		en: "A PIN opens it again, without the server, and the sale is kept. Left empty, it never locks; a person without a PIN is never locked out.",
		sw: "PIN huifungua tena, hata bila seva, na mauzo huhifadhiwa. Ukiacha tupu, haifungwi kamwe; asiye na PIN hafungiwi.",
	},
	"settings.backup": { en: "Backup", sw: "Nakala" },
	"settings.backupLead": {
		en: "Your server keeps the shop. For yourself, keep lists that any spreadsheet opens.",
		sw: "Seva yako inahifadhi duka. Wewe mwenyewe, hifadhi orodha zinazofunguka kwenye Excel.",
	},
	"settings.backupAll": {
		en: "Back up to a folder",
		sw: "Hifadhi nakala kwenye folda",
	},
	"settings.backedUp": {
		en: "Saved as {{file}}",
		sw: "Imehifadhiwa: {{file}}",
	},
	"settings.backupProducts": { en: "Products", sw: "Bidhaa" },
	"settings.backupSales": { en: "Sales", sw: "Mauzo" },
	"settings.reviewShort": { en: "Tell us", sw: "Tuambie" },
	"settings.header": { en: "Receipt header", sw: "Maandishi ya juu ya risiti" },
	"settings.footer": {
		en: "Receipt footer",
		sw: "Maandishi ya chini ya risiti",
	},
	"settings.cutOff": { en: "Day ends at", sw: "Siku inaisha saa" },
	"settings.openItems": {
		en: "Cashiers can sell an item that isn't a product yet",
		sw: "Wahudumu wanaweza kuuza kitu ambacho bado hakiko kwenye orodha",
	},
	"settings.openItemsShort": {
		en: "Open items",
		sw: "Vitu visivyo kwenye orodha",
	},
	"settings.openItemsLead": {
		en: "They type its name and price. Owners and managers always can.",
		sw: "Wanaandika jina na bei yake. Mmiliki na meneja wanaweza wakati wote.",
	},
	"settings.people": { en: "People", sw: "Watu" },
	"settings.addPerson": { en: "Add a person", sw: "Ongeza mtu" },
	"settings.personName": { en: "Name", sw: "Jina" },
	"settings.role": { en: "Role", sw: "Jukumu" },
	"settings.role.OWNER": { en: "Owner", sw: "Mmiliki" },
	"settings.role.MANAGER": { en: "Manager", sw: "Meneja" },
	"settings.role.CASHIER": { en: "Cashier", sw: "Mhudumu" },
	"settings.lockOut": { en: "Block", sw: "Zuia" },
	"settings.letIn": { en: "Unblock", sw: "Ruhusu tena" },
	"settings.lockedOut": { en: "Blocked", sw: "Amezuiwa" },
	"settings.devices": { en: "Tills", sw: "Kaunta" },
	"settings.lastSeen": { en: "Last seen {{when}}", sw: "Ilionekana {{when}}" },
	"settings.notify": { en: "Notify me about", sw: "Niarifu kuhusu" },
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
		en: "It works: {{count}} characters, {{gap}} ms apart. The till recognizes this scanner.",
		sw: "Inafanya kazi: herufi {{count}}, kila baada ya ms {{gap}}. Kaunta inaitambua skana hii.",
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
		en: "Print these codes. Scan one to take the exact amount, and make a whole sale with the scanner alone.",
		sw: "Chapisha misimbo hii. Skani mmoja kupokea kiasi kamili, na ufanye mauzo yote kwa skana pekee.",
	},
	"settings.scannerPosition": {
		en: "Read digits by key position (for a scanner with another keyboard layout)",
		sw: "Soma tarakimu kwa nafasi ya vitufe (kwa skana yenye mpangilio mwingine wa kibodi)",
	},
	"settings.printer": { en: "Receipt printer", sw: "Printa ya risiti" },
	"settings.printerKind": {
		en: "This till prints",
		sw: "Kaunta hii huchapisha",
	},
	"settings.printer.none": {
		en: "With a dialog, each time",
		sw: "Kwa kuuliza kila mara",
	},
	"settings.printer.system": {
		en: "On a printer connected to this computer",
		sw: "Kwenye printa iliyounganishwa na kompyuta hii",
	},
	"settings.printer.network": {
		en: "On a network receipt printer",
		sw: "Kwenye printa ya risiti ya mtandao",
	},
	"settings.printer.device": {
		en: "On a USB or serial receipt printer",
		sw: "Kwenye printa ya risiti ya USB au serial",
	},
	"settings.printerName": { en: "Printer", sw: "Printa" },
	"settings.printerHost": { en: "Address", sw: "Anwani" },
	"settings.printerPort": { en: "Port", sw: "Poti" },
	"settings.printerDevice": { en: "Device", sw: "Kifaa" },
	"settings.printerWidth": {
		en: "Paper width",
		sw: "Upana wa karatasi",
	},
	"settings.openDrawer": { en: "Open the drawer", sw: "Fungua droo" },

	"refused.business.update": {
		en: "Change to the shop's settings",
		sw: "Mabadiliko ya mipangilio ya duka",
	},
	"refused.business.backdate": {
		en: "Earlier opening date of the shop",
		sw: "Tarehe ya kuanza kwa duka",
	},

	"refused.review.create": {
		en: "Review of Counterfoil",
		sw: "Maoni kuhusu Counterfoil",
	},
} satisfies Words;
