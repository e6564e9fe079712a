import { expect, onTestFinished, test } from "vitest";
import { ShopError } from "../../../sync/protocol/errors.ts";
import {
	type ChangeKind,
	openTillApi,
	type TillApi,
} from "../../../sync/protocol/till-api.ts";
import type { Member } from "./messages.ts";
import { type OpenTill, openTabs } from "./tabs.ts";

const member: Member = {
	businessId: "",
	userId: "asha",
	name: "Asha",
	role: "OWNER",
	deviceId: null,
};

/** A fake browser: its disk is a list of sales, its tabs have names, and it knows which tab has the shop open. */
function openBrowser() {
	const businessId = crypto.randomUUID();
	const sold: string[] = [];
	const opened: string[] = [];
	const removed: string[] = [];
	const browser = {
		...{ sold, opened, removed, businessId },
		/** Why the shop can't be opened now. */
		failure: undefined as Error | undefined,
		/** A sale waits for this. */
		held: undefined as Promise<void> | undefined,
		/** The removal of the shop waits for this. */
		removal: undefined as Promise<void> | undefined,
		open(name: string, build = "1") {
			const changes: ChangeKind[] = [];
			const others = { builds: 0 };
			const tabs = openTabs({
				businessId,
				build,
				open: async () => {
					if (browser.failure) throw browser.failure;
					opened.push(name);
					return openFakeTill(name);
				},
				onChange: (kind) => changes.push(kind),
				onOtherBuild: () => {
					others.builds += 1;
				},
			});
			onTestFinished(async () => {
				await tabs.close();
			});
			const calls = openTillApi((call) => tabs.call(member, call));
			const sell = (id: string) => calls.mutate({ id, name: "", args: {} });
			return { ...calls, sell, close: tabs.close, changes, others };
		},
	};

	function openFakeTill(name: string): OpenTill {
		let onChange = (_: ChangeKind) => {};
		let isClosed = false;
		return {
			onChange(listener) {
				onChange = listener;
				return () => {};
			},
			as: () =>
				({
					async mutate({ id }) {
						await browser.held;
						if (!sold.includes(id)) sold.push(id);
						onChange("rows");
						return { id, at: "", args: {} };
					},
					ask: () =>
						Promise.reject(new ShopError("not_found", "No sale", "id")),
					retry: () => Promise.reject(new TypeError("A bug")),
				}) as Partial<TillApi> as TillApi,
			async close() {
				isClosed = true;
			},
			async remove() {
				expect(isClosed).toBe(true);
				await browser.removal;
				removed.push(name);
				return true;
			},
		};
	}

	return browser;
}

test("one of many tabs opens the shop, and all sell in it and hear of changes", async () => {
	const { open, opened, sold } = openBrowser();
	const tabs = ["a", "b", "c"].map((name) => open(name));
	await Promise.all(tabs.map((tab, i) => tab.sell(`s${i}`)));
	expect(opened).toEqual(["a"]);
	expect(sold.toSorted()).toEqual(["s0", "s1", "s2"]);
	for (const { changes } of tabs)
		await expect.poll(() => changes).toEqual(["rows", "rows", "rows"]);
});

test("the next tab takes over when one closes, and each sale is made once", async () => {
	const browser = openBrowser();
	const { open, opened, sold } = browser;
	const first = open("a");
	const second = open("b");
	await Promise.all([first.sell("s1"), second.sell("s2")]);
	const goOn = Promise.withResolvers<void>();
	browser.held = goOn.promise;
	const asked = second.sell("s3");
	await first.close();
	goOn.resolve();
	expect(await asked).toMatchObject({ id: "s3" });
	await second.sell("s4");
	expect(opened).toEqual(["a", "b"]);
	expect(sold.toSorted()).toEqual(["s1", "s2", "s3", "s4"]);
	await expect(first.sell("s5")).rejects.toMatchObject({
		code: "storage_busy",
	});
});

test("a refusal reaches the calling tab unchanged, and a bug as an internal error", async () => {
	const { open } = openBrowser();
	const tabs = [open("a"), open("b")];
	for (const tab of tabs) {
		await expect(tab.ask("sale.get", {})).rejects.toMatchObject({
			...{ code: "not_found", message: "No sale", field: "id" },
		});
		await expect(tab.retry("m")).rejects.toMatchObject({
			...{ code: "internal", message: "TypeError: A bug" },
		});
	}
});

test("a shop that can't be opened says why in every tab, and each hears when it opens", async () => {
	const browser = openBrowser();
	browser.failure = new ShopError("storage_full", "The disk is full");
	const tabs = [browser.open("a"), browser.open("b")];
	for (const tab of tabs)
		await expect(tab.sell("s1")).rejects.toMatchObject({
			code: "storage_full",
		});
	browser.failure = undefined;
	for (const [i, tab] of tabs.entries())
		await expect
			.poll(() => tab.sell(`s${i}`).then(() => "sold", String), {
				interval: 200,
			})
			.toBe("sold");
	expect(browser.sold.toSorted()).toEqual(["s0", "s1"]);
	for (const { changes } of tabs)
		await expect.poll(() => changes).toContain("standing");
});

test("tabs of different builds notice each other, and tabs of the same build don't", async () => {
	const { open } = openBrowser();
	const old = open("a", "1");
	await old.sell("s1");
	const same = open("b", "1");
	await same.sell("s2");
	expect([old.others.builds, same.others.builds]).toEqual([0, 0]);
	const fresh = open("c", "2");
	await fresh.sell("s3");
	expect(fresh.others.builds).toBeGreaterThan(0);
	for (const { others } of [old, same])
		await expect.poll(() => others.builds).toBeGreaterThan(0);
});

test("the tab that holds the shop removes it after closing it, and only then the next tab opens it", async () => {
	const browser = openBrowser();
	const { open, opened, removed } = browser;
	const holder = open("a");
	await holder.sell("s1");
	const asker = open("b");
	const next = open("c");
	await Promise.all([asker.sell("s2"), next.sell("s3")]);
	expect(await asker.close(true)).toBe(false);
	expect(removed).toEqual([]);
	const goOn = Promise.withResolvers<void>();
	browser.removal = goOn.promise;
	const closed = holder.close(true);
	const sold = next.sell("s4");
	expect(opened).toEqual(["a"]);
	goOn.resolve();
	expect(await closed).toBe(true);
	await sold;
	expect([opened, removed]).toEqual([["a", "c"], ["a"]]);
	expect(await next.close()).toBe(false);
	expect(removed).toEqual(["a"]);
});
