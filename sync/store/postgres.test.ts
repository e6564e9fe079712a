import { beforeEach, describe, onTestFinished } from "vitest";
import { testStore } from "./contract.ts";
import { openPostgres } from "./postgres.ts";
import type { Store } from "./store.ts";
import { hasPostgres, makeDatabase, wherePostgres } from "./test-postgres.ts";

let url: string;

beforeEach(() => {
	url = "";
});

async function open(): Promise<Store> {
	url ||= await makeDatabase();
	const store = await openPostgres(url);
	onTestFinished(() => store.close());
	return store;
}

describe.skipIf(!hasPostgres)(`the PostgreSQL store ${wherePostgres}`, () => {
	testStore(open);
});
