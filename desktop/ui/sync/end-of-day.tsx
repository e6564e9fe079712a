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
import { businessDay, toIso } from "../../../sync/protocol/clock.ts";
import type { LocalSale } from "../../../sync/protocol/till-api.ts";
import { messageOf } from "../components/error-message.ts";
import { useFormat } from "../format.ts";
import { useShop } from "../session.tsx";
import type { ShopClient } from "../shop/client.ts";
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
	/** Receipt numbers that the server doesn't have. */
	missing: string[];
}

/** Compares this till's day with what the server has acknowledged; offline, with what it had acknowledged so far. */
export function EndOfDay() {
	const { say } = useWords();
	const format = useFormat();
	const { shop } = useShop();
	const business = useBusiness();
	const [found, setFound] = useState<Comparison>();
	const [problem, setProblem] = useState<string>();

	async function look(): Promise<void> {
		if (!business) return;
		setProblem(undefined);
		const { timeZone, cutOffHour } = business;
		const now = toIso(shop.now());
		try {
			const day = businessDay(now, timeZone, cutOffHour);
			setFound(await compare(shop, day));
		} catch (error) {
			setProblem(messageOf(error));
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
										{say("report.salesCount", { count: found[where].count })}
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

async function compare(shop: ShopClient, day: string): Promise<Comparison> {
	await shop.tryNow();
	const made = await shop.madeOn(day);
	const sold = made.filter(({ state }) => state !== "discarded");
	const arrived = sold.filter(({ state }) => state === "acknowledged");
	return {
		here: count(sold),
		there: count(arrived),
		missing: sold
			.filter(({ state }) => state !== "acknowledged")
			.map(({ id, receiptNumber }) => receiptNumber ?? id),
	};
}

const count = (sales: readonly LocalSale[]): Counted => ({
	count: sales.length,
	sum: sales.reduce((sum, { total }) => plus(sum, total), 0),
});
