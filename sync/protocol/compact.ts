/*
 * The compact form of a short message: the same JSON text, character for character, in half of the bytes that gzip needs.
 * Most of such a text is ids, moments and names of fields: gzip spells ids in hex, and must be shown each name first.
 *
 *    text       {"id":"01a216fe-4b5c-…","name":"sale.create","at":"2026-11-26T08:35:27.300Z","number":4, …
 *    folded     {"id":"ÿ","name":"sale.create","at":"þ","number":4, …    a mark stands for a value
 *    symbols    phrases that both ends know, and characters              5 to 10 bits each, followed by their values
 *
 * A released form never changes, because both ends must know the same symbols. With others it is another form, under
 * another media type.
 */

import { toIso } from "./clock.ts";

export const compactType = "application/vnd.counterfoil.compact-1";

/** Longer texts, in bytes, are left to gzip, which needs no more for them. */
export const compactMax = 3_000;

/** Marks are bytes that UTF-8 never has. */
const newId = "ÿ";
const moment = "þ";
const day = "ý";
/** An id that the text had before, named by the next character: "0" is the first one. */
const knownId = "ü";
const firstIndex = 48;
const knownMax = 64;

const marks = /[ýþÿ]/g;
/** Of an id's digits, 01 and 7 are left out where it is a UUID of version 7 that was made before 2039, as nearly all are. */
const [idDigits, timedIdDigits, momentDigits, dayDigits] = [32, 29, 12, 4];
const timedId = /^01(.{10})7/;
const anyValue =
	/([\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12})|\d{4}-\d\d-\d\d(T\d\d:\d\d:\d\d\.\d{3}Z)?/g;
const dayMs = 86_400_000;
/** In the year 2149. */
const dayMax = 0xffff;

/** In the order of messages: the push of a sale, the page that brings it to another till, what else is in either. */
const phrases = `{"mutations":[{"id":"ÿ","name":"sale.create","at":"þ"
,"argsVersion":
,"number":
,"by":"ÿ
","proof":"ÿ.
","args":{"businessDay":"ý","id":"ü0","items":[{"cost":
,"id":"
","name":"
","price":
,"productId":"ÿ","quantity":
,"taxClass":"A","taxRate":
},{"cost":
}],"paymentMethod":"CASH","receiptNumber":"
","shiftId":"ÿ
"}}],"businessId":"ÿ","deviceId":"
","lastNumber":
,"settled":
,"settles":
,"taken":{"id":"ÿ","version":
},"prefix":"
","program":"
","cursor":"ÿ.
","limit":2500}
{"changes":[{"entity":"sale","id":"ÿ","version":
,"deleted":false,"row":{"id":"ü0","total":
,"cost":
,"paid":
,"paymentMethod":"CASH","notes":null,"businessId":"ÿ","receiptNumber":"
","businessDay":"ý","userId":"ÿ","deviceId":"ÿ","createdAt":"þ"
,"shiftId":"ÿ"
,"items":[{"id":"
","saleId":"ü0","name":"
","quantity":
,"price":
,"cost":
,"productId":"ÿ"
,"taxClass":"A","taxRate":
,"tax":
},{"id":"
}],"profit":
,"change":
}}],"results":[],"cursor":"ÿ.
","hasMore":false,"businessId":"ü1","epoch":"ü
","serverNow":"þ","backedUpTo":
,"feed":2,"prefix":"
"}
{"mutations":[],"businessId":"ÿ","deviceId":"ÿ","lastNumber":
}],"paid":
,"paymentMethod":"CASH","receiptNumber":"
}],"paymentMethod":"MPESA","receiptNumber":"
}],"paymentCode":"
","paymentMethod":"MPESA","receiptNumber":"
,"paymentMethod":"MPESA","notes":null,"businessId":"ÿ","receiptNumber":"
,"paymentCode":"
","paymentMethod":"
,"productId":"
,"taxClass":"
","taxRate":
,"listPrice":
,"unit":"
}}],"results":[{"id":"ü0","status":"applied","version":
}],"cursor":"ÿ.
{"changes":[],"results":[],"cursor":"ÿ.
","hasMore":false,"businessId":"ÿ","epoch":"ü0
{"changes":[{"entity":"
}},{"entity":"
,"deleted":false,"row":{"id":"
{"mutations":[{"id":"ÿ","name":"
","at":"þ"
","args":{`.split("\n");

// cspell:ignore eaoirnstlcdumkgphb CPABSMEIT Rfvywxzjq FLDGNOUHKVWXYZJQ
/** Characters, the most frequent first. */
const frequent = `0123456789."eaoirnstlcdumkgphb,-CPABSMEITRfvywxzjqFLDGNOUHKVWXYZJQ:{}[]ü`;

/** By rank, the most frequent first. The empty one is the phrase that is expected after the last one. */
const symbols = [
	...new Set([
		...["", ...frequent],
		...Array.from({ length: 224 }, (_, i) => String.fromCharCode(32 + i)),
	]),
	...phrases,
];
const firstPhrase = symbols.length - phrases.length;
const rankOf = new Map(symbols.map((symbol, rank) => [symbol, rank]));

/** The marks in a symbol. */
const marksOf = symbols.map((symbol) => symbol.match(marks) ?? []);

/** Expects the phrase that came last time after this one, or else the next one of the list. */
function openExpectation() {
	const places: number[] = [];
	let place = -1;
	return {
		expected: () => places[place] ?? place + 1,
		see(next: number) {
			places[place] = next;
			place = next;
		},
	};
}

/** A rank is written as two bits for its group, then its place there: the group's first rank, and the bits of a place. */
const groups = [
	[0, 3],
	[8, 4],
	[24, 5],
	[56, 8],
] as const;
type Group = (typeof groups)[number];

const parts = new RegExp(
	`${phrases
		.toSorted((a, b) => b.length - a.length)
		.map((phrase) => phrase.replace(/[{}[\].]/g, "\\$&"))
		.join("|")}|.`,
	"gs",
);

/** @returns undefined for a text that is longer than `compactMax`, or has control characters, as no JSON from here has */
export function toCompact(text: string): Uint8Array<ArrayBuffer> | undefined {
	const utf8 = new TextEncoder().encode(text.slice(0, compactMax));
	if (text.length > compactMax || utf8.length > compactMax) return undefined;
	const { folded, values } = fold(String.fromCharCode(...utf8));
	const { write, end } = openWriter();
	const { expected, see } = openExpectation();
	let next = 0;
	for (const [part] of folded.matchAll(parts)) {
		const own = rankOf.get(part);
		if (own === undefined) return undefined;
		const place = expected();
		const isExpected = part === phrases[place];
		const rank = isExpected ? 0 : own;
		if (isExpected) see(place);
		else if (own >= firstPhrase) see(own - firstPhrase);
		const group = groups.findLastIndex(([first]) => first <= rank);
		const [first, width] = groups[group] as Group;
		write(group, 2);
		write(rank - first, width);
		for (const mark of marksOf[own] ?? []) {
			const digits = values[next] as string;
			next += 1;
			if (mark === newId) write(digits.length === idDigits ? 1 : 0, 1);
			for (const digit of digits) write(Number.parseInt(digit, 16), 4);
		}
	}
	return end();
}

/** Replaces values by marks. @returns the values' digits, in their order */
function fold(text: string) {
	const ids: string[] = [];
	const values: string[] = [];
	const folded = text.replace(anyValue, (value, id, time) => {
		if (id) {
			const index = ids.indexOf(id);
			if (index >= 0) return knownId + String.fromCharCode(firstIndex + index);
			if (ids.length < knownMax) ids.push(id);
			values.push(id.replaceAll("-", "").replace(timedId, "$1"));
			return newId;
		}
		const ms = Date.parse(value);
		// Such as the 31st of February, and what is no date at all.
		if (!(ms >= 0 && toIso(ms).startsWith(value))) return value;
		if (!time && ms > dayMax * dayMs) return value;
		const [number, length] = time
			? [ms, momentDigits]
			: [ms / dayMs, dayDigits];
		values.push(number.toString(16).padStart(length, "0"));
		return time ? moment : day;
	});
	return { folded, values };
}

function openWriter() {
	const bytes: number[] = [];
	let held = 0;
	let bits = 0;
	function write(value: number, width: number) {
		held = (held << width) | value;
		bits += width;
		while (bits >= 8) {
			bits -= 8;
			bytes.push((held >> bits) & 255);
		}
	}
	return {
		write,
		end() {
			// The beginning of a long symbol that never comes.
			if (bits) write(127 >> (bits - 1), 8 - bits);
			return Uint8Array.from(bytes);
		},
	};
}

/**
 * @returns the text, or any other for bytes that are not of this form
 * @throws TypeError if that is not UTF-8
 */
export function fromCompact(bytes: Uint8Array): string {
	const { take, takeHex, isOver } = openReader(bytes);
	const ids: string[] = [];
	function read(mark: string): string {
		if (mark === newId) {
			const hex = take(1)
				? takeHex(idDigits)
				: takeHex(timedIdDigits).replace(/^.{10}/, "01$&7");
			const id = hex.replace(/(.{8})(.{4})(.{4})(.{4})/, "$1-$2-$3-$4-");
			if (ids.length < knownMax) ids.push(id);
			return id;
		}
		return mark === moment
			? toIso(Number(`0x${takeHex(momentDigits)}`))
			: toIso(Number(`0x${takeHex(dayDigits)}`) * dayMs).slice(0, 10);
	}
	const { expected, see } = openExpectation();
	let text = "";
	for (;;) {
		const [first, width] = groups[take(2)] as Group;
		const rank = first + take(width);
		if (isOver()) break;
		const own = rank === 0 ? firstPhrase + expected() : rank;
		if (own >= firstPhrase) see(own - firstPhrase);
		const part = symbols[own];
		text += marksOf[own]?.length ? part?.replace(marks, read) : part;
	}
	const spelled = text.replace(
		/ü(.)/gs,
		(_, which: string) => ids[which.charCodeAt(0) - firstIndex] ?? "",
	);
	const utf8 = new Uint8Array(spelled.length);
	for (let i = 0; i < utf8.length; i += 1) utf8[i] = spelled.charCodeAt(i);
	return new TextDecoder("utf-8", { fatal: true }).decode(utf8);
}

function openReader(bytes: Uint8Array) {
	let at = 0;
	let held = 0;
	let bits = 0;
	function take(width: number): number {
		while (bits < width) {
			held = (held << 8) | (bytes[at] ?? 0);
			at += 1;
			bits += 8;
		}
		bits -= width;
		return (held >> bits) & (2 ** width - 1);
	}
	return {
		take,
		takeHex(count: number): string {
			let digits = "";
			while (digits.length < count) digits += take(4).toString(16);
			return digits;
		},
		isOver: () => at > bytes.length,
	};
}
