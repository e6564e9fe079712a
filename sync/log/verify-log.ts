import type { Connection, DbRow } from "../store/store.ts";
import {
	type ChainedMutation,
	chainedColumns,
	chainStart,
	isKept,
	nextLink,
	readChainHead,
} from "./chain.ts";
import { spellLogged } from "./logged-args.ts";

/** A link that does not match the log. */
interface BadLink {
	version: number;
	/** The mutation's id. Null if the log has none for the version. */
	id: string | null;
	reason: string;
}

interface LogCheck {
	/** Mutations whose link was checked. */
	checked: number;
	/** Applied mutations that are older than the chain. */
	unlinked: number;
	/** The first wrong link. Later ones prove nothing. */
	bad?: BadLink;
}

/**
 * Recomputes every link of a business's log.
 *
 * @param onProgress receives the number of mutations read so far
 * @param pageRows versions per read
 */
export async function verifyLog(
	tx: Connection,
	businessId: string,
	onProgress: (mutations: number) => void = () => {},
	pageRows = 5_000,
): Promise<LogCheck> {
	const head = await readChainHead(tx, businessId);
	const check: LogCheck = { checked: 0, unlinked: 0 };
	let link: string | null = null;
	let last: number | undefined;
	for (let from = 0; from <= head.version; from += pageRows) {
		// Versions are dense. The last page also has what the log holds beyond the head.
		const isLast = from + pageRows > head.version;
		const rows: DbRow[] = await spellLogged(
			tx,
			businessId,
			await tx.all(
				`SELECT ${chainedColumns}, shape, link FROM mutations WHERE business_id = ? AND version > ? AND version <= ? ORDER BY version`,
				businessId,
				from,
				isLast ? Number.MAX_SAFE_INTEGER : from + pageRows,
			),
		);
		for (const row of rows) {
			const made = row as DbRow & ChainedMutation;
			const { version, id } = made;
			const next = nextLink(link ?? chainStart(businessId), made);
			const reason = reasonAgainst(made, last, link, next);
			if (reason !== undefined)
				return { ...check, bad: { version, id, reason } };
			last = version;
			if (row.link === null) check.unlinked += 1;
			else {
				link = next;
				check.checked += 1;
			}
		}
		onProgress(check.checked + check.unlinked);
	}
	const isEnd = last === undefined || last === head.version;
	if (!isEnd || link !== head.link)
		check.bad = {
			version: head.version,
			id: null,
			reason: isEnd
				? "the shop's newest link is another one than its log's"
				: "the log ends before it",
		};
	return check;
}

/** @returns undefined for a mutation that is in its place with the right link */
function reasonAgainst(
	{ version, link: kept }: DbRow & ChainedMutation,
	last: number | undefined,
	link: string | null,
	next: string,
): string | undefined {
	if (last !== undefined && version !== last + 1)
		return `version ${last + 1} is missing before it`;
	if (kept === null)
		return link === null ? undefined : "it has no link, and those before it do";
	return isKept(next, kept as string)
		? undefined
		: "its content, or a link before it, was changed";
}
