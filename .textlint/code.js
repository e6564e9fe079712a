/** Comments and quoted texts on one line. */
const texts =
	/(?<=(?:^|\s)(?:\/\/+|\/?\*+)) \S.*|(?:sw:\s+)?(["`])(?:\\.|(?!\1).)*\1/gm;
/** Quoted texts of fewer than three words are names; Swahili isn't checked. */
const unread = /^(["`])\S* ?\S*\1$|^sw:/;

/** A textlint plugin that reads each line of prose in code as a paragraph. */
class Code {
	availableExtensions() {
		return [".ts", ".tsx"];
	}

	processor() {
		return {
			preProcess: toTree,
			postProcess: (messages, filePath) => ({ messages, filePath }),
		};
	}
}

/** @returns textlint's syntax tree (TxtAST) */
function toTree(source) {
	const starts = Array.from(source.matchAll(/^/gm), ({ index }) => index);
	let line = 0;
	const node = (type, start, end, more) => {
		const at = { line: line + 1, column: start - starts[line] };
		return {
			type,
			raw: source.slice(start, end),
			range: [start, end],
			loc: { start: at, end: { ...at, column: at.column + end - start } },
			...more,
		};
	};
	const found = [...source.matchAll(texts)];
	const read = found.filter(([text]) => !unread.test(text));
	const children = read.map(({ 0: text, index }) => {
		while (starts[line + 1] <= index) line += 1;
		const end = index + text.length;
		const words = node("Str", index, end, { value: text });
		return node("Paragraph", index, end, { children: [words] });
	});
	line = 0;
	return node("Document", 0, source.length, { children });
}

export default { Processor: Code };
