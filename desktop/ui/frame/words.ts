import type { Words } from "../words/index.ts";

export const frameWords = {
	"app.till": { en: "Till", sw: "Kaunta" },
	"app.products": { en: "Products", sw: "Bidhaa" },
	"app.sales": { en: "Sales", sw: "Mauzo" },
	"app.dashboard": { en: "Overview", sw: "Muhtasari" },
	"app.sync": { en: "Sync", sw: "Usawazishaji" },
	"app.settings": { en: "Settings", sw: "Mipangilio" },
	"app.signOut": { en: "Sign out", sw: "Toka" },
	"app.stillSignedIn": { en: "You are still signed in", sw: "Bado umeingia" },
	"app.wouldBeLost_one": {
		en: "{{count}} change hasn't been sent yet and would be lost. Sign out once it has been sent.",
		sw: "Badiliko {{count}} bado halijatumwa na litapotea. Toka likishatumwa.",
	},
	"app.wouldBeLost_other": {
		en: "{{count}} changes haven't been sent yet and would be lost. Sign out once they have been sent.",
		sw: "Mabadiliko {{count}} bado hayajatumwa na yatapotea. Toka yakishatumwa.",
	},
	"app.menu": { en: "Menu", sw: "Menyu" },
	"app.erase": { en: "Erase", sw: "Futa" },
	"app.account": { en: "account", sw: "akaunti" },
	"app.contrast": { en: "Contrast", sw: "Utofauti wa rangi" },
	"app.usualContrast": { en: "Indoors", sw: "Ndani" },
	"app.sunlight": { en: "Sunlight", sw: "Juani" },
	"app.motion": { en: "Motion", sw: "Mwendo" },
	"app.motionOn": { en: "Motion", sw: "Mwendo" },
	"app.motionOff": { en: "Still", sw: "Bila mwendo" },
	"app.light": { en: "Light", sw: "Mwanga" },
	"app.dark": { en: "Dark", sw: "Giza" },
	"app.loading": { en: "Loading…", sw: "Inapakia…" },
	"app.outdated": {
		en: "A newer version of the app is available.",
		sw: "Toleo jipya la programu liko tayari.",
	},
	"app.tryAgain": { en: "Try again", sw: "Jaribu tena" },
	"app.pageFailed": {
		en: "This page couldn't be opened",
		sw: "Ukurasa huu haukufunguka",
	},
	"app.pageFailedWhy": {
		en: "It may need the server. The till goes on selling; try this page again later.",
		sw: "Huenda unahitaji seva. Kaunta inaendelea kuuza; jaribu ukurasa huu tena baadaye.",
	},
	"app.reload": { en: "Reload", sw: "Pakia upya" },
	"app.undo": { en: "Undo", sw: "Rudisha" },
	"app.cancel": { en: "Cancel", sw: "Ghairi" },
	"app.more": { en: "Show more", sw: "Onyesha zaidi" },
	"app.save": { en: "Save", sw: "Hifadhi" },
	"app.close": { en: "Close", sw: "Funga" },
	"app.language": { en: "Language", sw: "Lugha" },
	"app.appearance": { en: "Appearance", sw: "Mwonekano" },
	"app.noPermission": {
		en: "This is for an owner or manager.",
		sw: "Hii ni ya mmiliki au meneja.",
	},
	"app.inbox": { en: "To sort out", sw: "Ya kushughulikia" },
	"app.admin": { en: "Platform", sw: "Jukwaa" },
	"app.ai": { en: "AI", sw: "AI" },
	"app.savedBefore": {
		en: "This was saved before, with {{amount}}. Look at what was saved, and enter only what is missing.",
		sw: "Hii ilishahifadhiwa, ikiwa na {{amount}}. Angalia kilichohifadhiwa, kisha uingize kinachokosekana tu.",
	},
	"app.unreachable": {
		en: "The server can't be reached",
		sw: "Seva haipatikani",
	},
	"app.offline": {
		en: "This needs the server, which can't be reached now.",
		sw: "Hii inahitaji seva, ambayo haipatikani sasa.",
	},
	"app.export": { en: "Export", sw: "Pakua" },

	"demo.tag": { en: "Demo", sw: "Mfano" },
	"demo.title": { en: "This is a demo shop", sw: "Hili ni duka la mfano" },
	"demo.lead": {
		en: "Its products and sales are made up. Try everything: nothing here reaches your own shop.",
		sw: "Bidhaa na mauzo yake si ya kweli. Jaribu kila kitu: hakuna kinachogusa duka lako.",
	},
	"demo.leave": { en: "Open my own shop", sw: "Fungua duka langu" },
	"demo.remove": {
		en: "Remove the demo and open my own shop",
		sw: "Ondoa mfano na ufungue duka langu",
	},
	"demo.removeLead": {
		en: "This computer holds one shop. The demo, and all that you tried in it, is removed from it.",
		sw: "Kompyuta hii huhifadhi duka moja. Duka la mfano na yote uliyojaribu humo yataondolewa.",
	},
	"demo.return": { en: "Sign in to my shop", sw: "Ingia kwenye duka langu" },

	"bell.title": { en: "Notifications", sw: "Arifa" },
	"bell.unread_one": {
		en: "{{count}} unread notification",
		sw: "Arifa {{count}} haijasomwa",
	},
	"bell.unread_other": {
		en: "{{count}} unread notifications",
		sw: "Arifa {{count}} hazijasomwa",
	},
} satisfies Words;
