const block = 512;
const encoder = /* @__PURE__ */ new TextEncoder();

/** Packs files into a POSIX tar (ustar), which every system can unpack. Reads their content lazily, when the tar is read. */
export function toTar(files: ReadonlyMap<string, Blob>): Blob {
	const parts: BlobPart[] = [];
	for (const [name, content] of files)
		parts.push(
			headerOf(name, content.size),
			content,
			new Uint8Array((block - (content.size % block)) % block),
		);
	return new Blob([...parts, new Uint8Array(2 * block)], {
		type: "application/x-tar",
	});
}

/** @param name at most 100 ASCII characters */
function headerOf(name: string, bytes: number): Uint8Array<ArrayBuffer> {
	const header = new Uint8Array(block);
	const put = (at: number, text: string) =>
		header.set(encoder.encode(text), at);
	const octal = (value: number, digits: number) =>
		value.toString(8).padStart(digits, "0");
	put(0, name);
	put(100, "0000644\0");
	put(108, "0000000\0");
	put(116, "0000000\0");
	put(124, `${octal(bytes, 11)} `);
	put(136, `${octal(Math.floor(Date.now() / 1_000), 11)} `);
	put(156, "0");
	put(257, "ustar\u000000");
	// The checksum field itself counts as spaces.
	put(148, " ".repeat(8));
	const sum = header.reduce((all, byte) => all + byte, 0);
	put(148, `${octal(sum, 6)}\0`);
	return header;
}
