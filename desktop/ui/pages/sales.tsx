import {
	Badge,
	Button,
	Drawer,
	Group,
	Loader,
	Stack,
	Text,
	TextInput,
	Title,
	UnstyledButton,
} from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { useInfiniteQuery } from "@tanstack/react-query";
import { useState } from "react";
import type { Sale } from "../../../sync/entities/sale.ts";
import { ask } from "../api.ts";
import { useFormat } from "../format.ts";
import { useMethodName } from "../parts/method-name.ts";
import { Unread } from "../parts/unread.tsx";
import { SaleDetail } from "../sales/detail.tsx";
import { useLocal } from "../session.tsx";
import { useScanner } from "../till/scanner.ts";
import { useWords } from "../words/index.ts";

type ListedSale = Sale & {
	status: "sold" | "voided" | "refunded" | "partly refunded";
	refundedTotal: number;
};

interface Page {
	sales: ListedSale[];
	nextCursor: string | null;
	/** Of the days asked for; null where a word is looked for. */
	totals: { salesCount: number; revenue: number; refunded: number } | null;
}

/** What was sold, the newest first, as the server has it; by day and by word. */
export default function Sales() {
	const { say } = useWords();
	const format = useFormat();
	const nameOf = useMethodName();
	const [open, setOpen] = useState<Sale>();
	const [from, setFrom] = useState("");
	const [to, setTo] = useState("");
	const [typed, setTyped] = useState("");
	const [search] = useDebouncedValue(typed, 250);
	const { catalogue } = useLocal();
	// A product's barcode finds what was sold of it; any other code is searched as it is.
	useScanner({
		isKnown: (code) => catalogue.byCode(code) !== undefined,
		onScan: ({ code }) => setTyped(catalogue.byCode(code)?.name ?? code),
	});
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
	const totals = pages.data?.pages[0]?.totals;
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
					flex="2 1 240px"
				/>
				<Group flex="1 1 260px">
					<TextInput
						type="date"
						label={say("history.from")}
						value={from}
						onChange={(event) => setFrom(event.currentTarget.value)}
						flex="1 1 130px"
					/>
					<TextInput
						type="date"
						label={say("history.to")}
						value={to}
						onChange={(event) => setTo(event.currentTarget.value)}
						flex="1 1 130px"
					/>
				</Group>
			</Group>
			<Unread error={pages.error} offline="sales.offline" />
			{pages.isPending && <Loader aria-label={say("app.loading")} />}
			{pages.isSuccess && sales.length === 0 && (
				<Text c="dimmed">
					{say(asked.size > 0 ? "sales.noneFound" : "sales.none")}
				</Text>
			)}
			{totals && totals.salesCount > 0 && (
				<Text size="sm" c="dimmed">
					{say("sales.totals", {
						count: totals.salesCount,
						amount: format.money(totals.revenue),
					})}
				</Text>
			)}
			<div>
				{sales.map((sale) => (
					<UnstyledButton
						key={sale.id}
						className="row"
						style={{ position: "static" }}
						onClick={() => setOpen(sale)}
					>
						<div className="sale-when">
							<Text>{sale.receiptNumber ?? "–"}</Text>
							<Text c="dimmed" size="sm">
								{format.moment(sale.createdAt)}
							</Text>
						</div>
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
							{nameOf(sale.paymentMethod)}
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
				{open && <SaleDetail key={open.id} sale={open} />}
			</Drawer>
		</Stack>
	);
}
