// @ts-expect-error vitest's real entry point, which this module replaces
import * as vitest from "vitest?real";
import { mock } from "node:test";
import {
	setImmediate as nextTurn,
	setTimeout as sleep,
} from "node:timers/promises";

/**
 * The module that tests import as `vitest` while mutants are tried: the real `expect` with a runner that starts instantly.
 * It supports only the parts of vitest that the tests of `sync/` use.
 */

type Body = (...args: never[]) => unknown;

export interface Test {
	name: string;
	run(): Promise<void>;
}

let collected: Test[] = [];
let scope: {
	names: string[];
	beforeEach: Body[];
	afterEach: Body[];
	isSkipped: boolean;
} = emptyScope();
let finishing: (() => unknown)[] = [];

function emptyScope() {
	return {
		names: [] as string[],
		beforeEach: [] as Body[],
		afterEach: [] as Body[],
		isSkipped: false,
	};
}

/** Loads a test file. @returns its tests in order */
export async function collect(load: () => Promise<unknown>): Promise<Test[]> {
	collected = [];
	scope = emptyScope();
	await load();
	return collected;
}

function addTest(name: string, args: readonly unknown[]): void {
	const body = args.find((arg) => typeof arg === "function") as
		| Body
		| undefined;
	const { names, beforeEach, afterEach, isSkipped } = scope;
	if (!body || isSkipped) return;
	collected.push({
		name: [...names, name].join(" > "),
		async run() {
			finishing = [];
			try {
				for (const before of beforeEach) await before();
				await body();
			} finally {
				for (const after of afterEach) await after();
				for (const finish of finishing.toReversed()) await finish();
			}
		},
	});
}

/** Adds a test for each row of a table, with its cells as arguments. */
function each(add: (name: string, args: unknown[]) => void) {
	return (table: readonly unknown[]) =>
		(name: string, ...args: unknown[]) => {
			for (const [i, row] of table.entries()) {
				const cells = (Array.isArray(row) ? row : [row]) as never[];
				const rest = args.map((arg) =>
					typeof arg === "function" ? () => arg(...cells) : arg,
				);
				add(`${name} #${i}`, rest);
			}
		};
}

const add = (name: string, ...args: unknown[]) => addTest(name, args);
const nothing = () => {};
export const test = Object.assign(add, {
	each: each((name, args) => addTest(name, args)),
	skipIf: (isSkipped: unknown) => (isSkipped ? nothing : test),
	skip: nothing,
});
export const it = test;

const group = (name: string, ...args: unknown[]) => {
	const body = args.find((arg) => typeof arg === "function") as Body;
	const outer = scope;
	scope = {
		names: [...outer.names, name],
		beforeEach: [...outer.beforeEach],
		afterEach: [...outer.afterEach],
		isSkipped: outer.isSkipped,
	};
	(body as () => void)();
	scope = outer;
};
export const describe = Object.assign(group, {
	each: each((name, args) => group(name, ...args)),
	skipIf: (isSkipped: unknown) => (isSkipped ? nothing : describe),
});

export const beforeEach = (body: Body) => void scope.beforeEach.push(body);
export const afterEach = (body: Body) => void scope.afterEach.push(body);
export const onTestFinished = (body: () => unknown) =>
	void finishing.push(body);
/** Runs once, before the first test of the scope that runs. */
export const beforeAll = (body: Body) => {
	let done: Promise<unknown> | undefined;
	scope.beforeEach.push(() => {
		done ??= Promise.resolve((body as () => unknown)());
		return done;
	});
};
export const afterAll = nothing;

const pollMs = 10;
const pollMaxMs = 3_000;

async function until<T>(look: () => T | Promise<T>): Promise<T> {
	const giveUpAt = performance.now() + pollMaxMs;
	for (;;) {
		try {
			return await look();
		} catch (error) {
			if (performance.now() > giveUpAt) throw error;
			await sleep(pollMs);
		}
	}
}

/** Implements `expect.poll(read).toBe(1)`, which retries until it holds. */
function poll(read: () => unknown) {
	const through = (isNot: boolean): unknown =>
		new Proxy(
			{},
			{
				get: (_, matcher: string) =>
					matcher === "not"
						? through(!isNot)
						: (...args: unknown[]) =>
								until(async () => {
									const all = vitest.expect(await read());
									(isNot ? all.not : all)[matcher](...args);
								}),
			},
		);
	return through(false);
}

export const expect = Object.assign(
	(...args: unknown[]) => vitest.expect(...args),
	vitest.expect,
	{ poll },
);

const stepMs = 100;

/** Fake timers, advanced in steps so that the code after a timer reaches its next timer first. */
const fakeTimers = {
	useFakeTimers: () => mock.timers.enable({ apis: ["setTimeout"] }),
	useRealTimers: () => mock.timers.reset(),
	async advanceTimersByTimeAsync(ms: number) {
		for (let left = ms; left > 0; left -= stepMs) {
			mock.timers.tick(Math.min(stepMs, left));
			await nextTurn();
		}
	},
};

export const vi = { ...vitest.vi, ...fakeTimers, waitFor: until };
