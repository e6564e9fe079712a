import type { Words } from "../words/index.ts";

export const suppliersWords = {
	"suppliers.deliveries": { en: "Deliveries", sw: "Mizigo iliyopokelewa" },
	"suppliers.suppliers": { en: "Suppliers", sw: "Wasambazaji" },
	"suppliers.show": { en: "What to show", sw: "Nini kionyeshwe" },
	"suppliers.none": {
		en: "No deliveries yet. Receive goods by scanning them, with what they cost.",
		sw: "Bado hakuna mzigo. Pokea bidhaa kwa kuzisoma, pamoja na gharama zake.",
	},
	"suppliers.noSuppliers": {
		en: "No suppliers yet. Those you buy from on credit are listed here.",
		sw: "Bado hakuna wasambazaji. Unaonunua kwao kwa mkopo huandikwa hapa.",
	},
	"suppliers.receive": { en: "Receive goods", sw: "Pokea bidhaa" },
	"suppliers.sendBack": { en: "Send back goods", sw: "Rudisha bidhaa" },
	"suppliers.kind": { en: "Direction", sw: "Upande" },
	"suppliers.received": { en: "Received", sw: "Zimepokelewa" },
	"suppliers.sentBack": { en: "Sent back", sw: "Zimerudishwa" },
	"suppliers.payment": { en: "Payment", sw: "Malipo" },
	"suppliers.supplier": { en: "Supplier", sw: "Msambazaji" },
	"suppliers.nobody": { en: "Nobody in particular", sw: "Bila msambazaji" },
	"suppliers.number": { en: "Number on the paper", sw: "Namba ya hati" },
	"suppliers.find": {
		en: "Scan a product, or type its name",
		sw: "Soma bidhaa, au andika jina lake",
	},
	"suppliers.unknown": {
		en: "No product has the code {{code}}",
		sw: "Hakuna bidhaa yenye namba {{code}}",
	},
	"suppliers.howMany": { en: "Quantity", sw: "Idadi" },
	"suppliers.total": { en: "Total", sw: "Jumla" },
	"suppliers.quantity": { en: "Quantity: {{name}}", sw: "Idadi: {{name}}" },
	"suppliers.cost": {
		en: "Cost of one: {{name}}",
		sw: "Gharama ya moja: {{name}}",
	},
	"suppliers.pack": { en: "Pack: {{name}}", sw: "Pakiti: {{name}}" },
	"suppliers.takeOut": { en: "Take out: {{name}}", sw: "Ondoa: {{name}}" },
	"suppliers.setsCosts": {
		en: "These costs become the buying prices",
		sw: "Gharama hizi ziwe bei za kununua",
	},
	"suppliers.paid": { en: "Paid at once", sw: "Kilicholipwa sasa" },
	"suppliers.givenBack": {
		en: "Given back at once",
		sw: "Kilichorudishwa sasa",
	},
	"suppliers.by": { en: "Paid by", sw: "Njia ya malipo" },
	"suppliers.rest": { en: "Owed", sw: "Deni" },
	"suppliers.add": { en: "Add a supplier", sw: "Ongeza msambazaji" },
	"suppliers.edit": { en: "Edit", sw: "Hariri" },
	"suppliers.name": { en: "Name", sw: "Jina" },
	"suppliers.phone": { en: "Phone", sw: "Simu" },
	"suppliers.note": { en: "Note", sw: "Maelezo" },
	"suppliers.remove": { en: "Remove", sw: "Ondoa" },
	"suppliers.pay": { en: "Pay", sw: "Lipa" },
	"suppliers.even": { en: "Nothing owed", sw: "Hakuna deni" },
	"suppliers.owes": { en: "You owe {{amount}}", sw: "Unadaiwa {{amount}}" },
	"suppliers.has": {
		en: "Paid {{amount}} ahead",
		sw: "Umelipa mbele {{amount}}",
	},
	"suppliers.history": { en: "History", sw: "Historia" },
	"suppliers.lines_one": { en: "{{count}} line", sw: "Mstari {{count}}" },
	"suppliers.lines_other": { en: "{{count}} lines", sw: "Mistari {{count}}" },
	"suppliers.costs": {
		en: "Last cost {{last}}, on average {{average}}",
		sw: "Gharama ya mwisho {{last}}, kwa wastani {{average}}",
	},
	"suppliers.broughtBy": {
		en: "{{quantity}} at {{cost}}",
		sw: "{{quantity}} kwa {{cost}}",
	},

	"refused.supplier.create": { en: "New supplier", sw: "Msambazaji mpya" },
	"refused.supplier.update": {
		en: "Change to a supplier",
		sw: "Mabadiliko ya msambazaji",
	},
	"refused.supplier.delete": {
		en: "Supplier removed",
		sw: "Msambazaji aliyeondolewa",
	},
	"refused.delivery.create": { en: "Delivery", sw: "Mzigo uliopokelewa" },
	"refused.payment.remit": {
		en: "Payment to a supplier",
		sw: "Malipo kwa msambazaji",
	},
} satisfies Words;
