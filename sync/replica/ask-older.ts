import { parseArgs } from "../entities/parse-args.ts";
import { assertAllowed } from "../entities/permission.ts";
import { addDays } from "../protocol/clock.ts";
import { ShopError } from "../protocol/errors.ts";
import type { AskQuery } from "../queries/ask.ts";
import type { Query } from "../queries/query.ts";
import type { Store } from "../store/store.ts";
import { firstDayHere, readState } from "./replica-state.ts";
import type { Transport } from "./transport.ts";

interface Asking {
	store: Store;
	businessId: string;
	transport: Pick<Transport, "answer">;
	/** Answers from the rows here. */
	ask: AskQuery;
	/** Brings a sale from before the window. @returns false if it is none, and the server may have it */
	bring(saleId: string): Promise<boolean>;
}

/** How long to wait for the server where rows here can answer: a lost connection takes a minute to notice. */
const soonMs = 3_000;

/** A page of a list that the server goes on with: the cursor is the server's behind this. */
const olderMark = "older ";

/** Answers queries about older sales: from the rows here as far as the till's window goes, and from the server beyond it. */
export function openAskOlder(asking: Asking): AskQuery {
	const { store, businessId, ask } = asking;
	return async (caller, query, args) => {
		const { older } = query;
		if (older === undefined) return ask(caller, query, args);
		assertAllowed(query, caller.role);
		const state = await store.read((tx) => readState(tx, businessId));
		const { historyVersion, position } = state;
		const day = firstDayHere(state);
		// Where sales still arrive, the server's figure would stand beside figures that lack some.
		const isEarly = older === "rather" && historyVersion !== null;
		if (day === null || isEarly) return ask(caller, query, args);
		const here = (asked: object) => ask(caller, query, asked as never);
		const there = (asked: unknown) =>
			askServer(asking, query, asked) as Promise<never>;
		if (older === "days")
			return askDays(args as DaysAsked, day, { here, there }) as never;
		if (typeof older === "object") {
			const asked = parseArgs(query, args);
			const needed = await store.read(async (tx) =>
				older.since(asked as never, { tx, businessId, now: 0 }),
			);
			if (needed >= day) return here(args as object);
			// The server may not know a record yet that this till has made.
			return there(args).catch((error) => {
				if (!isNotFound(error)) throw error;
				return here(args as object) as never;
			});
		}
		if (older === "rather")
			return soon(there(args)).catch((error) => {
				if (!(error instanceof ShopError)) throw error;
				return here(args as object) as never;
			});
		if (older === "found") {
			const found = (await here(args as object)) as { sale: unknown };
			return found.sale === null ? there(args) : (found as never);
		}
		const shown = () => here(args as object) as Promise<never>;
		return shown().catch(async (error) => {
			if (!isNotFound(error)) throw error;
			const { id } = args as { id: string };
			// A sale that is brought while all of them come anyway isn't kept.
			const isHere = !position.resetting && (await online(asking.bring(id)));
			return isHere ? shown() : there(args);
		});
	};
}

/** What a list of sales by days is asked. */
interface DaysAsked {
	from?: string;
	to?: string;
	after?: string;
}

interface Page {
	rows: unknown[];
	next: string | null;
}

interface BothSides {
	here(asked: object): Promise<unknown>;
	there(asked: object): Promise<unknown>;
}

/** Lists the days of the window from the rows here, and then the days before it from the server's. */
async function askDays(
	asked: DaysAsked,
	day: string,
	{ here, there }: BothSides,
): Promise<Page> {
	const { from, to, after, ...others } = asked;
	const isOlder = after?.startsWith(olderMark) || (to ?? day) < day;
	if (!isOlder) {
		const first = from !== undefined && from > day ? from : day;
		const page = (await here({ ...asked, from: first })) as Page;
		const goesOn = page.next === null && (from ?? "") < day;
		return goesOn ? { ...page, next: olderMark } : page;
	}
	const place = after?.slice(
		after.startsWith(olderMark) ? olderMark.length : 0,
	);
	const last = addDays(day, -1);
	const page = (await there({
		...others,
		...(from !== undefined && { from }),
		to: to !== undefined && to < last ? to : last,
		...(place && { after: place }),
	})) as Page;
	return { ...page, next: page.next && olderMark + page.next };
}

async function askServer(
	{ transport }: Asking,
	{ name }: Query,
	args: unknown,
): Promise<unknown> {
	if (!transport.answer) throw olderSales();
	return online(transport.answer(name, args));
}

/** @throws ShopError `older_sales` if the server doesn't answer soon: a person waits, and rows here answer, too */
async function soon<T>(asked: Promise<T>): Promise<T> {
	const late = Promise.withResolvers<never>();
	const timer = setTimeout(() => late.reject(olderSales()), soonMs);
	return Promise.race([asked, late.promise]).finally(() => clearTimeout(timer));
}

/** @throws ShopError `older_sales` if the server can't be reached */
async function online<T>(asked: Promise<T>): Promise<T> {
	try {
		return await asked;
	} catch (error) {
		const isAway = error instanceof ShopError && error.code === "unreachable";
		throw isAway ? olderSales(error) : error;
	}
}

const isNotFound = (error: unknown) =>
	error instanceof ShopError && error.code === "not_found";

function olderSales(cause?: unknown): ShopError {
	return new ShopError(
		"older_sales",
		"Older sales are on the server, which can't be reached",
		undefined,
		{ cause },
	);
}
