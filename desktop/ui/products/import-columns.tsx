import { SelectField } from "../components/select-field.tsx";
import { useWords } from "../words/index.ts";

/** What a column of a file can be read as, in the order in which a person looks for it. */
const columnFields = [
	"name",
	"sku",
	"codes",
	"packs",
	"sellingPrice",
	"buyingPrice",
	"quantity",
	"lowStock",
	"category",
	"taxClass",
	"categoryTaxClass",
	"unit",
	"isService",
	"isActive",
	"imageUrl",
] as const;
type ColumnField = (typeof columnFields)[number];
/** A column's field; null if the column is left out. */
export type ColumnChoice = ColumnField | null;

/** A file's header and first rows, with the field that each column is read as. */
export interface FileColumns {
	header: string[];
	fields: ColumnChoice[];
	rows: string[][];
}

/** Gives a column a field, and takes it from the column that had it. */
export function withColumn(
	chosen: readonly ColumnChoice[],
	index: number,
	field: ColumnChoice,
): ColumnChoice[] {
	return chosen.map((before, i) => {
		if (i === index) return field;
		return before === field ? null : before;
	});
}

/** The columns to tell the server: only fields that the user changed, or that the file's own names leave open. */
export function columnsChosen({
	columns: { header, fields },
	chosen,
}: {
	columns: FileColumns;
	chosen: readonly ColumnChoice[];
}): Partial<Record<ColumnField, string | null>> {
	const map: Partial<Record<ColumnField, string | null>> = {};
	for (const field of columnFields) {
		const isRead = fields.includes(field);
		const isSame = fields.every(
			(read, i) => (read === field) === (chosen[i] === field),
		);
		if (isRead && isSame) continue;
		map[field] = header[chosen.indexOf(field)] ?? null;
	}
	return map;
}

/** The first rows of a file below what each column is read as, which the user can change. */
export function ImportColumns({
	columns: { header, rows },
	chosen,
	onChoose,
}: {
	columns: FileColumns;
	chosen: readonly ColumnChoice[];
	onChoose(index: number, field: ColumnChoice): void;
}) {
	const { say } = useWords();
	const options = [
		{ value: "", label: say("import.leaveOut") },
		...columnFields.map((value) => ({
			value,
			label: say(`import.field.${value}`),
		})),
	];
	return (
		<div className="import-rows">
			<table aria-label={say("import.firstRows")}>
				<thead>
					<tr>
						{header.map((name, i) => (
							// biome-ignore lint/suspicious/noArrayIndexKey: a column is its place in the file.
							<th key={i} data-left-out={chosen[i] === null}>
								<SelectField
									label={name}
									options={options}
									value={chosen[i] ?? ""}
									onChange={(field) =>
										onChoose(i, field === "" ? null : (field as ColumnField))
									}
								/>
							</th>
						))}
					</tr>
				</thead>
				<tbody>
					{rows.map((row, at) => (
						// biome-ignore lint/suspicious/noArrayIndexKey: a row is its place in the file.
						<tr key={at}>
							{header.map((_name, i) => (
								// biome-ignore lint/suspicious/noArrayIndexKey: a column is its place in the file.
								<td key={i} data-left-out={chosen[i] === null}>
									{row[i]}
								</td>
							))}
						</tr>
					))}
				</tbody>
			</table>
		</div>
	);
}
