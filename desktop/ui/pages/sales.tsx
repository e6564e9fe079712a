import {
	Alert,
	Badge,
	Button,
	Checkbox,
	Drawer,
	Group,
	Loader,
	NumberInput,
	Stack,
	Text,
	TextInput,
	Title,
	UnstyledButton,
} from "@mantine/core";
import {
	useInfiniteQuery,
	useQuery,
	useQueryClient,
} from "@tanstack/react-query";
import { useState } from "react";
import type { Sale } from "../../../sync/entities/sale.ts";
import { ask } from "../api.ts";
import { useFormat } from "../format.ts";
import { useWords } from "../words/index.ts";

const pageSize = 50;

interface Page {
	sales: Sale[];
	total: number;
}

/** What was sold, the newest first, as the server has it. */
export default function Sales() {
	const { say } = useWords();
	const format = useFormat();
	const [open, setOpen] = useState<Sale>();
	const pages = useInfiniteQuery({
		queryKey: ["sales"],
		queryFn: ({ pageParam }) =>
			ask<Page>("GET", `/api/sales?limit=${pageSize}&offset=${pageParam}`),
		initialPageParam: 0,
		getNextPageParam: (last, all) => {
			const seen = all.reduce((count, page) => count + page.sales.length, 0);
			return seen < last.total && last.sales.length > 0 ? seen : undefined;
		},
	});
	const sales = pages.data?.pages.flatMap((page) => page.sales) ?? [];
	const total = pages.data?.pages.at(-1)?.total ?? 0;
	return (
		<Stack className="page" component="section">
			<Group justify="space-between">
				<Title order={1} size="h2">
					{say("app.sales")}
				</Title>
				{sales.length > 0 && (
					<Text c="dimmed" role="status">
						{say("sales.of", { count: sales.length, total })}
					</Text>
				)}
			</Group>
			{pages.isError && (
				<Alert color="gray" title={say("sync.offline")}>
					{say("sales.offline")}
				</Alert>
			)}
			{pages.isPending && <Loader aria-label={say("app.loading")} />}
			{pages.isSuccess && sales.length === 0 && (
				<Text c="dimmed">{say("sales.none")}</Text>
			)}
			<div>
				{sales.map((sale) => (
					<UnstyledButton
						key={sale.id}
						className="row"
						style={{ position: "static" }}
						onClick={() => setOpen(sale)}
					>
						<Text w={100}>{sale.receiptNumber ?? "–"}</Text>
						<Text flex={1} truncate c="dimmed" size="sm">
							{format.moment(sale.createdAt)}
						</Text>
						<Badge variant="light" color="gray" tt="none" visibleFrom="xs">
							{sale.paymentMethod}
						</Badge>
						<Text className="amount" fw={600} w={120}>
							{format.money(sale.total)}
						</Text>
					</UnstyledButton>
				))}
			</div>
			{pages.hasNextPage && (
				<Button
					variant="default"
					size="md"
					loading={pages.isFetchingNextPage}
					onClick={() => pages.fetchNextPage()}
				>
					{say("sales.more")}
				</Button>
			)}
			<Drawer
				opened={open !== undefined}
				onClose={() => setOpen(undefined)}
				position="right"
				title={open?.receiptNumber ?? say("receipt.number")}
			>
				{open && <Detail sale={open} />}
			</Drawer>
		</Stack>
	);
}

interface Receipt {
	lines: {
		name: string;
		quantity: number;
		price: number;
		total: number;
		refunded: number;
	}[];
	cashier: string | null;
	status: "sold" | "voided" | "refunded" | "partly refunded";
	total: number;
	refundedTotal: number;
}

/** A sale with what became of it, and how it is taken back. */
function Detail({ sale }: { sale: Sale }) {
	const { say } = useWords();
	const format = useFormat();
	const queries = useQueryClient();
	const [reason, setReason] = useState("");
	const [restock, setRestock] = useState(true);
	const [back, setBack] = useState<Record<string, number>>({});
	const [problem, setProblem] = useState<string>();
	const key = ["receipt", sale.id];
	const { data: receipt } = useQuery({
		queryKey: key,
		queryFn: () => ask<Receipt>("GET", `/api/receipts/${sale.id}`),
	});
	const isOpen =
		receipt?.status === "sold" || receipt?.status === "partly refunded";
	const chosen = Object.entries(back).filter(([, quantity]) => quantity > 0);

	async function takeBack(path: string, body: object): Promise<void> {
		setProblem(undefined);
		try {
			await ask("POST", `/api/sales/${sale.id}/${path}`, {
				reason,
				restock,
				...body,
			});
			setBack({});
			setReason("");
			await queries.invalidateQueries({ queryKey: key });
		} catch (error) {
			setProblem((error as Error).message);
		}
	}

	return (
		<Stack>
			<Text c="dimmed">{format.moment(sale.createdAt)}</Text>
			{receipt && receipt.status !== "sold" && (
				<Badge color="orange" tt="none" size="lg" variant="light">
					{receipt.status === "voided"
						? say("receipt.voided")
						: `${say("receipt.refunded")} ${format.money(receipt.refundedTotal)}`}
				</Badge>
			)}
			{sale.items.map((item, i) => {
				const refunded = receipt?.lines[i]?.refunded ?? 0;
				return (
					<Group key={item.id} justify="space-between" wrap="nowrap">
						<Stack gap={0} miw={0}>
							<Text truncate>{item.name}</Text>
							<Text size="sm" c="dimmed">
								{format.quantity(item.quantity)} × {format.money(item.price)}
								{refunded > 0
									? ` · ${say("receipt.refunded")} ${format.quantity(refunded)}`
									: ""}
							</Text>
						</Stack>
						{isOpen && (
							<NumberInput
								w={90}
								min={0}
								max={item.quantity - refunded}
								decimalScale={6}
								aria-label={`${say("sales.refund")}: ${item.name}`}
								value={back[item.id] ?? 0}
								onChange={(value) =>
									setBack((now) => ({ ...now, [item.id]: Number(value) || 0 }))
								}
							/>
						)}
					</Group>
				);
			})}
			<Group justify="space-between">
				<Text fw={700}>{say("receipt.total")}</Text>
				<Text fw={700} className="amount">
					{format.money(sale.total)}
				</Text>
			</Group>
			{receipt?.cashier && (
				<Text size="sm" c="dimmed">
					{say("receipt.cashier")} {receipt.cashier}
				</Text>
			)}
			<Button
				variant="default"
				component="a"
				href={`/api/receipts/${sale.id}?format=html`}
				target="_blank"
			>
				{say("pay.print")}
			</Button>
			{isOpen && (
				<Stack>
					{problem && (
						<Alert color="red" role="alert">
							{problem}
						</Alert>
					)}
					<TextInput
						label={say("sales.reason")}
						value={reason}
						maxLength={500}
						onChange={(event) => setReason(event.currentTarget.value)}
					/>
					<Checkbox
						label={say("sales.restock")}
						checked={restock}
						onChange={(event) => setRestock(event.currentTarget.checked)}
					/>
					<Group grow>
						<Button
							disabled={chosen.length === 0 || reason.trim() === ""}
							onClick={() =>
								takeBack("refunds", {
									items: chosen.map(([itemId, quantity]) => ({
										itemId,
										quantity,
									})),
								})
							}
						>
							{say("sales.refund")}
						</Button>
						<Button
							color="red"
							variant="light"
							disabled={reason.trim() === ""}
							onClick={() => {
								if (confirm(say("sales.voidSure"))) void takeBack("void", {});
							}}
						>
							{say("sales.void")}
						</Button>
					</Group>
				</Stack>
			)}
		</Stack>
	);
}
