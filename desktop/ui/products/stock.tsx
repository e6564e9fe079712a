import {
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
import { useForm } from "@mantine/form";
import { v7 as newId } from "uuid";
import type { Product } from "../../../sync/entities/product.ts";
import { adjustReasons } from "../../../sync/entities/stock-movement.ts";
import { useAttempt } from "../components/attempt.tsx";
import { decimalOf } from "../components/decimal.ts";
import { useDraft } from "../components/draft.ts";
import { LoadError } from "../components/load-error.tsx";
import { useFormat } from "../format.ts";
import { useShop } from "../session.tsx";
import { useRows } from "../shop/use-shop-data.ts";
import { useWords } from "../words/index.ts";

const pageSize = 30;

/** Changes a product's stock by hand, also offline, and shows its movements. */
export function Stock({
	product,
	onMoved,
}: {
	product: Product;
	onMoved(delta: number): void;
}) {
	const { say } = useWords();
	const format = useFormat();
	const { shop } = useShop();
	const { attempt, problem, isBusy } = useAttempt();
	const form = useForm({
		initialValues: {
			delta: "" as number | string,
			reason: "received" as (typeof adjustReasons)[number],
			note: "",
		},
	});
	useDraft(`stock ${product.id}`, form);
	const history = useRows("product.movements", { id: product.id }, pageSize);

	async function move(values: typeof form.values): Promise<void> {
		const delta = decimalOf(values.delta);
		if (!delta) return;
		const isMoved = await attempt(async () => {
			await shop.mutate("stock.adjust", {
				id: newId(),
				productId: product.id,
				delta,
				reason: values.reason,
				note: values.note.trim() || null,
			});
			form.reset();
		});
		if (isMoved) onMoved(delta);
	}

	return (
		<Stack mt="md">
			<Divider />
			<Title order={3} size="h5">
				{say("stock.move")}
			</Title>
			<form onSubmit={form.onSubmit(move)}>
				<Stack>
					{problem}
					<Group grow align="flex-end">
						<NumberInput
							{...form.getInputProps("delta")}
							label={say("stock.by")}
							decimalScale={6}
						/>
						<Select
							{...form.getInputProps("reason")}
							label={say("sales.reason")}
							data={adjustReasons.map((value) => ({
								value,
								label: say(`stock.${value}`),
							}))}
							allowDeselect={false}
						/>
					</Group>
					<TextInput
						{...form.getInputProps("note")}
						label={say("till.note")}
						maxLength={500}
					/>
					<Button
						type="submit"
						variant="light"
						loading={isBusy}
						disabled={!decimalOf(form.values.delta)}
					>
						{say("stock.move")}
					</Button>
				</Stack>
			</form>
			<Title order={3} size="h5">
				{say("stock.history")}
			</Title>
			<LoadError error={history.error} />
			<Table>
				<Table.Tbody>
					{history.rows.map((one) => (
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
								<Text size="xs" c="dimmed">
									{say("stock.left", {
										quantity: format.quantity(one.quantityAfter),
									})}
								</Text>
							</Table.Td>
						</Table.Tr>
					))}
				</Table.Tbody>
			</Table>
			{history.hasNextPage && (
				<Button
					variant="default"
					loading={history.isFetchingNextPage}
					onClick={() => history.fetchNextPage()}
				>
					{say("app.more")}
				</Button>
			)}
		</Stack>
	);
}
