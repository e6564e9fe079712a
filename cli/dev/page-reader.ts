import { gunzipSync, inflateRawSync } from "node:zlib";

/** An answer of the server's, as a light till needs it. */
export interface Answer {
	/** All but the rows. */
	envelope: {
		results?: { status: string }[];
		prefix?: string;
		cursor?: string;
		hasMore?: boolean;
		reset?: true;
	};
	/** The numbers of the sales among its rows. */
	sales: readonly number[];
}

/**
 * Reads the answers that many tills of one process get. A long page is unpacked for the first of them; the others get it
 * if theirs is the same to the byte: two hundred times the work of two hundred machines would be the load's bottleneck.
 */
export interface PageReader {
	/** @param after the cursor that was sent */
	read(after: string, body: Buffer, isGzip: boolean): Answer;
}

interface Known {
	beginning: Buffer;
	sales: readonly number[];
}

/** Where a page's rows end and what differs from answer to answer begins: zlib's Z_SYNC_FLUSH. */
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

/** The server sends its rows in front of all else. */
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

/** The last digits of a sale's id are its number in the load, so that a till knows it by its bytes. */
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
