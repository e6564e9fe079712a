const wordCount = 8;
const wordSize = 2 ** 32;
/** So many 32-bit words add up before a double loses precision. */
const carryEvery = 1_000_000;

export interface Sum256 {
	/** Adds 32 bytes as one big-endian number. */
	add(number: Uint8Array): void;
	/** Adds other sums, each in 64 characters. */
	addHex(sums: string): void;
	/** The sum modulo 2^256. */
	toHex(): string;
}

/** Adds 256-bit numbers word by word. A BigInt per row would take as long as the row's hash. */
export function openSum256(): Sum256 {
	const words = new Float64Array(wordCount);
	let added = 0;

	function carry(): void {
		for (let i = wordCount - 1; i >= 0; i -= 1) {
			const word = words[i] as number;
			const over = Math.floor(word / wordSize);
			words[i] = word - over * wordSize;
			if (i > 0) words[i - 1] = (words[i - 1] as number) + over;
		}
	}

	function addWords(wordAt: (i: number) => number): void {
		for (let i = 0; i < wordCount; i += 1)
			words[i] = (words[i] as number) + wordAt(i);
		added += 1;
		if (added % carryEvery === 0) carry();
	}

	return {
		add(number) {
			const { buffer, byteOffset } = number;
			const view = new DataView(buffer, byteOffset);
			addWords((i) => view.getUint32(4 * i));
		},
		addHex(sums) {
			for (let start = 0; start < sums.length; start += 64)
				addWords((i) => readHex(sums, start + 8 * i));
		},
		toHex() {
			carry();
			return [...words]
				.map((word) => word.toString(16).padStart(8, "0"))
				.join("");
		},
	};
}

/** Reads a word of eight lowercase digits, at a quarter of the cost of `parseInt` on a slice. */
function readHex(text: string, start: number): number {
	let word = 0;
	for (let at = start; at < start + 8; at += 1) {
		const code = text.charCodeAt(at);
		word = word * 16 + (code < letterA ? code - digit0 : code - letterA + 10);
	}
	return word;
}

const digit0 = 48;
const letterA = 97;
