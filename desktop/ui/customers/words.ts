import type { Words } from "../words/index.ts";

export const customersWords = {
	"customers.title": { en: "Customers", sw: "Customers" },
	"customers.none": { en: "No customers yet", sw: "Bado hakuna: customers" },
	"customers.add": { en: "Add a customer", sw: "Ongeza: customer" },
	"customers.edit": { en: "Edit the customer", sw: "Hariri: customer" },
	"customers.name": { en: "Name", sw: "Jina" },
	"customers.note": { en: "Note", sw: "Maelezo" },
	"customers.remove": { en: "Remove", sw: "Ondoa" },
	"customers.removed": { en: "{{name}} removed", sw: "{{name}} imeondolewa" },

	"refused.customer.create": { en: "New customer", sw: "Mpya: customer" },
	"refused.customer.update": {
		en: "Change to a customer",
		sw: "Mabadiliko: customer",
	},
	"refused.customer.delete": {
		en: "Customer removed",
		sw: "Iliyoondolewa: customer",
	},
} satisfies Words;
