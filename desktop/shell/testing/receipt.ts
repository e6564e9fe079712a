import type { Receipt } from "../../../sync/queries/receipt.ts";

export const testReceipt: Receipt = {
	id: "sale-1",
	number: "A-1",
	business: {
		name: "Duka la Njeri",
		header: "Moi Avenue",
		footer: "Asante",
		currency: "KES",
	},
	cashier: "Njeri",
	createdAt: "2026-11-20T09:00:00.000Z",
	localTime: "2026-11-20 12:00",
	businessDay: "2026-11-20",
	lines: [
		{ name: "Café au lait", quantity: 2, price: 65, total: 130, refunded: 0 },
	],
	total: 130,
	paymentMethod: "cash",
	paid: 200,
	change: 70,
	notes: null,
	status: "sold",
	refunds: [],
	refundedTotal: 0,
};
