import type { Words } from "../words/index.ts";

export const signInWords = {
	"login.title": { en: "Sign in", sw: "Ingia" },
	"login.email": { en: "Email", sw: "Barua pepe" },
	"login.password": { en: "Password", sw: "Nenosiri" },
	"login.submit": { en: "Sign in", sw: "Ingia" },
	"login.expired": {
		en: "Your session has ended. You can go on selling; sales are sent when you sign in.",
		sw: "Muda wako umeisha. Unaweza kuendelea kuuza; mauzo yatatumwa ukiingia.",
	},
	"login.otherShop": {
		en: "{{name}} signed in to another shop in this browser. You can go on selling: sales are kept here, and sent when you sign in to this shop again.",
		sw: "{{name}} ameingia kwenye duka lingine kwa kivinjari hiki. Unaweza kuendelea kuuza: mauzo yanahifadhiwa hapa, na yatatumwa ukiingia tena kwenye duka hili.",
	},
	"login.needed": {
		en: "Sign in to this shop first.",
		sw: "Ingia kwenye duka hili kwanza.",
	},
	"login.goToOther": { en: "Go to the other shop", sw: "Nenda duka lingine" },
	"login.create": { en: "Open a new shop", sw: "Fungua duka jipya" },
	"login.noShop": {
		en: "This account belongs to no shop.",
		sw: "Akaunti hii haina duka.",
	},

	"setup.title": { en: "Open your shop", sw: "Fungua duka lako" },
	"setup.lead": {
		en: "Two minutes, and the first sale can be made.",
		sw: "Dakika mbili tu, na unaweza kuuza.",
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
	"setup.demoLead": {
		en: "A shop with a hundred products and three months of sales.",
		sw: "Duka lenye bidhaa mia moja na mauzo ya miezi mitatu.",
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
		en: "This computer becomes a till of a shop that has a server: ask its owner for the address.",
		sw: "Kompyuta hii inakuwa kaunta ya duka lenye seva: muulize mmiliki anwani yake.",
	},
	"join.server": { en: "Address of the server", sw: "Anwani ya seva" },
	"join.submit": { en: "Join", sw: "Jiunge" },
	"join.back": {
		en: "Open a new shop instead",
		sw: "Badala yake, fungua duka jipya",
	},
	"join.coming_one": {
		en: "The shop is coming: {{count}} record so far",
		sw: "Duka linakuja: rekodi {{count}} hadi sasa",
	},
	"join.coming_other": {
		en: "The shop is coming: {{count}} records so far",
		sw: "Duka linakuja: rekodi {{count}} hadi sasa",
	},
	"join.mayClose": {
		en: "You may close the window: it goes on from here the next time.",
		sw: "Unaweza kufunga dirisha: litaendelea hapa wakati ujao.",
	},
	"join.waiting": {
		en: "The server can't be reached. It goes on by itself.",
		sw: "Seva haipatikani. Litaendelea lenyewe.",
	},
	"join.shopServer": { en: "The shop's server", sw: "Seva ya duka" },
	"join.paused.wrong_business": {
		en: "The account that signed in here last is not in this shop on its server, or the shop is gone from it. Selling goes on; sign in with an account of this shop to sync.",
		sw: "Akaunti iliyoingia hapa mwisho haimo katika duka hili kwenye seva, au duka limeondolewa huko. Kuuza kunaendelea; ingia kwa akaunti ya duka hili ili kusawazisha.",
	},
	"join.paused.unauthorized": {
		en: "Selling goes on, but nothing is sent: sign out and in again to sync.",
		sw: "Mauzo yanaendelea, lakini hakuna kinachotumwa: toka kisha ingia tena.",
	},
	"join.alone": {
		en: "This shop is on this computer alone",
		sw: "Duka hili liko kwenye kompyuta hii peke yake",
	},
	"join.aloneLead": {
		en: "With a server, several tills sell for one shop. Everything sold here goes with it. A new shop there takes this one's name, currency and other settings; one with products or sales keeps its own.",
		sw: "Ukiwa na seva, kaunta kadhaa huuza kwa duka moja. Yote yaliyouzwa hapa huenda nalo. Duka jipya kule huchukua jina, sarafu na mipangilio mingine ya hili; lenye bidhaa au mauzo hubaki na yake.",
	},
	"join.connect": { en: "Connect to a server", sw: "Unganisha na seva" },
} satisfies Words;
