import type { Words } from "../words/index.ts";

/** What went wrong and what to do, by the code that the core or the server gave. */
export const errorWords = {
	"error.invalid_args": {
		en: "Something typed here can't be saved. Check it and try again.",
		sw: "Kuna ulichoandika ambacho hakiwezi kuhifadhiwa. Kiangalie, kisha ujaribu tena.",
	},
	"error.id_reused": {
		en: "This was saved before, with something else in it. Look at what was saved, and enter only what is missing.",
		sw: "Hii ilishahifadhiwa ikiwa na mambo mengine. Angalia kilichohifadhiwa, kisha uingize kinachokosekana tu.",
	},
	"error.not_found": {
		en: "This is no longer in the shop. Reload the page and look again.",
		sw: "Hii haipo tena dukani. Pakia ukurasa upya, kisha uangalie tena.",
	},
	"error.already_voided": {
		en: "This sale was voided before.",
		sw: "Mauzo haya yalishabatilishwa.",
	},
	"error.over_refunded": {
		en: "That is more than is left to refund. Refund less.",
		sw: "Hiyo ni zaidi ya kilichobaki kurudishwa. Rudisha kidogo zaidi.",
	},
	"error.forbidden": {
		en: "Your role doesn't allow this. Ask the owner.",
		sw: "Jukumu lako haliruhusu hili. Mwombe mmiliki.",
	},
	"error.awaits_permission": {
		en: "Waiting for someone whose role allows it to sign in on this till.",
		sw: "Inasubiri mtu mwenye ruhusa aingie kwenye kaunta hii.",
	},
	"error.wrong_business": {
		en: "Your account isn't in this shop on its server. Sign in with an account of this shop.",
		sw: "Akaunti yako haimo katika duka hili kwenye seva. Ingia kwa akaunti ya duka hili.",
	},
	"error.outdated": {
		en: "This till and its server are of different versions. Update the older one.",
		sw: "Kaunta hii na seva yake zina matoleo tofauti ya programu. Sasisha ile ya zamani.",
	},
	"error.unknown_mutation": {
		en: "The server is older than this app and can't take this yet. It stays here until the server has been updated.",
		sw: "Seva ni ya zamani kuliko programu hii na haiwezi kupokea hii bado. Itabaki hapa hadi seva isasishwe.",
	},
	"error.unknown_query": {
		en: "This app is too old for this page. Reload it.",
		sw: "Programu hii ni ya zamani mno kwa ukurasa huu. Ipakie upya.",
	},
	"error.on_server": {
		en: "Only the shop's server can do this. Open the app there.",
		sw: "Hili hufanywa kwenye seva ya duka tu. Fungua programu huko.",
	},
	"error.older_sales": {
		en: "Older sales are on the server, which can't be reached right now. They show when it is.",
		sw: "Mauzo ya zamani yako kwenye seva, ambayo haipatikani sasa hivi. Yataonekana ikipatikana.",
	},
	"error.unknown_record": {
		en: "The server doesn't have this yet. It comes when the other tills have sent theirs.",
		sw: "Seva bado haina hii. Itafika kaunta nyingine zikishatuma zao.",
	},
	"error.forked": {
		en: "This device's data was restored from a copy. The app is sorting it out; try again soon.",
		sw: "Data ya kifaa hiki ilirejeshwa kutoka nakala. Programu inairekebisha; jaribu tena baada ya muda mfupi.",
	},
	"error.history_lost": {
		en: "The server was restored from a copy. This till sends again what the server lost.",
		sw: "Seva ilirejeshwa kutoka nakala. Kaunta hii inatuma tena kilichopotea kwenye seva.",
	},
	"error.internal": {
		en: "The app made a mistake. Try again; if it happens again, show this to the person who runs the server.",
		sw: "Programu imekosea. Jaribu tena; ikitokea tena, mwonyeshe anayeendesha seva.",
	},
	"error.code_taken": {
		en: "Another product on sale has this code.",
		sw: "Bidhaa nyingine inayouzwa ina msimbo huu.",
	},
	"error.cart_taken": {
		en: "This sale continued in another window.",
		sw: "Mauzo haya yameendelea katika dirisha jingine.",
	},
	"error.needs_approval": {
		en: "This needs the PIN of somebody who may do it.",
		sw: "Hii inahitaji PIN ya mtu anayeruhusiwa.",
	},
	"error.too_large": {
		en: "That is too much at once. Split it into parts.",
		sw: "Hiyo ni kubwa mno kwa mara moja. Igawe katika sehemu.",
	},
	"error.storage_full": {
		en: "The disk is full. Free up some space, then try again.",
		sw: "Diski imejaa. Ondoa vitu usivyohitaji, kisha ujaribu tena.",
	},
	"error.storage_busy": {
		en: "The shop's files are in use. Try again in a moment.",
		sw: "Faili za duka zinatumika. Jaribu tena baada ya muda mfupi.",
	},
	"error.storage_failed": {
		en: "The shop's files can't be read or written. Show this to the person who runs the server.",
		sw: "Faili za duka haziwezi kusomwa wala kuandikwa. Mwonyeshe anayeendesha seva.",
	},
	"error.newer_database": {
		en: "A newer version of the app has saved this shop. Update this one.",
		sw: "Toleo jipya zaidi la programu limehifadhi duka hili. Sasisha hili.",
	},
	"error.older_database": {
		en: "An older version of the app saved this shop. Start the server to update it.",
		sw: "Toleo la zamani la programu lilihifadhi duka hili. Washa seva ili lisasishwe.",
	},
	"error.not_a_database": {
		en: "This file isn't a shop of Counterfoil. Choose another one.",
		sw: "Faili hii si duka la Counterfoil. Chagua nyingine.",
	},
	"error.unreachable": {
		en: "The server can't be reached. Try again.",
		sw: "Seva haipatikani. Jaribu tena.",
	},
	"error.unauthorized": {
		en: "Sign in to this shop first.",
		sw: "Ingia kwenye duka hili kwanza.",
	},

	"error.wrong_password": {
		en: "Wrong email or password.",
		sw: "Barua pepe au nenosiri si sahihi.",
	},
	"error.no_business": {
		en: "This account isn't in any shop.",
		sw: "Akaunti hii haimo katika duka lolote.",
	},
	"error.email_taken": {
		en: "An account with this email already exists. Sign in with it, or use another email.",
		sw: "Tayari kuna akaunti yenye barua pepe hii. Ingia nayo, au tumia barua pepe nyingine.",
	},
	"error.shop_exists": {
		en: "This server already has a shop. Sign in to it.",
		sw: "Seva hii tayari ina duka. Ingia humo.",
	},
	"error.setup_code_missing": {
		en: "Type the setup code. It is shown where the server was started.",
		sw: "Andika msimbo wa kuanzisha. Unaonyeshwa pale seva ilipowashwa.",
	},
	"error.setup_code_wrong": {
		en: "Wrong setup code. It is shown where the server was started.",
		sw: "Huo si msimbo wa kuanzisha. Angalia pale seva ilipowashwa.",
	},
	"error.last_owner": {
		en: "A shop needs an owner who can sign in. Make someone else an owner first.",
		sw: "Duka linahitaji mmiliki anayeweza kuingia. Mfanye mtu mwingine mmiliki kwanza.",
	},
	"error.shared_member": {
		en: "This person also works in another shop. Only the role can be changed here.",
		sw: "Mtu huyu anafanya kazi pia katika duka lingine. Hapa unaweza kubadilisha jukumu tu.",
	},
	"error.already_member": {
		en: "This person is already in the shop.",
		sw: "Mtu huyu yumo dukani tayari.",
	},
	"error.too_many_tries": {
		en: "Too many tries. Wait some minutes, then try again.",
		sw: "Umejaribu mara nyingi mno. Subiri dakika chache, kisha ujaribu tena.",
	},
	"error.too_busy": {
		en: "The server is busy. Try again in a moment.",
		sw: "Seva ina kazi nyingi. Jaribu tena baada ya muda mfupi.",
	},
	"error.picture_kind": {
		en: "This picture can't be used. Choose a JPEG, PNG or WebP file.",
		sw: "Picha hii haiwezi kutumika. Chagua faili ya JPEG, PNG au WebP.",
	},
	"error.pictures_full": {
		en: "There is no room for more pictures. Remove some first.",
		sw: "Hakuna nafasi ya picha zaidi. Ondoa baadhi kwanza.",
	},
	"error.file_unreadable": {
		en: "This file can't be read. Save it as “CSV UTF-8” and choose it again.",
		sw: "Faili hii haisomeki. Ihifadhi kama “CSV UTF-8”, kisha uichague tena.",
	},
	"error.file_too_long": {
		en: "This file has more than {{lines}} lines. Split it into smaller files and import them one after the other.",
		sw: "Faili hii ina zaidi ya mistari {{lines}}. Igawe katika faili ndogo, kisha uzilete moja baada ya nyingine.",
	},
	"error.file_password": {
		en: "This password doesn't open the file. The operator says which one it has.",
		sw: "Nenosiri hili halifungui faili. Mtandao wa simu husema ni lipi.",
	},
	"error.pdf_unreadable": {
		en: "No statement was found in this PDF. Download it for fewer days, or as CSV.",
		sw: "Hakuna taarifa iliyopatikana kwenye PDF hii. Ipakue ya siku chache, au kama CSV.",
	},
	"error.budget_too_high": {
		en: "The person who runs this server allows less a month. Type a smaller amount.",
		sw: "Anayeendesha seva hii anaruhusu kiasi kidogo zaidi kwa mwezi. Andika kiasi kidogo zaidi.",
	},
	"error.server_unreachable": {
		en: "Nothing answers at that address. Check the address and the network.",
		sw: "Hakuna kinachojibu kwenye anwani hiyo. Angalia anwani na mtandao.",
	},
	"error.not_a_server": {
		en: "What answers at that address isn't a shop's server. Check the address.",
		sw: "Kinachojibu kwenye anwani hiyo si seva ya duka. Angalia anwani.",
	},
	"error.other_shops_till": {
		en: "This till belongs to another shop. Sign in with an account of that shop.",
		sw: "Kaunta hii ni ya duka lingine. Ingia kwa akaunti ya duka hilo.",
	},
	"error.till_has_server": {
		en: "This till already has a server.",
		sw: "Kaunta hii tayari ina seva.",
	},
	"error.computer_has_shop": {
		en: "This computer already has a shop.",
		sw: "Kompyuta hii tayari ina duka.",
	},
	"error.managers_move_shops": {
		en: "Only an owner or a manager of the server's shop can move this shop there.",
		sw: "Mmiliki au meneja wa duka la seva tu ndiye anayeweza kuhamishia duka hili huko.",
	},

	"error.ai_offline": {
		en: "The AI needs the internet, which can't be reached now.",
		sw: "AI inahitaji intaneti, ambayo haipatikani sasa.",
	},
	"error.ai_busy": {
		en: "The AI is busy. Try again in a moment.",
		sw: "AI ina kazi nyingi. Jaribu tena baada ya muda mfupi.",
	},
	"error.ai_budget": {
		en: "This month's budget for AI is spent.",
		sw: "Bajeti ya AI ya mwezi huu imeisha.",
	},
	"error.ai_too_long": {
		en: "The question is too long for this model. Shorten it.",
		sw: "Swali ni refu mno kwa modeli hii. Lifupishe.",
	},
	"error.ai_not_set_up": {
		en: "This server has no AI model for this. Ask the person who runs it to set one up.",
		sw: "Seva hii haina modeli ya AI kwa hili. Mwombe anayeiendesha aiweke.",
	},
	"error.ai_not_allowed": {
		en: "You may not use AI in this shop. Ask the owner.",
		sw: "Huruhusiwi kutumia AI katika duka hili. Mwombe mmiliki.",
	},
	"error.ai_refused": {
		en: "The model doesn't answer this. Ask in another way.",
		sw: "Modeli hailijibu hili. Uliza kwa namna nyingine.",
	},
	"error.ai_broken": {
		en: "The AI stopped before its answer was complete. Ask again.",
		sw: "AI imeacha kabla ya kumaliza jibu. Uliza tena.",
	},

	"error.field.name": { en: "Check the name.", sw: "Angalia jina." },
	"error.field.businessName": {
		en: "Check the name of the shop.",
		sw: "Angalia jina la duka.",
	},
	"error.field.email": {
		en: "Check the email address.",
		sw: "Angalia barua pepe.",
	},
	"error.field.password": {
		en: "The password needs 8 characters at least, and 72 at most.",
		sw: "Nenosiri liwe na herufi 8 au zaidi, zisizozidi 72.",
	},
	"error.field.sku": {
		en: "Check the barcode or SKU.",
		sw: "Angalia msimbopau au SKU.",
	},
	"error.field.price": { en: "Check the price.", sw: "Angalia bei." },
	"error.field.buyingPrice": {
		en: "Check the buying price.",
		sw: "Angalia bei ya kununua.",
	},
	"error.field.sellingPrice": {
		en: "Check the selling price.",
		sw: "Angalia bei ya kuuza.",
	},
	"error.field.quantity": { en: "Check the quantity.", sw: "Angalia idadi." },
	"error.field.lowStock": {
		en: "Check when to warn of low stock.",
		sw: "Angalia onyo la zinazokaribia kuisha.",
	},
	"error.field.category": { en: "Check the category.", sw: "Angalia aina." },
	"error.field.isService": {
		en: "Whether it is a service must be yes or no.",
		sw: "Kama ni huduma, andika ndiyo au la.",
	},
	"error.field.picture": { en: "Check the picture.", sw: "Angalia picha." },
	"error.field.paid": {
		en: "Check the amount received.",
		sw: "Angalia kiasi kilichopokelewa.",
	},
	"error.field.note": { en: "Shorten the note.", sw: "Fupisha maelezo." },
	"error.field.reason": { en: "Type a reason.", sw: "Andika sababu." },
	"error.field.text": {
		en: "Type what you think.",
		sw: "Andika maoni yako.",
	},
	"error.field.rating": { en: "Choose a rating.", sw: "Chagua alama." },
	"error.field.currency": { en: "Choose a currency.", sw: "Chagua sarafu." },
	"error.field.timeZone": {
		en: "Choose a time zone.",
		sw: "Chagua saa za eneo.",
	},
	"error.field.receipt": {
		en: "Check the receipt's header and footer.",
		sw: "Angalia maandishi ya juu na ya chini ya risiti.",
	},
	"error.field.cutOffHour": {
		en: "Check the hour when the day ends.",
		sw: "Angalia saa siku inapoisha.",
	},
	"error.field.cashUnit": {
		en: "Check the smallest coin.",
		sw: "Angalia sarafu ndogo zaidi.",
	},
	"error.field.server": {
		en: "Check the server's address. It looks like https://shop.example.",
		sw: "Angalia anwani ya seva. Huonekana kama https://shop.example.",
	},
	"error.field.monthlyBudget": {
		en: "Check the amount a month.",
		sw: "Angalia kiasi cha mwezi.",
	},
	"error.field.requestsPerMinute": {
		en: "Check the requests a minute.",
		sw: "Angalia maombi kwa dakika.",
	},
	"error.field.at": {
		en: "This device's clock is wrong. Set it, then try again.",
		sw: "Saa ya kifaa hiki si sahihi. Irekebishe, kisha ujaribu tena.",
	},
} satisfies Words;
