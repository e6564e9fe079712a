import type { ImportNote } from "../../../sync/protocol/import-notes.ts";
import type { ImportRefusal } from "../../../sync/protocol/import-refusals.ts";
import { wordsOf } from "../components/error-message.ts";
import { type Say, useWords, type Word } from "../words/index.ts";

/** The most refused lines to show: the first say what is wrong with the file. */
const shownMax = 20;

/** What an import leaves out or changes besides refused lines, and the columns that it doesn't take. */
export function ImportNotes({
	ignored,
	notes,
}: {
	ignored: string[];
	notes: ImportNote[];
}) {
	const { say } = useWords();
	if (ignored.length + notes.length === 0) return null;
	return (
		<ul className="import-notes text-s muted">
			{ignored.length > 0 && (
				<li>{say("import.ignored", { value: ignored.join(", ") })}</li>
			)}
			{notes.map((note) => (
				<li key={note.code}>{textOf(note, say)}</li>
			))}
		</ul>
	);
}

export function textOf({ code, value = "", lines }: ImportNote, say: Say) {
	const reason = say(`import.note.${code}`, { value, number: lines.length });
	const [line] = lines;
	if (line === undefined) return reason;
	if (lines.length === 1) return say("import.line", { line, reason });
	const shown = lines.slice(0, shownMax).join(", ");
	return say("import.lines", {
		lines: lines.length > shownMax ? `${shown} …` : shown,
		reason,
	});
}

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
