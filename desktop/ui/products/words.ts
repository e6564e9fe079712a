import type { Words } from "../words/index.ts";

export const productsWords = {
	"products.add": { en: "Add product", sw: "Ongeza bidhaa" },
	"products.edit": { en: "Edit product", sw: "Hariri bidhaa" },
	"products.name": { en: "Name", sw: "Jina" },
	"products.sku": { en: "Barcode or SKU", sw: "Msimbopau au SKU" },
	"products.codeTaken": {
		en: "{{name}} already has this code.",
		sw: "{{name}} ina msimbo huu tayari.",
	},
	"products.codes": { en: "Further codes", sw: "Misimbo mingine" },
	"products.furtherCode": {
		en: "Another barcode, or a supplier’s code",
		sw: "Msimbopau mwingine, au msimbo wa msambazaji",
	},
	"products.addCode": { en: "Add the code", sw: "Ongeza msimbo" },
	"products.removeCode": {
		en: "Remove the code {{code}}",
		sw: "Ondoa msimbo {{code}}",
	},
	"products.codeRemoved": {
		en: "Code {{code}} removed",
		sw: "Msimbo {{code}} umeondolewa",
	},
	"products.checkDigit": {
		en: "The last digit doesn’t fit the others. Compare it with the packet.",
		sw: "Tarakimu ya mwisho hailingani na nyingine. Linganisha na pakiti.",
	},
	"products.buying": { en: "Buying price", sw: "Bei ya kununua" },
	"products.selling": { en: "Selling price", sw: "Bei ya kuuza" },
	"products.stock": { en: "In stock", sw: "Zilizopo" },
	"products.stockNow": { en: "{{quantity}} now", sw: "Sasa {{quantity}}" },
	"products.draft": {
		en: "These changes haven't been saved yet.",
		sw: "Mabadiliko haya bado hayajahifadhiwa.",
	},
	"products.draftDiscarded": {
		en: "Changes discarded",
		sw: "Mabadiliko yametupwa",
	},
	"products.deactivated": {
		en: "Stopped selling {{name}}",
		sw: "Umeacha kuuza {{name}}",
	},
	"products.categoryRemoved": {
		en: "Category {{name}} removed",
		sw: "Aina {{name}} imeondolewa",
	},
	"products.discardDraft": { en: "Discard the changes", sw: "Tupa mabadiliko" },
	"products.unit": { en: "Unit", sw: "Kipimo" },
	"units.piece": { en: "Piece", sw: "Kipande" },
	"units.kg": { en: "Kilogram", sw: "Kilo" },
	"units.g": { en: "Gram", sw: "Gramu" },
	"units.l": { en: "Litre", sw: "Lita" },
	"units.ml": { en: "Millilitre", sw: "Mililita" },
	"units.m": { en: "Metre", sw: "Mita" },
	"packs.title": { en: "Packs", sw: "Pakiti" },
	"packs.name": { en: "Pack, such as Carton", sw: "Pakiti, kama Katoni" },
	"packs.size": { en: "Holds: {{unit}} ×", sw: "Ina: {{unit}} ×" },
	"packs.price": { en: "Price of the pack", sw: "Bei ya pakiti" },
	"packs.add": { en: "Add a pack", sw: "Ongeza pakiti" },
	"packs.change": { en: "Change the pack", sw: "Badilisha pakiti" },
	"packs.sold": { en: "Sell {{name}}", sw: "Uza {{name}}" },
	"packs.remove": { en: "Remove {{name}}", sw: "Ondoa {{name}}" },
	"packs.gone": { en: "of a removed pack", sw: "ya pakiti iliyoondolewa" },
	"packs.codeOf": { en: "This code sells", sw: "Msimbo huu huuza" },
	"packs.removed": { en: "{{name}} removed", sw: "{{name}} imeondolewa" },
	"products.warnAt": { en: "Warn when at or below", sw: "Onya zikibaki" },
	"products.low": { en: "Low", sw: "Chache" },
	"products.category": { en: "Category", sw: "Aina" },
	"products.noCategory": { en: "No category", sw: "Bila aina" },
	"products.service": {
		en: "Service (no stock)",
		sw: "Huduma (haina akiba)",
	},
	"products.all": { en: "All", sw: "Zote" },
	"products.noPrice": { en: "No price", sw: "Bila bei" },
	"products.underCost": { en: "Under cost", sw: "Chini ya gharama" },
	"products.noCode": { en: "No code", sw: "Bila msimbo" },
	"products.negative": { en: "Below zero", sw: "Chini ya sifuri" },
	"products.unsold": {
		en: "Not sold for 90 days",
		sw: "Hazijauzwa siku 90",
	},
	"products.label": { en: "Label due", sw: "Inahitaji lebo" },
	"products.filters": { en: "Show", sw: "Onyesha" },
	"products.allCategories": { en: "All categories", sw: "Aina zote" },
	"products.product": { en: "Product", sw: "Bidhaa" },
	"products.shelf": { en: "On shelf", sw: "Rafuni" },
	"products.cost": { en: "Cost", sw: "Gharama" },
	"products.margin": { en: "Margin", sw: "Faida" },
	"products.priced": {
		en: "{{name}}: price {{from}} → {{to}}",
		sw: "{{name}}: bei {{from}} → {{to}}",
	},
	"products.costed": {
		en: "{{name}}: cost {{from}} → {{to}}",
		sw: "{{name}}: gharama {{from}} → {{to}}",
	},
	"products.counted": {
		en: "{{name}}: counted {{to}}, was {{from}}",
		sw: "{{name}}: zimehesabiwa {{to}}, zilikuwa {{from}}",
	},
	"products.moved": {
		en: "{{name}} is now in: {{to}}",
		sw: "{{name}} sasa iko katika: {{to}}",
	},
	"products.noneLeft": {
		en: "Nothing left to put right here.",
		sw: "Hakuna kilichobaki cha kurekebisha hapa.",
	},
	"products.noneYet": { en: "The shelf is empty.", sw: "Rafu ni tupu." },
	"products.showAll": { en: "Show all products", sw: "Onyesha bidhaa zote" },
	"products.addNamed": {
		en: "Add “{{name}}”",
		sw: "Ongeza “{{name}}”",
	},

	"bulk.title": {
		en: "Change the chosen products",
		sw: "Badilisha bidhaa zilizochaguliwa",
	},
	"bulk.chosen": { en: "{{count}} chosen", sw: "Zimechaguliwa {{count}}" },
	"bulk.choose": { en: "Choose {{name}}", sw: "Chagua {{name}}" },
	"bulk.chooseAll": { en: "Choose all", sw: "Chagua zote" },
	"bulk.clear": { en: "Choose none", sw: "Ondoa chaguo" },
	"bulk.percent": { en: "+ {{by}} %", sw: "+ {{by}} %" },
	"bulk.amount": { en: "+ {{by}}", sw: "+ {{by}}" },
	"bulk.cost": { en: "Cost + {{by}} %", sw: "Gharama + {{by}} %" },
	"bulk.by": { en: "By how much", sw: "Kwa kiasi gani" },
	"bulk.round": { en: "Round to {{step}}", sw: "Kadiria hadi {{step}}" },
	"bulk.category": { en: "Set category", sw: "Weka aina" },
	"bulk.new": { en: "New price", sw: "Bei mpya" },
	"bulk.newPrice": {
		en: "New price: {{name}}",
		sw: "Bei mpya: {{name}}",
	},
	"bulk.note": {
		en: "Tills get it at once, or when they are back.",
		sw: "Kaunta zitazipata mara moja, au zikirudi mtandaoni.",
	},
	"bulk.set_one": { en: "Set {{count}} price", sw: "Weka bei {{count}}" },
	"bulk.set_other": { en: "Set {{count}} prices", sw: "Weka bei {{count}}" },
	"bulk.priced_one": {
		en: "{{count}} price set",
		sw: "Bei {{count}} imewekwa",
	},
	"bulk.priced_other": {
		en: "{{count}} prices set",
		sw: "Bei {{count}} zimewekwa",
	},
	"bulk.moved_one": {
		en: "{{count}} product moved to another category",
		sw: "Bidhaa {{count}} imehamia aina nyingine",
	},
	"bulk.moved_other": {
		en: "{{count}} products moved to another category",
		sw: "Bidhaa {{count}} zimehamia aina nyingine",
	},
	"bulk.stopped_one": {
		en: "{{count}} product is no longer sold",
		sw: "Bidhaa {{count}} haiuzwi tena",
	},
	"bulk.stopped_other": {
		en: "{{count}} products are no longer sold",
		sw: "Bidhaa {{count}} haziuzwi tena",
	},

	"products.deactivate": { en: "Stop selling", sw: "Acha kuuza" },
	"products.count_one": { en: "{{count}} product", sw: "Bidhaa {{count}}" },
	"products.count_other": { en: "{{count}} products", sw: "Bidhaa {{count}}" },
	"products.reactivate": { en: "Sell again", sw: "Uza tena" },
	"products.inactive": { en: "No longer sold", sw: "Zisizouzwa tena" },
	"products.categories": { en: "Categories", sw: "Aina" },
	"products.addCategory": { en: "Add a category", sw: "Ongeza aina" },
	"products.removeCategory": { en: "Remove {{name}}", sw: "Ondoa {{name}}" },
	"products.picture": { en: "Choose a picture", sw: "Chagua picha" },
	"products.noPicture": {
		en: "This picture can't be read.",
		sw: "Picha hii haiwezi kusomwa.",
	},

	"products.saved": { en: "Saved", sw: "Imehifadhiwa" },

	"stock.move": { en: "Change stock", sw: "Badilisha akiba" },
	"stock.by": {
		en: "Change by (− to remove)",
		sw: "Badilisha kwa (− kupunguza)",
	},
	"stock.left": { en: "{{quantity}} left", sw: "{{quantity}} zimebaki" },
	"stock.history": { en: "Stock history", sw: "Historia ya akiba" },
	"stock.received": { en: "Received", sw: "Imepokelewa" },
	"stock.count": { en: "Counted", sw: "Imehesabiwa" },
	"stock.damage": { en: "Damaged", sw: "Imeharibika" },
	"stock.theft": { en: "Stolen", sw: "Imeibiwa" },
	"stock.return": { en: "Returned", sw: "Imerudishwa" },
	"stock.other": { en: "Other", sw: "Nyingine" },
	"stock.opening": { en: "Opening stock", sw: "Akiba ya mwanzo" },
	"stock.sale": { en: "Sale", sw: "Mauzo" },
	"stock.void": { en: "Voided sale", sw: "Mauzo yaliyobatilishwa" },
	"stock.refund": { en: "Refund", sw: "Marejesho" },
	"stock.sentBack": { en: "Sent back", sw: "Imerudishwa kwa msambazaji" },
	"stock.adjustment": { en: "Changed", sw: "Imebadilishwa" },

	"import.title": { en: "Import products", sw: "Ingiza bidhaa" },
	"import.lead": {
		en: "A list from Excel, Loyverse, Square, Shopify, WooCommerce, Odoo or Lightspeed, as it comes: .xlsx or .csv.",
		sw: "Orodha kutoka Excel, Loyverse, Square, Shopify, WooCommerce, Odoo au Lightspeed, jinsi ilivyo: .xlsx au .csv.",
	},
	"import.firstRows": {
		en: "The first rows of the list",
		sw: "Mistari ya kwanza ya orodha",
	},
	"import.leaveOut": { en: "Leave out", sw: "Acha" },
	"import.needsName": {
		en: "Choose the column with the names of the products.",
		sw: "Chagua safu yenye majina ya bidhaa.",
	},
	"import.field.name": { en: "Name", sw: "Jina" },
	"import.field.sku": { en: "Code", sw: "Msimbo" },
	"import.field.codes": { en: "Further codes", sw: "Misimbo mingine" },
	"import.field.packs": { en: "Packs", sw: "Pakiti" },
	"import.field.sellingPrice": { en: "Selling price", sw: "Bei ya kuuza" },
	"import.field.buyingPrice": { en: "Buying price", sw: "Bei ya kununua" },
	"import.field.quantity": { en: "In stock", sw: "Zilizopo" },
	"import.field.lowStock": { en: "Warn at or below", sw: "Onya zikibaki" },
	"import.field.category": { en: "Category", sw: "Aina" },
	"import.field.taxClass": { en: "Tax class", sw: "Daraja la kodi" },
	"import.field.unit": { en: "Unit", sw: "Kipimo" },
	"import.field.isService": {
		en: "Service (yes or no)",
		sw: "Huduma (ndiyo au la)",
	},
	"import.field.categoryTaxClass": {
		en: "Category’s tax class",
		sw: "Daraja la kodi la aina",
	},
	"import.field.isActive": {
		en: "On sale (yes or no)",
		sw: "Inauzwa (ndiyo au la)",
	},
	"import.field.imageUrl": { en: "Picture’s address", sw: "Anwani ya picha" },
	"import.choose": { en: "Choose a file", sw: "Chagua faili" },
	"import.would": {
		en: "{{created}} new, {{updated}} changed, {{unchanged}} unchanged, {{refused}} refused",
		sw: "Mpya {{created}}, zilizobadilika {{updated}}, zisizobadilika {{unchanged}}, zilizokataliwa {{refused}}",
	},
	"import.do": { en: "Import", sw: "Ingiza" },
	"import.line": {
		en: "Line {{line}}: {{reason}}",
		sw: "Mstari {{line}}: {{reason}}",
	},
	"import.lines": {
		en: "Lines {{lines}}: {{reason}}",
		sw: "Mistari {{lines}}: {{reason}}",
	},
	"import.decimal": {
		en: "How this list writes numbers",
		sw: "Jinsi orodha hii inavyoandika nambari",
	},
	"import.ignored": {
		en: "Columns left out: {{value}}",
		sw: "Safu zilizoachwa: {{value}}",
	},
	"import.note.not_a_product": {
		en: "no product, so left out.",
		sw: "si bidhaa, kwa hiyo imeachwa.",
	},
	"import.note.not_on_sale": {
		en: "not on sale there, so not on sale here.",
		sw: "haiuzwi kule, kwa hiyo haiuzwi hapa.",
	},
	"import.note.no_fixed_price": {
		en: "no fixed price, so none is imported.",
		sw: "haina bei maalumu, kwa hiyo bei haiingizwi.",
	},
	"import.note.second_code": {
		en: "only the barcode is imported, not the other code.",
		sw: "msimbo pau tu unaingizwa, si msimbo mwingine.",
	},
	"import.note.category_part": {
		en: "only one part of the category is imported.",
		sw: "sehemu moja tu ya aina inaingizwa.",
	},
	"import.note.check_digit": {
		en: "the last digit of a barcode doesn’t fit the others. Compare it with the packet.",
		sw: "tarakimu ya mwisho ya msimbopau hailingani na nyingine. Linganisha na pakiti.",
	},
	"import.note.picture_skipped": {
		en: "pictures not fetched ({{number}}): {{value}}",
		sw: "picha ambazo hazikuletwa ({{number}}): {{value}}",
	},
	"import.note.several_places": {
		en: "Prices or stock of several places are left out. Choose the columns of one: {{value}}",
		sw: "Bei au akiba za sehemu kadhaa zinaachwa. Chagua safu za sehemu moja: {{value}}",
	},
	"import.note.html": {
		en: "HTML is left out: {{value}}",
		sw: "HTML inaachwa: {{value}}",
	},
	"import.note.other_sheets": {
		en: "Sheets left out: {{value}}",
		sw: "Karatasi zilizoachwa: {{value}}",
	},
	"import.note.guessed_encoding": {
		en: "Check the accents in names: the file doesn’t say how it writes them.",
		sw: "Angalia herufi zenye alama kwenye majina: faili haisemi jinsi inavyoziandika.",
	},

	"import.refused.quotation_marks": {
		en: "the quotation marks don't match. Put them around the whole cell, or take them out.",
		sw: "alama za kunukuu hazilingani. Zizungushie kisanduku chote, au ziondoe.",
	},
	"import.refused.column_count": {
		en: "it has {{value}} cells, unlike the first line. Check its commas.",
		sw: "una visanduku {{value}}, tofauti na mstari wa kwanza. Angalia mikato yake.",
	},
	"import.refused.not_a_number": {
		en: "{{field}}: “{{value}}” isn't a number like 1250.5.",
		sw: "{{field}}: “{{value}}” si nambari kama 1250.5.",
	},
	"import.refused.ambiguous_number": {
		en: "{{field}}: “{{value}}” can be read in two ways. Choose how this list writes numbers.",
		sw: "{{field}}: “{{value}}” inaweza kusomwa kwa njia mbili. Chagua jinsi orodha hii inavyoandika nambari.",
	},
	"import.refused.not_yes_or_no": {
		en: "{{field}}: “{{value}}” is neither yes nor no.",
		sw: "{{field}}: “{{value}}” si ndiyo wala la.",
	},
	"import.refused.wrong_pack": {
		en: "“{{value}}” isn’t a pack like Carton;24;1400 (name, how many, price).",
		sw: "“{{value}}” si pakiti kama Katoni;24;1400 (jina, ngapi, bei).",
	},
	"import.refused.rounded_code": {
		en: "the spreadsheet has rounded the code “{{value}}”. Format its column as text and type the code again.",
		sw: "programu ya lahajedwali imekadiria msimbo “{{value}}”. Fanya safu yake iwe maandishi, kisha uandike msimbo tena.",
	},
	"import.refused.same_product": {
		en: "the same product is on line {{value}}.",
		sw: "bidhaa hiyo hiyo iko kwenye mstari {{value}}.",
	},
	"import.refused.code_taken": {
		en: "another product has the code {{value}}.",
		sw: "bidhaa nyingine ina msimbo {{value}}.",
	},
	"import.refused.other_pack_code": {
		en: "the product has the code {{value}} for another pack, or for the unit.",
		sw: "bidhaa ina msimbo {{value}} kwa pakiti nyingine, au kwa kipimo chake.",
	},
	"import.refused.other_category_tax": {
		en: "line {{value}} gives the category another tax class.",
		sw: "mstari {{value}} unaipa aina daraja lingine la kodi.",
	},
	"import.refused.several_products": {
		en: "several products of the shop have this name or code. Add another code.",
		sw: "bidhaa kadhaa za duka zina jina au msimbo huu. Ongeza msimbo mwingine.",
	},

	"refused.product.create": { en: "New product", sw: "Bidhaa mpya" },
	"refused.product.update": {
		en: "Change to a product",
		sw: "Mabadiliko ya bidhaa",
	},
	"refused.product.delete": {
		en: "Product no longer sold",
		sw: "Bidhaa isiyouzwa tena",
	},

	"refused.label.set": { en: "Printed label", sw: "Lebo iliyochapishwa" },
	"refused.code.create": {
		en: "Code of a product",
		sw: "Msimbo wa bidhaa",
	},
	"refused.code.delete": {
		en: "Code taken from a product",
		sw: "Msimbo ulioondolewa kwenye bidhaa",
	},
	"refused.pack.create": { en: "New pack", sw: "Pakiti mpya" },
	"refused.pack.update": {
		en: "Change to a pack",
		sw: "Mabadiliko ya pakiti",
	},
	"refused.pack.delete": { en: "Pack removed", sw: "Pakiti iliyoondolewa" },

	"refused.category.create": { en: "New category", sw: "Aina mpya" },
	"refused.category.update": {
		en: "Change to a category",
		sw: "Mabadiliko ya aina",
	},
	"refused.category.delete": {
		en: "Category removed",
		sw: "Aina iliyoondolewa",
	},

	"refused.stock.adjust": { en: "Stock change", sw: "Mabadiliko ya akiba" },
} satisfies Words;
