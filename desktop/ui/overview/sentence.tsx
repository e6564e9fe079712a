import { Fragment, type ReactNode } from "react";
import { type Say, useWords } from "../words/index.ts";

/** A character that no text has: it marks where a part goes. */
const mark = "\uE000";

/** A translated text in which some of the values are elements, such as links. */
export function Sentence({
	word,
	values = {},
	parts,
}: {
	word: Parameters<Say>[0];
	values?: Record<string, string | number>;
	parts: Record<string, ReactNode>;
}) {
	const { say } = useWords();
	const marked = Object.keys(parts).map((name) => [
		name,
		`${mark}${name}${mark}`,
	]);
	const texts = say(word, { ...values, ...Object.fromEntries(marked) });
	return texts
		.split(mark)
		.map((text, i) =>
			i % 2 === 0 ? text : <Fragment key={text}>{parts[text]}</Fragment>,
		);
}
