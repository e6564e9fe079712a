import type { Words } from "../words/index.ts";

export const signInWords = {
	"login.title": { en: "Sign in", sw: "Ingia" },
	"login.email": { en: "Email", sw: "Barua pepe" },
	"login.password": { en: "Password", sw: "Nenosiri" },
	"login.lead": {
		en: "The shop on this device opens with your account.",
		sw: "Duka lililo kwenye kifaa hiki hufunguka kwa akaunti yako.",
	},
	"login.show": { en: "Show it", sw: "Onyesha" },
	"login.hide": { en: "Hide it", sw: "Ficha" },
	"login.submit": { en: "Sign in", sw: "Ingia" },
	"login.expired": {
		en: "You have been signed out. You can keep selling; sales are sent when you sign in again.",
		sw: "Umetolewa kwenye akaunti. Unaweza kuendelea kuuza; mauzo yatatumwa ukiingia tena.",
	},
	"login.otherShop": {
		en: "{{name}} signed in to another shop in this browser. You can keep selling: sales are saved here and sent when you sign in to this shop again.",
		sw: "{{name}} ameingia kwenye duka lingine kwa kivinjari hiki. Unaweza kuendelea kuuza: mauzo yanahifadhiwa hapa, na yatatumwa ukiingia tena kwenye duka hili.",
	},
	"login.needed": {
		en: "Sign in to this shop first.",
		sw: "Ingia kwenye duka hili kwanza.",
	},
	"login.goToOther": {
		en: "Go to the other shop",
		sw: "Nenda kwenye duka lingine",
	},
	"login.create": { en: "Open a new shop", sw: "Fungua duka jipya" },
	"login.noShop": {
		en: "This account isn't in any shop.",
		sw: "Akaunti hii haimo katika duka lolote.",
	},

	"setup.title": { en: "Open your shop", sw: "Fungua duka lako" },
	"setup.lead": {
		en: "One minute. It sells without the internet from then on.",
		sw: "Dakika moja tu. Baada ya hapo huuza hata bila mtandao.",
	},
	"setup.code": { en: "Setup code", sw: "Msimbo wa kuanzisha" },
	"setup.codeLead": {
		en: "Shown where the server was started.",
		sw: "Unaonyeshwa pale seva ilipowashwa.",
	},
	"setup.name": { en: "Your name", sw: "Jina lako" },
	"setup.shop": { en: "Name of the shop", sw: "Jina la duka" },
	"setup.currency": { en: "Currency", sw: "Sarafu" },
	"setup.timeZone": { en: "Time zone", sw: "Saa za eneo" },
	"setup.submit": { en: "Open the shop", sw: "Fungua duka" },
	"setup.demo": { en: "Look around a demo shop", sw: "Tazama duka la mfano" },
	"setup.shopKeeps": { en: "Shop keeps", sw: "Duka hubaki nayo" },
	"setup.counterfoil": {
		en: "The counterfoil is the half of a receipt that the shop keeps. Yours is kept here and on your server, whatever the network does.",
		sw: "Kishina ni nusu ya risiti inayobaki dukani. Chako huhifadhiwa hapa na kwenye seva yako, hata mtandao ukikatika.",
	},
	"setup.demoReady": {
		en: "The demo shop is ready",
		sw: "Duka la mfano liko tayari",
	},
	"setup.demoPassword": {
		en: "To sign in again later:",
		sw: "Ili kuingia tena baadaye:",
	},
	"setup.signIn": { en: "I have an account", sw: "Nina akaunti" },

	"join.title": { en: "Join a shop", sw: "Jiunge na duka" },
	"join.lead": {
		en: "This computer becomes a till of a shop that has a server. Ask the shop's owner for the address.",
		sw: "Kompyuta hii itakuwa kaunta ya duka lenye seva. Mwulize mmiliki wa duka anwani yake.",
	},
	"join.server": { en: "Server address", sw: "Anwani ya seva" },
	"join.submit": { en: "Join", sw: "Jiunge" },
	"join.back": {
		en: "Open a new shop instead",
		sw: "Badala yake, fungua duka jipya",
	},
	"join.coming_one": {
		en: "Downloading the shop: {{count}} record so far",
		sw: "Duka linapakuliwa: rekodi {{count}} hadi sasa",
	},
	"join.coming_other": {
		en: "Downloading the shop: {{count}} records so far",
		sw: "Duka linapakuliwa: rekodi {{count}} hadi sasa",
	},
	"join.mayClose": {
		en: "You can close this window. The download continues next time.",
		sw: "Unaweza kufunga dirisha hili. Upakuaji utaendelea wakati ujao.",
	},
	"join.waiting": {
		en: "The server can't be reached. Will retry automatically.",
		sw: "Seva haipatikani. Programu itajaribu tena yenyewe.",
	},
	"join.shopServer": { en: "The shop's server", sw: "Seva ya duka" },
	"join.paused.wrong_business": {
		en: "The last account that signed in here isn't in this shop on its server, or the shop was removed there. You can keep selling; to sync, sign in with an account of this shop.",
		sw: "Akaunti iliyoingia hapa mwisho haimo katika duka hili kwenye seva, au duka limeondolewa huko. Unaweza kuendelea kuuza; ili kusawazisha, ingia kwa akaunti ya duka hili.",
	},
	"join.paused.outdated": {
		en: "This till and its server are of different versions. You can keep selling, and your sales are sent, but nothing new arrives. Update the older one of the two.",
		sw: "Kaunta hii na seva yake zina matoleo tofauti ya programu. Unaweza kuendelea kuuza na mauzo yako yanatumwa, lakini hakuna jipya linalofika. Sasisha ile ya zamani.",
	},
	"join.paused.unauthorized": {
		en: "You can keep selling, but nothing is sent. To sync, sign out and sign in again.",
		sw: "Unaweza kuendelea kuuza, lakini hakuna kinachotumwa. Ili kusawazisha, toka kisha uingie tena.",
	},
	"join.alone": {
		en: "This shop is only on this computer",
		sw: "Duka hili liko kwenye kompyuta hii tu",
	},
	"join.aloneLead": {
		en: "With a server, several tills can sell for one shop. Everything sold here moves to it. A new shop on the server takes this shop's name, currency and other settings; a shop that has products or sales keeps its own.",
		sw: "Ukiwa na seva, kaunta kadhaa zinaweza kuuza kwa duka moja. Yote yaliyouzwa hapa yatahamishiwa huko. Duka jipya kwenye seva litachukua jina, sarafu na mipangilio mingine ya duka hili; duka lenye bidhaa au mauzo litabaki na yake.",
	},
	"join.connect": { en: "Connect to a server", sw: "Unganisha na seva" },
} satisfies Words;
