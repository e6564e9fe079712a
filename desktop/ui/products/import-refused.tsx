import type { ImportRefusal } from "../../../sync/protocol/import-refusals.ts";
import { wordsOf } from "../components/error-message.ts";
import { type Say, useWords, type Word } from "../words/index.ts";

/** The most refused lines to show: the first say what is wrong with the file. */
const shownMax = 20;

/** The lines of a file that can't be imported, with the reasons in the user's language. */
export function ImportRefused({ refused }: { refused: ImportRefusal[] }) {
	const { say } = useWords();
	if (refused.length === 0) return null;
	return (
		<ul className="import-refused text-s">
			{refused.slice(0, shownMax).map((refusal) => (
				<li key={refusal.line}>
					{say("import.line", {
						line: refusal.line,
						reason: reasonOf(refusal, say),
					})}
				</li>
			))}
		</ul>
	);
}

export function reasonOf(refusal: ImportRefusal, say: Say): string {
	const { code, field, value = "", reason } = refusal;
	if (code === "invalid_args")
		return wordsOf({ code, field, message: reason }, say);
	return say(`import.refused.${code}`, {
		value,
		field: field === undefined ? "" : say(`import.field.${field}` as Word),
	});
}
