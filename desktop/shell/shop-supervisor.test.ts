import { EventEmitter } from "node:events";
import type { UtilityProcess } from "electron";
import { expect, test } from "vitest";
import { openLogger } from "../../server/operations/logger.ts";
import type { ShopReport } from "../shop/shop-process.ts";
import { type ShopAddress, superviseShop } from "./shop-supervisor.ts";

/** A fake shop process controlled by a test. */
class Shop extends EventEmitter {
	readonly orders: { kind: string; secret?: string; token?: string }[] = [];
	postMessage(order: { kind: string }): void {
		this.orders.push(order);
		if (order.kind === "stop") this.end(0);
	}
	kill = () => this.end(9);
	end = (status: number) => void this.emit("exit", status);
	say = (report: ShopReport) => void this.emit("message", report);
	/** Starts a shop and waits until its window opens. */
	open(port: number): void {
		this.emit("spawn");
		this.say({ kind: "started", url: `http://localhost:${port}` });
	}
}

function keep() {
	const shops: Shop[] = [];
	const doors: ShopAddress[] = [];
	const troubles: string[] = [];
	let token: string | undefined;
	const keeper = superviseShop({
		fork() {
			const shop = new Shop();
			shops.push(shop);
			return shop as unknown as UtilityProcess;
		},
		readToken: () => token,
		readPort: () => 4780,
		onToken: (next) => {
			token = next;
		},
		onStarted: (door) => doors.push(door),
		onTrouble: (reason) => troubles.push(reason),
		log: openLogger("silent"),
		delaysMs: [0, 1],
	});
	const shopNumber = async (n: number) => {
		await expect.poll(() => shops.length).toBe(n);
		return shops[n - 1] as Shop;
	};
	return { keeper, doors, troubles, shopNumber, shops };
}

test("a crashed shop restarts with a new secret, and no secret is sent meanwhile", async () => {
	const { keeper, doors, troubles, shopNumber } = keep();
	const first = await shopNumber(1);
	expect(keeper.address()).toBeUndefined();
	first.open(4780);
	first.say({ kind: "token", token: "of the server" });
	expect(keeper.address()).toEqual(doors[0]);
	expect(doors[0]?.origin).toBe("http://127.0.0.1:4780");
	first.end(1);
	expect(keeper.address()).toBeUndefined();
	const second = await shopNumber(2);
	second.open(4780);
	expect(second.orders).toEqual([
		{
			kind: "start",
			secret: doors[1]?.secret,
			token: "of the server",
			port: 4780,
		},
	]);
	expect(doors[1]?.secret).not.toBe(doors[0]?.secret);
	expect(troubles).toEqual([]);
	await keeper.stop();
	expect(keeper.address()).toBeUndefined();
});

test("a shop that doesn't come back is reported, and retried until it does", async () => {
	const { keeper, doors, troubles, shopNumber, shops } = keep();
	(await shopNumber(1)).open(4780);
	(await shopNumber(1)).end(1);
	(await shopNumber(2)).say({ kind: "failed", message: "The disk is full" });
	(await shopNumber(3)).end(7);
	expect(troubles).toEqual(["The disk is full", "It ended with status 7."]);
	(await shopNumber(4)).open(4780);
	expect(doors).toHaveLength(2);
	await keeper.stop();
	await new Promise((resolve) => setTimeout(resolve, 20));
	expect(shops).toHaveLength(4);
});
