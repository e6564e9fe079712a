/**
 * A database file as a build writes it down: its bytes, and what stands where, with a character for a byte. The rest is
 * zeros. As text it is compressed as well as its bytes.
 */
export type WrittenDatabase = [bytes: number, ...[at: number, text: string][]];

/** A piece ends before more zeros than another piece costs. */
const piece = /[^\0](?:\0{0,8}[^\0])*/g;

export function writeDown(file: Uint8Array): WrittenDatabase {
	const text = Array.from(file, (byte) => String.fromCharCode(byte)).join("");
	const pieces = [...text.matchAll(piece)];
	return [
		file.length,
		...pieces.map(({ index, 0: text }): [number, string] => [index, text]),
	];
}

export function readBack([bytes, ...pieces]: WrittenDatabase): Uint8Array {
	const file = new Uint8Array(bytes);
	for (const [at, text] of pieces)
		for (let i = 0; i < text.length; i += 1) file[at + i] = text.charCodeAt(i);
	return file;
}
