import { expect, onTestFinished, test, vi } from "vitest";
import { type Authenticated, lifetimeSeconds, openTokens } from "./tokens.ts";

const asha: Authenticated = {
	user: {
		id: "asha",
		email: "asha@example.com",
		name: "Asha",
		role: "user",
		businessId: "shop-1",
	},
	tokenVersion: 0,
};

function openSecret(byte: number) {
	return openTokens(new Uint8Array(32).fill(byte));
}

/** Stops the clock. @returns a function that advances it */
function holdClock() {
	vi.useFakeTimers({ toFake: ["Date"] });
	onTestFinished(() => {
		vi.useRealTimers();
	});
	return (seconds: number) => {
		vi.setSystemTime(Date.now() + seconds * 1_000);
	};
}

test("a cached token expires like any other [AUTH-2]", async () => {
	const pass = holdClock();
	const tokens = await openSecret(1);
	const token = await tokens.sign(asha, "bearer");
	for (let i = 0; i < 2; i += 1)
		expect(await tokens.verify(token, "bearer")).toMatchObject(asha);
	pass(lifetimeSeconds - 1);
	expect(await tokens.verify(token, "bearer")).toMatchObject(asha);
	pass(1);
	expect(await tokens.verify(token, "bearer")).toBeUndefined();
	const unseen = await openSecret(1);
	expect(await unseen.verify(token, "bearer")).toBeUndefined();
});

test.each([
	["ten minutes", 600],
	["two hours", 7_200],
	["a day", 86_400],
	["to 1970", Math.floor(Date.now() / 1_000)],
])(
	"a server clock that goes back by %s signs nobody out, and tokens still expire",
	async (_by, seconds) => {
		const pass = holdClock();
		const tokens = await openSecret(1);
		const token = await tokens.sign(asha, "bearer");
		expect(await tokens.verify(token, "bearer")).toMatchObject(asha);
		pass(-seconds);
		expect(await tokens.verify(token, "bearer")).toMatchObject(asha);
		const restarted = await openSecret(1);
		expect(await restarted.verify(token, "bearer")).toMatchObject(asha);
		pass(seconds + lifetimeSeconds);
		expect(await restarted.verify(token, "bearer")).toBeUndefined();
	},
);

test("a token is valid though a second began while it was signed", async () => {
	const RealDate = Date;
	let now = Date.parse("2026-11-27T01:28:51.999Z");
	const TickingDate = class extends RealDate {
		constructor(...given: [number]) {
			super(...(given.length > 0 ? given : ([TickingDate.now()] as const)));
		}
		static override now() {
			now += 1;
			return now - 1;
		}
	};
	vi.stubGlobal("Date", TickingDate);
	onTestFinished(() => {
		vi.unstubAllGlobals();
	});
	const tokens = await openSecret(1);
	const token = await tokens.sign(asha, "bearer");
	expect(await tokens.verify(token, "bearer")).toMatchObject(asha);
});

test("a cached token is not accepted as the other kind of credential or with a changed byte", async () => {
	const tokens = await openSecret(1);
	const token = await tokens.sign(asha, "bearer");
	expect(await tokens.verify(token, "bearer")).toMatchObject(asha);
	expect(await tokens.verify(token, "session")).toBeUndefined();
	const changed = token.replace(/.$/, (last) => (last === "A" ? "Q" : "A"));
	expect(await tokens.verify(changed, "bearer")).toBeUndefined();
	const other = await openSecret(2);
	expect(await other.verify(token, "bearer")).toBeUndefined();
});
