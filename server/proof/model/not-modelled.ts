import { plainOperations } from "../../testing/plain-operations.ts";

const file = "it is about a file, not records, and has its own tests";
const joining = "the simulator's tills join by it";
const still = "its answer is the same for everyone at any time";
const inbox =
	"it names items by ids that a sale's mutation makes, and has its own tests";
const report =
	"its figures are compared with sums over the raw facts in its own test";
const gateway =
	"it belongs to the AI gateway, whose answers come from a provider";
const codes = "it changes nothing of a product but what finds it";
const packs =
	"it changes how goods are sold, which the simulator holds to the ledger";
const pins = "it tells tills nothing but keys, and has its own tests";
const shifts = "it counts drawers, which the simulator holds to their facts";
const counts = "it counts stock, which the simulator holds to its looks";
const suppliers =
	"it keeps what the shop owes, which the simulator holds to its sums";
const credit =
	"it keeps what customers owe, which the simulator holds to its sums";
const statement =
	"it compares what was received with codes, and has its own tests";
const access = "it decides who may use the AI gateway, and has its own tests";
const sessions = "it lists and ends sessions, and has its own tests";

/** Operations left out of the model, with the reasons. */
export const notModelled: Record<string, string> = {
	"GET /healthz": still,
	"GET /readyz": still,
	"GET /metrics": still,
	"GET /api/server": still,
	"GET /api/sessions": sessions,
	"DELETE /api/sessions/:id": sessions,
	"GET /api/setup": still,
	"POST /api/setup": "it works once in the life of a server",
	"POST /api/setup/demo": "it works once in the life of a server",
	"GET /api/products.csv": file,
	"GET /api/products/by-code": codes,
	"GET /api/products/:id/codes": codes,
	"POST /api/products/:id/codes": codes,
	"GET /api/product-codes": codes,
	"GET /api/product-codes/:id": codes,
	"DELETE /api/product-codes/:id": codes,
	"GET /api/products/:id/packs": packs,
	"POST /api/products/:id/packs": packs,
	"GET /api/product-packs": packs,
	"GET /api/product-packs/:id": packs,
	"PATCH /api/product-packs/:id": packs,
	"DELETE /api/product-packs/:id": packs,
	"POST /api/imports/products": file,
	"POST /api/imports/products/sample": file,
	"POST /api/products/:id/picture": file,
	"GET /api/pictures/:id": file,
	"GET /api/sync/snapshot": joining,
	"GET /api/sync/older-facts": joining,
	"GET /api/sync/older-sales": joining,
	"GET /api/sync/answer": joining,
	"GET /api/receipts":
		"it finds a sale by its receipt number, and has its own tests",
	"GET /r/:id": "only random ids have a page; its own tests hold it",
	"GET /api/releases": "it tells what another host does",
	"GET /api/latest-release": "it tells what another host does",
	"GET /api/inbox/groups": inbox,
	"GET /api/inbox/dismissed": inbox,
	"POST /api/inbox/dismiss": inbox,
	"POST /api/inbox/reopen": inbox,
	"GET /api/reports/period": report,
	"GET /api/reports/money": report,
	"GET /api/reports/money.csv": file,
	"GET /api/reports/products": report,
	"GET /api/reports/categories": report,
	"GET /api/reports/letter": report,
	"GET /api/shifts": shifts,
	"POST /api/shifts": shifts,
	"GET /api/shifts/current": shifts,
	"GET /api/shift-days/:id": shifts,
	"GET /api/shift-days.csv": file,
	"GET /api/shifts/:id": shifts,
	"GET /api/shifts/:id/sums": shifts,
	"POST /api/shifts/:id/close": shifts,
	"GET /api/counts": counts,
	"POST /api/counts": counts,
	"GET /api/counts/:id": counts,
	"GET /api/counts/:id/differences": counts,
	"GET /api/products/:id/last-count": counts,
	"POST /api/counts/:id/looks": counts,
	"POST /api/counts/:id/entries": counts,
	"POST /api/counts/:id/close": counts,
	"GET /api/suppliers/:id/entries": suppliers,
	"POST /api/suppliers/:id/payments": suppliers,
	"GET /api/products/:id/costs": suppliers,
	"POST /api/cash-movements": shifts,
	"POST /api/drawer-openings": shifts,
	"GET /api/reports/tax": report,
	"GET /api/reports/tax.csv": file,
	"GET /api/reports/accounting.csv": file,
	"GET /api/customers/totals": credit,
	"GET /api/customers/by-phone": credit,
	"POST /api/customers/:id/merge": credit,
	"GET /api/customers/:id/data": credit,
	"GET /api/payments": credit,
	"GET /api/customers/:id/statement": credit,
	"DELETE /api/customers/:id/data": credit,
	"PATCH /api/customers/:id/limit": credit,
	"GET /api/customers/:id/payments": credit,
	"POST /api/customers/:id/payments": credit,
	"POST /api/customers/:id/payouts": credit,
	"POST /api/customers/:id/adjustments": credit,
	"GET /api/layaways/kept": credit,
	"GET /api/layaways/:id/receipt": credit,
	"POST /api/layaways/:id/cancel": credit,
	"POST /api/layaways/:id/complete": credit,
	"POST /api/imports/statement": statement,
	"POST /api/statements/pdf": statement,
	"GET /api/statements/totals": statement,
	"GET /api/statements/match": statement,
	"GET /api/statements/match.csv": statement,
	"POST /api/members/:id/pin": pins,
	"DELETE /api/members/:id/pin": pins,
	"GET /api/till/staff": pins,
	"GET /api/openapi.json": still,
	"GET /api/docs": still,
	"GET /api/ai/limits": access,
	"PATCH /api/ai/limits": access,
	"PATCH /api/ai/limits/:id": access,
	"GET /api/usage/calls": gateway,
	"GET /api/admin/ai": access,
	"PATCH /api/admin/ai/:id": access,
	"POST /v1/chat/completions": gateway,
	"POST /v1/embeddings": gateway,
	"POST /v1/messages": gateway,
	"POST /v1/messages/count_tokens": gateway,
	"POST /v1/responses": gateway,
	"GET /v1/responses/*id": gateway,
	"DELETE /v1/responses/*id": gateway,
	"GET /v1/queue/*id": gateway,
	"DELETE /v1/queue/*id": gateway,
	"GET /v1/models": gateway,
	"GET /v1/models/*id": gateway,
	...Object.fromEntries(
		plainOperations.map(({ name }) => [
			name,
			"its entity's records change nothing else; its examples hold them",
		]),
	),
};
