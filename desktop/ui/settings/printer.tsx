import {
	Button,
	Group,
	NumberInput,
	SegmentedControl,
	Select,
	Stack,
	TextInput,
} from "@mantine/core";
import { useForm } from "@mantine/form";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useAttempt } from "../components/attempt.tsx";
import { Panel } from "../components/panel.tsx";
import type { Printer, Printers, TillShell } from "../till-shell.ts";
import { useWords } from "../words/index.ts";

const kinds = ["none", "system", "network", "device"] as const;
type Kind = (typeof kinds)[number];
const networkPort = 9100;

/** Chooses a desktop till's receipt printer; a browser has its own print dialog. */
export function ReceiptPrinter() {
	const { till } = window;
	const { data } = useQuery({
		queryKey: ["printers"],
		queryFn: () => (till as TillShell).printers(),
		enabled: till !== undefined,
	});
	if (!till || !data) return null;
	return (
		<Choice key={JSON.stringify(data.chosen)} till={till} printers={data} />
	);
}

function Choice({ till, printers }: { till: TillShell; printers: Printers }) {
	const { say } = useWords();
	const queries = useQueryClient();
	const { attempt, problem, isBusy } = useAttempt();
	const { chosen, system } = printers;
	const form = useForm({ initialValues: toValues(chosen) });
	const { kind } = form.values;

	return (
		<Panel title={say("settings.printer")}>
			{problem}
			<form
				onSubmit={form.onSubmit((values) =>
					attempt(async () => {
						await till.choosePrinter(toPrinter(values));
						await queries.invalidateQueries({ queryKey: ["printers"] });
					}),
				)}
			>
				<Stack gap="sm">
					<Select
						{...form.getInputProps("kind")}
						label={say("settings.printerKind")}
						allowDeselect={false}
						data={kinds.map((value) => ({
							value,
							label: say(`settings.printer.${value}`),
						}))}
					/>
					{kind === "system" && (
						<Select
							{...form.getInputProps("name")}
							label={say("settings.printerName")}
							data={system}
							required
						/>
					)}
					{kind === "network" && (
						<Group grow align="start">
							<TextInput
								{...form.getInputProps("host")}
								label={say("settings.printerHost")}
								placeholder="192.168.1.50"
								required
							/>
							<NumberInput
								{...form.getInputProps("port")}
								label={say("settings.printerPort")}
								min={1}
								max={65_535}
								required
							/>
						</Group>
					)}
					{kind === "device" && (
						<TextInput
							{...form.getInputProps("path")}
							label={say("settings.printerDevice")}
							placeholder="/dev/usb/lp0, COM3"
							required
						/>
					)}
					{kind !== "none" && (
						<SegmentedControl
							{...form.getInputProps("width")}
							aria-label={say("settings.printerWidth")}
							data={["58", "80"].map((value) => ({
								value,
								label: `${value} mm`,
							}))}
						/>
					)}
					<Group>
						<Button type="submit" loading={isBusy} disabled={!form.isDirty()}>
							{say("app.save")}
						</Button>
						{chosen && chosen.kind !== "system" && (
							<Button
								variant="default"
								disabled={isBusy}
								onClick={() => attempt(() => till.openDrawer())}
							>
								{say("settings.openDrawer")}
							</Button>
						)}
					</Group>
				</Stack>
			</form>
		</Panel>
	);
}

interface Values {
	kind: Kind;
	name: string | null;
	host: string;
	port: number | string;
	path: string;
	width: string;
}

function toValues(chosen: Printer | null): Values {
	return {
		name: null,
		host: "",
		port: networkPort,
		path: "",
		...(chosen ?? { kind: "none" }),
		width: String(chosen?.width ?? 80),
	};
}

function toPrinter(values: Values): Printer | null {
	const { kind, host, path } = values;
	const width = values.width === "58" ? 58 : 80;
	if (kind === "system") return { kind, name: values.name ?? "", width };
	if (kind === "network")
		return { kind, host: host.trim(), port: Number(values.port), width };
	if (kind === "device") return { kind, path: path.trim(), width };
	return null;
}
