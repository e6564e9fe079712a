import { hash } from "node:crypto";
import type {
	Change,
	MutationMessage,
	MutationResult,
	Page,
	PushRequest,
	PushResponse,
} from "../protocol/protocol.ts";
import { parseCursor } from "../protocol/protocol.ts";

/** A violation of a rule. */
export interface Violation {
	/** The rule, the same for the same defect. */
	rule: string;
	detail: string;
}

/** A sale as the cashier meant it. */
export interface KnownSale {
	businessId: string;
	id: string;
	/** The machine that made it. */
	madeOn: string;
	madeAt: number;
	/** Its total and its lines in order. */
	content: string;
	/** The member who made it. */
	by: string | null;
	/** The business day that the till fixed, if a till has shown it. */
	businessDay?: string;
	/** The server once dated it by its own clock. It may have lost that history since, and another till kept its day. */
	isRedated?: boolean;
	/** The till acknowledged it. Otherwise it may exist or not. */
	isAcknowledged: boolean;
	/** Its only lasting copy was on a disk that is gone. */
	isExcused: boolean;
}

/** A count of a product's stock as the person meant it, in millionths. */
interface KnownCount {
	businessId: string;
	productId: string;
	mutationId: string;
	seen: number;
	counted: number;
}

/** Watches all answers, records all promises and reports contradictions. */
export class Witness {
	readonly violations: Violation[] = [];
	readonly sales = new Map<string, KnownSale>();
	/** Mutations that no correct till makes. */
	readonly poison = new Set<string>();
	readonly counts: Record<string, number> = {};
	readonly stockCounts: KnownCount[] = [];
	/** What the reports of shifts said when they were made, by business and id. */
	readonly reports = new Map<string, string>();
	/** What had moved of a product by the book when it was looked at, by business and look. */
	readonly looks = new Map<string, number>();
	/** Mutations that came with an approval, and whether it was forged. */
	readonly approvals = new Map<string, boolean>();
	readonly #lastNumbers = new Map<string, number>();
	readonly #outcomes = new Map<string, string>();
	#history = "";
	/** Lines of the history, if requested. */
	readonly lines: string[] | undefined;

	constructor(isVerbose: boolean) {
		this.lines = isVerbose ? [] : undefined;
	}

	fail(rule: string, detail: string): void {
		this.violations.push({ rule, detail });
		this.note(`VIOLATION ${rule}: ${detail}`);
	}

	count(what: string, times = 1): void {
		this.counts[what] = (this.counts[what] ?? 0) + times;
	}

	note(line: string): void {
		this.#history = hash("sha256", this.#history + line, "hex");
		this.lines?.push(line);
	}

	/** A hash of everything that happened, in order. */
	get history(): string {
		return this.#history;
	}

	begins(sale: Omit<KnownSale, "isAcknowledged" | "isExcused">): KnownSale {
		const known = { ...sale, isAcknowledged: false, isExcused: false };
		this.sales.set(`${sale.businessId} ${sale.id}`, known);
		return known;
	}

	/** The till acknowledged the sale. */
	acknowledge(sale: KnownSale, now: number): void {
		sale.isAcknowledged = true;
		sale.madeAt = now;
		this.count("sale");
	}

	/** The server has dated a sale by its own clock. */
	redate(key: string): void {
		const sale = this.sales.get(key);
		if (sale) sale.isRedated = true;
	}

	/** Excuses sales that were made since, and may have been nowhere else, when a disk is lost. */
	excuse(
		madeOn: string,
		since: number,
		kept: ReadonlySet<unknown> = new Set(),
	): void {
		for (const sale of this.sales.values())
			if (
				sale.madeOn === madeOn &&
				sale.madeAt >= since &&
				!kept.has(`${sale.businessId} ${sale.id}`)
			)
				sale.isExcused = true;
	}

	/** The server's history changes from now on, with a new epoch or without. */
	loseHistory(): void {
		this.#outcomes.clear();
	}

	/** Checks that no mutation overtakes another: each number is first sent after the one before it. */
	seesPush(till: string, { deviceId, mutations }: PushRequest): void {
		const key = `${till} ${deviceId}`;
		for (const { number, id } of mutations as MutationMessage[]) {
			if (number === undefined) continue;
			const last = this.#lastNumbers.get(key) ?? number - 1;
			if (number > last + 1)
				this.fail("a mutation overtakes another", `${till}: ${number} ${id}`);
			this.#lastNumbers.set(key, Math.max(last, number));
		}
	}

	/** Checks that a mutation's outcome stays the same within one history of the server. */
	seesResults(businessId: string, { results, epoch }: PushResponse): void {
		for (const result of results) {
			if (result.status === "deferred" || typeof result.id !== "string")
				continue;
			if (result.error?.code === "id_reused") continue;
			const key = `${epoch} ${businessId} ${result.id}`;
			const outcome = outcomeOf(result);
			const before = this.#outcomes.get(key);
			if (before !== undefined && before !== outcome)
				this.fail("an outcome changed", `${key}: ${before}, then ${outcome}`);
			this.#outcomes.set(key, outcome);
		}
	}

	/** Checks that a page continues from its cursor, splits no version, and holds nothing of another business. */
	seesPage(
		businessId: string,
		asked: string | undefined,
		page: Page,
		epoch: string,
	): void {
		const from = parseCursor(asked ?? "");
		const to = parseCursor(page.cursor);
		if (!to || to.epoch !== epoch) {
			this.fail("a cursor makes no sense", page.cursor);
			return;
		}
		const isSame = from?.epoch === to.epoch && !page.reset;
		const after = isSame ? from.version : 0;
		if (to.version < after)
			this.fail("a cursor went back", `${asked} to ${page.cursor}`);
		let last = after;
		for (const { version, entity, id } of page.changes) {
			if (version < last || version > to.version)
				this.fail("a page is out of order", `${entity} ${id} v${version}`);
			if (isSame && version <= after)
				this.fail("a page repeats what was read", `${entity} ${id}`);
			last = version;
		}
		this.seesRows(businessId, page.changes);
	}

	seesRows(businessId: string, changes: readonly Change[]): void {
		const [stranger] = changes.filter(
			({ row }) =>
				row !== null &&
				JSON.stringify(row).includes(canaryOf(other(businessId))),
		);
		if (stranger)
			this.fail("a row of another business", JSON.stringify(stranger));
	}
}

function outcomeOf({ status, version, error }: MutationResult): string {
	return `${status} ${version ?? ""} ${error ? JSON.stringify(error) : ""}`;
}

export const businesses = ["shop-a", "shop-b"] as const;

function other(businessId: string): string {
	return businessId === "shop-a" ? "shop-b" : "shop-a";
}

/** A word in every name that a business uses, to detect leaks. */
export function canaryOf(businessId: string): string {
	return `(${businessId})`;
}
