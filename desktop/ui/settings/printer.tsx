import { useQuery, useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { useAttempt } from "../components/attempt.tsx";
import { Button } from "../components/button.tsx";
import { Chips } from "../components/chips.tsx";
import { TextField } from "../components/field.tsx";
import { Panel } from "../components/panel.tsx";
import { SelectField } from "../components/select-field.tsx";
import type { Printer, Printers, TillShell } from "../till-shell.ts";
import { useWords } from "../words/index.ts";
import { BrowserPaper } from "./browser-paper.tsx";

const kinds = ["none", "system", "network", "device"] as const;
type Kind = (typeof kinds)[number];
const networkPort = 9100;

/** Chooses a desktop till's receipt printer, or the paper where the browser's dialog prints. */
export function ReceiptPrinter() {
	const { say } = useWords();
	const { till } = window;
	const { data } = useQuery({
		queryKey: ["printers"],
		queryFn: () => (till as TillShell).printers(),
		enabled: till !== undefined,
	});
	if (!till)
		return (
			<Panel title={say("settings.printer")}>
				<BrowserPaper />
			</Panel>
		);
	if (!data) return null;
	return (
		<Choice key={JSON.stringify(data.chosen)} till={till} printers={data} />
	);
}

function Choice({ till, printers }: { till: TillShell; printers: Printers }) {
	const { say } = useWords();
	const queries = useQueryClient();
	const { attempt, problem, isBusy } = useAttempt();
	const { chosen, system } = printers;
	const [values, setValues] = useState(() => toValues(chosen));
	const { kind } = values;
	const field = (name: "name" | "host" | "port" | "path") => ({
		value: values[name],
		onChange: (value: string) => setValues({ ...values, [name]: value }),
		required: true,
	});
	const isChanged = JSON.stringify(values) !== JSON.stringify(toValues(chosen));

	async function save(event: FormEvent): Promise<void> {
		event.preventDefault();
		await attempt(async () => {
			await till.choosePrinter(toPrinter(values));
			await queries.invalidateQueries({ queryKey: ["printers"] });
		});
	}

	return (
		<Panel title={say("settings.printer")}>
			{problem}
			<form className="column-flex" onSubmit={save}>
				<SelectField
					label={say("settings.printerKind")}
					value={kind}
					onChange={(value) => setValues({ ...values, kind: value as Kind })}
					options={kinds.map((value) => ({
						value,
						label: say(`settings.printer.${value}`),
					}))}
				/>
				{kind === "system" && (
					<SelectField
						{...field("name")}
						label={say("settings.printerName")}
						options={["", ...system].map((value) => ({ value, label: value }))}
					/>
				)}
				{kind === "network" && (
					<div className="panel-fields">
						<TextField
							{...field("host")}
							label={say("settings.printerHost")}
							placeholder="192.168.1.50"
						/>
						<TextField
							{...field("port")}
							label={say("settings.printerPort")}
							type="number"
							min={1}
							max={65_535}
						/>
					</div>
				)}
				{kind === "device" && (
					<TextField
						{...field("path")}
						label={say("settings.printerDevice")}
						placeholder="/dev/usb/lp0, COM3"
					/>
				)}
				{kind === "none" ? (
					<BrowserPaper />
				) : (
					<Chips
						label={say("settings.printerWidth")}
						value={values.width}
						onChange={(width) => setValues({ ...values, width })}
						choices={["58", "80"].map((value) => ({
							value,
							label: `${value} mm`,
						}))}
					/>
				)}
				<div className="row-flex">
					<Button
						type="submit"
						kind="ink"
						isBusy={isBusy}
						disabled={!isChanged}
					>
						{say("app.save")}
					</Button>
					{chosen && chosen.kind !== "system" && (
						<Button
							disabled={isBusy}
							onClick={() => attempt(() => till.openDrawer())}
						>
							{say("settings.openDrawer")}
						</Button>
					)}
				</div>
			</form>
		</Panel>
	);
}

interface Values {
	kind: Kind;
	name: string;
	host: string;
	port: string;
	path: string;
	width: string;
}

function toValues(chosen: Printer | null): Values {
	return {
		kind: chosen?.kind ?? "none",
		name: chosen?.kind === "system" ? chosen.name : "",
		host: chosen?.kind === "network" ? chosen.host : "",
		port: String(chosen?.kind === "network" ? chosen.port : networkPort),
		path: chosen?.kind === "device" ? chosen.path : "",
		width: String(chosen?.width ?? 80),
	};
}

function toPrinter(values: Values): Printer | null {
	const { kind, host, path } = values;
	const width = values.width === "58" ? 58 : 80;
	if (kind === "system") return { kind, name: values.name, width };
	if (kind === "network")
		return { kind, host: host.trim(), port: Number(values.port), width };
	if (kind === "device") return { kind, path: path.trim(), width };
	return null;
}
