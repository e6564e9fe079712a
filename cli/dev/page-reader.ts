import { gunzipSync, inflateRawSync } from "node:zlib";

/** A sync answer, as far as a light till needs it. */
export interface Answer {
	/** Everything but the rows. */
	envelope: {
		results?: { status: string }[];
		prefix?: string;
		cursor?: string;
		hasMore?: boolean;
		reset?: true;
	};
	/** The numbers of the sales in its rows. */
	sales: readonly number[];
}

/**
 * Reads answers for many tills in one process. A long page is decompressed once and shared with every till whose page has
 * the same bytes; doing the work of two hundred machines in this process would be the load's bottleneck.
 */
export interface PageReader {
	/** @param after the cursor of the request */
	read(after: string, body: Buffer, isGzip: boolean): Answer;
}

interface Known {
	beginning: Buffer;
	sales: readonly number[];
}

/** zlib's Z_SYNC_FLUSH marker, which separates the shared rows from the rest of the answer. */
const seam = Buffer.from([0, 0, 0xff, 0xff]);
const trailerLength = 8;
const saleMark = '"entity":"sale","id":"';
const idLength = 36;

export function openPageReader(): PageReader {
	const knownByCursor = new Map<string, Known>();

	function readKnown(after: string, body: Buffer): Answer | undefined {
		const known = knownByCursor.get(after);
		if (!known) return undefined;
		const { beginning, sales } = known;
		if (!beginning.equals(body.subarray(0, beginning.length))) return undefined;
		const rest = body.subarray(beginning.length, -trailerLength);
		return { envelope: toEnvelope(inflateRawSync(rest).toString()), sales };
	}

	return {
		read(after, body, isGzip) {
			if (!isGzip) return toAnswer(body);
			const known = readKnown(after, body);
			if (known) return known;
			const answer = toAnswer(gunzipSync(body));
			const end = body.lastIndexOf(seam);
			if (end >= 0) {
				const beginning = body.subarray(0, end + seam.length);
				knownByCursor.set(after, { beginning, sales: answer.sales });
			}
			return answer;
		},
	};
}

/** The server sends the rows before all other fields. */
function toAnswer(text: Buffer): Answer {
	const isPage = text.toString("latin1", 0, 12) === '{"changes":[';
	if (!isPage) return { envelope: JSON.parse(`${text}`), sales: [] };
	const results = text.lastIndexOf('],"results":[');
	const end = results < 0 ? text.lastIndexOf('],"cursor":"') : results;
	return {
		envelope: toEnvelope(text.toString("utf8", end + 1)),
		sales: salesIn(text.subarray(0, end)),
	};
}

function toEnvelope(rest: string): Answer["envelope"] {
	return JSON.parse(`{${rest.slice(1)}`);
}

/** Finds sale numbers, the last digits of the sales' ids in a load, in the raw bytes. */
function salesIn(rows: Buffer): number[] {
	const found: number[] = [];
	let at = rows.indexOf(saleMark);
	while (at >= 0) {
		at += saleMark.length;
		const id = rows.toString("latin1", at, at + idLength);
		found.push(Number.parseInt(id.slice(-8), 16));
		at = rows.indexOf(saleMark, at);
	}
	return found;
}
