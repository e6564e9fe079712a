import { Group, Loader, SimpleGrid, Table, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { ask } from "../api.ts";
import { BarChart } from "../components/bar-chart.tsx";
import { LoadError } from "../components/load-error.tsx";
import { Panel } from "../components/panel.tsx";
import { useFormat } from "../format.ts";
import { useWords } from "../words/index.ts";
import { formatDollars } from "./dollars.ts";

interface Figures {
	calls: number;
	saved: number;
	failed: number;
	promptTokens: number;
	completionTokens: number;
	cost: number;
}

interface Usage {
	from: string;
	to: string;
	totals: Figures;
	days: (Figures & { day: string })[];
	models: (Figures & { model: string | null; firstTokenMs: number | null })[];
}

/** The gateway's cost this month, by day and by model. */
export function Spend() {
	const { say, language } = useWords();
	const format = useFormat();
	const { data, isPending, error } = useQuery({
		queryKey: ["usage"],
		queryFn: () => ask<Usage>("GET", "/api/usage"),
	});
	const usd = (amount: number) => formatDollars(amount, language);
	return (
		<Panel title={say("ai.spend")}>
			{isPending && <Loader aria-label={say("app.loading")} />}
			<LoadError error={error} />
			{data && (
				<>
					<Group gap="xl" mb="md">
						<Figure name={say("ai.cost")} value={usd(data.totals.cost)} />
						<Figure
							name={say("ai.calls")}
							value={format.quantity(data.totals.calls)}
						/>
						<Figure
							name={say("ai.saved")}
							value={format.quantity(data.totals.saved)}
						/>
						<Figure
							name={say("ai.tokens")}
							value={format.compact(
								data.totals.promptTokens + data.totals.completionTokens,
							)}
						/>
					</Group>
					{data.days.length > 0 && (
						<SimpleGrid cols={{ base: 1, md: 2 }}>
							<BarChart
								label={say("ai.spend")}
								columns={{
									name: say("chart.of.day"),
									value: say("ai.cost"),
								}}
								bars={data.days.map(({ day, cost }, i) => ({
									key: day,
									label: i % 5 === 0 ? format.day(day) : "",
									name: format.day(day),
									value: cost,
								}))}
								show={usd}
							/>
							<Table.ScrollContainer minWidth={360}>
								<Table>
									<Table.Thead>
										<Table.Tr>
											<Table.Th>{say("ai.model")}</Table.Th>
											<Table.Th ta="right">{say("ai.calls")}</Table.Th>
											<Table.Th ta="right">{say("ai.cost")}</Table.Th>
										</Table.Tr>
									</Table.Thead>
									<Table.Tbody>
										{data.models.map(({ model, calls, cost }) => (
											<Table.Tr key={model ?? ""}>
												<Table.Td style={{ overflowWrap: "anywhere" }}>
													{model ?? "–"}
												</Table.Td>
												<Table.Td ta="right">{format.quantity(calls)}</Table.Td>
												<Table.Td ta="right">{usd(cost)}</Table.Td>
											</Table.Tr>
										))}
									</Table.Tbody>
								</Table>
							</Table.ScrollContainer>
						</SimpleGrid>
					)}
				</>
			)}
		</Panel>
	);
}

function Figure({ name, value }: { name: string; value: string }) {
	return (
		<div>
			<Text size="sm" c="dimmed">
				{name}
			</Text>
			<Text fw={700} size="lg">
				{value}
			</Text>
		</div>
	);
}
