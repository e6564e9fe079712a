import {
	Alert,
	Button,
	Card,
	Group,
	List,
	Table,
	Text,
	Title,
} from "@mantine/core";
import { useState } from "react";
import { businessDay, toIso } from "../../../sync/clock.ts";
import type { Sale } from "../../../sync/entities/sale.ts";
import { ask } from "../api.ts";
import { useFormat } from "../format.ts";
import { useShop } from "../session.tsx";
import type { ShopClient } from "../shop/client.ts";
import { useServersHistory } from "../shop/till-window.ts";
import { useBusiness } from "../shop/use-shop-data.ts";
import { plus } from "../till/cart.ts";
import { useWords } from "../words/index.ts";

interface Counted {
	count: number;
	sum: number;
}

interface Comparison {
	here: Counted;
	there: Counted;
	/** The receipts that the server does not have. */
	missing: string[];
}

/** Counts this till's day, and holds what the server has of it beside. */
export function DayClose() {
	const { say } = useWords();
	const format = useFormat();
	const { shop } = useShop();
	const business = useBusiness();
	const [found, setFound] = useState<Comparison>();
	const [problem, setProblem] = useState<string>();
	const history = useServersHistory();

	async function look(): Promise<void> {
		if (!business) return;
		setProblem(undefined);
		const { timeZone, cutOffHour } = business;
		const now = toIso(shop.now());
		try {
			const day = businessDay(now, timeZone, cutOffHour);
			setFound(await compare(shop, day, history));
		} catch (error) {
			setProblem((error as Error).message);
		}
	}

	return (
		<Card withBorder component="section">
			<Group justify="space-between">
				<div>
					<Title order={2} size="h4">
						{say("close.title")}
					</Title>
					<Text size="sm" c="dimmed">
						{say("close.lead")}
					</Text>
				</div>
				<Button variant="light" size="md" onClick={look}>
					{say("close.compare")}
				</Button>
			</Group>
			{problem && (
				<Alert color="red" role="alert" mt="sm">
					{problem}
				</Alert>
			)}
			{found && (
				<>
					<Table mt="sm">
						<Table.Tbody>
							{(["here", "there"] as const).map((where) => (
								<Table.Tr key={where}>
									<Table.Td>{say(`close.${where}`)}</Table.Td>
									<Table.Td>
										{say("dashboard.sales", { count: found[where].count })}
									</Table.Td>
									<Table.Td className="amount">
										{format.money(found[where].sum)}
									</Table.Td>
								</Table.Tr>
							))}
						</Table.Tbody>
					</Table>
					{found.missing.length === 0 ? (
						<Text role="status" fw={600}>
							{say("close.same")}
						</Text>
					) : (
						<Alert color="orange" title={say("close.missing")}>
							<List>
								{found.missing.map((receipt) => (
									<List.Item key={receipt}>{receipt}</List.Item>
								))}
							</List>
						</Alert>
					)}
				</>
			)}
		</Card>
	);
}

async function compare(
	shop: ShopClient,
	day: string,
	history: string,
): Promise<Comparison> {
	const sold = await shop.madeOn(day);
	const made = new Set(sold.map(({ id }) => id));
	const arrived = new Map<string, number>();
	async function look(asked: Record<string, string>): Promise<void> {
		for (let cursor: string | null = ""; cursor !== null; ) {
			const query = new URLSearchParams({ ...asked, limit: "200", cursor });
			const page: { sales: Sale[]; nextCursor: string | null } = await ask(
				"GET",
				`${history}?${query}`,
			);
			for (const { id, total } of page.sales)
				if (made.has(id)) arrived.set(id, total);
			cursor = page.nextCursor;
		}
	}
	await look({ from: day, to: day });
	// Where this till's clock was wrong, the server has put it on the day that it was.
	for (const { id, state, receiptNumber } of sold)
		if (state === "acknowledged" && receiptNumber && !arrived.has(id))
			await look({ search: receiptNumber });
	const sum = (totals: number[]) => totals.reduce(plus, 0);
	return {
		here: {
			count: sold.length,
			sum: sum(sold.map(({ total }) => total)),
		},
		there: { count: arrived.size, sum: sum([...arrived.values()]) },
		missing: sold
			.filter(({ id }) => !arrived.has(id))
			.map(({ id, receiptNumber }) => receiptNumber ?? id),
	};
}
