import { useQuery } from "@tanstack/react-query";
import { FileSpreadsheet, Upload } from "lucide-react";
import { useEffect, useState } from "react";
import { v7 as newId } from "uuid";
import type { ImportNote } from "../../../sync/protocol/import-notes.ts";
import type { ImportRefusal } from "../../../sync/protocol/import-refusals.ts";
import { useAttempt } from "../components/attempt.tsx";
import { Button } from "../components/button.tsx";
import { FileButton } from "../components/file-button.tsx";
import { LoadError } from "../components/load-error.tsx";
import { SelectField } from "../components/select-field.tsx";
import { Sheet } from "../components/sheet.tsx";
import { upload } from "../components/upload.ts";
import { useShop } from "../session.tsx";
import { useWords } from "../words/index.ts";
import {
	type ColumnChoice,
	columnsChosen,
	type FileColumns,
	ImportColumns,
	withColumn,
} from "./import-columns.tsx";
import { ImportNotes, ImportRefused } from "./import-refused.tsx";
import "./import.css";

interface Plan {
	created: number;
	updated: number;
	unchanged: number;
	refused: ImportRefusal[];
	ignored: string[];
	notes: ImportNote[];
}

/** A file that was chosen, with the columns that the server read in it and those that the user chose. */
interface ChosenFile {
	id: string;
	file: File;
	columns: FileColumns;
	chosen: ColumnChoice[];
	/** The decimal mark that the user chose; empty for the one that the list shows. */
	decimal: string;
}

const address = "/api/imports/products";
/** What a list may be; the server looks at what it is. */
export const listTypes =
	".csv,.tsv,.txt,.xlsx,text/csv,application/vnd.openxmlformats-officedocument.spreadsheetml.sheet";
const type = { "content-type": "text/csv" };

/** The products page's button that imports a list in a sheet. */
export function Import() {
	const { say } = useWords();
	const [isOpen, setOpen] = useState(false);
	const close = () => setOpen(false);
	return (
		<>
			<Button onClick={() => setOpen(true)}>
				<Upload size={18} aria-hidden />
				<span className="btn-word">{say("import.do")}</span>
			</Button>
			{isOpen && (
				<Sheet
					title={say("import.title")}
					mayCloseByTap={false}
					onClose={close}
				>
					<ImportList onDone={close} />
				</Sheet>
			)}
		</>
	);
}

/** Imports products from a file: shows its first rows with what each column is read as, then what would change. */
export function ImportList({
	file: given,
	onDone,
}: {
	file?: File | undefined;
	onDone(): void;
}) {
	const { say } = useWords();
	const { shop } = useShop();
	const [list, setList] = useState<ChosenFile>();
	const { attempt, problem, isBusy } = useAttempt();

	async function choose(file: File): Promise<void> {
		await attempt(async () => {
			setList(undefined);
			const columns = await upload<FileColumns>(
				`${address}/sample`,
				file,
				type,
			);
			const chosen = columns.fields;
			setList({ id: newId(), file, columns, chosen, decimal: "" });
		});
	}
	// biome-ignore lint/correctness/useExhaustiveDependencies: once for each file that is given.
	useEffect(() => {
		if (given) void choose(given);
	}, [given]);

	const hasName = list?.chosen.includes("name") === true;
	/** What an import would change. */
	const plan = useQuery({
		queryKey: ["import", list?.id, list?.chosen, list?.decimal],
		queryFn: () => send(list as ChosenFile, { dryRun: "1" }),
		enabled: hasName,
		retry: false,
		gcTime: 0,
	});

	return (
		<div className="import">
			<p className="muted">{say("import.lead")}</p>
			<div className="row-flex">
				<FileButton
					accept={listTypes}
					kind={list ? "default" : "ink"}
					isBusy={isBusy}
					onFile={choose}
				>
					<FileSpreadsheet size={20} aria-hidden />
					{list?.file.name ?? say("import.choose")}
				</FileButton>
			</div>
			{problem}
			{list && (
				<ImportColumns
					columns={list.columns}
					chosen={list.chosen}
					onChoose={(index, field) => {
						const chosen = withColumn(list.chosen, index, field);
						setList({ ...list, chosen });
					}}
				/>
			)}
			{list && !hasName && (
				<p className="attention" role="status">
					{say("import.needsName")}
				</p>
			)}
			{list && (list.decimal !== "" || hasAmbiguous(plan.data)) && (
				<SelectField
					label={say("import.decimal")}
					options={decimals}
					value={list.decimal}
					onChange={(decimal) => setList({ ...list, decimal })}
				/>
			)}
			<LoadError error={plan.error} />
			{list && hasName && plan.data && (
				<>
					<Outcome plan={plan.data} />
					<div className="sheet-foot">
						<Button onClick={onDone}>{say("app.cancel")}</Button>
						<Button
							kind="ink"
							isBusy={isBusy}
							disabled={plan.data.created + plan.data.updated === 0}
							onClick={() =>
								attempt(async () => {
									await send(list);
									await shop.tryNow();
									onDone();
								})
							}
						>
							{say("import.do")}
						</Button>
					</div>
				</>
			)}
		</div>
	);
}

/** The same number with each decimal mark, which needs no translation. */
const decimals = [
	{ value: "", label: "–" },
	{ value: ".", label: "1,250.50" },
	{ value: ",", label: "1.250,50" },
];

const hasAmbiguous = (plan: Plan | undefined) =>
	plan?.refused.some(({ code }) => code === "ambiguous_number") === true;

function send(
	{ file, decimal, ...read }: ChosenFile,
	asked: Record<string, string> = {},
): Promise<Plan> {
	const query = new URLSearchParams({
		...asked,
		map: JSON.stringify(columnsChosen(read)),
		...(decimal === "" ? {} : { decimal }),
	});
	return upload<Plan>(`${address}?${query}`, file, type);
}

function Outcome({ plan }: { plan: Plan }) {
	const { say } = useWords();
	return (
		<>
			<p className="strong" role="status">
				{say("import.would", {
					created: plan.created,
					updated: plan.updated,
					unchanged: plan.unchanged,
					refused: plan.refused.length,
				})}
			</p>
			<ImportRefused refused={plan.refused} />
			<ImportNotes ignored={plan.ignored} notes={plan.notes} />
		</>
	);
}
