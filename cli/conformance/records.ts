import { Broken, type Given, type Rule, same } from "./rule.ts";

type Fields = Record<string, unknown>;

async function make({ own }: Given, fields: Fields): Promise<Fields> {
	const reply = await own.ask("POST", "/api/products", {
		...{ buyingPrice: 40, sellingPrice: 50, ...fields },
	});
	same("status", reply.status, 201);
	return reply.body as Fields;
}

const productRules: readonly Rule[] = [
	{
		rule: "A new product has the contract's defaults, and never the body's business",
		async check(given) {
			const made = await make(given, { name: "Defaults", businessId: "x" });
			const defaults = {
				...{ sku: null, quantity: 0, lowStock: 5, isService: false },
				...{ isActive: true, categoryId: null },
				...{ imageUrl: null, thumbnailUrl: null },
			};
			for (const [field, value] of Object.entries(defaults))
				same(field, made[field], value);
			if (made.businessId === "x") throw new Broken("it took the body's");
		},
	},
	{
		rule: "The list is an array of active products by name; search ignores case",
		async check(given) {
			for (const name of ["Listed b", "Listed a"])
				await make(given, { name: `${name} of the list` });
			const reply = await given.own.ask("GET", "/api/products?search=OF+THE");
			const names = (reply.body as Fields[]).map(({ name }) => String(name));
			same("found", names, ["Listed a of the list", "Listed b of the list"]);
			const all = await given.own.ask("GET", "/api/products");
			same("array", Array.isArray(all.body), true);
		},
	},
	{
		rule: "PATCH changes only what the body names, and ignores unknown keys",
		async check(given) {
			const { id, ...before } = await make(given, { name: "Before", sku: "a" });
			const reply = await given.own.ask("PATCH", `/api/products/${id}`, {
				...{ sellingPrice: 55, unknown: 1 },
			});
			same("status", reply.status, 200);
			const after = reply.body as Fields;
			same("sellingPrice", after.sellingPrice, 55);
			for (const field of ["name", "sku", "buyingPrice", "quantity"])
				same(field, after[field], before[field]);
		},
	},
	{
		rule: "DELETE keeps the product, out of the list, and isActive brings it back",
		async check(given) {
			const { own } = given;
			const { id } = await make(given, { name: "Comes back" });
			const path = `/api/products/${id}`;
			const isListed = async () => {
				const { body } = await own.ask("GET", "/api/products");
				return (body as Fields[]).some((product) => product.id === id);
			};
			const gone = await own.ask("DELETE", path);
			same("DELETE", [gone.status, gone.body], [200, { ok: true }]);
			same("listed", await isListed(), false);
			same("GET", (await own.ask("GET", path)).status, 200);
			await own.ask("PATCH", path, { isActive: true });
			same("listed again", await isListed(), true);
		},
	},
];

const saleRules: readonly Rule[] = [
	{
		rule: "A sale's total, cost, profit and change are the server's, and stock follows",
		async check(given) {
			const { own } = given;
			const { id } = await make(given, { name: "Sold", quantity: 1 });
			const reply = await own.ask("POST", "/api/sales", {
				...{ id: "mine", total: 1, tax: 5, taxRate: 5, change: 7, paid: 200 },
				items: [
					{ name: "Sold", quantity: 3, price: 50, cost: 40, productId: id },
					{ name: "Other", quantity: 1, price: 10, cost: 4, productId: "none" },
				],
			});
			same("status", reply.status, 201);
			const sale = reply.body as Fields & { items: Fields[] };
			for (const [field, value] of Object.entries({
				...{ total: 160, cost: 124, profit: 36, paid: 200, change: 40 },
				...{ paymentMethod: "CASH", notes: null },
			}))
				same(field, sale[field], value);
			same("items", sale.items.length, 2);
			if (sale.id === "mine") throw new Broken("it took the body's id");
			const { body } = await own.ask("GET", `/api/products/${id}`);
			same("stock", (body as Fields).quantity, -2);
		},
	},
	{
		rule: "A repeated sale is a second one, a missing paid is the total, an underpayment is no error",
		async check({ own }) {
			const items = [{ name: "Again", quantity: 1, price: 10, cost: 4 }];
			const sell = async (more: Fields) =>
				(await own.ask("POST", "/api/sales", { items, ...more }))
					.body as Fields;
			const [first, second] = [await sell({}), await sell({ paid: 4 })];
			same("change", [first.change, second.change], [0, -6]);
			const reply = await own.ask("GET", "/api/sales?limit=1");
			const { sales, total } = reply.body as { sales: Fields[]; total: number };
			same("newest first", [sales.length, sales[0]?.id], [1, second.id]);
			if (total < 2) throw new Broken(`the total is ${total}, of the page`);
		},
	},
];

const notificationRules: readonly Rule[] = [
	{
		rule: "Notifications are read and deleted once, and zero is an answer",
		async check({ own, other }) {
			const reply = await own.ask("POST", "/api/notifications", {
				...{ type: "unheard of", title: "T", message: "M", data: { a: 1 } },
			});
			same("status", reply.status, 200);
			const { notification } = reply.body as { notification: Fields };
			const { id } = notification;
			for (const [field, value] of Object.entries({
				...{ type: "system", channel: "server", read: false },
				...{ deletedAt: null, data: { a: 1 } },
			}))
				same(field, notification[field], value);
			const path = `/api/notifications/${id}`;
			const read = async () =>
				(await own.ask("PATCH", "/api/notifications", { ids: [id] })).body;
			same("first", await read(), { updated: 1 });
			same("again", await read(), { updated: 0 });
			const theirs = await other.ask("DELETE", path);
			same("of another", theirs.body, { deleted: 0 });
			same("deleted", (await own.ask("DELETE", path)).body, { deleted: 1 });
			same("again", (await own.ask("DELETE", path)).body, { deleted: 0 });
		},
	},
	{
		rule: "A sync of notifications writes first, and answers the server's clock",
		async check({ own }) {
			const made = await own.ask("POST", "/api/notifications", {
				...{ type: "sales", title: "T", message: "M" },
			});
			const { id } = (made.body as { notification: Fields }).notification;
			const reply = await own.ask("POST", "/api/notifications/sync", {
				...{ readIds: [id], deletedIds: [id] },
			});
			same("status", reply.status, 200);
			const { notifications, serverNow } = reply.body as {
				notifications: Fields[];
				serverNow: string;
			};
			same(
				"listed",
				notifications.some((one) => one.id === id),
				false,
			);
			if (Number.isNaN(Date.parse(serverNow))) throw new Broken("no serverNow");
		},
	},
];

const releaseRules: readonly Rule[] = [
	{
		rule: "Releases are public, cached for five minutes, or none with 404",
		async check({ nobody }) {
			for (const path of ["/api/releases", "/api/latest-release"]) {
				const { status, headers, body } = await nobody.ask("GET", path);
				same(`${path} cache-control`, headers.get("cache-control"), cached);
				if (status !== 404) same(`${path} status`, status, 200);
				else if (path === "/api/releases") same(path, body, { releases: [] });
				else same(path, (body as Fields).message, "No release available yet");
			}
		},
	},
];

const cached = "s-maxage=300, stale-while-revalidate=60";

export const recordRules: readonly Rule[] = [
	...productRules,
	...saleRules,
	...notificationRules,
	...releaseRules,
];
