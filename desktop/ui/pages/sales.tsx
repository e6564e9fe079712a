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
import { useDebouncedValue } from "@mantine/hooks";
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

type ListedSale = Sale & {
	status: "sold" | "voided" | "refunded" | "partly refunded";
	refundedTotal: number;
};

interface Page {
	sales: ListedSale[];
	nextCursor: string | null;
}

/** What was sold, the newest first, as the server has it; by day and by word. */
export default function Sales() {
	const { say } = useWords();
	const format = useFormat();
	const [open, setOpen] = useState<Sale>();
	const [from, setFrom] = useState("");
	const [to, setTo] = useState("");
	const [typed, setTyped] = useState("");
	const [search] = useDebouncedValue(typed, 250);
	const asked = new URLSearchParams(
		Object.entries({ from, to, search }).filter(([, value]) => value !== ""),
	);
	const pages = useInfiniteQuery({
		queryKey: ["sales", asked.toString()],
		queryFn: ({ pageParam }) => {
			const query = new URLSearchParams(asked);
			if (pageParam) query.set("cursor", pageParam);
			return ask<Page>("GET", `/api/sales-history?${query}`);
		},
		initialPageParam: "",
		getNextPageParam: (last) => last.nextCursor ?? undefined,
	});
	const sales = pages.data?.pages.flatMap((page) => page.sales) ?? [];
	return (
		<Stack className="page" component="section">
			<Group justify="space-between">
				<Title order={1} size="h2">
					{say("app.sales")}
				</Title>
				<Button
					variant="default"
					component="a"
					href={`/api/sales-history.csv?${asked}`}
					download
				>
					{say("app.export")}
				</Button>
			</Group>
			<Group align="flex-end">
				<TextInput
					type="search"
					label={say("till.search")}
					value={typed}
					onChange={(event) => setTyped(event.currentTarget.value)}
					flex={1}
					miw={180}
				/>
				<TextInput
					type="date"
					label={say("history.from")}
					value={from}
					onChange={(event) => setFrom(event.currentTarget.value)}
				/>
				<TextInput
					type="date"
					label={say("history.to")}
					value={to}
					onChange={(event) => setTo(event.currentTarget.value)}
				/>
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
						{sale.status !== "sold" && (
							<Badge variant="light" color="gray" tt="none">
								{say(
									sale.status === "voided"
										? "receipt.voided"
										: "receipt.refunded",
								)}
							</Badge>
						)}
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
			await queries.invalidateQueries({ queryKey: ["sales"] });
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
