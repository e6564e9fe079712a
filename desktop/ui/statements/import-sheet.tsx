import { FileSpreadsheet } from "lucide-react";
import { type FormEvent, useMemo, useState } from "react";
import { plus } from "../../../sync/entities/money.ts";
import { statementLinesMax } from "../../../sync/entities/statement.ts";
import { businessDay } from "../../../sync/protocol/clock.ts";
import { CsvFileError } from "../../../sync/protocol/csv-records.ts";
import {
	isPdf,
	readStatement,
} from "../../../sync/statements/read-statement.ts";
import type { Statement } from "../../../sync/statements/statement.ts";
import { Alert } from "../components/alert.tsx";
import { useAttempt } from "../components/attempt.tsx";
import { Button } from "../components/button.tsx";
import { FileButton } from "../components/file-button.tsx";
import { PasswordField } from "../components/password-field.tsx";
import { Sheet } from "../components/sheet.tsx";
import { TextArea } from "../components/text-area.tsx";
import { upload } from "../components/upload.ts";
import { useFormat } from "../format.ts";
import { useShop } from "../session.tsx";
import { useBusiness } from "../shop/business.tsx";
import { useWords } from "../words/index.ts";
import type { Days } from "./days.ts";

/** Reads a file or pasted messages, shows what they have, and records it. Only a PDF needs a server. */
export function ImportSheet({
	onDone,
	onClose,
}: {
	/** @param days those of the statement's payments */
	onDone(days: Days): void;
	onClose(): void;
}) {
	const { say } = useWords();
	const { shop } = useShop();
	const business = useBusiness();
	const [pasted, setPasted] = useState("");
	const [file, setFile] = useState<{ name: string; text: string }>();
	const [pdf, setPdf] = useState<File>();
	const [password, setPassword] = useState("");
	const { attempt, problem, isBusy } = useAttempt();
	const text = file?.text ?? pasted;
	const timeZone = business?.timeZone;
	const statement = useMemo(
		() => (timeZone ? read(text, timeZone) : undefined),
		[text, timeZone],
	);

	async function open(opened: File): Promise<void> {
		const text = await opened.text();
		setPdf(isPdf(text) ? opened : undefined);
		setFile(isPdf(text) ? undefined : { name: opened.name, text });
	}

	async function openPdf(opened: File): Promise<void> {
		await attempt(async () => {
			const { csv } = await upload<{ csv: string }>(
				"/api/statements/pdf",
				new Blob([opened], { type: "application/pdf" }),
				{ "x-file-password": encodeURIComponent(password) },
			);
			setFile({ name: opened.name, text: csv });
			setPdf(undefined);
			setPassword("");
		});
	}

	async function record(event: FormEvent): Promise<void> {
		event.preventDefault();
		if (pdf) return openPdf(pdf);
		const { payments } = statement ?? { payments: [] };
		if (!business || payments.length === 0) return;
		const isDone = await attempt(async () => {
			for (let at = 0; at < payments.length; at += statementLinesMax)
				await shop.mutate("statement.import", {
					method: "MPESA",
					lines: payments.slice(at, at + statementLinesMax),
				});
		});
		const times = payments.map(({ paidAt }) => paidAt).sort();
		const dayOf = (at = "") =>
			businessDay(at, business.timeZone, business.cutOffHour);
		if (isDone) onDone({ from: dayOf(times[0]), to: dayOf(times.at(-1)) });
	}

	return (
		<Sheet title={say("statements.importTitle")} onClose={onClose}>
			<form
				className="column-flex statements-drop"
				onSubmit={record}
				onDragOver={(event) => event.preventDefault()}
				onDrop={(event) => {
					event.preventDefault();
					const [dropped] = event.dataTransfer.files;
					if (dropped) void open(dropped);
				}}
			>
				<p className="muted">{say("statements.how")}</p>
				<FileButton
					accept=".csv,.txt,.pdf,text/csv,text/plain,application/pdf"
					isWide
					onFile={open}
				>
					<FileSpreadsheet size={18} aria-hidden />
					{(file ?? pdf)?.name ?? say("statements.choose")}
				</FileButton>
				{pdf && (
					<PasswordField
						label={say("statements.password")}
						autoComplete="off"
						value={password}
						onChange={setPassword}
					/>
				)}
				<TextArea
					label={say("statements.paste")}
					rows={5}
					value={pasted}
					onChange={(typed) => {
						setPasted(typed);
						setFile(undefined);
						setPdf(undefined);
					}}
				/>
				{text.trim() !== "" && timeZone && !pdf && (
					<Read statement={statement} />
				)}
				{problem}
				<div className="sheet-foot">
					<Button
						type="submit"
						kind="ink"
						size="l"
						isBusy={isBusy}
						disabled={!pdf && !statement?.payments.length}
					>
						{say(pdf ? "statements.openPdf" : "statements.import")}
					</Button>
				</div>
			</form>
		</Sheet>
	);
}

function read(text: string, timeZone: string): Statement | undefined {
	try {
		return readStatement(text, timeZone);
	} catch (error) {
		if (error instanceof CsvFileError) return undefined;
		throw error;
	}
}

const refusedShown = 5;

/** What a text has. */
function Read({ statement }: { statement: Statement | undefined }) {
	const { say } = useWords();
	const format = useFormat();
	if (!statement) return <Alert>{say("statements.other")}</Alert>;
	const { payments, passedOver, refused } = statement;
	const amount = payments.reduce((sum, one) => plus(sum, one.amount), 0);
	return (
		<div aria-live="polite">
			<p className="strong">
				{say("statements.read", {
					count: payments.length,
					amount: format.money(amount),
				})}
			</p>
			{passedOver > 0 && (
				<p className="muted">
					{say("statements.passedOver", { count: passedOver })}
				</p>
			)}
			{refused.length > 0 && (
				<Alert>
					{say("statements.refused", { count: refused.length })}
					<ul className="statements-refused">
						{refused.slice(0, refusedShown).map(({ line, code, text }) => (
							<li key={line}>
								{say("statements.refusedLine", {
									line,
									reason: say(`statements.why.${code}`),
								})}
								<span className="muted text-s">{text}</span>
							</li>
						))}
					</ul>
				</Alert>
			)}
		</div>
	);
}
