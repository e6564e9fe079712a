import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { testDir } from "../../sync/testing/shop.ts";
import { openTestStore } from "../../sync/testing/store.ts";
import { openSessionBook } from "./sessions.ts";

test("a session that is just being stored is in every list, and somebody's", async () => {
	const store = await openTestStore(join(testDir(), "shop.db"));
	const book = openSessionBook(store, (error) => expect.fail(`${error}`));
	onTestFinished(async () => {
		book.close();
		await store.close();
	});
	const issuedAt = Math.floor(Date.now() / 1_000);
	book.note({
		...{ id: "session", userId: "asha", tokenVersion: 0 },
		...{ kind: "browser", agent: "Firefox" },
		...{ issuedAt, expiresAt: issuedAt + 60 },
	});
	const [first, second, owner] = await Promise.all([
		book.list(["asha"]),
		book.list(["asha"]),
		book.userOf("session"),
	]);
	expect([first.length, second.length, owner]).toEqual([1, 1, "asha"]);
});
