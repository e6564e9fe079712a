import {
	Button,
	FileButton,
	Group,
	List,
	Modal,
	Stack,
	Table,
	Text,
} from "@mantine/core";
import { useState } from "react";
import { useAttempt } from "../components/attempt.tsx";
import { upload } from "../components/upload.ts";
import { useShop } from "../session.tsx";
import { useWords } from "../words/index.ts";

interface Plan {
	created: number;
	updated: number;
	unchanged: number;
	refused: { line: number; reason: string }[];
	ignored: string[];
	preview: Record<string, unknown>[];
}

/** Imports products from a file, after a preview of the changes and the refused lines. */
export function Import() {
	const { say } = useWords();
	const { shop } = useShop();
	const [isOpen, setOpen] = useState(false);
	const [file, setFile] = useState<File | null>(null);
	const [plan, setPlan] = useState<Plan>();
	const { attempt, problem, isBusy } = useAttempt();

	async function send(chosen: File, query: string): Promise<Plan | undefined> {
		let made: Plan | undefined;
		await attempt(async () => {
			made = await upload<Plan>(`/api/imports/products${query}`, chosen, {
				"content-type": "text/csv",
			});
		});
		return made;
	}

	function close(): void {
		setOpen(false);
		setFile(null);
		setPlan(undefined);
	}

	const columns = [...new Set(plan?.preview.flatMap(Object.keys))];
	return (
		<>
			<Button variant="default" size="md" onClick={() => setOpen(true)}>
				{say("import.do")}
			</Button>
			<Modal
				opened={isOpen}
				onClose={close}
				title={say("import.title")}
				size="xl"
			>
				<Stack>
					<Text>{say("import.lead")}</Text>
					<FileButton
						accept=".csv,text/csv"
						onChange={async (chosen) => {
							setFile(chosen);
							setPlan(chosen ? await send(chosen, "?dryRun=1") : undefined);
						}}
					>
						{(props) => (
							<Button {...props} variant="light" loading={isBusy}>
								{file?.name ?? say("import.choose")}
							</Button>
						)}
					</FileButton>
					{problem}
					{plan && (
						<>
							<Text fw={600} role="status">
								{say("import.would", {
									created: plan.created,
									updated: plan.updated,
									unchanged: plan.unchanged,
									refused: plan.refused.length,
								})}
							</Text>
							{plan.refused.length > 0 && (
								<List size="sm">
									{plan.refused.slice(0, 20).map(({ line, reason }) => (
										<List.Item key={line}>
											{say("import.line", { line, reason })}
										</List.Item>
									))}
								</List>
							)}
							<Table.ScrollContainer minWidth={400}>
								<Table>
									<Table.Thead>
										<Table.Tr>
											{columns.map((column) => (
												<Table.Th key={column}>{column}</Table.Th>
											))}
										</Table.Tr>
									</Table.Thead>
									<Table.Tbody>
										{plan.preview.map((row) => (
											<Table.Tr key={JSON.stringify(row)}>
												{columns.map((column) => (
													<Table.Td key={column}>
														{String(row[column] ?? "")}
													</Table.Td>
												))}
											</Table.Tr>
										))}
									</Table.Tbody>
								</Table>
							</Table.ScrollContainer>
							<Group justify="flex-end">
								<Button variant="default" onClick={close}>
									{say("app.cancel")}
								</Button>
								<Button
									loading={isBusy}
									disabled={plan.created + plan.updated === 0}
									onClick={async () => {
										if (file && (await send(file, ""))) {
											await shop.tryNow();
											close();
										}
									}}
								>
									{say("import.do")}
								</Button>
							</Group>
						</>
					)}
				</Stack>
			</Modal>
		</>
	);
}
