import {
	Alert,
	Button,
	Divider,
	Group,
	NumberInput,
	Select,
	Stack,
	Table,
	Text,
	TextInput,
	Title,
} from "@mantine/core";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { v7 as newId } from "uuid";
import type { Product } from "../../../sync/entities/product.ts";
import {
	adjustReasons,
	type StockMovement,
} from "../../../sync/entities/stock.ts";
import { ask } from "../api.ts";
import { useFormat } from "../format.ts";
import { useShop } from "../session.tsx";
import { useWords } from "../words/index.ts";

type Listed = StockMovement & { userName: string | null };

/** A product's stock: moved by hand for a reason, also offline; its history, as the server has it. */
export function Stock({ product }: { product: Product }) {
	const { say } = useWords();
	const format = useFormat();
	const { shop } = useShop();
	const queries = useQueryClient();
	const [delta, setDelta] = useState<number | string>("");
	const [reason, setReason] =
		useState<(typeof adjustReasons)[number]>("received");
	const [note, setNote] = useState("");
	const key = ["movements", product.id];
	const { data, isError } = useQuery({
		queryKey: key,
		queryFn: () =>
			ask<{ movements: Listed[] }>(
				"GET",
				`/api/products/${product.id}/movements?limit=30`,
			),
	});

	async function move(): Promise<void> {
		await shop.mutate("stock.adjust", () => ({
			id: newId(),
			productId: product.id,
			delta: Number(delta),
			reason,
			note: note.trim() || null,
		}));
		setDelta("");
		setNote("");
		await shop.sync();
		await queries.invalidateQueries({ queryKey: key });
	}

	return (
		<Stack mt="md">
			<Divider />
			<Title order={3} size="h5">
				{say("stock.move")}
			</Title>
			<Group grow align="flex-end">
				<NumberInput
					label={say("stock.by")}
					value={delta}
					onChange={setDelta}
					decimalScale={6}
				/>
				<Select
					label={say("sales.reason")}
					data={adjustReasons.map((value) => ({
						value,
						label: say(`stock.${value}`),
					}))}
					value={reason}
					allowDeselect={false}
					onChange={(value) => setReason(value as typeof reason)}
				/>
			</Group>
			<TextInput
				label={say("till.note")}
				value={note}
				maxLength={500}
				onChange={(event) => setNote(event.currentTarget.value)}
			/>
			<Button variant="light" disabled={!Number(delta)} onClick={move}>
				{say("stock.move")}
			</Button>
			<Title order={3} size="h5">
				{say("stock.history")}
			</Title>
			{isError && <Alert color="gray">{say("app.offline")}</Alert>}
			<Table>
				<Table.Tbody>
					{data?.movements.map((one) => (
						<Table.Tr key={one.id}>
							<Table.Td>
								{say(`stock.${one.reason}`)}
								<Text size="xs" c="dimmed">
									{[format.moment(one.createdAt), one.userName, one.note]
										.filter(Boolean)
										.join(" · ")}
								</Text>
							</Table.Td>
							<Table.Td className="amount">
								{one.delta > 0 ? "+" : ""}
								{format.quantity(one.delta)}
							</Table.Td>
						</Table.Tr>
					))}
				</Table.Tbody>
			</Table>
		</Stack>
	);
}
